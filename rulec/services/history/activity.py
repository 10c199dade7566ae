"""rulec report: what each rule did at the gates, as text, as data, or for the page."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from rulec.domain.artifact import compiled_checks
from rulec.domain.enforcement import ENFORCEMENTS, MODES
from rulec.domain.evidence import Evidence, FiringCount, LedgerLine
from rulec.domain.outcome import Outcome
from rulec.domain.text.one_line import shorten
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.charts import MOST_RULES_DRAWN, draw_rules, draw_weeks
from rulec.reports.followed_findings import FollowedFinding, fix_seconds, follow_findings, in_words
from rulec.reports.ledger_counts import (
    FIRED_OUTCOMES,
    GATE_TITLES,
    RuleActivity,
    account_by_rule,
)
from rulec.reports.wording import count_of
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rulebook import require_rule

OUTCOME_WORDS: dict[str, str] = {
    **{name: MODES[name].did for name in reversed(ENFORCEMENTS)},
    "waived": "waived",
    "lost": "lost",
    "fault": "broke",
    "fixed": "fixed",
    "excepted": "excepted",
}


def rule_accounts(top: Path, since: str = "") -> tuple[RuleActivity, ...]:
    """The account of each rule that gates enforce, from a day on, the noisiest first.

    No rule file is read: what is compiled says enough of its rules, and a thousand times faster.
    """
    rulebook_files.require_rulebook(top)
    facts = facts_by_slug(compiled_checks(rulebook_files.compiled_in_work_tree(top)))
    rules = [
        RuleActivity(slug=slug, statement=" ".join(known.statement.split()), acts=known.enforcement)
        for slug, known in facts.items()
    ]
    return _accounts(top, rules, _counting(top), since)


def rule_account(top: Path, slug: str, observed: Iterable[Evidence]) -> RuleActivity:
    """The account of one rule from its evidence, however many others there are."""
    evidence = [item for item in observed if item.seen or item.kind == "counterexample"]
    return next(one for one in _accounts(top, [RuleActivity(slug=slug)], evidence, "") if one.slug == slug)


def _accounts(
    top: Path, rules: Sequence[RuleActivity], evidence: Sequence[Evidence], since: str
) -> tuple[RuleActivity, ...]:
    counted = {evidence_file.evidence_id(item) for item in evidence if item.seen}
    folded = {name for mark, names in gate_ledger.folded_entries(top).items() if mark in counted for name in names}
    entries = [line for line in gate_ledger.ledger_entries(top) if line.id not in folded]
    by_slug: dict[str, list[Evidence]] = {}
    for item in evidence:
        by_slug.setdefault(item.slug, []).append(item)
    return account_by_rule(rules, entries, by_slug, since)


def _counting(top: Path) -> list[Evidence]:
    """The evidence files that count something or speak against a rule; others are not parsed."""
    files = rulebook_files.rulebook_texts(top).items()
    return [
        evidence_file.parse_evidence(text, source=path)
        for path, text in files
        if path.startswith(f"{file_paths.RULES}/evidence/") and ("\nseen:" in text or "counterexample" in text)
    ]


def counts_in_words(account: RuleActivity) -> str:
    """The counts of an account, in words."""
    counts = [f"{times} {word}" for outcome, word in OUTCOME_WORDS.items() if (times := account.times(outcome))]
    return ", ".join([*counts, *([f"{account.wrong} noted as wrong"] if account.wrong else [])])


def account_of(evidence: Iterable[Evidence], slug: str, entries: Iterable[LedgerLine] = ()) -> RuleActivity:
    """What some evidence or ledger lines say of one rule."""
    return account_by_rule([RuleActivity(slug=slug)], entries, {slug: list(evidence)})[0]


NEVER = 400  # names that a page lists


def followed_findings(top: Path, since: str = "") -> list[FollowedFinding]:
    """The findings in this machine's ledger that were shown from a day on, each with what became of it."""
    return [one for one in follow_findings(gate_ledger.ledger_entries(top)) if one.at[:10] >= since]


def report_facts(
    found: Sequence[RuleActivity], followed: Sequence[FollowedFinding], *, since: str, now: str
) -> dict[str, Any]:
    """What the page shows of it in ``report/body.html.j2``."""
    seen = [one for one in found if not one.quiet]
    never = sorted(one.slug for one in found if one.quiet and one.acts != "remind")
    told, fixed = sum(one.told for one in seen), sum(one.fixed for one in seen)
    return {
        "since": since,
        "now": now,
        "seen": seen,
        "never": never[:NEVER],
        "unnamed": len(never[NEVER:]),
        "weeks": draw_weeks(seen, followed, now[:10]),
        "rule_bars": draw_rules(seen),
        "sums": _sums(seen),
        "repeated": sum(sum(one.repeats.values()) for one in seen),
        "seconds": fix_seconds(followed),
        "in_words": in_words,
        "most": MOST_RULES_DRAWN,
        "fired": sum(one.fired for one in seen),
        "told": told,
        "fixed": fixed,
        "excepted": sum(one.times("excepted") for one in seen),
        "wrong": sum(one.wrong for one in seen),
        "noisy": sum(one.noisy for one in seen),
    }


MOST_NEVER = 20  # rules that never fired
DAYS = 14  # that one rule's report lists
MARK = "noisy"


