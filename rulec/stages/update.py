"""Rule + candidate -> what an UPDATE may make of the rule, in the order in which it is to be proved (TRACE 4.2)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulec.language.excepting import bare, excepted, places
from rulec.language.joining import joined, says_all_of
from rulec.model.candidate import Candidate, Draft
from rulec.model.resolution import Resolution
from rulec.model.rule import Check, Example, Exemption, Rule, Scope
from rulec.runtime import globs


def update(rule: Rule, candidate: Candidate, resolution: Resolution, draft: Draft | None) -> Iterator[Rule]:
    """Revisions with the words and the examples of both; each still has to decide all of them to count."""
    said = _reworded(rule, candidate, resolution)
    match resolution.manner:
        case "exception":
            yield from _excepting(said, rule, candidate, resolution, draft)
        case "narrower":
            yield from _extended(said, draft) if draft else ()
            yield replace(said, invalid=_both(rule.invalid, draft.invalid if draft else ()))
        case _ if draft is None or not draft.checks:
            if named := _naming(said, rule, resolution.added):
                yield named
            yield said
        case manner:
            for extended in _extended(said, draft):
                if extended.checks == rule.checks and (named := _naming(extended, rule, resolution.added)):
                    yield named
                yield extended
                if manner == "wider":
                    yield _without(extended, resolution.added)
            yield _alone(said, draft)


def _naming(said: Rule, rule: Rule, added: Sequence[str]) -> Rule | None:
    """Where a list of a check holds a thing that the old sentence names, with what the new one names beside it."""
    new = [word for word in added if word in said.statement]
    checks, invalid = list(said.checks), list(said.invalid)
    for at, check in enumerate(said.checks):
        for key, items in check.parameters.items():
            known = [item for item in items if str(item) in rule.statement] if _is_list(items) else []
            if known and new:
                checks[at] = replace(check, parameters={**check.parameters, key: _list(items, new)})
                invalid += [
                    replace(one, text=one.text.replace(known[0], word))
                    for word in new
                    for one in rule.invalid[:1]
                    if known[0] in one.text
                ]
    named = replace(said, checks=tuple(checks), invalid=tuple(dict.fromkeys(invalid)))
    return named if named.checks != said.checks and named.invalid != said.invalid else None


def _excepting(
    said: Rule, rule: Rule, candidate: Candidate, resolution: Resolution, draft: Draft | None
) -> Iterator[Rule]:
    """With the exception as the checks can heed it, else as the draft leaves it out, else in words alone."""
    if exempt := exemption(rule, candidate, resolution.where):
        yield replace(said, exceptions=(*rule.exceptions, exempt))
    elif draft and draft.checks and draft.scope.exclude:
        yield _alone(said, draft)
    else:
        yield said


def _alone(said: Rule, draft: Draft) -> Rule:
    """The checks of the draft for both."""
    return _examples(replace(said, checks=draft.checks, scope=draft.scope, do=draft.do or said.do), draft)


def _reworded(rule: Rule, candidate: Candidate, resolution: Resolution) -> Rule:
    new = candidate.rule
    if resolution.manner == "narrower":
        return replace(rule, revision=rule.revision + 1)
    extended = says_all_of(new.statement, rule.statement)
    if extended or resolution.manner == "wider":
        statement = new.statement if extended else joined(rule.statement, new.statement)
    elif resolution.manner == "exception" and resolution.where:
        statement = excepted(rule.statement, resolution.where)
    else:
        statement = joined(rule.statement, new.statement)
    when = new.when if resolution.manner == "when" else ""
    said = replace(
        rule,
        revision=rule.revision + 1,
        statement=_begun(statement, rule.statement),
        rationale=rule.rationale if rule.checks or not candidate.drafts else new.rationale,
        when="; ".join(dict.fromkeys(filter(None, (rule.when, when)))),
        do=rule.do or new.do,
    )
    other = (said.statement, said.when, said.do) != (rule.statement, rule.when, rule.do)
    return _told(said, _whose(candidate)) if other and (candidate.offered or candidate.by_agent) else said


def _whose(candidate: Candidate) -> str:
    """Who worded it, of what is no person's, with what they quote; what is told after that is of its checks."""
    told = candidate.rule.rationale
    quoted, mark, _ = told.rpartition('"')
    return f"{quoted}{mark}" or told.partition(". ")[0]


def _told(rule: Rule, whose: str) -> Rule:
    known = rule.rationale
    return rule if whose in known else replace(rule, rationale=". ".join(filter(None, (known.rstrip("."), whose))))


def _begun(statement: str, old: str) -> str:
    """With the capital that the old sentence begins with, where both begin with one word."""
    same = statement.split(" ", 1)[0].casefold() == old.split(" ", 1)[0].casefold()
    return old[:1] + statement[1:] if same else statement


