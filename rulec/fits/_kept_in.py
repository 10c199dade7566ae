"""Folders that hold all files of a kind, and folders that one stays in."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulec.fits._pair import draft_from_pair
from rulec.fits._prose import written
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action
from rulec.runtime import globs

_FOLDER = (
    r"[`'\"@]?(?:\./)?(?P<folder>\.?[A-Za-z][\w.-]*(?:/[\w.-]+)*/(?!\w|\.\w)"
    r"|\.?[A-Za-z][\w-]*(?:/[\w-]+)+(?![\w/-]|\.\w))[`'\"]?"
)
_GOES = re.compile(
    r"\b(?:go(?:es)?|belongs?|lives?|put|place|save|write|keep|store|create|move|are kept|is kept|should be"
    r"|must be|have to be)\b"
    rf"[^.;]{{0,60}}?\b(?:in|into|to|under|inside|below)\s+(?:the )?{_FOLDER}",
    re.IGNORECASE,
)
_STAY = re.compile(
    r"(?:\bonly (?:ever )?(?:touch|chang\w+|edit|modify|work|writ\w+|make changes)\b|\b(?:touch|chang\w+|edit"
    r"|modify|work|write) only\b|\b(?:don'?t|do not|never) (?:touch|edit|chang\w+|modify|write|"
    r"create)(?: \w+){0,2} outside(?: of)?\b"
    r"|\bstay|\bdon'?t (?:leave|touch anything outside|edit anything outside|change anything outside"
    r"|write anything outside|work outside)|\bnever (?:touch|edit|change|write) (?:anything |files? )?outside)"
    rf"(?: (?:in|inside|within|under|of|to|files?|code|anything|the|things|into))*\s+{_FOLDER}",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:for now|this time|for this|today|right now|in this (?:pr|task|change|commit))\b", re.IGNORECASE
)


_ACCOUNT = re.compile(r"\W*(?:i|we|it|they|she|you)(?:'ve|'s| have| had| has| was| were| did| just)\b", re.IGNORECASE)


class _Kind(NamedTuple):
    """How people call files of a kind, globs of them, those that may lie anywhere, and a name for a sample."""

    said: str
    files: tuple[str, ...]
    free: tuple[str, ...]
    sample: str


_USUAL = (
    "README*",
    "CHANGELOG*",
    "CONTRIBUTING*",
    "LICENSE*",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "SECURITY.md",
    ".github/**",
    ".claude/**",
)
_KINDS = (
    _Kind(
        r"\b(?:scratch|temp(?:orary)?|tmp|throw-?away|one-?offs?|debug(?:ging)?|experiment\w*)\b(?: (?:files?"
        r"|scripts?|stuff|code|things?))?",
        ("{,*[-_]}{tmp,temp,scratch,debug,throwaway,oneoff}{,[0-9],[-_]*}.*",),
        (),
        "tmp_check.py",
    ),
    _Kind(
        r"\b(?:(?:unit |new |all |the )*tests?(?: files?)?|specs?)\b",
        ("{test_*,*_test}.py", "*_test.go", "*.{test,spec}.{js,jsx,ts,tsx,mjs}", "*_spec.rb"),
        (),
        "test_login.py",
    ),
    _Kind(r"\bmigrations?(?: files?)?\b", ("*.sql",), (), "001_users.sql"),
    _Kind(
        r"\b(?:docs?|documentation|markdown(?: files?)?|md files?|notes?|guides?)\b",
        ("*.md", "*.mdx"),
        _USUAL,
        "setup-notes.md",
    ),
    _Kind(r"\b(?:shell |bash |helper )?scripts?\b", ("*.{sh,bash}",), (), "deploy.sh"),
    _Kind(r"\b(?:stylesheets?|styles|css)\b", ("*.{css,scss,less}",), (), "page.css"),
    _Kind(r"\b(?:screenshots?|images?|pictures|pngs?)\b", ("*.{png,jpg,jpeg,gif}",), (), "shot.png"),
    _Kind(r"\bnotebooks?\b", ("*.ipynb",), (), "study.ipynb"),
)


def drafts(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of only-within and place-files."""
    text = clause.text
    if _ONCE.search(text) or text.rstrip().endswith("?") or _ACCOUNT.match(text) or "in mind" in text:
        return
    stay = _STAY.search(re.sub(r"\bthe ([\w-]+)/? (?:folder|directory)\b", r"\1/", text))
    if stay:
        yield from _within(_closed(stay["folder"]), before, after)
        return
    goes = _GOES.search(text)
    if goes is None or re.search(
        r"\b(?:don'?t|dont|do not|never|no|not|stop)\b", text[: goes.start("folder")], re.IGNORECASE
    ):
        return
    subject = text[: goes.start("folder")]
    kind = next((kind for kind in _KINDS if re.search(kind.said, subject, re.IGNORECASE)), None)
    if kind:
        yield from _placed(kind, _closed(goes["folder"]), before, after)


def _closed(folder: str) -> str:
    return folder if folder.endswith("/") else f"{folder}/"


def _placed(kind: _Kind, folder: str, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    inside = [f"{folder}**", f"**/{folder}**"]
    kinds: tuple[CheckKind, ...] = ("shell", "guard")
    given = {"files": list(kind.files), "inside": inside, "except": list(kind.free)}
    checks = tuple(Check(kind=one, template="place-files", parameters=given) for one in kinds)

    def caught(action: Action) -> bool:
        return action.kind != "edit" and any(
            globs.match(kind.files, path) and not globs.match([*inside, *kind.free], path)
            for path, _ in written(action)
        )

    if before:
        because = f"such a file was written outside of {folder} before the person spoke"
        yield from draft_from_pair(checks, caught, before, after, kinds=("write",), because=because)
        return
    bad = tuple(Example(kind="file", path=path, text="x\n") for path in (kind.sample, f"elsewhere/{kind.sample}"))
    good = (
        Example(kind="file", path=f"{folder}{kind.sample}", text="x\n"),
        Example(kind="file", path="src/app.py", text="x = 1\n"),
    )
    yield Draft(checks=checks, invalid=bad, valid=good, because="the statement says where such files belong")


def _within(folder: str, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    check = Check(kind="guard", template="only-within", parameters={"folders": [f"{folder}**"]})

    def caught(action: Action) -> bool:
        paths = [path for path, _ in written(action)]
        return any(not path.startswith((folder, "/", "~")) for path in paths)

    if before:
        yield from draft_from_pair((check,), caught, before, after, kinds=("write", "edit"), because="it was left")
        return
    bad = (
        Example(kind="file", path="elsewhere/app.py", text="x = 1\n"),
        Example(kind="command", text="rm -rf elsewhere"),
    )
    good = (
        Example(kind="file", path=f"{folder}app.py", text="x = 1\n"),
        Example(kind="command", text="cat elsewhere/app.py"),
    )
    yield Draft(checks=(check,), invalid=bad, valid=good, because="the statement names the folder")
