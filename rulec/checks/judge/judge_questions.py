"""A judge's prompt, with decoys that it must find, and its answer, believed as far as its quotes are there."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulec.checks.judge.rulings import Judge, JudgedPair, JudgeRequest, PairRuling, Piece, PieceLine
from rulec.domain.artifact import RuleFacts
from rulec.domain.finding import Finding
from rulec.domain.prompt import DataBlock, Prompt, estimate_tokens
from rulec.domain.template import Render
from rulec.domain.text.one_line import spell_out

_NOUNS = (
    "parcel", "ledger", "invoice", "ticket", "voucher", "basket", "tariff", "carrier", "pallet", "quota", "roster",
    "signal", "sensor", "beacon", "turbine", "harbor", "orchard", "lantern", "pebble", "meadow", "compass", "anchor",
    "bakery", "saddle", "violin", "cabinet", "glacier", "walnut", "thimble", "falcon", "kettle", "mosaic", "pigment",
)  # fmt: skip
_VERBS = ("load", "merge", "render", "collect", "refresh", "archive", "publish", "measure", "convert", "restore")
_MONTHS = ("January", "March", "April", "June", "July", "September", "October", "December")
# What holds, in what kind of file, and lines of which the one that begins with ">" breaks it. {a} to {c} are nouns,
# {A} to {C} the same with a capital, {v} a verb, {m} a month, {n} a number.
_FORMS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Nothing imports {a}_{b}; {a}_{c} takes its place.", "py", ("import json", ">from {a}_{b} import {v}")),
    ("Log lines never hold a person's e-mail address.", "py", ("{a} = {v}({b})", '>log.info("{v}", mail={a}.email)')),
    ("No comment says when or by whom something was changed.", "py", ("># changed on {n} {m}", "{a} = {v}({b})")),
    ("How often a call is tried again is a setting, never a number in the code.", "py",
     (">for attempt in range({n}):  # tries to {v}", "    {a}.{v}()")),
    ("Queries are never put together from strings.", "py",
     ("def {v}_{a}(name):", ">    return run(f\"select * from {a}s where name = '{{name}}'\")")),
    ("Every time-out is in seconds, never in milliseconds.", "py", (">{v}({a}, timeout_ms={n}000)", "{b}.close()")),
    ("A {a} is compared by its id, never by its title.", "ts",
     ("const {b} = {v}();", ">if ({a}.title === {b}.title) {{", "  return {b};", "}}")),
    ("Nothing calls {v}{A}; {v}{B} does the same and closes the file.", "ts", ("let {c} = 0;", ">{v}{A}({c});")),
    ("Prices are whole cents: none has a decimal point.", "ts", ("const {a} = {v}();", ">const {b}Price = {n}.50;")),
    ("Scripts make temporary files with mktemp, never under a fixed name.", "sh", ("set -eu", ">{a}=/tmp/{b}-{n}.txt")),
    ("Scripts never hide what a command complains of.", "sh", (">{v}-{a} 2>/dev/null", 'echo "{b}"')),
    ("The documentation spells {a} without a capital.", "md", ("## {B}", "", ">The {A} starts before the {b} does.")),
    ("The documentation never promises a date.", "md", (">The {a} will {v} by {n} {m}.", "", "See {b}.")),
    ("Names of settings are in lower case.", "yaml", ("{a}:", "  {b}: {n}", ">  {C}_LIMIT: {n}")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decoy:
    """A rule, and lines of which one breaks it."""

    rule: str
    path: str
    lines: tuple[str, ...]
    at: int  # the place of that line


class SeededChoice:
    """Choices that are the same for the same seed, and unpredictable without it."""

    def __init__(self, seed: str) -> None:
        self._numbers = _numbers(seed)

    def below(self, many: int) -> int:
        """One of so many numbers, from 0 on."""
        return next(self._numbers) % many

    def of(self, things: Sequence[str]) -> str:
        """One of the items."""
        return things[self.below(len(things))]


def _numbers(seed: str) -> Iterator[int]:
    count = 0
    while True:
        count += 1
        yield int.from_bytes(hashlib.sha256(f"{seed}\0{count}".encode("utf-8", "surrogatepass")).digest()[:6], "big")


def make_decoy(choice: SeededChoice, folders: Sequence[str]) -> Decoy:
    """A rule that certainly fails, with a file in one of the folders."""
    rule, ending, lines = _FORMS[choice.below(len(_FORMS))]
    words = _words(choice)
    broken = [line.removeprefix(">").format(**words) for line in lines]
    at = next(number for number, line in enumerate(lines) if line.startswith(">"))
    folder = choice.of(folders) if folders else ""
    path = f"{folder}/{words['b']}_{words['v']}.{ending}".lstrip("/")
    return Decoy(rule=rule.format(**words), path=path, lines=tuple(broken), at=at)


def _words(choice: SeededChoice) -> dict[str, str]:
    nouns: list[str] = []
    while len(nouns) < len("abc"):
        noun = choice.of(_NOUNS)
        nouns += [noun] * (noun not in nouns)
    small = dict(zip("abc", nouns, strict=True))
    large = {name.upper(): noun.capitalize() for name, noun in small.items()}
    return {**small, **large, "v": choice.of(_VERBS), "m": choice.of(_MONTHS), "n": str(2 + choice.below(7))}


VERSION = 1
CHUNK_TOKENS = 12_000  # tokens of a diff in one request
MOST_PLACES = 20  # places of one rule in one request, where its rules are few; of many each has fewer
_LEAST, _ALL = 3, 80  # of one rule among many, and of all rules together where each may have more than these
_PLACE, _REST, _LARGEST = 90, 1_000, 8_000  # tokens of one place in an answer, of what else it says, and of all of it
DISBELIEVED = "the reply let pass what surely fails, so that nothing in it is believed"
LEFT_OUT = "the reply says nothing of it"
NO_QUOTE = "it fails by words that do not stand in the lines that the change brings"
NOT_SURE = "a model could not tell"
NO_MORE_PLACES = "the reply names as many places as it may, and there may be more"
TOO_MUCH = "the reply says more of it than anybody was asked for"
_MOST = 60  # verdicts on one rule that are read: somebody who writes more is no judge
_TEXT = 200  # signs of a line in a finding
_SHORT = 3  # signs that a quote has at least, unless it is the whole line

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdicts"],
    "properties": {
        "verdicts": {
            "type": "array",
            "maxItems": 5_000,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["rule", "verdict"],
                "properties": {
                    "rule": {"type": "integer"},
                    "verdict": {"enum": ["pass", "fail", "unsure"], "default": "unsure"},
                    "piece": {"type": "integer"},
                    "line": {"type": "integer"},
                    "quote": {"type": "string"},
                },
            },
        }
    },
}


def write_judge_prompts(docket: Sequence[JudgedPair], seed: str, render: Render) -> list[JudgeRequest]:
    """The requests for all pairs: no more than one for each 12,000 tokens of diff; ``seed`` is nobody's to know."""
    names = _judge_names(docket)
    pieces: dict[int, Piece] = {}
    of: dict[int, dict[str, Judge]] = {}  # by identity: pieces are long, and there are many pairs
    for judge, piece in docket:
        pieces[id(piece)] = piece
        of.setdefault(id(piece), {})[names[id(judge)]] = judge
    return [_write_prompt(chunk, of, seed, render) for chunk in _even_chunks(list(pieces.values()))]


