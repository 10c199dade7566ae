"""The steps of action.yml, run for real over a pull request: nothing of the change is run, and one comment says all."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.support.forge import Forge
from tests.support.workflow import checked_out, environment, shell
from tests.support.world import act, at_home, copy, founded, run

ROOT = Path(__file__).parents[2]
BAD = "def go(name):\n    print(name)\n"
STEPS = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]


@dataclass
class Machine:
    """What a run of the action left behind."""

    folder: Path
    codes: dict[str, int]
    said: str


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with at_home(tmp_path_factory.mktemp("home")):
        top = founded(tmp_path_factory.mktemp("made") / "repo", "Never use print in Python code; use logging instead")
        (top / "old.py").write_text("def go(name):\n    eval(name)\n")
        run(top, "add", "-A")
        run(top, "commit", "-q", "--no-verify", "-m", "Start to evaluate")
        return top


@pytest.fixture
def top(made: Path, tmp_path: Path) -> Path:
    """The repository, on a branch beside main."""
    own = copy(made, tmp_path / "repo")
    run(own, "checkout", "-q", "-b", "change")
    return own


@pytest.fixture
def forge() -> Iterator[Forge]:
    with Forge() as forge:
        yield forge


def commit(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    run(top, "add", "-A")
    run(top, "commit", "-q", "--no-verify", "-m", "Change it")


def act_on(top: Path, folder: Path, forge: Forge) -> Machine:
    """Each step with a script, as the runner would start it; what other actions do is done by hand."""
    run(top, "checkout", "-q", "--detach", "main")
    run(top, "merge", "-q", "--no-ff", "--no-verify", "-m", "Merge it", "change")
    merge = run(top, "rev-parse", "HEAD").strip()
    folder.mkdir()
    checked_out(top, folder, merge)
    told = {name: folder / name.lower() for name in ("GITHUB_ENV", "GITHUB_STEP_SUMMARY")}
    for path in told.values():
        path.touch()
    env = environment(folder, GITHUB_ACTION_PATH="rulec", **{name: str(path) for name, path in told.items()})
    machine = Machine(folder, {}, "")
    for step in (step for step in STEPS if "run" in step):
        more = {"FOUND": f"{merge}^1", "COMMITS": "200"} if "Write" not in step["name"] else forge.environment(folder)
        written = (line.partition("=") for line in told["GITHUB_ENV"].read_text().splitlines())
        given = {**env, **{name: value for name, _, value in written}, **more}
        done = shell(step["run"], folder / step.get("working-directory", "."), given)
        machine.codes[step["name"]] = done.returncode
        machine.said += done.stdout + done.stderr
    return machine


def test_a_pull_request_with_a_breach_and_a_rule_gets_one_comment_of_both(
    top: Path, tmp_path: Path, forge: Forge
) -> None:
    act(top, "add", "Never use eval in Python code", "--yes", "--enforcement", "block")
    commit(top, {"new.py": BAD})
    machine = act_on(top, tmp_path / "machine", forge)
    assert machine.codes.pop("Check the change against the rules of its base") == 1, machine.said
    assert set(machine.codes.values()) == {0}, machine.said
    (comment,) = forge.comments
    body = comment["body"]
    for said in (
        "### Refused by `use-logging-python`",
        "- `new.py:2` · `print(name)`",
        "### added `no-eval-python@1 (blocks)`",
        "- said: `Never use eval in Python code.` (`",
        "- now: 1 finding in 1 file: `old.py:2`",
        "1 would have been refused",
    ):
        assert said in body, body
    (log,) = json.loads((machine.folder / "rulec.sarif").read_text())["runs"]
    assert [result["ruleId"] for result in log["results"]] == ["use-logging-python"]
    assert "### added" in (machine.folder / "github_step_summary").read_text()


def test_a_change_that_says_nothing_new_gets_no_comment(top: Path, tmp_path: Path, forge: Forge) -> None:
    commit(top, {"new.py": "def go(name):\n    return name\n"})
    machine = act_on(top, tmp_path / "machine", forge)
    assert set(machine.codes.values()) == {0}, machine.said
    assert forge.comments == []


SCRIPT = """\
schema: 1
slug: no-todo-files
revision: 1
statement: No file is called todo.
category: files
severity: must
enforcement: block
checks:
  - kind: shell
    template: raw-shell
    with:
      script: |
        : >"$HOME/sprung"
        exit 1
"""


def test_a_script_that_the_change_brings_is_not_run(top: Path, tmp_path: Path, forge: Forge) -> None:
    compiled = f"#!/bin/sh\n# slug: no-todo-files\n: >{tmp_path}/sprung\nexit 1\n"
    commit(top, {".rules/no-todo-files.yaml": SCRIPT, ".rules/compiled/shell/no-todo-files.sh": compiled})
    machine = act_on(top, tmp_path / "machine", forge)
    assert not (tmp_path / "sprung").exists()
    assert "sprung" not in machine.said
