"""What find, grep and git list for a command that changes files: bash is the referee."""

import shutil
import subprocess
from pathlib import Path

import pytest

from rulec.checkout.worktree import Worktree
from rulec.shell import action_events
from rulec.shell.action_events import Event

FILES = {
    "gen/a.ts": "foo\n", "gen/deep/b.ts": "bar foo\n", "gen/c.md": "foo\n", "src/d.ts": "foo x\n", "src/e.ts": "bar\n",
    "db/01.sql": "a\n", "db/02.sql": "b\n", "db/note.txt": "a\n",
}  # fmt: skip
COMMANDS = [
    "find db -name '0*.sql' -delete",
    "find gen -name '*.ts' -exec sed -i s/foo/baz/ {} +",
    "find . -name '*.ts' -not -path './gen/*' -exec sed -i s/foo/baz/ {} \\;",
    "find gen -maxdepth 1 -name '*.ts' | xargs rm",
    "find gen -type f -print0 | xargs -0 rm -f",
    "find . -name '*.ts' | grep -v gen | xargs rm",
    "grep -rl foo gen src | xargs sed -i s/foo/baz/",
    "grep -rl --include='*.md' foo . | xargs sed -i s/foo/baz/",
    "grep -rl --exclude-dir=gen foo . | xargs sed -i s/foo/baz/",
    "cd src && grep -l foo *.ts | xargs rm",
    "git ls-files 'gen/*.ts' | xargs rm",
    "git ls-files db | xargs -I{} sed -i s/a/z/ {}",
    "git grep -l foo -- src | xargs sed -i s/foo/baz/",
    "ls db/*.sql | xargs rm",
    "find gen -name '*.py' -delete",
    "find gen -name '*.ts' -exec grep foo {} +",
    "find gen -name '*.ts' -exec sed -i s/absent/baz/ {} +",
]


@pytest.fixture
def top(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    subprocess.run("git init -q && git add -A", shell=True, cwd=place, check=True)
    return place


def _changed_by_bash(top: Path, command: str) -> set[str]:
    copy = top.with_name("copy")
    shutil.copytree(top, copy)
    subprocess.run(["bash", "-c", command], cwd=copy, check=False, capture_output=True)
    seen = {name for name, text in FILES.items() if not (copy / name).exists() or (copy / name).read_text() != text}
    shutil.rmtree(copy)
    return seen


def test_what_is_listed_and_changed_is_what_bash_changes(top: Path) -> None:
    world, wrong = Worktree(str(top)), []
    for command in COMMANDS:
        event = Event(kind="command", command=command, root=world.root, world=world, cwd="")
        events = action_events.file_events(event, action_events.touched_paths(event))
        sure = {one.path for one in events if not one.unsure}
        wanted = _changed_by_bash(top, command)
        wrong += [(command, sorted(sure), sorted(wanted))] if sure != wanted else []
    assert wrong == []
    assert sum(bool(_changed_by_bash(top, command)) for command in COMMANDS[-3:]) == 0


CLEANING = [
    "git clean -fdx", "git clean -fd", "git clean -f", "git clean -xf kept", "git clean -fX", "git clean -nfdx",
    "git clean -fdx -e local.env", "git clean -dx",
]  # fmt: skip


def test_what_git_clean_removes_is_what_it_says(top: Path) -> None:
    (top / ".gitignore").write_text("local.env\nkept/*.log\n")
    subprocess.run("mkdir kept new && touch local.env kept/a.log kept/b new/c", shell=True, cwd=top, check=True)
    subprocess.run(
        "git add .gitignore kept/b && git -c user.name=a -c user.email=a commit -qm x", shell=True, cwd=top, check=True
    )
    world, wrong = Worktree(str(top)), []
    names = ("local.env", "kept/a.log", "kept/b", "new/c")
    for command in CLEANING:
        event = Event(kind="command", command=command, root=world.root, world=world, cwd="")
        told = {one.path.rstrip("/") for one in action_events.file_events(event, action_events.touched_paths(event))}
        copy = top.with_name("copy")
        shutil.copytree(top, copy)
        subprocess.run(["bash", "-c", command], cwd=copy, check=False, capture_output=True)
        gone = {name for name in names if not (copy / name).exists()}
        shutil.rmtree(copy)
        seen = {name for name in names if name in told or name.rpartition("/")[0] in told}
        wrong += [(command, sorted(seen), sorted(gone))] if seen != gone else []
    assert wrong == []


def test_what_cannot_be_known_is_not_certain(top: Path) -> None:
    world = Worktree(str(top))
    for command in ("grep -rlE 'fo+' gen | xargs rm", "find gen -type f | head -1 | xargs rm"):
        event = Event(kind="command", command=command, root=world.root, world=world, cwd="")
        events = action_events.file_events(event, action_events.touched_paths(event))
        assert events
        assert all(one.unsure for one in events)
