"""Rules on a session: what is done now lacks what had to come before it, or it does not."""

from pathlib import Path

import pytest
import yaml

from tests.support import guard_rules as rules

TESTS = {"before_commands": ["git commit"], "first_commands": ["pytest"], "since": ["*.py"], "first": "run pytest"}
READ = {"before_edits": ["**"], "how": ["change"], "first_reads": ["same"]}
ASK = {"asks": True, "before_commands": ["git commit"]}
EDIT = {"kind": "edit", "path": "src/a.py"}


def run(command, ok=True):
    return {"kind": "command", "command": command, "ok": ok}


def says(text):
    return {"kind": "says", "text": text}


def stop(text=""):
    return {"kind": "stop", "text": text}


def seen(check, *steps, **more):
    """block, warn or nothing: what the hook would make of the last step after the others."""
    *history, event = steps
    found = rules.findings([rules.session("x", **check)], {**event, "history": history, **more})
    assert not any(finding.fault for finding in found)
    return "" if not found else "warn" if found[0].unsure else "block"


COMMIT = run("git commit -am x")
FAILED = {"failed": True}
ORDERS = [
    ("block", [EDIT, {**run("pytest -q | tail -3"), **FAILED}, COMMIT]),
    ("block", [EDIT, {**run("pytest -q"), **FAILED}, COMMIT]),
    ("block", [EDIT, {**run("cd a; pytest -q; echo done"), **FAILED}, COMMIT]),
    ("", [EDIT, {**run("pytest -q | tail -3"), **FAILED}, run("pytest -q"), COMMIT]),
    ("", [EDIT, run("pytest -q"), {**run("cat log"), **FAILED}, COMMIT]),
    ("warn", [EDIT, run("pytest -q | tail -3"), COMMIT]),
    ("", [EDIT, run("python -mpytest -q"), COMMIT]),
    ("", [EDIT, run("python -m cProfile -o x -m pytest"), COMMIT]),
    ("", [EDIT, run("coverage run -m pytest"), COMMIT]),
    ("", [EDIT, run("python3 -m coverage run --source src -m pytest -q"), COMMIT]),
    ("block", [EDIT, run("coverage report -m pytest"), COMMIT]),
    ("block", [EDIT, run("python -m cProfile x.py -m pytest"), COMMIT]),
    ("block", [EDIT, run("python -mpytest_cov"), COMMIT]),
    ("block", [EDIT, run("python -c pass -m pytest"), COMMIT]),
    ("block", [EDIT, COMMIT]),
    ("", [EDIT, run("pytest -q"), COMMIT]),
    ("", [EDIT, run("pytest -q", None), COMMIT]),
    ("block", [run("pytest -q"), EDIT, COMMIT]),
    ("block", [EDIT, run("pytest -q", False), COMMIT]),
    ("", [EDIT, run("pytest -q"), run("pytest -q --lf", False), COMMIT]),
    ("", [COMMIT]),
    ("", [{"kind": "edit", "path": "README.md"}, COMMIT]),
    ("", [{"kind": "edit", "path": "/elsewhere/a.py"}, COMMIT]),
    ("block", [{"kind": "delete", "path": "src/a.py"}, COMMIT]),
    ("block", [run("echo 'x = 1' > src/a.py"), COMMIT]),
    ("block", [run("sed -i s/x/y/ src/*.py"), COMMIT]),
    ("block", [run("tee src/a.py <<'EOF'\nx\nEOF"), run("echo pytest"), COMMIT]),
    ("", [EDIT, run("cd api && timeout 60 python3 -m pytest -q 2>&1"), COMMIT]),
    ("warn", [EDIT, run("cd api && timeout 60 python3 -m pytest -q 2>&1 | tail -3"), COMMIT]),
    ("", [EDIT, run("set -o pipefail; pytest -q | tail -3"), COMMIT]),
    ("warn", [EDIT, run("pytest -q; echo $?"), COMMIT]),
    ("", [EDIT, run("set -e\npytest -q\necho fine"), COMMIT]),
    ("warn", [EDIT, run("pytest -q > log 2>&1 &"), COMMIT]),
    ("block", [EDIT, run("pytest -q || true"), COMMIT]),
    ("", [EDIT, run("pytest -q || { echo no; exit 1; }"), COMMIT]),
    ("", [EDIT, run("pytest -q | tail -3"), run("pytest -q"), COMMIT]),
    ("", [EDIT, run("pytest -q"), run("ruff format src/a.py"), COMMIT]),
    ("block", [EDIT, run("pytest -q"), run("python3 -c \"open('src/a.py', 'w')\""), COMMIT]),
    ("", [EDIT, run("docker compose exec -T api pytest -q"), COMMIT]),
    ("block", [EDIT, run("docker build -t pytest ."), COMMIT]),
    ("block", [EDIT, run("pytest --version"), COMMIT]),
    ("block", [EDIT, run("grep -rn pytest ."), COMMIT]),
    ("", [EDIT, run("pytest -q && git commit -am x")]),
    ("", [EDIT, run("set -e; pytest -q; git commit -am x")]),
    ("", [EDIT, run("pytest -q || exit 1; git commit -am x")]),
    ("warn", [EDIT, run("pytest -q; git commit -am x")]),
    ("warn", [EDIT, run("pytest -q | tail -3 && git commit -am x")]),
    ("block", [EDIT, run("git commit -am x && pytest")]),
    ("block", [run("pytest && sed -i s/x/y/ src/a.py && git commit -am x")]),
    ("block", [EDIT, run("bash -c 'git add -A && git commit -m x'")]),
    ("", [EDIT, run("bash -c 'pytest -q && git commit -m x'")]),
    ("", [EDIT, run("git commit --dry-run")]),
    ("", [EDIT, run("git log --grep 'git commit'")]),
    ("", [EDIT, run("pytest && ruff check", False), COMMIT]),
    ("block", [EDIT, run("ruff check && pytest", False), COMMIT]),
    ("warn", [run("sed -i s/x/y/ src/a.py && false", False), COMMIT]),
    ("warn", [EDIT, {"kind": "gap"}, COMMIT]),
    ("block", [{"kind": "gap"}, EDIT, COMMIT]),
    ("", [EDIT, run("cd /elsewhere && git commit -am x")]),
]


