"""The files of the gate at two times: settings, rules, artifacts, and what the checks of both times find."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from rulec.checks.proving.example_changes import change_of
from rulec.checks.proving.variants import make_variants
from rulec.compiling import artifacts
from rulec.domain.artifact import Artifact, slug_of_artifact
from rulec.domain.change import Change
from rulec.domain.enforcement import has_lapsed
from rulec.domain.finding import Finding
from rulec.domain.rule import Example, Rule
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.weakening.looser_rules import RuleState
from rulec.infra import clock
from rulec.infra.rulebooks import extensions, rulebook_files
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook

MOST = 40  # variants of one rule's examples that are tried on both its checks
_KINDS = ("guard", "semgrep", "shell", "judge", "words")


@dataclass(frozen=True, slots=False, kw_only=True)
class GateState:
    """The files of the gate at one of two times."""

    top: Path
    files: Mapping[str, str]

    @cached_property
    def config(self) -> Config:
        """The team's settings."""
        text = self.files.get(file_paths.CONFIG, "")
        return config.parse_config(text, source=file_paths.CONFIG, own=rulebook_files.is_personal(self.top))

    @cached_property
    def whole(self) -> Rulebook:
        """Every rule of the rulebook."""
        return rulebook_files.parse_rulebook(
            {path: text for path, text in self.files.items() if _is_rulebook_path(path)}
        )

    def book(self, slugs: Iterable[str]) -> Rulebook:
        """The given rules with their evidence and archive; all of them where others decide what it is."""
        wanted = set(slugs)
        kept = {
            p: t
            for p, t in self.files.items()
            if _is_rulebook_path(p) and (slug_of_path(p) in wanted or not slug_of_path(p))
        }
        found = rulebook_files.parse_rulebook(kept)
        return self.whole if any(rule.refines or rule.formerly for rule in found.rules) else found

    def archive(self, slugs: Iterable[str]) -> dict[str, Rule]:
        """Those of the given rules that are archived."""
        wanted = set(slugs)
        return rulebook_files.archived_rules(
            {path: text for path, text in self.files.items() if slug_of_path(path) in wanted}
        )

    def artifacts(self, slugs: Iterable[str]) -> list[Artifact]:
        """The compiled checks of the given rules."""
        wanted = set(slugs)
        return [
            artifact
            for artifact in rulebook_files.compiled_checks(self.files)
            if slug_of_artifact(artifact.path) in wanted
        ]


def _is_rulebook_path(path: str) -> bool:
    parts = path.split("/")
    return parts[0] == file_paths.RULES and path.endswith(".yaml") and parts[1] not in ("compiled", "templates")


def slug_of_path(path: str) -> str:
    """The slug of the rule that a rulebook file is about, "" for a file about all rules or none."""
    parts = path.split("/")
    if parts[0] != file_paths.RULES or path == file_paths.CONFIG:
        return ""
    if extensions.extension_of(path):
        parts = [file_paths.RULES, *parts[3:]]
        if parts[1:] == [extensions.LOCK_NAME]:
            return ""
    match parts[1:]:
        case [name] | ["archive", name]:
            return name.removesuffix(".yaml") if name.endswith(".yaml") else ""
        case ["evidence", slug, _]:
            return slug
        case ["compiled", kind, _] if kind in _KINDS:
            return slug_of_artifact(path)
    return ""


def compare_rules(
    before: GateState,
    after: GateState,
    slugs: Sequence[str],
    moved: Collection[str] = (),
    *,
    scripts: bool,
    rendered: bool,
) -> tuple[dict[str, RuleState], dict[str, RuleState]]:
    """The rules of both sides, with what both decide of the same examples where their checks differ.

    They differ where the rule says so, and where a template has ``moved`` below it. The later side's artifacts may be
    anybody's, so its rules are compiled anew. Without ``scripts`` no shell check of it is run, and without ``rendered``
    none at all: its templates are not ours.
    """
    at = clock.now()
    one, two = _rule_states(before, slugs, at), _rule_states(after, slugs, at)
    differ = [slug for slug in slugs if rendered and _checks_differ(slug, one, two, moved)]
    made = {slug: artifacts.compile_rule(after.book([slug]), two[slug].rule, after.top) for slug in differ}
    asked = {
        slug: _examples_to_compare(before, one[slug], two[slug])
        for slug, artifacts in made.items()
        if scripts or not any("/shell/" in artifact.path for artifact in artifacts)
    }
    now = [artifact for slug in asked for artifact in made[slug]]
    return _with_found_examples(before.artifacts(asked), one, asked), _with_found_examples(now, two, asked)


def _rule_states(side: GateState, slugs: Sequence[str], at: str) -> dict[str, RuleState]:
    book, facts = side.book(slugs), facts_by_slug(side.artifacts(slugs))
    found = {}
    for rule in (rule for rule in book.rules if rule.slug in slugs):
        sure = book.sure(rule)
        acts = facts[rule.slug].enforcement if rule.slug in facts else "pass"
        spoken = frozenset(file_paths.evidence_path(item) for item in book.observed(rule.slug))
        until = book.held_until(rule)
        carried = rule.enforcement != "auto" or sure.earned
        found[rule.slug] = RuleState(
            rule=rule, acts=acts, weight=sure.weight, mean=sure.base, spoken=spoken,
            held=carried and not has_lapsed(until, at), until=until,
        )  # fmt: skip
    return found


def _checks_differ(
    slug: str, before: Mapping[str, RuleState], after: Mapping[str, RuleState], moved: Collection[str]
) -> bool:
    was, now = before.get(slug), after.get(slug)
    if not was or not now or "pass" in (was.acts, now.acts):
        return False
    return slug in moved or was.rule.checks != now.rule.checks


def _examples_to_compare(side: GateState, was: RuleState, now: RuleState) -> list[Example]:
    mutants = make_variants(was.rule, side.artifacts([was.rule.slug]))
    made = [mutant.example for mutant in mutants if mutant.invalid][:MOST]
    return list(dict.fromkeys([*was.rule.invalid, *now.rule.valid, *made]))


def _with_found_examples(
    artifacts: Sequence[Artifact], some: dict[str, RuleState], asked: Mapping[str, Sequence[Example]]
) -> dict[str, RuleState]:
    """What the checks of one side find in the examples: one process for each kind of check."""
    pairs = [(slug, example) for slug in asked for example in asked[slug]]
    changes: list[Change] = [change_of(example) for _, example in pairs]
    seen = run_checks_each(artifacts, changes) if pairs else []
    told: dict[str, dict[Example, str]] = {slug: dict.fromkeys(asked[slug], "pass") for slug in asked}
    for (slug, example), found in zip(pairs, seen, strict=True):
        if any(isinstance(item, Finding) and item.slug == slug for item in found):
            told[slug][example] = some[slug].acts
    return {slug: replace(stand, decided=told.get(slug, {})) for slug, stand in some.items()}
