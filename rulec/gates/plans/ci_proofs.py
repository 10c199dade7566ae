"""Proofs in CI: rulec makes each anew from the change and the base, and believes no record, note or trailer.

A testable rule needs a suite that is red without the change of the rule's files and green with it. A rule that is
``proved_by`` a suite needs that suite green. Of a strict rule the gate's own checks say whether it was kept; what has
no check is shown as not recomputed. Which suites there are, and how they run, is said by the base.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rulec.checks.skipped_files import is_excepted
from rulec.compiling.agent_briefing import WORDS_FOLDER
from rulec.compiling.compile_planning import rule_facts
from rulec.domain.artifact import (
    COMPILED_FOLDER,
    Artifact,
    RuleFacts,
    acts_at_commit,
    asks_for_run,
    is_judge_check,
    slug_of_artifact,
)
from rulec.domain.change import Change
from rulec.domain.enforcement import level_at_steps
from rulec.domain.files import globs
from rulec.domain.finding import (
    CHECKED,
    JUDGED,
    NOT_PROVED,
    NOT_RECOMPUTED,
    TESTED,
    Finding,
    ProofRow,
    RunTests,
    Verdict,
    in_order,
)
from rulec.domain.outcome import Progress, no_progress
from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError
from rulec.gates.findings import excepted
from rulec.gates.findings.verdicts import facts_by_slug, without_rulebook
from rulec.gates.trusted_checks import TrustedChecks
from rulec.gates.weakening.gate_states import GateState
from rulec.infra.git import git_contents, git_session
from rulec.infra.git.git_refs import Range
from rulec.infra.test_runs.red_without import ChangeRuns
from rulec.infra.test_runs.suite_runs import run_suite, suites_at
from rulec.plans.plan import REMIND, TESTABLE
from rulec.plans.proofs.changed_files import ChangedFile
from rulec.rulebook import file_paths
from rulec.rulebook.test_suites import Suite
from rulec.shell.command_matching import matches
from rulec.shell.parsing.parser import parse_shell

HERE = "ci"
_ACTS = tuple(call for act in ("git commit -m x", "git push") for call in parse_shell(act).calls)  # that CI sees done
_CURE_TEST = "bring a test that fails without the change and passes with it"
_CURE_SUITE = "make the suite green: rulec run {}"
_REVIEW = "a reviewer decides"


@dataclass(frozen=True, slots=True)
class Tested:
    """What runs showed of one rule: how it is proved, and by what or why not."""

    how: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CiRule:
    """A strict or testable rule of the base, and the changed paths that it is about."""

    facts: RuleFacts
    level: str
    paths: tuple[str, ...]
    has_check: bool = False  # one that acts at commits
    judged: bool = False  # a model is all that checks it there


@dataclass(frozen=True, slots=True, kw_only=True)
class CiProofs:
    """What was proved of a change, and what refuses it."""

    rules: Sequence[CiRule] = ()
    tested: Mapping[str, Tested] = field(default_factory=dict)
    verdicts: Sequence[Verdict] = ()
    only_tests: bool = False

    def rows(self, verdicts: Sequence[Verdict], judged: frozenset[str]) -> list[ProofRow]:
        """The table of rules, from all verdicts of the gate and the rules that a machine or a model judged."""
        found: dict[str, list[Verdict]] = {}
        for one in verdicts:
            if one.outcome != "old":
                found.setdefault(one.facts.slug, []).append(one)
        rows = [(rule, self._row(rule, found.get(rule.facts.slug, []), judged)) for rule in self.rules]
        shown = [(rule, row) for rule, row in rows if not self.only_tests or rule.facts.slug in self.tested]
        return in_order(
            [ProofRow(rule=rule.facts.slug, level=rule.level, how=row.how, by=row.by) for rule, row in shown]
        )

    def _row(self, rule: CiRule, against: Sequence[Verdict], judged: frozenset[str]) -> Tested:
        because = next((one.because for one in against if one.because), "")
        tested = self.tested.get(rule.facts.slug)
        if tested is not None and (rule.level == TESTABLE or not against):
            return replace(tested, by=because or tested.by)
        if against:
            broke = any(one.fault for one in against)
            told = "its check broke" if broke else f"{len(against)} finding{'s' * (len(against) != 1)}"
            return Tested(NOT_PROVED, f"excepted: {because}" if because else told)
        if rule.has_check and rule.facts.slug in judged:
            return Tested(JUDGED if rule.judged else CHECKED, "")
        return Tested(NOT_RECOMPUTED, "no model was asked" if rule.judged else _REVIEW)


def prove_since(
    top: Path, span: Range, trusted: TrustedChecks, change: Change, *, runs: RunTests = "here",
    weakened: Sequence[Verdict] = (), progress: Progress = no_progress,
) -> CiProofs:  # fmt: skip
    """What tests prove of the commits since a base, by the base's rules and suites.

    ``weakened`` are the verdicts on what the change weakens.
    """
    change = without_rulebook(change)
    artifacts = trusted.artifacts()
    rules = _rules_of_change(top, span.base, trusted.texts, artifacts, change)
    suites = list(_proved_by(artifacts, change))
    made = _SuiteRuns(top, span, change, progress)
    tested: dict[str, Tested] = {}
    found: list[Verdict] = []
    for rule in rules:
        if rule.level == TESTABLE:
            one = tested[rule.facts.slug] = _not_run() if runs == "elsewhere" else _tested(rule, made)
            if one.how == NOT_PROVED:
                found.append(_verdict(rule.facts, rule.paths[0], one, _CURE_TEST))
    for facts, name, path in suites:
        one = _not_run() if runs == "elsewhere" else made.whole(name)
        tested.setdefault(facts.slug, one)
        if one.how == NOT_PROVED:
            found.append(_verdict(facts, path, one, _CURE_SUITE.format(name)))
    marked = excepted.mark_excepted(found, change, trusted.texts, None, weakened) if found else []
    return CiProofs(rules=rules, tested=tested, verdicts=marked, only_tests=runs == "alone")


def of_tests_alone(trusted: TrustedChecks) -> TrustedChecks:
    """The trusted files without checks, for a job that runs the tests and leaves all else to another."""
    return replace(trusted, texts={path: text for path, text in trusted.texts.items() if not _is_check(path)})


def _is_check(path: str) -> bool:
    return path.startswith(f"{COMPILED_FOLDER}/") and not path.startswith(f"{WORDS_FOLDER}/")


def _not_run() -> Tested:
    return Tested(NOT_RECOMPUTED, "another job runs the tests")


def _tested(rule: CiRule, made: "_SuiteRuns") -> Tested:
    if rule.facts.scope.agents or rule.facts.scope.who:
        return Tested(NOT_RECOMPUTED, "it holds for some agents alone")
    files = frozenset(path for path in rule.paths if ChangedFile(path, None, None).needs_test)
    return made.tested(files) if files else Tested(NOT_RECOMPUTED, "no test is asked of these files")


def _verdict(facts: RuleFacts, path: str, one: Tested, cure: str) -> Verdict:
    finding = Finding(slug=facts.slug, path=path, text=f"not proved: {one.by}", cure=cure)
    return Verdict(outcome=facts.enforcement, facts=facts, finding=finding)


def _paths(change: Change) -> list[str]:
    return [path for file in change.files for path in (file.path, file.old_path) if path]


def _rules_of_change(
    top: Path, base: str, texts: Mapping[str, str], artifacts: Sequence[Artifact], change: Change
) -> list[CiRule]:
    """The strict and testable rules of a base that a change touches; ``texts`` are the base's compiled files."""
    levels = dict(_levels(texts))
    if not levels:
        return []
    book = GateState(top=top, files=git_contents.files_at_commit(top, base, file_paths.RULES)).book(frozenset(levels))
    found = []
    for rule in sorted((rule for rule in book.rules if rule.slug in levels), key=lambda rule: rule.slug):
        facts = rule_facts(replace(rule, formerly=book.former_names(rule)), book.observed(rule.slug))
        facts = replace(facts, enforcement="block" if rule.enforcement == "auto" else rule.enforcement)
        paths = tuple(dict.fromkeys(path for path in _paths(change) if _holds(facts, path)))
        checks = [
            one for one in artifacts
            if slug_of_artifact(one.path) == rule.slug and (acts_at_commit(one) or is_judge_check(one))
        ]  # fmt: skip
        if paths:
            judged = bool(checks) and all(map(is_judge_check, checks))
            found.append(
                CiRule(facts=facts, level=levels[rule.slug], paths=paths, has_check=bool(checks), judged=judged)
            )
    return found


