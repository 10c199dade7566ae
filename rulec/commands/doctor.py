"""``rulec doctor``: are the gates up; fires a known-bad and a known-good event at them."""

import json
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.commands import _build, _driver, _write
from rulec.commands._judge import facts_of
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.commands.init import HOOKS
from rulec.commands.snapshot import records
from rulec.emitters.claude_code import AGENT, COMMAND, PATH
from rulec.errors import RulecError
from rulec.host import git, journal, process, state, worktree
from rulec.host.call import Called, call
from rulec.model.rulebook import Rulebook
from rulec.runtime import projects
from rulec.stages.rank import rank

HARMLESS = "git status --short"


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that was looked at; ``cure`` is "" where it is well."""

    what: str
    cure: str = ""


def run(top: Path) -> Outcome:
    """Every sign of health or trouble in a line, with its cure; exit 1 where something is wrong."""
    signs = list(_signs(top))
    ill = sum(bool(sign.cure) for sign in signs)
    lines = [
        f"{'WRONG' if sign.cure else 'ok   '}  {sign.what}" + (f"; {sign.cure}" * bool(sign.cure)) for sign in signs
    ]
    return Outcome("\n".join([*lines, f"{len(signs) - ill} well, {ill} wrong"]), FINDINGS if ill else 0)


def _signs(top: Path) -> Iterator[Sign]:
    yield from _tools()
    try:
        book = worktree.load(top)
        stale = [file.path for file in _write.sync(top, book)]
        facts = facts_of(_build.checks(book, top))
    except RulecError as error:
        yield Sign(f"the rulebook does not load: {error.message}", f"{error.where}: {error.hint}")
        return
    yield Sign(f"{len(book.rules)} rules load")
    yield Sign(f"artifacts: {len(stale)} stale", "run rulec compile") if stale else Sign("artifacts are current")
    off = [rule.slug for rule in book.rules if rule.checks and facts[rule.slug].enforcement == "audit"]
    for slug in off:
        yield Sign(f"{slug} only notes what it finds: too little evidence, or unproved (rulec why {slug})")
    for rule in book.rules:
        if rule.checks and rule.on_error == "warn":
            yield Sign(f"{rule.slug}: when its check breaks, it warns (on_error: block would refuse)")
    if "pre-commit" in book.config.emitters:
        yield from _git_hooks(top)
    if "git-attributes" in book.config.emitters:
        there = _driver.installed(top)
        yield Sign(f"git's merge driver {'is' if there else 'is not'} set up", "" if there else "run rulec init")
    if "claude-code" in book.config.emitters:
        yield from _agent_hook(top, book)


def _tools() -> Iterator[Sign]:
    python = shutil.which("python3")
    version = (
        call([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], cwd=Path("/")) if python else None
    )
    number = version.text.strip() if version else "none"
    fits = number != "none" and tuple(map(int, number.split("."))) >= (3, 9)
    yield Sign(f"python3 on PATH is {number}", "" if fits else "agent hooks need python3 3.9 or newer on PATH")
    core = Path(process.semgrep_core())
    there = core.is_file()
    yield Sign("semgrep-core is here" if there else f"{core} is missing", "" if there else "pip install semgrep again")


def _git_hooks(top: Path) -> Iterator[Sign]:
    for name in HOOKS:
        path = git.hooks_dir(top) / name
        there = path.is_file() and b"pre-commit" in path.read_bytes()
        yield Sign(f"git hook {name} {'is installed' if there else 'is missing'}", "" if there else "run rulec init")
    recorded = journal.state_dir(top) / state.PYTHON
    python = recorded.read_text().strip() if recorded.is_file() else ""
    found = bool(shutil.which("rulec")) or Path(python).is_file()
    yield Sign("git hooks find rulec" if found else "git hooks do not find rulec", "" if found else "run rulec init")


def hook_command(top: Path, event: str = "PreToolUse") -> str:
    """Our own command line, if Claude Code's settings name it; settings are data, nothing else of them is run."""
    try:
        hooks = json.loads((top / PATH).read_text("utf-8"))["hooks"][event]
        named = any(h["command"] in (COMMAND, f"{COMMAND} || true") for group in hooks for h in group["hooks"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return COMMAND if named else ""


def _agent_hook(top: Path, book: Rulebook) -> Iterator[Sign]:
    command = hook_command(top)
    if not command:
        yield Sign(f"{PATH} does not call rulec", "run rulec init --agent claude-code")
        return
    good, spent = fire(top, command, HARMLESS)
    fine = good.code == 0 and not good.out.strip()
    cure = f"it answered {good.said!r}: run rulec compile"
    yield Sign(f"Claude Code: {HARMLESS!r} passes ({spent:.0f} ms)", "" if fine else cure)
    bad = next(
        (e.text for r in book.rules for e in r.invalid if e.kind == "command" and _blocks(top, book, r.slug)), ""
    )
    if bad:
        answer, spent = fire(top, command, bad)
        denied = b'"deny"' in answer.out or answer.code == 2
        yield Sign(
            f"Claude Code: {bad!r} is refused ({spent:.0f} ms)", "" if denied else "it was not: run rulec compile"
        )
    yield from _start(top)


def _start(top: Path) -> Iterator[Sign]:
    """Whether a session starts with the rules that hold."""
    command = hook_command(top, "SessionStart")
    if not command:
        yield Sign(f"{PATH} calls rulec at the start of no session", "run rulec compile")
        return
    answer, spent = send(top, command, {"hook_event_name": "SessionStart", "source": "startup"})
    wanted = rank(records(top), agent=AGENT, projects=projects.names(str(top)))
    told = [line.slug for line in wanted.lines if f"(`{line.slug}`".encode() in answer.out]
    fine = answer.code == 0 and bool(told) == bool(wanted.lines)
    cure = f"it should with {len(wanted.lines)}: run rulec compile"
    yield Sign(f"Claude Code: a session starts with {len(told)} rules ({spent:.0f} ms)", "" if fine else cure)


def _blocks(top: Path, book: Rulebook, slug: str) -> bool:
    rule = book.rule(slug)
    artifacts = _build.of_rule(book, rule, top) if rule else []
    return any("/guard/" in a.path for a in artifacts) and facts_of(artifacts)[slug].enforcement == "block"


def fire(top: Path, command: str, text: str) -> tuple[Called, float]:
    """Claude Code's own JSON for a Bash call, given to the hook; its answer and the milliseconds it took."""
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": text}}
    return send(top, command, event)


def send(top: Path, command: str, event: Mapping[str, Any]) -> tuple[Called, float]:
    """An event as Claude Code tells it, given to the hook; its answer and the milliseconds it took."""
    told = {"session_id": "rulec-doctor", "cwd": str(top), **event}
    start = time.perf_counter()
    environment = {"CLAUDE_PROJECT_DIR": str(top)}
    done = call(["sh", "-c", command], cwd=top, stdin=json.dumps(told).encode(), environment=environment)
    return done, (time.perf_counter() - start) * 1000
