"""Pictures that are not wanted: in files, in commit messages, in what the agent posts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulec.fits._emoji_said import DOCS, ONE, Place, exempt, place_of, unwanted
from rulec.fits._pair import MOST_INNOCENT, added, calls_of, example_of, offences
from rulec.fits._prose import written
from rulec.language import Clause, where
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example, Scope
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.globs import match as match_globs
from rulec.runtime.match import matches

_SIGN = re.compile("[\u2600-\u27bf]")  # most of them are text, and meant all the same where the agent wrote them
_PARTY = "\U0001f389"
_COMMIT = ["git commit", "git tag"]
_POST = [
    "gh pr create|edit|comment|review|merge", "gh issue create|edit|comment", "gh release create|edit",
    "glab mr create|update|note", "glab issue create|update|note",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Part:
    """One check of a rule about emojis, with what it catches and what it passes."""

    kind: CheckKind
    given: dict[str, Any]
    bad: Example
    good: Example


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-emoji."""
    place = place_of(clause) if unwanted(clause) else None
    if place is None:
        return
    scope = _scope(clause)
    parts = list(_parts(place, scope, exempt(clause.text)))
    if not before:
        yield replace(_draft(parts, (), (), [], "the words name it"), scope=scope)
        return
    there = offences(before)
    wrong = [action for action in there if _shows(parts, action, [])]
    more = _signs(wrong or there, after)
    wrong = wrong or [action for action in there if _shows(parts, action, more)]
    shown = tuple(example for action in wrong if (example := example_of(action)))[:1]
    if shown and not any(_shows(parts, action, more) for action in after):
        passed = tuple(example for action in after if (example := example_of(action)))[:MOST_INNOCENT]
        because = "it was written before the person spoke and not afterwards"
        yield replace(_draft(parts, shown, passed, more, because), scope=scope)


def _scope(clause: Clause) -> Scope:
    """The paths that the clause names."""
    found = where(clause) if any(term.kind == "path" for term in clause.terms) else None
    return Scope(include=found.include or ("**",), exclude=found.exclude) if found else Scope()


def _draft(
    parts: Sequence[_Part], shown: tuple[Example, ...], passed: tuple[Example, ...], more: Sequence[str], because: str
) -> Draft:
    also = {"also": list(more)} if more else {}
    checks = tuple(Check(kind=part.kind, template="forbid-emoji", parameters={**part.given, **also}) for part in parts)
    invalid = tuple(dict.fromkeys((*shown, *(part.bad for part in parts))))
    valid = tuple(dict.fromkeys((*passed, *(part.good for part in parts))))
    return Draft(checks=checks, invalid=invalid, valid=valid, because=because)


def _parts(place: Place, scope: Scope, named: dict[str, list[str]]) -> Iterator[_Part]:
    """The checks for that place."""
    sign = named.get("only", [_PARTY])[0]
    given: dict[str, Any]
    if place.files:
        given = {**({"globs": list(place.globs)} if place.globs else {}), **named}
        alone = place.globs[0] if place.docs and place.globs and place.globs != DOCS else ""
        inside = scope.include[0] if scope.include != ("**",) else alone.replace("*", ".md")
        bad, good = _in_docs(sign, inside) if place.docs or inside else _in_code(sign)
        yield _Part("semgrep", given, bad, good)
        yield _Part("guard", given, bad, good)
    if place.messages:
        bad, good = (Example(kind="message", text=f"Read the settings once{end}") for end in (f" {sign}", ""))
        yield _Part("shell", named, bad, good)
    if place.messages or place.posts:
        commands = [*(_COMMIT if place.messages else []), *(_POST if place.posts else [])]
        given = {"where": "commands", **({} if place.everything else {"commands": commands}), **named}
        start = "gh pr create --title" if place.posts else "git commit -m"
        bad, good = (Example(kind="command", text=f"{start} '{head}Read it once'") for head in (f"{sign} ", ""))
        yield _Part("guard", given, bad, good)


def _in_docs(sign: str, inside: str) -> tuple[Example, Example]:
    folder = inside.removesuffix("**")
    path = "docs/sample.md" if not inside else f"{folder}sample.md" if folder.endswith("/") else inside
    bad, good = (Example(kind="file", path=path, text=f"# {text}\n") for text in (f"{sign} Setup", "Setup"))
    return bad, good


def _in_code(sign: str) -> tuple[Example, Example]:
    texts = (f'print("{sign} done")\n', 'print("done \u2192 \u2713")\n')
    bad, good = (Example(kind="file", path="src/sample.py", text=text) for text in texts)
    return bad, good


def _shows(parts: Sequence[_Part], action: Action, more: Sequence[str]) -> bool:
    """Whether the action writes or says an emoji where one of the checks looks."""
    return any(_has(part, text, more) for part in parts for text in _looked_at(part, action))


def _looked_at(part: _Part, action: Action) -> Iterator[str]:
    if part.given.get("where") == "commands":
        commands = part.given.get("commands", [*_COMMIT, *_POST])
        called = [call for call in calls_of(action) if any(matches(one, call) for one in commands)]
        yield from (text for call in called for text in (*call.argv[1:], call.stdin))
    elif part.kind != "shell":  # the messages that it sees are those of the commands
        globs = part.given.get("globs", ["**"])
        texts = written(action) if action.kind == "command" else [(action.path, added(action))]
        yield from (text for path, text in texts if path and match_globs(globs, path))


def _has(part: _Part, text: str, more: Sequence[str]) -> bool:
    free, only = part.given.get("allowed", ()), part.given.get("only", ())
    found = [one for one in ONE.findall(text) if one not in free and (not only or one in only)]
    return bool(found) or any(sign in text for sign in more)


def _signs(wrong: Sequence[Action], after: Sequence[Action]) -> list[str]:
    """Check marks, stars and their like beside the emojis, where what was accepted has none of them."""
    there = {sign for action in wrong for _, text in written(action) for sign in _SIGN.findall(text)}
    kept = {sign for action in after for _, text in written(action) for sign in _SIGN.findall(text)}
    return sorted(sign for sign in there - kept if not ONE.fullmatch(sign))


PLUG = Fit(name="emojis", fit=fit, any_clause=True)