def _levels(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The strict and testable rules, with their level."""
    for path, text in texts.items():
        if path.startswith(f"{WORDS_FOLDER}/"):
            try:
                rule = json.loads(text)["rule"]
                level = level_at_steps(rule.get("level"), rule.get("severity"))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                continue
            if level != REMIND:
                yield slug_of_artifact(path), level


def _holds(facts: RuleFacts, path: str) -> bool:
    """Whether the rule holds for a path in CI, and no exception spares it."""
    scope = facts.scope
    if scope.environments and HERE not in scope.environments:
        return False
    inside = globs.match(scope.include or ("**",), path) and not globs.match(scope.exclude, path)
    return inside and not is_excepted(facts, path, HERE)


def _proved_by(artifacts: Sequence[Artifact], change: Change) -> Iterator[tuple[RuleFacts, str, str]]:
    """The rules that ask for a run of a suite, with its name and the first changed file that they are about."""
    asking = [artifact for artifact in artifacts if asks_for_run(artifact)]
    known = facts_by_slug(asking)
    for artifact in asking:
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
    about = (path for path in _paths(change) if globs.match(wanted, path) and not globs.match(spared, path))
    return next((path for path in about if _holds(facts, path)), "")


@dataclass(slots=False)
class _SuiteRuns:
    """Runs of the base's suites on the change, each made once, however many rules ask for it."""

    top: Path
    span: Range
    change: Change
    progress: Progress
    _whole: dict[str, Tested] = field(default_factory=dict)

    @cached_property
    def suites(self) -> tuple[Suite, ...]:
        """The base's suites."""
        return suites_at(self.top, self.span.base)

    @cached_property
    def of_change(self) -> list[ChangeRuns]:
        """The suites in copies with parts of the change."""
        return [ChangeRuns(self.top, suite, self.span.start, _paths(self.change)) for suite in self.suites]

    @cached_property
    def why_not_here(self) -> str:
        """Why nothing can be run: what lies in the work tree is not what is judged; "" where it is."""
        how = ("-z", "--porcelain", "--untracked-files=no", "--ignore-submodules")
        entry = git_session.git_output(self.top, "status", *how).partition("\0")[0]
        changed = to_one_line(entry[len("XY ") :])
        return f"{changed} of the work tree is not what HEAD has, and so not what would be tested" if entry else ""

    def tested(self, files: frozenset[str]) -> Tested:
        """Whether a suite tests the change of these files."""
        if self.why_not_here or not self.suites:
            return Tested(NOT_PROVED, self.why_not_here or "the base's settings name no suite under tests")
        return self._asked(lambda: self._by_some_suite(files))

    def _by_some_suite(self, files: frozenset[str]) -> Tested:
        reasons = []
        for made in self.of_change:
            why = made.why_untested(files)
            if not why:
                return Tested(TESTED, f"{made.suite.name}: {made.whole.counts}")
            reasons.append(f"{made.suite.name}: {why}")
        return Tested(NOT_PROVED, "; ".join(reasons))

    def whole(self, name: str) -> Tested:
        """Whether a suite is green on the change."""
        if self.why_not_here:
            return Tested(NOT_PROVED, self.why_not_here)
        if name not in self._whole:
            self._whole[name] = self._asked(lambda: self._run(name))
        return self._whole[name]

    def _run(self, name: str) -> Tested:
        made = next((one for one in self.of_change if one.suite.name == name), None)
        if made is None:
            return Tested(NOT_PROVED, f"the base's settings name no suite {name}")
        run = run_suite(self.top, made.suite)
        why = run.why or made.why_left_out(run)
        return Tested(NOT_PROVED, f"{name} is red: {why}") if why else Tested(TESTED, f"{name}: {run.counts}")

    def _asked(self, run: Callable[[], Tested]) -> Tested:
        """What a run shows; where it cannot be started, that is why the rule is not proved."""
        try:
            with self.progress("running tests", 0):
                return run()
        except RulecError as error:
            return Tested(NOT_PROVED, f"cannot be run here: {error}")
