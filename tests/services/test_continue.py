"""A run whose questions anybody answers in files: left, remembered, heard, gone on with, closed."""

import json
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rulec.infra import state
from tests.conftest import Run
from tests.support import talks
from tests.support.session import pnpm
from tests.support.world import Said, act

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

Act = Callable[..., Said]
WISH = {
    "turn": 2, "quote": "Use pnpm, not npm.", "statement": "Use pnpm, never npm.", "name": "use-pnpm", "when": "",
    "do": "use pnpm", "category": "tooling", "severity": "should", "holds": "next time", "sure": "high",
    "offence": None, "fix": None,
}  # fmt: skip
DRAFT = {
    "examples": {"invalid": [{"command": "npm install x"}], "valid": [{"command": "pnpm add x"}]},
    "alternatives": [{"checks": [{"template": "forbid-command", "with": {"commands": ["npm"], "instead": "pnpm"}}]}],
}


@pytest.fixture
def verb(repo: Path) -> Act:
    """A verb in that repository, in this process."""
    return partial(act, repo)


@pytest.fixture
def begun(repo: Path, verb: Act, tmp_path: Path) -> Path:
    """A repository with a rulebook, and a transcript beside it."""
    verb("init", "--yes", "--agent", "claude-code", "--no-ci")
    return pnpm(repo, "Use pnpm, not npm.").save(tmp_path / "t.jsonl")


def _folder(repo: Path) -> Path:
    return repo / ".rulec" / "exchange"


def answer(repo: Path, data: object = None) -> list[Path]:
    """Answer every question that waits, as whoever reads the folder does."""
    prompts = talks.answer(repo, WISH, draft=DRAFT)
    places = [prompt.with_name(prompt.name.replace(".prompt.md", ".answer.json")) for prompt in prompts]
    for place in places if data else ():
        place.write_text(json.dumps(data))
    return places


def through(repo: Path, *options: str) -> str:
    return talks.through(repo, WISH, draft=DRAFT, options=options or ("--yes",))


def test_what_is_left_is_heard_and_cleared_away(repo: Path, verb: Act, begun: Path) -> None:
    said = verb("ingest", str(begun), "--backend", "exchange").out
    assert "1 prompt waits in .rulec/exchange" in said.splitlines()[-1]
    assert "rulec ingest --continue" in said
    again = verb("ingest", "--continue").out
    assert "1 prompt waits" in again
    heard = through(repo)
    assert "NEW use-pnpm" in heard
    assert not (repo / ".rulec").exists()
    assert "no run waits for answers" in verb("ingest", "--continue", code=2).err


