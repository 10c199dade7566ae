"""What lies outside the repository, or is a dry run alone, is none of the rules' business; git's work elsewhere is."""

import subprocess

import pytest

from rulec.agents.protocol.agent_spec import ToolAction
from rulec.checkout.worktree import Worktree
from rulec.hook.tool_call import event_of
from tests.support import guard_rules as rules

GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@example.com")


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    """The repository one and its work tree two, and a stranger."""
    top = tmp_path_factory.mktemp("top")
    for name in ("one", "stranger"):
        subprocess.run([*GIT, "init", "-qb", "main", name], cwd=top, check=True)
    for path in ("src/a.py", "docs/adr/1.md", "README.md"):
        (top / "one" / path).parent.mkdir(parents=True, exist_ok=True)
        (top / "one" / path).write_text("x\n")
    for words in (["add", "-A"], ["commit", "-qm", "All"], ["worktree", "add", "-qb", "topic", "../two"]):
        subprocess.run([*GIT, *words], cwd=top / "one", check=True)
    (top / "stranger" / "deep").mkdir()
    return top


def caught(top, rule, action, history=None):
    done = ToolAction(kind="command", command=action) if isinstance(action, str) else ToolAction(**action)
    event = event_of(done, Worktree(str(top / "one")), str(top / "one")).but(agent="claude-code")
    if history is not None:
        event.history = [rules.event(one) for one in history]
    found = rules.findings([rule], event)
    assert not any(one.fault for one in found)
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


PUSH = rules.command("main", "git push", pushes=["main"])
COMMIT = rules.command("commit", "git commit")
FIRST = rules.session("first", before_commands=["git commit"], first_commands=["pytest"])
ELSEWHERE = [
    "cd {top}/stranger && git {verb}",
    "cd {top}/stranger/deep && git {verb}",
    "git -C {top}/stranger {verb}",
    "git -C ../stranger {verb}",
    "git -C .. -C stranger {verb}",
    "cd .. && git -C stranger {verb}",
    "(cd {top}/stranger; echo x > notes; git {verb})",
    "git status && git -C {top}/stranger {verb}",
]
HERE = [
    "git {verb}",
    "git -C docs {verb}",
    "git -C {top}/two {verb}",
    "cd {top}/two && git {verb}",
    "cd {top}/stranger && cd - && git {verb}",
    "cd {top}/stranger && git -C {top}/one {verb}",
    "git worktree add {top}/new && git -C {top}/new {verb}",
]
HELD = [  # where git works is not known
    "cd {top}/stranger && GIT_DIR={top}/one/.git git push origin main",
    "cd {top}/stranger && git --git-dir={top}/one/.git push origin main",
    "cd {top}/missing; git push origin main",
    "git -C {top}/stranger push $WHERE main",
    "cd $PLACE && git push origin main",
    "git -C {top} push origin main",
]


@pytest.mark.parametrize("command", ELSEWHERE)
def test_git_in_another_repository_is_judged_there(top, command):
    assert caught(top, PUSH, command.format(top=top, verb="push origin main"))
    assert caught(top, COMMIT, command.format(top=top, verb="commit -m x"))
    assert not caught(top, FIRST, command.format(top=top, verb="commit -m x"), []), "the order of work is this one's"


@pytest.mark.parametrize("command", HERE)
def test_git_in_this_repository_and_its_work_trees_is_judged(top, command):
    assert caught(top, PUSH, command.format(top=top, verb="push origin main"))
    for rule in (COMMIT, FIRST):
        assert caught(top, rule, command.format(top=top, verb="commit -m x"), [])


@pytest.mark.parametrize("command", HELD)
def test_where_it_cannot_be_known_the_gate_holds(top, command):
    assert caught(top, PUSH, command.format(top=top))


def test_a_rule_that_names_the_place_speaks_of_it(top):
    there = rules.command("there", "git commit", inside=[f"{top}/stranger/"])
    assert caught(top, there, f"git -C {top}/stranger commit -m x")


ACTS = rules.command("acts", "git commit|add", "kubectl apply", "apt-get install", "git push --force")
ADR = rules.path("adr", "docs/adr/")
TRIED = [
    (ACTS, "git push --force --dry-run"),
    (PUSH, "git push --dry-run origin main"),
    (PUSH, "git push -n origin main"),
    (PUSH, "git push -nu origin main"),
    (PUSH, "git push --dry origin main"),
    (PUSH, "git push --force -n origin main"),
    (ACTS, "git commit --dry-run"),
    (ACTS, "git add -n ."),
    (ACTS, "kubectl apply -f a.yaml --dry-run=client"),
    (ACTS, "kubectl apply --dry-run=server -f a.yaml -o yaml"),
    (ACTS, "apt-get install -s nginx"),
    (ADR, "rsync -an src/ docs/adr/"),
    (ADR, "rsync -a --dry-run src/ docs/adr/"),
    (ADR, "patch --dry-run docs/adr/1.md < x.diff"),
    (ADR, "git rm -n docs/adr/1.md"),
    (ADR, "git mv -n docs/adr/1.md x.md"),
    (ADR, "mkdir -p docs/adr"),
    (FIRST, "git commit --dry-run"),
]
DONE = [
    (PUSH, "git push -o -n origin main"),
    (PUSH, "git push --dry-run --no-dry-run origin main"),
    (PUSH, "git push -n $MORE origin main"),
    (PUSH, "git push origin main -- -n"),
    (PUSH, "git push -n; git push origin main"),
    (ACTS, "git commit -n -m x"),
    (ACTS, "git commit -m --dry-run"),
    (ACTS, "kubectl apply -f a.yaml --dry-run=none"),
    (ACTS, "kubectl apply -f a.yaml --dry-run=client --dry-run=none"),
    (ACTS, "kubectl apply -f --dry-run=client"),
    (ACTS, "apt-get install -o -s nginx"),
    (ADR, "rsync -a --exclude -n src/ docs/adr/"),
    (ADR, "rsync -n src/ x > docs/adr/1.md"),
    (ADR, "patch -i --dry-run docs/adr/1.md"),
    (ADR, "mkdir -p docs/adr/new"),
    (rules.command("dry", "git push --dry-run"), "git push --dry-run"),
    (rules.command("git", "git"), "git push --dry-run"),
    (rules.command("server", "kubectl apply", flags=["--dry-run=server"]), "kubectl apply -f x --dry-run=client"),
]


@pytest.mark.parametrize(("rule", "command"), TRIED)
def test_a_dry_run_is_innocent(top, rule, command):
    assert not caught(top, rule, command, [])


@pytest.mark.parametrize(("rule", "command"), DONE)
def test_what_only_looks_like_a_dry_run_is_not(top, rule, command):
    assert caught(top, rule, command, [])
