"""SpecStory's and Aider's real files, and each reader on every other format's; they stay outside of this repository."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.transcript import Turn, UnreadableLine
from rulec.transcripts.formats import aider, claude_code, codex, messages, specstory
from rulec.transcripts.human_text import PREFIXES

DATA = Path(__file__).parents[3] / "shared" / "data"
PLUGS = {"specstory": specstory.PLUG, "aider": aider.PLUG}


def key(text):
    return " ".join(text.split())[:160].casefold()


def sessions(name):
    files = sorted((DATA / "transcripts" / name).glob("*.md"))
    if not files:
        pytest.skip("../shared/data is absent")
    return {path: list(PLUGS[name].read(path.read_bytes().splitlines(keepends=True))) for path in files}


def quoted(path):
    """What stands in tool-use blocks: some of the labelled turns are headings that a tool printed."""
    inside, told = False, []
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        inside = (inside or line.startswith("<tool-use ")) and not line.startswith("</details></tool-use>")
        told += [line] if inside else []
    return "\n".join(told)


@pytest.mark.parametrize("name", PLUGS)
def test_every_labelled_turn_is_found_unless_a_program_wrote_it(name):
    read = sessions(name)
    labels = [json.loads(row) for row in (DATA / "turns" / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    lost = []
    for path, turns in read.items():
        found = {key(turn.text) for turn in turns if isinstance(turn, Turn) and turn.role == "human"}
        wanted = [row["text"] for row in labels if row["file"] == f"{name}/{path.name}"]
        lost += [(path, text) for text in wanted if key(text) not in found]
    assert len(lost) <= 3
    assert all("(marked with █)" in text or text in quoted(path) for path, text in lost)


@pytest.mark.parametrize("name", PLUGS)
def test_no_program_speaks_for_a_person(name):
    for path, turns in sessions(name).items():
        assert not any(isinstance(turn, UnreadableLine) for turn in turns), path
        assert [turn.index for turn in turns] == list(range(len(turns)))
        assert all(turn.session and turn.agent for turn in turns)
        human = [turn for turn in turns if turn.role == "human"]
        assert not [t.text for t in human if t.text.startswith((*PREFIXES, "<", "_**", "!")) or "(Y)es/(N)o" in t.text]
        assert not any(turn.actions for turn in human)
        assert all(action.tool for turn in turns for action in turn.actions)


def test_each_reader_recognises_its_own_files_and_no_others():
    files = [path for path in (DATA / "transcripts").rglob("*.*") if path.suffix in (".md", ".json", ".jsonl")]
    for path in files:
        head = path.read_bytes()[:65_536]
        assert not messages.PLUG.recognises(head), path
        assert specstory.PLUG.recognises(head) == (path.parent.name == "specstory"), path
        assert aider.PLUG.recognises(head) == (path.parent.name == "aider"), path
        if path.suffix == ".md":
            assert not any(plug.recognises(head) for plug in (claude_code.PLUG, codex.PLUG)), path


@pytest.mark.parametrize("name", PLUGS)
@given(data=st.data())
def test_damaged_files_are_read_as_far_as_they_go(name, data):
    files = sorted((DATA / "transcripts" / name).glob("*.md"), key=lambda path: path.stat().st_size)
    if not files:
        pytest.skip("../shared/data is absent")
    lines = files[len(files) // 3].read_bytes().splitlines(keepends=True)[:1500]
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(lines) - 1))
        spot = data.draw(st.integers(0, max(0, len(lines[at]) - 1)))
        lines[at] = (
            lines[at][:spot] + data.draw(st.binary(max_size=3)) + lines[at][spot + data.draw(st.integers(0, 3)) :]
        )
    assert all(isinstance(found, Turn | UnreadableLine) for found in PLUGS[name].read(lines))
