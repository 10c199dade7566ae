"""``rulec test --real``: the proof and the real gates decide alike, and where they do not it is said."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

COMPANION = """\
slug: tests-beside-code
statement: "A change of src/NAME.py brings tests/NAME/test_NAME.py along."
checks:
  - {kind: guard, template: require-companion, with: {pattern: "src/(.+)\\\\.py", needs: ["tests/**/test_\\\\1.py"]}}
examples:
  invalid: [{commit: Add it, files: {src/price.py: "x = load()\\n"}}]
  valid: [{commit: Add it, files: {src/price.py: "x = load()\\n", tests/unit/test_price.py: "x = 1\\n"}}]
"""
WHOLE = """\
slug: no-left-over
statement: No file says LEFTOVER.
checks:
  - kind: shell
    template: raw-shell
    with:
      script: |
        code=0
        for path in "$@"; do grep -q LEFTOVER "$path" && { echo "$path:0:left over"; code=1; }; done
        exit "$code"
examples:
  invalid: [{edit: app.py, old: "a = 1\\n", new: "a = 2  # LEFTOVER\\n"}]
  valid: [{edit: old.py, old: "b = 1\\n", new: "b = 2\\n"}]
"""
ORDER = """\
slug: test-first
statement: Write the test before the code.
checks:
  - {kind: guard, template: require-before, with: {before_edits: ["*.go"], except: ["*_test.go"],
     first_edits: ["*_test.go"], first: write the test}}
examples:
  invalid: [{session: [{file: price.go, content: "package price\\n"}]}]
  valid: [{commit: Add prices, files: {price.go: "package price\\n", price_test.go: "package price\\n"}}]
"""
NPM = """\
slug: no-npm
statement: Never use npm.
checks: [{kind: guard, template: forbid-command, with: {commands: [npm]}}]
examples:
  invalid: [{command: npm ci}, {session: [{command: ls}, {command: npm i x}]}]
  valid: [{command: echo npm ci}, {file: /tmp/npm.md, content: "npm ci\\n"}]
"""
REPLY = """\
slug: no-praise
statement: Never say that I am absolutely right.
checks: [{kind: guard, template: reply, with: {forbid: ["absolutely right"], every: true}}]
examples:
  invalid: [{reply: "You are absolutely right!"}, {session: [{reply: Absolutely right.}, {command: ls}, {stop: Done.}]}]
  valid: [{reply: Done.}, {session: [{stop: Absolutely right.}, {says: go on}, {command: ls}, {reply: Done.}]}]
"""
BRANCH = """\
slug: no-commit-on-trunk
statement: Never commit on trunk.
checks: [{kind: guard, template: forbid-command, with: {commands: [git commit], on_branch: [trunk]}}]
examples:
  invalid:
    - {command: git commit -m x}
    - {session: [{command: git switch -c fix}, {command: git checkout trunk && git commit}]}
  valid:
    - {session: [{command: git switch -c fix}, {command: git commit -m x}]}
    - {command: git checkout -b fix && git commit}
"""
MESSAGE = """\
slug: no-robot
statement: No commit names a robot as co-author.
checks: [{kind: shell, template: commit-message, with: {forbid_trailers: [Co-Authored-By]}}]
examples:
  invalid: [{message: "Add it\\n\\nCo-Authored-By: A\\n"}, {command: "git commit -m x --trailer Co-Authored-By=A"}]
  valid: [{message: "Add it\\n"}, {command: "git commit -m x --trailer Refs=A"}]
"""
GONE = """\
slug: tests-go-too
statement: The test of a file goes and moves with it.
checks:
  - kind: guard
    template: require-companion
    with: {pattern: "src/(.+)\\\\.py", how: [delete, rename], needs: ["tests/test_\\\\1.py"]}
examples:
  invalid: [{commit: Drop it, deleted: [src/a.py]}, {commit: Name it, renamed: {src/a.py: src/b.py}}]
  valid: [{commit: Drop it, deleted: [src/a.py, tests/test_a.py]}, {commit: Drop docs, deleted: [a.md]}]
