"""One rule in place of two: what it says, where it holds and what it checks, never less than either did."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulec.domain.enforcement import ENFORCEMENTS, PINS, SEVERITIES
from rulec.domain.rule import LONGEST_STATEMENT, Check, Rule, Scope
from rulec.resolving.check_values import compare_checks, values_of
from rulec.resolving.rule_pairs import PairRelation
from rulec.resolving.updates import differ_in_lists_alone, join_examples, join_items, merge_lists


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
