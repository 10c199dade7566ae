"""What the checks of a rule caught before a change, and no longer catch after it."""

from collections.abc import Iterator, Mapping, Sequence

from rulec.checks.proving.example_changes import change_of
from rulec.checks.proving.variants import make_variants
from rulec.compiling import artifacts
from rulec.domain.artifact import Artifact
from rulec.domain.finding import Finding, Weakening
from rulec.domain.rule import Example
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.weakening.gate_states import GateState
from rulec.gates.weakening.looser_rules import RuleState
from rulec.reports.rule_lines import example_line
from rulec.reports.wording import clip_line

_MOST = 40  # variants of one rule's examples that are tried on both its checks
_LONGEST = 80
Asked = list[tuple[str, Example]]


def no_longer_caught(
    before: GateState, after: GateState, was: Mapping[str, RuleState], now: Mapping[str, RuleState]
) -> Iterator[Weakening]:
    """Each invalid example or variant of an old rule that its changed checks let pass.

    The later rules are compiled anew, for their artifacts may be anybody's. Scripts are not run: whatever changes in
    one needs a person anyway.
    """
    both = [slug for slug in was if slug in now and was[slug].rule.checks != now[slug].rule.checks]
    changed = [slug for slug in both if "pass" not in (was[slug].acts, now[slug].acts)]
    new = [one for slug in changed for one in artifacts.compile_rule(after.book([slug]), now[slug].rule, after.top)]
    asked = [(slug, example) for slug in changed for example in _examples(before, was[slug], now[slug])]
    caught = _caught(before.artifacts(changed), asked)
    lost = caught - _caught(new, list(caught))
    for slug, example in asked:  # one each, so that in a merge those count that neither side let pass
        if (slug, example) in lost and example not in was[slug].rule.valid:
            text = f"{slug}: lets pass `{clip_line(example_line(example), _LONGEST)}`, which it caught"
            yield Weakening(subject=text, text=text, path=now[slug].rule.source)


def _examples(before: GateState, was: RuleState, now: RuleState) -> Iterator[Example]:
    variants = make_variants(was.rule, before.artifacts([was.rule.slug]))
    made = [variant.example for variant in variants if variant.invalid][:_MOST]
    yield from dict.fromkeys([*was.rule.invalid, *now.rule.valid, *made])


def _caught(checks: Sequence[Artifact], asked: Asked) -> set[tuple[str, Example]]:
    """The examples in which the checks of their rule find something: one process for each kind of check."""
    plain = [one for one in checks if one.kind != "shell"]
    seen = run_checks_each(plain, [change_of(example) for _, example in asked]) if asked else []
    return {
        (slug, example)
        for (slug, example), found in zip(asked, seen, strict=True)
        if any(isinstance(one, Finding) and one.slug == slug for one in found)
    }
