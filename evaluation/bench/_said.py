"""Dialogues in which a person allows an act, or something else: what rulec takes for their word."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulec.guard.installs import installed_packages
from rulec.guard.session.package_permission import name_pattern
from rulec.shell.file_effects import file_effects
from rulec.shell.parsing.parser import parse_shell
from rulec.steps.proofs import said_words
from rulec.steps.proofs.claimed_files import seconds_of
from rulec.steps.proofs.said_words import PACKAGE, PATH, RULE, SaidObject

KINDS = {"person": "says", "agent": "stop", "tool": "tool"}


def object_of(case: dict[str, Any]) -> SaidObject:
    """What the act is done to: a package that a command brings in, a file, or what the command does."""
    name, act = case["object"], case["act"]
    if "command" not in act:
        return SaidObject(PATH, name, said_words.path_pattern(name), deletes="delete" in act)
    command = act["command"]
    parsed = parse_shell(command)
    if any(one.name == name for call in parsed.calls for one in installed_packages(call)):
        return SaidObject(PACKAGE, name, name_pattern(name), done=command)
    if any(one.delete and one.path == name for one in file_effects(parsed)):
        return SaidObject(PATH, name, said_words.path_pattern(name), deletes=True, done=command)
    # as ask-before has it for a command: its own word, or what it acts on
    plain = [word for word in parsed.calls[0].argv[1:] if re.fullmatch(r"[A-Za-z][\w-]*", word)]
    told = [rf"\b(?:{re.escape(plain[0])})"] if plain else []
    return SaidObject(RULE, name, "|".join([said_words.path_pattern(name), *told]), done=command)


def events_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The dialogue as a transcript's reader gives it: what an agent says before it acts is no question of its own."""
    found = []
    for turn, after in zip(case["turns"], [*case["turns"][1:], {"who": ""}], strict=True):
        kind = KINDS[turn["who"]]
        kind = "reply" if kind == "stop" and after["who"] != "person" else kind
        used = {"kind": "edit", "path": case["object"]} if kind == "tool" and case["object"] in turn["text"] else {}
        found.append({"kind": kind, "text": turn["text"], "at": time_of(len(found)), **used})
    return found


def time_of(number: int) -> str:
    """A turn a minute."""
    return f"2026-11-20T10:{number:02}:00+00:00"


def start_of(events: list[dict[str, Any]]) -> float:
    """The step of the act begins after the last tool that ran before it."""
    tools = [at for at, event in enumerate(events) if event["kind"] in ("tool", "edit")]
    return seconds_of(time_of(tools[-1] + 1)) if tools else 0.0


def figures(folder: Path) -> Iterator[str]:
    """A line for each dialogue that is decided otherwise than its label says, and one for all of them."""
    right = total = 0
    for path in [folder] if folder.is_file() else sorted(folder.glob("*.jsonl")):
        for case in (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()):
            events, one = events_of(case), object_of(case)
            started = start_of(events)
            quotes = [event["text"] for event in events if event["kind"] == "says"]
            allowed = any(not said_words.why_not_said(events, [one], quote, 0.0, started) for quote in quotes)
            total += 1
            right += allowed is case["permits"]
            if allowed is not case["permits"]:
                yield f"{case['name']}: {'allowed' if allowed else 'not allowed'}"
    yield f"{right} of {total} dialogues are decided as labelled"
