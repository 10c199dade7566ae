"""A process killed before any of its writes leaves the old rulebook or the new one to the next command, never half."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulec.gates import passed_changes
from rulec.infra import clock
from tests.support.world import act, copy, run

pytestmark = pytest.mark.e2e

KILLED = 137
WRITES = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate")
OF_GIT = ("update-index", "update-ref", "commit-tree", "write-tree", "read-tree", "add")
VERBS = {
    "add": ("add", "Use pnpm, not npm", "--yes"),
    "rollback": ("rollback", "no-git-push-force"),
    "compile": ("compile",),
    "supersede": ("supersede", "no-docker-push", "no-kubectl-apply"),
}


def _kind(event: str, given: tuple[Any, ...]) -> str:
    """What is about to happen, where it may change a file: by what, and whether git's own; else ""."""
    if event == "open":
        writes = isinstance(given[2], int) and bool(given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    else:
        writes = event in WRITES
    if event == "subprocess.Popen":
        return next((word for word in given[1] if word in OF_GIT), "")
    return f"{event} {'.git/' in str(given[0])}" if writes else ""


def _forked(top: Path, argv: tuple[str, ...], heed: Callable[[str], None]) -> int:
    """The exit code of a process that does it and tells of each of its writes right before."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ended = 1
    busy = False

    def told(event: str, given: tuple[Any, ...]) -> None:
        nonlocal busy
        if not busy and (kind := _kind(event, given)):
            busy = True
            heed(kind)
            busy = False

    try:
        sys.addaudithook(told)
        ended = act(top, *argv, code=None).code
    finally:
        os._exit(ended)


def _points(top: Path, argv: tuple[str, ...], note: Path) -> list[int]:
    """Which of its writes are worth a kill: the first and the last of each kind, and the end."""

    def write_down(kind: str) -> None:
        with note.open("a") as file:
            file.write(f"{kind}\n")

    assert _forked(top, argv, write_down) == 0
    kinds = note.read_text().splitlines()
    ends = {place for kind in {*kinds} for place in (kinds.index(kind), len(kinds) - 1 - kinds[::-1].index(kind))}
    return sorted({*ends, len(kinds)})


def _killer(point: int) -> Callable[[str], None]:
    left = point

    def kill(_: str) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os._exit(KILLED)

    return kill


def _spoiled(top: Path) -> None:
    """A rule and its artifacts as they are after a person edited the one and damaged the others."""
    path = top / ".rules/no-git-push-force.yaml"
    path.write_text(path.read_text().replace("severity: must", "severity: should"))
    (top / ".rules/compiled/guard/no-git-push-force.json").unlink()
    (top / ".rules/compiled/guard/left-over.json").write_text("{}\n")


def _state(top: Path) -> tuple[str, dict[str, bytes]]:
    files = [p for p in top.rglob("*") if p.is_file() and ".git" not in p.parts and ".cache" not in p.parts]
    return run(top, "write-tree"), {p.relative_to(top).as_posix(): p.read_bytes() for p in files}


@pytest.mark.parametrize("verb", VERBS)
def test_a_kill_before_any_write_leaves_old_or_new(
    verb: str, seeded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda: "2026-11-22T09:00:00Z")
    argv, start = VERBS[verb], copy(seeded, tmp_path / "start")
    if verb == "compile":
        _spoiled(start)
    top = copy(start, tmp_path / "top")
    old, base = _state(top), run(top, "rev-parse", "HEAD").strip()
    points = _points(top, argv, tmp_path / "note")
    new = _state(top)
    assert old != new
    seen = []
    for point in points:
        code = _forked(copy(start, top), argv, _killer(point))
        act(top, "rules")
        state = _state(top)
        assert state in (old, new), f"half a write before operation {point}: {_difference(state, old, new)}"
        assert verb == "compile" or run(top, "diff-index", "--cached", "HEAD") == ""
        made = run(top, "rev-list", f"{base}..HEAD").split()
        assert not passed_changes.unseen_commits(top, made), "a commit of rulec's own counts as one that no gate saw"
        assert code in (0, KILLED)
        seen.append(state == new)
    assert seen == sorted(seen)
    assert {*seen} == {False, True}


def _difference(*states: tuple[str, dict[str, bytes]]) -> list[list[str]]:
    (_, here), *others = states
    return [[path for path in {*here, *other} if here.get(path) != other.get(path)] for _, other in others]


Started = Callable[[str], "subprocess.Popen[str]"]


def test_of_two_writers_at_once_one_is_refused_and_nothing_is_lost(seeded: Path, tmp_path: Path) -> None:
    top = copy(seeded, tmp_path / "top")
    before = int(run(top, "rev-list", "--count", "HEAD"))
    wishes = ("Use pnpm, not npm", "Never commit .env files", "Do not run kubectl delete")
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "rulec", "add", wish, "--yes"],
            cwd=top, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        )
        for wish in wishes
    ]  # fmt: skip
    ended = [(process.communicate()[1], process.returncode) for process in started]
    for said, code in ended:
        assert code == 0 or (code == 2 and "is writing here" in said), said
    written = sum(code == 0 for _, code in ended)
    assert written >= 1
    assert int(run(top, "rev-list", "--count", "HEAD")) == before + written
    assert run(top, "status", "--porcelain") == ""
    act(top, "compile", "--check")
