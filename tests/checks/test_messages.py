"""Commit messages that a command gives itself: read as git would store them, and judged before the commit."""

import subprocess

import pytest

from rulec import registry
from rulec.checks.template_library import open_library
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts
from rulec.domain.rule import Check, Rule
from rulec.gates.trusted_checks import remember_scripts
from rulec.shell.git.commit_messages import message_of_command
from tests.hook.test_hook import bash, denied, hook, repository

GIVEN = [
    ("git commit -m x", "x\n"),
    ("git commit -am 'x' -m y", "x\n\ny\n"),
    ("git commit -qm'Add it'", "Add it\n"),
    ("git commit --message='Add it' --all", "Add it\n"),
    ("git -C web commit -vm x", "x\n"),
    ("git commit -m x --trailer 'A: b' --trailer C=d", "x\n\nA: b\nC: d\n"),
    ("git commit -m x -m 'A: b' --trailer C=d", "x\n\nA: b\nC: d\n"),
    ("git commit --author 'A <a@example.com>' -m x", "x\n"),
    ("git commit -m x -- -m.txt", "x\n"),
    ("git commit -F - <<EOF\nx\n\ny\nEOF", "x\n\ny\n"),
    ("echo x | git commit -F-", "x\n"),
    ("echo 'x y' > m.txt && git commit -F m.txt", "x y\n"),
    ("echo x | git interpret-trailers --trailer A=b | git commit --file=-", "x\n\nA: b\n"),
    ("git merge --no-ff -m 'Bring it in' topic", "Bring it in\n"),
    ("bash -c 'git commit -m x'", "x\n"),
    ("git commit", None),
    ("git commit --amend --no-edit", None),
    ("git commit -C HEAD", None),
    ("git commit --squash HEAD~1 -m x", None),
    ('git commit -m "$MESSAGE"', None),
    ("git commit -F unknown.txt", None),
    ("git commit --dry-run -m x", None),
    ("git commit-tree -m x", None),
    ("git log --grep commit -m", None),
    ("echo git commit -m x", None),
]


def test_a_message_is_read_as_git_would_store_it():
    assert [(command, seen) for command, told in GIVEN if (seen := message_of_command(command)) != told] == []


@pytest.fixture
def repo(tmp_path):
    repo = repository(tmp_path / "repo")
    given = {"forbid_trailers": ["Co-Authored-By"], "max_subject": 20}
    check = Check(kind="shell", template="commit-message", parameters=given)
    shelf = open_library()
    body = shelf.render("checks/commit-message.j2", shelf.parameters(check) | {"kind": "shell", "slug": "subjects"})
    facts = RuleFacts(slug="subjects", revision=1, statement="Keep subjects short.", enforcement="block")
    rule = Rule(slug="subjects", statement=facts.statement)
    step = PlannedCheck(
        facts=facts, rule=rule, kind="shell", template="commit-message", parameters=given, name="subjects"
    )
    (repo / ".rules/compiled/shell").mkdir()
    script = Artifact(path=".rules/compiled/shell/subjects.sh", text=registry.checkers()["shell"].build(step, body))
    (repo / script.path).write_text(script.text or "")
    remember_scripts(repo, [script])  # as if it were compiled here: no other runs
    (repo / "long.txt").write_text("Add all that was missing here\n")
    subprocess.run(["git", "init", "-q", str(repo.parent / "other")], check=True)
    return repo


def test_a_commit_is_denied_for_its_message_before_it_is_made(repo):
    judged = [
        ("git commit -m 'Add it'", ""),
        ("git commit -m 'Add all that was missing here'", "line 1 of the commit message: Add all that was"),
        ("git commit -m 'Add it' --trailer 'Co-Authored-By: A'", "line 3 of the commit message: Co-Authored-By: A"),
        ("git commit -F long.txt", "Add all that was missing here"),
        ("git commit -F - <<'EOF'\nAdd it\n\nCo-Authored-By: A <a@example.com>\nEOF", "Co-Authored-By: A <a@"),
        ("git -C ../other commit -m 'Add all that was missing here'", ""),
        ("git commit", ""),
        ("git log --oneline -m", ""),
    ]
    wrong = []
    for command, words in judged:
        reason = denied(hook(repo, bash(repo, command)))
        good = (words in reason and "rulec rule subjects:" in reason) if words else not reason
        wrong += [] if good else [(command, reason)]
    assert wrong == []
