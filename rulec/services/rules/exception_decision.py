"""Whether a rule takes an exception, and the rule as it is then: what is proposed and what is accepted alike."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulec.checks.judge.checker import pair_judges
from rulec.checks.judge.diff_pieces import pieces_of
from rulec.checks.proving.example_changes import change_of, change_of_exception, describe_example
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import is_judge_check
from rulec.domain.change import Change
from rulec.domain.finding import Finding
from rulec.domain.rule import Example, Exemption, Rule
from rulec.drafting.exception_drafts import offences_within
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.findings.verdicts import commit_checks
from rulec.reports.rule_lines import describe_exemption
from rulec.rulebook.rulebook import Rulebook

MOST_EXAMPLES = 2  # examples that an exception is given where nobody says which
MOST_ACTIONS = 5  # actions of counterexamples that it is given
LARGEST_EXAMPLE = 2_000  # characters of an action that is kept in a rule


def rule_with_exception(
    top: Path, book: Rulebook, rule: Rule, wanted: Exemption, must_pass: Sequence[Example] = ()
) -> Rule:
    """The rule with the exception and examples for it; RulecError where it would change nothing, or too much.

    ``must_pass`` are the actions of counterexamples, from which the exception follows: with them each has to pass
    then, and no invalid example of the rule may. Without them a person named the exception, so that invalid examples
    within it become its own, as long as the rule still forbids something.
    """
    if any(one.bounds == wanted.bounds for one in rule.exceptions):
        what = f"{rule.slug} leaves {describe_exemption(wanted)} alone already"
        raise RulecError(what, where=rule.source, hint="there is nothing to do")
    new = replace(rule, exceptions=(*rule.exceptions, wanted), revision=rule.revision + 1)
    if not rule.checks:
        return new
    artifacts = compile_rule(book, rule, top)
    if wanted.scope.agents and (commit_checks(artifacts) or any(map(is_judge_check, artifacts))):
        hint = f"except a --path or a --command, or note the case: rulec note {rule.slug}"
        raise RulecError(f"{rule.slug} also acts at commits, where the agent is unknown", where=rule.source, hint=hint)
    inside = _passing(top, book, rule, new, must_pass) if must_pass else _turning(top, book, rule, new)[:MOST_EXAMPLES]
    seen = is_caught(top, book, new, [change_of(one) for one in rule.invalid])
    kept = tuple(one for one, found in zip(rule.invalid, seen, strict=True) if found)
    lost = [one for one, found in zip(rule.invalid, seen, strict=True) if not found]
    if not kept:
        hint = f"rulec edit {rule.slug} gives it another example, rulec retire {rule.slug} takes it out of force"
        raise RulecError(f"{rule.slug} would forbid nothing any more", where=rule.source, hint=hint)
    if lost and must_pass:
        what = f"{rule.slug} would no longer catch {describe_example(lost[0])}"
        raise RulecError(what, where=rule.source, hint=f"name the exception yourself: rulec except {rule.slug}")
    valid = tuple(dict.fromkeys([*inside, *lost]))
    return replace(new, invalid=kept, exceptions=(*rule.exceptions, replace(wanted, valid=valid)))


def _turning(top: Path, book: Rulebook, rule: Rule, new: Rule) -> list[Example]:
    """Offences within the exception that the rule catches now, and no longer with it."""
    wanted = new.exceptions[-1]
    made = list(dict.fromkeys(offences_within(rule, wanted)))
    changes = [change_of_exception(wanted, one) for one in made]
    before = is_caught(top, book, rule, changes)
    after = is_caught(top, book, new, changes) if any(before) else before
    found = [one for one, was, now in zip(made, before, after, strict=True) if was and not now]
    if not found:
        hint = f"see rulec why {rule.slug} for what it looks at; --path takes a glob, --command one plain command"
        what = f"{rule.slug} does not catch {describe_exemption(wanted)} as it is"
        raise RulecError(what, where=rule.source, hint=hint)
    return found


def _passing(top: Path, book: Rulebook, rule: Rule, new: Rule, must_pass: Sequence[Example]) -> list[Example]:
    """The actions that the exception is given as examples, once all are seen to pass with it and not without it."""
    wanted = new.exceptions[-1]
    changes = [change_of_exception(wanted, one) for one in must_pass]
    for one, before, after in zip(
        must_pass, is_caught(top, book, rule, changes), is_caught(top, book, new, changes), strict=True
    ):
        if after or not before:
            what = f"would still catch {describe_example(one)}" if after else f"does not catch {describe_example(one)}"
            raise RulecError(f"{rule.slug} {what}", where=rule.source, hint="except something else")
    short = [one for one in must_pass if len(one.text) + sum(len(text) for _, text in one.files) <= LARGEST_EXAMPLE]
    return list(dict.fromkeys(short or must_pass))[:MOST_ACTIONS]


def is_caught(top: Path, book: Rulebook, rule: Rule, changes: Sequence[Change]) -> list[bool]:
    """Which of the changes the rule's checks catch, or its judges are asked about."""
    if not changes:
        return []
    artifacts = compile_rule(book, rule, top)
    seen = run_checks_each(artifacts, changes)
    judges = [artifact for artifact in artifacts if is_judge_check(artifact)]
    asked = [bool(judges and pair_judges(judges, pieces_of(change), change.environment)) for change in changes]
    return [due or any(isinstance(item, Finding) for item in found) for due, found in zip(asked, seen, strict=True)]
