"""A repository is known by its folder and by its remotes, however their URLs are written."""

import subprocess

import pytest

from rulec.checkout import personal_scope

URLS = [
    "git@github.com:acme/web.git",
    "https://github.com/acme/web.git",
    "https://github.com/acme/web/",
    "https://me@github.com:443/acme/web",
    "ssh://git@github.com:22/acme/web.git",
]


@pytest.mark.parametrize("url", URLS)
def test_the_names_of_a_remote(tmp_path, url):
    top = tmp_path / "here"
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    subprocess.run(["git", "remote", "add", "origin", url], cwd=top, check=True)
    assert personal_scope.repository_names(str(top)) == ["here", "github.com/acme/web", "acme/web", "web"]


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        ([], True),
        (["here"], True),
        (["acme/*"], True),
        (["acme"], True),
        (["github.com/**"], True),
        (["w*b"], True),
        (["b"], False),
        (["other/*", "web2"], False),
    ],
)
def test_globs_over_them(tmp_path, wanted, holds):
    top = tmp_path / "here"
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    subprocess.run(["git", "remote", "add", "origin", URLS[0]], cwd=top, check=True)
    assert personal_scope.scope_holds(tuple(wanted), str(top)) is holds


def test_a_linked_work_tree_has_the_remotes_of_its_repository(tmp_path):
    top = tmp_path / "here"
    for argv in (["init", "-q", str(top)], ["-C", str(top), "commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", *argv], check=True)
    subprocess.run(["git", "remote", "add", "origin", "/srv/git/web.git"], cwd=top, check=True)
    subprocess.run(["git", "worktree", "add", "-q", "../other"], cwd=top, check=True)
    assert personal_scope.repository_names(str(tmp_path / "other")) == ["other", "srv/git/web", "git/web", "web"]


def test_a_folder_without_git_has_its_own_name(tmp_path):
    assert personal_scope.repository_names(str(tmp_path)) == [tmp_path.name]
