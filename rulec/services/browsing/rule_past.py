"""The past of a rule: the commits that changed it, each with what it changed in the file and in verdicts."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.domain.artifact import compiled_checks
from rulec.domain.evidence import Evidence
from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.gates import gate_ledger, personal_rules
from rulec.gates.findings import contradictions
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.judging import judge_standing
from rulec.infra import clock
from rulec.infra.git import git_contents, git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.ledger_counts import FIRED_OUTCOMES
from rulec.reports.wording import revision_lines, revisions_of
from rulec.rulebook.rulebook import Rulebook
from rulec.services.history import activity, diff, rule_history
from rulec.services.rules import exception_proposals
from rulec.services.rules.change_rule import refinement_lines

AROUND = 3  # lines of context in a diff
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
class ChangeDiff:
    """What one commit changed of a rule."""

    change: RuleRevision
    message: str
    diff: str
    lines: tuple[str, ...] = ()  # what became of checks and verdicts


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


def change_diff(top: Path, slug: str, commit: str) -> ChangeDiff | None:
    """What a commit of the rule's past changed; None where it is none of them."""
    here = personal_rules.holding_repository(top, slug)
    name = git_session.find_commit(here, commit)
    change = next((one for one in past_changes(top, slug) if one.commit == name), None)
    if name is None or change is None:
        return None
    known = next(one for one in rule_history.rule_commits(here, change.slug) if one.id == name)
    parent = known.parents[0] if known.parents else ""
    paths = sorted({path for _, path in known.touched})
    before = git_contents.files_at_commit(here, parent, *paths) if parent else {}
    after = git_contents.files_at_commit(here, name, *paths)
    text = "\n".join(line for path in paths for line in _file_diff(path, before.get(path), after.get(path)))
    message = f"{known.subject}\n\n{known.body}".strip()
    return ChangeDiff(
        change=change, message=redact(message), diff=redact(text),
        lines=tuple(_verdict_lines(here, change.slug, parent, name)) if parent else (),
    )  # fmt: skip


def _file_diff(path: str, before: str | None, after: str | None) -> Iterator[str]:
    if before == after:
        return
    old, new = (path if text is not None else "/dev/null" for text in (before, after))
    yield from difflib.unified_diff(
        (before or "").splitlines(), (after or "").splitlines(), old, new, lineterm="", n=AROUND
    )


def _verdict_lines(top: Path, slug: str, before: str, after: str) -> Iterator[str]:
    """What became of the rule between two commits, in the words of rulec diff."""
    try:
        found: list[dict[str, Any]] = diff.diff_rules(top, f"{before}..{after}").data
    except RulecError as error:  # an old state may hold what nobody can read any more
        yield f"its checks cannot be compared: {error}"
        return
    for one in found:
        if one["slug"] == slug:
            acts = [side["acts"] for side in (one["before"], one["after"]) if side]
            yield f"{one['kind']}: {' -> '.join(dict.fromkeys(acts))}"
            yield from (f"{each['example']}: {each['before']} -> {each['after']}" for each in one["examples"])


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
        yield f"in its proof: {len(rule.invalid)} caught, {len(rule.valid)} let pass"
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
    flag = f"; {sure.state}: {stands}, {'and' if told == 'told to agents' else 'but'} {told}" * (sure.state != "fresh")
    yield f"freshness: {sure.freshness:.2f} since it was last mentioned or fired{flag}"