def _extended(rule: Rule, draft: Draft) -> Iterator[Rule]:
    """The rule's own checks with what the draft adds to them, where both hold in the same places."""
    scope = _where(rule, draft)
    if scope is None or not draft.checks:
        return
    checks, left = [], list(draft.checks)
    for check in rule.checks:
        twin = next((one for one in left if _alike(check, one)), None)
        if twin is not None:
            left.remove(twin)
        checks.append(_wider(check, twin) if twin else check)
    yield _examples(replace(rule, checks=(*checks, *left), scope=scope, do=rule.do or draft.do), draft)


def _where(rule: Rule, draft: Draft) -> Scope | None:
    """The scope of both: the same, or the places of both where the checks are."""
    if not rule.checks or draft.scope == rule.scope:
        return draft.scope if not rule.checks and rule.scope == Scope() else rule.scope
    if draft.checks != rule.checks:
        return None
    if rule.scope.include == Scope().include:
        return rule.scope  # everywhere holds there, too
    return replace(rule.scope, include=tuple(_list(rule.scope.include, draft.scope.include)))


def _alike(one: Check, other: Check) -> bool:
    """Whether they differ in nothing but the items of lists."""
    if (one.kind, one.template) != (other.kind, other.template) or set(one.parameters) != set(other.parameters):
        return False
    pairs = [(one.parameters[key], other.parameters[key]) for key in one.parameters]
    return all(mine == theirs or (_is_list(mine) and _is_list(theirs)) for mine, theirs in pairs)


def _wider(check: Check, other: Check) -> Check:
    parameters: Mapping[str, Any] = {
        key: _list(mine, other.parameters[key]) if _is_list(mine) else mine for key, mine in check.parameters.items()
    }
    return replace(check, parameters=parameters)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _list(mine: Iterable[Any], theirs: Iterable[Any]) -> list[Any]:
    found = list(mine)
    return found + [item for item in theirs if item not in found]


def _examples(rule: Rule, draft: Draft) -> Rule:
    return replace(rule, invalid=_both(rule.invalid, draft.invalid), valid=_both(rule.valid, draft.valid))


def _both(mine: tuple[Example, ...], theirs: tuple[Example, ...]) -> tuple[Example, ...]:
    return tuple(dict.fromkeys((*mine, *theirs)))


def _without(rule: Rule, added: Sequence[str]) -> Rule:
    """Where what passed before is what the person names now as wrong: that example has had its time."""
    kept = tuple(one for one in rule.valid if not any(word and word in (one.text, *one.text.split()) for word in added))
    return replace(rule, valid=tuple(one for one in kept if one not in rule.invalid))


def exemption(rule: Rule, candidate: Candidate, words: str) -> Exemption | None:
    """The exception as the rule's checks can heed it, with what passes from now on; None where no path shows it."""
    where = places(words)
    spared = list(_spared(rule, where))
    if not where or (rule.checks and not spared):
        return None
    said = candidate.correction.quote if candidate.correction else candidate.rule.statement
    because = f"{said} ({_whose(candidate)})" if candidate.by_agent else said
    return Exemption(because=because, when=bare(words), scope=Scope(include=where), valid=tuple(spared[:_SPARED]))


def _spared(rule: Rule, where: Sequence[str]) -> Iterator[Example]:
    """The rule's own invalid examples, moved to where they are none."""
    for glob in where:
        for one in rule.invalid:
            moved = _moved(one, glob)
            if moved is not None and moved not in rule.invalid:
                yield moved


def _moved(example: Example, glob: str) -> Example | None:
    if example.kind == "command":
        plain = _FOLDER.fullmatch(glob)
        return replace(example, text=f"cd {plain[1]} && {example.text}") if plain else None
    if example.kind in ("file", "edit"):
        path = _below(glob, example.path)
        return replace(example, path=path) if path else None
    if example.kind == "commit":
        files = tuple((_below(glob, path), text) for path, text in example.files)
        return replace(example, files=files) if files and all(path for path, _ in files) else None
    return None


def _below(glob: str, path: str) -> str:
    """A path that the glob names, as like the given one as may be; "" where there is none that is plain."""
    name = path.rpartition("/")[2]
    start, glob = glob.removesuffix("**"), globs.spread(glob)[0]
    found = f"{start}{name}" if start.endswith("/") else glob.replace("**/", "").replace("*", name.partition(".")[0])
    return found if globs.match((glob,), found) else ""


_FOLDER = re.compile(r"([\w.-]+(?:/[\w.-]+)*)/(?:\*\*)?")
_SPARED = 2
