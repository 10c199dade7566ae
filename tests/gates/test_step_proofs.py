"""The commit gate and open plans: which changed files belong to which step, and what a missing proof does."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.gates.plans.commit_proofs import cure_of
from rulec.plans import plan_store
from rulec.plans.plan import ACTIVE, DONE, Plan
from rulec.plans.proofs import changed_files, owed_proofs, signed_records
from tests.support import planned as plans
from tests.support.gates import rulec
from tests.support.planned import FILES, KEEP, MILD, PRINT, STASH, TEST
from tests.support.world import act, run

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

LIMIT = {"src/app.py": FILES["src/app.py"] + "LIMIT = 3\n"}


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return plans.planned(tmp_path / "repo")


def _verdicts(top: Path, *, stage: bool = True) -> list[tuple[str, str, str]]:
    """Rule, outcome and path of what the gate says about the staged change."""
    if stage:
        run(top, "add", "-A")
    told = json.loads(act(top, "check", "--staged", "--format", "json", code=None).out)
    return [(one["facts"]["slug"], one["outcome"], one["finding"]["path"]) for one in told["verdicts"]]


def _status(status: str) -> Callable[[Plan], None]:
    def change(plan: Plan) -> None:
        plan.steps[0].status = status

    return change


def test_only_strict_rules_that_speak_of_the_files_refuse(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP, PRINT, MILD, STASH, TEST])])
    plans.edit(top, LIMIT)
    assert _verdicts(top) == [(KEEP, "block", "src/app.py"), (MILD, "warn", "src/app.py")]
    plans.write(top, {"src/app.py": FILES["src/app.py"], "docs/a.md": "# B\n"})
    assert _verdicts(top) == [(MILD, "warn", "docs/a.md")]


def test_a_rule_with_a_check_is_proved_by_it(top: Path) -> None:
    plans.open_plan(top, [("Work", [PRINT])])
    plans.edit(top, LIMIT)
    assert _verdicts(top) == []
    plans.edit(top, {"src/app.py": FILES["src/app.py"] + "print(1)\n"})
    assert _verdicts(top) == [(PRINT, "block", "src/app.py")]


def test_a_rule_that_is_testable_holds_at_every_step(top: Path) -> None:
    plans.open_plan(top, [("Work", [])])
    plans.edit(top, {"src/prices/total.py": "def total(rows):\n    return 1\n"})
    assert _verdicts(top) == [(TEST, "block", "src/prices/total.py")]


def test_rules_of_the_step_above_hold(top: Path) -> None:
    steps = plans.open_plan(top, [("Work", [KEEP]), ("A part of it", ["second-limit"])], current=1)

    def below(plan: Plan) -> None:
        plan.steps[1].parent = steps[0].id

    plans.change_plan(top, below)
    plans.edit(top, LIMIT)
    assert _verdicts(top) == [(KEEP, "block", "src/app.py"), ("second-limit", "block", "src/app.py")]


CLAIMS: dict[str, tuple[Callable[[Path], object], bool]] = {  # what is done -> whether the step is asked for its proof
    "no plan": (lambda top: shutil.rmtree(top / ".git/rulec/plans"), False),
    "nothing else": (lambda _: None, True),
    "the step is done": (lambda top: plans.change_plan(top, _status(DONE)), True),
    "the plan is old": (lambda top: _aged(top, plan_store.OLDEST + 60), False),
    "the plan is a day old": (lambda top: _aged(top, 86_400), True),
}


def _aged(top: Path, seconds: float) -> None:
    """As if nobody had touched the plan for so long."""
    (path,) = (top / ".git/rulec/plans").iterdir()
    data = json.loads(path.read_text())
    for key in ("seen", "opened"):
        data[key] -= seconds
    path.write_text(json.dumps(data))


@pytest.mark.e2e
def test_a_claim_ends_with_its_step_and_its_plan(top: Path, tmp_path: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    run(top, "add", "-A")
    wrong = []
    for number, (name, (do, asked)) in enumerate(CLAIMS.items()):
        other = tmp_path / str(number)
        shutil.copytree(top, other, symlinks=True)
        do(other)
        if bool(_verdicts(other)) is not asked:
            wrong.append(name)
    assert not wrong


def test_what_a_person_changes_later_is_free(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    plans.approve(top)
    assert _verdicts(top) == []
    run(top, "commit", "-qnm", "Work")
    plans.change_plan(top, _status(DONE))
    plans.write(top, {"src/app.py": LIMIT["src/app.py"] + "LIMIT = 4\n"})
    assert _verdicts(top) == []
    plans.change_plan(top, _status(ACTIVE))
    plans.edit(top, {"src/app.py": LIMIT["src/app.py"] + "LIMIT = 5\n"})
    assert _verdicts(top) == [(KEEP, "block", "src/app.py")]


def test_what_was_not_committed_stays_claimed(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    plans.approve(top)
    assert _verdicts(top) == []  # and then nobody commits
    plans.write(top, {"src/app.py": LIMIT["src/app.py"] + "LIMIT = 4\n"})
    assert _verdicts(top) == [(KEEP, "block", "src/app.py")]


def test_a_part_of_a_file_is_not_all_of_it(top: Path) -> None:
    long = "".join(f"line {number}\n" for number in range(20))
    plans.write(top, {"src/long.py": long})
    run(top, "add", "-A")
    run(top, "commit", "-qnm", "Long")
    plans.open_plan(top, [("Work", [KEEP])])
    both = long.replace("line 1\n", "LIMIT = 1\n").replace("line 18\n", "LIMIT = 18\n")
    plans.edit(top, {"src/long.py": both})
    plans.approve(top)
    plans.write(top, {"src/long.py": long.replace("line 1\n", "LIMIT = 1\n")})
    run(top, "add", "-A")
    plans.write(top, {"src/long.py": both})
    assert _verdicts(top, stage=False) == [(KEEP, "block", "src/long.py")]
    assert _verdicts(top) == []


def test_files_that_were_changed_before_the_step_began_are_free(top: Path) -> None:
    plans.write(top, LIMIT)
    before = changed_files.changed_time(str(top / "src/app.py"))
    while changed_files.changed_time(str(_touched(top / "tick"))) < before + 2 * changed_files.CLOCKS:
        pass
    (top / "tick").unlink()
    plans.open_plan(top, [("Work", [KEEP])])
    assert _verdicts(top) == []
    plans.write(top, {"src/other.py": "LIMIT = 3\n"})
    assert _verdicts(top) == [(KEEP, "block", "src/other.py")]


def _touched(path: Path) -> Path:
    path.write_text("x")
    return path


def test_a_step_that_names_a_file_claims_it_before_the_current_one(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP]), ("Work on src/other.py", ["second-limit"])])

    def named(plan: Plan) -> None:
        plan.steps[1].paths = ["src/other.py"]

    plans.change_plan(top, named)
    plans.write(top, {"src/other.py": "LIMIT = 3\n"})
    assert _verdicts(top) == [("second-limit", "block", "src/other.py")]


def test_a_rule_of_which_only_its_words_are_there_refuses_as_well(top: Path) -> None:
    run(top, "rm", "-q", f".rules/{KEEP}.yaml")
    run(top, "commit", "-qnm", "Lose the file")
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    assert _verdicts(top) == [(KEEP, "block", "src/app.py")]


def test_another_work_tree_has_its_own_plans(top: Path, tmp_path: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    run(top, "worktree", "add", "-q", str(tmp_path / "other"))
    plans.write(tmp_path / "other", LIMIT)
    assert _verdicts(tmp_path / "other") == []
    plans.open_plan(tmp_path / "other", [("Work", [KEEP])])
    plans.write(tmp_path / "other", {"src/app.py": LIMIT["src/app.py"] + "x = 1\n"})
    assert _verdicts(tmp_path / "other") == [(KEEP, "block", "src/app.py")]


def test_what_a_person_approved_is_as_good_as_checked(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP]), ("Add up", [TEST])])
    plans.edit(top, LIMIT)
    plans.change_plan(top, lambda plan: plans.move_on(plan, 1))
    plans.edit(top, {"src/prices/total.py": "def total(rows):\n    return 1\n"})
    assert _verdicts(top) == [(KEEP, "block", "src/app.py"), (TEST, "block", "src/prices/total.py")]
    plans.approve(top)
    assert _verdicts(top) == []
    assert "approved" in rulec(top, "prove", "1", KEEP)


def test_only_tests_and_prose_need_no_test(top: Path) -> None:
    plans.open_plan(top, [("Work", [])])
    plans.edit(top, {"src/prices/test_total.py": "x = 1\n", "src/prices/README.md": "x\n"})
    assert _verdicts(top) == []


@pytest.mark.parametrize("form", ["text", "sarif", "github", "gitlab", "markdown"])
def test_every_report_has_it(top: Path, form: str) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    run(top, "add", "-A")
    said = act(top, "check", "--staged", "--format", form, code=1).out
    assert KEEP in said
    assert "src/app.py" in said


def test_foreign_records_are_told_in_one_line(top: Path) -> None:
    plans.open_plan(top, [("Work", [])])
    plans.edit(top, LIMIT)
    run(top, "add", "-A")
    (top / ".git/rulec" / signed_records.NAME).write_text('{"records": [{"kind": "approval"}]}')
    assert act(top, "check", "--staged").err.count("were not made by rulec here") == 1


def test_the_hook_sees_the_same_before_there_is_a_gate(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP, PRINT])])
    plans.edit(top, LIMIT)
    found = {one.terms.slug: one for one in owed_proofs.owed_at_hand(str(top))}
    assert sorted(found) == [KEEP, PRINT]
    assert (found[PRINT].proved, found[PRINT].later, found[PRINT].is_open) == ("checked", True, False)
    assert (found[KEEP].proved, found[KEEP].is_open, found[KEEP].paths) == ("", True, ["src/app.py"])


def test_bytes_that_are_no_text_are_kept_apart(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    pins = []
    for byte in (b"\xe4", b"\xf6"):
        (top / "src/app.py").write_bytes(b"# " + byte + b"\n")
        (file,) = changed_files.changed_at_hand(str(top))
        pins.append(file.pin)
    assert len(set(pins)) == len(pins)
    (top / "src/app.py").unlink()
    (top / "src/app.py").symlink_to("other.py")
    (file,) = changed_files.changed_at_hand(str(top))
    assert (file.pinned, file.pin) == (False, "")


def test_the_cure_names_what_proves_it(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    (one,) = owed_proofs.owed_at_hand(str(top))
    assert cure_of(one, ["unit"]) == (
        "write a test that is red without the change, then rulec run unit; or a person runs git add, then rulec approve"
    )
