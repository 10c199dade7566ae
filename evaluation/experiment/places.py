"""The repositories in which occasions are played: made once for a task, and restored before each play."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TypeVar

from evaluation.experiment.tasks import README, Task
from rulec.agents.protocol.agent_spec import all_agents
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.processes import ToolResult, run_tool
from rulec.rulebook import file_paths

RULEC = (sys.executable, "-P", "-c", "from rulec.__main__ import main; main()")
SECONDS = 180.0  # of one command
START, SET_UP = "chore: start", "chore: rules"
Found = TypeVar("Found")


def leave_callers_repository() -> None:
    """Drop git's variables from here on: they may lead every git, also those of hooks, to another repository."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]


@contextmanager
def naming(task: Task) -> Iterator[None]:
    """Let an error say at which task it happened."""
    try:
        yield
    except RulecError as error:
        where = ": ".join(filter(None, (task.id, error.where)))
        raise RulecError(error.message, where=where, hint=error.hint) from None


@dataclass(frozen=True, slots=True)
class Yard:
    """The folder of all places of one evaluation, and whether it was stopped."""

    folder: Path
    stopped: Event = field(default_factory=Event)

    def each(
        self, tasks: Sequence[Task], do: Callable[[Task], Found], *, workers: int, tick: Callable[[int], None]
    ) -> list[Found]:
        """What becomes of every task, some beside each other; where this is broken off, nothing more begins."""

        def one(task: Task) -> Found:
            with naming(task):
                found = do(task)
            tick(1)
            return found

        with ThreadPoolExecutor(workers) as pool:
            try:
                return list(pool.map(one, tasks))
            except BaseException:  # Ctrl-C and SIGTERM, too: the pool waits for what still runs
                self.stopped.set()
                raise

    @contextmanager
    def place(self, task: Task) -> Iterator["Place"]:
        """A place with the files of a task, deleted afterwards."""
        with TemporaryDirectory(prefix=f"{task.id}-", dir=self.folder, ignore_cleanup_errors=True) as name:
            place = Place(Path(name).resolve(), self.stopped)
            place.begin(task)
            yield place


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with a repository and a home of its own; nothing of the person's reaches it."""

    folder: Path
    stopped: Event = field(default_factory=Event)

    @property
    def top(self) -> Path:
        """The repository."""
        return self.folder / "repository"

    @property
    def home(self) -> Path:
        """Where the agent's program would keep its transcripts."""
        return self.folder / "home"

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables of all that runs there."""
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")  # pre-commit keeps its work there
        agents = {name: "" for agent in all_agents() for name in agent.runs_with}  # whoever runs this is not meant
        return {
            **agents, "HOME": str(self.home), "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1", "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_STATE_HOME": str(self.home / ".state"), "XDG_CACHE_HOME": cache, "CI": "",
        }  # fmt: skip

    def require_open(self) -> None:
        """Begin nothing more once the evaluation was stopped."""
        if self.stopped.is_set():
            raise RulecError("was stopped")

    def run(self, *argv: str, stdin: bytes = b"") -> ToolResult:
        """Run a command in the repository."""
        return run_tool(argv, cwd=self.top, stdin=stdin, environment=self.environment, seconds=SECONDS)

    def must(self, *argv: str) -> str:
        """The output of a command that has to succeed."""
        done = self.run(*argv)
        if done.code:
            shown = "rulec" if argv[: len(RULEC)] == RULEC else argv[0]
            rest = " ".join(argv[len(RULEC) :] if shown == "rulec" else argv[1:])
            said = to_one_line(redact(done.said))
            raise RulecError(f"`{shown} {rest[:80]}` failed: {said}", hint="run it in such a repository yourself")
        return done.text

    def rulec(self, *argv: str) -> ToolResult:
        """Run rulec there, as a person would."""
        return self.run(*RULEC, *argv)

    def write(self, files: Mapping[str, str]) -> None:
        """Write files of the repository."""
        for path, text in files.items():
            target = self.top / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")

    def begin(self, task: Task) -> None:
        """Make the home and the repository."""
        self.home.mkdir(parents=True)
        self.begin_repository(task)

    def begin_repository(self, task: Task) -> None:
        """Make the repository with the files of a task."""
        self.top.mkdir()
        self.must("git", "init", "-q", "--template=", "-b", "main")
        for key, value in (("user.email", "dev@example.com"), ("user.name", "dev"), ("gc.auto", "0")):
            self.must("git", "config", key, value)
        self.write({README: "# sample\n", **task.setup})
        self.commit_all(START)

    def commit_all(self, subject: str) -> None:
        """Commit everything, past all gates: it is what was there before the session."""
        self.must("git", "add", "-A")
        self.must("git", "commit", "-q", "--no-verify", "--allow-empty", "-m", subject)

    def set_up_gates(self, agent: str = "claude-code") -> None:
        """What ``rulec init`` sets up for an agent."""
        self.must(*RULEC, "init", "--yes", "--agent", agent)

    def rules_tree(self) -> str:
        """What git calls the rulebook's present state."""
        done = self.run("git", "rev-parse", f"HEAD:{file_paths.RULES}")
        return done.text.strip() if not done.code else ""

    def slugs(self) -> list[str]:
        """The rules of the rulebook."""
        files = (self.top / file_paths.RULES).glob("*.yaml")
        return sorted(path.stem for path in files if path.name != Path(file_paths.CONFIG).name)

    @contextmanager
    def saved(self) -> Iterator["Saved"]:
        """Keep the present state, which plays return to."""
        with TemporaryDirectory(prefix="saved-", dir=self.folder, ignore_cleanup_errors=True) as name:
            kept = Path(name) / "repository"
            shutil.copytree(self.top, kept, symlinks=True)
            yield Saved(self, kept)


@dataclass(frozen=True, slots=True)
class Saved:
    """A state of a place that can be restored; its paths stay what they are."""

    place: Place
    kept: Path

    def restore(self) -> Place:
        """The place as it was."""
        self.place.require_open()
        shutil.rmtree(self.place.top)
        shutil.copytree(self.kept, self.place.top, symlinks=True)
        return self.place
