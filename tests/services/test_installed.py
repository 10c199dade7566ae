"""Which installed agent's CLI may read: asked once, never chosen silently, kept among the person's own settings."""

import sys
from pathlib import Path

import pytest

from rulec import terminal
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.llm import model_settings
from rulec.rulebook import file_paths
from rulec.services.asking import reader_choice
from rulec.services.proposals.candidate_decision import DecisionOptions
from rulec.services.rules import new_rule
from tests.conftest import Run
from tests.support.programs import install
from tests.support.session import ClaudeSession
from tests.support.terminal import on_terminal

RULEC = [sys.executable, "-m", "rulec"]
ASKED = "may read your transcripts?"


@pytest.fixture(autouse=True)
def _two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Codex and Gemini are installed, whatever else is."""
    for name in ("codex", "gemini"):
        install(name, tmp_path, monkeypatch)


def settings() -> Path:
    return personal_rulebook.personal_folder() / file_paths.CONFIG


def test_the_answer_is_kept_and_nobody_is_asked_again(gated: Path) -> None:
    asked: list[list[str]] = []
    line = reader_choice.choose_reader(gated, lambda names: asked.append(list(names)) or "gemini")
    assert [name for name in asked[0] if name in ("codex", "gemini")] == ["codex", "gemini"]
    assert line == f"gemini-cli reads your transcripts from now on; change models.backend in {settings()}"
    assert model_settings.personal_settings().models.backend == "gemini-cli"
    assert model_settings.choose_models(gated, rulebook_files.load_rulebook(gated)).backend == "gemini-cli"
    assert "gemini" not in (gated / file_paths.CONFIG).read_text()
    assert reader_choice.choose_reader(gated, lambda _: "codex") == ""
    assert model_settings.personal_settings().models.backend == "gemini-cli"


def test_none_is_an_answer_too(gated: Path) -> None:
    line = reader_choice.choose_reader(gated, lambda _: "")
    assert line.startswith("no agent's CLI reads your transcripts from now on")
    assert reader_choice.choose_reader(gated, lambda _: "codex") == ""
    assert model_settings.choose_models(gated, rulebook_files.load_rulebook(gated)).backend == ""


def test_what_a_person_wrote_into_their_settings_stays(gated: Path) -> None:
    settings().parent.mkdir(parents=True)
    settings().write_text("# mine\nschema: 1\nmodels: {money: 7}  # dollars\n")
    reader_choice.choose_reader(gated, lambda _: "codex")
    assert settings().read_text().startswith("# mine\n")
    assert (model_settings.personal_settings().models.backend, model_settings.personal_settings().models.money) == (
        "codex-cli",
        7,
    )


def test_in_a_personal_rulebook_it_is_a_commit(gated: Path, rulec: Run) -> None:
    rulec("--personal", "add", "Never use npm.", "--yes")
    reader_choice.choose_reader(gated, lambda _: "codex")
    assert model_settings.personal_settings().models.backend == "codex-cli"
    log = rulec("--personal", "rules", cwd=gated, code=None).stdout
    assert "Traceback" not in log
    assert rulebook_files.load_rulebook(personal_rulebook.personal_folder()).rules


@pytest.mark.parametrize("answer", [[], ["--yes"]], ids=["no terminal", "--yes"])
def test_where_nobody_can_be_asked_nothing_is_chosen_and_a_line_says_how(
    gated: Path, rulec: Run, answer: list[str], tmp_path: Path
) -> None:
    session = ClaudeSession(gated).person("Add left-pad.").agent("Done.").save(tmp_path / "s.jsonl")
    for verb in (["init", "--agent", "claude-code", "--no-ci", "--yes"], ["ingest", str(session), *answer]):
        done = rulec(*verb)
        told = done.stdout + done.stderr
        assert "a model can also read transcripts: rulec ingest --backend c" in told
        assert "--backend gemini-cli" in told
        assert not settings().exists()


def test_where_the_team_has_chosen_nobody_is_asked(gated: Path) -> None:
    (gated / file_paths.CONFIG).write_text("schema: 1\nmodels: {backend: exchange}\n")
    assert reader_choice.choose_reader(gated, lambda _: "codex") == ""
    assert not settings().exists()


@pytest.mark.e2e
def test_a_person_at_a_terminal_answers_once(gated: Path, tmp_path: Path) -> None:
    session = ClaudeSession(gated).person("Add left-pad.").agent("Done.").save(tmp_path / "s.jsonl")
    code, seen = on_terminal(gated, [*RULEC, "ingest", str(session)], [(ASKED, "x\n"), ("none of them", "none\n")])
    assert code == 0
    assert "no agent's CLI reads your transcripts" in seen
    code, seen = on_terminal(gated, [*RULEC, "ingest", str(session)], [])
    assert ASKED not in seen
    assert code == 0


def test_of_one_alone_it_is_a_question_of_yes_or_no(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(terminal, "is_attended", lambda: True)
    monkeypatch.setattr(
        terminal.click, "prompt", lambda text, value_proc, **_: (asked.append(text), value_proc("y"))[1]
    )
    choose = terminal.reader_chooser(yes=False)
    assert choose is not None
    assert choose(["codex"]) == "codex"
    assert asked == ["May codex read your transcripts? [y]es or [n]o"]


@pytest.mark.parametrize(("text", "times"), [("Keep every answer friendly.", 1), ("Never use npm.", 0)])
def test_add_asks_where_no_check_is_read_from_the_words(gated: Path, text: str, times: int) -> None:
    asked: list[list[str]] = []
    new_rule.add_sentence(
        gated, text, DecisionOptions(), lambda _: None, choose=lambda names: (asked.append(list(names)), "")[1]
    )
    assert len(asked) == times
