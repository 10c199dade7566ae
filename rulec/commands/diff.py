"""``rulec diff``: what a range of commits makes of the rules, and of the examples that they decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.commands import _blast, _differences
from rulec.commands._blast import Reach
from rulec.commands._observe import observe_each
from rulec.commands._outcome import Outcome
from rulec.commands._verdicts import facts_of
from rulec.errors import RulecError
from rulec.host import git, rulefiles, worktree
from rulec.model.artifact import Artifact, compiled_from
from rulec.model.finding import Finding
from rulec.model.rule import Example, Rule
from rulec.stages.compare import Difference, Held, compare
from rulec.stages.verify import change_of


@dataclass(frozen=True, slots=True)
class _Side:
    """The rulebook at one end: its rules by slug, its archive, and the artifacts that act there."""

    rules: Mapping[str, Rule]
    archive: Mapping[str, Rule]
    artifacts: tuple[Artifact, ...]

    def of(self, slug: str) -> list[Artifact]:
        return [artifact for artifact in self.artifacts if compiled_from(artifact.path) == slug]


def run(top: Path, span: str, *, reach: Reach | None = None, page: bool = False) -> Outcome:
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
    found = compare(_held(before, examples), _held(after, examples), after.archive)
    blast = None
    if reach and found:
        revision = git.commit_of(top, last or "HEAD") if dots else ""
        blast = _blast.blast(top, revision, _checks(before, found), _checks(after, found), reach)
    text = _differences.page(found, blast) if page else _differences.text(found, blast)
    return Outcome(text, data=_differences.data(found, blast))


def _checks(side: _Side, found: Sequence[Difference]) -> dict[str, list[Artifact]]:
    return {one.slug: side.of(one.slug) for one in found if one.slug in side.rules}


def _at(top: Path, revision: str) -> _Side:
    return _side(git.files_at(top, git.commit_of(top, revision), worktree.RULES), f"{revision}:")


def _at_hand(top: Path) -> _Side:
    return _side({**worktree.texts(top), **worktree.compiled_at_hand(top)}, "")


def _side(files: Mapping[str, str], where: str) -> _Side:
    own = {path: text for path, text in files.items() if path.endswith(".yaml") and path != worktree.CONFIG}
    rules = {path: text for path, text in own.items() if path.count("/") == 1}
    archive = {path: text for path, text in own.items() if path.startswith(f"{worktree.RULES}/archive/")}
    return _Side(_read(rules, where), _read(archive, where), tuple(worktree.compiled(files)))


def _read(files: Mapping[str, str], where: str) -> dict[str, Rule]:
    rules = (rulefiles.loads(text, source=f"{where}{path}") for path, text in files.items())
    return {rule.slug: rule for rule in rules}


def _state(side: _Side, slug: str) -> Any:
    rule = side.rules.get(slug)
    return rule and rulefiles.dumps(rule), [(artifact.path, artifact.text) for artifact in side.of(slug)]


def _examples(*rules: Rule | None) -> tuple[Example, ...]:
    return tuple(dict.fromkeys(example for rule in rules if rule for example in (*rule.invalid, *rule.valid)))


def _held(side: _Side, examples: Mapping[str, Sequence[Example]]) -> dict[str, Held]:
    """What each rule does with each of its examples: all of them in one process for each kind of check."""
    artifacts = [artifact for slug in examples for artifact in side.of(slug)]
    facts = facts_of(artifacts)
    pairs = [(slug, example) for slug in sorted(examples) if slug in facts for example in examples[slug]]
    seen = observe_each(artifacts, [change_of(example) for _, example in pairs]) if pairs else []
    acts = {slug: facts[slug].enforcement if slug in facts else "pass" for slug in examples}
    decided: dict[str, dict[Example, str]] = {slug: dict.fromkeys(own, "pass") for slug, own in examples.items()}
    for (slug, example), found in zip(pairs, seen, strict=True):
        if any(isinstance(item, Finding) and item.slug == slug for item in found):
            decided[slug][example] = acts[slug]
    return {
        slug: Held(rule=side.rules[slug], acts=acts[slug], decided=decided[slug])
        for slug in examples
        if slug in side.rules
    }
