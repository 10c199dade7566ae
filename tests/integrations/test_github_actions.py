import subprocess
import sys
from dataclasses import replace

import pytest
import yaml

from rulec import registry
from rulec.errors import RulecError
from rulec.integrations.ci_context import GATED
from rulec.integrations.targets.github_actions import PATH, PLUG, emit

from .support import PLAN, emitted, owes_nothing, removed, render

INSTALLED = replace(PLAN, install="git+https://example.com/rulec@1")


def workflow():
    return yaml.safe_load(emitted(PLUG, None, INSTALLED))


def steps(key):
    return [step[key] for job in workflow()["jobs"].values() for step in job["steps"] if key in step]


def test_the_workflow_keeps_to_the_published_schema(tmp_path):
    (tmp_path / "rules.yml").write_text(owes_nothing(PLUG, None))
    argv = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", "rules.yml"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_job_that_judges_may_only_read_and_the_one_that_proves_may_nothing():
    data = workflow()
    assert data["permissions"] == {}
    assert data["jobs"]["rules"]["permissions"] == {"contents": "read"}
    assert data["jobs"]["rulebook"]["permissions"] == {}
    assert all(job["timeout-minutes"] > 0 for job in data["jobs"].values())
    assert "secrets" not in emitted(PLUG, None).replace("no secrets", "")


def test_every_action_is_pinned_and_no_credential_stays_behind():
    uses = steps("uses")
    assert uses
    assert all(len(use.partition("@")[2]) == 40 for use in uses)
    checkout = workflow()["jobs"]["rules"]["steps"][0]["with"]
    assert checkout == {"path": "head", "fetch-depth": 0, "persist-credentials": False}


def test_nothing_that_a_stranger_names_reaches_a_shell():
    assert all("${{" not in run for run in steps("run"))


def test_pull_requests_and_pushes_to_the_default_branch_are_held_to_the_rules():
    on = workflow()[True]  # YAML 1.1 reads `on` as true
    assert set(on) == {"pull_request", "merge_group", "push"}
    assert "main" in on["push"]["branches"]


def test_the_job_that_may_read_installs_what_the_base_has():
    for name, folder in (("rules", "base"), ("rulebook", "head")):
        (install,) = [s for s in workflow()["jobs"][name]["steps"] if "pip install" in s.get("run", "")]
        assert install["working-directory"] == folder
        assert install["run"] == "python -I -m pip install git+https://example.com/rulec@1"


def test_without_a_source_the_jobs_fail_and_install_no_name(tmp_path):
    (artifact,) = emit(PLAN, render, {})
    jobs = yaml.safe_load(artifact.text)["jobs"].values()
    runs = [step["run"] for job in jobs for step in job["steps"] if step.get("name", "").startswith("Install rulec")]
    for run in runs:
        done = subprocess.run(["bash", "-e", "-c", run], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, "install" in done.stderr, "pip install rulec" in run) == (1, True, False)
    assert len(runs) == len(jobs)


def test_what_is_installed_can_be_said_otherwise():
    (artifact,) = emit(replace(PLAN, install='./x "y": z'), render, {})
    jobs = yaml.safe_load(artifact.text)["jobs"].values()
    runs = [step["run"] for job in jobs for step in job["steps"] if "pip install" in step.get("run", "")]
    assert runs == ['python -I -m pip install ./x "y": z'] * 2


def test_a_change_of_any_file_that_rulec_has_a_part_in_is_proved_again():
    files = [path for emitter in registry.emitters().values() for path in emitter.files]
    assert files
    assert [f for f in files if not any(f == path or f.startswith(f"{path}/") for path in GATED)] == []


def test_another_workflow_of_that_name_is_never_overwritten():
    theirs = "name: rules\non: push\n"
    with pytest.raises(RulecError) as refusal:
        emitted(PLUG, theirs)
    assert refusal.value.where == f"{PATH}:1"
    assert removed(PLUG, theirs) == theirs


def test_ours_is_written_anew_whatever_became_of_it():
    text = emitted(PLUG, None)
    assert emitted(PLUG, text.replace("\n", "\r\n") + "# more\n") == text


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        ([], True),
        (["README.md"], True),
        ([".gitlab-ci.yml"], False),
        ([".gitlab-ci.yml", ".github/workflows/ci.yml"], True),
    ],
)
def test_a_repository_of_gitlabs_gets_it_only_where_github_is_there_too(paths, wanted):
    assert PLUG.when_init(paths) is wanted
