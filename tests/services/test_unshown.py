"""What a person says in several sessions, read one by one: one card, once it is said again."""

import json
from pathlib import Path

import pytest

from rulec.infra import state
from rulec.services.mining import earlier_runs
from tests.conftest import Run
from tests.support.session import ClaudeSession

SAID = "We do not call the billing service without a timeout here."
BAD = "import billing\n\n\ndef get(url):\n    return billing.get(url)\n"
GOOD = BAD.replace("(url)\n", "(url, timeout=5)\n")


@pytest.fixture
def filled(repo: Path, rulec: Run) -> Path:
    rulec("init", "--yes", "--agent", "claude-code")
    return repo


def _session(top: Path, number: int, said: str = SAID) -> ClaudeSession:
    session = ClaudeSession(top, f"5e55-2{number:03}").person("Fetch it.").writes(f"src/{number}.py", BAD)
    return session.agent("Done.").person(said).writes(f"src/{number}.py", GOOD).agent("Sorry.")


def _ingest(rulec: Run, session: ClaudeSession, path: Path) -> str:
    return rulec("ingest", str(session.save(path / f"{session.session}.jsonl"))).stdout


def _waits(rulec: Run) -> list[dict[str, object]]:
    said: list[dict[str, object]] = json.loads(rulec("review", "--format", "json").stdout)
    return said


def test_what_is_said_in_three_sessions_is_one_card(filled: Path, rulec: Run, tmp_path: Path) -> None:
    first = _ingest(rulec, _session(filled, 1), tmp_path)
    assert "0 accepted, 0 rejected, 0 left for later, 0 known already, 1 without a rule\n" in first
    assert "1 turn looks like a correction" in first
    assert f': "{SAID}"; before: ' in first
    assert _waits(rulec) == []
    for number in (2, 3):
        said = _ingest(rulec, _session(filled, number), tmp_path)
        assert "looks like a correction" not in said
    (item,) = _waits(rulec)
    assert (item["sessions"], item["quotes"]) == (3, [SAID] * 3)
    assert f'"{SAID}", said in 3 sessions' in rulec("review").stdout
    said = rulec("review", "--accept", str(item["slug"])).stdout
    assert "times:    said in 3 sessions" in said
    assert _waits(rulec) == []
    assert "1 known already" in _ingest(rulec, _session(filled, 1), tmp_path)


def test_once_or_in_one_session_alone_it_is_no_card(filled: Path, rulec: Run, tmp_path: Path) -> None:
    for _ in range(2):
        _ingest(rulec, _session(filled, 1), tmp_path)
    _ingest(rulec, _session(filled, 2, "We do not name a column without a prefix here."), tmp_path)
    assert _waits(rulec) == []


def test_what_was_rejected_is_not_counted_again(filled: Path, rulec: Run, tmp_path: Path) -> None:
    for number in (1, 2):
        _ingest(rulec, _session(filled, number), tmp_path)
    (item,) = _waits(rulec)
    rulec("review", "--reject", str(item["slug"]))
    _ingest(rulec, _session(filled, 3), tmp_path)
    assert _waits(rulec) == []


def test_what_is_kept_is_short_redacted_and_damage_to_it_stops_nothing(
    filled: Path, rulec: Run, tmp_path: Path
) -> None:
    key = "sk-" + "live" + "_4eC39HqLyjWDarjtT1zdp7dcSSSS"
    session = _session(filled, 1).writes("src/keys.py", f'KEY = "{key}"\n' * 5_000)
    _ingest(rulec, session, tmp_path)
    (kept,) = (state.state_dir(filled) / earlier_runs.FOLDER).glob("*.json")
    text = kept.read_text()
    assert SAID in text
    assert key not in text
    assert len(text) < 30_000
    kept.write_text("{")
    _ingest(rulec, _session(filled, 2), tmp_path)
    assert _waits(rulec) == []
    _ingest(rulec, _session(filled, 3), tmp_path)
    assert len(_waits(rulec)) == 1
