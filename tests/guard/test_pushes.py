"""Pushes to a branch and commits on one, judged by the branch as it will be when the command runs."""

import subprocess

import pytest

from rulec.agents.protocol.mcp_tools import mcp_actions
from rulec.checkout.worktree import Worktree
from rulec.hook.outcomes import outcome_of
from tests.support import guard_rules as rules

PUSH = rules.command("push", "git push", pushes=["main", "release/*"])
COMMIT = rules.command("commit", "git commit", on_branch=["main"])
FORCE = rules.command("force", "git push --force|-f")
TAGS = rules.command("tags", "git push --tags|--follow-tags")


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    """A repository on branch topic, with work trees of main and side beside it."""
    repo = tmp_path_factory.mktemp("pushes") / "repo"
    subprocess.run(["git", "init", "-qb", "main", repo], check=True)
    (repo / "a.py").write_text("x")
    for line in (
        "add a.py", "commit -qm x", "switch -qc topic", "worktree add -q ../main main", "worktree add -qb side ../side",
        "config branch.topic.merge refs/heads/main",
    ):  # fmt: skip
        subprocess.run(["git", *line.split()], cwd=repo, check=True, capture_output=True)
    return repo


def outcome(top, rule, command, cwd=""):
    """block, warn or nothing."""
    world = Worktree(str(top))
    event = {"kind": "command", "command": command, "root": world.root, "world": world}
    found = rules.findings([rule], {**event, "cwd": str(top.parent / cwd) if cwd else ""})
    return next((outcome_of(one) for one in found), "")


PUSHED = [
    "git checkout main && git merge topic && git push",
    "git switch -C main && git push -u origin",
    "git checkout main -- && git push",
    "git rebase topic main; git push",
    "git worktree add -B main ../new && (cd ../new; git push)",
    "git push origin HEAD:heads/main",
    "git push origin topic:refs/heads/release/1.2",
    "git push origin :",
    "git push origin 'refs/heads/*'",
    "git push origin '+refs/heads/*:refs/heads/*'",
    "git push --al origin",
    "git push origin tag v1 main",
    "git push -d origin heads/main",
    "git -c push.default=matching push",
    "git config push.default upstream && git push",
    "git branch -u origin/main side && git switch side && git -c push.default=upstream push",
    "git config remote.origin.push HEAD:main && git push",
    "git -c remote.origin.push=HEAD:main push origin",
    "git send-pack ../remote.git HEAD:refs/heads/main",
    "git subtree push --prefix=src origin main",
    "git -C ../main push",
    'cd ../main && git push origin "$(git branch --show-current)"',
    "cd ../main; b=$(git rev-parse --abbrev-ref HEAD); git push origin $b",
    "git checkout - && git push",  # nobody knows which it is: a rule that must be kept holds it
]
NOT_PUSHED = [
    "git push",
    "git push origin 'refs/heads/*' ^refs/heads/main '^refs/heads/release/*'",
    "git push origin 'refs/heads/*:refs/heads/backup/*'",
    "git push origin 'refs/heads/f*'",
    "git push origin HEAD:refs/tags/main",
    "git push origin topic:refs/heads/feature/main",
    "git push origin tag main",
    "git push --tags",
    "git push --follow-tags",
    "git -c push.default=current push",
    "git checkout main && git pull && git switch topic && git push",
    "git checkout main -- a.py && git push",
    "git checkout HEAD && git push",
    "(cd ../main && git pull) && git push",
    "git -C ../side push origin HEAD",
    "git worktree add ../new main && git push",
    "gh pr checkout 12 && git push",
    'git push -u origin "$(git branch --show-current)"',
    "git push --dry-run origin main",
    "git push --help",
]


def test_a_push_is_judged_by_where_it_goes_when_it_runs(top):
    wrong = [command for command in PUSHED if outcome(top, PUSH, command) != "block"]
    wrong += [command for command in NOT_PUSHED if outcome(top, PUSH, command)]
    wrong += [
        place
        for place, want in (("main", "block"), ("main/src", "block"), ("side", ""))
        if outcome(top, PUSH, "git push", place) != want
    ]
    assert wrong == []


