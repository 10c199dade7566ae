"""Files that the words name on both sides of a change: one was changed alone, and the other was brought afterwards."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits import _asked_files as files
from rulec.fits._changes import committed
from rulec.fits._words import pieces, stem, stems
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.change import Change, event_of
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime import companions, globs

_LONGEST = 4_000  # of a file's text in an example
_BELONG = re.compile(
    r"\b(?:stale|out[- ]of[- ]date|outdated|in sync|out of sync|same (?:commit|pr|change)|too|also|together|both|"
    r"does ?n[o']t (?:know|have|match|mention)|still (?:has|says|shows)|forg[eo]t\w*|missing|match(?:es)?|"
    r"only (?:changed|updated|one)|updat\w*|has to|have to|must|should|along|mirror\w*|need(?:s|ed)?)\b"
    r"|[\u4e00-\u9fff]",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:do ?n[o']?t|do not|never|stop|no need|without|instead of|rather than|leave|revert|undo|remove|delete|move|"
    r"read|look|see|check)\b(?! (?:forget|know|have|match|mention))",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"(?<![\w/.-])[\w.-]+(?:/[\w.-]+)+/?(?![\w/])")
# What people call the things that stand in files of another name.
_CALLED = {
    "migrations": "table column schema migration database db",
    "migrate": "table column schema migration database db",
    "routes": "endpoint route api url",
    "routers": "endpoint route api url",
    "controllers": "endpoint route api controller action",
    "handlers": "endpoint route api handler",
    "models": "model field table entity column",
    "entities": "entity model field column",
    "components": "component",
    "settings": "setting option env variable config",
    "config": "setting option env variable config",
}


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of require-companion from the files that the words name and the pair changed."""
    if not (before and after) or not _BELONG.search(clause.text) or _AGAINST.search(clause.text):
        return
    named = list(dict.fromkeys((*files.named(clause.text), *(one.strip("./") for one in _SPOKEN.findall(clause.text)))))
    past, later = committed(before, after)
    if not past or not later:
        return
    alone = [file.path for file in past[-1].files]
    brought = [file.path for change in later for file in change.files if file.path not in alone]
    needs = [glob for glob in map(_glob, named) if _any(glob, brought)] or (
        _called(clause, brought) if _WITH.search(clause.text) else []
    )
    when = [glob for glob in map(_glob, named) if _any(glob, alone)] or _called(clause, alone)
    if needs and when and not any(_any(glob, alone) for glob in needs):
        yield from _draft({"when": when, "needs": needs}, past[-1], later)


def _glob(path: str) -> str:
    return path if "." in path.rpartition("/")[2] else f"{path.rstrip('/')}/**"


def _any(glob: str, paths: Sequence[str]) -> bool:
    return any(globs.match((glob,), path) for path in paths)


# What says, without a path, that one thing comes with another.
_WITH = re.compile(
    r"\b(?:with (?:it|them)|together|in the same (?:commit|pr|change)|(?:if|when(?:ever)?|every ?time) (?:you|we) .+"
    r"\b(?:have to|has to|must|also|too|as well|need to)\b)",
    re.IGNORECASE,
)


def _called(clause: Clause, paths: Sequence[str]) -> list[str]:
    """The file or folder of the change that the words call by its name, or by what stands in it."""
    said = stems(clause.text)
    for path in paths:
        own = {stem(piece) for piece in pieces(path.rpartition("/")[2])}
        if len(own) > 1 and own <= said:
            return [path]
        folders = path.split("/")[:-1]
        for at in range(len(folders), 0, -1):
            name = folders[at - 1]
            words = {stem(word) for word in (*pieces(name), *_CALLED.get(name.lower(), "").split())}
            if words & said:
                return [f"{'/'.join(folders[:at])}/**"]
    return []


def _draft(given: dict[str, list[str]], past: Change, later: Sequence[Change]) -> Iterator[Draft]:
    def lacks(change: Change) -> bool:
        seen = event_of(change)["files"]
        return bool(companions.unmet({"how": [], "unless": [], "pattern": "", **given}, seen, seen))

    whole = Change(files=tuple({file.path: file for change in (past, *later) for file in change.files}.values()))
    if not lacks(past) or lacks(whole) or any(map(lacks, later)):
        return
    yield Draft(
        checks=(Check(kind="guard", template="require-companion", parameters=given),),
        invalid=(_example(past),),
        valid=(_example(whole), *(_example(change) for change in later[:1])),
        because="the words name both, one was changed alone, and the other was brought afterwards",
    )


def _example(change: Change) -> Example:
    texts = {file.path: (file.content or b"").decode("utf-8", "replace") for file in change.files if file.status != "D"}
    kept = {path: text for path, text in texts.items() if len(text) <= _LONGEST}
    return Example(kind="commit", text="Change it", files=tuple(kept.items()))


PLUG = Fit(name="partners", fit=fit, any_clause=True)
