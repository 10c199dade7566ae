"""Asking a program for help is innocent where that is all it does, and nothing else passes as such."""

import pytest

from tests.support import guard_rules as rules

RULE = rules.command(
    "none", "npm", "pnpm", "yarn", "npx", "python", "sh", "rm", "psql", "uv", "cargo", "go", "git commit|push",
    "docker", "kubectl", "terraform destroy", "./deploy.sh",
)  # fmt: skip
ASKS = [
    "npm --help",
    "npm --version",
    "psql --help",
    "pnpm help install",
    "terraform destroy --help",
    "git push --help",
    "git -C web push origin main --help",
    "git commit -m x --help",
    "docker compose up --help",
    "docker run --help",
    "kubectl delete pod x --help",
    "uv run --help",
    "pnpm install --help",
    "cargo publish --help",
    "python -m pip install --help",
    "cd web && npm ci --help",
    "sudo npm ci --help",
]
ACTS = [
    "npx foo --help",
    "sh -c 'npm ci' --help",
    "python x.py --help",
    "psql -h host",
    "git push -h",
    "npm ci -- --help",
    "npm ci help",
    "npm ci $WORDS --help",
    "npm --prefix --help ci",
    "npm exec foo --help",
    "npm --help; npm ci",
    "git commit -m --help",
    "pnpm deploy --help",
    "pnpm -F web deploy --help",
    "yarn build --help",
    "docker run image --help",
    "docker compose exec app x --help",
    "kubectl exec pod x --help",
    "uv run foo --help",
    "uv tool run foo --help",
    "cargo xtask --help",
    "cargo run x --help",
    "go run x.go --help",
    "rm -rf src --help",
    "psql -c 'drop table x' --help",
    "./deploy.sh prod --help",
    "npm --version ci",
]


def caught(command, rule=RULE):
    found = rules.findings([rule], {"kind": "command", "command": command, "agent": "claude-code", "cwd": ""})
    assert not any(one.fault for one in found)
    return any(not one.unsure for one in found)


@pytest.mark.parametrize("command", ASKS)
def test_asking_for_help_is_innocent(command):
    assert not caught(command)


@pytest.mark.parametrize("command", ACTS)
def test_what_only_looks_like_it_is_not(command):
    assert caught(command)


@pytest.mark.parametrize(
    ("pattern", "command"),
    [("npm --version", "npm --version"), ("aws help", "aws help"), ("git --help", "git push --help")],
)
def test_a_rule_about_just_that_holds(pattern, command):
    assert caught(command, rules.command("help", pattern))
