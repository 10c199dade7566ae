"""rulec why: the origin of a rule, decisions about it, what it caught, its proof and its confidence."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from rulec.checkout import rules_layout
from rulec.compiling import effective_enforcement
from rulec.compiling.artifacts import blind_spots, compile_rule
from rulec.domain import rule
from rulec.domain.artifact import is_judge_check
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.gates import gate_ledger, personal_rules
from rulec.gates.findings import contradictions, rule_proof
from rulec.gates.findings.verdicts import facts_now
from rulec.gates.judging import judge_standing
from rulec.infra import clock
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.ledger_counts import FIRED_OUTCOMES
from rulec.reports.rule_lines import check_in_full, example_line
from rulec.reports.wording import revision_lines, revisions_of
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook, require_rule
from rulec.services import gates_here, rulebook_commit
from rulec.services.history import activity, rule_history
from rulec.services.rules import exception_proposals
from rulec.services.rules.refinements import refinement_lines
from rulec.tamper import gate_protection

BUILT_IN_RULES = {
    rule.WEAKENED: f"""{rule.WEAKENED}: {rule.WEAKENED_STATEMENT}
  with rulec: at a commit it blocks, in CI it warns (weakened: block in {file_paths.CONFIG} makes it block there, too)
  why: a change is judged by the rules that it cannot edit, and may not take them away for the next one
  instead: take it back, or let a person run rulec approve on what is staged; in CI its owners approve in the review""",
    rule.PROTECTED_PATHS: f"""{rule.PROTECTED_PATHS}: {rule.PROTECTED_PATHS_STATEMENT}
  with rulec: protected in {file_paths.CONFIG} names the paths; agents' hooks refuse every write there
  and git's hooks every change, until a person runs rulec approve; CI warns (weakened: block makes it block there, too)
  instead: {rule.PROTECTED_PATHS_CURE}""",
    rules_layout.GATE_SLUG: f"""{rules_layout.GATE_SLUG}: {gate_protection.GATE_RULE["facts"]["statement"]}
  with rulec: agents' hooks refuse what would take a gate away, or speak for the person
  instead: {gate_protection.GATE_CURE}""",
}


def explain_rule(top: Path, slug: str) -> Outcome:
    """The quotes behind a rule, every decision, what it caught and let pass, its proof and its confidence."""
    if slug in BUILT_IN_RULES:
        return Outcome(BUILT_IN_RULES[slug])
    top = personal_rules.holding_repository(top, slug)
    files = rulebook_files.rulebook_texts(top)
    book = rulebook_files.load_rulebook(top)
    rule = book.rule(slug) or rule_history.rule_in_files(files, slug)
    if rule is None:  # a rule that was rolled back to nothing has its history all the same
        lines = list(rule_history.history_lines(top, slug, files))
        if not lines:
            require_rule(book, slug)
        return Outcome("\n".join([f"{slug} is no longer a rule", *(f"  {line}" for line in lines)]))
    return Outcome("\n".join([*personal_rules.layer_lines(top, rule), *_explanation(top, files, book, rule)]))


def _explanation(top: Path, files: Mapping[str, str], book: Rulebook, rule: Rule) -> Iterator[str]:
    evidence = book.observed(rule.slug)
    yield f"{rule.slug}@{rule.revision}: {' '.join(rule.statement.split())}"
    yield from (f"  {name}: {text}" for name, text in rule_texts(rule) if text)
    yield from (f"  {text}" for text in refinement_lines(book, rule))
    for item in sorted((e for e in evidence if e.quote and e.kind != "revised"), key=lambda e: e.at):
        yield from _quote_lines(item)
    yield from (f"  check: {check_in_full(check, 4)}" for check in rule.checks)
    yield from (f"  not checked: {text}" for text in (*rule.not_checked, *blind_spots(rule, top)))
    if book.rule(rule.slug):
        moments = gates_here.moments_of_checks(compile_rule(book, rule, top))
        here = gates_here.gates_of_layer(top, book)
        yield from (f"  {who}: {words}" for who, words in gates_here.audience_rows(here, moments, rule))
        yield f"  proof: {proof_words(top, book, rule)}"
    if book.rule(rule.slug) and judge_standing.has_judge(rule):
        yield f"  judge: {judge_standing.judge_line(book, rule, top)}"
    yield from (f"  {text}" for text in exception_proposals.exception_lines(top, book, rule, evidence))
    yield from (f"  {text}" for text in contradiction_lines(top, rule))
    yield from (f"  {text}" for text in _revision_lines(top, rule, evidence))
    yield from (f"  {text}" for text in caught_lines(top, rule, evidence))
    yield from (f"  {text}" for text in confidence_lines(top, book, rule))
    yield from (f"  {text}" for text in rule_history.history_lines(top, rule.slug, files))


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
        yield f"  at the gates (ledger and tallied evidence): caught {before} before {day}, {since} since"


def contradiction_lines(top: Path, rule: Rule) -> Iterator[str]:
    """Rules that contradict this one, and which of them takes precedence."""
    artifacts = rulebook_files.compiled_checks(rulebook_files.compiled_in_work_tree(top))
    yield from contradictions.describe_contradictions(artifacts, facts_now(artifacts), rule.slug)


def confidence_lines(top: Path, book: Rulebook, rule: Rule) -> Iterator[str]:
    fired = gate_ledger.ledger_entries(top, rule.slug)
    sure = book.sure(rule, at=clock.now(), mattered=fired[-1].at if fired else "")
    yield f"confidence: {sure.arithmetic}"
    acts = rulebook_commit.enforcement_in_effect(book, rule, top) or "remind"
    if end := effective_enforcement.describe_end(rule, sure, acts):
        yield f"end: {end}"
    stands = "still enforced" if sure.active or rule.enforcement != "auto" else "not enforced"
    told = "told to agents" if sure.state != "dormant" and stands == "still enforced" else "no longer told to agents"
    flag = f"; {sure.state}: {stands}, {'and' if told == 'told to agents' else 'but'} {told}" * (sure.state != "fresh")
    since = "somebody last spoke for or against it" if sure.corrected else "it was last mentioned or fired"
    yield f"freshness: {sure.freshness:.2f} since {since}{flag}"


def rule_texts(rule: Rule) -> Iterator[tuple[str, str]]:
    yield from (("when", rule.when), ("instead", rule.do), ("because", rule.rationale))
    yield "at steps of plans", "" if rule.level == "auto" else rule.level
    yield "in place of", ", ".join(rule.supersedes)
    yield "no longer in force, superseded by", rule.superseded_by
    yield "no longer in force, retired", rule.retired


def proof_words(top: Path, book: Rulebook, rule: Rule) -> str:
    artifacts = compile_rule(book, rule, top)
    acts = facts_now(artifacts)[rule.slug].enforcement if artifacts else "remind"
    machines = [artifact for artifact in artifacts if not is_judge_check(artifact)]
    proved = rule_proof.is_proved(book, rule, artifacts)
    state = "proved" if proved else "not proved, so it is not in force: run rulec compile"
    state = state if machines else "nothing to prove"
    why = effective_enforcement.why_only_audits(rule)
    state += f"; {why}" * bool(why)
    unsure = f"; when it is not certain: at most {rule.on_unsure}"
    return f"{state}; on a finding it does: {acts}; when its check breaks: {rule.on_error}{unsure}"


def _quote_lines(item: Evidence) -> Iterator[str]:
    where = ", ".join(filter(None, (item.at[:10], item.agent, item.transcript and f"{item.transcript}#{item.turn}")))
    verb = {"counterexample": "counterexample", "note": "noted"}.get(item.kind, "said")
    yield f'  {verb}: "{" ".join(item.quote.split())}" ({where})'
    if item.path:
        yield f"    in: {' '.join(item.path.split())}"
    if item.example:
        yield f"    should {item.should}: {' '.join(example_line(item.example).split())}"
    if item.offence:
        yield f"    about: {' '.join(item.offence.split())}"
    if item.accepted:
        yield f"    accepted: {' '.join(item.accepted.split())}"


def caught_lines(top: Path, rule: Rule, evidence: tuple[Evidence, ...]) -> Iterator[str]:
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
        yield f"tallied on all machines since {team.counts[0].day}: caught {team.fired} ({counts})"
