"""A process killed before any of its writes leaves the old rulebook or the new one to the next command, never half."""

import subprocess
import sys
from pathlib import Path

import pytest

from rulec.gates import passed_changes
from rulec.infra import clock
from tests.support import kills
from tests.support.world import act, copy, run

pytestmark = pytest.mark.e2e

VERBS = {
    "add": ("add", "Use pnpm, not npm", "--yes"),
    "rollback": ("rollback", "no-git-push-force"),
    "compile": ("compile",),
    "note": ("note", "no-docker-push", "podman, too", "--command", "podman push x"),
    "evolve": ("evolve", "--accept", "no-docker-push"),
    "retire --for": ("retire", "no-docker-push", "--for", "no-kubectl-apply"),
}


def _points(top: Path, argv: tuple[str, ...], note: Path) -> list[int]:
    """Which of its writes are worth a kill: the first and the last of each kind, and the end."""
    code, found = kills.events(top, argv, note)
    assert code == 0
    ends = {place for kind in {*found} for place in (found.index(kind), len(found) - 1 - found[::-1].index(kind))}
    return sorted({*ends, len(found)})


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
    if verb == "evolve":
        act(start, *VERBS["note"])
    top = copy(start, tmp_path / "top")
    old, base = _state(top), run(top, "rev-parse", "HEAD").strip()
    points = _points(top, argv, tmp_path / "note")
    new = _state(top)
    assert old != new
    seen = []
    for point in points:
        code = kills.forked(copy(start, top), argv, kills.killer(point))
        act(top, "rules")
        state = _state(top)
        assert state in (old, new), f"half a write before operation {point}: {_difference(state, old, new)}"
        assert verb == "compile" or run(top, "diff-index", "--cached", "HEAD") == ""
        made = run(top, "rev-list", f"{base}..HEAD").split()
        assert not passed_changes.unseen_commits(top, made), "a commit of rulec's own counts as one that no gate saw"
        assert code in (0, kills.KILLED)
        seen.append(state == new)
    assert seen == sorted(seen)
    assert {*seen} == {False, True}


def _difference(*states: tuple[str, dict[str, bytes]]) -> list[list[str]]:
    (_, here), *others = states
    return [[path for path in {*here, *other} if here.get(path) != other.get(path)] for _, other in others]


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