def _judge_names(docket: Sequence[JudgedPair]) -> dict[int, str]:
    judges = {id(judge): judge for judge, _ in docket}
    return {name: f"{judge.facts.slug} {judge.digest}" for name, judge in judges.items()}


def _even_chunks(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Pieces in as few chunks as their size allows, all of about the same size."""
    sizes = [estimate_tokens(piece.bare) for piece in pieces]
    many = -(-sum(sizes) // CHUNK_TOKENS)
    before, chunks = 0, [list[Piece]() for _ in range(many)]
    for piece, size in zip(pieces, sizes, strict=True):
        chunks[(2 * before + size) * many // (2 * sum(sizes))].append(piece)
        before += size
    return (chunk for chunk in chunks if chunk)


def _write_prompt(
    pieces: Sequence[Piece], of: Mapping[int, Mapping[str, Judge]], seed: str, render: Render
) -> JudgeRequest:
    wanted = {name: judge for piece in pieces for name, judge in of[id(piece)].items()}
    choice = SeededChoice("\0".join([seed, *sorted(wanted), *(piece.digest for piece in pieces)]))
    ours, bait, at = _place_decoy(choice, pieces)
    names, shown = sorted(wanted), list(pieces)
    names.insert(own := choice.below(len(names) + 1), "")
    shown.insert(there := choice.below(len(shown) + 1), bait)
    judges = {number: wanted.get(name, ours) for number, name in enumerate(names, 1)}
    placed = dict(enumerate(shown, len(judges) + 1))
    pairs = [(j, p) for p, piece in placed.items() for j, name in enumerate(names, 1) if name in of.get(id(piece), {})]
    looks: dict[int, list[int]] = {own + 1: list(placed)}
    for j, p in pairs:
        looks.setdefault(j, []).append(p)
    blocks = [DataBlock(name="rule", text=_judge_text(judge, looks[number])) for number, judge in judges.items()]
    blocks += [
        DataBlock(name=f"piece of {piece.path or 'the commit message'}", text=piece_text(piece)) for piece in shown
    ]
    places = max(_LEAST, min(MOST_PLACES, _ALL // len(judges)))
    prompt = Prompt(
        step="judge", version=VERSION, instructions=render("ask/judge.md.j2", {"most": places}), data=tuple(blocks),
        schema=SCHEMA, whole=True, most=min(_LARGEST, _REST + _PLACE * places * len(judges)),
    )  # fmt: skip
    decoyed = (own + 1, len(judges) + 1 + there, at)
    return JudgeRequest(prompt=prompt, judges=judges, pieces=placed, pairs=tuple(pairs), places=places, decoy=decoyed)


def _place_decoy(choice: SeededChoice, pieces: Sequence[Piece]) -> tuple[Judge, Piece, int]:
    folders = sorted({piece.path.rpartition("/")[0] for piece in pieces})
    made = make_decoy(choice, folders)
    first = 1 + choice.below(300)
    lines = tuple(PieceLine(first + number, text, new=True) for number, text in enumerate(made.lines))
    facts = RuleFacts(slug="", revision=1, statement=made.rule)
    return Judge(facts=facts, of="diff", text=f"- Rule: {made.rule}"), Piece(path=made.path, lines=lines), made.at


def _judge_text(judge: Judge, pieces: Sequence[int]) -> str:
    examples = f"\n\nExamples from elsewhere:\n\n{judge.examples}" if judge.examples else ""
    return f"{judge.text}{examples}\n\nJudge by it: {_ranges(pieces)}"


def _ranges(numbers: Sequence[int]) -> str:
    """``3-7, 9``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)


