"""One commit and nothing else in it: what the person has staged or half written stays as it is, byte for byte."""

import os
import subprocess
from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.infra import journal
from rulec.services import rulebook_commit
from tests.conftest import Run

VERB = ("set", "no-stash", "warn")
ITS_FILES = [
    ".rules/compiled/guard/no-stash.json",
    ".rules/compiled/words/no-stash.json",
    ".rules/no-stash.yaml",
]


@pytest.fixture
def busy(ruled: Path, git: Run) -> Path:
    """Somebody in the middle of everything: each way in which index, work tree and HEAD can differ."""
    files = {"partly.txt": "1\n2\n3\n", "gone.txt": "x\n", "unstaged-gone.txt": "x\n", "old-name.txt": "name\n" * 9}
    for name, text in files.items():
        (ruled / name).write_text(text)
    (ruled / "link").symlink_to("partly.txt")
    (ruled / "run.sh").write_text("#!/bin/sh\n")
    git("add", "-A")
    git("commit", "-qm", "Files of all sorts")
    (ruled / "partly.txt").write_text("1 staged\n2\n3\n")
    git("add", "partly.txt")
    (ruled / "partly.txt").write_text("1 staged\n2\n3 not yet\n")
    git("rm", "-q", "gone.txt")
    (ruled / "unstaged-gone.txt").unlink()
    git("mv", "old-name.txt", "new-name.txt")
    (ruled / "new.txt").write_text("staged and new\n")
    git("add", "new.txt")
    (ruled / "intended.txt").write_text("git add -N\n")
    git("add", "-N", "intended.txt")
    (ruled / "untracked.txt").write_text("x\n")
    git("update-index", "--chmod=+x", "run.sh")
    (ruled / "link").unlink()
    (ruled / "link").symlink_to("new.txt")
    git("add", "link")
    (ruled / "sub dir").mkdir()
    (ruled / "sub dir/é\tname\n.txt").write_text("x\n")
    git("add", "sub dir")
    return ruled


def _theirs(git: Run) -> dict[str, str]:
    """What the person sees of their own work."""
    asked = {
        "index": ("ls-files", "-s", "-z", ":!.rules", ":!AGENTS.md"),
        "flags": ("ls-files", "-v", "-z", ":!.rules", ":!AGENTS.md"),
        "staged": ("diff", "--cached", "--binary", "-M"),
        "unstaged": ("diff", "--binary"),
        "status": ("status", "--porcelain=v2", "-z", "--untracked-files=all"),
    }
    return {name: git(*argv).stdout for name, argv in asked.items()}


def _committed(git: Run, revision: str = "HEAD") -> list[str]:
    return git("diff-tree", "-r", "--no-commit-id", "--name-only", "--root", revision).stdout.splitlines()


def test_staged_and_unstaged_work_of_every_sort_stays_as_it_is(busy: Path, rulec: Run, git: Run) -> None:
    before = _theirs(git)
    rulec(*VERB)
    assert _committed(git) == ITS_FILES
    assert _theirs(git) == before


@pytest.mark.parametrize(
    "verb", [("retire", "use-pnpm", "--because", "x"), ("retire", "use-pnpm", "--for", "no-stash")]
)
def test_moves_and_deletions_of_ours_do_not_sweep_anything_in(
    busy: Path, rulec: Run, git: Run, verb: tuple[str, ...]
) -> None:
    before = _theirs(git)
    rulec(*verb)
    assert all(path.startswith(".rules/") or path == "AGENTS.md" for path in _committed(git))
    assert _theirs(git) == before


@pytest.mark.parametrize("path", ITS_FILES)
@pytest.mark.parametrize("how", ["staged", "unstaged", "staged, then undone", "intended"])
def test_edits_of_the_very_paths_are_refused_by_name(ruled: Path, rulec: Run, git: Run, path: str, how: str) -> None:
    old = (ruled / path).read_text()
    (ruled / path).write_text(old + "\n")
    if how == "intended":
        git("rm", "-q", "--cached", path)
        git("commit", "-qm", "Out of it")
        git("add", "-N", path)
    elif how.startswith("staged"):
        git("add", path)
    if how == "staged, then undone":
        (ruled / path).write_text(old)
    before, head = _theirs(git), git("rev-parse", "HEAD").stdout
    refused = rulec(*VERB, code=2).stderr
    assert refused == f"rulec: {path}: has changes that are not committed; commit or stash them first\n"
    assert (_theirs(git), git("rev-parse", "HEAD").stdout) == (before, head)


