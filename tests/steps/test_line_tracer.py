"""The note of executed lines: the same in every Python, in threads and in programs that the tests start."""

import os
import shutil
import subprocess
from pathlib import Path

from rulec.infra.test_runs import line_tracer
from tests.hook.test_hook import PYTHONS

MODULE = (
    "LIMIT = 3\n\n\ndef called():\n    return LIMIT\n\n\ndef inner():\n    return 4\n\n\ndef never():\n    return 5\n"
)
PROGRAM = (
    "import subprocess, sys, threading\nimport module\n"
    "thread = threading.Thread(target=module.called)\nthread.start()\nthread.join()\n"
    "subprocess.run([sys.executable, '-c', 'import module; module.inner()'], check=True)\n"
)


def _lines(python: Path, folder: Path) -> set[int]:
    for name, text in {"module.py": MODULE, "program.py": PROGRAM}.items():
        (folder / name).write_text(text)
    tool = folder / "tool"
    tool.mkdir()
    shutil.copy(line_tracer.__file__, tool / "sitecustomize.py")
    traced = os.pathsep.join(map(str, [folder / "module.py", folder / "other.py"]))
    env = {
        "PYTHONPATH": f"{tool}{os.pathsep}{folder}", "PYTHONDONTWRITEBYTECODE": "1",
        "RULEC_TRACED_FILES": traced, "RULEC_TRACED_LINES": str(folder / "lines"),
    }  # fmt: skip
    subprocess.run([python, folder / "program.py"], env=env, cwd=folder, check=True)
    rows = [line.split("\t") for line in (folder / "lines").read_text().splitlines()]
    assert sum(name == "start" for _, name in rows) == 2
    assert not any(name == "lost" for _, name in rows)
    return {int(line) for line, name in rows if name == str(folder.resolve() / "module.py")}


def test_every_python_notes_the_same_lines(tmp_path: Path) -> None:
    found = {}
    for python in PYTHONS:
        folder = tmp_path / python.parts[-3]
        folder.mkdir()
        found[str(python)] = _lines(python, folder)
    assert found == {str(python): {1, 4, 5, 8, 9, 12} for python in PYTHONS}
