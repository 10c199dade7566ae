"""One rule in full, as it is shown: its file, what is compiled of it, its words, where it acts, quotes and proof."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulec.compiling import effective_enforcement
from rulec.compiling.artifacts import blind_spots, compile_rule
from rulec.domain.artifact import is_judge_check, slug_of_artifact
from rulec.domain.enforcement import ENFORCEMENTS, MODES
from rulec.domain.evidence import Evidence
from rulec.domain.rule import Rule
from rulec.gates import gate_ledger, personal_rules
from rulec.gates.findings import rule_proof
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.judging import judge_standing
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.ledger_counts import GATE_TITLES
from rulec.reports.rule_lines import example_line
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rule_file import SLUG_PATTERN
from rulec.rulebook.rulebook import Rulebook, require_rule
from rulec.services import gates_here, rulebook_commit
from rulec.services.browsing import rule_cards
from rulec.services.browsing.rule_cards import RuleCard
from rulec.services.history import rule_history
from rulec.services.rulebook_commit import HEAD
from rulec.services.rules import rule_list

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
class RuleView:
    """All that is known of one rule."""

    slug: str
    rule: Rule
    card: RuleCard | None  # None of a rule that is not in force
    statement: str
    revision: int
    state: str  # see rulebook_commit.rule_state
    path: str
    text: str
    own: bool = False  # of the personal rulebook
    layer: str = "team"
    whose: tuple[str, ...] = ()  # a line on whose rule it is, none of the team's
    facts: tuple[tuple[str, str], ...] = ()
    artifacts: tuple[tuple[str, str], ...] = ()  # path and text
    not_checked: tuple[str, ...] = ()
    audiences: tuple[tuple[str, str], ...] = ()  # whom it holds for, and where it is checked
    proof: str = ""
    judge: str = ""
    examples: int = 0
    quotes: tuple[RuleQuote, ...] = ()
    findings: tuple[GateFinding, ...] = ()

    @property
    def several(self) -> bool:
        """Whether it has checks that look at different things."""
        return len({(check.template, check.line) for check in self.rule.checks}) > 1


def find_rule(top: Path, slug: str) -> tuple[Path, Rulebook, Rule | None]:
    """The repository that holds the rule, its rulebook and the rule, None where it is not in force.

    The other rules of the rulebook are there only where the rule follows from some of them.
    """
    here = personal_rules.holding_repository(top, slug)
    rulebook_files.require_rulebook(here)
    if not SLUG_PATTERN.fullmatch(slug):
        return here, Rulebook(), None
    files = rulebook_files.texts_about(here, slug)
    book = rulebook_files.parse_rulebook(files, own=rulebook_files.is_personal(here))
    rule = book.rule(slug)
    if rule and (rule.refines or rule.formerly):
        book = rulebook_files.load_rulebook(here)
    return here, book, rule


def require_one_rule(top: Path, slug: str) -> tuple[Path, Rulebook, Rule]:
    """The same of a rule in force; RulecError that names near ones where there is none."""
    here, book, rule = find_rule(top, slug)
    return here, book, rule or require_rule(rulebook_files.load_rulebook(here), slug)


def rule_view(top: Path, slug: str) -> RuleView | None:
    """A rule in force or archived, or the one into which it was merged; None where there is none of that name."""
    if not SLUG_PATTERN.fullmatch(slug):
        return None
    slug = rule_list.follow_name(top, slug)
    here, book, rule = find_rule(top, slug)
    in_force = rule is not None
    if rule is None:
        rule = rule_history.rule_in_files(rulebook_files.rule_texts(here, [slug]), slug)
    if rule is None:
        return None
    path = rule.source or file_paths.rule_path(slug)
    evidence = book.observed(slug)
    compiled = rulebook_files.compiled_texts(here, [slug]) if in_force else {}
    return RuleView(
        slug=slug, rule=rule, card=rule_cards.rule_card(here, book, rule) if in_force else None,
        statement=" ".join(rule.statement.split()), revision=rule.revision,
        state=rulebook_commit.rule_state(here, HEAD, slug), path=path,
        text=_text_of(here, path), own=here != top, layer=rule.layer,
        whose=tuple(personal_rules.layer_lines(here, rule)),
        not_checked=(*rule.not_checked, *blind_spots(rule, here)),
        facts=tuple((name, text) for name, text in _rule_texts(rule) if text),
        artifacts=tuple((name, text) for name, text in sorted(compiled.items()) if slug_of_artifact(name) == slug),
        audiences=tuple(_audiences(here, book, rule)) if in_force else (),
        proof=_proof_words(here, book, rule) if in_force else "",
        judge=judge_standing.judge_line(book, rule, here) if in_force and judge_standing.has_judge(rule) else "",
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


def _rule_texts(rule: Rule) -> Iterator[tuple[str, str]]:
    yield from (("when", rule.when), ("instead", rule.do), ("because", rule.rationale))
    yield "at steps of plans", "" if rule.level == "auto" else rule.level
    yield "in place of", ", ".join(rule.supersedes)
    yield "no longer in force, superseded by", rule.superseded_by
    yield "no longer in force, retired", rule.retired


def _audiences(top: Path, book: Rulebook, rule: Rule) -> Iterator[tuple[str, str]]:
    moments = gates_here.moments_of_checks(compile_rule(book, rule, top))
    yield from gates_here.audience_rows(gates_here.gates_of_layer(top, book), moments, rule)


def _proof_words(top: Path, book: Rulebook, rule: Rule) -> str:
    artifacts = compile_rule(book, rule, top)
    acts = facts_by_slug(artifacts)[rule.slug].enforcement if artifacts else "remind"
    machines = [artifact for artifact in artifacts if not is_judge_check(artifact)]
    proved = rule_proof.is_proved(book, rule, artifacts)
    state = "proved" if proved else "not proved, so it is not in force: run rulec compile"
    state = state if machines else "nothing to prove"
    why = effective_enforcement.why_only_audits(rule)
    state += f"; {why}" * bool(why)
    unsure = f"where it is not certain, at most {rule.on_unsure}"
    return f"{state}; what it finds: {acts}; where its check breaks: {rule.on_error}; {unsure}"
