"""Two rules on one command: the one that goes before holds where it asks for the very thing that the other forbids."""

import pytest

from rulec.domain.compiled_rule import read_rule
from rulec.guard import decision
from tests.support import guard_rules as rules

NPM = rules.command("use-pnpm", "npm", instead="pnpm")
LEGACY = rules.command("legacy-npm", "pnpm", "yarn", instead="npm")
LEGACY["facts"]["scope"] = {**LEGACY["facts"]["scope"], "include": ["legacy/**"]}


def with_facts(rule, **facts):
    return {**rule, "facts": {**rule["facts"], **facts}}


class Filed:
    """Rules under the words that they are filed under."""

    def __init__(self, *shelf):
        self.shelf = shelf

    def find(self, words):
        return [rule for rule in map(read_rule, self.shelf) if decision.words_of_rule(rule) & words]


def lost(command, own=NPM, rival=LEGACY, **event):
    """What becomes of the own rule's findings: to whom each is lost, "" for those that stand."""
    event = rules.event({"kind": "command", "command": command, "cwd": "", "root": "/r", **event})
    found = rules.findings([own], event)
    settled = decision.settle_conflicts(found, [read_rule(own)], event, Filed(own, rival).find)
    return [one.overruled_by for one in settled]


def test_the_narrower_rule_holds_where_it_speaks():
    assert lost("cd legacy && npm ci") == ["legacy-npm goes before it: its scope is narrower (2 to 0)"]
    assert lost("npm ci", cwd="legacy") == lost("cd legacy && npm ci")
    assert lost("npm ci") == [""]
    assert lost("cd web && npm ci") == [""]


@pytest.mark.parametrize(
    ("own", "rival"),
    [
        (NPM, rules.command("other", "yarn", instead="npm")),  # neither goes before the other
        (NPM, with_facts(LEGACY, enforcement="audit")),
        (NPM, with_facts(LEGACY, layer="personal")),  # a person's own never beats the team's
        (NPM, with_facts(LEGACY, exceptions=[{"include": ["legacy/**"]}])),
        (NPM, {**LEGACY, "check": {**LEGACY["check"], "instead": ""}}),
        (NPM, {**LEGACY, "check": {**LEGACY["check"], "instead": "bun"}}),
        (rules.command("ask-first", "npm install"), LEGACY),  # it forbids a part of what the other asks for
        (rules.command("clean", "npm ci"), LEGACY),
        (rules.command("flagged", "npm", flags=["--ignore-scripts"]), LEGACY),  # both can be heeded at once
        (rules.command("boxed", "npm", under=["mise exec"]), LEGACY),
    ],
)
def test_a_finding_stands_where_no_rule_asks_for_the_very_thing(own, rival):
    command = "cd legacy && npm ci; npm install x"
    assert set(lost(command, own, rival)) == {""}


def test_a_rule_of_a_form_yields_for_that_form_alone():
    form = {**LEGACY, "check": {**LEGACY["check"], "instead": "", "rewrite": {"pnpm i": "npm ci"}}}
    assert lost("cd legacy && npm ci", rival=form)[0]
    assert lost("cd legacy && npm install", rival=form) == [""]
    under = {**LEGACY, "check": {**LEGACY["check"], "instead": "", "under": ["npm exec"]}}
    assert lost("cd legacy && npm exec tsc", rival=under)[0]


def test_the_graver_then_the_later_rule_goes_before():
    rival = rules.command("other", "yarn", instead="npm")
    assert "graver (must before should)" in lost("npm ci", with_facts(NPM, severity="should"), rival)[0]
    assert "said later (2026-11-20 after 2026-01-01)" in lost("npm ci", with_facts(NPM, said="2026-01-01"), rival)[0]
    assert lost("npm ci", with_facts(NPM, said="2026-11-21"), rival) == [""]


def test_nobody_is_asked_where_nothing_is_found():
    assert (
        decision.settle_conflicts([], [read_rule(NPM)], rules.event({"kind": "command", "command": "ls"}), None) == []
    )
