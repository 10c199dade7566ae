"""What is done to pass for checked, tested or approved, each in a real repository and against a real commit: refused.

And what changes files without any word to rulec is held to the same.
"""

import hmac
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulec.hook.dispatch import respond
from rulec.plans.proofs import signed_records
from rulec.plans.proofs.changed_files import ChangedFile
from tests.support import planned as plans
from tests.support.gates import rulec, run
from tests.support.planned import CONFIG, FILES, KEEP, PRINT, TEST

Lie = Callable[[Path], object]
LIMIT = {"src/app.py": FILES["src/app.py"] + "LIMIT = 3\n"}
TOTAL, TOTAL_TEST = "src/prices/total.py", "tests/test_total.py"
CODE = {TOTAL: "def total(rows):\n    return sum(rows)\n"}
OLD_TEST = FILES[TOTAL_TEST]
GOOD_TEST = OLD_TEST + "\n\ndef test_sum():\n    from src.prices.total import total\n    assert total([1, 2]) == 3\n"


def _keep_open(top: Path, *slugs: str) -> None:
    plans.open_plan(top, [("Add a limit to src/app.py", [KEEP, *slugs])])
    plans.edit(top, LIMIT)


def _approved(top: Path) -> None:
    _keep_open(top)
    plans.approve(top)


def _records(top: Path) -> Path:
    return top / ".git/rulec" / signed_records.NAME


