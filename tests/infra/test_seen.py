"""A change that a gate let through is known again as a commit, wherever git has carried it."""

import stat
from pathlib import Path

from rulec.gates import passed_changes
from rulec.infra.git import git_changes, git_session
from tests.conftest import Run


def _commit(top: Path, git: Run, *options: str, judged: bool = True) -> str:
    if judged:
        passed_changes.note_passed(top, [git_changes.staged_beside(top, ".rules/compiled")[0].mark])
    git("commit", "-qm", "It", *options)
    return git("rev-parse", "HEAD").stdout.strip()


def _stage(top: Path, git: Run, **files: str) -> None:
    for name, text in files.items():
        (top / name).write_text(text)
    git("add", "-A")


def test_what_was_judged_is_seen_and_what_was_not_is_not(repo: Path, git: Run) -> None:
    passed_changes.begin_record(repo)
    _stage(repo, git, a="1\n")
    good = _commit(repo, git)
    _stage(repo, git, a="2\n", b="2\n")
    past = _commit(repo, git, judged=False)
    assert passed_changes.unseen_commits(repo, [good, past]) == {past: frozenset({"a", "b"})}
    assert passed_changes.local_commits(repo) == [past, good]


def test_renames_links_modes_submodules_and_odd_names_are_known_again(repo: Path, git: Run) -> None:
    _stage(repo, git, **{"a": "x\n" * 40, "b": "1\n", "new\nline": "1\n", "tab\t": "1\n"})
    first = _commit(repo, git)
    git("mv", "a", "c")
    (repo / "c").write_text("x\n" * 40 + "y\n")
    (repo / "b").chmod(0o755)
    (repo / "link").symlink_to("b")
    (repo / "tab\t").unlink()
    (repo / "meant").write_text("later\n")
    git("add", "-N", "meant")
    git("add", "b", "c", "link", "tab\t")
    git("update-index", "--add", "--cacheinfo", f"160000,{first},sub")
    assert passed_changes.unseen_commits(repo, [first, _commit(repo, git)]) == {}


def test_an_amended_commit_is_seen_where_each_step_was(repo: Path, git: Run) -> None:
    passed_changes.begin_record(repo)
    _stage(repo, git, a="1\n")
    _commit(repo, git)
    _stage(repo, git, a="2\n")
    assert passed_changes.unseen_commits(repo, [_commit(repo, git, "--amend")]) == {}
    assert passed_changes.unseen_commits(repo, [_commit(repo, git, "--amend", "--allow-empty")]) == {}
    _stage(repo, git, a="3\n")
    past = _commit(repo, git, "--amend", judged=False)
    _stage(repo, git, a="4\n")
    after = _commit(repo, git, "--amend")
    assert list(passed_changes.unseen_commits(repo, [past, after])) == [past, after]


def test_an_amended_commit_is_seen_from_every_work_tree(repo: Path, git: Run, tmp_path: Path) -> None:
    passed_changes.begin_record(repo)
    _stage(repo, git, a="1\n")
    _commit(repo, git)
    _stage(repo, git, a="2\n")
    amended = _commit(repo, git, "--amend")
    git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert passed_changes.local_commits(tmp_path / "linked") == [amended]
    assert passed_changes.unseen_commits(tmp_path / "linked", [amended]) == {}


def test_a_good_amendment_of_another_commit_launders_nothing(repo: Path, git: Run) -> None:
    _stage(repo, git, a="1\n")
    past = _commit(repo, git, judged=False)
    _stage(repo, git, b="1\n")
    git("reset", "-q", "--soft", past)
    assert list(passed_changes.unseen_commits(repo, [_commit(repo, git, judged=False)]))


def test_a_rebase_over_other_files_keeps_it(repo: Path, git: Run) -> None:
    git("branch", "base")
    _stage(repo, git, a="1\n")
    _commit(repo, git)
    git("switch", "-q", "base")
    _stage(repo, git, b="1\n")
    _commit(repo, git)
    git("rebase", "-q", "main")
    assert passed_changes.unseen_commits(repo, git("rev-list", "HEAD", "-2").stdout.split()) == {}


def test_what_stood_there_before_or_came_from_a_remote_was_not_made_here(repo: Path, git: Run) -> None:
    passed_changes.begin_record(repo)
    git("switch", "-qc", "theirs")
    _stage(repo, git, a="1\n")
    theirs = _commit(repo, git, judged=False)
    git("switch", "-q", "main")
    git("reflog", "expire", "--expire=all", "--all")
    git("update-ref", "refs/remotes/origin/theirs", theirs)
    git("merge", "-q", theirs)
    assert passed_changes.local_commits(repo) == []
    _stage(repo, git, b="1\n")
    mine = _commit(repo, git, judged=False)
    git("update-ref", "refs/remotes/origin/main", mine)
    assert passed_changes.local_commits(repo) == [mine]


def test_an_empty_repository_begins_with_nothing(tmp_path: Path) -> None:
    git_session.git_output(tmp_path, "init", "-q")
    passed_changes.begin_record(tmp_path)
    assert passed_changes.has_record(tmp_path)
    assert passed_changes.exclude_before(tmp_path) == []
    assert passed_changes.local_commits(tmp_path) == []
    assert passed_changes.unseen_commits(tmp_path, []) == {}


def test_what_is_kept_is_the_owners_alone_and_bounded(repo: Path, git: Run) -> None:
    place = repo / ".git/rulec/seen"
    passed_changes.note_passed(repo, [f"{number:032x}" for number in range(40_000)])
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE((repo / ".git/rulec").stat().st_mode) == 0o700
    passed_changes.note_passed(repo, ["f" * 32])
    assert place.stat().st_size < 1_000_000
    assert passed_changes.has_passed(repo, "f" * 32)
    assert passed_changes.has_passed(repo, f"{39_999:032x}")
    assert not passed_changes.has_passed(repo, f"{1:032x}")


def test_a_link_in_its_place_is_not_written_through(repo: Path, tmp_path: Path) -> None:
    passed_changes.begin_record(repo)
    (tmp_path / "victim").write_text("theirs\n")
    (repo / ".git/rulec/seen").symlink_to(tmp_path / "victim")
    passed_changes.note_passed(repo, ["f" * 32])
    assert (tmp_path / "victim").read_text() == "theirs\n"
