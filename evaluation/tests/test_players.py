"""What a play must not do, whatever an act says: write outside of its repository, or change what hooks run."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluation.experiment.agent_session import hooks_in_settings
from evaluation.experiment.places import Place, Yard
from evaluation.experiment.players import PlayedAct, Player
from evaluation.experiment.tasks import read_tasks
from evaluation.tests.small_tasks import NPM, write_tasks


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A repository with the files of a task, and no gate."""
    (task,) = read_tasks([write_tasks(tmp_path / "tasks", NPM)])
    with Yard(tmp_path).place(task) as made:
        yield made


def _played(place: Place, act: dict[str, Any]) -> PlayedAct:
    return Player(place, (), "s", "Go on.").play(act)


@pytest.mark.parametrize(
    "path",
    ["a/../../../out.txt", "a/../../out.txt", ".GIT/hooks/pre-commit", ".rules/compiled/hook.py", "a\0b", "a" * 300,
     "a/../.git/config", "half \ud800", "linked/out.txt"],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["write", "edit"])
def test_a_session_writes_nothing_outside_of_its_repository(place: Place, path: str, kind: str) -> None:
    (place.top / "linked").symlink_to(place.folder)
    (place.folder / "out.txt").write_text("old\n")
    parts = {"write": {"content": "x\n"}, "edit": {"old": "old", "new": "x"}}[kind]
    before = {file: file.read_bytes() for file in place.folder.parent.rglob("*") if file.is_file()}
    assert _played(place, {kind: {"path": path, **parts}}).impossible
    after = {file: file.read_bytes() for file in place.folder.parent.rglob("*") if file.is_file()}
    assert {file for file in after if after[file] != before.get(file)} <= {place.home / "s.jsonl"}


@pytest.mark.parametrize("command", ["git commit -m 'a\0b'", f"git commit -m {'x' * 200_000}", "echo \udc00"])
def test_a_command_that_no_system_runs_is_impossible(place: Place, command: str) -> None:
    assert _played(place, {"command": command}).impossible


def test_a_command_that_adds_a_path_of_any_length_is_played(place: Place) -> None:
    assert not _played(place, {"command": f"git add {'x' * 300} && git commit -m 'Add it'"}).impossible


def test_a_hook_of_the_repository_is_never_run(place: Place, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    hook = {"type": "command", "command": f"touch {ran}"}
    settings = {"hooks": {"PreToolUse": [{"hooks": [hook]}]}}
    player = Player(place, (), "s", "Go on.")
    player.play({"write": {"path": ".claude/settings.json", "content": json.dumps(settings)}})
    player.play({"write": {"path": ".pre-commit-config.yaml", "content": f"repos: [{{entry: touch {ran}}}]\n"}})
    player.play({"command": "npm install"})
    assert (place.top / ".claude/settings.json").is_file()
    assert not _played(place, {"command": "git commit -am x"}).where
    assert not ran.exists()
    assert hooks_in_settings(place.top / ".claude/settings.json", "")("PreToolUse", "Bash")