def piece_text(piece: Piece) -> str:
    return "\n".join(f"{line.number:>5} {'+' if line.new else ' '} {line.text}".rstrip() for line in piece.lines)


def read_judge_answer(data: Mapping[str, Any], asked: JudgeRequest) -> list[PairRuling]:
    """A ruling on each pair that was asked about; rulings on others are ignored."""
    verdicts = data["verdicts"]
    if not _catches_decoy(verdicts, asked):
        return [_unsure(asked, pair, DISBELIEVED, keep=False) for pair in asked.pairs]
    of: dict[int, list[Mapping[str, Any]]] = {}
    for one in verdicts:
        of.setdefault(one["rule"], []).append(one)
    return [word for j in asked.judges if j != asked.decoy[0] for word in _words_on_rule(j, of.get(j, []), asked)]


def _catches_decoy(verdicts: Sequence[Mapping[str, Any]], asked: JudgeRequest) -> bool:
    rule, piece, at = asked.decoy
    own = (one for one in verdicts if (one["rule"], one["verdict"], one.get("piece", piece)) == (rule, "fail", piece))
    return any(find_quoted_line(one.get("quote", ""), asked.pieces[piece], one.get("line", 0)) == at for one in own)


def _words_on_rule(rule: int, verdicts: Sequence[Mapping[str, Any]], asked: JudgeRequest) -> Iterator[PairRuling]:
    own = [piece for judge, piece in asked.pairs if judge == rule]
    failed: dict[int, list[int]] = {}
    doubted: dict[int, str] = {}
    for one in verdicts[:_MOST]:
        named = one.get("piece", 0)
        if one["verdict"] == "fail" and (place := _quoted_place(one, own, asked)):
            failed.setdefault(place[0], []).append(place[1])
        elif one["verdict"] != "pass":
            why = NO_QUOTE if one["verdict"] == "fail" else NOT_SURE
            doubted |= dict.fromkeys([named] if named in own else own, why)
    full = sum(one["verdict"] == "fail" for one in verdicts[:_MOST]) >= asked.places
    for piece in own:
        if piece in failed:
            at = tuple(dict.fromkeys(failed[piece]))
            yield PairRuling(judge=asked.judges[rule], piece=asked.pieces[piece], ruling="fail", at=at)
        elif not 0 < len(verdicts) <= _MOST:
            yield _unsure(asked, (rule, piece), TOO_MUCH if verdicts else LEFT_OUT, keep=False)
        elif full:
            yield _unsure(asked, (rule, piece), NO_MORE_PLACES, keep=False)
        elif piece in doubted:
            yield _unsure(asked, (rule, piece), doubted[piece], keep=True)
        elif unseen := asked.pieces[piece].unseen:  # what was not shown was not judged
            yield _unsure(asked, (rule, piece), unseen, keep=True)
        else:
            yield PairRuling(judge=asked.judges[rule], piece=asked.pieces[piece], ruling="pass")


