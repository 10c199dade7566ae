"""Services in processes of their own: what lies in the repository is no part of the program."""

import asyncio
import ctypes
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.web import work

GET_DUMPABLE = 3  # of prctl
SCRIPT = """
import os
from rulec.web import work
if __name__ == "__main__":
    work.prepare(["rulec.web.rendering"])
    print(work.run_in_process(os.getenv, "PYTHONSAFEPATH"))
"""


def test_no_module_of_the_repository_is_imported(tmp_path: Path) -> None:
    """Python lets the processes that start others import from the folder in which they begin."""
    top = tmp_path / "repo"
    top.mkdir()
    for name in ("selectors", "starlette", "jinja2"):
        (top / f"{name}.py").write_text(f"open({str(tmp_path / name)!r}, 'w').close()\nraise ImportError\n")
    (tmp_path / "program.py").write_text(SCRIPT)
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": paths}
    argv = [sys.executable, str(tmp_path / "program.py")]
    done = subprocess.run(argv, cwd=top, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "None\n", done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["program.py", "repo"]


def is_dumpable() -> bool:
    return bool(ctypes.CDLL(None).prctl(GET_DUMPABLE))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can hide a process from others of its user")
def test_no_other_program_of_the_user_may_write_into_the_pipe_of_the_work() -> None:
    """The work ran hidden, as the page itself does: else /proc would open its pipe to everybody."""
    work.prepare(["rulec.web.rendering"])
    assert work.run_in_process(is_dumpable) is False


class Acting:
    """What runs a program where it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


def acting(path: Path) -> Any:
    return Acting(path)


def process() -> Any:
    return subprocess.Popen


def method() -> Any:
    return Path.cwd


@pytest.mark.parametrize("function", [acting, process, method])
def test_a_result_cannot_act_where_it_is_read(function: Any, tmp_path: Path) -> None:
    made = tmp_path / "made"
    with pytest.raises(work.WorkBug, match="which no page reads"):
        work.run_in_process(function, *([made] if function is acting else []))
    assert not made.exists()


def values() -> Any:
    return {"a": (Outcome("done", data={"b": [1, None, 2.5]}), frozenset({"c"}), Path("d"))}


def test_a_result_comes_as_it_was_returned() -> None:
    assert work.run_in_process(values) == values() == pickle.loads(pickle.dumps(values()))


def refuses() -> None:
    raise RulecError("no", where="here", hint="try")


def breaks() -> None:
    {}["missing"]


def dies() -> None:
    os._exit(1)


def test_a_refusal_a_bug_and_an_end_are_told_apart() -> None:
    with pytest.raises(RulecError, match="no") as refused:
        work.run_in_process(refuses)
    assert (refused.value.where, refused.value.hint) == ("here", "try")
    with pytest.raises(work.WorkBug, match="KeyError: 'missing'"):
        work.run_in_process(breaks)
    with pytest.raises(work.WorkEndedError):
        work.run_in_process(dies)


def test_what_was_ended_is_not_said_to_be_undone(page: TestClient) -> None:
    """A commit may have been made a moment before."""

    async def ended(request: Request) -> Response:
        return Response(str(await work.read(dies)))

    page.app.routes.append(Route("/ended", ended))  # type: ignore[attr-defined]  # the application, as we gave it
    answer = page.get("/ended", headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert "It may be done" in answer.text
    assert "Not done" not in answer.text


def counted(folder: Path, gate: str) -> int:
    """How often this ran in a folder; once it began it waits until somebody writes into the gate, if there is one."""
    runs = folder / "runs"
    with runs.open("a") as file:
        file.write("x")
    if gate:
        (folder / gate).read_text()
    return len(runs.read_text())


def _opened(gate: Path) -> Any:
    """The gate's other end, as soon as the run has come to it."""
    return gate.open("w")


def test_who_asks_while_a_read_runs_shares_the_next_one(tmp_path: Path) -> None:
    """What is read after a change is of a moment after it, and five tabs are no five processes."""
    os.mkfifo(tmp_path / "gate")

    async def ask() -> list[int]:
        first = [asyncio.create_task(work.read(counted, tmp_path, "gate")) for _ in range(5)]
        begun = await asyncio.to_thread(_opened, tmp_path / "gate")
        later = [asyncio.create_task(work.read(counted, tmp_path, "gate")) for _ in range(3)]
        await asyncio.sleep(0)  # let them ask
        later[0].cancel()  # a tab that was closed takes nothing from the others
        begun.close()
        found = await asyncio.gather(*first)
        (await asyncio.to_thread(_opened, tmp_path / "gate")).close()
        return [*found, *await asyncio.gather(*later[1:])]

    assert asyncio.run(ask()) == [1] * 5 + [2] * 2


def test_an_act_waits_for_no_read(tmp_path: Path) -> None:
    gates = [f"gate{number}" for number in range(work.READS_AT_ONCE)]
    for gate in gates:
        os.mkfifo(tmp_path / gate)

    async def ask() -> int:
        reads = [asyncio.create_task(work.read(counted, tmp_path, gate)) for gate in gates]
        ends = [await asyncio.to_thread(_opened, tmp_path / gate) for gate in gates]
        acted = await work.act(counted, tmp_path, "")
        for end in ends:
            end.close()
        await asyncio.gather(*reads)
        return acted

    assert asyncio.run(ask()) == work.READS_AT_ONCE + 1
