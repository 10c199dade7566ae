"""What one clean commit costs, stage by stage as pre-commit's hooks run it: ``bench entered [list]``.

Sixteen rules of every kind, ten clean files; Semgrep looks at all of them. Printed are the modules of rulec in which a
function was called, the processes (this one, git's, Semgrep's and the scripts'), CPU seconds and, with ``list``, all
their names. Loading a module does not count.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from evaluation.bench._gated import git
from evaluation.bench.gates import RULEC, cpu
from evaluation.bench.idle import TEMPLATES, repository
from rulec.agents.protocol.agent_spec import all_agents

FILES, ROUNDS = 10, 7
STAGES = {
    "pre-commit": ["check", "--staged"],
    "prepare-commit-msg": ["hook", "prepare"],
    "the same, of an agent": ["hook", "prepare"],
    "commit-msg": ["check", "--message", ".git/COMMIT_EDITMSG"],
}
_FOUND_IN_ANY_FILE = {"max-lines", "companion", "require-text"}
_CLEAN = (
    '"""Part {0} of the work."""\n\n\ndef part_{0}(value):\n    """Give the value and {0}."""\n    return value + {0}\n'
)
_COUNT = """
import atexit, json, os, sys, threading
import rulec
room = os.path.dirname(rulec.__file__) + os.sep
entered, started = set(), []
def called(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(room):
        above = frame.f_back  # a decorator or a class body runs while its module is loaded
        while above is not None and above.f_code.co_name != "<module>":
            above = above.f_back
        if above is None or above.f_code.co_filename == "<string>" or "runpy" in above.f_code.co_filename:
            entered.add(code.co_filename)
def heard(event, details):
    if event in ("subprocess.Popen", "os.posix_spawn", "os.fork", "os.exec"):
        started.append(str(details[1] if event == "subprocess.Popen" else details[0]))
def told():
    sys.setprofile(None)
    names = sorted(name.removeprefix(room) for name in entered)
    with open(NOTE, "w") as file:
        json.dump({"modules": names, "processes": started}, file)
atexit.register(told)
sys.addaudithook(heard)
from rulec.__main__ import main
sys.argv = ["rulec", *ARGUMENTS]
threading.setprofile(called)
sys.setprofile(called)
main()
"""


def staged(folder: Path) -> Path:
    """A repository whose commit no rule refuses."""
    top = repository(folder / "repo", [name for name in TEMPLATES if name not in _FOUND_IN_ANY_FILE])
    for number in range(FILES):
        (top / f"part_{number}.py").write_text(_CLEAN.format(number))
    git(top, "add", "-A")
    (top / ".git/COMMIT_EDITMSG").write_text("feat: add ten parts\n")
    return top


def counted(top: Path, arguments: list[str], environment: dict[str, str]) -> tuple[list[str], list[str]]:
    """The modules that one stage enters, and the processes that it starts."""
    note = top.parent / "note.json"
    code = f"NOTE, ARGUMENTS = {str(note)!r}, {arguments!r}\n{_COUNT}"
    argv = [sys.executable, "-c", code]
    done = subprocess.run(argv, cwd=top, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{arguments}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    found = json.loads(note.read_text())
    return found["modules"], found["processes"]


def main(listed: str = "") -> None:
    """Make the repository, run each stage, print."""
    agents = {name for agent in all_agents() for name in agent.runs_with}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        people = {key: value for key, value in os.environ.items() if key not in agents}
        people |= {"HOME": name, "XDG_CONFIG_HOME": str(folder / "config"), "GIT_CONFIG_NOSYSTEM": "1"}
        people |= {f"GIT_{who}_NAME": "Dev" for who in ("AUTHOR", "COMMITTER")}
        people |= {f"GIT_{who}_EMAIL": "dev@example.com" for who in ("AUTHOR", "COMMITTER")} | {"PRE_COMMIT": "1"}
        os.environ.clear()
        os.environ.update(people)
        top = staged(folder)
        subprocess.run([*RULEC, "check", "--staged"], cwd=top, check=True)  # what Semgrep's rules need is learned once
        for stage, arguments in STAGES.items():
            around = people | ({"CLAUDECODE": "1"} if stage.endswith("agent") else {})
            modules, processes = counted(top, arguments, around)
            spent = statistics.median(cpu([*RULEC, *arguments], top) for _ in range(ROUNDS))
            print(f"{stage:24} {len(modules):3} modules, {1 + len(processes)} processes, {spent:.2f} s")
            for one in [*modules, *processes] if listed else ():
                print(f"    {one[:150]}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
