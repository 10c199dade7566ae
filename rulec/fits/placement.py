"""Where files belong: checkouts that are left alone, folders to stay in, what git must not ignore, copies."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits import _ignored, _kept_in
from rulec.fits._pair import draft_from_pair
from rulec.fits._prose import written
from rulec.fits._words import conditional
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime import globs
from rulec.runtime.effects import effects
from rulec.runtime.shell import parse

_ALONE = re.compile(
    r"\b(?:don'?t|dont|do not|never|must ?n[o']t|should ?n[o']t|stop|quit|no|not to|avoid|without)\s+(?:\w+ ){0,2}?"
    r"(?:touch|chang|edit|modif|mess|fuck|fiddl|writ|alter|work|commit|go|us|do|run|cd)\w*"
    r"|\b(?:hands off|leave|stay (?:out|away)|keep (?:out|away)|off[ -]limits|read[ -]only)\b",
    re.IGNORECASE,
)
_ROOTED = re.compile(r"(?<![\w.:/*-])(?:~/|/)(?:[\w.@+-]+/)*[\w.@+-]+/?")
_HOME = re.compile(r"^/(?:(?:Users|home)/[^/]+|root)(?=/)")
_SYSTEM = ("/dev/", "/tmp", "/proc")  # noqa: S108 - what a person names, not a place to write
_COPIES = re.compile(
    r"\b(?:no|don'?t|do not|dont|never|stop|quit|without|why do you|instead of)\b[^.;]{0,60}?"
    r"(?:\b(?:cop(?:y|ies)|versions?|variants?|duplicates?) of (?:the |a |an |existing |every |each "
    r"|same )*(?:files?|scripts?|modules?|components?)"
    r"|\bnew (?:file|version|copy)s? (?:every|each) time|_(?:v\d|new|final|fixed|old|copy|backup|improved"
    r"|enhanced)\b|\b\w+_v2\b)",
    re.IGNORECASE,
)
_COPY = "*[-_]{v[0-9],new,old,final,fixed,copy,backup,bak,orig,updated,improved,enhanced,refactored}.*"


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of protect-path, only-within, place-files, forbid-path, and of forbid-text for what git ignores."""
    if conditional(clause) and not _ROOTED.search(clause.text):
        return
    yield from _elsewhere(clause, before)
    yield from _ignored.drafts(clause, before, after)
    yield from _kept_in.drafts(clause, before, after)
    yield from _copies(clause, before, after)


def _elsewhere(clause: Clause, before: Sequence[Action]) -> Iterator[Draft]:
    """A folder outside of the repository that is left alone, with what git does there."""
    text = clause.text
    paths = [
        path.rstrip("/.,") for path in _ROOTED.findall(text) if not path.startswith(_SYSTEM) and path.count("/") > 1
    ]
    if not paths or not _ALONE.search(text) or not _is_meant(text, paths[0]):
        return
    place = _HOME.sub("~", paths[0])  # the rule is shared; each has it in a home of their own
    folder = f"{place}/"
    done = [a for a in before if any(globs.match([folder], path) for path in _touched(a))]
    if before and not done:
        return
    commands = [a.command for a in reversed(done) if a.kind == "command"][:1]
    wrong = [*commands, f"git -C {place} commit -am wip", f"touch {folder}notes.txt"]
    right = [f"ls {place}", f"git log --oneline -- {place}", f"git -C {place} status", f"touch {place}-other/notes.txt"]
    invalid, valid = ([Example(kind="command", text=command) for command in part] for part in (wrong, right))
    check = Check(kind="guard", template="protect-path", parameters={"globs": [folder]})
    because = f"{folder} is named, and lies outside of the repository"
    yield Draft(checks=(check,), invalid=tuple(invalid), valid=tuple(valid), because=because)


def _is_meant(text: str, path: str) -> bool:
    """Whether what is left alone is the path, and not something that is only kept from going there."""
    start = text.index(path)
    if re.search(r"\b(?:outside|except|not (?:in|under)|isn'?t (?:in|under))\W+(?:of )?$", text[:start], re.IGNORECASE):
        return False
    wish = _ALONE.search(text)
    if wish is None or wish.start() > start:
        return bool(re.search(r"\b(?:that|it|there|this|them|anything|in there)\b", text[start:])) or bool(
            re.search(r"(?:off[ -]limits|read[ -]only|alone)\W*$", text)
        )
    between = text[wish.end() : start]
    return bool(
        re.fullmatch(
            r"[\s`'\"]*(?:(?:with|in|to|inside|under|into|around|on|of|up|anything|any|the"
            r"|that|this|my|our|files?|folder|checkout|repo|"
            r"repository|clone|copy|directory|stuff|things?|at|out|away|from)[\s`'\"]+){0,8}",
            between,
            re.IGNORECASE,
        )
    )


def _touched(action: Action) -> list[str]:
    if action.kind == "command":
        return [effect.path for effect in effects(parse(action.command[:4_000]))]
    return [action.path] if action.kind in ("write", "edit", "delete") and action.path else []


def _copies(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Second versions of a file beside the first: app_new.py, report-v2.md."""
    if not _COPIES.search(clause.text):
        return
    kinds: tuple[CheckKind, ...] = ("shell", "guard")
    checks = tuple(Check(kind=kind, template="forbid-path", parameters={"globs": [_COPY]}) for kind in kinds)
    if before:

        def caught(action: Action) -> bool:
            return action.kind != "edit" and any(globs.match([_COPY], path) for path, _ in written(action))

        yield from draft_from_pair(
            checks, caught, before, after, kinds=("write",), because="a second version was written"
        )
        return
    bad = (
        Example(kind="file", path="src/app_new.py", text="x = 1\n"),
        Example(kind="file", path="src/app-v2.py", text="x = 1\n"),
    )
    good = (
        Example(kind="file", path="src/app.py", text="x = 1\n"),
        Example(kind="file", path="src/renew.py", text="x = 1\n"),
    )
    yield Draft(checks=checks, invalid=bad, valid=good, because="the statement speaks of second versions")


PLUG = Fit(name="placement", fit=fit, any_clause=True)
