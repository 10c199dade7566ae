"""rulec report: what each rule did at the gates, the noisiest first, as text, data or one HTML page."""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from rulec import __version__
from rulec.checks import template_library
from rulec.domain.enforcement import ENFORCEMENTS
from rulec.domain.evidence import FiringCount
from rulec.domain.outcome import Outcome
from rulec.domain.text.one_line import shorten
from rulec.errors import RulecError
from rulec.infra import clock, text_files
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.charts import MOST_RULES_DRAWN, draw_charts
from rulec.reports.ledger_counts import FIRED_OUTCOMES, GATE_TITLES, RuleActivity
from rulec.reports.wording import count_of
from rulec.rulebook.rulebook import require_rule
from rulec.services.history import tally
from rulec.services.history.tally import OUTCOME_WORDS

NEVER = 400  # names that a page lists


def report_page(found: Sequence[RuleActivity], *, name: str, since: str, now: str) -> str:
    """The HTML page; the template escapes all text."""
    library = template_library.open_library()
    style = library.render("report/page.css", {})
    seen = [one for one in found if not one.quiet]
    never = sorted(one.slug for one in found if one.quiet and one.acts != "remind")
    told, fixed = sum(one.told for one in seen), sum(one.fixed for one in seen)
    context = {
        "name": name,
        "since": since,
        "now": now,
        "version": __version__,
        "style": style,
        "policy": base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        "seen": seen,
        "never": never[:NEVER],
        "unnamed": len(never[NEVER:]),
        "drawing": draw_charts(found, now[:10]),
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
    return library.render("report/page.html.j2", context).rstrip("\n")


FORMS = ("text", "json", "html")
NAMED = 20  # rules that never fired
DAYS = 14  # that one rule's report lists
MARK = "noisy"


def report_rules(top: Path, slug: str, since: str, form: str, out: str) -> Outcome:
    """All rules or one, from a day on, as text, as data or as a page that stands alone; into a file where one is named.

    It counts the lines of this machine's ledger that are not tallied yet, and the evidence that all others are.
    """
    if form not in FORMS:
        raise RulecError(f"no format {form!r}", hint=f"known are {', '.join(FORMS)}")
    found = [one for one in tally.rule_accounts(top, _day(since)) if not slug or one.slug == slug]
    if slug and not found:
        rule = require_rule(rulebook_files.load_rulebook(top), slug)  # one that has nothing to check with, or a refusal
        found = [RuleActivity(slug=slug, statement=rule.statement, acts="remind")]
    if form == "html":
        text = report_page(found, name=top.resolve().name, since=since, now=clock.now())
        return _put(text, out)
    text = "\n".join(_one(found[0]) if slug else _all(found, since))
    data = {"since": since, "rules": [_data(one) for one in found]}
    shown = json.dumps(data, ensure_ascii=False, indent=1) if form == "json" else text
    return _put(shown, out) if out else Outcome(text, data=data)


def _day(since: str) -> str:
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


def _all(found: Sequence[RuleActivity], since: str) -> list[str]:
    seen = [one for one in found if not one.quiet]
    never = [one.slug for one in found if one.quiet and one.acts != "remind"]
    span = f"since {since}" if since else "so far"
    fired = sum(one.fired for one in seen)
    head = f"{span}: {count_of(fired, 'finding')} of {count_of(len(seen), 'rule')}"
    more = f" and {len(never) - NAMED} more" * (len(never) > NAMED)
    ending = [f"never fired: {', '.join(sorted(never)[:NAMED])}{more}"] * bool(never)
    return [head, *_table(seen), *_sums(seen), *ending]


_HEADS = ("fired", "blocked", "warned", "noted", "fixed", "suppressed", "disputed", "unsure", "broke", "last")


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


def _one(one: RuleActivity) -> list[str]:
    head = f"{one.slug}: {shorten(one.statement)}" if one.statement else f"{one.slug}: no rule of that name is in force"
    if one.quiet:
        return [head, "  never fired"]
    days = sorted(one.by(lambda count: count.day, *FIRED_OUTCOMES).items())[-DAYS:]
    rate = f"  fixed: {one.fixed} of {one.told} ({one.rate:.0%})" if one.rate is not None else ""
    noisy = "  it fires often and is rarely followed: see rulec why, rulec edit and rulec exception" * one.noisy
    lines = [head, f"  {tally.counts_in_words(one)}", rate, noisy, *(f"  {line}" for line in _sums([one]))]
    return [line for line in [*lines, "  by day: " + ", ".join(f"{day} {times}" for day, times in days)] if line]


def _data(one: RuleActivity) -> dict[str, Any]:
    return {
        "slug": one.slug,
        "statement": one.statement,
        "acts": one.acts,
        "fired": one.fired,
        **{word: one.times(outcome) for outcome, word in OUTCOME_WORDS.items() if outcome != "fixed"},
        "fixed": one.fixed,
        "rate": None if one.rate is None else round(one.rate, 3),
        "disputed": one.disputed,
        "unsure": one.unsure,
        "noisy": one.noisy,
        "last": one.last,
        "by_gate": dict(one.by(lambda count: count.gate, *FIRED_OUTCOMES)),
        "by_agent": dict(one.by(lambda count: count.agent, *FIRED_OUTCOMES)),
        "by_day": dict(sorted(one.by(lambda count: count.day, *FIRED_OUTCOMES).items())),
    }