def _change_records(top: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    known = json.loads(_records(top).read_text())
    _records(top).write_text(json.dumps({"records": [change(one) for one in known["records"]]}))


def _pins(text: str) -> dict[str, str]:
    return {"src/app.py": ChangedFile("src/app.py", FILES["src/app.py"], text).pin}


def approved_before_an_edit(top: Path) -> None:
    _approved(top)
    plans.edit(top, {"src/app.py": LIMIT["src/app.py"] + "LIMIT = 0\n"})


def approved_of_another_file(top: Path) -> None:
    _approved(top)
    plans.edit(top, {"src/other.py": FILES["src/other.py"] + "LIMIT = 0\n"})


def approved_of_another_rule(top: Path) -> None:
    _approved(top)
    plans.change_plan(top, lambda plan: plan.steps[0].rules.append(["second-limit", "strict"]))
    _change_records(top, lambda one: {**one, "name": "second-limit"})


def approved_of_another_revision(top: Path) -> None:
    _approved(top)
    run(top, "git", "restore", "--staged", "src/app.py")
    rule = top / f".rules/{KEEP}.yaml"
    rule.write_text(rule.read_text().replace("revision: 1", "revision: 2").replace("has a limit", "has a small limit"))
    rulec(top, "compile")
    run(top, "git", "add", ".rules")
    run(top, "git", "commit", "-qnm", "Change the rule")


def approved_in_another_clone(top: Path) -> None:
    other = top.parent / "clone"
    shutil.copytree(top, other, symlinks=True)
    _approved(other)
    _keep_open(top)
    shutil.copy(_records(other), _records(top))


def approved_in_another_work_tree(top: Path) -> None:
    other = top.parent / "tree"
    run(top, "git", "worktree", "add", "-q", str(other))
    _approved(other)
    _keep_open(top)
    (name,) = (top / ".git/worktrees").iterdir()
    shutil.copy(name / "rulec" / signed_records.NAME, _records(top))


def approved_by_a_record_without_sign(top: Path) -> None:
    _keep_open(top)
    place = str((top / ".git").resolve())
    record = {"kind": "approval", "name": KEEP, "revision": 1, "pins": _pins(LIMIT["src/app.py"]), "place": place}
    _records(top).write_text(json.dumps({"records": [{**record, "by": "the person", "at": 1.0}]}))


def approved_by_the_sign_of_another_record(top: Path) -> None:
    _approved(top)
    more = LIMIT["src/app.py"] + "LIMIT = 0\n"
    plans.edit(top, {"src/app.py": more})
    _change_records(top, lambda one: {**one, "pins": _pins(more)})


def approved_with_another_key(top: Path) -> None:
    _approved(top)

    def signed(one: dict[str, Any]) -> dict[str, Any]:
        told = json.dumps({name: value for name, value in one.items() if name != "sign"}, sort_keys=True)
        return {**one, "sign": hmac.new(b"another" * 5, told.encode(), "sha256").hexdigest()}

    _change_records(top, signed)


def approved_by_an_agent(top: Path) -> None:
    _keep_open(top)
    run(top, "git", "add", "-A")
    rulec(top, "approve", code=2)


def approved_by_a_yes_in_the_transcript(top: Path) -> None:
    _keep_open(top)
    plans.tell(top, plans.begin_session(top).agent("Shall I put the limit into src/app.py?").person("yes, please"))
    rulec(top, "prove", "1", KEEP, code=1)


def approved_by_a_trailer(top: Path) -> None:
    _keep_open(top)
    (top / ".git/message").write_text(f"Do it\n\nRulec-Proof: {KEEP} approved\nApproved-by: the person\n")
    run(top, "git", "add", "-A")
    run(top, "git", "commit", "-qF", ".git/message", code=1)


def evidence_that_is_told_to_prove(top: Path) -> None:
    _keep_open(top)
    rulec(top, "prove", "1", KEEP, "--said", "yes", code=2)
    rulec(top, "prove", "1", KEEP, "src/app.py:3-3", code=2)
    rulec(top, "prove", "1", KEEP, code=1)


def a_level_that_is_lowered_in_the_plan(top: Path) -> None:
    _keep_open(top)
    plans.change_plan(top, lambda plan: plan.steps[0].rules.__setitem__(0, [KEEP, "remind"]))


def a_step_that_is_called_something_else(top: Path) -> None:
    _call_the_step(top, "Describe the weather")


def a_step_in_which_a_word_is_changed(top: Path) -> None:
    _call_the_step(top, "Add a limit to docs/app.py")


def _call_the_step(top: Path, text: str) -> None:
    _keep_open(top)
    todos = {"todos": [{"content": text, "status": "in_progress"}]}
    payload = {
        "hook_event_name": "PostToolUse", "session_id": plans.SESSION, "cwd": str(top), "transcript_path": "",
        "tool_name": "TodoWrite", "tool_input": todos, "tool_response": {}, "tool_use_id": "u",
    }  # fmt: skip
    respond("claude-code", json.dumps(payload).encode(), str(top / ".rules/compiled"))


def a_check_that_found_something(top: Path) -> None:
    plans.open_plan(top, [("Show it", [PRINT])])
    plans.edit(top, {"src/app.py": FILES["src/app.py"] + "print(1)\n"})


def _testable(top: Path, files: dict[str, str], *, code: int = 1) -> str:
    plans.open_plan(top, [("Add up the prices", [TEST])])
    plans.edit(top, {**CODE, **files})
    return rulec(top, "run", "unit", code=code)


def a_test_that_was_green_before(top: Path) -> None:
    green = "\n\ndef test_none():\n    from src.prices.total import total\n    assert total([]) == 0\n"
    assert "green without the change" in _testable(top, {TOTAL_TEST: OLD_TEST + green})


def a_test_without_an_assertion(top: Path) -> None:
    nothing = "\n\ndef test_none():\n    from src.prices.total import total\n    total([1, 2])\n"
    assert "green without the change" in _testable(top, {TOTAL_TEST: OLD_TEST + nothing})


def a_test_of_another_files_change(top: Path) -> None:
    other = "\n\ndef test_other():\n    from src.other import other\n    assert other() == 2\n"
    files = {"src/other.py": "def other():\n    return 2\n", TOTAL_TEST: OLD_TEST + other}
    assert "green without the change" in _testable(top, files)


def a_test_that_was_changed_after_the_run(top: Path) -> None:
    _testable(top, {TOTAL_TEST: GOOD_TEST}, code=0)
    plans.edit(top, {TOTAL_TEST: GOOD_TEST.replace("== 3", ">= 0")})


def a_test_that_was_deleted_after_the_run(top: Path) -> None:
    _testable(top, {TOTAL_TEST: GOOD_TEST}, code=0)
    (top / TOTAL_TEST).unlink()


def code_that_was_changed_after_the_run(top: Path) -> None:
    _testable(top, {TOTAL_TEST: GOOD_TEST}, code=0)
    plans.edit(top, {TOTAL: "def total(rows):\n    return 3\n"})


def a_suite_that_runs_nothing(top: Path) -> None:
    skipped = "import pytest\n\npytestmark = pytest.mark.skip\n\n\n" + GOOD_TEST
    assert "no test was executed" in _testable(top, {TOTAL_TEST: skipped})


def an_exit_of_0_with_failures_in_the_report(top: Path) -> None:
    ends_well = "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
    wrong = GOOD_TEST + "\n\ndef test_wrong():\n    assert False\n"
    said = _testable(top, {"conftest.py": ends_well, TOTAL_TEST: wrong})
    assert "test_wrong failed" in said


def a_test_that_the_settings_leave_out(top: Path) -> None:
    files = {"pytest.ini": "[pytest]\naddopts = --deselect tests/test_total.py::test_nothing\n", TOTAL_TEST: GOOD_TEST}
    assert "test_nothing is not run any more" in _testable(top, files)


def another_command_in_the_settings_of_the_work_tree(top: Path) -> None:
    plans.write(
        top, {".rules/config.yaml": CONFIG.split("tests:")[0] + "tests:\n  unit: {run: ['true'], report: exit}\n"}
    )
    assert "HEAD's is run" in _testable(top, {})
    run(top, "git", "checkout", "-q", ".rules/config.yaml")


def a_run_that_is_called_green(top: Path) -> None:
    _testable(top, {TOTAL_TEST: GOOD_TEST.replace("== 3", "== 4")})
    _change_records(top, lambda one: {**one, "green": True, "why": "", "tested": [[TOTAL]]})


def a_run_that_is_said_to_test_more(top: Path) -> None:
    other = "\n\ndef test_none():\n    assert True\n"
    _testable(top, {TOTAL_TEST: OLD_TEST + other})
    _change_records(top, lambda one: {**one, "tested": [[TOTAL]]})


def a_run_in_another_clone(top: Path) -> None:
    other = top.parent / "clone"
    shutil.copytree(top, other, symlinks=True)
    for one in (other, top):
        plans.open_plan(one, [("Add up the prices", [TEST])])
        plans.edit(one, {**CODE, TOTAL_TEST: GOOD_TEST})
    rulec(other, "run", "unit")
    shutil.copy(_records(other), _records(top))


def a_run_of_what_is_not_staged(top: Path) -> None:
    _testable(top, {TOTAL_TEST: GOOD_TEST, TOTAL: "def total(rows):\n    return 0  # later\n"}, code=1)
    run(top, "git", "add", "src/prices/total.py", TOTAL_TEST)
    plans.edit(top, CODE)
    rulec(top, "run", "unit")


LIES: dict[str, Lie] = {
    one.__name__.replace("_", " "): one
    for one in (
        approved_before_an_edit, approved_of_another_file, approved_of_another_rule, approved_of_another_revision,
        approved_in_another_clone, approved_in_another_work_tree, approved_by_a_record_without_sign,
        approved_by_the_sign_of_another_record, approved_with_another_key, approved_by_an_agent,
        approved_by_a_yes_in_the_transcript, approved_by_a_trailer, evidence_that_is_told_to_prove,
        a_level_that_is_lowered_in_the_plan, a_step_that_is_called_something_else, a_step_in_which_a_word_is_changed,
        a_check_that_found_something,
        a_test_that_was_green_before, a_test_without_an_assertion, a_test_of_another_files_change,
        a_test_that_was_changed_after_the_run, a_test_that_was_deleted_after_the_run,
        code_that_was_changed_after_the_run, a_suite_that_runs_nothing, an_exit_of_0_with_failures_in_the_report,
        a_test_that_the_settings_leave_out, another_command_in_the_settings_of_the_work_tree,
        a_run_that_is_called_green, a_run_that_is_said_to_test_more, a_run_in_another_clone,
        a_run_of_what_is_not_staged,
    )
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_no_lie_passes_for_a_proof(name: str, tmp_path: Path) -> None:
    top = plans.planned(tmp_path / "repo")
    LIES[name](top)
    committed, said = plans.commit(top, *([".rules"] if name == "a run of what is not staged" else []))
    assert not committed
    assert "refused by" in said


def test_what_is_true_passes(tmp_path: Path) -> None:
    top = plans.planned(tmp_path / "repo")
    plans.open_plan(top, [("Add a limit", [KEEP, PRINT]), ("Add up the prices", [TEST])])
    plans.edit(top, LIMIT)
    plans.approve(top)
    committed, said = plans.commit(top)
    assert committed, said
    plans.change_plan(top, lambda plan: plans.move_on(plan, 1))
    plans.edit(top, {**CODE, TOTAL_TEST: GOOD_TEST})
    assert f"tests the change of {TOTAL}" in rulec(top, "run", "unit")
    rulec(top, "prove")
    committed, said = plans.commit(top, TOTAL)
    assert committed, said
    committed, said = plans.commit(top)
    assert committed, said


PATCH = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,2 +1,3 @@\n def load(url):\n     return url\n+LIMIT = 3\n"
WITHOUT_A_WORD: dict[str, Callable[[Path], object]] = {
    "the agent's own tool": lambda top: plans.edit(top, LIMIT),
    "sed": lambda top: _shell(top, "sed -i 's/return url/return url[:3]/' src/app.py"),
    "a heredoc": lambda top: _shell(top, "cat > src/new.py <<'X'\nLIMIT = 3\nX"),
    "git apply": lambda top: subprocess.run(["git", "apply"], cwd=top, input=PATCH, text=True, check=True),
    "mv": lambda top: _shell(top, "mv src/other.py src/moved.py"),
}


def _shell(top: Path, command: str) -> None:
    subprocess.run(["sh", "-ec", command], cwd=top, check=True)


@pytest.mark.parametrize("how", WITHOUT_A_WORD)
def test_an_agent_that_calls_no_verb_is_held_to_the_same(how: str, tmp_path: Path) -> None:
    top = plans.planned(tmp_path / "repo")
    plans.open_plan(top, [("Work on the limits", [KEEP])])
    WITHOUT_A_WORD[how](top)
    committed, said = plans.commit(top)
    assert not committed
    assert f"refused by {KEEP}" in said
    assert "rulec approve" in said
