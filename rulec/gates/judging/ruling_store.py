"""What judges ruled, kept by what was asked."""

import hashlib
from collections.abc import Iterable, Sequence

from rulec.checks.judge.judge_questions import NO_QUOTE, NOT_SURE, VERSION
from rulec.checks.judge.rulings import CUT, HIDDEN, Judge, JudgedPair, PairRuling, Piece, Ruling
from rulec.llm.verdict_cache import VerdictCache

_DOUBTS = {"1": NO_QUOTE, "2": NOT_SURE, "3": HIDDEN, "4": CUT}
_CODES = {why: code for code, why in _DOUBTS.items()}
_RULINGS: dict[str, Ruling] = {"pass": "pass", "fail": "fail", "unsure": "unsure"}


def known_rulings(shelf: VerdictCache, pairs: Sequence[JudgedPair], who: str) -> list[PairRuling | None]:
    """What was said of each pair that was asked about before."""
    keys = _keys(pairs, who)
    lines = shelf.known(keys)
    return [_read(pair, lines[key]) if key in lines else None for pair, key in zip(pairs, keys, strict=True)]


def keep_rulings(shelf: VerdictCache, words: Iterable[PairRuling], who: str) -> str:
    """Keep what asking again would not change; why that is not possible, or ""."""
    kept = [word for word in words if word.keep]
    keys = _keys([(word.judge, word.piece) for word in kept], who)
    return shelf.keep({key: _told(word) for key, word in zip(keys, kept, strict=True)}) if kept else ""


def _keys(pairs: Sequence[JudgedPair], who: str) -> list[str]:
    """A name for each; what it is made of is long and stands in many pairs."""
    parts: dict[int, Judge | Piece] = {id(one): one for pair in pairs for one in pair}
    digests = {name: one.digest for name, one in parts.items()}
    return [_key(digests[id(judge)], digests[id(piece)], who) for judge, piece in pairs]


def _key(judge: str, piece: str, who: str) -> str:
    name = "\0".join((judge, piece, who, str(VERSION)))
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _told(word: PairRuling) -> str:
    at = ",".join(map(str, word.at))
    return " ".join(filter(None, (word.ruling, at or _CODES.get(word.why, ""))))


def _read(pair: JudgedPair, line: str) -> PairRuling | None:
    """What the line says, if it says anything that can be of this pair."""
    judge, piece = pair
    said, _, rest = line.partition(" ")
    ruling = _RULINGS.get(said)
    if ruling is None or (ruling == "unsure" and rest not in _DOUBTS) or (ruling == "pass" and rest):
        return None
    places = tuple(int(part) for part in rest.split(",") if part.isdecimal()) if ruling == "fail" else ()
    right = all(place < len(piece.lines) and piece.lines[place].new for place in places)
    if not right or bool(places) != (ruling == "fail"):
        return None
    return PairRuling(
        judge=judge, piece=piece, ruling=ruling, at=places, why=_DOUBTS.get(rest, "") if not places else ""
    )