@pytest.mark.parametrize(("wanted", "steps"), ORDERS)
def test_what_is_asked_for_has_to_come_first_and_since_the_last_change(wanted, steps):
    assert seen(TESTS, *steps) == wanted


READS = [
    ("block", [EDIT]),
    ("", [{"kind": "read", "path": "src/a.py"}, EDIT]),
    ("block", [{"kind": "read", "path": "src/b.py"}, EDIT]),
    ("", [run("cat src/a.py | head -40"), EDIT]),
    ("", [run("cd src && sed -n 1,40p a.py"), EDIT]),
    ("", [run("git show HEAD:src/a.py"), EDIT]),
    ("", [run("bat src/*.py"), EDIT]),
    ("", [run("python -c \"print(open('src/a.py').read())\""), EDIT]),
    ("block", [run("sed -i s/x/y/ src/b.py"), run("ls src/a.py"), EDIT]),
    ("block", [run("cat src/a.py", False), EDIT]),
    ("", [{"kind": "write", "path": "src/a.py"}, EDIT]),
    ("block", [EDIT, EDIT]),
    ("", [says("please mend @src/a.py."), EDIT]),
    ("", [{"kind": "write", "path": "src/a.py", "exists": False}]),
    ("block", [{"kind": "write", "path": "src/a.py", "exists": True}]),
    ("", [{"kind": "write", "path": "/tmp/a.py", "exists": True}]),
    ("", [{"kind": "delete", "path": "src/a.py"}]),
    ("", [{"kind": "read", "path": "src/real.py"}, {**EDIT, "also": ["src/real.py"]}]),
]


@pytest.mark.parametrize(("wanted", "steps"), READS)
def test_a_file_is_read_before_it_is_changed(wanted, steps):
    assert seen(READ, *steps) == wanted


GUIDES = ["cat GUIDE.md", "cat docs/GUIDE.md", "sed -n 1,200p /home/jo/work/docs/GUIDE.md", "head -n 50 docs/*.md"]


@pytest.mark.parametrize("command", GUIDES)
def test_a_guide_counts_wherever_it_was_read(command):
    check = {"before_commands": ["terraform"], "first_reads": ["GUIDE.md" if command == GUIDES[0] else "docs/GUIDE.md"]}
    assert seen(check, run(command), run("terraform apply")) == ""
    assert seen(check, run("ls docs/"), run("terraform apply")) == "block"


ASKED = [
    ("block", [COMMIT]),
    ("block", [says("commit it"), COMMIT]),
    ("block", [says("fix it"), stop("Done. Shall I commit?"), says("yes please"), COMMIT]),
    ("block", [says("allow x"), COMMIT]),
    ("block", [run("git add -A && git commit -m x")]),
    ("", [run("git commit --dry-run")]),
    ("", [run("git log --grep commit")]),
]


@pytest.mark.parametrize(("wanted", "steps"), ASKED)
def test_a_person_is_asked_whatever_was_said_before(wanted, steps):
    assert seen(ASK, *steps) == wanted


def test_a_person_is_asked_without_a_history():
    (found,) = rules.findings([rules.session("x", **ASK)], dict(COMMIT))
    assert (found.asks, found.allowable, found.text) == (True, True, "git commit -am x")


ENDS = [
    ("block", [EDIT, stop("Done.")], {}),
    ("", [EDIT, COMMIT, stop("Done.")], {}),
    ("", [stop("Nothing to do.")], {}),
    ("", [EDIT, stop("Which one?")], {"before_claims": [r"\bdone\b"]}),
    ("block", [EDIT, stop("It is Done!")], {"before_claims": [r"\bdone\b"]}),
    ("", [EDIT, stop("Done.")], {"also_commands": ["pytest"]}),
    ("block", [EDIT, run("pytest"), stop("Done.")], {"also_commands": ["pytest"]}),
    ("", [EDIT, run("pytest", False), stop("Done.")], {"also_commands": ["pytest"]}),
    ("", [run("pytest"), EDIT, stop("Done.")], {"also_commands": ["pytest"]}),
    ("", [EDIT, stop("Done.")], {"since_except": ["src/"]}),
]


