"""What others can install to have the rulec that runs here: read from the record of its installation, or nothing."""

from pathlib import Path

import pytest

from rulec.domain.text.requirement import git_source, install_command
from rulec.infra.install_source import lacks_source, source_of_record
from rulec.rulebook.config import Config
from tests.support.world import run

URL, COMMIT, HASH = "https://git.example.com/tools/rulec.git", "0123456789abcdef" * 2 + "01234567", "ab" * 32
GIT = {"vcs": "git", "commit_id": COMMIT}
WHEEL = "https://files.example.com/rulec-0.1.0-py3-none-any.whl"
BELOW = "#subdirectory=tools/rulec"
RECORDS = {  # the record -> the requirement
    "a commit": ({"url": URL, "vcs_info": GIT}, f"git+{URL}@{COMMIT}"),
    "a folder of it": ({"url": URL, "vcs_info": GIT, "subdirectory": "tools/rulec"}, f"git+{URL}@{COMMIT}{BELOW}"),
    "a clone on this machine": ({"url": "file:///srv/rulec", "vcs_info": GIT}, f"git+file:///srv/rulec@{COMMIT}"),
    "a key": ({"url": "ssh://git@example.com/rulec", "vcs_info": GIT}, f"git+ssh://git@example.com/rulec@{COMMIT}"),
    "a login": ({"url": "https://me:secret@example.com/rulec", "vcs_info": GIT}, f"git+https://example.com/rulec@{COMMIT}"),
    "an ssh login": ({"url": "ssh://me:pw@example.com/r", "vcs_info": GIT}, f"git+ssh://me@example.com/r@{COMMIT}"),
    "an archive": ({"url": WHEEL, "archive_info": {"hashes": {"sha256": HASH}}}, f"{WHEEL}#sha256={HASH}"),
    "an archive without a hash": ({"url": WHEEL, "archive_info": {}}, ""),
    "an archive on this machine": ({"url": "file:///r.whl", "archive_info": {"hashes": {"sha256": HASH}}}, ""),
    "a branch without its commit": ({"url": URL, "vcs_info": {"vcs": "git", "requested_revision": "main"}}, ""),
    "another version control": ({"url": URL, "vcs_info": {"vcs": "hg", "commit_id": COMMIT}}, ""),
    "no encryption": ({"url": "http://example.com/rulec", "vcs_info": GIT}, ""),
    "a shell": ({"url": "https://example.com/$(id)", "vcs_info": GIT}, ""),
    "a shell in the folder": ({"url": URL, "vcs_info": GIT, "subdirectory": "a;id"}, ""),
    "an index": ({}, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_stands_for_what_others_can_install_or_for_a_reason(name: str) -> None:
    record, wanted = RECORDS[name]
    found = source_of_record(record)
    assert found.requirement == wanted
    assert bool(found.why and found.cure) is not bool(wanted)
    assert "secret" not in f"{found}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A clone of rulec's repository whose remote has its commit."""
    run(tmp_path, "init", "-q", "--bare", "-b", "main", "remote.git")
    run(tmp_path, "clone", "-q", str(tmp_path / "remote.git"), "rulec")
    top = tmp_path / "rulec"
    run(top, "commit", "-q", "--allow-empty", "-m", "Begin")
    run(top, "push", "-q", "origin", "HEAD:main")
    return top


def _of(folder: Path) -> dict[str, object]:
    return {"url": folder.as_uri(), "dir_info": {"editable": True}}


def _head(top: Path) -> str:
    return run(top, "rev-parse", "HEAD").strip()


def test_a_folder_stands_for_its_remote_at_a_commit_that_the_remote_has(folder: Path) -> None:
    wanted = f"git+file://{folder.parent}/remote.git@{_head(folder)}"
    assert source_of_record(_of(folder)).requirement == wanted
    (folder / "tools").mkdir()
    assert source_of_record(_of(folder / "tools")).requirement == f"{wanted}#subdirectory=tools"


@pytest.mark.parametrize(
    ("address", "wanted"),
    {
        "git@example.com:team/rulec.git": "ssh://git@example.com/team/rulec.git",
        "https://me:secret@example.com/team/rulec": "https://example.com/team/rulec",
    }.items(),
)
def test_the_address_of_a_remote_is_told_as_pip_takes_it(folder: Path, address: str, wanted: str) -> None:
    run(folder, "remote", "set-url", "origin", address)
    assert source_of_record(_of(folder)).requirement == f"git+{wanted}@{_head(folder)}"


LACKING = {
    "a commit that is not pushed": ("commit -q --allow-empty -m More", "which origin lacks", "push origin"),
    "no remote": ("remote remove origin", "no remote", "git remote add origin"),
    "another protocol": ("remote set-url origin http://example.com/r", "https, ssh or file", "install it by such"),
}


@pytest.mark.parametrize("name", LACKING)
def test_a_folder_that_others_cannot_have_says_why_and_what_to_do(folder: Path, name: str) -> None:
    command, why, cure = LACKING[name]
    run(folder, *command.split())
    found = source_of_record(_of(folder))
    assert found.requirement == ""
    assert why in found.why
    assert cure in found.cure


def test_several_remotes_stand_for_origin_or_for_nothing(folder: Path) -> None:
    run(folder, "remote", "add", "fork", "https://example.com/fork")
    assert "/remote.git@" in source_of_record(_of(folder)).requirement
    run(folder, "remote", "rename", "origin", "upstream")
    assert "several remotes" in source_of_record(_of(folder)).why


def test_a_folder_that_is_no_repository_is_told(tmp_path: Path) -> None:
    assert "no git repository" in source_of_record(_of(tmp_path)).why


@pytest.mark.parametrize("marker", ["../db.db", ".prek-repo.json"])
def test_a_clone_of_a_framework_stands_for_where_it_came_from(folder: Path, marker: str) -> None:
    run(folder, "commit", "-q", "--allow-empty", "-m", "As fetched, without a branch of the remote")
    (folder / marker).write_text("{}")
    assert source_of_record(_of(folder)).requirement.endswith(f"remote.git@{_head(folder)}")


def test_another_repository_that_a_git_hook_runs_in_is_not_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere/.git")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    assert "/remote.git@" in source_of_record(_of(folder)).requirement


def test_settings_that_name_a_source_lack_nothing() -> None:
    assert not lacks_source(Config(install="."))
    assert ": " in lacks_source(Config())


def test_an_address_is_read_with_its_revision() -> None:
    source = git_source(f"git+{URL}@{COMMIT}")
    assert (source and source.url, source and source.revision) == (URL, COMMIT)
    assert git_source("git+ssh://git@example.com/rulec") is None
    assert git_source("git+ssh://git@example.com/rulec@v1.2/x") is not None
    for other in (f"git+{URL}@{COMMIT}{BELOW}", URL, ".", "rulec==1", "", f"git+{URL}@", "git+https://x/$(id)@v1"):
        assert git_source(other) is None


def test_a_command_takes_each_requirement_as_one_word_and_settings_as_they_stand() -> None:
    assert install_command(f"git+{URL}@v1") == f"python -I -m pip install git+{URL}@v1"
    assert install_command(f"{WHEEL}#sha256={HASH}&subdirectory=x").endswith("&subdirectory=x'")
    assert install_command('-r "a b.txt"', "anthropic") == 'python -I -m pip install -r "a b.txt" "rulec[anthropic]"'
