"""Proofs in CI: rulec makes each anew from the change and the base, and believes no trailer, note, record or file.

A testable rule needs a test of the change that is red at the base and green now. A rule that is ``proved_by`` a suite
needs the whole suite green. Of a strict rule the gate's own checks say whether it was kept; what has no check is shown
as not recomputed.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulec.domain.artifact import COMPILED_FOLDER, Artifact, RuleFacts, slug_of_artifact
from rulec.domain.change import Change, FileChange
from rulec.domain.files import globs
from rulec.domain.finding import Finding, Verdict
from rulec.domain.outcome import Progress, no_progress
from rulec.domain.proof_row import NOT_PROVED, NOT_RECOMPUTED, ProofRow, RunTests
from rulec.gates.findings import suppressions
from rulec.gates.findings.check_runs import WHOLE, Shard
from rulec.gates.findings.verdicts import facts_now, without_rulebook
from rulec.gates.steps.change_steps import steps_of_change
from rulec.gates.steps.ci_rows import rows_of_change
from rulec.gates.steps.ci_rules import CiRule, holds, rules_of_change
from rulec.gates.steps.ci_runs import CiRuns, Tested, needs_test, not_run
from rulec.gates.trusted_checks import TrustedChecks
from rulec.infra.git.git_refs import Range
from rulec.shell.command_matching import matches
from rulec.shell.parsing.parser import parse_shell
from rulec.steps.step import TESTABLE

_ACTS = tuple(call for act in ("git commit -m x", "git push") for call in parse_shell(act).calls)  # that CI sees done
_GUARDS = f"{COMPILED_FOLDER}/guard/"
_AGENTS = "it holds for some agents alone"
_CURE_TEST = "bring a test that fails without the change and passes with it, and executes its lines"
_CURE_SUITE = "make the suite green: rulec run {}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CiProofs:
    """What was proved of a change, and what refuses it."""

    rules: Sequence[CiRule] = ()
    tested: dict[str, Tested] = field(default_factory=dict)
    verdicts: Sequence[Verdict] = ()
    top: Path
    start: str  # the commit where the change left its base
    change: Change
    only_tests: bool = False

    def rows(self, verdicts: Sequence[Verdict], judged: frozenset[str]) -> list[ProofRow]:
        """The table of rules by step, from all verdicts of the gate and the rules that it judged."""
        rules = [rule for rule in self.rules if not self.only_tests or rule.facts.slug in self.tested]
        if not rules:
            return []
        steps = steps_of_change(self.top, self.start, self.change)
        return rows_of_change(rules, steps, self.tested, verdicts, judged)


def prove_since(
    top: Path, span: Range, trusted: TrustedChecks, change: Change, *, runs: RunTests = "here",
    part: Shard = WHOLE, let_in: Sequence[Verdict] = (), progress: Progress = no_progress,
) -> CiProofs:  # fmt: skip
    """What tests prove of the commits since a base, by the base's rules and suites.

    Only the first of several parts runs tests. ``let_in`` are the verdicts on what the change weakens.
    """
    change, base, start = without_rulebook(change), span.base, span.start
    artifacts = trusted.artifacts()
    rules = [*_of_part(rules_of_change(top, base, trusted.texts, artifacts, change), part)]
    suites = list(_proved_by(artifacts, change)) if part.number == 1 else []
    asked = [rule for rule in rules if rule.level == TESTABLE]
    if not asked and not suites:
        return CiProofs(top=top, start=start, change=change, rules=rules, only_tests=runs == "alone")
    made = CiRuns(top=top, base=start, settings=base, change=change, progress=progress)
    tested: dict[str, Tested] = {}
    found: list[Verdict] = []
    every = list({file.path: file for rule in asked for file in _code(rule, made)}.values())
    for rule in asked:
        tested[rule.facts.slug] = one = _tested(rule, every, made, runs)
        if one.how == NOT_PROVED:
            found.append(_verdict(rule.facts, next(iter(one.missed), rule.files[0].path), one, _CURE_TEST))
    for facts, name, path in suites:
        one = not_run() if runs == "elsewhere" else made.whole(name)
        if facts.slug not in tested:
            tested[facts.slug] = one
        if one.how == NOT_PROVED:
            found.append(_verdict(facts, path, one, _CURE_SUITE.format(name)))
    marked = suppressions.mark_suppressed(found, change, trusted.texts, None, let_in) if found else []
    return CiProofs(
        top=top, start=start, change=change, rules=rules, tested=tested, verdicts=marked, only_tests=runs == "alone"
    )


def _of_part(rules: Sequence[CiRule], part: Shard) -> Iterator[CiRule]:
    """The rules with what one of several parts judges of them; what tests prove is the first one's."""
    for rule in rules:
        if rule.level != TESTABLE:
            files = tuple(file for file in rule.files if part.holds(file))
            yield from [replace(rule, files=files)] * bool(files)
        elif part.number == 1:
            yield rule


def _code(rule: CiRule, made: CiRuns) -> list[FileChange]:
    """The files of which tests have to show that the rule was kept."""
    return [] if rule.for_some else [file for file in rule.files if needs_test(made.suites, file)]


def _tested(rule: CiRule, every: Sequence[FileChange], made: CiRuns, runs: RunTests) -> Tested:
    if rule.for_some:
        return Tested(NOT_RECOMPUTED, _AGENTS)
    if runs == "elsewhere":
        return not_run()
    files = _code(rule, made)
    return made.prove(files, every) if files else Tested(NOT_RECOMPUTED, "no test is asked of these files")


def _verdict(facts: RuleFacts, path: str, one: Tested, cure: str) -> Verdict:
    finding = Finding(slug=facts.slug, path=path, text=f"not proved: {one.by}", cure=cure)
    return Verdict(outcome=facts.enforcement, facts=facts, finding=finding)


def _proved_by(artifacts: Sequence[Artifact], change: Change) -> Iterator[tuple[RuleFacts, str, str]]:
    """The rules for which a suite has to be green, with the suite and the first changed file that they are about."""
    own = [one for one in artifacts if one.path.startswith(_GUARDS) and '"proved_by"' in (one.text or "")]
    known = facts_now(own)
    for artifact in own:
        facts, check = known[slug_of_artifact(artifact.path)], json.loads(artifact.text or "{}").get("check", {})
        suite, path = check.get("proved_by"), _first_path(facts, check, change)
        if isinstance(suite, str) and suite and path and not (facts.scope.agents or facts.scope.who):
            yield facts, suite, path


def _first_path(facts: RuleFacts, check: dict[str, Any], change: Change) -> str:
    """The first changed file that such a rule is about, "" for none.

    It is about files where it stands before their edits, or before a commit, a push or the end of the work on them.
    """
    done = check.get("before_stop") or any(
        matches(pattern, call) for pattern in check.get("before_commands") or () for call in _ACTS
    )
    wanted = [*(check.get("before_edits") or ()), *((check.get("since") or ["**"]) if done else ())]
    spared = [*(check.get("since_except") or ()), *(check.get("except") or ())]
    paths = (path for file in change.files for path in (file.path, file.old_path) if path)
    about = (path for path in paths if globs.match(wanted, path) and not globs.match(spared, path))
    return next((path for path in about if holds(facts, path)), "")


def of_tests_alone(trusted: TrustedChecks) -> TrustedChecks:
    """The trusted files without checks, for a job that runs the tests and leaves all else to another."""
    return replace(trusted, texts={path: text for path, text in trusted.texts.items() if not _is_check(path)})


def _is_check(path: str) -> bool:
    return path.startswith(f"{COMPILED_FOLDER}/") and "/words/" not in path
