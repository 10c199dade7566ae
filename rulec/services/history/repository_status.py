"""What ``rulec`` alone says of a repository: rules, gates, queue, findings, and the next step."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulec.domain.artifact import compiled_checks
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.judging import judge_standing
from rulec.infra import text_files
from rulec.infra.git import git_contents, git_session, hook_scripts
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.reports.ledger_counts import account_by_rule
from rulec.reports.wording import count_of
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config, parse_config
from rulec.rulebook.rulebook import Rulebook
from rulec.services import gates_here, rulebook_commit
from rulec.services.asking import exchange_run
from rulec.services.doctor import git_gates, installed_gates, rulebook_health
from rulec.services.doctor.diagnosis import Diagnosis
from rulec.services.evolving import open_cases
from rulec.services.gates_here import GatesHere
from rulec.services.history import commit_counts
from rulec.services.proposals import waiting_candidates
from rulec.services.rules.rule_list import list_rules
from rulec.services.setup.compile import said_when_current

NAMED = 3
MANY = 1_000  # rules that take seconds to read
_OF_HOOKS = {hook_scripts.COMMIT: "commits", hook_scripts.MESSAGE: "commit messages", hook_scripts.PUSH: "pushes"}


def show_status(start: Path) -> Outcome:
    """The state of the repository around a folder, and the next step."""
    top = git_session.work_tree_root(start)
    if not rulebook_files.has_rulebook(top):
        return Outcome(f"{top}: no rulebook yet\nnext: rulec init")
    return Outcome(_describe(top))


def _describe(top: Path) -> str:
    """Rules, judges, gates, queue, questions, findings, out-of-date files, and the next step.

    Many rules, which take seconds to read, are told as their compiled checks have them.
    """
    unread = len(_slugs(top)) >= MANY
    book = Rulebook(config=_config(top)) if unread else rulebook_files.load_rulebook(top)
    rows = _rows_of_compiled(top) if unread else list_rules(top).data
    acts = [row["acts"] for row in rows if row["layer"] != "personal"]
    own = len(rows) - len(acts)
    stale, unwritten = ([], None) if unread else _stale(top, book)
    compared = not unread or bool(said_when_current(top))
    waiting, questions = waiting_candidates.count_waiting(top), exchange_run.exchange_pending_line(top)
    here = gates_here.gates_here(top, book)
    wrong = [*([unwritten] if unwritten else []), *_unsound(top, book, here)]
    current = "current" if compared else "not yet compared with the rules in this clone (rulec compile --check)"
    lines = [
        f"rules: {len(acts)} ({', '.join(f'{acts.count(a)} {a}' for a in dict.fromkeys(acts)) or 'none yet'})",
        *([f"personal: {own} more, from {personal_rulebook.personal_folder()}"] if own else []),
        *_judged(top, book),
        f"gates: {', '.join(_acting(here)) or 'none'}",
        *(f"wrong: {sign.what}; {sign.cure}" for sign in wrong),
        f"queue: {waiting} proposal{'s' * (waiting > 1)} wait{'s' * (waiting == 1)}" if waiting else "queue: empty",
        *([f"questions: {questions}"] if questions else []),
        *_seen(top, book),
        *_to_evolve(top, book),
        *([] if unwritten else [f"artifacts: {len(stale)} stale or missing" if stale else f"artifacts: {current}"]),
        f"next: {_next(top, book, wrong, stale=bool(stale), waiting=waiting, rules=len(acts))}",
    ]
    return "\n".join(lines)


def _stale(top: Path, book: Rulebook) -> tuple[list[str], Diagnosis | None]:
    """The files that are out of date, or why a file cannot be compared."""
    try:
        return [file.path for file in rulebook_commit.stale_files(top, book)], None
    except RulecError as error:
        return [], Diagnosis(f"rulec compile cannot write: {error.where} {error.message}", error.hint)


def _slugs(top: Path) -> set[str]:
    return {path.stem for path in (top / file_paths.RULES).glob("*.yaml")} - {"config"}


def _config(top: Path) -> Config:
    text = text_files.read_text(top / file_paths.CONFIG)
    return parse_config(text, source=file_paths.CONFIG, own=rulebook_files.is_personal(top))


def _rows_of_compiled(top: Path) -> list[dict[str, Any]]:
    """What each rule does by its compiled checks; one without any only reminds."""
    slugs = _slugs(top)
    facts = facts_by_slug(compiled_checks(rulebook_files.compiled_texts(top, slugs)))
    acts = {slug: facts[slug].enforcement if slug in facts else "remind" for slug in sorted(slugs)}
    return [{"layer": "team", "slug": slug, "acts": one} for slug, one in acts.items()]


def _acting(here: GatesHere) -> list[str]:
    """The gates of this clone at which rules act."""
    hooks = [words for name, words in _OF_HOOKS.items() if not here.hooks[name].lacks]
    agents = [gate.title for gate in here.agents.values() if not gate.lacks]
    return [*hooks, *agents, *["pull requests" for gate in here.ci.values() if not gate.lacks]]


def _unsound(top: Path, book: Rulebook, here: GatesHere) -> list[Diagnosis]:
    """What is wrong with the set-up of this clone, of what doctor finds without running a hook."""
    gates = [sign for sign in installed_gates.examine_gates(top, book, here) if sign.cure]
    gates += git_gates.examine_own_hooks(top)
    looks = (
        rulebook_health.examine_merge_driver,
        rulebook_health.examine_ci,
        rulebook_health.examine_refinements,
    )
    return [*gates, *(sign for look in looks for sign in look(top, book) if sign.cure)]


def _judged(top: Path, book: Rulebook) -> list[str]:
    judged = [rule for rule in book.rules if judge_standing.has_judge(rule)]
    return [f"judges: {len(judged)}, {judge_standing.where_judges_are_asked(top, book)}"] if judged else []


def _seen(top: Path, book: Rulebook) -> list[str]:
    """One line about what the gates saw, if anything."""
    entries = gate_ledger.ledger_entries(top)
    if not entries:
        return []
    counted = account_by_rule([], entries, {})
    fired, fixed = sum(rule.fired for rule in counted), sum(rule.fixed for rule in counted)
    new = sum(len(one.lines) for one in commit_counts.new_counts(top, book))
    more = f"; {count_of(new, 'line')} to commit (rulec report --commit)" * bool(new)
    since = min(line.at for line in entries)[:10]
    return [f"seen: {count_of(fired, 'finding')} since {since}, {fixed} fixed{more}"]


def _to_evolve(top: Path, book: Rulebook) -> list[str]:
    """One line about rules of which a revision waits for a decision."""
    found = open_cases.undecided_rules(top, book)
    named = ", ".join(found[:NAMED]) + f" and {len(found) - NAMED} more" * (len(found) > NAMED)
    return [f"evolve: what is noted about {named} waits for a decision (rulec evolve)"] if found else []


def _next(top: Path, book: Rulebook, wrong: Sequence[Diagnosis], *, stale: bool, waiting: int, rules: int) -> str:
    if stale:
        return "rulec compile"
    if cures := [sign.cure.removeprefix("run ") for sign in wrong if sign.fix]:
        return cures[0]
    if asked := exchange_run.exchange_next_step(top):
        return asked
    if waiting:
        return "rulec review"
    if open_cases.undecided_rules(top, book):
        return "rulec evolve"
    head = git_session.head_commit(top)
    if head is None or not git_contents.files_at_commit(top, head, file_paths.CONFIG):
        return f"{rulebook_commit.commit_command(top, book)} (gates use the committed rulebook)"
    if not rules:
        return "rulec ingest TRANSCRIPT, or rulec add TEXT"
    return wrong[0].cure.removeprefix("run ") if wrong else "nothing to do"
