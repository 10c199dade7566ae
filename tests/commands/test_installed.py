"""Which installed agent's CLI may read: asked once, never chosen silently, kept among the person's own settings."""

import sys
from pathlib import Path

import pytest

from rulec import terminal
from rulec.commands import _ask, _installed
from rulec.host import personal, worktree
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
    return personal.place() / worktree.CONFIG


def test_the_answer_is_kept_and_nobody_is_asked_again(gated: Path) -> None:
    asked: list[list[str]] = []
    line = _installed.settle(gated, lambda names: asked.append(list(names)) or "gemini")
    assert [name for name in asked[0] if name in ("codex", "gemini")] == ["codex", "gemini"]
    assert line == f"gemini-cli reads your transcripts from now on: models.backend in {settings()}"
    assert _ask.own().models.backend == "gemini-cli"
    assert _ask.models(gated, worktree.load(gated)).backend == "gemini-cli"
    assert "gemini" not in (gated / worktree.CONFIG).read_text()
    assert _installed.settle(gated, lambda _: "codex") == ""
    assert _ask.own().models.backend == "gemini-cli"


def test_none_is_an_answer_too(gated: Path) -> None:
    line = _installed.settle(gated, lambda _: "")
    assert line.startswith("no agent's CLI reads your transcripts from now on")
    assert _installed.settle(gated, lambda _: "codex") == ""
    assert _ask.models(gated, worktree.load(gated)).backend == ""


def test_what_a_person_wrote_into_their_settings_stays(gated: Path) -> None:
    settings().parent.mkdir(parents=True)
    settings().write_text("# mine\nschema: 1\nmodels: {money: 7}  # dollars\n")
    _installed.settle(gated, lambda _: "codex")
    assert settings().read_text().startswith("# mine\n")
    assert (_ask.own().models.backend, _ask.own().models.money) == ("codex-cli", 7)


def test_in_a_personal_rulebook_it_is_a_commit(gated: Path, rulec: Run) -> None:
    rulec("--personal", "add", "Never use npm.", "--yes")
    _installed.settle(gated, lambda _: "codex")
    assert _ask.own().models.backend == "codex-cli"
    log = rulec("--personal", "log", cwd=gated, code=None).stdout
    assert "Traceback" not in log
    assert worktree.load(personal.place()).rules


@pytest.mark.parametrize("answer", [[], ["--yes"]], ids=["no terminal", "--yes"])
def test_where_nobody_can_be_asked_nothing_is_chosen_and_a_line_says_how(
    gated: Path, rulec: Run, answer: list[str], tmp_path: Path
) -> None:
    session = ClaudeSession(gated).person("Add left-pad.").agent("Done.").save(tmp_path / "s.jsonl")
    for verb in (["init", "--agent", "claude-code", "--no-ci", "--yes"], ["ingest", str(session), *answer]):
        done = rulec(*verb)
        told = done.stdout + done.stderr
        assert "a model can read transcripts, too: rulec ingest --backend c" in told
        assert "--backend gemini-cli" in told
        assert not settings().exists()


def test_where_the_team_has_chosen_nobody_is_asked(gated: Path) -> None:
    (gated / worktree.CONFIG).write_text("schema: 1\nmodels: {backend: exchange}\n")
    assert _installed.settle(gated, lambda _: "codex") == ""
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
    monkeypatch.setattr(terminal, "attended", lambda: True)
    monkeypatch.setattr(
        terminal.click, "prompt", lambda text, value_proc, **_: (asked.append(text), value_proc("y"))[1]
    )
    choose = terminal.choosing(yes=False)
    assert choose is not None
    assert choose(["codex"]) == "codex"
    assert asked == ["May codex read your transcripts? [y]es or [n]o"]
