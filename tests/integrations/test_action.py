"""action.yml: by its published schema, pinned, and with nothing that a stranger names in a shell."""

import re
import subprocess
import sys
from pathlib import Path

import yaml

from rulec.integrations.targets.github_actions import PLUG
from tests.integrations.support import emitted
from tests.support.plugin_files import ROOT

PATH = ROOT / "action.yml"
CI_PAGE = ROOT / "docs/ci.md"
ACTION = yaml.safe_load(PATH.read_text())
STEPS = ACTION["runs"]["steps"]


def test_it_keeps_to_the_published_schema() -> None:
    argv = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", str(PATH)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_in_the_documentation_keeps_to_its_schema_and_gives_no_more_than_is_needed(tmp_path: Path) -> None:
    (example,) = re.findall(r"<!-- file: examples/rules.yml -->\n```yaml\n(.*?)```", CI_PAGE.read_text(), re.DOTALL)
    (tmp_path / "rules.yml").write_text(example)
    argv = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", "rules.yml"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    workflow = yaml.safe_load(example)
    assert workflow["permissions"] == {}
    wanted = {"contents": "read", "pull-requests": "write", "security-events": "write"}
    assert workflow["jobs"]["rules"]["permissions"] == wanted


def test_every_action_is_pinned_and_no_credential_stays_behind() -> None:
    uses = [step["uses"] for step in STEPS if "uses" in step]
    assert uses
    assert all(len(use.partition("@")[2]) == 40 for use in uses)
    assert next(step["with"]["persist-credentials"] for step in STEPS if "checkout" in step.get("uses", "")) is False


def test_nothing_that_a_stranger_names_reaches_a_shell() -> None:
    assert all("${{" not in step.get("run", "") for step in STEPS)


def test_only_the_step_that_comments_has_the_token() -> None:
    assert [step["name"] for step in STEPS if "token" in str(step.get("env", {})).lower()] == ["Write the comment"]


def test_a_finding_fails_the_job_and_what_reports_it_never_does() -> None:
    by_name = {step.get("name"): step for step in STEPS}
    check = by_name["Check the change against the rules of its base"]
    assert not {"if", "continue-on-error"} & check.keys()
    for name in ("Upload the findings to code scanning", "Write the comment"):
        assert by_name[name]["continue-on-error"] is True


def test_it_begins_as_the_workflow_does_that_init_writes() -> None:
    jobs = yaml.safe_load(emitted(PLUG, None))["jobs"]
    common = jobs["rules"]["steps"][:3]
    assert [{**step} for step in STEPS[1:4]] == [step | ({"shell": "bash"} if "run" in step else {}) for step in common]
