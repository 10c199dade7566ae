"""The shell parts of emitted workflows, run as the forge runs them; what its actions do is done here by hand."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.support.world import run

ALWAYS = "!cancelled()"


@dataclass
class Job:
    """One job's machine: its folder, and what its steps said."""

    folder: Path
    code: int = 0
    said: str = ""
    files: dict[str, str] = field(default_factory=dict)  # what it wrote for the forge


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A machine on which python is the one that has rulec, and nothing is fetched."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_DIR"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**bare, "PATH": path, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more, "PWD": str(folder)}


def shell(script: str, folder: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """A step's script, as both forges give it to bash."""
    argv = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(argv, cwd=folder, env=dict(env), capture_output=True, text=True, check=False)


def github(
    text: str, name: str, folder: Path, *, base: str, secrets: Mapping[str, str] | None = None,
    machine: Mapping[str, str] | None = None,
) -> Job:  # fmt: skip
    """Every ``run`` of a job of .github/workflows/rules.yml; the steps of actions have been done before.

    A secret reaches the steps that name it, and is empty where the repository has none of that name. ``machine`` are
    variables of another machine than the one that has rulec already.
    """
    data: dict[str, Any] = yaml.safe_load(text)
    told = {key: folder / key.lower() for key in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    fixed = {key: value for key, value in data["env"].items() if key != "BASE"}
    given_by_forge = {**fixed, "BASE": base, **{key: str(path) for key, path in told.items()}}
    env = {**machine, **given_by_forge} if machine else environment(folder, **given_by_forge)
    job = Job(folder)
    for step in data["jobs"][name]["steps"]:
        if "run" not in step or (job.code and ALWAYS not in step.get("if", "")):
            continue
        for path in told.values():
            path.write_text("")
        given = {key: _secret(value, secrets or {}) for key, value in step.get("env", {}).items()}
        done = shell(step["run"], folder / step.get("working-directory", "."), {**env, **given})
        job.code = job.code or done.returncode
        job.said += done.stdout + done.stderr
        for key, path in told.items():
            job.files[key] = job.files.get(key, "") + path.read_text()
    return job


def _secret(value: str, secrets: Mapping[str, str]) -> str:
    named = re.fullmatch(r"\$\{\{ secrets\.(\w+) \}\}", value)
    return secrets.get(named[1], "") if named else value


def gitlab(text: str, name: str, folder: Path, variables: Mapping[str, str]) -> Job:
    """before_script and script of a job of .gitlab/rules.yml, in one shell as GitLab's runner has it."""
    data: dict[str, Any] = yaml.safe_load(text)
    env = environment(folder, **data[".rulec"]["variables"], **variables)
    done = shell("\n".join([*data[".rulec"]["before_script"], *data[name]["script"]]), folder, env)
    return Job(folder, done.returncode, done.stdout + done.stderr)


def checked_out(top: Path, folder: Path, revision: str) -> Path:
    """What the action checkout leaves behind: a full clone with its HEAD on a commit and no branch."""
    run(folder, "clone", "-q", "--no-checkout", f"file://{top}", "head")
    run(folder / "head", "fetch", "-q", "origin", revision)
    run(folder / "head", "checkout", "-q", "--detach", revision)
    return folder / "head"
