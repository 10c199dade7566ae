"""What runs of Python tests in a copy of the repository need: its own modules first, and a note of executed lines."""

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rulec.checkout import private_files
from rulec.errors import RulecError
from rulec.infra.processes import run_tool
from rulec.infra.test_runs import line_tracer
from rulec.infra.test_runs.run_folders import run_folder
from rulec.infra.test_runs.suite_programs import clean_environment, find_program
from rulec.rulebook.test_suites import Suite

_SECONDS = 20.0  # for the interpreter to say where it finds modules
_LARGEST = 64 * 2**20  # bytes of the note of lines
_MOST_TRACED = 300  # files
# Where the interpreter finds what is installed in place: .pth files add folders, newer ones a finder with a mapping.
_ASK = (
    "import json, os, sys; found = list(sys.path); "
    "[found.extend(os.path.dirname(str(path)) for path in "
    "(getattr(sys.modules.get(getattr(one, '__module__', '')), 'MAPPING', None) or {}).values()) "
    "for one in sys.meta_path]; print(json.dumps(found))"
)


@dataclass(frozen=True, slots=True)
class ExecutedLines:
    """The lines of the wanted files that a run executed; ``known`` is false where nobody can tell."""

    known: bool
    lines: Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class LineNote:
    """A run's variables, by which its interpreters note what they execute, and where they do."""

    environment: Mapping[str, str]
    place: Path
    tree: Path

    def read(self) -> ExecutedLines:
        """What was noted, by path in the repository."""
        data = private_files.read_file(str(self.place), _LARGEST) or b""
        found: dict[str, set[int]] = {}
        started = lost = False
        for row in data.decode("utf-8", "surrogateescape").splitlines():
            line, _, name = row.partition("\t")
            started, lost = started or name == "start", lost or name == "lost"
            if line.isdigit() and int(line) and Path(name).is_relative_to(self.tree):
                found.setdefault(Path(name).relative_to(self.tree).as_posix(), set()).add(int(line))
        return ExecutedLines(started and not lost, {path: frozenset(lines) for path, lines in found.items()})


@contextmanager
def traced(top: Path, tree: Path, suite: Suite, paths: Iterable[str]) -> Iterator[LineNote]:
    """Variables for a run in a copy of the repository that notes the executed lines of some files."""
    with run_folder() as folder:
        shutil.copy(line_tracer.__file__, folder / "sitecustomize.py")
        wanted = os.pathsep.join(str(tree / path) for path in list(paths)[:_MOST_TRACED])
        own = dict(suite.environment).get("PYTHONPATH", "")
        places = [str(folder), *_module_folders(top, tree, suite), *filter(None, own.split(os.pathsep))]
        variables = {
            "PYTHONPATH": os.pathsep.join(places), "PYTHONDONTWRITEBYTECODE": "1", "UV_NO_SYNC": "1",
            "RULEC_TRACED_FILES": wanted, "RULEC_TRACED_LINES": str(folder / "lines"),
        }  # fmt: skip
        yield LineNote(variables, folder / "lines", tree)


def _module_folders(top: Path, tree: Path, suite: Suite) -> list[str]:
    """The folders of the copy that stand for those from which the interpreter would import the original."""
    interpreter = _interpreter(top, suite)
    if not interpreter:
        return [str(tree / "src")] if (tree / "src").is_dir() else []
    try:
        said = run_tool([interpreter, "-I", "-c", _ASK], cwd=top, seconds=_SECONDS, environment={"PYTHONPATH": ""})
        listed = json.loads(said.text) if said.code == 0 else []
    except (ValueError, RulecError):
        return []
    found = []
    for text in listed if isinstance(listed, list) else []:
        for above in {top, top.resolve()}:
            if Path(str(text)).is_relative_to(above):
                inside = Path(str(text)).relative_to(above)
                if not any(part in ("site-packages", "dist-packages", "bin") for part in inside.parts):
                    found.append(str(tree / inside))
    return list(dict.fromkeys(found))


def _interpreter(top: Path, suite: Suite) -> str:
    """The Python that runs a suite: its program, or the one that its program's first line names."""
    try:
        program = find_program(top, suite)
    except RulecError:
        return ""
    if re.fullmatch(r"python[\d.]*|pypy[\d.]*", program.name):
        return str(program)
    try:
        with program.open("rb") as file:
            first = file.readline(1_000)
    except OSError:
        return ""
    words = first[2:].decode("utf-8", "replace").split() if first.startswith(b"#!") else []
    if words and Path(words[0]).name == "env":
        path = clean_environment(top, top, suite)["PATH"]
        words = [shutil.which(words[1], path=path) or ""] if len(words) > 1 else []
    return words[0] if words and "python" in Path(words[0]).name else ""