def test_other_rules_may_be_half_written(ruled: Path, rulec: Run, git: Run) -> None:
    path = ruled / ".rules/use-pnpm.yaml"
    path.write_text(path.read_text().replace("severity: should", "severity: must"))
    git("add", ".rules/use-pnpm.yaml")
    path.write_text(path.read_text().replace("severity: must", "severity: style"))
    staged = git("diff", "--cached", ".rules/use-pnpm.yaml").stdout
    rulec(*VERB)
    assert _committed(git) == ITS_FILES
    assert git("diff", "--cached", ".rules/use-pnpm.yaml").stdout == staged
    assert "severity: style" in path.read_text()
    assert '"severity": "should"' in git("show", "HEAD:.rules/compiled/guard/use-pnpm.json").stdout


def test_a_document_keeps_what_is_committed_staged_and_edited_apart(ruled: Path, rulec: Run, git: Run) -> None:
    path = ruled / "AGENTS.md"
    ours = path.read_text()
    path.write_text(f"Staged.\n\n{ours}")
    git("add", "AGENTS.md")
    path.write_text(f"Staged.\n\n{ours}\nEdited.\n")
    rulec("set", "plain-words", "warn")
    texts = {
        "HEAD": git("show", "HEAD:AGENTS.md").stdout,
        "index": git("show", ":AGENTS.md").stdout,
        "work tree": path.read_text(),
    }
    assert {name: ("Staged." in text, "Edited." in text) for name, text in texts.items()} == {
        "HEAD": (False, False),
        "index": (True, False),
        "work tree": (True, True),
    }
    assert all(text.count("<!-- rulec:begin") == 1 for text in texts.values())
    assert git("diff", "--cached", "--stat").stdout.endswith("1 file changed, 2 insertions(+)\n")


def test_conflicts_that_no_operation_is_under_way_for_stay(ruled: Path, rulec: Run, git: Run) -> None:
    (ruled / "a.txt").write_text("1\n")
    git("add", "-A")
    git("commit", "-qm", "One")
    (ruled / "a.txt").write_text("2\n")
    git("stash", "-q")
    (ruled / "a.txt").write_text("3\n")
    git("commit", "-qam", "Three")
    git("stash", "pop", "-q", check=False)
    unmerged = git("ls-files", "-u").stdout
    assert unmerged
    rulec(*VERB)
    assert git("ls-files", "-u").stdout == unmerged
    assert _committed(git) == ITS_FILES


UNDER_WAY = {
    "merge": "git merge -q theirs",
    "rebase": "git rebase -q theirs",
    "cherry-pick": "git cherry-pick theirs",
    "revert": "git revert --no-edit HEAD~1",
    "git am": "git format-patch -q -1 --stdout theirs > ../x.patch; git am -q ../x.patch",
    "bisect": "git bisect start -q HEAD HEAD~2",
    "cherry-pick or revert": "git cherry-pick theirs~1 theirs; git reset -q --merge",
}


@pytest.mark.parametrize("what", UNDER_WAY)
@pytest.mark.parametrize("more", [[], ["--branch", "x"]])
def test_nothing_is_written_while_git_is_in_the_middle_of_something(
    ruled: Path, rulec: Run, git: Run, what: str, more: list[str]
) -> None:
    def put(text: str) -> None:
        (ruled / "a.txt").write_text(text)
        git("add", "a.txt")
        git("commit", "-qm", text.strip())

    put("0\n")
    git("switch", "-qc", "theirs")
    put("2\n")
    put("3\n")
    git("switch", "-q", "main")
    put("4\n")
    put("5\n")
    subprocess.run(UNDER_WAY[what], shell=True, cwd=ruled, capture_output=True, check=False)
    head, status = git("rev-parse", "HEAD").stdout, git("status", "--porcelain").stdout
    refused = rulec(*VERB, *more, code=2).stderr
    assert f"a {what} is under way; finish or abort the {what} first" in refused
    assert (git("rev-parse", "HEAD").stdout, git("status", "--porcelain").stdout) == (head, status)


