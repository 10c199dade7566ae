"""What lies outside the repository, is another repository's or is a dry run alone is none of the rules' business."""

import subprocess

import pytest

from rulec.runtime import guard
from rulec.runtime.world import World, complete
from tests.runtime import rules

GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@example.com")


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    """The repository one and its work tree two, a clone of it, and a stranger with a remote of its own."""
    top = tmp_path_factory.mktemp("top")
    for name in ("one", "stranger"):
        for words in (["init", "-qb", "main", name], ["-C", name, "remote", "add", "origin", f"git@x.org:a/{name}.git"]):
            subprocess.run([*GIT, *words], cwd=top, check=True)
    for path in ("src/a.py", "docs/adr/1.md", "README.md"):
        (top / "one" / path).parent.mkdir(parents=True, exist_ok=True)
        (top / "one" / path).write_text("x\n")
    for words in (["add", "-A"], ["commit", "-qm", "All"], ["worktree", "add", "-qb", "topic", "../two"]):
        subprocess.run([*GIT, *words], cwd=top / "one", check=True)
    subprocess.run([*GIT, "clone", "-q", "one", "clone"], cwd=top, check=True)
    subprocess.run([*GIT, "clone", "-q", "one", "twin"], cwd=top, check=True)
    (top / "stranger" / "deep").mkdir()
    url = ["-C", "twin", "remote", "set-url", "origin", "https://x.org/a/one"]
    subprocess.run([*GIT, *url], cwd=top, check=True)
    return top


def caught(top, rule, action, history=None):
    action = {"kind": "command", "command": action} if isinstance(action, str) else action
    event = complete({**action, "agent": "claude-code"}, World(str(top / "one")), str(top / "one"))
    if history is not None:
        event["history"] = history
    found = guard.decide([rule], event)
    assert not any(one["fault"] for one in found)
    return bool(found)


WITHIN = rules.path("within", "**", **{"except": ["src/", "tests/"]})
NAMED = rules.path("named", "**", **{"except": ["src/**", "/srv/data/**"]})
OUTSIDE = [
    "cp README.md /srv/",
    "cp README.md /srv",
    "mv src/a.py /srv/",
    "rsync -a src/ /srv/",
    "touch /var/lib/x",
    'echo hi > "$TMPDIR/x"',
    "cd docs && touch $TMPDIR/x",
    "cp README.md ${TMPDIR}",
    "touch ${TMPDIR:-/tmp}/x",
    "ls > ~/x",
    "touch $HOME/x",
    "touch ../stranger/x",
    "touch ../two/src/x",
    "mkdir -p docs/adr",
    "cp README.md src/",
    {"kind": "write", "path": "/var/lib/x", "new": "x", "content": "x"},
]
INSIDE = [
    "cp src/a.py docs/",
    "cp src/a.py lib",
    "mv README.md /srv/",
    "touch ../two/x",
    "TMPDIR=docs; touch $TMPDIR/x",
    "export TMPDIR=$(cat x); touch $TMPDIR/x",
    "touch ${TMPDIR:-docs}/x",
    "mkdir -p docs/adr/new",
    {"kind": "write", "path": "lib/x", "new": "x", "content": "x"},
]


@pytest.mark.parametrize("action", OUTSIDE, ids=str)
def test_a_place_outside_the_repository_is_innocent(top, action):
    assert not caught(top, WITHIN, action)


@pytest.mark.parametrize("action", INSIDE, ids=str)
def test_what_is_inside_after_all_is_not(top, action):
    assert caught(top, WITHIN, action)


@pytest.mark.parametrize(
    ("action", "wrong"),
    [
        ("touch /srv/x", True),
        ("touch /srv/data/x", False),
        ("cp README.md /srv/data/", False),
        ("cp README.md src/", False),
        ("cp README.md src", False),
        ("touch ../two/src/x", False),
        ("touch ../two/x", True),
    ],
)
def test_a_rule_that_names_a_place_outside_speaks_of_such_places(top, action, wrong):
    assert caught(top, NAMED, action) is wrong
