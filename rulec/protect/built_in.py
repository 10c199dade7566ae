"""The built-in rules on what would disarm the gate, from rules.toml, and those on the files of each agent."""

from __future__ import annotations

import os
import re

from rulec.agents.protocol import agent_tables
from rulec.checkout import rules_layout
from rulec.domain.patterns.command_patterns import PIPE, plain_program
from rulec.shell.action_events import ASK_PERSON
from rulec.shell.programs import read_tables, with_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Rule = dict[str, Any]


GATE_CURE = "leave the gate as it is; if a rule is wrong, ask the person to change the rule"
GATE_RULE: dict[str, Any] = {
    "facts": {
        "slug": rules_layout.GATE_SLUG,
        "statement": "The gate is not the agent's to disarm.",
        "do": GATE_CURE,
        "enforcement": "block",
        "on_error": "block",
        "scope": {},
    },
    "check": {"on": "path"},
}
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.toml")
PERSONAL = tuple(  # the person's own rules, whatever repository the agent works in
    re.sub(r"([\\*?\[{},])", r"\\\1", place) + "/"
    for place in (rules_layout.personal_rulebook_path(), rules_layout.personal_weights_path())
)
LISTS = ("<agent folders>", "<env files>", "<personal>")
_rules: dict[str, list[Rule]] = {}  # by what they are on; those on commands also by program


def rules_on(what: str) -> list[Rule]:
    """The rules on files ("file"), on texts of programs ("script"), or on commands of a program ("command NAME")."""
    if not _rules:
        for raw in read_tables(FILE)["rules"]:
            for place in _places(raw["check"]):
                _rules.setdefault(place, []).append(raw)
        _rules["file"] += _of_agents()
        for program, variables in agent_tables.PROGRAMS.items():
            own: Rule = {"variables": " ".join(variables), "check": {"on": "command", "patterns": [program]}}
            _rules.setdefault(f"command {program}", []).append(own)
    found = _rules.get(what, [])
    for rule in found:
        if "facts" not in rule:
            _complete(rule)
    return found


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


def _places(check: dict[str, Any]) -> set[str]:
    if check["on"] != "command":
        return {"script" if check.get("scripts") else "file"}
    firsts = [pattern.rpartition(PIPE)[2].split()[0] for pattern in check["patterns"]]
    names = {name for first in firsts for name in first.split("|")}
    names |= set(agent_tables.PROGRAMS) if "<agents>" in names else set()
    return {f"command {plain_program(name)}" for name in names}


def _complete(rule: Rule) -> None:
    """Put in the agents' words, and what all rules of the gate have."""
    check = rule["check"]
    for holder, key in ((rule, "near"), (check, "globs")):
        if key in holder:
            holder[key] = [one for text in holder[key] for one in _each(text)]
    if "<" in str(check):
        rule["check"] = with_words(check, _words())
    rule["facts"] = GATE_RULE["facts"]
    rule["cure"] = ASK_PERSON if rule.get("for_person") else rule.get("do", GATE_CURE)


def _each(text: str) -> list[str]:
    name = next((name for name in LISTS if name in text), "")
    return [text.replace(name, one) for one in _names_of(name)] if name else [text]


def _of_agents() -> list[Rule]:
    """The rules on the files of each agent: its settings, what rulec alone writes among them, and its records."""
    found: list[Rule] = []
    for word, paths in agent_tables.SETTINGS.items():
        for path, how in paths.items():
            rule: Rule = {"near": [word], "check": {"on": "path", "globs": [path]}}
            found.append(rule if how == "whole" else {**rule, "switches": how})
    # What a person said there may allow what a rule asks about.
    return found + [
        {"near": [word], "check": {"on": "path", "globs": [path]}} for path, word in agent_tables.RECORDS.items()
    ]
