"""Whatever a stranger writes, a model reads it as data, and one that obeys it changes nothing."""

import re

import pytest

from rulec.checks.judge.judge_questions import read_judge_answer
from rulec.domain.text.one_line import spell_out
from rulec.llm.prompt_safety import wrap_untrusted
from tests.support.injections import FOLDER, PLACES, PLAIN, SEED, corpus, judged, some

MARK = "rulec-5eed5eed5eed5eed"
PLACED = re.compile(rf"{MARK} \d+ [^\n]+")
NAMED = re.compile(rf"{MARK} (?:after )?turn \w*\d+")


def test_the_corpus_has_every_form_and_every_place() -> None:
    assert len(corpus()) >= 100
    wheres, wants = ({getattr(one, name) for one in corpus()} for name in ("where", "wants"))
    assert wheres == {"diff", "path", "message", "result", "command", "agent", "human", "rule"}
    assert wants == {"pass", "rule", "command", "write", "decide", "form", "out", "reveal"}
    assert len({one.text for one in corpus()}) == len(corpus())
    assert len(list(FOLDER.glob("*.yaml"))) >= 6


@pytest.mark.parametrize("place", PLACES)
def test_it_stands_inside_the_fence_alone_and_forges_nothing_there(place: str) -> None:
    ask = PLACES[place]
    plain = ask(PLAIN)
    expected = wrap_untrusted(plain, MARK)
    for case in corpus():
        prompt = ask(case.text)
        request = wrap_untrusted(prompt, MARK)
        assert (prompt.instructions, prompt.schema, prompt.step) == (plain.instructions, plain.schema, plain.step)
        assert (request.system, request.schema) == (expected.system, expected.schema)
        _is_fenced(request.text, [block.named for block in prompt.data])
        assert len(prompt.data) == len(plain.data), case
        assert SEED not in request.text, "by it one would know where the decoy stands"
        if len(case.text) > len("rulec"):
            assert case.text not in request.system


def _is_fenced(text: str, named: list[bool]) -> None:
    """Each block stands behind a line with the mark and its number or name, and nothing comes after the last."""
    first, *lines, last = text.split("\n")
    assert first == f"The mark of this message is {MARK}"
    assert last == MARK
    marked = [line for line in lines if MARK in line]
    assert len(marked) == len(named)
    for number, (line, alone) in enumerate(zip(marked, named, strict=True), 1):
        assert (NAMED if alone else PLACED).fullmatch(line), line
        assert alone or int(line.split(" ")[1]) == number
    assert text == spell_out(text), "what nobody sees is spelled out"
    assert all(sign.isprintable() or sign in "\n\t" for sign in text)


@pytest.mark.parametrize("place", [name for name in PLACES if name.startswith("mine: ") and "person" not in name])
def test_words_that_are_no_persons_stand_in_one_line_above_the_persons(place: str) -> None:
    plain = PLACES[place](PLAIN)
    for case in corpus():
        prompt = PLACES[place](case.text)
        for block, other in zip(prompt.data, plain.data, strict=True):
            head, mark, words = block.text.partition("\nperson:\n")
            theirs = other.text.partition("\nperson:\n")
            assert (mark, words) == theirs[1:], case
            assert len(head.split("\n")) == len(theirs[0].split("\n")), case


def test_what_a_tool_printed_is_not_even_shown() -> None:
    place = PLACES["mine: what a command printed"]
    assert len({place(case.text).key for case in corpus()}) == 1


@pytest.mark.parametrize("place", [name for name in PLACES if name.startswith("judge: ")])
def test_every_line_of_a_piece_begins_with_its_number(place: str) -> None:
    for case in corpus():
        pieces = [block for block in PLACES[place](case.text).data if block.name.startswith("piece")]
        lines = [line for block in pieces for line in spell_out(block.text).split("\n")]
        assert all(re.match(r" {0,4}\d+ [+ ]", line) for line in lines), case


def test_a_line_that_fails_does_so_whatever_nobody_sees_in_it() -> None:
    for case in some("diff"):
        asked = judged(text=case.text)
        rule, piece, at = asked.decoy
        ours = {"rule": rule, "verdict": "fail", "piece": piece, "quote": asked.pieces[piece].lines[at].text}
        (number,) = {judge for judge, _ in asked.pairs}
        for line in (line for line in case.text.split("\n") if line.strip()):
            fail = {"rule": number, "verdict": "fail", "quote": spell_out(line)}
            words = read_judge_answer({"verdicts": [ours, fail]}, asked)
            assert "fail" in {word.ruling for word in words}, ascii(line)
