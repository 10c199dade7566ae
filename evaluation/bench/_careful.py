"""Prompt files of the step ``mine``, answered as a careful reader would who knows the labels of the turns."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.domain.text.redaction import redact

_MARK = re.compile(r"^The mark of this message is (\S+)$", re.MULTILINE)
_DEED = re.compile(r"^(\w*\.\d+) (.*)$")
_WORD = re.compile(r"[\w./-]{4,}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


@dataclass(frozen=True)
class Shown:
    """One block of a prompt."""

    name: str
    lead: str  # what stands above the person's words
    words: str

    @property
    def turn(self) -> str:
        """The number of its turn, by which an answer names it."""
        return self.name.rpartition(" ")[2]

    @property
    def deeds(self) -> dict[str, str]:
        """The actions by their ids."""
        return {found[1]: found[2] for line in self.lead.splitlines() if (found := _DEED.match(line))}

    @property
    def kept(self) -> str:
        """What of it is the session's and none of our labels."""
        lines = (_DEED.sub(r"\2", line).removeprefix("agent: ") for line in self.lead.splitlines())
        return "\n".join([*lines, self.words])


def blocks(prompt: str) -> list[Shown]:
    """The blocks of a prompt file."""
    found = _MARK.search(prompt)
    if not found:
        return []
    start = re.compile(rf"^{re.escape(found[1])} (?:(\d+) )?(.*)$", re.MULTILINE)
    starts = list(start.finditer(prompt, found.end()))
    end = prompt.index(f"\n{found[1]}\n", starts[-1].end())
    stops = [one.start() - 1 for one in starts[1:]] + [end]
    shown = []
    for one, stop in zip(starts, stops, strict=True):
        lead, _, words = prompt[one.end() + 1 : stop].partition("person:\n")
        shown.append(Shown(one[2], lead, words))
    return shown


def folded(text: str) -> str:
    """By what a labelled turn is known again."""
    return " ".join(redact(text).split())[:160].casefold()


def about(text: str, deeds: Mapping[str, str]) -> str | None:
    """The action that most of the words of a text stand in, None where none has two of them."""
    words = {word.casefold() for word in _WORD.findall(text)}
    counted = {name: sum(word in deed.casefold() for word in words) for name, deed in deeds.items()}
    best = max(counted, key=lambda name: counted[name], default=None)
    return best if best and counted[best] > 1 else None


def answer(shown: Sequence[Shown], labels: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The answer to a prompt: for each labelled turn what its label says, quoted word for word."""
    wishes: list[dict[str, Any]] = []
    for block in shown:
        row = labels.get(folded(block.words)) if block.name.startswith("turn ") else None
        if row is None or row["label"] == "none":
            continue
        if row["label"] == "episodic":
            wishes.append({"turn": block.turn, "quote": block.words[:200], "holds": "this time"})
            continue
        rules = row.get("rules") or [{"text": " ".join(block.words.split())[:250]}]
        wishes += [_wish(block, rule) for rule in rules]
    return {"wishes": wishes}


def _wish(block: Shown, rule: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "turn": block.turn,
        "quote": _quote(block.words, rule["text"]),
        "holds": "next time",
        "sure": "high",
        "statement": rule["text"],
        "when": rule.get("when", ""),
        "do": "",
        "category": rule.get("category", ""),
        "severity": rule.get("strength", ""),
        "offence": about(f"{block.words[:600]} {rule['text']}", block.deeds),
        "fix": None,
    }


def _quote(words: str, rule: str) -> str:
    """The sentence of a turn that has most words of a rule; a short turn is quoted whole."""
    if len(words) <= 300:
        return words
    wanted = {word.casefold() for word in _WORD.findall(rule)}
    sentences = [one for one in _SENTENCE.split(words) if one.strip()]
    return max(sentences, key=lambda one: sum(word in one.casefold() for word in wanted))


def loosely(said: Mapping[str, Any]) -> dict[str, Any]:
    """The same answer as models write it: null for what says nothing, numbers as words, and keys of their own."""
    wishes = [{key: value or None for key, value in wish.items()} for wish in said["wishes"]]
    more = {"confidence": 0.9, "reason": "the person says so"}
    return {"wishes": [{**wish, "turn": str(wish["turn"]), **more} for wish in wishes], "notes": None}


def answered(folder: Path, labels: Mapping[str, Mapping[str, Any]], *, loose: bool = False) -> list[list[Shown]]:
    """Write the answer of every prompt in a folder that has none yet; what the prompts showed."""
    found = []
    for path in sorted(folder.glob("*-mine-*.prompt.md")):
        shown = blocks(path.read_text(encoding="utf-8"))
        found.append(shown)
        place = path.with_name(path.name.replace(".prompt.md", ".answer.json"))
        said = answer(shown, labels)
        place.write_text(json.dumps(loosely(said) if loose else said, ensure_ascii=False), encoding="utf-8")
    return found