def test_the_same_transcript_is_not_asked_about_twice(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange")
    through(repo, "--enforcement", "auto")
    said = verb("ingest", str(begun), "--backend", "exchange").out
    assert "3 answered before" in said
    assert "waits in .rulec" not in said
    assert not (repo / ".rulec").exists()


def test_one_bad_answer_is_told_by_its_line_and_waits_on(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange")
    (place,) = answer(repo, {"wishes": 1})
    said = verb("ingest", "--continue")
    assert f"{place.name}:1" in said.out + said.err
    assert "1 prompt waits" in said.out
    assert "1 answered" not in said.out + said.err
    place.write_text("{")
    said = verb("ingest", "--continue")
    assert f"{place.name}:1: is not JSON" in said.out + said.err
    assert "NEW use-pnpm" in through(repo)


def test_what_accepts_is_said_anew(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange", "--yes")
    said = through(repo, "--enforcement", "auto")
    assert "0 accepted" in said
    assert not (repo / ".rules/use-pnpm.yaml").exists()


def test_what_to_run_again_stands_where_no_file_of_the_work_tree_changes_it(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange")
    kept = json.loads((state.state_dir(repo) / "exchange.json").read_text())
    assert kept == {"transcript": str(begun), "reader": ""}


@pytest.mark.parametrize("damage", ["", "[]", '{"transcript": 1}'])
def test_a_damaged_memory_is_none(repo: Path, verb: Act, begun: Path, damage: str) -> None:
    verb("ingest", str(begun), "--backend", "exchange")
    (state.state_dir(repo) / "exchange.json").write_text(damage)
    assert "no run waits" in verb("ingest", "--continue", code=2).err


@pytest.mark.parametrize("more", [("t.jsonl",), ("--reader", "codex"), ("--backend", "recorded"), ("--dry-run",)])
def test_continuing_takes_nothing_else(repo: Path, verb: Act, more: tuple[str, ...]) -> None:
    said = verb("ingest", "--continue", *more, code=2).err
    assert said.count("\n") == 1
    assert "--continue" in said


def test_standard_input_cannot_be_read_again(repo: Path, rulec: Run, begun: Path) -> None:
    said = rulec("ingest", "-", "--backend", "exchange", code=2, stdin=begun.read_text()).stderr
    assert "standard input can be read only once" in said
    assert not (repo / ".rulec").exists()


def test_questions_of_an_earlier_run_give_way(repo: Path, verb: Act, begun: Path, tmp_path: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange")
    (first,) = _folder(repo).glob("*.prompt.md")
    other = pnpm(repo, "Please use pnpm here and never npm.").save(tmp_path / "other.jsonl")
    assert "1 prompt waits" in verb("ingest", str(other), "--backend", "exchange").out
    (second,) = _folder(repo).glob("*.prompt.md")
    assert first.name[4:] != second.name[4:]


def test_a_transcript_that_is_gone_is_refused(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange")
    begun.unlink()
    said = verb("ingest", "--continue", code=2).err
    assert str(begun) in said


def test_a_folder_in_the_way_ends_with_one_line(repo: Path, verb: Act, begun: Path) -> None:
    (repo / ".rulec").write_text("theirs")
    said = verb("ingest", str(begun), "--backend", "exchange", code=2).err
    assert "not a plain folder" in said
    assert said.count("\n") == 1
    assert (repo / ".rulec").read_text() == "theirs"


def test_a_backend_of_the_settings_that_cannot_be_asked_leaves_it_to_us(repo: Path, verb: Act, begun: Path) -> None:
    with (repo / ".rules/config.yaml").open("a") as file:
        file.write("models: {backend: recorded}\n")
    said = verb("ingest", str(begun), "--yes")
    assert "recorded cannot be asked, so only rulec itself reads: there is no folder" in said.out
    assert "NEW use-pnpm" in said.out
    assert "recorded cannot be asked" in verb("ingest", str(begun), "--backend", "recorded", code=2).err


def test_doctor_says_who_is_asked_and_what_waits(repo: Path, verb: Act, begun: Path) -> None:
    assert "no model is configured" in verb("doctor", code=None).out
    verb("ingest", str(begun), "--backend", "exchange")
    assert "1 prompt waits in .rulec/exchange" in verb("doctor", code=None).out
    assert "questions: 1 prompt waits in .rulec/exchange" in verb().out


def test_sessions_whose_questions_wait_are_read_again(repo: Path, verb: Act, begun: Path) -> None:
    folder = Path(os.environ["HOME"]) / ".claude/projects/-repo"
    folder.mkdir(parents=True)
    shutil.copy(begun, folder / "ours.jsonl")
    assert "1 prompt waits" in verb("ingest", "--backend", "exchange").out
    assert "NEW use-pnpm" in through(repo)


def test_going_on_with_a_dry_run_is_a_dry_run(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange", "--dry-run")
    answer(repo)
    said = verb("ingest", "--continue", "--yes")
    assert "use-pnpm: Use pnpm, never npm." in said.out
    assert not list((repo / ".rules").glob("use-pnpm*"))
    assert "queue: empty" in verb().out
    verb("ingest", str(begun), "--backend", "exchange")
    assert "NEW use-pnpm" in through(repo)


def test_after_a_dry_run_the_same_run_in_earnest_keeps_its_questions(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange", "--dry-run")
    (prompt,) = _folder(repo).glob("*.prompt.md")
    verb("ingest", str(begun), "--backend", "exchange")
    assert list(_folder(repo).glob("*.prompt.md")) == [prompt]
    assert "NEW use-pnpm" in through(repo)


def test_status_says_what_hears_the_answers_to_a_judges_question(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange")
    assert "then: rulec ingest --continue" in verb().out
    assert "next: answer the questions" in verb().out
    for file in _folder(repo).glob("*-mine-*"):
        file.rename(file.with_name(file.name.replace("-mine-", "-judge-")))
    said = verb().out
    assert "questions: 1 prompt waits" in said
    assert "rulec ingest --continue" not in said
    assert "rulec check" in said
    assert "next: answer the questions" in said


def test_an_answer_that_nobody_has_heard_is_not_forgotten(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange")
    (place,) = answer(repo)
    line = "1 answer was not read yet: rulec ingest --continue"
    assert f"questions: {line}\n" in verb().out
    assert "next: rulec ingest --continue" in verb().out
    assert line in verb("doctor", code=None).out
    place.write_text("{")
    verb("ingest", "--continue")
    assert f"questions: {line}\n" in verb().out
    through(repo)
    assert "questions:" not in verb().out


def test_an_answer_about_a_judge_is_heard_by_the_command_that_asked(repo: Path, verb: Act, begun: Path) -> None:
    verb("ingest", str(begun), "--backend", "exchange")
    answer(repo)
    for file in _folder(repo).glob("*-mine-*"):
        file.rename(file.with_name(file.name.replace("-mine-", "-judge-")))
    said = verb().out
    assert "questions: 1 answer was not read yet: the same command again (rulec check," in said
    assert "next: run the same command again (rulec check," in said
