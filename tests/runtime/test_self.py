"""The gate guards itself, and nothing else."""

import json

import pytest

from rulec.runtime import self as gate
from tests.runtime.test_hook import asks, bash, denied, hook, repository

DISARMS = [
    "git commit --no-verify -m x",
    "git commit -n -m x",
    "git commit -anm x",
    "git commit --no-veri -m x",
    "git -C web commit -m x -n",
    "/usr/bin/git commit --no-verify",
    "bash -c 'git commit -nm x'",
    "git -c core.hooksPath=/dev/null commit -m x",
    "git -c CORE.HOOKSPATH= commit -m x",
    "git config core.hooksPath /dev/null",
    "git config --global core.hooksPath x",
    "git config set core.hooksPath x",
    "SKIP=rulec git commit -m x",
    "env SKIP=rulec git commit -m x",
    "SKIP=rulec bash -c 'git commit -m x'",
    "export SKIP=rulec; git commit -m x",
    "PRE_COMMIT_ALLOW_NO_CONFIG=1 git commit -m x",
    "pre-commit uninstall",
    "python -m pre_commit uninstall; pre-commit uninstall -t commit-msg",
    "uv run pre-commit uninstall",
    "rulec init --remove",
    "echo > .rules/compiled/guard/a.json",
    "rm -rf .rules/compiled",
    "rm -r .rules",
    "git checkout HEAD~1 -- .rules/compiled/guard/a.json",
    "sed -i s/block/warn/ .rules/compiled/guard/a.json",
    "rm .git/hooks/pre-commit",
    "cd .git/hooks && mv pre-commit x",
    "chmod -x .git/hooks/pre-commit",
    "echo > .pre-commit-config.yaml",
    "jq . x > .claude/settings.json",
    "cp x .claude/settings.local.json",
    "rm -rf .claude",
    "echo x > .rules/.cache/guard.index",
]
LEAVES = [
    "git commit -m 'no --no-verify, no -n'",
    "git commit -m x",
    "git commit -am -n",
    "git log -n 3",
    "git config --get core.hooksPath",
    "git config user.name x",
    "SKIP=slow pytest",
    "rulec compile",
    "rulec init",
    "pre-commit run -a",
    "cat .rules/compiled/guard/a.json",
    "cp .git/hooks/pre-commit /tmp/x",
    "ls -la .git/hooks > /tmp/x",
    "echo x > .rules/use-pnpm.yaml",
    "echo x > web/.pre-commit-config.yaml",
    "git add .pre-commit-config.yaml .rules",
    "git commit -F .git/COMMIT_EDITMSG",
    "rm -rf .rulesets",
]


@pytest.mark.parametrize("command", DISARMS)
def test_a_command_that_would_disarm_the_gate_is_found(command):
    found = gate.decide({"kind": "command", "command": command})
    assert [(one["slug"], one["unsure"], one["fault"]) for one in found][:1] == [(gate.SLUG, False, "")]


@pytest.mark.parametrize("command", LEAVES)
def test_a_command_that_leaves_the_gate_alone_passes(command):
    assert gate.decide({"kind": "command", "command": command}) == []


SETTINGS = {"permissions": {"allow": ["Bash(ls)"]}, "hooks": {"Stop": []}}


def settings(**more):
    return json.dumps({**SETTINGS, **more}, indent=2)


FILES = [
    ("Write", ".rules/compiled/guard/a.json", "{}", True),
    ("Write", ".git/hooks/pre-commit", "", True),
    ("Write", ".pre-commit-config.yaml", "", True),
    ("Write", ".rules/use-pnpm.yaml", "", False),
    ("Write", ".claude/settings.json", settings(permissions={}), False),
    ("Write", ".claude/settings.json", settings(hooks={}), True),
    ("Write", ".claude/settings.json", settings(disableAllHooks=True), True),
    ("Write", ".claude/settings.json", "{", True),
    ("Write", ".claude/settings.local.json", '{"disableAllHooks": true}', True),
    ("Write", ".claude/settings.local.json", '{"permissions": {}}', False),
    ("Write", ".claude/commands/x.md", "x", False),
]


@pytest.mark.parametrize(("tool", "path", "content", "caught"), FILES)
def test_the_gates_own_files_are_not_the_agents_to_write(tmp_path, tool, path, content, caught):
    repo = repository(tmp_path / "repo")
    (repo / ".claude").mkdir()
    (repo / ".claude/settings.json").write_text(settings())
    reason = denied(hook(repo, asks(repo, tool, file_path=path, content=content)))
    assert reason.startswith(f"rulec rule {gate.SLUG}:") == caught


def test_an_edit_of_the_settings_is_judged_by_what_it_makes_of_the_hooks(tmp_path):
    repo = repository(tmp_path / "repo")
    (repo / ".claude").mkdir()
    (repo / ".claude/settings.json").write_text(settings())
    edit = {"file_path": ".claude/settings.json", "old_string": "Bash(ls)"}
    assert not denied(hook(repo, asks(repo, "Edit", **edit, new_string="Bash(pwd)")))
    assert denied(hook(repo, asks(repo, "Edit", **{**edit, "old_string": '"Stop"'}, new_string='"Stopp"')))
    assert denied(hook(repo, asks(repo, "Edit", **{**edit, "old_string": "not there"}, new_string="x")))


def test_the_gate_guards_itself_in_the_hook_too(tmp_path):
    repo = repository(tmp_path / "repo")
    assert gate.SLUG in denied(hook(repo, bash(repo, "git commit --no-verify -m x")))
    assert gate.CURE in denied(hook(repo, bash(repo, "rm -rf .rules")))
