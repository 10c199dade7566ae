"""Branches that a command makes and pushes to."""

import pytest

from rulec.runtime.branches import created, current, pushes_to
from rulec.runtime.shell import parse


class Checkout:
    """A work tree on main."""

    def branch(self) -> str:
        return "main"


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
    assert created(parse(command).calls[0]) == names


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
    assert pushes_to(["main"], parse(command).calls[0], branch) is caught


@pytest.mark.parametrize(
    ("command", "branch"),
    [
        ("git push", "main"),
        ("git add -A && git commit -m x && git push", "main"),
        ("git checkout -b topic && git push", ""),
        ("git switch topic; git push", ""),
        ("cd ../other && git push", ""),
        ("git -C ../other push", ""),
    ],
)
def test_the_branch_is_known_only_where_the_command_has_not_moved(command: str, branch: str) -> None:
    calls = parse(command).calls
    assert current({"world": Checkout(), "cwd": ""}, calls, calls[-1]) == branch
    assert current({"cwd": ""}, calls, calls[-1]) == ""
