"""The message that git commits is the message that is judged, whoever writes it and whatever git makes of it."""

# ruff: noqa: E501 - a case is one line of shell

from pathlib import Path

import pytest

from tests.support.gates import hooked, run

BY = "Co-Authored-By: A <a@example.com>"
LONG = "x" * 51
PASSES = {
    "a comment": ("", f"Add it\\n\\n# {LONG}{BY}\\n", ""),
    "the diff of the change": ("", "Add it", "-v"),
    "scissors": ("commit.cleanup scissors", "Add it", "-v"),
    "another sign": ("core.commentChar ;", f"Add it\\n; {BY}\\n", ""),
    "a sign that git chooses": ("core.commentChar auto", "", "-e -m '#12 Add it'"),
    "bytes of another encoding": ("i18n.commitEncoding latin1", "\\351t\\351", ""),
    "bytes of no encoding": ("", "\\351t\\351", ""),
    "other line ends": ("", "Add it\\r\\n\\r\\nWhy\\r\\n", ""),
    "a fixup": ("", "", "--fixup HEAD"),
    "a fixup of something long": ("", "", f"-m 'fixup! {LONG}'"),
    "words on the command line": ("", "", "-m 'Add it'"),
    "words from a file": ("", "", "-F old.txt --cleanup=verbatim"),
    "a template": ("commit.template good.txt", "Add it", ""),
}
REFUSED = {
    "a long subject": ("", LONG, "", "short-subjects"),
    "what the command line says": ("", "", f"-m 'Add it' -m '{BY}'", "short-subjects"),
    "a trailer": ("", "", f"-m 'Add it' --trailer '{BY}'", "short-subjects"),
    "after blank lines": ("", f"\\n\\n\\n{LONG}", "", "short-subjects"),
    "after a comment": ("", f"# comment\\n{LONG}\\n", "", "short-subjects"),
    "below scissors that git does not use": ("", "", f"-m 'Add it' -m '# ------------------------ >8 ------------------------\n{BY}'", "short-subjects"),
    "with a comment sign that is none here": ("core.commentChar ;", f"Add it\\n{BY}\\n", "", "short-subjects"),
    "with a sign that git chooses": ("core.commentChar auto", "", f"-e -m '#12 Add it' -m '{BY}'", "short-subjects"),
    "in another encoding": ("i18n.commitEncoding latin1", f"\\351t\\351 {LONG}", "", "short-subjects"),
    "an amended message": ("", "", f"--amend -m {LONG}", "short-subjects"),
    "an allowed empty commit": ("", "", f"--allow-empty -m {LONG}", "short-subjects"),
}  # fmt: skip


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository behind its git hooks, with something staged."""
    top = hooked(tmp_path / "repo")
    run(top, "bash", "-ec", "echo 'fixup! x' >>good.txt; git add -A")
    return top


def _commits(top: Path, setting: str, text: str, options: str, code: int) -> str:
    name, _, value = setting.partition(" ")
    if name:
        run(top, "git", "config", name, value)
    editor = top.parent / "editor.sh"
    editor.write_text(
        f"#!/bin/sh\nif [ -n '{text}' ]; then printf '{text}\\n' >new; sed 1d \"$1\" >>new; mv new \"$1\"; fi\n"
    )
    editor.chmod(0o755)
    return run(top, "bash", "-ec", f"git commit {options}", code=code, GIT_EDITOR=str(editor))


@pytest.mark.parametrize("name", PASSES)
def test_a_message_that_keeps_to_the_rules_is_committed(top: Path, name: str) -> None:
    setting, text, options = PASSES[name]
    _commits(top, setting, text, options, 0)


@pytest.mark.parametrize("name", REFUSED)
def test_one_that_does_not_is_refused(top: Path, name: str) -> None:
    setting, text, options, slug = REFUSED[name]
    assert f"refused by {slug}" in _commits(top, setting, text, options, 1)


def test_a_person_who_gives_up_is_left_alone(top: Path) -> None:
    said = run(top, "git", "commit", code=1, GIT_EDITOR="true")
    assert "refused" not in said
