"""Instruction files whose sentences are labelled: {+} stands before a wish, {-} before what is none."""

import re
from pathlib import Path
from typing import NamedTuple

from rulec.mining.document_wishes import read_document
from rulec.services.mining.instruction_documents import InstructionDocument

CASES = Path(__file__).resolve().parents[1] / "cases/import"
_MARK = re.compile(r"\{([+-])\}")


class Label(NamedTuple):
    line: int
    wish: bool
    text: str


class Score(NamedTuple):
    """What was found of what there is."""

    hits: int
    false: list[str]
    missed: list[str]

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + len(self.false))

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + len(self.missed))


def read(path: Path) -> tuple[str, list[Label]]:
    """The text as people would have written it, and its labels."""
    lines, labels = [], []
    for number, line in enumerate(path.read_text().split("\n"), 1):
        parts = _MARK.split(line)
        lines.append("".join(parts[0::2]))
        labels += [Label(number, m == "+", t.strip()) for m, t in zip(parts[1::2], parts[2::2], strict=True)]
    return "\n".join(lines), labels


def score(folder: str) -> Score:
    """All files of a folder together."""
    hits, false, missed = 0, [], []
    for path in sorted((CASES / folder).iterdir()):
        text, labels = read(path)
        told = read_document(text, whole=InstructionDocument(path=path.name, text=text).zone).sayings
        found = dict.fromkeys((one.line, said) for one in told for said in (one.quote, one.do) if said)
        used = set()
        for line, said in found:
            hit = next((one for one in labels if one not in used and _same(one, line, said)), None)
            used |= {hit} if hit else set()
            if hit and hit.wish:
                hits += 1
            else:
                false.append(f"{path.name}:{line}: {said}")
        missed += [f"{path.name}:{one.line}: {one.text}" for one in labels if one.wish and one not in used]
    return Score(hits, false, missed)


def _same(label: Label, line: int, said: str) -> bool:
    one, other = _plain(label.text.split("|")[0]), _plain(said)
    near = label.line <= line <= label.line + 1  # what is said to do instead may stand in the next line
    return near and bool(one) and (one in other or other in one)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))
