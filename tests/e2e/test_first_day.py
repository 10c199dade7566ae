"""The first day of a team: one person installs rulec from a URL and runs init; all others have nothing but a clone."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.support.workflow import checked_out, github
from tests.support.world import at_home

ROOT = Path(__file__).parents[2]
WISH = "Never commit .env files."
REFUSED = "refused by"
WORKFLOW = ".github/workflows/rules.yml"
MOST_FILES, MOST_LINES, LONGEST_LINE = 10, 400, 200
CACHE = Path.home() / ".cache/pip"  # of the machine: what each environment here takes its wheels from


@dataclass(frozen=True)
class Machine:
    """Somebody's machine: a Python without rulec, a home of its own, and nothing else of ours on PATH."""

    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        """Its environment."""
        kept = {
            name: value for name, value in os.environ.items() if name.startswith(("PIP_", "GIT_AUTHOR", "GIT_COMMI"))
        }
        path = f"{self.folder}/bin{os.pathsep}/usr/bin{os.pathsep}/bin"
        home = {"HOME": str(self.folder / "home"), "PRE_COMMIT_HOME": str(self.folder / "pre-commit")}
        return {
            **kept,
            **home,
            "PATH": path,
            "PIP_CACHE_DIR": str(CACHE),
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C.UTF-8",
        }

    def run(self, top: Path, *argv: str, code: int | None = 0, **more: str) -> str:
        """A command there; both its streams."""
        done = subprocess.run(
            argv, cwd=top, env={**self.variables, **more}, capture_output=True, text=True, check=False
        )
        said = done.stdout + done.stderr
        assert code is None or done.returncode == code, f"{argv}: exit {done.returncode}\n{said}"
        assert "Traceback" not in said, said
        return said


@pytest.fixture(scope="module", autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    with at_home(tmp_path_factory.mktemp("home")):
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("day")


def _machine(place: Path, name: str) -> Machine:
    """A machine whose Python has all that rulec depends on, so that an installation builds rulec alone."""
    folder = place / name
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (folder / "home").mkdir()
    libraries = place / "libraries"
    if not libraries.exists():
        libraries.mkdir()
        (there,) = Path(sys.prefix).glob("lib/python3*/site-packages")
        for path in there.iterdir():
            if not path.name.lower().startswith(("rulec", "_rulec", "__editable__")) and path.suffix != ".pth":
                (libraries / path.name).symlink_to(path)
    (packages,) = folder.glob("lib/python3*/site-packages")
    (packages / "libraries.pth").write_text(f"{libraries}\n")
    return Machine(folder)


@pytest.fixture(scope="module")
def rulec_clone(place: Path) -> Path:
    """rulec's own repository as it stands here, with a remote that has its commit."""
    top = place / "rulec"
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (top / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, top / name, follow_symlinks=False)
    for argv in (
        ("init", "-q", "-b", "main", "."), ("add", "-A", "-f"), ("commit", "-qm", "rulec as it stands"),
        ("clone", "-q", "--bare", ".", str(place / "rulec.git")), ("remote", "add", "origin", str(place / "rulec.git")),
        ("fetch", "-q", "origin"),
    ):  # fmt: skip
        subprocess.run(["git", *argv], cwd=top, check=True)
    return top


def _commit(top: Path) -> str:
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=top, capture_output=True, text=True, check=True
    ).stdout.strip()


def _project(machine: Machine, top: Path) -> str:
    top.mkdir()
    (top / "README.md").write_text("# A project\n")
    for argv in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "Begin")):
        machine.run(top, "git", *argv)
    return machine.run(top, "rulec", "init", "--yes", "--agent", "claude-code")


@pytest.fixture(scope="module")
def first(place: Path, rulec_clone: Path) -> Machine:
    """The machine of who installed rulec from its URL."""
    machine = _machine(place, "first")
    source = f"git+file://{place}/rulec.git@{_commit(rulec_clone)}"
    machine.run(place, "python", "-I", "-m", "pip", "install", "-q", source)
    return machine


@pytest.fixture(scope="module")
def project(first: Machine, place: Path) -> Path:
    """The repository with the gates that init put up, and one rule."""
    top = place / "project"
    said = _project(first, top)
    assert f"others install git+file://{place}/rulec.git@" in said
    first.run(top, "git", "add", "-A")
    first.run(top, "git", "commit", "-qm", "Set up rulec")
    first.run(top, "rulec", "add", WISH, "--yes", "--enforcement", "block")
    return top


def test_what_lands_in_the_repository_is_what_a_reviewer_reads(project: Path, first: Machine) -> None:
    names = first.run(project, "git", "diff-tree", "-r", "--name-only", "HEAD~2", "HEAD~1").split()
    texts = {name: first.run(project, "git", "show", f"HEAD~1:{name}") for name in names}
    lines = [line for text in texts.values() for line in text.splitlines()]
    assert len(texts) <= MOST_FILES, names
    assert len(lines) <= MOST_LINES, {name: text.count("\n") for name, text in texts.items()}
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