def _unsure(asked: JudgeRequest, pair: tuple[int, int], why: str, *, keep: bool) -> PairRuling:
    rule, piece = pair
    return PairRuling(judge=asked.judges[rule], piece=asked.pieces[piece], ruling="unsure", why=why, keep=keep)


def _quoted_place(one: Mapping[str, Any], own: Sequence[int], asked: JudgeRequest) -> tuple[int, int] | None:
    """The piece and the line with the quote: in the named piece, else in another of the rule."""
    named = one.get("piece", 0)
    for piece in sorted(own, key=lambda number: number != named):
        at = find_quoted_line(one.get("quote", ""), asked.pieces[piece], one.get("line", 0))
        if at is not None:
            return piece, at
    return None


def find_quoted_line(quote: str, piece: Piece, said: int) -> int | None:
    """The new line with the quote; of several the named one, or the first."""
    parts = [part.strip() for part in spell_out(quote).strip().splitlines()]  # as what it quotes was shown
    if not parts:
        return None
    found = [
        at
        for at in range(len(piece.lines) - len(parts) + 1)
        if _quote_matches(parts, piece.lines[at : at + len(parts)])
    ]
    return min(found, key=lambda at: piece.lines[at].number != said, default=None)


def _quote_matches(parts: Sequence[str], lines: Sequence[PieceLine]) -> bool:
    if not all(line.new for line in lines):
        return False
    whole = [spell_out(line.text).strip() for line in lines]
    if any("\t" in line for line in whole):  # which models write as blanks
        parts, whole = [" ".join(part.split()) for part in parts], [" ".join(line.split()) for line in whole]
    if len(parts) == 1:
        return parts[0] == whole[0] or (len(parts[0]) >= _SHORT and parts[0] in whole[0])
    return parts[1:-1] == whole[1:-1] and whole[0].endswith(parts[0]) and whole[-1].startswith(parts[-1])


def findings_of(words: Sequence[PairRuling]) -> Iterator[Finding]:
    """What fails, place by place, and once for each rule what is unsure."""
    doubts: dict[tuple[str, str], list[PairRuling]] = {}
    for word in words:
        slug = word.judge.facts.slug
        for at in word.at if word.ruling == "fail" else ():
            there = word.piece.lines[at]
            yield Finding(
                slug=slug, path=word.piece.path, line=there.number, text=spell_out(there.text.strip()[:_TEXT])
            )
        if word.ruling == "unsure":
            doubts.setdefault((slug, word.why), []).append(word)
    for (slug, why), some in doubts.items():
        piece = some[0].piece
        line = next((line.number for line in piece.lines if line.new), 0)
        others = len(some) - 1
        more = f", here and in {others} more place{'s' * (others != 1)}" if others else ""
        yield Finding(slug=slug, path=piece.path, line=line, text=f"not certain: {why}{more}", sure=False)
