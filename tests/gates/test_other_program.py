"""Another rulec than before is a loosening, unless it is the one that judges already."""

import pytest

from rulec.gates.weakening.looser_settings import weakened_settings
from rulec.gates.weakening.lost_hooks import other_program
from rulec.infra import install_source
from rulec.infra.install_source import InstallSource
from rulec.rulebook.config import Config

PATH = ".pre-commit-config.yaml"
OWN = "git+https://example.com/rulec@" + "a" * 40
ENTRY = "repos:\n- repo: https://example.com/{repo}\n  rev: {rev}\n  hooks:\n  - id: rulec\n"
BEFORE = ENTRY.format(repo="rulec", rev="v1")


def _told(new: str, old: str = BEFORE, path: str = PATH) -> list[str]:
    return [one.text for one in other_program(path, old, new, lambda: OWN)]


@pytest.mark.parametrize(("repo", "rev"), [("rulec", "v2"), ("other", "v1")])
def test_another_repository_or_revision_is_told(repo: str, rev: str) -> None:
    (told,) = _told(ENTRY.format(repo=repo, rev=rev))
    assert told.endswith(
        f"pre-commit runs rulec from git+https://example.com/{repo}@{rev}, not git+https://example.com/rulec@v1"
    )


def test_the_rulec_that_runs_here_and_other_peoples_hooks_are_not_told() -> None:
    assert _told(ENTRY.format(repo="rulec", rev="a" * 40)) == []
    assert _told(BEFORE + "- repo: https://example.com/black\n  rev: v9\n  hooks:\n  - id: black\n") == []
    assert _told(ENTRY.format(repo="rulec", rev="v2"), path="other.yaml") == []


@pytest.mark.parametrize("was", ["", "rulec==1", "git+https://example.com/rulec@v1"])
def test_only_the_source_of_the_rulec_that_runs_here_needs_no_approval(
    was: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install_source, "installed_source", lambda: InstallSource(OWN))
    for install, loosens in ((OWN, False), (was, False), ("git+https://example.com/rulec@v2", True)):
        found = list(weakened_settings(Config(install=was), Config(install=install), (), ()))
        assert bool(found) is loosens


def test_without_a_source_of_its_own_a_removed_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install_source, "installed_source", lambda: InstallSource(why="x", cure="y"))
    assert list(weakened_settings(Config(install=OWN), Config(), (), ()))
