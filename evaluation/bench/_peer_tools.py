"""How each tool of the comparison is set up in a repository, with the rules that its own way made for a task."""

import json
import os
import resource
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.experiment.books import answers_for, draft_rules
from evaluation.experiment.places import SET_UP, Place
from evaluation.experiment.players import SETTINGS
from evaluation.experiment.scripted import instruction_document
from evaluation.experiment.tasks import Task
from rulec.infra.processes import ToolResult

DOCUMENT = "AGENTS.md"
HOOK_TYPES = ("pre-commit", "commit-msg", "pre-push")
PRE_COMMIT = (sys.executable, "-m", "pre_commit")


def children_seconds() -> float:
    """The processor time of all that this process ran so far: other work on the machine changes it little."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True, slots=True)
class TimedPlace(Place):
    """A place that keeps the processor time of its commits, git hooks included."""

    commits: list[float] = field(default_factory=list)

    def run(self, *argv: str, stdin: bytes = b"") -> ToolResult:
        """Run a command in the repository."""
        start = children_seconds()
        done = Place.run(self, *argv, stdin=stdin)
        if argv[:2] == ("git", "commit") and "--no-verify" not in argv:
            self.commits.append(children_seconds() - start)
        return done


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What a tool has for a task."""

    rules: bool = False  # whether it has a rule at all
    slugs: tuple[str, ...] = ()  # the names by which its refusals are told from others, () where all are of rules
    refused: tuple[str, ...] = ()  # why a rule was not taken


Install = Callable[[TimedPlace, Task, Path, Path], Installed]  # place, task, the folder of its rules, the tool's path


def install_document(place: TimedPlace, task: Task, _rules: Path, _tool: Path) -> Installed:
    """The correction as a line of the instruction document, and nothing that checks it."""
    _add_to_document(place, instruction_document([task]))
    return Installed(rules=True)


def install_hookify(place: TimedPlace, _task: Task, rules: Path, tool: Path) -> Installed:
    """Its rule files, and the hooks of its plugin."""
    files = sorted(rules.glob("*.local.md"))
    place.write({f".claude/hookify.{path.name.removeprefix('hookify.')}": path.read_text("utf-8") for path in files})
    _register_plugin(place, tool, {})
    return Installed(rules=bool(files))


def install_tellonce(place: TimedPlace, _task: Task, rules: Path, tool: Path) -> Installed:
    """Its memory files, and the hooks of its plugin in the mode that refuses."""
    files = sorted(rules.glob("*.md"))
    memory = place.home / ".claude" / "projects" / str(place.top).replace("/", "-") / "memory"
    memory.mkdir(parents=True)
    for path in files:
        shutil.copy(path, memory)
    _register_plugin(place, tool, {"PT_ENFORCE": "1"})
    return Installed(rules=bool(files))


def install_obey(place: TimedPlace, _task: Task, rules: Path, tool: Path) -> Installed:
    """The checks that it extracts from the instruction document, its hooks and its git hooks."""
    document = rules / DOCUMENT
    if not document.is_file():
        return Installed()
    _add_to_document(place, document.read_text("utf-8"))
    place.must(str(tool), "extract")
    place.must(str(tool), "enforce", "--targets", "claude,precommit")
    if not (place.top / ".obey/pre-commit").is_file():  # it found nothing to check
        return Installed()
    hooks = place.top / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "commit-msg"):
        (hooks / name).symlink_to("../../.obey/pre-commit")
    return Installed(rules=True)


def install_semgrep(place: TimedPlace, _task: Task, rules: Path, _tool: Path) -> Installed:
    """A configuration of pre-commit with the Semgrep rules that it names, in the git hooks."""
    if not (rules / ".pre-commit-config.yaml").is_file():
        return Installed()
    shutil.copytree(rules, place.top, dirs_exist_ok=True)
    place.must(*PRE_COMMIT, "install", *(word for kind in HOOK_TYPES for word in ("-t", kind)))
    return Installed(rules=True)


def install_rulec(place: TimedPlace, task: Task, _rules: Path, tool: Path) -> Installed:
    """The rules that a reader wrote, in a folder with a file for each task."""
    place.set_up_gates()
    drafted = draft_rules(task, place, tool)
    return Installed(rules=bool(drafted.checked), slugs=drafted.slugs, refused=drafted.refused)


TOOLS: Mapping[str, Install] = {
    "agents-md": install_document,
    "hookify": install_hookify,
    "tellonce": install_tellonce,
    "obey": install_obey,
    "semgrep": install_semgrep,
    "rulec": install_rulec,
}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of the comparison."""

    name: str
    path: Path  # what it is run from
    rules: Path  # the folder with the rules of all tools


def rule_files(tool: Tool, task: Task) -> list[Path]:
    """The files with a tool's rules of a task."""
    if tool.name == "rulec":
        return answers_for(task, tool.path)
    return sorted(path for path in (tool.rules / tool.name / task.id).rglob("*") if path.is_file())


def install(tool: Tool, place: TimedPlace, task: Task) -> Installed:
    """Set up a tool, and commit what that wrote."""
    installed = TOOLS[tool.name](place, task, tool.rules / tool.name / task.id, tool.path)
    place.commit_all(SET_UP)
    return installed


def see_own_programs() -> None:
    """Let hooks find semgrep beside this Python, after all that the machine has."""
    os.environ["PATH"] = os.pathsep.join((os.environ["PATH"], str(Path(sys.executable).parent)))


def _add_to_document(place: TimedPlace, text: str) -> None:
    document = place.top / DOCUMENT
    before = document.read_text("utf-8").rstrip("\n") + "\n\n" if document.is_file() else ""
    place.write({DOCUMENT: before + text})


def _register_plugin(place: TimedPlace, folder: Path, variables: Mapping[str, str]) -> None:
    """Put the hooks of a plugin into the settings, where Claude Code itself would add them from the plugin."""
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    given = {"CLAUDE_PLUGIN_ROOT": str(folder), **variables}
    exports = "".join(f"export {name}={shlex.quote(value)}; " for name, value in given.items())
    for group in (group for groups in hooks.values() for group in groups):
        for hook in group["hooks"]:
            hook["command"] = exports + hook["command"]
    place.write({SETTINGS: json.dumps({"hooks": hooks}, indent=2) + "\n"})
