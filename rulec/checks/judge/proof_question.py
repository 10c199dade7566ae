"""A question to a model whether a change keeps a rule; its answer counts if its quote is a line of the change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulec.checks.judge.judge_questions import find_quoted_line, piece_text
from rulec.checks.judge.rulings import Piece
from rulec.domain.prompt import DataBlock, Prompt
from rulec.domain.template import Render

VERSION = 1
MOST_PIECES = 60  # of one question
_TOKENS = 1_000  # of an answer
_FIRST = 3  # the number of the first piece: the rule and the step stand before it

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdict"],
    "properties": {
        "verdict": {"enum": ["kept", "broken", "unsure"], "default": "unsure"},
        "piece": {"type": "integer"},
        "line": {"type": "integer"},
        "quote": {"type": "string"},
        "because": {"type": "string"},
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofAnswer:
    """What a model said: whether it counts as a proof, or why not, and its quote with the place."""

    why_not: str = ""
    path: str = ""
    line: int = 0
    quote: str = ""


def write_proof_prompt(rule: str, step: str, pieces: Sequence[Piece], render: Render) -> Prompt:
    """The question about all pieces."""
    blocks = [DataBlock(name="rule", text=rule), DataBlock(name="step", text=step)]
    blocks += [DataBlock(name=f"piece of {piece.path}", text=piece_text(piece)) for piece in pieces]
    return Prompt(
        step="prove", version=VERSION, instructions=render("ask/prove.md.j2", {}), data=tuple(blocks), schema=SCHEMA,
        whole=True, most=_TOKENS,
    )  # fmt: skip


def read_proof_answer(data: Mapping[str, Any], pieces: Sequence[Piece]) -> ProofAnswer:
    """The answer; only a "kept" with a quote that stands in the new lines of a piece proves anything."""
    verdict, because = data["verdict"], str(data.get("because", ""))
    reason = f": {because}" if because else ""
    if verdict != "kept":
        told = "the model says that it is broken" if verdict == "broken" else "the model could not tell"
        return ProofAnswer(why_not=f"{told}{reason}")
    hidden = next((piece for piece in pieces if piece.unseen), None)
    if hidden is not None:
        return ProofAnswer(why_not=f"{hidden.path}: {hidden.unseen}")
    quote, line = str(data.get("quote", "")), int(data.get("line", 0))
    named = int(data.get("piece", 0)) - _FIRST
    for _, piece in sorted(enumerate(pieces), key=lambda one: one[0] != named):
        at = find_quoted_line(quote, piece, line)
        if at is not None:
            return ProofAnswer(path=piece.path, line=piece.lines[at].number, quote=piece.lines[at].text.strip())
    return ProofAnswer(why_not="the model's quote does not stand in the new lines")
