"""To get a program by the one that it takes the place of is no offence; to bring anything else that way is."""

import pytest

from rulec.domain.compiled_rule import read_check
from rulec.guard import command_check
from rulec.shell.parsing.parser import parse_shell

TOOLS = {
    "pnpm": {"patterns": ["npm", "yarn"], "instead": "pnpm"},
    "uv": {"patterns": ["pip install"], "rewrite": {"pip install": "uv pip install"}},
    "make": {"patterns": ["npm"], "instead": "make test"},
    "nothing": {"patterns": ["npm"]},
}


@pytest.mark.parametrize(
    ("tool", "command"),
    [
        ("pnpm", "npm install -g pnpm"),
        ("pnpm", "npm i -g pnpm@9.1.0 --silent"),
        ("pnpm", "sudo npm install --global pnpm"),
        ("pnpm", "yarn global add pnpm"),
        ("uv", "pip install uv"),
        ("uv", "python3 -m pip install --upgrade 'uv>=0.4'"),
    ],
)
def test_what_only_installs_the_wanted_program_passes(tool: str, command: str) -> None:
    (*_, call) = parse_shell(command).calls
    assert command_check.pattern_naming(read_check({"on": "command", **TOOLS[tool]}), call) is None


@pytest.mark.parametrize(
    ("tool", "command"),
    [
        ("pnpm", "npm install pnpm"),
        ("pnpm", "npm install -g pnpm left-pad"),
        ("pnpm", "npm install -g pnpm-lock"),
        ("pnpm", "npm install -g https://example.com/pnpm.tgz"),
        ("pnpm", "npm install -g"),
        ("pnpm", "npm uninstall -g pnpm"),
        ("uv", "pip install uvicorn"),
        ("uv", "pip install -r requirements.txt"),
        ("uv", "pip install -e .[uv]"),
        ("make", "npm install -g vitest"),
        ("nothing", "npm install -g pnpm"),
    ],
)
def test_anything_else_is_as_it_was(tool: str, command: str) -> None:
    (*_, call) = parse_shell(command).calls
    assert command_check.pattern_naming(read_check({"on": "command", **TOOLS[tool]}), call)
