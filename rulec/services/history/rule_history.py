"""rulec log and rulec why: the commits of a rule, the rules that it replaced, its origin, proof and confidence."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rulec.checkout import rules_layout
from rulec.compiling import effective_enforcement
from rulec.compiling.artifacts import compile_rule
from rulec.domain import rule
from rulec.domain.artifact import is_judge_check
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates import gate_ledger, personal_rules
from rulec.gates.findings import contradictions, rule_proof
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.judging import judge_standing
from rulec.infra import clock
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.reports.rule_lines import check_in_full
from rulec.rulebook import file_paths, git_history, rule_file
from rulec.rulebook.git_history import RuleCommit
from rulec.rulebook.rulebook import Rulebook, require_rule
from rulec.services.history import tally
from rulec.services.rules import exceptions
from rulec.tamper import gate_protection

_TRAILER = re.compile(r"^Resolution: (.+)$", re.MULTILINE)
_RULE = re.compile(rf"{re.escape(file_paths.RULES)}/(?:archive/)?([^/]+)\.yaml")


def rule_paths(slug: str) -> tuple[str, str, str]:
    """Every path of one rule: its file, its archived file, the folder of its evidence."""
    return file_paths.rule_path(slug), file_paths.archive_path(slug), file_paths.evidence_folder(slug)


def files_of_rule(files: Mapping[str, str], slug: str) -> dict[str, str]:
    """Those of some files that belong to one rule."""
    rule, archived, evidence = rule_paths(slug)
    return {path: text for path, text in files.items() if path in (rule, archived) or path.startswith(f"{evidence}/")}


def rule_in_files(files: Mapping[str, str], slug: str) -> Rule | None:
    """The rule as some files hold it, in force or archived."""
    for path in rule_paths(slug)[:2]:
        if path in files:
            return rule_reading.read_rule(files[path], source=path)
    return None


def linked_rules(slug: str, *books: Mapping[str, str]) -> list[str]:
    """The rule, the rules that it replaced and those that replaced it, in any of some states of the rulebook."""
    found, wanted = [slug], [slug]
    while wanted:
        name = wanted.pop()
        rules = [rule for files in books if (rule := _readable(files, name))]
        for other in (other for rule in rules for other in (*rule.supersedes, rule.superseded_by)):
            if other and other not in found:
                found.append(other)
                wanted.append(other)
    return found


def predecessors(slug: str, files: Mapping[str, str]) -> list[str]:
    """The rules that it replaced, and those that these replaced, nearest first."""
    found: list[str] = []
    wanted = [slug]
    while wanted:
        rule = _readable(files, wanted.pop(0))
        new = [other for other in (rule.supersedes if rule else ()) if other not in (slug, *found)]
        found += new
        wanted += new
    return found


def _readable(files: Mapping[str, str], slug: str) -> Rule | None:
    try:
        return rule_in_files(files, slug)
    except RulecError:
        return None  # an old state may hold what nobody could read even then


def earlier_names(top: Path, slug: str, start: str = "") -> list[str]:
    """The rule's name, and the names it had before it was renamed."""
    found = [slug]
    for old in git_history.former_names(top, file_paths.rule_path(slug), start):
        match = _RULE.fullmatch(old)
        if match and match[1] not in found and rule_file.SLUG_PATTERN.fullmatch(match[1]):
            found.append(match[1])
    return found


def rule_commits(top: Path, slug: str, start: str = "") -> list[RuleCommit]:
    """The commits that changed the rule, its archive or its evidence, newest first, under all its names."""
    named = earlier_names(top, slug, start)
    return git_history.commits_touching(top, *(path for name in named for path in rule_paths(name)), start=start)


def commit_resolution(commit: RuleCommit) -> str:
    """The decision in a commit's trailers, or its subject where there is none."""
    found = _TRAILER.search(commit.body.rstrip().rpartition("\n\n")[2])  # words above may imitate it
    return found[1] if found else commit.subject


