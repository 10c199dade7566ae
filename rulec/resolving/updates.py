"""What an UPDATE may make of a rule, in the order in which it is to be proved."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulec.domain.candidate import Candidate, Draft
from rulec.domain.rule import LONGEST_STATEMENT, Check, Example, Rule, Scope
from rulec.resolving.resolver import Resolution


def possible_updates(rule: Rule, candidate: Candidate, resolution: Resolution, draft: Draft | None) -> Iterator[Rule]:
    """Revisions with the words and the examples of both; each still has to decide all of them to count."""
    said = _reword(rule, candidate)
    if draft is None or not draft.checks:
        yield said
        return
    if resolution.manner != "looser":
        for extended in _extend_checks(said, draft):
            yield extended
            yield _drop_outdated_valid(extended, resolution.added)
    yield _with_draft_alone(said, draft)


def _with_draft_alone(said: Rule, draft: Draft) -> Rule:
    """The checks of the draft for both."""
    return _examples(replace(said, checks=draft.checks, scope=draft.scope, do=draft.do or said.do), draft)


def _reword(rule: Rule, candidate: Candidate) -> Rule:
    new = candidate.rule
    said = replace(
        rule,
        revision=rule.revision + 1,
        statement=_keep_capital(join_statements(rule.statement, new.statement), rule.statement),
        rationale=rule.rationale if rule.checks or not candidate.drafts else new.rationale,
        do=rule.do or new.do,
    )
    other = (said.statement, said.do) != (rule.statement, rule.do)
    return _note_author(said, _worded_by(candidate)) if other and (candidate.offered or candidate.by_agent) else said


def join_statements(one: str, other: str) -> str:
    """One sentence where it says all of the other, else both; the first alone where that is too long."""
    if _says_all_of(one, other):
        return one
    if _says_all_of(other, one):
        return other
    joined = f"{one.rstrip()} {other.lstrip()}"
    return joined if len(joined) <= LONGEST_STATEMENT else one


def _says_all_of(sentence: str, other: str) -> bool:
    """Whether every word of the other stands in the sentence, in the same order."""
    left = iter(_WORD.findall(sentence.casefold()))
    return all(word in left for word in _WORD.findall(other.casefold()))


_WORD = re.compile(r"[^\W_]+(?:[.'/-][^\W_]+)*")


def _worded_by(candidate: Candidate) -> str:
    """The note in a rationale on who worded the statement, with its quote; what follows is about the checks."""
    told = candidate.rule.rationale
    quoted, mark, _ = told.rpartition('"')
    return f"{quoted}{mark}" or told.partition(". ")[0]


def _note_author(rule: Rule, whose: str) -> Rule:
    known = rule.rationale
    return rule if whose in known else replace(rule, rationale=". ".join(filter(None, (known.rstrip("."), whose))))


def _keep_capital(statement: str, old: str) -> str:
    """With the capital that the old sentence begins with, where both begin with one word."""
    same = statement.split(" ", 1)[0].casefold() == old.split(" ", 1)[0].casefold()
    return old[:1] + statement[1:] if same else statement


def _extend_checks(rule: Rule, draft: Draft) -> Iterator[Rule]:
    """The rule's checks with what the draft adds, where both hold in the same places."""
    scope = _common_scope(rule, draft)
    if scope is None or not draft.checks:
        return
    checks, left = [], list(draft.checks)
    for check in rule.checks:
        twin = next((one for one in left if differ_in_lists_alone(check, one)), None)
        if twin is not None:
            left.remove(twin)
        checks.append(merge_lists(check, twin) if twin else check)
    yield _examples(replace(rule, checks=(*checks, *left), scope=scope, do=rule.do or draft.do), draft)


def _common_scope(rule: Rule, draft: Draft) -> Scope | None:
    """The scope of both: the same, or the places of both where the checks are."""
    if not rule.checks or draft.scope == rule.scope:
        return draft.scope if not rule.checks and rule.scope == Scope() else rule.scope
    if draft.checks != rule.checks:
        return None
    everywhere = "**" in (*rule.scope.include, *draft.scope.include)
    include = ("**",) if everywhere else tuple(join_items(rule.scope.include, draft.scope.include))
    exclude = tuple(glob for glob in rule.scope.exclude if glob in draft.scope.exclude)
    return replace(rule.scope, include=include, exclude=exclude)


def differ_in_lists_alone(one: Check, other: Check) -> bool:
    """Whether they differ in nothing but the items of lists."""
    if (one.kind, one.template) != (other.kind, other.template) or set(one.parameters) != set(other.parameters):
        return False
    pairs = [(one.parameters[key], other.parameters[key]) for key in one.parameters]
    return all(mine == theirs or (_is_list(mine) and _is_list(theirs)) for mine, theirs in pairs)


def merge_lists(check: Check, other: Check) -> Check:
    parameters: Mapping[str, Any] = {
        key: join_items(mine, other.parameters[key]) if _is_list(mine) else mine
        for key, mine in check.parameters.items()
    }
    return replace(check, parameters=parameters)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def join_items(mine: Iterable[Any], theirs: Iterable[Any]) -> list[Any]:
    found = list(mine)
    return found + [item for item in theirs if item not in found]


def _examples(rule: Rule, draft: Draft) -> Rule:
    return replace(
        rule, invalid=join_examples(rule.invalid, draft.invalid), valid=join_examples(rule.valid, draft.valid)
    )


def join_examples(mine: tuple[Example, ...], theirs: tuple[Example, ...]) -> tuple[Example, ...]:
    return tuple(dict.fromkeys((*mine, *theirs)))


def _drop_outdated_valid(rule: Rule, added: Sequence[str]) -> Rule:
    """Where what passed before is what the person names now as wrong: that example has had its time."""
    kept = tuple(one for one in rule.valid if not any(word and word in (one.text, *one.text.split()) for word in added))
    return replace(rule, valid=tuple(one for one in kept if one not in rule.invalid))
