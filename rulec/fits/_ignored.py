"""What git must not ignore, or must: lines of .gitignore."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._prose import written
from rulec.fits._words import VAGUE, pieces, stem
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action

_SAID = re.compile(
    r"\b(?:don'?t|dont|do not|never|stop|must ?n[o']t|should ?n[o']t|shouldn'?t be|not|isn'?t"
    r"|no)\s+(?:\w+ ){0,3}?(?:git-?)?ignor\w*"
    r"|\b(?:put|add)\w*\b[^.;]{0,60}\.gitignore\b|\bkeep\b[^.;]{0,60}\bout of (?:the )?\.?gitignore\b"
    r"|\b(?:must|should) not be (?:git-?)?ignored\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:don'?t|dont|do not|never|stop|must ?n[o']t|should ?n'?t|not|isn'?t|no|keep)\b", re.IGNORECASE
)
_GIT = re.compile(r"git-?ignor|\.gitignore", re.IGNORECASE)
_ENTRY = re.compile(r"/?(?:\*\*/)?(?P<name>[\w.@+-][\w.@+/-]*?)(?:/|/\*{1,2})?\s*$")
_FILES = [".gitignore", "*.sh", "*.bash"]  # scripts write such files, too


def drafts(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """A line of .gitignore that may not be there: the entry as a whole, not what lies below it."""
    text = clause.text
    if not _GIT.search(text) or not _SAID.search(text) or not _AGAINST.search(text):
        return
    kept = {
        line.strip()
        for action in after
        for path, new in written(action)
        if path.endswith(".gitignore")
        for line in new.splitlines()
    }
    for name in _written(clause, before) if before else _named(clause):
        if name not in kept and f"{name}/" not in kept:
            yield _draft(name)
            return


def _draft(name: str) -> Draft:
    pattern = rf"^\s*/?(?:\*\*/)?{re.escape(name)}(?:/|/\*{{1,2}})?\s*$"
    kinds: tuple[CheckKind, ...] = ("semgrep", "guard")
    given = {"patterns": [pattern], "globs": _FILES}
    bad = [Example(kind="file", path=".gitignore", text=f"other/\n{line}\n") for line in (f"{name}/", name)]
    good = Example(kind="file", path=".gitignore", text=f"{name}/cache/\n# {name}/ is committed\n{name}-other/\n")
    return Draft(
        checks=tuple(Check(kind=kind, template="forbid-text", parameters=given) for kind in kinds),
        invalid=tuple(bad),
        valid=(good, Example(kind="file", path="docs/setup.md", text=f"{name}/\n")),
        because=f"git was told to ignore {name}, which the words name",
    )


def _written(clause: Clause, before: Sequence[Action]) -> Iterator[str]:
    """Entries that were put there and that the words name."""
    said = {stem(piece) for word in re.findall(r"[\w./-]+", clause.text) for piece in (word, *pieces(word))}
    for action in reversed(before):
        for path, new in written(action):
            for line in new.splitlines() if path.rpartition("/")[2] == ".gitignore" else ():
                entry = _ENTRY.fullmatch(line.strip())
                if entry and all(stem(piece) in said for piece in pieces(entry["name"])):
                    yield entry["name"]


def _named(clause: Clause) -> Iterator[str]:
    """The entry that the statement names: its first path, or else a folder by its word."""
    paths = [
        t.text.strip("@`'\"").rstrip("/")
        for t in clause.terms
        if t.kind in ("path", "code") and ".gitignore" not in t.text
    ]
    yield from (path.removeprefix("./") for path in paths[:1] if re.fullmatch(r"[\w.@+/-]+", path))
    folder = re.search(r"\b(?P<name>[\w-]+) (?:folder|directory|dir)\b", clause.text, re.IGNORECASE)
    if not paths and folder and folder["name"].lower() not in VAGUE | {"whole", "entire"}:
        yield folder["name"]
