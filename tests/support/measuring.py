"""A careful model for judges: it sees every decoy, and rules on the rest as a test says, round by round."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulec.checks.judge.rulings import Judge, JudgeRequest, Piece, Ruling, why_too_few
from rulec.gates.judging import judge_measuring, judge_standing
from rulec.infra.rulebooks import rulebook_files
from tests.support.talks import talk

MODEL = "careful-1"
CONFIG = f"models: {{backend: recorded, model: {MODEL}}}\n"
Decide = Callable[[int, Judge, Piece], Ruling]  # in which round, by what, of what

PLAIN = """\
slug: plain-names
statement: Names say what a thing is.
enforcement: {pinned}
checks:
  - {{kind: judge, template: judge, with: {{asks: A name that would fit almost anything.}}}}
examples:
  invalid:
    - {{file: src/a.py, content: "def process(data):\\n    pass\\n"}}
    - {{file: src/b.py, content: "tmp = 1\\n"}}
  valid:
    - {{file: src/a.py, content: "def invoice_total(lines):\\n    pass\\n"}}
    - {{file: src/b.py, content: "rate = 1\\n"}}
"""


def answered(asked: JudgeRequest, decide: Callable[[Judge, Piece], Ruling]) -> dict[str, Any]:
    """What it answers to one request."""
    rule, piece, at = asked.decoy
    verdicts = [_fail(rule, piece, asked, at)]
    for j, p in asked.pairs:
        ruling = decide(asked.judges[j], asked.pieces[p])
        verdicts.append(_fail(j, p, asked, 0) if ruling == "fail" else {"rule": j, "piece": p, "verdict": ruling})
    return {"verdicts": verdicts}


def _fail(rule: int, piece: int, asked: JudgeRequest, at: int) -> dict[str, Any]:
    line = asked.pieces[piece].lines[at]
    return {"rule": rule, "piece": piece, "verdict": "fail", "line": line.number, "quote": line.text}


def recorded(top: Path, decide: Decide, repeats: int = 3) -> int:
    """Record what it answers when the judges of a rulebook are measured; how many requests that takes."""
    book, asks = rulebook_files.load_rulebook(top), talk(top, model=MODEL)
    cases = [judge_measuring._case(book, rule, top) for rule in book.rules if judge_standing.has_judge(rule)]
    due = [case for case in cases if not why_too_few(case.invalid)]
    folder = top / ".rulec" / "recorded"
    folder.mkdir(parents=True, exist_ok=True)
    many = 0
    for number in range(repeats):
        for asked in judge_measuring._asked(due, number, asks, top):
            data = answered(asked, lambda judge, piece, number=number: decide(number, judge, piece))
            (folder / f"{asked.prompt.key}.json").write_text(json.dumps(data))
            many += 1
    return many


def by_words(*bad: str) -> Decide:
    """A model that fails what holds one of some words, every time."""
    return lambda _, __, piece: "fail" if any(word in piece.bare for word in bad) else "pass"
