"""One world for every test: a fixed git identity and home, no network, derandomised properties."""

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from rulec import registry
from tests.support import world
from tests.support.completions_server import CompletionsServer
from tests.support.messages_server import KEY, MessagesServer
from tests.support.programs import without
from tests.support.rules import fill

settings.register_profile("rulec", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rulec")
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is begun without it

REAL_HOME = os.environ["HOME"]
SHARED = Path(__file__).resolve().parents[2] / "shared"
CLOSED = "http://127.0.0.1:9"  # nothing listens there: whoever tries the network fails


@pytest.fixture(scope="session")
def _path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """PATH without the agents' CLIs, whichever are installed here: see tests/support/programs.py."""
    return without({one.program for one in registry.backends().values() if one.program}, tmp_path_factory.mktemp("bin"))


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Empty home folders; one that a test left empty is the next one's too."""
    folder = tmp_path_factory.mktemp("home")

    def empty() -> Iterator[Path]:
        for number in itertools.count():
            home = folder / str(number)
            home.mkdir()
            while not any(home.iterdir()):
                yield home

    return empty()


@pytest.fixture(autouse=True)
def _world(
    request: pytest.FixtureRequest, _homes: Iterator[Path], _path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith(("GIT_", "ANTHROPIC_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    home = next(_homes)
    values = {
        **world.at(home),
        "PRE_COMMIT_HOME": str(home / "pre-commit"),
        "http_proxy": CLOSED,
        "https_proxy": CLOSED,
        "PIP_NO_INPUT": "1",
        **({} if request.node.get_closest_marker("claude") else {"PATH": _path}),
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A git repository with one commit."""
    top = tmp_path / "repo"
    top.mkdir()
    for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Start"]):
        subprocess.run(["git", *argv], cwd=top, check=True)
    return top


@pytest.fixture
def git(repo: Path) -> Run:
    """git in that repository."""

    def run(*args: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *args], cwd=repo, capture_output=True, text=True, check=check)

    return run


@pytest.fixture
def rulec(repo: Path) -> Run:
    """The installed command, as a person runs it in that repository."""

    def run(*args: str, code: int | None = 0, cwd: Path = repo, stdin: str = "") -> subprocess.CompletedProcess[str]:
        argv = [sys.executable, "-m", "rulec", *args]
        done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, input=stdin, check=False)
        assert code is None or done.returncode == code, f"{args}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done

    return run


@pytest.fixture
def ruled(repo: Path) -> Path:
    """That repository with a small rulebook in its second commit: see tests/support/rules.py."""
    fill(repo)
    return repo


@pytest.fixture
def gated(repo: Path, rulec: Run, git: Run) -> Path:
    """That repository after rulec init, committed."""
    rulec("init", "--yes", "--agent", "claude-code", "--no-ci")
    git("add", "-A")
    git("commit", "-qm", "Put up the gates")
    return repo


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesServer]:
    """The Messages API on 127.0.0.1, and an environment that names it and a key, as CI's does: see its module."""
    with MessagesServer() as server:
        values = {
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": KEY,
            "no_proxy": "127.0.0.1,localhost",
            "CI": "true",  # what a repository alone names is asked there
        }
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture
def completions() -> Iterator[CompletionsServer]:
    """OpenAI's chat completions on 127.0.0.1: see its module."""
    with CompletionsServer() as server:
        yield server
