"""Answers from files, for tests and for whoever wants to see a run again."""

import json
from pathlib import Path

from rulec.backends.recorded import PLUG
from rulec.model.exchange import Answer, Heard, Models, Trouble
from tests.support.talks import record, request


def _asked(top: Path, *texts: str) -> list[Heard]:
    folder = top / ".rulec" / "recorded"
    return list(PLUG.ask([request(text) for text in texts], Models(folder=str(folder))))


def test_an_answer_is_known_by_its_key(tmp_path: Path) -> None:
    record(tmp_path, [])
    one = request("pnpm")
    (tmp_path / ".rulec/recorded" / f"{one.key}.json").write_text(json.dumps({"wishes": ["pnpm"]}))
    (heard,) = _asked(tmp_path, "pnpm")
    assert isinstance(heard, Answer)
    assert heard.data == {"wishes": ["pnpm"]}


def test_an_answer_is_known_by_what_stands_in_the_request(tmp_path: Path) -> None:
    record(
        tmp_path,
        [
            {"step": "judge", "holds": "pnpm", "answer": {"wishes": ["of another step"]}},
            {"step": "mine", "holds": "pnpm", "answer": {"wishes": ["pnpm"]}},
            {"step": "mine", "holds": "yarn", "trouble": "it hung", "over": True},
        ],
    )
    one, two = _asked(tmp_path, "Use pnpm.", "Use yarn.")
    assert isinstance(one, Answer)
    assert one.data == {"wishes": ["pnpm"]}
    assert two == Trouble(what="it hung", over=True)


def test_a_miss_names_the_step_and_the_key(tmp_path: Path) -> None:
    record(tmp_path, [])
    (heard,) = _asked(tmp_path, "Use cargo.")
    assert isinstance(heard, Trouble)
    assert heard.what == f"no answer is recorded for mine {request('Use cargo.').key}"


def test_what_is_no_recording_is_a_miss(tmp_path: Path) -> None:
    record(tmp_path, [])
    for text in ("no JSON", "{}", '{"step": "mine"}', "[1, null]", "[" * 100_000):
        (tmp_path / ".rulec/recorded/answers.json").write_text(text)
        assert all(isinstance(heard, Trouble) for heard in _asked(tmp_path, "Use cargo."))


def test_without_a_folder_it_cannot_be_asked(tmp_path: Path) -> None:
    assert "no folder" in PLUG.missing(Models())
    assert "no folder" in PLUG.missing(Models(folder=str(tmp_path / "none")))
    assert PLUG.missing(Models(folder=str(tmp_path))) == ""
