"""Answers from files, for tests and for whoever wants to see a run again."""

import json
from pathlib import Path

from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelSettings
from rulec.llm.backends.recorded import PLUG
from tests.support.talks import record, request


def _asked(top: Path, *texts: str) -> list[ModelReply]:
    folder = top / ".rulec" / "recorded"
    return list(PLUG.ask([request(text) for text in texts], ModelSettings(folder=str(folder))))


def test_an_answer_is_known_by_its_key(tmp_path: Path) -> None:
    record(tmp_path, [])
    one = request("pnpm")
    (tmp_path / ".rulec/recorded" / f"{one.key}.json").write_text(json.dumps({"wishes": ["pnpm"]}))
    (heard,) = _asked(tmp_path, "pnpm")
    assert isinstance(heard, ModelAnswer)
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
    assert isinstance(one, ModelAnswer)
    assert one.data == {"wishes": ["pnpm"]}
    assert two == ModelFailure(what="it hung", over=True)


def test_a_miss_names_the_step_and_the_key(tmp_path: Path) -> None:
    record(tmp_path, [])
    (heard,) = _asked(tmp_path, "Use cargo.")
    assert isinstance(heard, ModelFailure)
    assert heard.what == f"no answer is recorded for mine {request('Use cargo.').key}"


def test_what_is_no_recording_is_a_miss(tmp_path: Path) -> None:
    record(tmp_path, [])
    for text in ("no JSON", "{}", '{"step": "mine"}', "[1, null]", "[" * 100_000):
        (tmp_path / ".rulec/recorded/answers.json").write_text(text)
        assert all(isinstance(heard, ModelFailure) for heard in _asked(tmp_path, "Use cargo."))


def test_without_a_folder_it_cannot_be_asked(tmp_path: Path) -> None:
    assert "no folder" in PLUG.missing(ModelSettings())
    assert "no folder" in PLUG.missing(ModelSettings(folder=str(tmp_path / "none")))
    assert PLUG.missing(ModelSettings(folder=str(tmp_path))) == ""