@pytest.mark.parametrize(("wanted", "steps", "more"), ENDS)
def test_the_end_of_a_turn_is_judged_where_something_is_due(wanted, steps, more):
    check = {"before_stop": True, "first_commands": ["git commit"], "since": ["**"], **more}
    assert seen(check, *steps) == wanted


@pytest.mark.parametrize("words", ["skip the tests and commit", "don't run the tests", "no tests needed", "hotfix"])
def test_nothing_that_is_said_leaves_a_step_out(words):
    assert seen(TESTS, says(words), EDIT, COMMIT) == "block"
    assert seen({"before_stop": True, **TESTS}, says(words), EDIT, stop("Done.")) == "block"


def test_a_pull_counts_until_the_next_push():
    check = {"before_commands": ["git push"], "first_commands": ["git pull"], "since_commands": ["git push"]}
    pull, push = run("git pull --rebase"), run("git push")
    assert seen(check, push) == "block"
    assert seen(check, pull, push) == ""
    assert seen(check, pull, push, push) == "block"
    assert seen(check, pull, run("git push", False), push) == ""
    assert seen(check, run("git pull -r && git push")) == ""
    assert seen(check, {"kind": "gap"}, push) == "warn"


class _World:
    """A repository whose HEAD is on one branch."""

    def __init__(self, name):
        self.name = name

    def branch(self, _=""):
        return self.name

    def exists(self, _):
        return False


@pytest.mark.parametrize(("branch", "wanted"), [("main", "block"), ("release/2", "block"), ("fix", ""), ("", "block")])
def test_a_rule_for_a_branch_sleeps_on_others(branch, wanted):
    check = {"before_edits": ["**"], "first_commands": ["git switch -c"], "on_branch": ["main", "release/*"]}
    assert seen(check, EDIT, world=_World(branch)) == wanted


def test_a_rule_speaks_only_of_its_scope():
    rule = rules.session("x", **TESTS)
    rule["facts"]["scope"] = {"include": ["api/**"], "exclude": []}
    for path, wanted in (("api/a.py", 1), ("web/a.py", 0)):
        event = {**COMMIT, "history": [{"kind": "edit", "path": path}]}
        assert len(rules.findings([rule], event)) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("make test", ""),
        ("make -k test", ""),
        ("make -C sub test", ""),
        ("make -j4 test", ""),
        ("make -n test", "block"),
        ("make --just-print test", "block"),
        ("make -kn test", "block"),
    ],
)
def test_a_recipe_that_is_only_shown_is_no_run(line, wanted):
    assert seen({**TESTS, "first_commands": ["make test"]}, EDIT, run(line), COMMIT) == wanted


def test_without_a_history_nothing_is_said():
    for event in (COMMIT, EDIT, stop("Done."), {**COMMIT, "history": None}):
        assert rules.findings([rules.session("x", **TESTS, before_stop=True)], dict(event)) == []


def test_a_finding_says_what_is_missing_and_what_to_do_first():
    (found,) = rules.findings([rules.session("x", **TESTS)], {**COMMIT, "history": [EDIT]})
    assert found.text == "git commit -am x, without `pytest` since src/a.py was changed"
    assert found.cure == "first run pytest"
    (found,) = rules.findings([rules.session("x", **READ)], {**EDIT, "history": []})
    assert found.text == "edit src/a.py, without reading it before it"
    assert found.cure == "first read it"


def _step(said):
    if isinstance(said, str):
        return run(said)
    ((path, texts),) = said.items()
    old, new = texts.split(" > ")
    return {"kind": "edit", "path": path, "old": old, "new": new}


@pytest.mark.parametrize("last", [COMMIT, stop("Done.")], ids=["commit", "stop"])
def test_what_was_taken_back_asks_for_nothing(last):
    cases = yaml.safe_load((Path(__file__).parents[1] / "cases/taken_back.yaml").read_text())
    check = {**TESTS, "before_stop": True}
    caught = [steps for steps in cases["caught"] if seen(check, *map(_step, steps), last) != "block"]
    refused = [steps for steps in cases["innocent"] if seen(check, *map(_step, steps), last)]
    assert (caught, refused) == ([], [])


def test_an_edit_that_was_taken_back_is_no_step():
    check = {"before_commands": ["git commit"], "first_edits": ["CHANGELOG.md"]}
    note = {"kind": "edit", "path": "CHANGELOG.md", "old": "x", "new": "y"}
    assert seen(check, note, COMMIT) == ""
    assert seen(check, note, run("git checkout -- CHANGELOG.md"), COMMIT) == "block"


def test_git_taking_a_file_from_the_last_commit_is_no_edit():
    check = {"before_edits": ["**"], "first_commands": ["git switch -c"]}
    for command in ("git checkout -- a.py", "git checkout main", "git restore a.py"):
        assert seen(check, run(command)) == ""
    assert seen(check, run("git checkout main~3 -- a.py")) == "block"