def test_all_integrations_take_rulec_from_where_it_came(project: Path, place: Path, rulec_clone: Path) -> None:
    commit = _commit(rulec_clone)
    source = f"git+file://{place}/rulec.git@{commit}"
    assert yaml.safe_load((project / ".rules/config.yaml").read_text())["install"] == source
    (entry,) = yaml.safe_load((project / ".pre-commit-config.yaml").read_text())["repos"]
    assert (entry["repo"], entry["rev"]) == (f"file://{place}/rulec.git", commit)
    assert f"pip install {source}" in (project / WORKFLOW).read_text()


def _written(machine: Machine, top: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (top / name).write_text(text)
        machine.run(top, "git", "add", "-f", name)


def test_a_colleague_without_rulec_is_gated_by_what_pre_commit_installs(project: Path, place: Path) -> None:
    colleague = Machine(place / "colleague")
    (colleague.folder / "home").mkdir(parents=True)
    assert "not found" in colleague.run(place, "sh", "-c", "rulec", code=127)
    colleague.run(place, "git", "clone", "-q", str(project), "clone")
    top = place / "clone"
    said = colleague.run(top, sys.executable, "-P", "-m", "pre_commit", "install")
    for kind in ("pre-commit", "prepare-commit-msg", "commit-msg", "pre-push"):
        assert f".git/hooks/{kind}" in said
    _written(colleague, top, {".env": "KEY=1\n"})
    assert REFUSED in colleague.run(top, "git", "commit", "-m", "Add it", code=1)
    assert REFUSED in colleague.run(top, "git", "commit", "--no-verify", "-m", "Add it", code=1, CLAUDECODE="1")
    colleague.run(top, "git", "rm", "-q", "--cached", "-f", ".env")
    _written(colleague, top, {"a.txt": "a\n"})
    colleague.run(top, "git", "commit", "-qm", "Add a file")


def test_the_steps_of_the_workflow_run_as_they_are_written(project: Path, place: Path, first: Machine) -> None:
    text = (project / WORKFLOW).read_text()
    forge = _machine(place, "forge")
    folder, machine = forge.folder, forge.variables
    checked_out(project, folder, "HEAD")
    job = github(text, "rules", folder, base=first.run(project, "git", "rev-parse", "HEAD~1").strip(), machine=machine)
    assert job.code == 0, job.said
    assert "changed=yes" in job.files["GITHUB_OUTPUT"]
    other = _machine(place, "second")
    shutil.copy(folder / "change.tar", other.folder)
    checked = github(text, "rulebook", other.folder, base="nowhere", machine=other.variables)
    assert checked.code == 0, checked.said

    first.run(project, "git", "checkout", "-qb", "bad")
    _written(first, project, {".env": "KEY=1\n"})
    first.run(project, "git", "commit", "-qnm", "Add it")
    first.run(project, "git", "checkout", "-q", "main")
    first.run(folder / "head", "git", "fetch", "-q", "origin", "bad")
    first.run(folder / "head", "git", "worktree", "remove", "--force", "../base")
    first.run(folder / "head", "git", "checkout", "-q", "--detach", "FETCH_HEAD")
    job = github(text, "rules", folder, base=first.run(project, "git", "rev-parse", "main").strip(), machine=machine)
    assert job.code == 1
    assert ".env" in job.said


def test_a_folder_stands_for_its_remote_once_the_remote_has_its_commit(place: Path, rulec_clone: Path) -> None:
    machine = _machine(place, "folder")
    machine.run(rulec_clone, "git", "commit", "-q", "--allow-empty", "-m", "Not pushed")
    machine.run(rulec_clone, "python", "-I", "-m", "pip", "install", "-q", ".")
    top = place / "local"
    said = _project(machine, top)
    assert "which origin lacks as far as is known here" in said
    assert f"git -C {rulec_clone} push origin, then rulec init" in said
    assert "install" not in yaml.safe_load((top / ".rules/config.yaml").read_text())
    entry = yaml.safe_load((top / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"][0]["entry"]
    assert entry == "sh .rules/hook git check --staged"
    assert "pip install rulec" not in "".join(
        path.read_text() for path in top.rglob("*") if path.suffix in (".yml", ".yaml")
    )
    machine.run(top, "git", "add", "-A")
    machine.run(top, "git", "commit", "-qm", "Set up rulec")

    machine.run(rulec_clone, "git", "push", "-q", "origin", "main")
    assert "others install git+file://" in machine.run(top, "rulec", "init", "--yes")
    settings = yaml.safe_load((top / ".rules/config.yaml").read_text())
    assert settings["install"] == f"git+file://{place}/rulec.git@{_commit(rulec_clone)}"
    machine.run(top, "git", "add", "-A")
    machine.run(top, "git", "commit", "-qm", "Take rulec from its remote")  # init's own value loosens nothing
    config = top / ".rules/config.yaml"
    config.write_text(config.read_text().replace("rulec.git@", "other.git@"))
    machine.run(top, "rulec", "compile")
    machine.run(top, "git", "add", "-A")
    said = machine.run(top, "git", "commit", "-qm", "Take it from elsewhere", code=1, CLAUDECODE="1")
    assert "others install git+file://" in said
