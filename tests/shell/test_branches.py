"""Branches that a command makes and pushes to."""

import subprocess

import pytest

from rulec.checkout.worktree import Worktree
from rulec.shell.git.branches import branch_at, created_branches
from rulec.shell.git.pushes import pushes_to
from rulec.shell.parsing.parser import parse_shell
from tests.support import guard_rules as rules


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("git checkout -b one", ["one"]),
        ("git checkout -qb one origin/main", ["one"]),
        ("git checkout --orphan one", ["one"]),
        ("git switch -c one main", ["one"]),
        ("git switch --create=one", ["one"]),
        ("git branch one", ["one"]),
        ("git branch one main", ["one"]),
        ("git branch -f one main", ["one"]),
        ("git branch -m one", ["one"]),
        ("git branch -m old one", ["one"]),
        ("git worktree add -b one ../one", ["one"]),
        ("git -C web checkout -B one", ["one"]),
        ("git checkout one", []),
        ("git checkout -- one", []),
        ("git switch one", []),
        ("git branch", []),
        ("git branch -d one", []),
        ("git branch -D one two", []),
        ("git branch --list one", []),
        ("git branch -vv", []),
        ("git branch --set-upstream-to=origin/one one", []),
        ("git branch --show-current", []),
        ("git branch -r --contains one", []),
        ("git worktree add ../one one", []),
        ("hub checkout -b one", []),
        ("git", []),
    ],
)
def test_only_new_names_are_names_of_new_branches(command: str, names: list[str]) -> None:
    assert created_branches(parse_shell(command).calls[0]) == names


@pytest.mark.parametrize(
    ("command", "branch", "caught"),
    [
        ("git push origin main", "", True),
        ("git push origin topic main", "", True),
        ("git push origin topic:main", "topic", True),
        ("git push origin +HEAD:refs/heads/main", "topic", True),
        ("git push --delete origin main", "", True),
        ("git push --mirror backup", "", True),
        ("git push", "main", True),
        ("git push -u origin HEAD", "main", True),
        ("git push", "topic", False),
        ("git push", "", False),
        ("git push origin main:topic", "main", False),
        ("git push origin topic", "main", False),
        ("git push origin --tags", "main", False),
        ("git push origin refs/tags/main", "", False),
        ("git pull origin main", "main", False),
        ("git -C ../other push origin main", "", True),
    ],
)
def test_a_push_is_known_by_where_it_goes(command: str, branch: str, caught: bool) -> None:
    assert pushes_to(["main"], parse_shell(command).calls[0], branch) is caught


FOLLOWED = [  # the command, and the branch on which its last part runs; None where nobody can tell
    ("git push", "main"),
    ("git add -A && git commit -m x && git push", "main"),
    ("git checkout -b topic && git push", "topic"),
    ("git switch topic; git push", "topic"),
    ("git checkout topic -- a.py && git push", "main"),
    ("git checkout a.py && git push", "main"),
    ("git checkout -q --track origin/fix && git push", "fix"),
    ("git checkout - && git push", None),
    ('git checkout "$NAME" && git push', None),
    ("git branch -m trunk && git push", "trunk"),
    ("git rebase origin/main && git push", "main"),
    ("cd sub && git push", "main"),
    ("cd ../side && git push", "side"),
    ("git -C ../side/deep push", "side"),
    ("git -C ../side checkout main; git push", "main"),
    ("cd ../side && git checkout other && git push", "other"),
    ("git worktree add ../new fresh && cd ../new && git push", "fresh"),
    ("git worktree add ../new && cd ../new && git push", "new"),
    ("cd ../nowhere && git push", ""),
    ('cd "$(mktemp -d)" && git push', ""),
    ("bash -c 'git checkout topic && git push'", "topic"),
]


