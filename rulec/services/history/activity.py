"""rulec report and rulec tally: what each rule did at the gates, as text, data or a page, and as evidence."""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from rulec import __version__
from rulec.checks import template_library
from rulec.domain.enforcement import ENFORCEMENTS, MODES
from rulec.domain.evidence import Evidence, FiringCount, LedgerLine
from rulec.domain.outcome import Outcome
from rulec.domain.text.one_line import shorten
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.gates.findings.verdicts import facts_now
from rulec.infra import clock, state, text_files
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.charts import MOST_RULES_DRAWN, draw_charts
from rulec.reports.followed_findings import FollowedFinding, fix_seconds, follow_findings, in_words
from rulec.reports.ledger_counts import (
    FIRED_OUTCOMES,
    GATE_TITLES,
    FoldedObservation,
    RuleActivity,
    account_by_rule,
    fold_into_evidence,
)
from rulec.reports.wording import count_of
from rulec.rulebook import evidence_file, file_paths, rulebook
from rulec.rulebook.confidence import to_seconds
from rulec.rulebook.rulebook import Rulebook, require_rule
from rulec.services import rulebook_commit
from rulec.services.rulebook_commit import ChangeTarget
from rulec.services.rules.exceptions import loosening_warning
from rulec.services.waiting_evidence import DISPUTES

OUTCOME_WORDS: dict[str, str] = {
    **{name: MODES[name].did for name in reversed(ENFORCEMENTS)},
    "waived": "waived",
    "lost": "lost",
    "fault": "broke",
    "fixed": "fixed",
    "suppressed": "suppressed",
}


def rule_accounts(top: Path, since: str = "") -> tuple[RuleActivity, ...]:
    """The account of each rule that gates enforce, from a day on, the noisiest first.

    No rule file is read: what is compiled says enough of its rules, and a thousand times faster.
    """
    rulebook_files.require_rulebook(top)
    facts = facts_now(rulebook_files.compiled_checks(rulebook_files.compiled_in_work_tree(top)))
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
    for item in (*evidence, *DISPUTES.waiting(top)):
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
    return ", ".join([*counts, *([f"{account.disputed} disputed"] if account.disputed else [])])


def account_of(evidence: Iterable[Evidence], slug: str, entries: Iterable[LedgerLine] = ()) -> RuleActivity:
    """What some evidence or ledger lines say of one rule."""
    return account_by_rule([RuleActivity(slug=slug)], entries, {slug: list(evidence)})[0]


_HALF = "tallying"  # what is being written: of an evidence the names of its lines
NAMED = 3
AHEAD = 86_400.0  # seconds that a clock may have been ahead


def tally_ledger(top: Path, onto: ChangeTarget, confirm: Callable[[str], bool]) -> Outcome:
    """Write the new lines of the ledger as evidence; no line is counted twice, even if the commit fails."""
    with rulebook_commit.open_rulebook(top, onto) as current:
        book, asked = current, list[Evidence]()
        while True:  # what another tally wrote while a person was asked is not written twice
            _finish(top)
            folded = untallied(top, book)
            disputes = [item for item in DISPUTES.waiting(top) if _own(book, item.slug)]
            evidence = [*(one.evidence for one in folded), *disputes]
            if not evidence:
                return Outcome("nothing new to tally")
            counted = [f"  {line}" for line in _rule_lines(evidence)]
            if evidence == asked:
                break
            question = "\n".join(["These counts become evidence:", *counted])
            if not rulebook_commit.ask_unlocked(top, onto, partial(confirm, question))[0]:
                return Outcome("nothing was written")
            asked, book = evidence, rulebook_commit.load_target_rulebook(top, onto)
        done = _written(top, onto, folded, evidence)
        return replace(done, text="\n".join([done.text, *counted, *_weaker(top, book, disputes)]))


def _own(book: Rulebook, slug: str) -> bool:
    """Whether evidence about the rule belongs into this rulebook: it is the team's, and in force."""
    rule = book.rule(slug)
    return rule is not None and rule.layer == "team"


def untallied(top: Path, book: Rulebook) -> tuple[FoldedObservation, ...]:
    """What the next tally would count, with the ids of its ledger lines."""
    known = {name for names in gate_ledger.folded_entries(top).values() for name in names}
    latest = (to_seconds(clock.now()) or 0.0) + AHEAD
    lines = (
        one for one in gate_ledger.ledger_entries(top) if one.id not in known and (to_seconds(one.at) or 0.0) <= latest
    )
    return fold_into_evidence(one for one in lines if _own(book, one.slug))


