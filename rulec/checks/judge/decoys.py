"""Rules of ours with a line that surely breaks them: whoever lets them pass did not judge."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    """Choices that are the same for the same seed, and that nobody foresees who does not know it."""

    def __init__(self, seed: str) -> None:
        self._numbers = _numbers(seed)

    def below(self, many: int) -> int:
        """One of so many numbers, from 0 on."""
        return next(self._numbers) % many

    def of(self, things: Sequence[str]) -> str:
        """One of them."""
        return things[self.below(len(things))]


def _numbers(seed: str) -> Iterator[int]:
    count = 0
    while True:
        count += 1
        yield int.from_bytes(hashlib.sha256(f"{seed}\0{count}".encode("utf-8", "surrogatepass")).digest()[:6], "big")


def make_decoy(choice: SeededChoice, folders: Sequence[str]) -> Decoy:
    """A rule that fails, in a file that seems to stand in one of the folders."""
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
