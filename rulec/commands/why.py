"""``rulec why``: the answer to "why did this happen to me"."""

from collections.abc import Iterator
from pathlib import Path

from rulec.commands import (
    _accounts,
    _build,
    _built_in,
    _contradictions,
    _exempt,
    _held,
    _judges,
    _lineage,
    _personal,
    _prove,
)
from rulec.commands._lines import whole
from rulec.commands._named import known
from rulec.commands._outcome import Outcome
from rulec.commands._verdicts import facts_of
from rulec.commands.log import line
from rulec.host import clock, ledger, worktree
from rulec.model.artifact import of_judge
from rulec.model.evidence import Evidence
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook


def run(top: Path, slug: str) -> Outcome:
    """Whose words a rule is, when, every resolution, what it caught and let pass, its proof and its confidence."""
    if slug in _built_in.TOLD:
        return Outcome(_built_in.TOLD[slug])
    top = _personal.holder(top, slug)
    files = worktree.texts(top)
    book = worktree.load(top)
    rule = book.rule(slug) or _lineage.stands(files, slug) or known(book, slug)
    return Outcome("\n".join([*_personal.told(top, rule), *_answer(top, book, rule)]))


def _answer(top: Path, book: Rulebook, rule: Rule) -> Iterator[str]:
    evidence = book.observed(rule.slug)
    yield f"{rule.slug}@{rule.revision}: {' '.join(rule.statement.split())}"
    yield from (f"  {name}: {text}" for name, text in _words(rule) if text)
    for item in sorted((e for e in evidence if e.quote), key=lambda e: e.at):
        yield from _said(item)
    yield from (f"  check: {whole(check, 4)}" for check in rule.checks)
    yield from (f"  not checked: {text}" for text in rule.not_checked)
    if book.rule(rule.slug):
        yield f"  proof: {_proof(top, book, rule)}"
        yield from ([f"  judge: {_judges.line(book, rule, top)}"] if _judges.has(rule) else [])
    yield from (f"  {text}" for text in _exempt.lines(rule, evidence))
    yield from (f"  {text}" for text in _contrary(top, rule))
    yield from (f"  {text}" for text in _seen(top, rule, evidence))
    yield from (f"  {text}" for text in _sure(top, book, rule))
    for name in (rule.slug, *rule.supersedes):
        yield from (f"  {line(commit)}" for commit in _lineage.commits(top, name))


def _contrary(top: Path, rule: Rule) -> Iterator[str]:
    """The rules that ask for what this one forbids, or forbid what it asks for, and which of them goes before."""
    artifacts = worktree.compiled(worktree.compiled_at_hand(top))
    yield from _contradictions.told(artifacts, facts_of(artifacts), rule.slug)


def _sure(top: Path, book: Rulebook, rule: Rule) -> Iterator[str]:
    fired = ledger.noted(top, rule.slug)
    sure = book.sure(rule, at=clock.now(), mattered=fired[-1].at if fired else "")
    yield f"confidence: {sure.arithmetic}"
    flag = f"; {sure.state}: kept and enforced, but left out of what agents are told" * (sure.state != "fresh")
    yield f"freshness: {sure.freshness:.2f} since it was last spoken of or seen at work{flag}"


def _words(rule: Rule) -> Iterator[tuple[str, str]]:
    yield from (("when", rule.when), ("instead", rule.do), ("because", rule.rationale))
    yield "in place of", ", ".join(rule.supersedes)
    yield "no longer in force, superseded by", rule.superseded_by
    yield "no longer in force, retired", rule.retired


def _proof(top: Path, book: Rulebook, rule: Rule) -> str:
    artifacts = _build.of_rule(book, rule, top)
    acts = facts_of(artifacts)[rule.slug].enforcement if artifacts else "remind"
    machines = [artifact for artifact in artifacts if not of_judge(artifact)]
    proved = _prove.proved_already(book, rule, artifacts)
    state = ("proved" if proved else "not proved, so it is off: run rulec compile") if machines else "nothing to prove"
    why = _held.why(rule)
    state += f"; {why}" * bool(why)
    unsure = f"; when it is not certain: at most {rule.on_unsure}"
    return f"{state}; on a finding it does: {acts}; when its check breaks: {rule.on_error}{unsure}"


def _said(item: Evidence) -> Iterator[str]:
    where = ", ".join(filter(None, (item.at[:10], item.agent, item.transcript and f"{item.transcript}#{item.turn}")))
    verb = "said against it" if item.kind == "counterexample" else "said"
    yield f'  {verb}: "{" ".join(item.quote.split())}" ({where})'
    if item.path:
        yield f"    in: {' '.join(item.path.split())}"
    if item.offence:
        yield f"    about: {' '.join(item.offence.split())}"
    if item.accepted:
        yield f"    accepted: {' '.join(item.accepted.split())}"


def _seen(top: Path, rule: Rule, evidence: tuple[Evidence, ...]) -> Iterator[str]:
    """What the check caught and let pass: in its proof, in the session it came from, at the gates of this machine."""
    if rule.checks and not _judges.alone(rule):
        yield f"in its proof: {len(rule.invalid)} caught, {len(rule.valid)} let pass"
    replayed = max((item.replayed for item in evidence if item.kind == "proved"), default=-1)
    if replayed >= 0:
        yield f"in the session it came from: the offence caught, {replayed} other actions let pass"
    noted = ledger.noted(top, rule.slug)
    if noted:
        here, last = _accounts.of((), rule.slug, noted), max(noted, key=lambda one: one.at)
        place = ", ".join(filter(None, (last.event, last.agent, last.of)))
        since = f"since {here.counts[0].day} ({_accounts.counted(here)}); last {last.at} ({place})"
        yield f"at this machine's gates: caught {here.fired} {since}"
    elif rule.checks:
        yield "at this machine's gates: nothing yet"
    team = _accounts.of(evidence, rule.slug)
    if team.counts:
        yield f"tallied on all machines since {team.counts[0].day}: caught {team.fired} ({_accounts.counted(team)})"
