"""rulec diff: what a range of commits makes of the rules, and of the examples that they decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.checks.proving.example_changes import change_of
from rulec.domain.artifact import Artifact, slug_of_artifact
from rulec.domain.finding import Finding
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra.git import git_contents, git_session
from rulec.infra.rulebooks import rule_reading, work_tree
from rulec.rulebook import file_paths
from rulec.rulebook.history.rule_diff import ComparedRule, RuleDifference, compare_rulebooks
from rulec.services.history import diff_reach, diff_report
from rulec.services.history.diff_reach import ReachLimits


@dataclass(frozen=True, slots=True)
class _RulebookState:
    """The rulebook at one end: its rules by slug, its archive, and the artifacts that act there."""

    rules: Mapping[str, Rule]
    archive: Mapping[str, Rule]
    artifacts: tuple[Artifact, ...]

    def of(self, slug: str) -> list[Artifact]:
        return [artifact for artifact in self.artifacts if slug_of_artifact(artifact.path) == slug]


def diff_rules(top: Path, span: str, *, reach: ReachLimits | None = None, page: bool = False) -> Outcome:
    """The rules that are not at B as they were at A; each example of either is decided by the artifacts of both.

    With a reach it says what each changed rule makes of the tree and of the last commits, too.
    """
    first, dots, last = span.partition("..")
    if last.startswith("."):
        raise RulecError(f"{span!r} has three dots", hint=f"write {first}..{last[1:]}")
    before = _at(top, first or "HEAD")
    after = _at(top, last or "HEAD") if dots else _at_hand(top)
    unlike = [slug for slug in {*before.rules, *after.rules} if _state(before, slug) != _state(after, slug)]
    examples = {slug: _examples(before.rules.get(slug), after.rules.get(slug)) for slug in unlike}
    found = compare_rulebooks(_decided_examples(before, examples), _decided_examples(after, examples), after.archive)
    blast = None
    if reach and found:
        revision = git_session.require_commit(top, last or "HEAD") if dots else ""
        blast = diff_reach.compare_reach(top, revision, _checks(before, found), _checks(after, found), reach)
    text = diff_report.render_page(found, blast) if page else diff_report.render_text(found, blast)
    return Outcome(text, data=diff_report.encode_differences(found, blast))


def _checks(side: _RulebookState, found: Sequence[RuleDifference]) -> dict[str, list[Artifact]]:
    return {one.slug: side.of(one.slug) for one in found if one.slug in side.rules}


def _at(top: Path, revision: str) -> _RulebookState:
    return _side(
        git_contents.files_at_commit(top, git_session.require_commit(top, revision), file_paths.RULES), f"{revision}:"
    )


def _at_hand(top: Path) -> _RulebookState:
    return _side({**work_tree.rulebook_texts(top), **work_tree.compiled_in_work_tree(top)}, "")


def _side(files: Mapping[str, str], where: str) -> _RulebookState:
    own = {path: text for path, text in files.items() if path.endswith(".yaml") and path != file_paths.CONFIG}
    rules = {path: text for path, text in own.items() if path.count("/") == 1}
    archive = {path: text for path, text in own.items() if path.startswith(f"{file_paths.RULES}/archive/")}
    return _RulebookState(_read(rules, where), _read(archive, where), tuple(work_tree.compiled_checks(files)))


def _read(files: Mapping[str, str], where: str) -> dict[str, Rule]:
    rules = (rule_reading.read_rule(text, source=f"{where}{path}") for path, text in files.items())
    return {rule.slug: rule for rule in rules}


def _state(side: _RulebookState, slug: str) -> Any:
    rule = side.rules.get(slug)
    return rule and rule_reading.write_rule(rule), [(artifact.path, artifact.text) for artifact in side.of(slug)]


def _examples(*rules: Rule | None) -> tuple[Example, ...]:
    return tuple(dict.fromkeys(example for rule in rules if rule for example in (*rule.invalid, *rule.valid)))


def _decided_examples(side: _RulebookState, examples: Mapping[str, Sequence[Example]]) -> dict[str, ComparedRule]:
    """What each rule does with each of its examples: all of them in one process for each kind of check."""
    artifacts = [artifact for slug in examples for artifact in side.of(slug)]
    facts = facts_by_slug(artifacts)
    pairs = [(slug, example) for slug in sorted(examples) if slug in facts for example in examples[slug]]
    seen = run_checks_each(artifacts, [change_of(example) for _, example in pairs]) if pairs else []
    acts = {slug: facts[slug].enforcement if slug in facts else "pass" for slug in examples}
    decided: dict[str, dict[Example, str]] = {slug: dict.fromkeys(own, "pass") for slug, own in examples.items()}
    for (slug, example), found in zip(pairs, seen, strict=True):
        if any(isinstance(item, Finding) and item.slug == slug for item in found):
            decided[slug][example] = acts[slug]
    return {
        slug: ComparedRule(rule=side.rules[slug], acts=acts[slug], decided=decided[slug])
        for slug in examples
        if slug in side.rules
    }
