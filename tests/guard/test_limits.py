"""What is too long to be judged is held by rules that must be kept, and said by others."""

import pytest

from rulec.hook.outcomes import outcome_of
from tests.support import guard_rules as rules

NPM = rules.command("npm", "npm")
GEN = rules.path("gen", "src/gen/")
TODO = rules.text("todo", r"\bTODO\b")
LINES = "x = 1\n" * 250_000


def outcome(rule, event, severity="must"):
    facts = {**rule["facts"], "severity": severity}
    return next((outcome_of(one) for one in rules.decide({**rule, "facts": facts}, event)), "")


def run(command):
    return {"kind": "command", "command": command}


def write(text):
    return {"kind": "write", "path": "src/a.py", "old": "", "new": text, "content": text}


HELD = {
    "a command behind thousands of others": (NPM, run("true; " * 8_000 + "npm ci")),
    "a command behind thousands of different words": (NPM, run("".join(f"f{n}; " for n in range(8_000)) + "npm ci")),
    "deeply nested": (NPM, run("$(" * 300 + "npm ci" + ")" * 300)),
    "a protected path behind thousands of commands": (GEN, run("true; " * 8_000 + "echo x > src/gen/a.py")),
    "a file of very many lines": (TODO, write(LINES + "# TODO\n")),
    "a very long line": (TODO, write("x" * 150_000 + " TODO")),
}
PASSES = {
    "many commands without it": (NPM, run("true; " * 8_000 + "pnpm install")),
    "many words before it": (NPM, run("ls " + "a " * 8_000 + "&& pnpm install")),
    "many commands and no protected path": (GEN, run("true; " * 8_000)),
    "a large file without it": (TODO, write("x = 1\n" * 100_000)),
    "a long line without it": (TODO, write("x" * 50_000)),
}


@pytest.mark.parametrize(("severity", "wanted"), [("must", "block"), ("should", "warn")])
def test_what_is_too_long_to_judge_is_never_passed_in_silence(severity, wanted):
    assert {why: outcome(*case, severity) for why, case in HELD.items()} == dict.fromkeys(HELD, wanted)
    assert {why: outcome(*case, severity) for why, case in PASSES.items()} == dict.fromkeys(PASSES, "")


def test_what_can_be_read_is_certain_however_long_it_is():
    assert outcome(NPM, run("ls " + "a " * 8_000 + "&& npm ci"), "should") == "block"
    assert outcome(TODO, write("x = 1\n" * 100_000 + "# TODO\n"), "should") == "block"


ASKS = ["npm -v", "npm -h", "npm install -h", "npm --version", "npm help install", "node -v"]
DOES = ["npm ci -v", "npm install -h2", "npm run -h x", "npm -v install"]


def test_a_command_that_only_asks_about_the_program_passes():
    node = rules.command("node", "node", "npm")
    assert [line for line in ASKS if rules.findings([node], run(line))] == []
    assert [line for line in DOES if not rules.findings([node], run(line))] == []


def test_a_dry_run_passes_unless_the_rule_speaks_of_it():
    every = rules.command("all", "git add -A|--all")
    assert [w for w in ("git add -n -A", "git add -A --dry-run") if rules.findings([every], run(w))] == []
    assert rules.findings([every], run("git add -A -v"))
    assert rules.findings([rules.command("dry", "git push --dry-run|-n")], run("git push -n"))
