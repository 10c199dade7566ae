"""A careful model for judges: it sees every decoy, and rules on the rest as a test says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulec.checks.judge import judge_questions
from rulec.checks.judge.rulings import Judge, JudgeRequest, Piece, Ruling
from rulec.gates.judging import judge_standing, judge_trial
from rulec.infra.rulebooks import rulebook_files
from rulec.llm import answer_caches
from tests.support.talks import talk

MODEL = "careful-1"


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


def recorded(top: Path, decide: Callable[[Judge, Piece], Ruling]) -> None:
    """Record what it answers when the judges of a rulebook are asked about their examples."""
    book, asks = rulebook_files.load_rulebook(top), talk(top, model=MODEL)
    judged = [rule for rule in book.rules if judge_standing.has_judge(rule)]
    read = [one for rule in judged for one in judge_trial._examples(book, rule, top)]
    pairs = list(dict.fromkeys(pair for _, _, own in read for pair in own))
    folder = top / ".rulec" / "recorded"
    folder.mkdir(parents=True, exist_ok=True)
    for asked in judge_questions.write_judge_prompts(pairs, answer_caches.decoy_seed(top), asks.render):
        (folder / f"{asked.prompt.key}.json").write_text(json.dumps(answered(asked, decide)))
