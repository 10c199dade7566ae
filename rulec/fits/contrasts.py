"""Code that the words name, the offence has and the correction of the same file has no more."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._code_files import excluded_tests
from rulec.fits._contrast_imports import imported
from rulec.fits._contrast_names import names, patterns
from rulec.fits._pair import added, draft_from_pair, offences
from rulec.fits._text_said import PROSE
from rulec.fits._words import conditional, globs_of, language_of
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.globs import match

_MOST = 2  # drafts of one action
_KINDS: tuple[CheckKind, ...] = ("semgrep", "guard")


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-text for a name in the code, and of forbid-import for a module."""
    if not (before and after) or clause.polarity == "require" or conditional(clause) or _is_task(clause):
        return
    yield from imported(clause, before, after)
    named = names(clause)
    for action in offences(before) if named else ():
        if action.kind in ("write", "edit") and "." in action.path and not match(PROSE, action.path):
            found = [pattern for name in named if (pattern := _gone(name, action, after))]
            listed = named if clause.polarity == "forbid" else [name for name in named if not name[-1:].isalpha()]
            more = [next(patterns(name), "") for name in listed] if found else []
            for pattern in found[:_MOST]:
                yield from _draft([pattern, *(one for one in more if one)], action, before, after)


def _is_task(clause: Clause) -> bool:
    """Whether the words only say what to do with this one thing now: "rename getUser to fetchUser"."""
    return clause.polarity == "none" and bool(_TASK.match(clause.text)) and not _EVERY.search(clause.text)


_TASK = re.compile(
    r"\W*(?:(?:please|pls|now|then|also|and|ok|can you|could you|let'?s|just) )*(?:re)?(?:name|place|mov|remov|delet|"
    r"drop|chang|fix|add|updat|mak|extract|turn|convert|set|bump|revert|undo|implement|creat|call|inlin|split|merg|factor|"
    r"writ|put|show|explain|check|look)\w*\b",
    re.IGNORECASE,
)
_EVERY = re.compile(r"\b(?:every\w*|all|any\w*|again|keep|always|never|each|whole)\b", re.IGNORECASE)


def _gone(name: str, action: Action, after: Sequence[Action]) -> str:
    """The pattern by which the added code shows the name and the same file no more; "" where none does."""
    later = [one for one in after if one.path == action.path and one.kind in ("write", "edit")]
    for pattern in patterns(name) if later else ():
        if re.search(pattern, added(action)) and not any(re.search(pattern, one.new) for one in later):
            return pattern
    return ""


def _draft(found: list[str], action: Action, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    language = language_of(action.path)
    globs = globs_of(language) if language else [f"*.{action.path.rpartition('.')[2]}"]
    free = excluded_tests(action.path)
    every = list(dict.fromkeys(found))
    given = {"patterns": every, "globs": globs, **({"except": list(free)} if free else {})}
    checks = tuple(Check(kind=kind, template="forbid-text", parameters=given) for kind in _KINDS)

    def caught(one: Action) -> bool:
        within = match(globs, one.path) and not match(free, one.path)
        return within and any(re.search(pattern, added(one)) for pattern in every)

    because = "the words name it, and it was gone from the same file afterwards"
    yield from draft_from_pair(checks, caught, before, after, kinds=("write", "edit"), because=because)


PLUG = Fit(name="contrasts", fit=fit, any_clause=True)
