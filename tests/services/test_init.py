"""What `rulec init` puts up where nobody named it: the CI of the forge that the repository is pushed to."""

from pathlib import Path

import pytest

from tests.support.world import act, run

OFF = ".claude/settings.local.json"
FORGES = {
    "git@gitlab.com:a/b.git": {"gitlab-ci"},
    "ssh://git@gitlab.example.org:2222/a/b.git": {"gitlab-ci"},
    "https://me@github.com/a/b": {"github-actions"},
    "https://example.org/gitlab/b.git": {"github-actions"},
    "/srv/gitlab/b.git": {"github-actions"},
    "": {"github-actions"},
}
PATHS = {"github-actions": ".github/workflows/rules.yml", "gitlab-ci": ".gitlab-ci.yml"}


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "new"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main", "--template=")
    return folder


def _written(top: Path) -> set[str]:
    return {name for name, path in PATHS.items() if (top / path).exists()}


@pytest.mark.parametrize("url", FORGES)
def test_the_forge_is_read_off_the_remote(top: Path, url: str) -> None:
    if url:
        run(top, "remote", "add", "origin", url)
    said = act(top, "init", "--yes").out
    assert _written(top) == FORGES[url]
    assert 'set owners: ["@who"] and add codeowners to emitters in .rules/config.yaml' in said
    assert "is in no commit yet; commit " in act(top, "init", "--yes").out


def test_files_of_another_forge_are_asked_as_well(top: Path) -> None:
    run(top, "remote", "add", "origin", "git@gitlab.com:a/b.git")
    (top / ".github").mkdir()
    (top / ".github/dependabot.yml").write_text("version: 2\n")
    act(top, "init", "--yes")
    assert _written(top) == {"github-actions", "gitlab-ci"}


def test_where_no_forge_judges_nobody_is_told_of_owners(top: Path) -> None:
    assert "owners" not in act(top, "init", "--yes", "--no-ci").out


def test_init_repairs_hooks_that_git_ignores_and_a_dead_record_and_says_so(top: Path) -> None:
    act(top, "init", "--yes")
    (top / ".git/hooks/commit-msg").chmod(0o644)
    (top / ".git/rulec/record").write_text("/gone/python\n/gone/start.py\n")
    said = act(top, "init", "--yes").out
    assert "repaired  commit-msg is executable again" in said
    assert "repaired  the record of rulec: this clone's record names /gone/python, which is gone" in said


def test_init_says_which_gate_does_not_act_though_all_is_written(top: Path) -> None:
    act(top, "init", "--yes", "--no-ci", "--agent", "claude-code")
    run(top, "add", "-A")
    run(top, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "Set up rulec")
    assert "everything is in place" in act(top, "init", "--yes").out
    (top / ".claude/settings.local.json").write_text('{"disableAllHooks": true}')
    said = act(top, "init", "--yes").out
    assert f"not yet: {OFF} turns Claude Code's hooks off; remove that line from {OFF}" in said
    assert "everything is in place" not in said
    (top / OFF).unlink()
    assert "everything is in place" in act(top, "init", "--yes").out
    (top / ".git/rulec/hook").write_text("# of another version\n")
    said = act(top, "init", "--yes").out
    assert f"renewed   {top}/.git/rulec/hook" in said
    assert "everything is in place" not in said
