"""Plans, notes and todos that belong in a tracker, not in files."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulec.fits._pair import draft_from_pair
from rulec.fits._prose import written
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime import globs

_MARK = "todo".upper()  # spelled small, for a rule of our own refuses notes in the code
_TRACKER = (
    r"(?:linear|jira|github(?: (?:issues?|projects?|discussions?))?|gitlab|notion|confluence|trello|asana"
    r"|clickup|youtrack|shortcut"
    r"|beads|bd|task-?master|taskwarrior|todoist|basecamp|monday|obsidian|google docs?|(?:the |our )?wiki"
    r"|(?:the |an? |our )?(?:issue tracker|tracker|ticket|issue|backlog|board|chat|conversation|thread"
    r"|pr (?:description|body|comment)|pull request))"
)
_PLACED = re.compile(
    r"\b(?:put|keep|writ|track|post|record|document|stor|sav|mov|go|goes|belong|live|add|rel(?:y|ies)|manag|tak"
    r"|note|creat|us)\w*\b"
    rf"[^.;]{{0,80}}?\b(?:in|into|to|on|onto|as|with|via|use|using)\s+(?:an? |the |our )?(?:comments? (?:in"
    rf"|on) )?{_TRACKER}\b",
    re.IGNORECASE,
)
_USED = re.compile(
    rf"\buse (?:an? |the |our )?{_TRACKER}\b[^.;]{{0,20}}\bfor\b|\b(?:rely|relies) on (?:an? |the |our )?{_TRACKER}\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:read|look|check|see|find|fetch|summari[sz]e|explain|implement)\b[^.;]{0,40}\b(?:plan|notes?"
    r"|todos?)\b|\?\s*$",
    re.IGNORECASE,
)
_NOT_FILES = re.compile(
    r"\b(?:not|never|no|don'?t|do not|stop|instead of|rather than|quit|avoid|without)\b[^.;]{0,60}?\b(?:files?"
    r"|markdown|\.?md\b|repo\w*|disk|docs?/)",
    re.IGNORECASE,
)
_ANY = "{md,txt}"
_FREE = (".github/**", "*[Rr]elease*", "*[Tt]emplate*")
_TASKS = (r"^\s*(?:[-*+]|\d+[.)])[ \t]+\[[ xX]\][ \t]", r"^#{1,6}\s+(?:\w+ )?to-?dos?\b", r"^to-?dos?:\s*$")


class _Record(NamedTuple):
    """A kind of record: how people call it, and the words in the names of its files and folders."""

    said: str
    words: tuple[str, ...]


_KINDS = (
    _Record(r"\bplan(?:s|ning)?\b", ("plan",)),
    _Record(
        r"\b(?:working|work|internal|session|task|progress) (?:documentation|docs?|notes?|papers?|files?|logs?)\b",
        (
            "plan",
            "note",
            "finding",
            "investigation",
            "research",
            "progress",
            "status",
            "handoff",
            "working",
            "wip",
            "scratch",
        ),
    ),
    _Record(r"\bnotes?\b", ("note", "finding", "scratch")),
    _Record(r"\bfindings?\b|\binvestigations?\b|\bresearch\b", ("finding", "investigation", "research", "note")),
    _Record(r"\bto-?dos?\b|\btasks?\b", ("todo",)),
    _Record(r"\broad ?maps?\b", ("roadmap",)),
    _Record(r"\bsummar(?:y|ies)\b", ("summary",)),
    _Record(r"\b(?:status|progress) (?:reports?|updates?)\b", ("status", "progress", "report")),
    _Record(r"\bdesign (?:docs?|documents?)\b|\bspecs?\b", ("design", "spec")),
)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-path for such files, and of forbid-phrase for lists of tasks within others."""
    text = clause.text
    if not (_PLACED.search(text) or _USED.search(text)) or (_ASKED.search(text) and not _NOT_FILES.search(text)):
        return
    words = tuple(
        dict.fromkeys(word for kind in _KINDS if re.search(kind.said, text, re.IGNORECASE) for word in kind.words)
    )
    if not words or (
        not before and not _NOT_FILES.search(text) and "use" in text.lower().split()[:1] and "for" not in text
    ):
        return
    if words == ("todo",):
        yield from _tasks(before)
        return
    wanted = names(words)

    def caught(action: Action) -> bool:
        return action.kind != "edit" and any(
            globs.match(wanted, path) and not globs.match(_FREE, path) for path, _ in written(action)
        )

    checks = _checks(wanted)
    if before:
        yield from draft_from_pair(checks, caught, before, after, kinds=("write", "edit"), because=_BECAUSE)
        return
    bad = tuple(
        Example(kind="file", path=path, text="# Work\n")
        for path in (f"docs/{words[0]}s/login.md", f"{words[0].upper()}.md")
    )
    good = (
        Example(kind="file", path="docs/usage.md", text="# Usage\n"),
        Example(kind="file", path=f"src/{words[0]}.py", text="x = 1\n"),
    )
    yield Draft(checks=checks, invalid=bad, valid=good, because="the statement says where else they belong")


_BECAUSE = "a file of that kind was written before the person said where it belongs, and not afterwards"


def names(words: Sequence[str]) -> list[str]:
    """Globs of texts whose name, or whose folder's name, has one of the words as a word of its own."""
    found = []
    for word in words:
        plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
        shown = "".join(f"[{letter.upper()}{letter}]" for letter in word.removesuffix("y"))
        ending = "{y,Y,ies,IES}" if word.endswith("y") else "{,s,S}"
        found += [f"{{,*[-_. ]}}{shown}{ending}{{,[-_. ]*}}.{_ANY}", f"**/{{{word},{plural}}}/**/*.{_ANY}"]
    return found


def _checks(wanted: list[str]) -> tuple[Check, ...]:
    kinds: tuple[CheckKind, ...] = ("shell", "guard")
    given = {"globs": wanted, "except": list(_FREE)}
    return tuple(Check(kind=kind, template="forbid-path", parameters=given) for kind in kinds)


def _tasks(before: Sequence[Action]) -> Iterator[Draft]:
    """Lists of tasks in documentation, and files that are one."""
    if before and not any(_lists(path, text) for action in before for path, text in written(action)):
        return
    file = Example(kind="file", path=f"{_MARK}.md", text="# Open\n\n- the login\n")
    lists = Example(kind="file", path="docs/sample.md", text="# Login\n\n- [ ] the form\n")
    good = Example(
        kind="file", path="docs/sample.md", text="# Login\n\nTodos are tracked elsewhere:\n\n- [the board](x.md)\n"
    )
    given = {"patterns": list(_TASKS), "where": ["docs"], "except": list(_FREE)}
    phrase = Check(kind="guard", template="forbid-phrase", parameters=given)
    yield Draft(
        checks=(*_checks(names(("todo",))), phrase),
        invalid=(file, lists),
        valid=(good,),
        because="tasks stood in a file, and belong elsewhere" if before else "the statement says where tasks belong",
    )


def _lists(path: str, text: str) -> bool:
    endings = (".md", ".markdown", ".mdx", ".txt")
    shown = any(re.search(pattern, text, re.MULTILINE | re.IGNORECASE) for pattern in _TASKS)
    return path.endswith(endings) and (shown or globs.match(names(("todo",)), path))


PLUG = Fit(name="records", fit=fit, any_clause=True)
