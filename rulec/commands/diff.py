"""``rulec diff``: what a range of commits makes of the rules, and of the examples that they decide."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec import rulefile
from rulec.commands._judge import facts_of
from rulec.commands._lines import example_line, short
from rulec.commands._observe import observe_each
from rulec.commands._outcome import Outcome
from rulec.errors import RulecError
from rulec.host import git, worktree
from rulec.model.artifact import Artifact, compiled_from
from rulec.model.finding import Finding
from rulec.model.rule import Example, Rule
from rulec.stages.compare import Difference, Held, compare
from rulec.stages.verify import change_of

SHOWN = 10  # examples of one rule; the rest are counted
_DOES = {"block": "blocks", "warn": "warns", "audit": "notes", "pass": "reminds"}
_DID = {"block": "blocked", "warn": "warned of", "audit": "noted", "pass": "passes"}


@dataclass(frozen=True, slots=True)
class _Side:
    """The rulebook at one end: its rules by slug, its archive, and the artifacts that act there."""

    rules: Mapping[str, Rule]
    archive: Mapping[str, Rule]
    artifacts: tuple[Artifact, ...]

    def of(self, slug: str) -> list[Artifact]:
        return [artifact for artifact in self.artifacts if compiled_from(artifact.path) == slug]


def run(top: Path, span: str) -> Outcome:
    """The rules that are not at B as they were at A; each example of either is decided by the artifacts of both."""
    first, dots, last = span.partition("..")
    if last.startswith("."):
        raise RulecError(f"{span!r} has three dots", hint=f"write {first}..{last[1:]}")
    before = _at(top, first or "HEAD")
    after = _at(top, last or "HEAD") if dots else _at_hand(top)
    unlike = [slug for slug in {*before.rules, *after.rules} if _state(before, slug) != _state(after, slug)]
    examples = {slug: _examples(before.rules.get(slug), after.rules.get(slug)) for slug in unlike}
    found = compare(_held(before, examples), _held(after, examples), after.archive)
    counted = Counter(one.kind for one in found)
    total = ", ".join(f"{number} {kind}" for kind, number in counted.items()) or "no rule changed"
    return Outcome(
        "\n".join([*(line for one in found for line in _lines(one)), total]), data=[_object(o) for o in found]
    )


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
    rules = (rulefile.loads(text, source=f"{where}{path}") for path, text in files.items())
    return {rule.slug: rule for rule in rules}


def _state(side: _Side, slug: str) -> Any:
    rule = side.rules.get(slug)
    return rule and rulefile.dumps(rule), [(artifact.path, artifact.text) for artifact in side.of(slug)]


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


def _lines(one: Difference) -> Iterator[str]:
    yield f"{one.kind:10} {_told(one)}"
    turned = [(example, was, now) for example, was, now in one.turned]
    for example, was, now in turned[:SHOWN]:
        yield f"{'':10}   {short(example_line(example))}: {_DID[was]} -> {_DID[now]}"
    if len(turned) > SHOWN:
        yield f"{'':10}   and {len(turned) - SHOWN} more examples"


def _told(one: Difference) -> str:
    was, now = one.before, one.after
    if was is None and now:
        takes = f", in place of {', '.join(now.rule.supersedes)}" * bool(now.rule.supersedes)
        return f"{_named(now)} ({_DOES[now.acts]}{takes}): {short(now.rule.statement)}"
    if was and (now is None or one.kind in ("superseded", "retired")):
        gone = now.rule if now else None
        how = f" by {gone.superseded_by}" if gone and gone.superseded_by else f": {gone.retired}" if gone else ""
        return f"{_named(was)}{how}"
    if was and now:
        acts = f" ({_DOES[was.acts]} -> {_DOES[now.acts]})" if was.acts != now.acts else f" ({_DOES[now.acts]})"
        parts = f": {', '.join(one.parts)}" * bool(one.parts)
        return f"{_named(was)} -> @{now.rule.revision}{acts}{parts}"
    return one.slug


def _named(held: Held) -> str:
    return f"{held.rule.slug}@{held.rule.revision}"


def _object(one: Difference) -> dict[str, Any]:
    ends = {"before": one.before, "after": one.after}
    told = {name: {"revision": h.rule.revision, "acts": h.acts} if h else None for name, h in ends.items()}
    turned = [{"example": example_line(e), "before": was, "after": now} for e, was, now in one.turned]
    return {"slug": one.slug, "kind": one.kind, **told, "parts": list(one.parts), "examples": turned}
