"""Small tasks are really played, by a script, by a model and from kept sessions."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.tests.conftest import Evaluated, evaluate
from evaluation.tests.small_tasks import NPM, NPM_RULE, WIP, write_answers, write_tasks
from tests.support.messages_server import Asked, MessagesServer
from tests.support.session import ClaudeSession
from tests.support.world import at_home


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, _path: str) -> tuple[dict[str, Any], str, str]:
    """The result, the page and the table of one evaluation."""
    folder = tmp_path_factory.mktemp("eval")
    tasks, answers = write_tasks(folder / "tasks", NPM, WIP), write_answers(folder / "answers", npm=NPM_RULE)
    files = ["--result", str(folder / "a.json"), "--report", str(folder / "a.html")]
    with at_home(folder, PATH=_path):
        said = evaluate(str(tasks), "--rules", str(answers), *files, cwd=folder)
    return json.loads((folder / "a.json").read_text()), (folder / "a.html").read_text(), said.stdout


def _repeats(measured: dict[str, Any], condition: str, level: float) -> float:
    found = (
        row["repeats"]["rate"]
        for row in measured["curves"]
        if (row["group"], row["condition"], row["compliance"]) == ("tasks with a rule", condition, level)
    )
    return next(found)


def test_a_gate_stops_the_repeat_that_its_rule_sees(played: tuple[dict[str, Any], str, str]) -> None:
    measured, _, _ = played
    assert measured["impossible"] == []
    assert [one["rules"] for one in measured["by task"]] == [["use-pnpm"], []]
    assert [one["missed"] for one in measured["by task"]] == [[1], [0]]  # the guide names npm in words
    assert _repeats(measured, "none", 0) == 1
    assert _repeats(measured, "gates", 0) == _repeats(measured, "gates and steps", 0) == 0.5
    assert measured["rulebooks changed"] == 0


def test_the_rule_is_really_told(played: tuple[dict[str, Any], str, str]) -> None:
    measured, _, _ = played
    assert measured["told"] == {"occasions with a rule": 2, "at the prompt": 2, "with steps": 2}
    tokens = {row["condition"]: row["tokens"]["rate"] for row in measured["curves"]}
    assert tokens["none"] == 0
    assert tokens["snapshot"] > 5


def test_the_page_and_the_table_say_the_same_with_date_and_machine(played: tuple[dict[str, Any], str, str]) -> None:
    measured, page, table = played
    for text in (page, table):
        assert "gates and steps" in text
        assert "processors" in text
    assert page.count('<path class="curve') == 2 * 2 * 5
    assert "<script" not in page
    assert f"{measured['tasks']} tasks, 1 with a rule" in table


def test_a_reader_gets_the_first_session_and_nothing_of_later(tmp_path: Path, evaluated: Evaluated) -> None:
    tasks = write_tasks(tmp_path / "tasks", NPM)
    evaluated(str(tasks), "--prepare", str(tmp_path / "questions"))
    own = tmp_path / "questions/tasks/npm"
    assert (own / "session.txt").read_text().count("PERSON:") == 2
    assert "pnpm, not npm please" in (own / "session.jsonl").read_text()
    assert (own / "repository/.claude/settings.json").is_file()
    written = "".join(path.read_text("utf-8", "replace") for path in own.rglob("*") if path.is_file())
    assert "dayjs" not in written
    again = evaluated(str(tasks), "--prepare", str(tmp_path / "questions"), code=2)
    assert "is not empty" in again.stderr


def test_kept_sessions_are_judged_by_the_rules(tmp_path: Path, evaluated: Evaluated) -> None:
    tasks, answers = write_tasks(tmp_path / "tasks", NPM), write_answers(tmp_path / "answers", npm=NPM_RULE)
    kept = tmp_path / "kept"
    kept.mkdir()
    place = Path("/work/shop")
    ClaudeSession(place).person("Add it.").runs("npm install dayjs").agent("Done.").save(kept / "npm.0.none.jsonl")
    ClaudeSession(place).person("Add it.").runs("pnpm add dayjs").agent("Done.").save(kept / "npm.0.gates.jsonl")
    said = evaluated(str(tasks), "--rules", str(answers), "--agent", f"recorded:{kept}", "--format", "json")
    rows = {row["condition"]: row["repeats"] for row in json.loads(said.stdout)["measured"]["sessions"]}
    assert (rows["none"]["rate"], rows["gates"]["rate"]) == (1, 0)
    assert "recorded before" in json.loads(said.stdout)["run"]["agent"]
    (kept / "other.jsonl").write_text("{}\n")
    refused = evaluated(str(tasks), "--rules", str(answers), "--agent", f"recorded:{kept}", code=2)
    assert "is the session of no task" in refused.stderr


def test_a_model_acts_and_hears_refusals(tmp_path: Path, evaluated: Evaluated, messages: MessagesServer) -> None:
    task = {**NPM, "tasks": NPM["tasks"][:1]}
    tasks, answers = write_tasks(tmp_path / "tasks", task), write_answers(tmp_path / "answers", npm=NPM_RULE)

    def answer(asked: Asked) -> dict[str, Any]:
        program = "pnpm add" if "refused 1" in asked.text else "npm install"
        return {"actions": [{"kind": "command", "command": f"{program} dayjs"}, {"kind": "stop", "say": "Done."}]}

    messages.script = answer
    given = ("--agent", "anthropic", "--conditions", "none,gates", "--format", "json")
    measured = json.loads(evaluated(str(tasks), "--rules", str(answers), *given).stdout)["measured"]
    rows = {row["condition"]: row for row in measured["sessions"]}
    assert (rows["none"]["repeats"]["rate"], rows["gates"]["repeats"]["rate"]) == (1, 0)
    assert rows["gates"]["refusals"]["rate"] == 1
    assert rows["gates"]["tokens"]["rate"] > rows["none"]["tokens"]["rate"] > 0


def test_no_secret_of_a_task_is_shown(tmp_path: Path, evaluated: Evaluated) -> None:
    token = "ghp_" + "a1B2" * 9
    lacks = {"edit": {"path": "package.json", "old": f"x = {token}", "new": "y"}}
    task = {**NPM, "family": token, "enforce": token, "tasks": [{"prompt": "Go on.", "bad": lacks}], "innocent": []}
    files = [tmp_path / "a.json", tmp_path / "a.html"]
    given = ["--result", str(files[0]), "--report", str(files[1]), "--format", "json"]
    said = evaluated(str(write_tasks(tmp_path / "tasks", task)), *given).stdout
    shown = said + "".join(path.read_text() for path in files)
    assert "[redacted:github]" in shown
    assert token[:9] not in shown


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--agent", "codex"], "codex is not installed"),
        (["--agent", "opencode"], "OpenCode is not told rules without gates"),
        (["--agent", "anthropic"], "ANTHROPIC_API_KEY is not set"),
        (["--agent", "nobody"], "no agent 'nobody'"),
        (["--agent", "recorded:nowhere"], "nowhere: no such folder"),
        (["--compliance", "2"], "takes shares from 0 to 1"),
        (["--conditions", "magic"], "no condition 'magic'"),
        (["--rules", "nowhere"], "nowhere: no such folder"),
        (["--report", "nowhere/a.html"], "cannot be written"),
        (["--result", "/proc/x.json"], "/proc/x.json: cannot be written"),
        (["--result", "x", "--report", "./x"], "would be written twice"),
        (["--prepare", "/proc/x"], "/proc/x: cannot be written"),
        (["--prepare", "/etc/hosts"], "/etc/hosts: cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, evaluated: Evaluated, argv: list[str], said: str) -> None:
    refused = evaluated(str(write_tasks(tmp_path / "tasks", NPM)), *argv, code=2)
    assert said in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, evaluated: Evaluated) -> None:
    tasks, answers = write_tasks(tmp_path / "tasks", NPM, WIP), write_answers(tmp_path / "answers", npm=NPM_RULE)
    results = [tmp_path / "one.json", tmp_path / "two.json"]
    for result, workers in zip(results, ("1", "2"), strict=True):
        evaluated(str(tasks), "--rules", str(answers), "--result", str(result), "--workers", workers)
    assert results[0].read_bytes() == results[1].read_bytes()
