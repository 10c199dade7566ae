import subprocess
import sys
from dataclasses import replace

import pytest
import yaml

from rulec import __version__
from rulec.emitters.github_actions import PATH, PLUG, emit
from rulec.errors import RulecError

from .support import PLAN, emitted, owes_nothing, removed, render


def workflow(text):
    data = yaml.safe_load(text)
    return data, data["jobs"]["rules"]["steps"]


def test_the_workflow_keeps_to_the_published_schema(tmp_path):
    (tmp_path / "rules.yml").write_text(owes_nothing(PLUG, None))
    argv = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", "rules.yml"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_may_only_read_and_pins_what_it_runs():
    data, steps = workflow(emitted(PLUG, None))
    assert data["permissions"] == {"contents": "read"}
    uses = [step["uses"] for step in steps if "uses" in step]
    assert uses
    assert all(len(use.partition("@")[2]) == 40 for use in uses)
    assert steps[0]["with"] == {"fetch-depth": 0, "persist-credentials": False}
    assert data["jobs"]["rules"]["timeout-minutes"] > 0


def test_nothing_that_a_stranger_names_reaches_a_shell():
    _, steps = workflow(emitted(PLUG, None))
    assert all("${{" not in step.get("run", "") for step in steps)
    commands = [step["run"] for step in steps if "run" in step]
    install = f"python -m pip install rulec=={__version__}"
    assert commands == [install, 'rulec check --base "$BASE"', "rulec compile --check", "rulec test"]


def test_pull_requests_and_pushes_to_the_default_branch_are_held_to_the_rules():
    data, _ = workflow(emitted(PLUG, None))
    assert set(data[True]) == {"pull_request", "merge_group", "push"}  # YAML 1.1 reads `on` as true
    assert "main" in data[True]["push"]["branches"]


def test_what_is_installed_can_be_said_otherwise():
    (artifact,) = emit(replace(PLAN, install='./x "y": z'), render, {})
    _, steps = workflow(artifact.text)
    assert steps[2]["run"] == 'python -m pip install ./x "y": z'


def test_another_workflow_of_that_name_is_never_overwritten():
    theirs = "name: rules\non: push\n"
    with pytest.raises(RulecError) as refusal:
        emitted(PLUG, theirs)
    assert refusal.value.where == f"{PATH}:1"
    assert removed(PLUG, theirs) == theirs


def test_ours_is_written_anew_whatever_became_of_it():
    text = emitted(PLUG, None)
    assert emitted(PLUG, text.replace("\n", "\r\n") + "# more\n") == text
