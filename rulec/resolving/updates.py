"""What an UPDATE may make of a rule, and what one rule in place of two may be, in the order they are to be proved."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulec.domain.candidate import Candidate, Draft
from rulec.domain.enforcement import ENFORCEMENTS, PINS, SEVERITIES
from rulec.domain.rule import LONGEST_STATEMENT, Check, Example, Rule, Scope
from rulec.resolving.check_values import compare_checks, values_of
from rulec.resolving.resolver import Resolution
from rulec.resolving.rule_pairs import PairRelation


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


def merged_rules(kept: Rule, other: Rule, found: PairRelation) -> Iterator[Rule]:
    """What one rule in place of both may be, the simplest first; each still has to be proved.

    The checks are those of both, with lists that only add to each other as one list; the last candidate has the checks
    of both beside each other.
    """
    said = _words_of_both(kept, other, found)
    joined, side_by_side = _joined(kept, other), _side_by_side(kept, other)
    yield replace(said, checks=joined)
    if side_by_side != joined:
        yield replace(said, checks=side_by_side)


def _words_of_both(kept: Rule, other: Rule, found: PairRelation) -> Rule:
    both = (kept, other)
    return replace(
        kept,
        revision=kept.revision + 1,
        statement=_statement(kept, other, found),
        rationale=_sentences(rule.rationale for rule in both),
        when="; ".join(dict.fromkeys(rule.when for rule in both)) if all(rule.when for rule in both) else "",
        do=_sentences(rule.do for rule in both) if not kept.checks and not other.checks else kept.do or other.do,
        severity=max((rule.severity for rule in both), key=SEVERITIES[::-1].index),
        enforcement=max((rule.enforcement for rule in both), key=PINS.index),
        on_error=max((rule.on_error for rule in both), key=ENFORCEMENTS.index),
        on_unsure=max((rule.on_unsure for rule in both), key=ENFORCEMENTS.index),
        level=max((rule.level for rule in both), key=_LEVELS.index),
        scope=_scope_of_both(kept.scope, other.scope),
        refines=kept.refines if kept.refines == other.refines else "",
        not_checked=tuple(join_items(kept.not_checked, other.not_checked)),
        invalid=join_examples(kept.invalid, other.invalid),
        valid=join_examples(kept.valid, other.valid),
        exceptions=tuple(dict.fromkeys((*kept.exceptions, *other.exceptions))),
        formerly=tuple(dict.fromkeys((*kept.formerly, *other.formerly, other.slug))),
        supersedes=tuple(dict.fromkeys((*kept.supersedes, other.slug))),
    )


_LEVELS = ("remind", "auto", "strict", "testable")


def _statement(kept: Rule, other: Rule, found: PairRelation) -> str:
    """A model's; else that of the wider rule, the kept one's of two that are the same, or both."""
    if found.statement or found.kind == "same" or found.contained == other.slug:
        return found.statement or kept.statement
    if found.contained == kept.slug:
        return other.statement
    joined = _sentences((kept.statement, other.statement))
    return joined if len(joined) <= LONGEST_STATEMENT else kept.statement


def _sentences(texts: Iterable[str]) -> str:
    """Each text once, one after the other, as far as they are not too long."""
    said = list(dict.fromkeys(text.strip() for text in texts if text.strip()))
    joined = " ".join(text if text.endswith((".", "!", "?")) or len(said) == 1 else f"{text}." for text in said)
    return joined if len(joined) <= 2 * LONGEST_STATEMENT else said[0]


def _scope_of_both(one: Scope, other: Scope) -> Scope:
    """Wherever either holds; what both leave out is left out."""

    def either(name: str) -> tuple[str, ...]:
        mine, theirs = getattr(one, name), getattr(other, name)
        return tuple(dict.fromkeys((*mine, *theirs))) if mine and theirs else ()

    include = ("**",) if "**" in (*one.include, *other.include) else tuple(join_items(one.include, other.include))
    return Scope(
        include=include,
        exclude=tuple(glob for glob in one.exclude if glob in other.exclude),
        agents=either("agents"),
        tags=tuple(join_items(one.tags, other.tags)),
        projects=either("projects"),
        environments=either("environments"),
        who=either("who"),
    )


def _joined(kept: Rule, other: Rule) -> tuple[Check, ...]:
    """The checks of both: one where it sees all that another does, one list where only lists of the refused differ."""
    found = list(kept.checks)
    for check in other.checks:
        for at, known in enumerate(found):
            if one := _one_check(known, check):
                found[at] = one
                break
        else:
            found.append(check)
    return tuple(found)


def _one_check(one: Check, other: Check) -> Check | None:
    """The check that refuses all that both refuse, None where no single one surely does."""
    if one == other or stands_for(one, other):
        return one
    if stands_for(other, one):
        return other
    return merge_lists(one, other) if _only_refused_differs(one, other) else None


def stands_for(wide: Check, narrow: Check) -> bool:
    """Whether the first refuses all that the second refuses, as far as their values tell; it leaves no more alone."""
    return wide.kind == narrow.kind and compare_checks(wide, narrow).kind in ("same", "narrower", "looser")


def _only_refused_differs(one: Check, other: Check) -> bool:
    """Whether the lists in which two checks differ hold what they refuse, so that the joined list refuses all of it."""
    if not differ_in_lists_alone(one, other):
        return False
    mine, theirs = values_of(one), values_of(other)
    apart = [key for key in one.parameters if one.parameters[key] != other.parameters[key]]
    refused = (mine.forbidden if mine else frozenset()) | (theirs.forbidden if theirs else frozenset())
    return all(set(map(str, check.parameters[key])) <= refused for key in apart for check in (one, other))


def _side_by_side(kept: Rule, other: Rule) -> tuple[Check, ...]:
    return (*kept.checks, *(check for check in other.checks if check not in kept.checks))
