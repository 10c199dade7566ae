"""The end of a turn: what commands wrote is seen, and nobody is held for ever."""

import json
import subprocess

import pytest

from tests.runtime.rules import facts
from tests.runtime.test_hook import bash, denied, hook, repository


@pytest.fixture
def repo(tmp_path):
    repo = repository(tmp_path / "repo")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "x")
    return repo


def git(repo, *arguments):
    subprocess.run(["git", "-C", repo, *arguments], check=True)


def stop(repo, *, active=False, **more):
    payload = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(repo), "stop_hook_active": active, **more}
    code, out, error = hook(repo, payload)
    assert (code, error) == (0, "")
    return out


def test_a_clean_work_tree_ends_the_turn(repo):
    assert stop(repo) == {}


CHANGES = [
    ("src/gen/a.py", "x = 2\n", "gen"),
    ("src/gen/with space\tand ünïcode", "x\n", "gen"),
    ("src/gen/a.py", None, "gen"),
    ("src/b.py", "print(1)\n", "no-print"),
    ("src/a.py", "print(1)\nx = 3\n", ""),
    ("src/a.py", "print(1)\nprint(2)\n", "no-print"),
    ("src/a.md", "print(1)\n", ""),
    ("lib/x.c", "int x;\n", "licence"),
    ("lib/x.bin", "\0\udcff", "licence"),
]


@pytest.mark.parametrize(("path", "text", "slug"), CHANGES)
def test_what_a_command_wrote_is_seen_at_the_end_of_the_turn(repo, path, text, slug):
    place = repo / path
    place.parent.mkdir(parents=True, exist_ok=True)
    if text is None:
        place.unlink()
    else:
        place.write_bytes(text.encode("utf-8", "surrogateescape"))
    out = stop(repo)
    assert out.get("decision") == ("block" if slug else None)
    assert not slug or f"rule {slug}:" in out["reason"]


def test_a_turn_is_held_three_times_then_the_person_is_told(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    answers = [stop(repo, active=count > 0) for count in range(5)]
    assert [list(one) for one in answers] == [["decision", "reason"]] * 3 + [["systemMessage"]] * 2
    assert list(stop(repo)) == ["decision", "reason"]
    assert (repo / ".git/rulec/stop.json").stat().st_mode & 0o777 == 0o600


def test_a_turn_with_a_name_is_counted_by_its_name(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    answers = [stop(repo, prompt_id="p1") for _ in range(4)]
    assert [next(iter(one)) for one in answers] == ["decision"] * 3 + ["systemMessage"]
    assert "decision" in stop(repo, prompt_id="p2")


def test_without_a_place_to_count_a_turn_is_held_once(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    (repo / ".git/rulec").write_text("")
    assert "decision" in stop(repo)
    assert list(stop(repo, active=True)) == ["systemMessage"]


def test_a_repository_without_commits_is_judged_whole(tmp_path):
    repo = repository(tmp_path / "fresh")
    assert stop(repo)["decision"] == "block"


def test_a_folder_that_is_no_repository_ends_the_turn(tmp_path):
    repo = repository(tmp_path / "fresh")
    subprocess.run(["rm", "-rf", repo / ".git"], check=True)
    assert stop(repo) == {}
    assert denied(hook(repo, bash(repo, "npm ci")))


def test_a_repositorys_own_settings_run_nothing(repo, tmp_path):
    marker = tmp_path / "marker"
    for key in ("core.fsmonitor", "diff.external", "core.pager"):
        git(repo, "config", key, f"touch {marker}; false")
    (repo / "src/gen/a.py").write_text("x = 2\n")
    assert stop(repo)["decision"] == "block"
    assert not marker.exists()


def test_what_is_left_counts_at_the_end_of_the_turn_alone(repo):
    rule = {"facts": facts("no-debug"), "check": {"on": "path", "globs": ["debug_*"], "how": ["create"], "left": True}}
    (repo / ".rules/compiled/guard/no-debug.json").write_text(json.dumps(rule))
    (repo / "debug_a.py").write_text("x\n")
    assert "rule no-debug:" in stop(repo)["reason"]
    written = {"file_path": str(repo / "debug_b.py"), "content": "x\n"}
    payload = {"hook_event_name": "PreToolUse", "cwd": str(repo), "tool_name": "Write", "tool_input": written}
    assert hook(repo, payload)[1] == {}
