"""Task files: those of a wrong form are refused with one line, and a seed chooses the same ones every time."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.experiment.tasks import GOES_ON, read_tasks
from evaluation.tests.small_tasks import NPM, WIP, write_tasks
from rulec.errors import RulecError
from tests.conftest import SHARED

KEPT = Path(__file__).parents[1] / "cases/eval"
BAD = {"prompt": "Go on.", "bad": {"command": "npm ci"}}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"quote": ""}, "quote is missing"),
        ({"id": "../x"}, "cannot be a file name"),
        ({"offence": {"run": "npm"}}, "offence is no action"),
        ({"offence": {"stop": "Done."}}, "offence is no action"),
        ({"fix": {"write": {"path": "a"}}}, "fix.write lacks content"),
        ({"tasks": [{**BAD, "bad": {"edit": {"path": "a", "old": "x"}}}]}, "tasks[0].bad.edit lacks new"),
        ({"tasks": {}}, "tasks is no list"),
        ({"tasks": [{**BAD, "prompt": "Install it with NPM."}]}, "has the target word 'npm'"),
        ({"innocent": [{"write": {"path": "../a", "content": ""}}]}, "innocent[0] writes '../a'"),
        ({"innocent": [{"commit": {"files": {".git/config": ""}, "message": "x"}}]}, "writes '.git/config'"),
        ({"setup": {"/etc/x": ""}}, "setup writes '/etc/x'"),
        ({"setup": {"a": 1}}, "setup maps no paths to texts"),
    ],
)
def test_a_task_of_a_wrong_form_is_refused_with_its_place(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    folder = tmp_path / "tasks"
    folder.mkdir()
    (folder / "npm.json").write_text(json.dumps({**NPM, **changed}))
    with pytest.raises(RulecError) as refused:
        read_tasks([folder])
    assert said in str(refused.value)
    assert str(folder / "npm.json") in str(refused.value)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "{", "is no JSON"),
        ("a.json", "[]", "a task is one object"),
        ("a.jsonl", "1\n", "a task is one object"),
    ],
)
def test_a_file_that_holds_no_task_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(RulecError, match=said):
        read_tasks([tmp_path / name])


def test_two_tasks_of_one_id_are_refused(tmp_path: Path) -> None:
    one, other = write_tasks(tmp_path / "one", NPM), write_tasks(tmp_path / "other", NPM)
    with pytest.raises(RulecError, match="two tasks have the id 'npm'"):
        read_tasks([one, other])


def test_tasks_are_read_from_yaml_and_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    write_tasks(tmp_path, WIP)
    (tmp_path / "npm.yaml").write_text(json.dumps(NPM))  # YAML holds JSON
    assert [task.id for task in read_tasks([tmp_path])] == ["npm", "wip"]


def test_a_seed_chooses_cases_and_their_fix_is_right_each_time(tmp_path: Path) -> None:
    case = {key: value for key, value in NPM.items() if key not in ("tasks", "target_words")}
    lines = [json.dumps({**case, "id": f"c{at}", "repeat": [{"command": "npm ci"}] * 2}) for at in range(20)]
    (tmp_path / "cases.jsonl").write_text("\n".join(lines))
    chosen = read_tasks([tmp_path], take=5, seed=3)
    assert len(chosen) == 5
    assert chosen == read_tasks([tmp_path], take=5, seed=3)
    assert chosen != read_tasks([tmp_path], take=5, seed=4)
    assert [one.good for one in chosen[0].occasions] == [NPM["fix"], NPM["fix"]]
    assert chosen[0].occasions[0].prompt == GOES_ON


def test_the_tasks_that_are_kept_are_of_sixty_families() -> None:
    tasks = read_tasks([KEPT])
    assert len({task.family for task in tasks}) == len(tasks) == 60
    assert all(task.target_words and task.innocent for task in tasks)


def test_the_shared_cases_are_read() -> None:
    cases = SHARED / "data/repeat/cases.jsonl"
    if not cases.is_file():
        pytest.skip("../shared/data is not here")
    assert len(read_tasks([cases], take=30)) == 30


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"id": "."}, "cannot be a file name"),
        ({"id": "npm.wip"}, "cannot be a file name"),  # npm.2.json is a rule of the task npm
        ({"id": "-rf"}, "cannot be a file name"),
        ({"family": "half \ud800"}, "half a character"),
        ({"family": ["packages"]}, "family is no text"),
        ({"target_words": "npm"}, "target_words is no list"),
        ({"target_words": [1]}, "target_words holds more than words"),
        ({"fix": {"write": {"path": "a", "content": "b", "mode": 1}}}, "fix.write has more than path, content"),
        ({"fix": {"commit": {"files": {"a": 1}, "message": "x"}}}, "fix.commit.files maps no paths to texts"),
        ({"fix": {"write": {"path": "a\0b", "content": ""}}}, "holds a NUL"),
        ({"fix": {"write": {"path": "a", "content": "\udc00"}}}, "half a character"),
        ({"fix": {"write": {"path": "a" * 300, "content": ""}}}, "a path that is too long"),
        ({"fix": {"write": {"path": "a/" * 600, "content": ""}}}, "a path that is too long"),
        ({"fix": {"write": {"path": ".GIT/hooks/pre-commit", "content": ""}}}, "writes '.GIT/hooks/pre-commit'"),
        ({"fix": {"commit": {"files": {}, "message": "x" * 200_000}}}, "a line of more than 100,000 bytes"),
        ({"setup": {"a": "", "a/b": ""}}, "'a' as a file and as a folder"),
        ({"setup": {"README.md/x": ""}}, "'README.md' as a file and as a folder"),
        ({"setup": {"a" * 300: ""}}, "a path that is too long"),
        ({"setup": {".claude/settings.json": "{}"}}, "which hooks or agents obey"),
        ({"setup": {".Claude/settings.json": "{}"}}, "which hooks or agents obey"),
        ({"setup": {".pre-commit-config.yaml": ""}}, "which hooks or agents obey"),
        ({"setup": {".rules/config.yaml": ""}}, "which hooks or agents obey"),
        ({"setup": {".github/hooks/x.json": ""}}, "which hooks or agents obey"),
        ({"setup": {".opencode/plugins/x.ts": ""}}, "which hooks or agents obey"),
        ({"setup": {"opencode.json": "{}"}}, "which hooks or agents obey"),
        ({"setup": {".mcp.json": "{}"}}, "which hooks or agents obey"),
    ],
)
def test_what_could_not_be_played_is_refused_before_anything_is(
    tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    (tmp_path / "npm.json").write_text(json.dumps({**NPM, **changed}))
    with pytest.raises(RulecError) as refused:
        read_tasks([tmp_path])
    assert said in str(refused.value)
    assert len(str(refused.value)) < 1000


def test_a_refusal_shows_no_secret(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    (tmp_path / "npm.json").write_text(json.dumps({**NPM, "tasks": [{**BAD, "prompt": f"Use {token} for npm."}]}))
    with pytest.raises(RulecError, match="has the target word 'npm'") as refused:
        read_tasks([tmp_path])
    assert token[:12] not in str(refused.value)


def test_a_line_of_tasks_ends_where_json_lines_end(tmp_path: Path) -> None:
    line = json.dumps({**NPM, "quote": "pnpm,\u2028not npm"}, ensure_ascii=False)
    (tmp_path / "a.jsonl").write_text(f"{line}\n{json.dumps(WIP)}\n", "utf-8")
    assert [task.id for task in read_tasks([tmp_path])] == ["npm", "wip"]