def test_a_branch_is_followed_through_a_command(tmp_path):
    repo = tmp_path / "repo"
    subprocess.run(["git", "init", "-qb", "main", repo], check=True)
    for words in (["commit", "-q", "--allow-empty", "-m", "x"], ["worktree", "add", "-qb", "side", "../side"]):
        subprocess.run(["git", *words], cwd=repo, check=True)
    (repo / "a.py").write_text("x")
    (repo / "sub").mkdir()
    wrong = []
    for command, branch in FOLLOWED:
        event = {"kind": "command", "command": command, "world": Worktree(str(repo)), "cwd": "", "root": str(repo)}
        calls = parse_shell(command).calls
        seen = branch_at(rules.event(event), len(calls) - 1, calls[-1])
        wrong += [] if seen == branch else [(command, seen, branch)]
    assert wrong == []


def test_what_is_done_in_another_work_tree_is_done_in_the_repository(tmp_path):
    repo = tmp_path / "repo"
    subprocess.run(["git", "init", "-qb", "main", repo], check=True)
    for words in (["commit", "-q", "--allow-empty", "-m", "x"], ["worktree", "add", "-qb", "side", "../side"]):
        subprocess.run(["git", *words], cwd=repo, check=True)
    (tmp_path / "else").mkdir()
    known = {"world": Worktree(str(repo)), "cwd": "", "root": str(repo)}
    check = {"before_commands": ["git commit"], "first_commands": ["pytest"], "since": ["src/"]}
    seen = []
    for place in ("side", "else"):
        edit = {**known, "kind": "edit", "path": str(tmp_path / place / "src/a.py")}
        commit = {**known, "kind": "command", "command": f"cd ../{place} && git commit -am x", "history": [edit]}
        for branches in ([], ["side"], ["main"]):
            found = rules.findings([rules.session("x", **check, on_branch=branches)], commit)
            seen.append((place, branches, len(found)))
    assert [one for one in seen if one[2]] == [("side", [], 1), ("side", ["side"], 1)]


RECALLED = [  # what the session did, and the branch that it is on where no repository can be asked
    ([], ""),
    (["git checkout main"], "main"),
    (["git checkout main", "git switch -c topic"], "topic"),
    (["git checkout main", "git checkout a.py", "git log main"], "main"),
    (["git checkout main", "git switch -"], None),
    (["git switch topic && git branch -m other"], "other"),
]


def test_a_branch_is_recalled_from_the_session():
    calls = parse_shell("git push").calls
    wrong = []
    for commands, branch in RECALLED:
        history = [{"kind": "command", "command": one, "ok": True} for one in commands]
        seen = branch_at(rules.event({"kind": "command", "command": "git push", "history": history}), 0, calls[0])
        wrong += [] if seen == branch else [(commands, seen, branch)]
    assert wrong == []


@pytest.mark.parametrize(
    ("command", "right"),
    [
        ("git checkout -b login", False),
        ("git switch -c login", False),
        ("git branch login", False),
        ("git branch -m login", False),
        ("git worktree add -b login ../login", False),
        ("git stash branch login", False),
        ("git push origin HEAD:login", False),
        ("git push -o ci.skip origin +feat/a:refs/heads/login", False),
        ("git push origin HEAD:feat/login", True),
        ("git push origin HEAD:main", True),
        ("git push origin HEAD:known", True),
        ("git push origin HEAD:packed", True),
        ("git push origin login", True),
        ("git push origin login:login", True),
        ("git push origin :login", True),
        ("git push --delete origin login", True),
        ("git push origin HEAD:refs/tags/v1", True),
        ('git push origin "HEAD:$NAME"', True),
    ],
)
def test_a_new_branch_is_named_wherever_it_is_made(command, right, tmp_path):
    for path, text in {
        "HEAD": "ref: refs/heads/main\n",
        "refs/heads/known": "",
        "packed-refs": "0 refs/heads/packed\n",
    }.items():
        (tmp_path / ".git" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / ".git" / path).write_text(text)
    programs = ["git checkout", "git switch", "git branch", "git worktree", "git stash", "git push"]
    rule = rules.command("named", *programs, new_branch="^feat/")
    event = {"kind": "command", "command": command, "agent": "claude-code", "cwd": "", "root": str(tmp_path)}
    found = rules.findings([rule], {**event, "world": Worktree(str(tmp_path))})
    assert bool(found) is not right