def _written(
    top: Path, onto: ChangeTarget, folded: Sequence[FoldedObservation], evidence: Sequence[Evidence]
) -> Outcome:
    marks = {evidence_file.evidence_id(one.evidence): list(one.lines) for one in folded}
    files = rulebook_commit.evidence_files(evidence)
    state.write_state(top, _HALF, {"branch": onto.branch, "paths": list(files), "marks": marks})
    done = rulebook_commit.commit_with_outcome(top, onto, files, _message(evidence), _what(evidence))
    _finish(top)
    return done


def _finish(top: Path) -> None:
    """Mark the lines of a committed tally as counted."""
    half = state.read_state(top, _HALF)
    if half is None:
        return
    if isinstance(half, Mapping) and half.get("paths"):
        there = rulebook_commit.target_rulebook_texts(top, ChangeTarget(branch=str(half.get("branch") or "")))
        if str(half["paths"][0]) in there:
            gate_ledger.record_folded(top, half["marks"])
            DISPUTES.drop(top, [item for item in DISPUTES.waiting(top) if file_paths.evidence_path(item) in there])
    state.remove_state(top, _HALF)


def _rule_lines(evidence: Sequence[Evidence]) -> list[str]:
    """One line for each rule about what was seen."""
    slugs = sorted({item.slug for item in evidence})
    lines = [
        f"{slug}: {counts_in_words(account_of([item for item in evidence if item.slug == slug], slug))}"
        for slug in slugs
    ]
    return lines + [_said(item) for item in evidence if item.kind == "counterexample"]


def _said(item: Evidence) -> str:
    about = f" ({' '.join((item.path or item.accepted).split())})" if item.path or item.accepted else ""
    return f'{item.slug} was wrong{about}: "{item.quote}"'


def _message(evidence: Sequence[Evidence]) -> str:
    """The commit message, with the trailers that log and why read."""
    slugs = sorted({item.slug for item in evidence})
    named = ", ".join(slugs[:NAMED]) + f" and {len(slugs) - NAMED} more" * (len(slugs) > NAMED)
    ids = ", ".join(evidence_file.evidence_id(item) for item in evidence)
    body = "\n".join(_rule_lines(evidence))
    because = f"{_what(evidence)}, which changes no rule"
    return f"Tally what gates saw\n\n{body}\n\nResolution: NOOP {named} -- {because}\nEvidence: {ids}\n"


def _what(evidence: Sequence[Evidence]) -> str:
    seen = sum(count.times for item in evidence for count in item.seen)
    disputed = sum(item.kind == "counterexample" for item in evidence)
    slugs = len({item.slug for item in evidence})
    more = f" and {count_of(disputed, 'dispute')}" * bool(disputed)
    return f"tallied {count_of(seen, 'observation')}{more}, about {count_of(slugs, 'rule')}"


def _weaker(top: Path, book: Rulebook, disputes: Sequence[Evidence]) -> list[str]:
    """A warning for each rule that the disputes keep from blocking."""
    lines = []
    for slug in sorted({item.slug for item in disputes}):
        own = tuple(item for item in disputes if item.slug == slug)
        after = replace(book, evidence={**book.evidence, slug: (*book.observed(slug), *own)})
        lines += loosening_warning(top, book, after, rulebook.require_team_rule(book, slug))
    return lines


NEVER = 400  # names that a page lists


def followed_findings(top: Path, since: str = "") -> list[FollowedFinding]:
    """The findings in this machine's ledger that were shown from a day on, each with what became of it."""
    return [one for one in follow_findings(gate_ledger.ledger_entries(top)) if one.at[:10] >= since]


def report_page(
    found: Sequence[RuleActivity], *, name: str, since: str, now: str, followed: Sequence[FollowedFinding] = ()
) -> str:
    """The HTML page; the template escapes all text."""
    library = template_library.open_library()
    style = library.render("report/page.css", {}) + library.render("report/plots.css", {})
    context = {
        "name": name,
        "version": __version__,
        "style": style,
        "policy": base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        **report_facts(found, followed, since=since, now=now),
    }
    return library.render("report/page.html.j2", context).rstrip("\n")


