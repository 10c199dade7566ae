"""``rulec`` alone says what ``rulec doctor`` finds wrong with a clone's set-up, without running a hook."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.world import act, at_home, copy, run


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with at_home(tmp_path_factory.mktemp("home")):
        top = tmp_path_factory.mktemp("state") / "repo"
        top.mkdir()
        run(top, "init", "-q", "-b", "main", "--template=")
        run(top, "commit", "-q", "--allow-empty", "-m", "Start")
        act(top, "init", "--yes", "--agent", "claude-code")
        run(top, "add", "-A")
        run(top, "commit", "-qm", "Set up rulec")
        act(top, "add", "Use pnpm, never npm.", "--yes")
        yield top


def _change(path: Path) -> None:
    path.write_text(f"{path.read_text()}# more\n")


def _clone_shallowly(top: Path) -> None:
    origin = top.with_name("origin")
    top.rename(origin)
    run(origin.parent, "clone", "-q", "--depth", "1", f"file://{origin}", top.name)


BROKEN: dict[str, Callable[[Path], object]] = {
    "nothing": lambda _: None,
    "no git hooks": lambda top: shutil.rmtree(top / ".git/hooks"),
    "a git hook of another version": lambda top: _change(top / ".git/hooks/pre-commit"),
    "a git hook that git ignores": lambda top: (top / ".git/hooks/commit-msg").chmod(0o644),
    "no agent's hooks": lambda top: (top / ".claude/settings.json").unlink(),
    "a launcher of another version": lambda top: _change(top / ".rules/hook"),
    "no merge driver": lambda top: run(top, "config", "--unset", "merge.rulec.driver"),
    "a shallow clone": _clone_shallowly,
    "hooks elsewhere": lambda top: run(top, "config", "core.hooksPath", ".husky"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_what_doctor_finds_wrong_rulec_says(broken: str, whole: Path, tmp_path: Path) -> None:
    top = copy(whole, tmp_path / "repo")
    BROKEN[broken](top)
    found = re.findall(r"^WRONG  (.+)$", act(top, "doctor", code=None).out, re.MULTILINE)
    said = act(top).out
    stale = {one for one in found if one.startswith("artifacts: ") or "does not call rulec" in one}
    assert [one for one in found if one not in stale and f"wrong: {one}" not in said] == []
    assert bool(stale) == ("stale or missing" in said)
    assert ("nothing to do" in said) == (not found)