def commit_effects(commit: RuleCommit) -> Iterator[str]:
    """What the commit did to the files of the rule, in words."""
    kinds: dict[tuple[str, str], int] = {}
    for how, path in commit.touched:
        part = path.split("/")[1]
        kind = part if part in ("archive", "evidence") else "rule"
        kinds[kind, how] = kinds.get((kind, how), 0) + 1
    for (kind, how), number in sorted(kinds.items()):
        word = _WORDS.get((kind, how), "")
        if word:
            yield f"{word}{number} evidence" if kind == "evidence" else word


_WORDS = {
    ("rule", "A"): "in force",
    ("rule", "M"): "changed",
    ("rule", "D"): "out of force",
    ("archive", "A"): "archived",
    ("archive", "D"): "left the archive",
    ("evidence", "A"): "+",
    ("evidence", "D"): "-",
}


def log_rule(top: Path, slug: str) -> Outcome:
    """The history of a rule, newest first, then that of the rules that it replaced."""
    files = rulebook_files.rulebook_texts(top)
    histories = [(name, rule_commits(top, name)) for name in (slug, *predecessors(slug, files))]
    if not histories[0][1]:
        if rule_in_files(files, slug) is None:
            require_rule(rulebook_files.load_rulebook(top), slug)
        return Outcome(f"{slug} is not committed yet", data=[])
    data = [_commit_json(name, commit) for name, commits in histories for commit in commits]
    return Outcome("\n".join(_log_lines(slug, histories)), data=data)


def _log_lines(slug: str, histories: list[tuple[str, list[RuleCommit]]]) -> Iterator[str]:
    for name, commits in histories:
        if name != slug:
            yield f"before that, {name}:"
        yield from map(commit_line, commits)
        if commits and commits[-1].edge:
            yield "(a shallow clone ends here; git fetch --unshallow shows the rest)"


def commit_line(commit: RuleCommit) -> str:
    """One commit in a line: date, id, author, decision, changes."""
    did = ", ".join(commit_effects(commit))
    return f"{commit.at[:10]} {commit.id[:10]} {commit.author}: {commit_resolution(commit)}" + f" [{did}]" * bool(did)


def _commit_json(name: str, commit: RuleCommit) -> dict[str, Any]:
    return {
        "slug": name,
        "commit": commit.id,
        "at": commit.at,
        "author": commit.author,
        "resolution": commit_resolution(commit),
        "did": list(commit_effects(commit)),
        "edge": commit.edge,
    }


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
    rule = book.rule(slug) or rule_in_files(files, slug) or require_rule(book, slug)
    return Outcome("\n".join([*personal_rules.layer_lines(top, rule), *_explanation(top, book, rule)]))


def _explanation(top: Path, book: Rulebook, rule: Rule) -> Iterator[str]:
    evidence = book.observed(rule.slug)
    yield f"{rule.slug}@{rule.revision}: {' '.join(rule.statement.split())}"
    yield from (f"  {name}: {text}" for name, text in _rule_texts(rule) if text)
    for item in sorted((e for e in evidence if e.quote), key=lambda e: e.at):
        yield from _quote_lines(item)
    yield from (f"  check: {check_in_full(check, 4)}" for check in rule.checks)
    yield from (f"  not checked: {text}" for text in rule.not_checked)
    if book.rule(rule.slug):
        yield f"  proof: {_proof(top, book, rule)}"
    if book.rule(rule.slug) and judge_standing.has_judge(rule):
        yield f"  judge: {judge_standing.judge_line(book, rule, top)}"
    yield from (f"  {text}" for text in exceptions.exception_lines(rule, evidence))
    yield from (f"  {text}" for text in _contradiction_lines(top, rule))
    yield from (f"  {text}" for text in _caught_lines(top, rule, evidence))
    yield from (f"  {text}" for text in _confidence_lines(top, book, rule))
    for name in (rule.slug, *rule.supersedes):
        yield from (f"  {commit_line(commit)}" for commit in rule_commits(top, name))


