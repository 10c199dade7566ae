"""The past of a rule: what it did, how sure it is, and the commits that changed it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.artifact import compiled_checks
from rulec.domain.evidence import Evidence
from rulec.domain.rule import Rule
from rulec.gates import gate_ledger, personal_rules
from rulec.gates.findings import contradictions
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.judging import judge_standing
from rulec.infra import clock
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.ledger_counts import FIRED_OUTCOMES
from rulec.reports.wording import revision_lines, revisions_of
from rulec.rulebook.rulebook import Rulebook
from rulec.services.history import activity, rule_history
from rulec.services.rules import exception_proposals
from rulec.services.rules.change_rule import refinement_lines

MOST = 200  # commits that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRevision:
    """One commit that changed a rule."""

    commit: str
    at: str
    author: str
    resolution: str
    did: tuple[str, ...] = ()
    slug: str = ""  # the name that the rule had then
    edge: bool = False  # a shallow clone ends with it


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePast:
    """What a rule did, how sure it is and beside which others it stands, in lines, and the commits that changed it."""

    lines: tuple[str, ...]
    changes: tuple[RuleRevision, ...]


def rule_past(top: Path, slug: str) -> RulePast:
    """The past of a rule in force or archived, newest first."""
    here = personal_rules.holding_repository(top, slug)
    book = rulebook_files.load_rulebook(here)
    rule = book.rule(slug) or rule_history.rule_in_files(rulebook_files.rule_texts(here, [slug]), slug)
    return RulePast(lines=tuple(_lines(here, book, rule)) if rule else (), changes=past_changes(top, slug))


def _lines(top: Path, book: Rulebook, rule: Rule) -> Iterator[str]:
    evidence = book.observed(rule.slug)
    yield from refinement_lines(book, rule)
    yield from exception_proposals.exception_lines(top, book, rule, evidence)
    yield from _contradiction_lines(top, rule)
    yield from _revision_lines(top, rule, evidence)
    yield from _caught_lines(top, rule, evidence)
    yield from _confidence_lines(top, book, rule)


def past_changes(top: Path, slug: str) -> tuple[RuleRevision, ...]:
    """The commits that changed the rule and those that it replaced, newest first."""
    here = personal_rules.holding_repository(top, slug)
    files = rulebook_files.rulebook_texts(here)
    names = (slug, *rule_history.predecessors(slug, files))
    return tuple(
        RuleRevision(
            commit=one.id, at=one.at, author=one.author, resolution=rule_history.commit_resolution(one),
            did=tuple(rule_history.commit_effects(one)), slug=name, edge=one.edge,
        )
        for name in names for one in rule_history.rule_commits(here, name)
    )[:MOST]  # fmt: skip


def _contradiction_lines(top: Path, rule: Rule) -> Iterator[str]:
    """Rules that contradict this one, and which of them takes precedence."""
    artifacts = compiled_checks(rulebook_files.compiled_in_work_tree(top))
    yield from contradictions.describe_contradictions(artifacts, facts_by_slug(artifacts), rule.slug)


def _revision_lines(top: Path, rule: Rule, evidence: tuple[Evidence, ...]) -> Iterator[str]:
    """The revisions that followed from notes, with what the gates found before the last one and since."""
    revised = revisions_of(evidence)
    for item in revised:
        yield from revision_lines(item)
    account = next((one for one in activity.rule_accounts(top) if one.slug == rule.slug), None) if revised else None
    if account and account.counts:
        day = revised[-1].at[:10]
        counts = [count for count in account.counts if count.outcome in FIRED_OUTCOMES]
        since = sum(count.times for count in counts if count.day >= day)
        before = sum(count.times for count in counts) - since
        yield f"at the gates (ledger and committed counts): caught {before} before {day}, {since} since"


def _caught_lines(top: Path, rule: Rule, evidence: tuple[Evidence, ...]) -> Iterator[str]:
    """What the check caught and let pass: in its proof, in the session it came from, at the gates of this machine."""
    if rule.checks and not judge_standing.has_only_judges(rule):
        yield f"its examples: {len(rule.invalid)} caught, {len(rule.valid)} let pass"
    replayed = max((item.replayed for item in evidence if item.kind == "proved"), default=-1)
    if replayed >= 0:
        yield f"in the session it came from: the offence caught, {replayed} other actions let pass"
    entries = gate_ledger.ledger_entries(top, rule.slug)
    if entries:
        here, last = activity.account_of((), rule.slug, entries), max(entries, key=lambda one: one.at)
        place = ", ".join(filter(None, (last.event, last.agent, last.of)))
        since = f"since {here.counts[0].day} ({activity.counts_in_words(here)}); last {last.at} ({place})"
        yield f"at this machine's gates: caught {here.fired} {since}"
    elif rule.checks:
        yield "at this machine's gates: nothing yet"
    team = activity.account_of(evidence, rule.slug)
    if team.counts:
        counts = activity.counts_in_words(team)
        yield f"counted on all machines since {team.counts[0].day}: caught {team.fired} ({counts})"


def _confidence_lines(top: Path, book: Rulebook, rule: Rule) -> Iterator[str]:
    fired = gate_ledger.ledger_entries(top, rule.slug)
    sure = book.sure(rule, at=clock.now(), mattered=fired[-1].at if fired else "")
    yield f"confidence: {sure.arithmetic}"
    stands = "still enforced" if sure.active or rule.enforcement != "auto" else "not enforced"
    told = "told to agents" if sure.state != "dormant" and stands == "still enforced" else "no longer told to agents"
    if sure.state != "fresh":
        joined = f"{stands}, {'and' if told == 'told to agents' else 'but'} {told}"
        yield f"{sure.state}: nobody spoke of it and it caught nothing for long; {joined}"
