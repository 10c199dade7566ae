"""The built-in rules on what would disarm the gate, from rules.toml, and those on the files of each agent."""

from __future__ import annotations

import os
import re

from rulec.agents.protocol import agent_tables
from rulec.checkout import rules_layout
from rulec.domain.compiled_rule import Facts, GuardCheck, read_check
from rulec.domain.patterns.command_patterns import PIPE, plain_program
from rulec.domain.record import Record, read_record
from rulec.shell.action_events import ASK_PERSON
from rulec.shell.programs import read_tables, with_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    RawRule = dict[str, Any]  # as TOML has it


GATE_CURE = "leave the gate as it is; if a rule is wrong, ask the person to change the rule"
GATE_FACTS = Facts(
    slug=rules_layout.GATE_SLUG,
    statement="The gate is not the agent's to disarm.",
    do=GATE_CURE,
    enforcement="block",
    on_error="block",
)


class GateRule(Record):
    """A built-in rule; the head of rules.toml says what each name means."""

    cure: str
    check: GuardCheck = GuardCheck()
    near: tuple[str, ...] = ()
    plain: bool = False
    switches: str = ""
    via: tuple[str, ...] = ()
    variables: str = ""
    spared: tuple[str, ...] = ()
    taken: bool = False
    there: tuple[str, ...] = ()
    meets: str = ""


FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.toml")
PERSONAL = tuple(  # the person's own rules, whatever repository the agent works in
    re.sub(r"([\\*?\[{},])", r"\\\1", place) + "/"
    for place in (rules_layout.personal_rulebook_path(), rules_layout.personal_weights_path())
)
LISTS = ("<agent folders>", "<env files>", "<personal>")
_tables: dict[str, list[RawRule]] = {}  # by what they are on; those on commands also by program
_rules: dict[str, list[GateRule]] = {}  # those that were asked for


def rules_on(what: str) -> list[GateRule]:
    """The rules on files ("file"), on texts of programs ("script"), or on commands of a program ("command NAME")."""
    if not _tables:
        for raw in read_tables(FILE)["rules"]:
            for place in _places(raw["check"]):
                _tables.setdefault(place, []).append(raw)
        _tables["file"] += _of_agents()
        for program, variables in agent_tables.PROGRAMS.items():
            own: RawRule = {"variables": " ".join(variables), "check": {"on": "command", "patterns": [program]}}
            _tables.setdefault(f"command {program}", []).append(own)
    if what not in _rules:
        _rules[what] = [_read(raw) for raw in _tables.get(what, ())]
    return _rules[what]


def _names_of(name: str) -> tuple[str, ...]:
    """What a name stands for in a list."""
    lists = {"<agent folders>": agent_tables.FOLDERS, "<env files>": agent_tables.ENV_FILES, "<personal>": PERSONAL}
    return lists[name]


def _words() -> dict[str, str]:
    """What names stand for in a pattern."""
    off = agent_tables.OFF.items()
    return {
        "agents": "|".join(agent_tables.PROGRAMS),
        "agent files": "|".join(map(re.escape, agent_tables.STEMS)),
        "agent folders": "|".join(map(re.escape, agent_tables.FOLDERS)),
        "hooks off": "|".join(re.escape(key) if on else rf"\b{re.escape(key)}\s*=\s*false" for key, on in off),
    }


def leading_lines() -> str:
    """The pattern of a line that sets, for good, a variable which leads git past the gate."""
    return r"\b" + str(read_tables(FILE)["words"]["leading_lines"])


def _places(check: RawRule) -> set[str]:
    if check["on"] != "command":
        return {"script" if check.get("scripts") else "file"}
    firsts = [pattern.rpartition(PIPE)[2].split()[0] for pattern in check["patterns"]]
    names = {name for first in firsts for name in first.split("|")}
    names |= set(agent_tables.PROGRAMS) if "<agents>" in names else set()
    return {f"command {plain_program(name)}" for name in names}


def _read(raw: RawRule) -> GateRule:
    """The rule with the agents' words put in, and what all rules of the gate have."""
    check = {**raw["check"], **{key: _listed(raw["check"][key]) for key in ("globs",) if key in raw["check"]}}
    if "<" in str(check):
        check = with_words(check, _words())
    cure = ASK_PERSON if raw.get("for_person") else raw.get("do", GATE_CURE)
    return read_record(GateRule, {**raw, "near": _listed(raw.get("near", ())), "cure": cure}).but(
        check=read_check(check)
    )


def _listed(texts: Iterable[str]) -> list[str]:
    return [one for text in texts for one in _each(text)]


def _each(text: str) -> list[str]:
    name = next((name for name in LISTS if name in text), "")
    return [text.replace(name, one) for one in _names_of(name)] if name else [text]


def _of_agents() -> list[RawRule]:
    """The rules on the files of each agent: its settings, what rulec alone writes among them, and its records."""
    found: list[RawRule] = []
    for word, paths in agent_tables.SETTINGS.items():
        for path, how in paths.items():
            rule: RawRule = {"near": [word], "check": {"on": "path", "globs": [path]}}
            found.append(rule if how == "whole" else {**rule, "switches": how})
    # What a person said there may allow what a rule asks about.
    return found + [
        {"near": [word], "check": {"on": "path", "globs": [path]}} for path, word in agent_tables.RECORDS.items()
    ]
