"""The commit gate and open plans: which changed files belong to which step, and what a missing proof does."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.gates.steps.commit_proofs import cure_of
from rulec.rulebook.config import Config
from rulec.steps import plan_store
from rulec.steps.proofs import claimed_files, open_proofs, proof_store
from rulec.steps.step import DONE, DROPPED, Plan
from tests.support import planned as plans
from tests.support.planned import ASK, FILES, KEEP, MILD, PRINT, STASH, TEST
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


def test_rules_of_the_plan_and_of_the_step_above_hold(top: Path) -> None:
    steps = plans.open_plan(top, [("Work", [KEEP]), ("A part of it", [])], always=["second-limit"], current=1)

    def below(plan: Plan) -> None:
        plan.steps[1].parent = steps[0].id

    plans.change_plan(top, below)
    plans.edit(top, LIMIT)
    assert _verdicts(top) == [(KEEP, "block", "src/app.py"), ("second-limit", "block", "src/app.py")]


def test_packages_need_a_word_that_nobody_has_to_type(top: Path) -> None:
    plans.open_plan(top, [("Pad", [ASK])])
    plans.edit(top, {"package.json": FILES["package.json"].replace("zod", 'left-pad": "1.0.0",\n    "zod')})
    assert _verdicts(top) == [(ASK, "block", "package.json")]
    plans.tell(top, plans.begin_session(top).agent("May I add lodash?").person("yes"))
    assert _verdicts(top) == [(ASK, "block", "package.json")]
    plans.tell(top, plans.begin_session(top).agent("May I add left-pad?").person("yes"))
    assert _verdicts(top) == []


CLAIMS: dict[str, tuple[Callable[[Path], object], bool]] = {  # what is done -> whether the step is asked for its proof
    "no plan": (lambda top: shutil.rmtree(top / ".git/rulec/steps"), False),
    "nothing else": (lambda _: None, True),
    "the step is done": (lambda top: plans.change_plan(top, _status(DONE)), True),
    "the step was dropped after the edit": (lambda top: plans.change_plan(top, _status(DROPPED)), True),
    "the plan is old": (lambda top: _aged(top, plan_store.OLDEST + 60), False),
    "the plan is a day old": (lambda top: _aged(top, 86_400), True),
}


def _aged(top: Path, seconds: float) -> None:
    """As if nobody had touched the plan for so long."""
    (path,) = (top / ".git/rulec/steps").iterdir()
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
    plans.tell(top, plans.begin_session(top).agent("Shall I change the limit in src/app.py?").person("yes"))
    act(top, "prove", "1", KEEP, "--said", "yes")
    assert _verdicts(top) == []
    run(top, "commit", "-qnm", "Work")
    plans.write(top, {"src/app.py": LIMIT["src/app.py"] + "LIMIT = 4\n"})
    assert _verdicts(top) == []
    plans.edit(top, {"src/app.py": LIMIT["src/app.py"] + "LIMIT = 5\n"})
    assert _verdicts(top) == [(KEEP, "block", "src/app.py")]


def test_what_was_not_committed_stays_claimed(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    plans.tell(top, plans.begin_session(top).agent("Shall I change the limit in src/app.py?").person("yes"))
    act(top, "prove", "1", KEEP, "--said", "yes")
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
    plans.tell(top, plans.begin_session(top).agent("Shall I change the limit in src/long.py?").person("yes"))
    act(top, "prove", "1", KEEP, "--said", "yes")
    plans.write(top, {"src/long.py": long.replace("line 1\n", "LIMIT = 1\n")})
    run(top, "add", "-A")
    plans.write(top, {"src/long.py": both})
    assert _verdicts(top, stage=False) == [(KEEP, "block", "src/long.py")]
    assert _verdicts(top) == []


def test_files_that_were_changed_before_the_step_began_are_free(top: Path) -> None:
    plans.write(top, LIMIT)
    before = claimed_files.changed_time(str(top / "src/app.py"))
    while claimed_files.changed_time(str(_touched(top / "tick"))) < before + 2 * claimed_files.CLOCKS:
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


def test_an_accepted_risk_is_shown_and_refuses_nothing(top: Path) -> None:
    (step,) = plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    risk = {"kind": "risk", "session": plans.SESSION, "step": step.id, "rule": KEEP, "revision": 1}
    more = {"reason": "no test system", "by": "Dev", "until": plans.day(3)}
    assert proof_store.add_decision(str(top), {**risk, **more})
    assert _verdicts(top) == [(KEEP, "suppressed", "src/app.py")]
    assert proof_store.add_decision(str(top), {**risk, **more, "until": plans.day(-1)})
    assert _verdicts(top) == [(KEEP, "block", "src/app.py")]


def test_a_level_for_one_step_is_a_signed_decision(top: Path) -> None:
    (step,) = plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)

    def lower(plan: Plan) -> None:
        plan.steps[0].rules = [[KEEP, "remind"]]

    plans.change_plan(top, lower)
    assert _verdicts(top) == [(KEEP, "block", "src/app.py")]
    level = {"kind": "level", "session": plans.SESSION, "step": step.id, "rule": KEEP, "level": "remind"}
    assert proof_store.add_decision(str(top), level)
    assert _verdicts(top) == []


@pytest.mark.parametrize("form", ["text", "sarif", "github", "gitlab", "junit", "markdown"])
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
    (top / ".git/rulec" / proof_store.NAME).write_text('{"class": "said", "pin": {}, "sign": "0"}\n{"a": 1}\n')
    assert act(top, "check", "--staged").err.count("not made by rulec in this work tree") == 1


def test_the_hook_sees_the_same_before_there_is_a_gate(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP, PRINT])])
    plans.edit(top, LIMIT)
    found = {one.terms.slug: one for one in open_proofs.obligations_at_hand(str(top))}
    assert sorted(found) == [KEEP, PRINT]
    assert (found[PRINT].proved, found[PRINT].later, found[PRINT].is_open) == ("checked", True, False)
    assert (found[KEEP].proved, found[KEEP].is_open, found[KEEP].paths) == ("", True, ["src/app.py"])


def test_bytes_that_are_no_text_are_kept_apart(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    pins = []
    for byte in (b"\xe4", b"\xf6"):
        (top / "src/app.py").write_bytes(b"# " + byte + b"\n")
        (file,) = claimed_files.changed_at_hand(str(top))
        pins.append((file.pin, proof_store.text_digest(file.now)))
    assert len(set(pins)) == len(pins)
    (top / "src/app.py").unlink()
    (top / "src/app.py").symlink_to("other.py")
    (file,) = claimed_files.changed_at_hand(str(top))
    assert (file.readable, file.pin) == (False, "")


def test_a_person_is_told_first_what_a_person_may_do(top: Path) -> None:
    plans.open_plan(top, [("Work", [KEEP])])
    plans.edit(top, LIMIT)
    (one,) = open_proofs.obligations_at_hand(str(top))
    accept = f"rulec accept-risk 1 {KEEP} "
    agents, persons = (cure_of(one, "1", Config(), by_person=who).split("; or ") for who in (False, True))
    assert persons[0].startswith(accept)
    assert agents[-1].startswith(f"a person may run {accept}")
    assert "'May I change src/app.py although the rule is: Every request has a limit?'" in agents[0]