COMMITTED = ["git switch main && git commit -m x", "git -C ../main commit -m x", "git switch - && git commit -m x"]
NOT_COMMITTED = [
    "git commit -m x",
    "git checkout -b feature/main && git commit -m x",
    "git checkout main a.py && git commit -m x",
    "(cd ../main && git pull) && git commit -m x",
]


def test_a_commit_is_judged_by_the_branch_on_which_it_is_made(top):
    wrong = [command for command in COMMITTED if outcome(top, COMMIT, command) != "block"]
    wrong += [command for command in NOT_COMMITTED if outcome(top, COMMIT, command)]
    assert wrong == []


def test_a_setting_counts_as_the_flag_that_it_stands_for(top):
    wanted = {
        "git -c push.followTags=true push": "block",
        "git config set push.followTags on; git push origin topic": "block",
        "git -c push.followTags=true push --no-follow-tags": "",
        "git -c push.followTags=false push": "",
        "git config --get push.followTags; git push": "",
    }
    assert {command: outcome(top, TAGS, command) for command in wanted} == wanted


SERVER = {"owner": "o", "repo": "r"}
FILES = [{"path": "src/a.py", "content": "x"}]
TOOLS = [  # whose tool it is, its arguments, and the rules that it breaks
    ("mcp__github__push_files", {**SERVER, "branch": "main", "files": FILES}, ["push"]),
    ("mcp__github__create_or_update_file", {**SERVER, "branch": "main", "path": "a", "content": "x"}, ["push"]),
    ("mcp__github__delete_file", {**SERVER, "branch": "main", "path": "gen/a.py"}, ["push", "gen"]),
    (
        "mcp__github__push_files",
        {**SERVER, "branch": "topic", "files": [{"path": "gen/a.py", "content": "x"}]},
        ["gen"],
    ),
    ("mcp__github__update_ref", {**SERVER, "ref": "heads/topic", "sha": "1", "force": True}, ["force"]),
    ("mcp__github__delete_branch", {**SERVER, "branch": "main"}, ["push"]),
    ("mcp__gitlab__create_commit", {"project_id": "1", "branch": "release/2"}, ["push"]),
    ("mcp__git__git_push", {"repo_path": ".", "remote": "origin", "branch": "main"}, ["push"]),
    ("mcp__git__git_push", {"repo_path": "../main"}, ["push"]),
    ("mcp__git__git_commit", {"repo_path": "../main", "message": "x"}, ["commit"]),
    ("mcp__git__git_push", {"repo_path": ".", "branch": "topic", "force": True}, ["force"]),
    ("mcp__github__push_files", {**SERVER, "branch": "topic", "files": FILES}, []),
    ("mcp__github__create_branch", {**SERVER, "branch": "topic", "from_branch": "main"}, []),
    ("mcp__github__create_pull_request", {**SERVER, "base": "main", "head": "topic", "title": "t"}, []),
    ("mcp__github__get_file_contents", {**SERVER, "branch": "main", "path": "gen/a.py"}, []),
    ("mcp__github__create_issue", {**SERVER, "title": "git push origin main"}, []),
    ("mcp__git__git_status", {"repo_path": "../main"}, []),
    ("mcp__git__git_commit", {"repo_path": ".", "message": "git push origin main"}, []),
    ("mcp__git__git_push", {"repo_path": "."}, []),
    ("mcp__git__git_diff", {"repo_path": ".", "target": "main"}, []),
]


def test_tools_of_other_servers_push_and_commit_as_git_does(top):
    every, world = [PUSH, COMMIT, FORCE, rules.path("gen", "gen/")], Worktree(str(top))
    wrong = []
    for tool, given, slugs in TOOLS:
        found = []
        for action in mcp_actions(tool, given):
            cwd = world.relative(str((top / action.cwd).resolve()))
            told = {"kind": action.kind, "command": action.command, "path": action.path or "", "cwd": cwd}
            event = {**told, "root": world.root, "world": world}
            found += [one.slug for one in rules.findings(every, event)]
        wrong += [] if found == slugs else [(tool, given, found)]
    assert wrong == []