"""


@pytest.fixture
def shop(gated: Path, git: Run) -> Path:
    (gated / "app.py").write_text("a = 1\nz = 0\n")
    (gated / "old.py").write_text("# LEFTOVER\nb = 1\n")
    git("add", "-A")
    git("commit", "-qm", "Begin", "--no-verify")
    return gated


@pytest.mark.e2e
def test_proof_and_gate_decide_alike(shop: Path, rulec: Run) -> None:
    for text in (COMPANION, WHOLE, ORDER, NPM, REPLY, BRANCH, MESSAGE, GONE):
        name = text.partition("\n")[0].removeprefix("slug: ")
        (shop / ".rules" / f"{name}.yaml").write_text(text)
    rulec("compile")
    assert "8 proved, 0 failed" in rulec("test").stdout
    played = json.loads(rulec("test", "--real", "--format", "json").stdout)
    assert len(played) == 26
    assert not [one for one in played if not one["agree"]]
    assert {one["where"] for one in played if one["gate"]} >= {"tool call", "commit", "message", "end of turn"}


def test_a_need_that_nothing_here_can_meet_is_not_proved(shop: Path, rulec: Run) -> None:
    """A rule that calls for a file of a kind that the repository has none of does nothing at the commit."""
    text = COMPANION.replace("tests/**/test_\\\\1.py", "spec/*.md").replace("tests/unit/test_price.py", "spec/a.md")
    (shop / ".rules" / "tests-beside-code.yaml").write_text(text)
    told = rulec("test", "--real", code=None)
    assert told.returncode == 0, told.stdout
    assert "FAILED at examples" in rulec("test", code=1).stdout


IN_CI = NPM.replace("no-npm", "no-npm-in-ci").replace("checks:", "scope: {environments: [ci]}\nchecks:")
PUSH = """\
slug: no-push-to-trunk
statement: Never push to trunk.
checks: [{kind: guard, template: forbid-push-to, with: {branches: [trunk]}}]
examples:
  invalid: [{command: git push origin trunk}, {session: [{command: git checkout trunk}, {command: git push}]}]
  valid: [{command: git push origin fix}]
"""
NAMES = """\
slug: kebab-names
statement: New files are named in kebab-case.
checks:
  - {kind: guard, template: name-files, with: {style: kebab-case}}
  - {kind: shell, template: name-files, with: {style: kebab-case}}
examples:
  invalid: [{commit: Add it, files: {src/someThing.js: "x\\n"}}]
  valid: [{commit: Add it, files: {src/some-thing.js: "x\\n"}}]
"""


def test_what_is_not_played_is_counted_and_a_commit_is_one(shop: Path, rulec: Run) -> None:
    for text in (IN_CI, PUSH, NAMES):
        name = text.partition("\n")[0].removeprefix("slug: ")
        (shop / ".rules" / f"{name}.yaml").write_text(text)
    told = rulec("test", "--real").stdout
    assert "5 examples tested at the real gates, 0 decided differently" in told
    assert "no-npm-in-ci: 4 not played: it is for ci alone" in told
    played = json.loads(rulec("test", "--real", "kebab-names", "--format", "json").stdout)
    assert [one["where"] for one in played] == ["commit", ""]


CREATED = """\
slug: test-per-file
statement: A new src/NAME.py comes with tests/test_NAME.py.
checks:
  - kind: guard
    template: require-companion
    with: {pattern: "src/(.+)\\\\.py", needs: ["tests/test_\\\\1.py"], how: [create]}
examples:
  invalid: [{commit: Add it, files: {src/new.py: "x = 1\\n"}}]
  valid: [{commit: Change it, files: {src/price.py: "x = 1\\n"}}]
"""


def test_compile_and_test_say_the_same(shop: Path, rulec: Run, git: Run) -> None:
    """A variant of a commit starts from the repository's files, as the commit does."""
    (shop / "src").mkdir()
    (shop / "src" / "price.py").write_text("x = 0\n")
    git("add", "-A")
    git("commit", "-qm", "Add prices", "--no-verify")
    (shop / ".rules" / "test-per-file.yaml").write_text(CREATED)
    assert "proved  test-per-file" in rulec("compile").stdout
    assert "1 proved, 0 failed" in rulec("test").stdout