def report_facts(
    found: Sequence[RuleActivity], followed: Sequence[FollowedFinding], *, since: str, now: str
) -> dict[str, Any]:
    """What the report's body, ``report/body.html.j2``, shows."""
    seen = [one for one in found if not one.quiet]
    never = sorted(one.slug for one in found if one.quiet and one.acts != "remind")
    told, fixed = sum(one.told for one in seen), sum(one.fixed for one in seen)
    return {
        "since": since,
        "now": now,
        "seen": seen,
        "never": never[:NEVER],
        "unnamed": len(never[NEVER:]),
        "drawing": draw_charts(found, now[:10], followed),
        "repeated": sum(sum(one.repeats.values()) for one in seen),
        "seconds": fix_seconds(followed),
        "in_words": in_words,
        "most": MOST_RULES_DRAWN,
        "gates": GATE_TITLES,
        "fired": sum(one.fired for one in seen),
        "told": told,
        "fixed": fixed,
        "suppressed": sum(one.times("suppressed") for one in seen),
        "disputed": sum(one.disputed for one in seen),
        "noisy": sum(one.noisy for one in seen),
        "agents": sorted({count.agent for one in seen for count in one.counts if count.agent}),
    }


FORMS = ("text", "json", "html")
MOST_NEVER = 20  # rules that never fired
DAYS = 14  # that one rule's report lists
MARK = "noisy"


def report_rules(top: Path, slug: str, since: str, form: str, out: str) -> Outcome:
    """All rules or one, from a day on, as text, as data or as a page that stands alone; into a file where one is named.

    It counts the lines of this machine's ledger that are not tallied yet, and the evidence that all others are.
    """
    if form not in FORMS:
        raise RulecError(f"no format {form!r}", hint=f"known are {', '.join(FORMS)}")
    found = [one for one in rule_accounts(top, day_of(since)) if not slug or one.slug == slug]
    if slug and not found:
        rule = require_rule(rulebook_files.load_rulebook(top), slug)  # one that has nothing to check with, or a refusal
        found = [RuleActivity(slug=slug, statement=rule.statement, acts="remind")]
    if form == "html":
        followed = [one for one in followed_findings(top, day_of(since)) if slug in ("", one.slug)]
        text = report_page(found, name=top.resolve().name, since=since, now=clock.now(), followed=followed)
        return _put(text, out)
    text = "\n".join([*_one_rule(found[0]), *_last_findings(top, slug)] if slug else _all_rules(found, since))
    seconds = fix_seconds(followed_findings(top, day_of(since)))
    data = {"since": since, "rules": [_data(one) | {"seconds_to_fix": seconds.get(one.slug)} for one in found]}
    shown = json.dumps(data, ensure_ascii=False, indent=1) if form == "json" else text
    return _put(shown, out) if out else Outcome(text, data=data)


def day_of(since: str) -> str:
    """A day as it was typed; RulecError where it is none."""
    if not since:
        return ""
    try:
        return date.fromisoformat(since).isoformat()
    except ValueError:
        raise RulecError(f"--since {since[:40]!r} is no day", hint="such as 2026-11-01") from None


def _put(text: str, out: str) -> Outcome:
    if not out:
        return Outcome(text)
    path = Path(out)
    if path.is_dir():
        raise RulecError("is a folder", where=out, hint="name a file in it")
    text_files.write_atomically(path, f"{text.rstrip()}\n".encode("utf-8", "replace"), mode=0o644)
    return Outcome(f"wrote {out}")


def _all_rules(found: Sequence[RuleActivity], since: str) -> list[str]:
    seen = [one for one in found if not one.quiet]
    never = [one.slug for one in found if one.quiet and one.acts != "remind"]
    span = f"since {since}" if since else "so far"
    fired = sum(one.fired for one in seen)
    head = f"{span}: {count_of(fired, 'finding')} of {count_of(len(seen), 'rule')}"
    more = f" and {len(never) - MOST_NEVER} more" * (len(never) > MOST_NEVER)
    ending = [f"never fired: {', '.join(sorted(never)[:MOST_NEVER])}{more}"] * bool(never)
    return [head, *_table(seen), *_sums(seen), *ending]


_HEADS = (
    "fired",
    *(MODES[mode].did for mode in reversed(ENFORCEMENTS)),
    "fixed",
    "suppressed",
    "disputed",
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
    numbers = [one.times("suppressed"), one.disputed, one.unsure, one.times("fault")]
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
    noisy = "  it fires often and is rarely followed: see rulec why, rulec edit and rulec exception" * one.noisy
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
        "disputed": one.disputed,
        "unsure": one.unsure,
        "noisy": one.noisy,
        "last": one.last,
        "by_gate": dict(one.by(lambda count: count.gate, *FIRED_OUTCOMES)),
        "by_agent": dict(one.by(lambda count: count.agent, *FIRED_OUTCOMES)),
        "by_day": dict(sorted(one.by(lambda count: count.day, *FIRED_OUTCOMES).items())),
    }
