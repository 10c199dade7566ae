"""What one accepted rule costs: processes of git, and passes over the transcript."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rulec import registry
from rulec.domain.transcript import Turn, UnreadableLine
from rulec.gates.findings import rule_proof
from rulec.infra import transcript_files
from rulec.services import session_transcripts
from rulec.services.proposals import proposal_builder
from tests.conftest import Run
from tests.support.counted import Counted
from tests.support.session import ClaudeSession

MOST = 20  # processes of git for one accepted rule


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(tmp_path, monkeypatch)


def _packages(top: Path, folder: Path) -> Path:
    session = ClaudeSession(top).person("Add left-pad.").runs("npm install left-pad").agent("Done.")
    session.person("No, always use pnpm, never npm.").runs("pnpm add left-pad").agent("Done.")
    return session.save(folder / "s.jsonl")


def test_a_rule_that_is_accepted_from_a_session(gated: Path, rulec: Run, tmp_path: Path, counted: Counted) -> None:
    path = _packages(gated, tmp_path)
    counted.forget()
    assert "1 accepted" in rulec("ingest", str(path), "--yes").stdout
    assert len(counted.calls) <= MOST, "\n".join(counted.calls)


def test_one_that_is_accepted_later_costs_no_more(gated: Path, rulec: Run, tmp_path: Path, counted: Counted) -> None:
    rulec("ingest", str(_packages(gated, tmp_path)))
    counted.forget()
    rulec("review", "--accept", "use-pnpm")
    assert (gated / ".rules" / "use-pnpm.yaml").is_file()
    assert len(counted.calls) <= MOST, "\n".join(counted.calls)


def test_one_that_somebody_adds_costs_no_more(gated: Path, rulec: Run, counted: Counted) -> None:
    rulec("add", "Use pnpm, never npm.", "--yes")
    assert len(counted.calls) <= MOST, "\n".join(counted.calls)


@pytest.mark.parametrize("way", ["ingest", "add", "review"])
def test_it_is_built_and_proved_once(
    gated: Path, rulec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    path, done = _packages(gated, tmp_path), Counter[str]()
    if way == "review":
        rulec("ingest", str(path))
    for module, name in ((proposal_builder, "build_proposal"), (rule_proof, "prove_with_tools")):
        monkeypatch.setattr(module, name, _noted(getattr(module, name), done, name))
    words = {
        "ingest": (str(path), "--yes"),
        "add": ("Use pnpm, never npm.", "--yes"),
        "review": ("--accept", "use-pnpm"),
    }
    rulec(way, *words[way])
    assert (gated / ".rules/use-pnpm.yaml").is_file()
    assert done == {"build_proposal": 1, "prove_with_tools": 1}


def _noted(function: Callable[..., object], done: Counter[str], name: str) -> Callable[..., object]:
    def noted(*given: object, **named: object) -> object:
        done[name] += 1
        return function(*given, **named)

    return noted


def test_so_it_is_where_people_have_written_code_and_made_commits(
    gated: Path, rulec: Run, git: Run, tmp_path: Path, counted: Counted
) -> None:
    for number in range(12):
        (gated / f"part_{number}.py").write_text(f"def part_{number}() -> int:\n    return {number}\n")
        git("add", "-A")
        git("commit", "-qnm", f"Add part {number}")
    path = _packages(gated, tmp_path)
    counted.forget()
    assert "1 accepted" in rulec("ingest", str(path), "--yes").stdout
    assert len(counted.calls) <= MOST, "\n".join(counted.calls)


def test_a_transcript_of_ordinary_size_is_parsed_once(gated: Path, tmp_path: Path) -> None:
    path = _packages(gated, tmp_path)
    parsed: list[int] = []
    reader = registry.readers()["claude-code"]

    def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
        parsed.append(1)
        yield from reader.read(lines)

    watched = replace(reader, read=read)
    first = list(session_transcripts.read_turns(path, watched))
    assert list(session_transcripts.read_turns(path, watched)) == first
    assert len(parsed) == 1
    path.write_text(path.read_text() + path.read_text())  # it has grown since
    assert len(list(session_transcripts.read_turns(path, watched))) > len(first)
    assert len(parsed) == 2


def test_one_that_is_larger_is_never_held_whole(gated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _packages(gated, tmp_path)
    monkeypatch.setattr(session_transcripts, "HELD", transcript_files.transcript_stamp(path)[-1] - 1)
    assert list(session_transcripts.read_turns(path, registry.readers()["claude-code"]))
    assert not [key for key in session_transcripts._PARSED if key[0] == path]