def report_rules(top: Path, slug: str, since: str) -> Outcome:
    """All rules or one, from a day on.

    It counts the lines of this machine's ledger that are no evidence yet, and the evidence that all others are.
    """
    found = [one for one in rule_accounts(top, day_of(since)) if not slug or one.slug == slug]
    if slug and not found:
        rule = require_rule(rulebook_files.load_rulebook(top), slug)  # one that has nothing to check with, or a refusal
        found = [RuleActivity(slug=slug, statement=rule.statement, acts="remind")]
    lines = [*_one_rule(found[0]), *_last_findings(top, slug)] if slug else _all_rules(found, since)
    seconds = fix_seconds(followed_findings(top, day_of(since)))
    data = {"since": since, "rules": [_data(one) | {"seconds_to_fix": seconds.get(one.slug)} for one in found]}
    return Outcome("\n".join(lines), data=data)


def day_of(since: str) -> str:
    """A day as it was typed; RulecError where it is none."""
    if not since:
        return ""
    try:
        return date.fromisoformat(since).isoformat()
    except ValueError:
        raise RulecError(f"--since {since[:40]!r} is no day", hint="such as 2026-11-01") from None


def _all_rules(found: Sequence[RuleActivity], since: str) -> list[str]:
    seen = [one for one in found if not one.quiet]
    never = [one.slug for one in found if one.quiet and one.acts != "remind"]
    span = f"since {since}" if since else "so far"
    fired = sum(one.fired for one in seen)
    head = f"{span}: {count_of(fired, 'finding')} of {count_of(len(seen), 'rule')}" if fired else f"{span}: no findings"
    more = f" and {len(never) - MOST_NEVER} more" * (len(never) > MOST_NEVER)
    ending = [f"never fired: {', '.join(sorted(never)[:MOST_NEVER])}{more}"] * bool(never)
    return [head, *_table(seen), *_sums(seen), *ending]


_HEADS = (
    "fired",
    *(MODES[mode].did for mode in reversed(ENFORCEMENTS)),
    "fixed",
    "excepted",
    "wrong",
    "unsure",
    "broke",
    "last",
)


def _table(seen: Sequence[RuleActivity]) -> list[str]:
    if not seen:
        return []
    rows = [("", *_HEADS), *((one.slug[:60], *_row(one)) for one in seen)]
    wide = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    marks = ["", *(MARK * one.noisy for one in seen)]
    return [
        "  ".join([row[0].ljust(wide[0]), *(cell.rjust(wide[at]) for at, cell in enumerate(row) if at), mark]).rstrip()
        for row, mark in zip(rows, marks, strict=True)
    ]


def _row(one: RuleActivity) -> list[str]:
    rate = f"{one.fixed} ({one.rate:.0%})" if one.rate is not None else "0"
    numbers = [one.times("excepted"), one.wrong, one.unsure, one.times("fault")]
    counts = [one.fired, *(one.times(mode) for mode in reversed(ENFORCEMENTS))]
    return [*map(str, counts), rate, *map(str, numbers), one.last or "-"]


def _sums(seen: Sequence[RuleActivity]) -> list[str]:
    ways: Mapping[str, Callable[[FiringCount], str]] = {
        "by gate": lambda count: GATE_TITLES.get(count.gate, count.gate),
        "by agent": lambda count: count.agent or "none",
        "by month": lambda count: count.day[:7],
    }
    lines = []
    for name, key in ways.items():
        found = sum((one.by(key, *FIRED_OUTCOMES) for one in seen), Counter[str]())
        pairs = sorted(found.items()) if name == "by month" else found.most_common()
        lines += [f"{name}: {', '.join(f'{value} {times}' for value, times in pairs)}"] * bool(pairs)
    return lines


def _one_rule(one: RuleActivity) -> list[str]:
    head = f"{one.slug}: {shorten(one.statement)}" if one.statement else f"{one.slug}: no rule of that name is in force"
    if one.quiet:
        return [head, "  never fired"]
    days = sorted(one.by(lambda count: count.day, *FIRED_OUTCOMES).items())[-DAYS:]
    rate = f"  fixed: {one.fixed} of {one.told} ({one.rate:.0%})" if one.rate is not None else ""
    noisy = "  it fires often and is rarely followed: see rulec why, rulec edit and rulec except" * one.noisy
    lines = [head, f"  {counts_in_words(one)}", rate, noisy, *(f"  {line}" for line in _sums([one]))]
    return [line for line in [*lines, "  by day: " + ", ".join(f"{day} {times}" for day, times in days)] if line]


LAST = 5  # findings that one rule's report names, so that a note can be written on one


def _last_findings(top: Path, slug: str) -> Iterator[str]:
    """The last findings in this machine's ledger, with their ids."""
    for line in [one for one in gate_ledger.ledger_entries(top, slug) if one.outcome in ENFORCEMENTS][-LAST:]:
        yield f"  finding {line.id}: {', '.join(filter(None, (line.at, line.event, line.agent, line.of)))}"


def _data(one: RuleActivity) -> dict[str, Any]:
    return {
        "slug": one.slug,
        "statement": one.statement,
        "acts": one.acts,
        "fired": one.fired,
        **{word: one.times(outcome) for outcome, word in OUTCOME_WORDS.items() if outcome != "fixed"},
        "fixed": one.fixed,
        "rate": None if one.rate is None else round(one.rate, 3),
        "repeated": sum(one.repeats.values()),
        "wrong": one.wrong,
        "unsure": one.unsure,
        "noisy": one.noisy,
        "last": one.last,
        "by_gate": dict(one.by(lambda count: count.gate, *FIRED_OUTCOMES)),
        "by_agent": dict(one.by(lambda count: count.agent, *FIRED_OUTCOMES)),
        "by_day": dict(sorted(one.by(lambda count: count.day, *FIRED_OUTCOMES).items())),
    }