def test_hooks_of_the_persons_do_not_run_and_signatures_are_made(
    ruled: Path, rulec: Run, git: Run, tmp_path: Path
) -> None:
    for name in ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"):
        (ruled / ".git/hooks" / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/{name}-ran\nexit 1\n")
        (ruled / ".git/hooks" / name).chmod(0o755)
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    for setting, value in {"commit.gpgsign": "true", "gpg.format": "ssh", "user.signingkey": str(key)}.items():
        git("config", setting, value)
    rulec(*VERB)
    assert not list(tmp_path.glob("*-ran"))
    assert "-----BEGIN SSH SIGNATURE-----" in git("cat-file", "commit", "HEAD").stdout


def test_a_person_whom_git_does_not_know_reads_why_and_not_gits_whole_manual(
    ruled: Path, rulec: Run, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"):
        monkeypatch.delenv(f"GIT_{name}")
    git("config", "user.useConfigOnly", "true")
    refused = rulec(*VERB, code=2).stderr.splitlines()[-1]
    said = "git made no commit: no email was given and auto-detection is disabled"
    assert refused == f"rulec: {ruled}: {said}; see git config user.name and user.email"


def test_a_commit_that_cannot_be_signed_is_not_made(ruled: Path, rulec: Run, git: Run) -> None:
    for setting, value in {"commit.gpgsign": "true", "gpg.format": "ssh", "user.signingkey": "/nope"}.items():
        git("config", setting, value)
    head = git("rev-parse", "HEAD").stdout
    refused = rulec(*VERB, code=2).stderr
    assert "git made no signed commit: " in refused
    assert "see git config user.signingkey and gpg.format" in refused
    assert (git("rev-parse", "HEAD").stdout, git("status", "--porcelain").stdout) == (head, "")


def test_who_has_no_name_is_told_how_to_get_one(
    ruled: Path, rulec: Run, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER"))]:
        monkeypatch.delenv(name)
    git("config", "user.useConfigOnly", "true")
    assert "see git config user.name and user.email" in rulec(*VERB, code=2).stderr
    assert git("status", "--porcelain").stdout == ""


def test_another_git_that_holds_the_index_is_waited_for_or_named(ruled: Path, rulec: Run, git: Run) -> None:
    (ruled / ".git/index.lock").write_text("")
    assert "another git process is running here; wait until it ends" in rulec(*VERB, code=2).stderr
    rulec(*VERB, "--branch", "x")
    (ruled / ".git/index.lock").unlink()
    rulec(*VERB)


def test_what_git_was_told_not_to_look_at_stays_hidden(ruled: Path, rulec: Run, git: Run) -> None:
    git("update-index", "--skip-worktree", "AGENTS.md")
    git("update-index", "--assume-unchanged", ".rules/no-stash.yaml")
    path = ruled / "AGENTS.md"
    path.write_text(f"Mine alone.\n\n{path.read_text()}")
    rulec("retire", "use-pnpm", "--because", "x")
    rulec(*VERB)
    flags = git("ls-files", "-v", "AGENTS.md", ".rules/no-stash.yaml").stdout.splitlines()
    assert flags == ["h .rules/no-stash.yaml", "S AGENTS.md"]
    assert "Mine alone." in path.read_text()
    assert "Mine alone." not in git("show", "HEAD:AGENTS.md").stdout
    assert git("status", "--porcelain").stdout == ""


def test_a_message_is_utf_8_whatever_the_repository_says(ruled: Path, rulec: Run, git: Run) -> None:
    git("config", "i18n.commitEncoding", "ISO-8859-1")
    rulec("retire", "use-pnpm", "--because", "für immer")
    assert "encoding" not in git("cat-file", "commit", "HEAD").stdout
    assert "RETIRE use-pnpm -- für immer" in git("log", "-1", "--format=%B", "--encoding=UTF-8").stdout


def test_a_commit_of_somebody_else_meanwhile_is_not_lost(ruled: Path, rulec: Run, git: Run) -> None:
    hook = ruled / ".git/hooks/reference-transaction"
    hook.write_text('#!/bin/sh\n[ "$1" = prepared ] || exit 0\n[ -e .git/once ] && exit 0\ntouch .git/once\nexit 1\n')
    hook.chmod(0o755)
    head = git("rev-parse", "HEAD").stdout
    assert "git update-ref failed" in rulec(*VERB, code=2).stderr
    assert (git("rev-parse", "HEAD").stdout, git("status", "--porcelain").stdout) == (head, "")
    rulec(*VERB)


def test_a_change_that_was_interrupted_after_its_commit_is_finished_and_not_made_twice(ruled: Path, git: Run) -> None:
    changes: dict[str, str | None] = {
        ".rules/no-stash.yaml": (ruled / ".rules/no-stash.yaml").read_text().replace("revision: 1", "revision: 2")
    }
    head = git("rev-parse", "HEAD").stdout.strip()
    lock = ruled / ".git/index.lock"
    with journal.write_lock(ruled):
        lock.write_text("another git\n")
        with pytest.raises(RulecError, match=r"the index could not be written: .*; let the other git end"):
            rulebook_commit.commit_rulebook_change(ruled, changes, "Change it\n")
        lock.unlink()
        made = rulebook_commit.commit_rulebook_change(ruled, changes, "Change it\n")
    assert git("rev-parse", "HEAD", f"{made}~1").stdout.split() == [made, head]
    assert git("status", "--porcelain").stdout == ""
