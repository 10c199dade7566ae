"""One rule in full: its file, what is compiled of it, its words, quotes and examples."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.artifact import slug_of_artifact
from rulec.domain.enforcement import ENFORCEMENTS, MODES
from rulec.domain.evidence import Evidence
from rulec.gates import gate_ledger, personal_rules
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.ledger_counts import GATE_TITLES
from rulec.reports.rule_lines import example_line
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rule_file import SLUG_PATTERN
from rulec.services import rulebook_commit
from rulec.services.browsing import rule_cards
from rulec.services.browsing.one_rule import find_rule
from rulec.services.browsing.rule_cards import RuleCard
from rulec.services.history import rule_history, why
from rulec.services.rulebook_commit import HEAD
from rulec.services.rules import former_names

LAST = 10  # findings that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleQuote:
    """What somebody said about a rule."""

    id: str  # of the evidence
    kind: str
    words: str
    at: str = ""
    agent: str = ""
    session: str = ""  # the transcript's, or the document that it stands in
    turn: int = -1
    offence: str = ""
    accepted: str = ""
    path: str = ""
    case: str = ""
    should: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFinding:
    """A line of the ledger of this machine."""

    id: str
    at: str
    gate: str
    outcome: str
    agent: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDetails:
    """All that is known of one rule."""

    slug: str
    card: RuleCard | None  # None of a rule that is not in force
    statement: str
    revision: int
    state: str  # see rulebook_commit.rule_state
    path: str
    text: str
    own: bool = False  # of the personal rulebook
    layer: str = "team"
    facts: tuple[tuple[str, str], ...] = ()
    artifacts: tuple[tuple[str, str], ...] = ()  # path and text
    proof: str = ""
    examples: int = 0
    quotes: tuple[RuleQuote, ...] = ()
    findings: tuple[GateFinding, ...] = ()


def rule_details(top: Path, slug: str) -> RuleDetails | None:
    """A rule in force or archived, or the one into which it was merged; None where there is none of that name."""
    if not SLUG_PATTERN.fullmatch(slug):
        return None
    slug = former_names.follow_name(top, slug)
    here, book, rule = find_rule(top, slug)
    in_force = rule is not None
    if rule is None:
        rule = rule_history.rule_in_files(rulebook_files.rule_texts(here, [slug]), slug)
    if rule is None:
        return None
    path = rule.source or file_paths.rule_path(slug)
    evidence = book.observed(slug)
    compiled = rulebook_files.compiled_texts(here, [slug]) if in_force else {}
    return RuleDetails(
        slug=slug, card=rule_cards.rule_card(here, book, rule) if in_force else None,
        statement=" ".join(rule.statement.split()), revision=rule.revision,
        state=rulebook_commit.rule_state(here, HEAD, slug), path=path,
        text=_text_of(here, path), own=here != top, layer=rule.layer,
        facts=tuple((name, text) for name, text in why.rule_texts(rule) if text),
        artifacts=tuple((name, text) for name, text in sorted(compiled.items()) if slug_of_artifact(name) == slug),
        proof=why.proof_words(here, book, rule) if in_force else "",
        examples=len(rule.invalid) + len(rule.valid),
        quotes=tuple(_quote_of(item) for item in sorted(evidence, key=lambda e: e.at) if _is_said(item)),
        findings=tuple(_findings(top, slug)),
    )  # fmt: skip


def is_as_seen(top: Path, slug: str, state: str) -> bool:
    """Whether a rule is still in the state that was shown."""
    return rulebook_commit.rule_state(personal_rules.holding_repository(top, slug), HEAD, slug) == state


def _text_of(top: Path, path: str) -> str:
    return (top / path).read_text("utf-8", "replace")


def _is_said(item: Evidence) -> bool:
    return bool(item.quote) and item.kind != "revised"


def _quote_of(item: Evidence) -> RuleQuote:
    return RuleQuote(
        id=evidence_file.evidence_id(item), kind=item.kind, words=item.quote, at=item.at, agent=item.agent,
        session=item.transcript, turn=item.turn, offence=item.offence, accepted=item.accepted, path=item.path,
        case=example_line(item.example) if item.example else "", should=item.should,
    )  # fmt: skip


def _findings(top: Path, slug: str) -> Iterator[GateFinding]:
    """The last findings in this machine's ledger, the newest first."""
    found = [one for one in gate_ledger.ledger_entries(top, slug) if one.outcome in ENFORCEMENTS]
    for one in reversed(found[-LAST:]):
        gate = GATE_TITLES.get(one.event, one.event)
        did = MODES[one.outcome].did
        yield GateFinding(id=one.id, at=one.at, gate=gate, outcome=did, agent=one.agent, of=one.of)
