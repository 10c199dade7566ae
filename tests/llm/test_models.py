"""Who is asked, as the settings say it: where that is refused, told and guarded."""

from functools import partial
from pathlib import Path

import pytest

from rulec.domain.outcome import no_progress
from rulec.errors import RulecError
from rulec.gates.judging import judge_settings
from rulec.infra.rulebooks import personal_rulebook
from rulec.llm import model_settings
from tests.support.world import act, run

KEY = "sk-ant-" + "a1b2" * 8
TEAM = "schema: 1\nemitters: [claude-code]\nmodels:\n  backend: anthropic\n  judges: [ci, commit]\n"


@pytest.fixture
def asking(repo: Path) -> Path:
    """A repository that asks, in its third commit."""
    act(repo, "init", "--yes", "--agent", "claude-code", "--no-ci")
    (repo / ".rules/config.yaml").write_text(TEAM)
    run(repo, "add", "-A")
    run(repo, "commit", "-qnm", "Put up the gates")
    return repo


def _settings(top: Path, text: str) -> None:
    (top / ".rules/config.yaml").write_text(text)
    run(top, "add", "-A")


def test_a_repository_that_says_where_keys_go_is_refused_by_every_verb_and_at_its_commit(asking: Path) -> None:
    _settings(asking, f"{TEAM}  base_url: https://keys.test\n")
    for argv in (("rules",), ("ingest", "--backend", "exchange"), ("compile",)):
        said = act(asking, *argv, code=2).err
        assert said.startswith("rulec: .rules/config.yaml:6: models.base_url may not stand in a repository")
        assert said.count("\n") == 1
    assert "models.base_url may not stand in a repository" in act(asking, "check", "--staged", code=1).out


def test_no_judge_is_asked_by_settings_that_say_where_keys_go(asking: Path) -> None:
    _settings(asking, f"{TEAM}  base_url: https://keys.test\n")
    with pytest.raises(RulecError, match=r"models\.base_url may not stand in a repository"):
        judge_settings.judges_on_files(asking, judge_settings.NO_CHOICE, no_progress, folders=False)
    _settings(asking, TEAM)
    assert judge_settings.judges_on_files(asking, judge_settings.NO_CHOICE, no_progress, folders=False)


def test_in_a_persons_own_rulebook_it_may_stand(repo: Path) -> None:
    act(repo, "--personal", "init", "--yes")
    own = personal_rulebook.personal_folder()
    text = (own / ".rules/config.yaml").read_text()
    _settings(own, f"{text}models: {{base_url: 'https://mine.test', backend: exchange, money: 90}}\n")
    act(repo, "--personal", "rules")
    act(own, "check", "--staged")
    act(repo, "init", "--yes", "--agent", "claude-code", "--no-ci")
    assert "exchange is asked" in act(repo, "doctor", code=None).out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TEAM.replace("[ci, commit]", "[]"), "judges are asked no longer at commit, ci"),
        (TEAM.replace("anthropic", "recorded"), "models: backend anthropic -> recorded"),
        (f"{TEAM}  tokens: 10\n", "models: tokens 2000000 -> 10"),
    ],
)
def test_what_silences_judges_needs_a_person(asking: Path, text: str, told: str) -> None:
    _settings(asking, text)
    said = act(asking, "check", "--staged", code=1).out
    assert "refused by rulebook-weakened" in said
    assert told in said


def test_doctor_says_what_lacks_and_never_a_key(asking: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doctor = partial(act, asking, "doctor", code=None)
    model_settings.record_consent(asking, "anthropic")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert "WRONG  anthropic" in doctor().out
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    said = doctor().out
    assert "is asked, at most 2,000,000 tokens and $2.00 a run, judges at commit, ci" in said
    assert KEY not in said
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    _settings(asking, TEAM.replace("[ci, commit]", "[ci]"))
    assert "; not from here: ANTHROPIC_API_KEY is not set" in doctor().out
    _settings(asking, TEAM.replace("anthropic", "oracle"))
    assert "WRONG  models.backend: no backend 'oracle'" in doctor().out


def test_doctor_tells_of_settings_of_ones_own_that_do_not_load(asking: Path) -> None:
    place = personal_rulebook.personal_folder() / ".rules/config.yaml"
    place.parent.mkdir(parents=True)
    place.write_text("models: {tokens: many}\n")
    assert "WRONG  your own settings do not load" in act(asking, "doctor", code=None).out
