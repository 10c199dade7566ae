"""rulec demo: shows how a correction becomes a refused commit, in a temporary repository."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from rulec.checks import template_library
from rulec.domain.outcome import FINDINGS, Outcome
from rulec.infra import clock
from rulec.infra.processes import ToolResult, run_tool
from rulec.services import hook_events
from rulec.services.gating import check
from rulec.services.mining import ingest
from rulec.services.proposals.candidate_decision import DecisionOptions
from rulec.services.setup import init

Echo = Callable[[str], None]
WRONG = "def total(rows):\n    value = sum(row.price for row in rows)\n    print(value)\n    return value\n"
RIGHT = (
    "import logging\n\nlogger = logging.getLogger(__name__)\n\n\n"
    "def total(rows):\n    value = sum(row.price for row in rows)\n"
    '    logger.info("total %s", value)\n    return value\n'
)


class _Play:
    """The temporary repository, and the steps that did not go as expected."""

    def __init__(self, folder: Path, echo: Echo) -> None:
        self.top, self.echo, self.wrong = folder / "shop", echo, 0
        self.top.mkdir()
        self.environment = {"PRE_COMMIT_HOME": str(folder / "pre-commit"), "CLAUDE_PROJECT_DIR": str(self.top)}

    def step(self, text: str) -> None:
        self.echo(f"\n== {text}")

    def git(self, *args: str) -> ToolResult:
        return run_tool(["git", *args], cwd=self.top, environment=self.environment)

    def expect(self, held: bool, what: str) -> None:  # noqa: FBT001 - a statement and whether it holds
        self.wrong += not held
        self.echo(f"   {'as it should be' if held else 'THIS IS WRONG'}: {what}")


def play_demo(echo: Echo, *, keep: bool = False) -> Outcome:
    """Run the demonstration; exit 1 where a step does not go as expected."""
    folder = Path(tempfile.mkdtemp(prefix="rulec-demo-")).resolve()
    try:
        play = _Play(folder, echo)
        _repository(play)
        _corrections(play, folder)
        _tool_call(play)
        _refused(play)
        _accepted(play)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    ending = f"the repository stays at {play.top}" if keep else "the temporary repository is deleted"
    echo(f"\n{ending}. In your repository: rulec init, then rulec ingest TRANSCRIPT")
    return Outcome(code=FINDINGS if play.wrong else 0)


def _repository(play: _Play) -> None:
    play.step(f"1. a repository with rulec's gates: rulec init ({play.top})")
    play.git("init", "-q", "-b", "main")
    play.git("config", "user.email", "demo@example.com")
    play.git("config", "user.name", "Demo")
    (play.top / "README.md").write_text("# shop\n")
    play.echo(init.init_repository(play.top, agents=["claude-code"], ci=True, confirm=lambda _: True).text)
    play.git("add", "-A")
    play.git("commit", "-q", "-m", "Start the shop")


def _corrections(play: _Play, folder: Path) -> None:
    play.step("2. a session in which a person corrected the agent twice: rulec ingest session.jsonl")
    session = folder / "session.jsonl"
    context = {"cwd": str(play.top), "day": clock.now()[:10]}
    session.write_text(template_library.open_library().render("demo/session.jsonl.j2", context))
    options = DecisionOptions(answer=lambda _: "accept", reviewed=True, offline=True)
    outcome = ingest.ingest_transcript(play.top, str(session), "", options, play.echo)
    play.echo(outcome.text)
    play.expect(outcome.data["accept"] == 2, "two corrections became two proved rules")
    play.echo(play.git("log", "--oneline", "--no-decorate", "-3").text.rstrip())


def _tool_call(play: _Play) -> None:
    play.step("3. the agent, in a new session, makes the first mistake again: npm install lodash")
    answer = hook_events.fire_tool_call(play.top, "claude-code", "npm install lodash")
    play.echo(f"   {answer.out.strip()}")
    play.expect(answer.refused, "the tool call was refused before it ran")


def _refused(play: _Play) -> None:
    play.step("4. and the second, in a commit: git commit -m 'Print the totals'")
    target = play.top / "src" / "report.py"
    target.parent.mkdir()
    target.write_text(WRONG)
    play.git("add", "-A")
    done = play.git("commit", "-m", "Print the totals")
    play.echo((done.err or done.out).decode("utf-8", "replace").rstrip())
    play.expect(done.code != 0, "the commit was refused by the real pre-commit hook")


def _accepted(play: _Play) -> None:
    play.step("5. the same commit with a logger: git commit -m 'Log the totals'")
    (play.top / "src" / "report.py").write_text(RIGHT)
    play.git("add", "-A")
    done = play.git("commit", "-m", "Log the totals")
    play.echo((done.err or done.out).decode("utf-8", "replace").rstrip())
    play.expect(done.code == 0, "the commit was made")
    play.echo(check.check_files(play.top, [str(play.top)], "text").text)
