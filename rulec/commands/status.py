"""``rulec`` alone: where things stand and the one next step."""

from pathlib import Path

from rulec.commands import _continue, _judges, _queue, _write, tally
from rulec.commands._outcome import Outcome
from rulec.commands.rules import run as rules
from rulec.host import git, ledger, personal, worktree
from rulec.model.account import FIRED
from rulec.model.rulebook import Rulebook

GATES = {
    "pre-commit": "commits",
    "claude-code": "Claude Code",
    "github-actions": "pull requests",
    "agents-md": "AGENTS.md",
}


def run(start: Path) -> Outcome:
    """Rules, gates, queue and stale artifacts of the repository that a folder lies in."""
    top = git.root(start)
    if not worktree.exists(top):
        return Outcome(f"{top}: no rulebook yet\nnext: rulec init")
    book = worktree.load(top)
    rows = rules(top).data
    acts = [row["acts"] for row in rows if row["layer"] != "personal"]
    own = len(rows) - len(acts)
    stale = [file.path for file in _write.sync(top, book)]
    waiting, told = _queue.count(top), _continue.told(top)
    gates = [GATES.get(name, name) for name in book.config.emitters]
    lines = [
        f"rules: {len(acts)} ({', '.join(f'{acts.count(a)} {a}' for a in dict.fromkeys(acts)) or 'none yet'})",
        *([f"personal: {own} more that hold here, of {personal.place()}"] if own else []),
        *_judged(top, book),
        f"gates: {', '.join(gates) or 'none'}",
        f"queue: {waiting} proposal{'s' * (waiting > 1)} wait{'s' * (waiting == 1)}" if waiting else "queue: empty",
        *([f"questions: {told}"] if told else []),
        *_seen(top, book),
        f"artifacts: {len(stale)} stale or missing" if stale else "artifacts: current",
        f"next: {_next(top, stale=bool(stale), asked=_continue.step(top), waiting=waiting, rules=len(acts))}",
    ]
    return Outcome("\n".join(lines))


def _judged(top: Path, book: Rulebook) -> list[str]:
    judged = [rule for rule in book.rules if _judges.has(rule)]
    measured = sum(_judges.standing(book, rule, top) is not None for rule in judged)
    return [f"judges: {len(judged)}, {measured} measured; {_judges.asked(top, book)}"] if judged else []


def _seen(top: Path, book: Rulebook) -> list[str]:
    """What the gates saw, in a line, where they saw anything."""
    noted = ledger.noted(top)
    if not noted:
        return []
    fired = sum(line.times for line in noted if line.outcome in FIRED)
    fixed = sum(line.times for line in noted if line.outcome == "fixed")
    new = len(tally.untallied(top, book))
    more = f"; {new} line{'s' * (new != 1)} to tally" * bool(new)
    since = min(line.at for line in noted)[:10]
    return [f"seen: {fired} finding{'s' * (fired != 1)} since {since}, {fixed} put right{more}"]


def _next(top: Path, *, stale: bool, asked: str, waiting: int, rules: int) -> str:
    if stale:
        return "rulec compile"
    if asked:
        return asked
    if waiting:
        return "rulec review"
    head = git.head(top)
    if head is None or not git.files_at(top, head, worktree.CONFIG):
        return "git add -A && git commit, so that the gates are judged by a rulebook that is committed"
    return "rulec ingest TRANSCRIPT, or rulec add TEXT" if not rules else "nothing; the gates are up"
