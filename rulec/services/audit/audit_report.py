"""An audit as text for a screen, as Markdown, as a page and as data."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulec import __version__
from rulec.checks import template_library
from rulec.domain.outcome import Outcome
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import clock
from rulec.reports.wording import clip_line, code_span, count_of
from rulec.services.audit.audit import Audit
from rulec.services.audit.corrections import RepeatedCorrection
from rulec.services.audit.instructions import AuditedRule
from rulec.services.audit.sessions import Deed, RuleRecord

FORMS = ("text", "json", "markdown", "html")
_MOST = 10  # rules of a kind on one screen; the other forms have all
_QUOTE = 100  # characters of a sentence on a line


def audit_outcome(audits: Sequence[Audit], form: str) -> Outcome:
    """The report in one of the forms."""
    if form not in FORMS:
        raise RulecError(f"unknown format {form!r}", where="--format", hint=f"use {' or '.join(FORMS)}")
    data = [audit_data(one) for one in audits]
    if form == "text":
        return Outcome("\n\n".join("\n".join(_screen(one)) for one in audits), data=data)
    if form == "json":
        return Outcome(data=data if len(data) > 1 else data[0])
    library = template_library.open_library()
    shown = {
        "audits": [_Shown.of(one) for one in audits],
        "version": __version__,
        "now": clock.now(),
        "code": code_span,
    }
    if form == "markdown":
        return Outcome(library.render("report/audit.md.j2", shown).strip())
    style = library.render("report/page.css", {})
    policy = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return Outcome(library.render("report/audit.html.j2", {**shown, "style": style, "policy": policy}).strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShownRule:
    """One rule in sentences."""

    place: str
    quote: str
    lines: tuple[str, ...]  # how often, and what a check would have done
    example: str = ""  # the last action that broke it
    example_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """An audit in sentences: what every form but JSON shows."""

    head: str
    broken: tuple[_ShownRule, ...]
    repeated: tuple[_ShownRule, ...]
    kept: tuple[_ShownRule, ...]
    unjudged: tuple[_ShownRule, ...]
    notes: tuple[str, ...]
    next: str

    @staticmethod
    def of(audit: Audit) -> "_Shown":
        broken = audit.broken
        unjudged = [(rule, rule.unjudged) for rule in audit.instructions.rules if rule.unjudged]
        unjudged += [(one.rule, f"its check could not be run: {one.fault}") for one in audit.records if one.fault]
        return _Shown(
            head=_head(audit),
            broken=tuple(_broken(one, len(audit.sessions)) for one in broken),
            repeated=tuple(_correction(one) for one in audit.repeated),
            kept=tuple(
                _rule(one.rule, _kept_line(one, len(audit.sessions)))
                for one in audit.records
                if not (one.breaches or one.fault)
            ),
            unjudged=tuple(_rule(rule, why) for rule, why in unjudged),
            notes=tuple(_notes(audit)),
            next=_next(audit),
        )


def _head(audit: Audit) -> str:
    days = " to ".join(dict.fromkeys(audit.days))
    documents = ", ".join(audit.instructions.documents) or "no instruction document"
    many = count_of(len(audit.instructions.rules), "instruction")
    of = f"{many} in {documents}" if audit.instructions.documents else documents
    return f"{audit.top.name}: {of}; {count_of(len(audit.sessions), 'session')}{f', {days}' * bool(days)}"


def _rule(rule: AuditedRule, *lines: str) -> _ShownRule:
    return _ShownRule(place=rule.place, quote=clip_line(redact(rule.quote), _QUOTE), lines=lines)


def _broken(record: RuleRecord, sessions: int) -> _ShownRule:
    breaches = record.breaches
    last = max(breaches, key=lambda deed: deed.at)
    where = {deed.session for deed in breaches}
    kept = len(record.kept - where)
    counted = (
        f"broken {_times(len(breaches))} in {len(where)} of {count_of(sessions, 'session')}"
        f"{f', kept in {kept}' * bool(kept)}{f', last on {last.at}' * bool(last.at)}"
    )
    return replace(
        _rule(record.rule, counted, _stopped(record)),
        example=last.text,
        example_at=f"{last.session.name}:{last.line}",
    )


def _stopped(record: RuleRecord) -> str:
    """What its proved check would have done in these sessions."""
    innocents = record.innocents
    asked, early = sum(one.asked for one in innocents), sum(one.early and not one.asked for one in innocents)
    others = [f"{asked} that you had asked for"] * bool(asked) + [f"{early} from before it was written"] * bool(early)
    also = f", and {' and '.join(others)}" if others else ", and nothing else here"
    return f"a check would have stopped {'it' if len(record.breaches) == 1 else 'each of them'}{also}"


def _kept_line(record: RuleRecord, sessions: int) -> str:
    if record.kept:
        return f"kept in {len(record.kept)} of {count_of(sessions, 'session')}"
    return "no occasion was seen since it was written" if record.innocents else "no occasion was seen"


def _correction(one: RepeatedCorrection) -> _ShownRule:
    last = one.times[-1]
    lines = [f"said {_times(len(one.times))}, in {count_of(len({time.session for time in one.times}), 'session')}"]
    if one.stopped:
        lines.append(f"after the first time, a check would have stopped {one.stopped} of {len(one.times) - 1}")
    place = f"{last.session.name}:{last.line}"
    return _ShownRule(place=place, quote=clip_line(last.quote, _QUOTE), lines=tuple(lines))


def _notes(audit: Audit) -> Iterator[str]:
    if audit.unread:
        look = "message looks like a correction" if audit.unread == 1 else "messages look like corrections"
        read = "your agent can: rulec ingest --backend exchange"
        yield f"{audit.unread} {look} of which rulec alone makes no check; {read}"
    if audit.instructions.others:
        many = count_of(len(audit.instructions.others), "sentence")
        yield f"not taken for an instruction: {many} of the documents; a model reads them all"
    yield from (f"passed over: {shorten(one)}" for one in audit.unreadable)


def _next(audit: Audit) -> str:
    many = len(audit.proposals())
    if many:
        what = "a rule with its check" if many == 1 else f"{many} rules with their checks"
        return f"rulec init --from-audit   # proposes {what}"
    return "rulec add TEXT   # a rule of your own"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _screen(audit: Audit) -> Iterator[str]:
    shown = _Shown.of(audit)
    yield shown.head
    yield from _section("broken", shown.broken)
    yield from _section("corrected more than once", shown.repeated)
    yield from _section("not broken", shown.kept, short=True)
    yield from _section("not judged", shown.unjudged, short=True)
    yield from ("", *shown.notes) if shown.notes else ()
    yield from ("", f"next: {shown.next}")


def _section(title: str, rules: Sequence[_ShownRule], *, short: bool = False) -> Iterator[str]:
    if not rules:
        return
    yield from ("", title)
    for one in rules[:_MOST]:
        if short:
            yield f"  {one.place}  {one.quote}  ({'; '.join(one.lines)})"
        else:
            yield f"  {one.place}  {one.quote}"
            yield from (f"      {line}" for line in one.lines)
            yield from [f"      {one.example}  ({one.example_at})"] * bool(one.example)
    if len(rules) > _MOST:
        yield f"  and {len(rules) - _MOST} more; --format markdown has all"


def audit_data(audit: Audit) -> dict[str, Any]:
    """The audit for programs: each instruction with what each session shows of it."""
    return {
        "folder": str(audit.top),
        "documents": list(audit.instructions.documents),
        "sessions": [str(path) for path in audit.sessions],
        "days": audit.days,
        "instructions": [
            *(_record_data(one, audit) for one in audit.records),
            *(
                {"place": one.place, "quote": redact(one.quote), "unjudged": one.unjudged}
                for one in audit.instructions.rules
                if one.unjudged
            ),
        ],
        "no_instructions": [{"place": place, "quote": quote} for place, quote in audit.instructions.others],
        "repeated": [
            {
                "statement": one.candidate.rule.statement,
                "would_have_stopped": one.stopped,
                "times": [
                    {"session": str(time.session), "line": time.line, "at": time.at, "quote": time.quote}
                    for time in one.times
                ],
            }
            for one in audit.repeated
        ],
        "unread_corrections": audit.unread,
        "passed_over": audit.unreadable,
    }


def _record_data(record: RuleRecord, audit: Audit) -> dict[str, Any]:
    return {
        "place": record.rule.place,
        "quote": redact(record.rule.quote),
        "slug": record.rule.rule.slug,
        "checks": [{"template": one.template, "with": one.parameters} for one in record.rule.rule.checks],
        "fault": record.fault,
        "sessions": {str(path): record.verdict_in(path) for path in audit.sessions},
        "breaches": [_deed_data(one) for one in record.breaches],
        "innocents": [_deed_data(one) | {"asked": one.asked, "early": one.early} for one in record.innocents],
    }


def _deed_data(deed: Deed) -> dict[str, Any]:
    return {"session": str(deed.session), "line": deed.line, "at": deed.at, "text": deed.text}