def _contradiction_lines(top: Path, rule: Rule) -> Iterator[str]:
    """Rules that contradict this one, and which of them takes precedence."""
    artifacts = rulebook_files.compiled_checks(rulebook_files.compiled_in_work_tree(top))
    yield from contradictions.describe_contradictions(artifacts, facts_by_slug(artifacts), rule.slug)


def _confidence_lines(top: Path, book: Rulebook, rule: Rule) -> Iterator[str]:
    fired = gate_ledger.ledger_entries(top, rule.slug)
    sure = book.sure(rule, at=clock.now(), mattered=fired[-1].at if fired else "")
    yield f"confidence: {sure.arithmetic}"
    flag = f"; {sure.state}: still enforced, but no longer told to agents" * (sure.state != "fresh")
    yield f"freshness: {sure.freshness:.2f} since it was last mentioned or fired{flag}"


def _rule_texts(rule: Rule) -> Iterator[tuple[str, str]]:
    yield from (("when", rule.when), ("instead", rule.do), ("because", rule.rationale))
    yield "in place of", ", ".join(rule.supersedes)
    yield "no longer in force, superseded by", rule.superseded_by
    yield "no longer in force, retired", rule.retired


def _proof(top: Path, book: Rulebook, rule: Rule) -> str:
    artifacts = compile_rule(book, rule, top)
    acts = facts_by_slug(artifacts)[rule.slug].enforcement if artifacts else "remind"
    machines = [artifact for artifact in artifacts if not is_judge_check(artifact)]
    proved = rule_proof.is_proved(book, rule, artifacts)
    state = "proved" if proved else "not proved, so it is not in force: run rulec compile"
    state = state if machines else "nothing to prove"
    why = effective_enforcement.why_limited(rule)
    state += f"; {why}" * bool(why)
    unsure = f"; when it is not certain: at most {rule.on_unsure}"
    return f"{state}; on a finding it does: {acts}; when its check breaks: {rule.on_error}{unsure}"


def _quote_lines(item: Evidence) -> Iterator[str]:
    where = ", ".join(filter(None, (item.at[:10], item.agent, item.transcript and f"{item.transcript}#{item.turn}")))
    verb = "counterexample" if item.kind == "counterexample" else "said"
    yield f'  {verb}: "{" ".join(item.quote.split())}" ({where})'
    if item.path:
        yield f"    in: {' '.join(item.path.split())}"
    if item.offence:
        yield f"    about: {' '.join(item.offence.split())}"
    if item.accepted:
        yield f"    accepted: {' '.join(item.accepted.split())}"


def _caught_lines(top: Path, rule: Rule, evidence: tuple[Evidence, ...]) -> Iterator[str]:
    """What the check caught and let pass: in its proof, in the session it came from, at the gates of this machine."""
    if rule.checks and not judge_standing.has_only_judges(rule):
        yield f"in its proof: {len(rule.invalid)} caught, {len(rule.valid)} let pass"
    replayed = max((item.replayed for item in evidence if item.kind == "proved"), default=-1)
    if replayed >= 0:
        yield f"in the session it came from: the offence caught, {replayed} other actions let pass"
    noted = gate_ledger.ledger_entries(top, rule.slug)
    if noted:
        here, last = tally.account_of((), rule.slug, noted), max(noted, key=lambda one: one.at)
        place = ", ".join(filter(None, (last.event, last.agent, last.of)))
        since = f"since {here.counts[0].day} ({tally.counts_in_words(here)}); last {last.at} ({place})"
        yield f"at this machine's gates: caught {here.fired} {since}"
    elif rule.checks:
        yield "at this machine's gates: nothing yet"
    team = tally.account_of(evidence, rule.slug)
    if team.counts:
        yield f"tallied on all machines since {team.counts[0].day}: caught {team.fired} ({tally.counts_in_words(team)})"
