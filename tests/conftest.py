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
from tests.support.world import act, at_home, begin, copy, run

for profile, examples in {"rulec": 20, "nightly": 200}.items():  # pytest --hypothesis-profile=nightly
    settings.register_profile(
        profile,
        deadline=None,
        derandomize=True,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("rulec")
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is begun without it

REAL_HOME = os.environ["HOME"]
SHARED = Path(__file__).resolve().parents[2] / "shared"
CLOSED = "http://127.0.0.1:9"  # nothing listens there: whoever tries the network fails


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors: a sixth of the time a test only waits for the programs it runs."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of tests/e2e is e2e, but for what has a mark of its own because it needs more."""
    for item in items:
        if item.nodeid.startswith("tests/e2e/") and not any(map(item.get_closest_marker, ("browser", "claude"))):
            item.add_marker("e2e")


@pytest.fixture(scope="session")
def _path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """PATH with this Python as its python3, no version manager's slow script, and without the agents' CLIs."""
    programs = {one.program for one in registry.backends().values() if one.program}
    first = tmp_path_factory.mktemp("python")
    (first / "python3").symlink_to(Path(sys.executable).resolve())
    return os.pathsep.join([str(first), without(programs, tmp_path_factory.mktemp("bin"))])


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
def _world(request: pytest.FixtureRequest, _homes: Iterator[Path], _path: str, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.fixture(scope="session")
def _repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``repo`` is copied from; made once a worker, as the two below."""
    folder = tmp_path_factory.mktemp("made")
    top = folder / "repo"
    top.mkdir()
    with at_home(folder):
        run(top, "init", "-q", "-b", "main")
        for sample in (top / ".git/hooks").glob("*.sample"):
            sample.unlink()
        run(top, "commit", "-q", "--allow-empty", "-m", "Start")
    return top


@pytest.fixture(scope="session")
def _ruled(_repo: Path) -> Path:
    with at_home(_repo.parent):
        top = copy(_repo, _repo.with_name("ruled"))
        fill(top)
    return top


@pytest.fixture(scope="session")
def _gated(_repo: Path, _path: str) -> Path:
    with at_home(_repo.parent, PATH=_path):
        top = copy(_repo, _repo.with_name("gated"))
        act(top, "init", "--yes", "--agent", "claude-code", "--no-ci")
        run(top, "add", "-A")
        run(top, "commit", "-qm", "Put up the gates")
    return top


@pytest.fixture
def repo(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A git repository with one commit, or what ``gated`` or ``ruled`` says of it where that is asked for."""
    made = next((name for name in ("_gated", "_ruled") if name in request.fixturenames), "_repo")
    return copy(request.getfixturevalue(made), tmp_path / "repo")


@pytest.fixture
def git(repo: Path) -> Run:
    """git in that repository."""

    def typed(*args: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *args], cwd=repo, capture_output=True, text=True, check=check)

    return typed


@pytest.fixture
def rulec(repo: Path, request: pytest.FixtureRequest) -> Run:
    """A command in that repository, as a script would run it: in this process, in tests/e2e in one of its own."""
    way = begin if request.node.nodeid.startswith("tests/e2e/") else act

    def typed(*args: str, code: int | None = 0, cwd: Path = repo, stdin: str = "") -> subprocess.CompletedProcess[str]:
        said = way(cwd, *args, code=code, stdin=stdin)
        return subprocess.CompletedProcess(args, said.code, said.out, said.err)

    return typed


@pytest.fixture
def ruled(repo: Path, _ruled: Path) -> Path:
    """That repository with a small rulebook in its second commit: see tests/support/rules.py."""
    return repo


@pytest.fixture
def gated(repo: Path, _gated: Path) -> Path:
    """That repository after rulec init, committed."""
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
