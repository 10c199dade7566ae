import subprocess
import sys
from dataclasses import replace

import pytest
import yaml

from rulec.compiling.compile_planning import make_plan
from rulec.domain.prompt import ModelSettings
from rulec.domain.rule import Check, Rule
from rulec.integrations.targets import github_actions, gitlab_ci
from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook

from .support import PLAN, render

SOURCE = "git+https://example.com/rulec@1"
ASKS = replace(PLAN, asks=True, install=SOURCE)
KEY = "ANTHROPIC_API_KEY"


def text(plug, wanted=ASKS):
    return next(artifact.text for artifact in plug.emit(wanted, render, {}))


def jobs(plug, wanted=ASKS):
    found = yaml.safe_load(text(plug, wanted))
    return found["jobs"] if plug is github_actions.PLUG else found


def steps(job):
    return jobs(github_actions.PLUG)[job]["steps"]


@pytest.mark.parametrize(
    ("plug", "schema"),
    [(github_actions.PLUG, "vendor.github-workflows"), (gitlab_ci.PLUG, "vendor.gitlab-ci")],
)
def test_what_asks_judges_keeps_to_the_published_schema(tmp_path, plug, schema):
    (tmp_path / "rules.yml").write_text(text(plug))
    argv = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, "rules.yml"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("plug", [github_actions.PLUG, gitlab_ci.PLUG])
def test_a_rulebook_without_judges_has_no_key_and_no_cache(plug):
    plain = text(plug, PLAN)
    assert KEY not in plain
    assert "cache" not in plain
    assert "anthropic" not in plain


def test_one_step_of_the_trusted_job_has_the_key():
    holders = [s["name"] for job in jobs(github_actions.PLUG) for s in steps(job) if KEY in str(s)]
    assert holders == ["Check the change against the rules of its base"]
    (check,) = [step for step in steps("rules") if KEY in str(step)]
    assert check["env"] == {KEY: "${{ secrets.ANTHROPIC_API_KEY }}"}
    assert "--judge-cache ../verdicts" in check["run"]
    assert text(github_actions.PLUG).count("secrets.") == 1
    assert KEY not in str(yaml.safe_load(text(github_actions.PLUG))["env"])


def test_the_job_that_runs_what_a_change_brings_never_sees_key_nor_verdicts():
    assert not {"cache", "verdicts", KEY, "env"} & set(
        str(jobs(github_actions.PLUG)["rulebook"]).replace("'", " ").split()
    )
    other = jobs(gitlab_ci.PLUG)["rulec-rulebook"]
    assert "environment" not in other
    assert "cache" not in other
    assert other["script"][0] == f"unset {KEY}"


def test_what_asks_a_model_is_installed_from_the_base_alone():
    (install,) = [step for step in steps("rules") if "pip install" in step.get("run", "")]
    assert install["working-directory"] == "base"
    assert install["run"] == f'python -I -m pip install {SOURCE} "rulec[anthropic]"'
    (other,) = [step for step in steps("rulebook") if "pip install" in step.get("run", "")]
    assert other["run"] == f"python -I -m pip install {SOURCE}"
    scripts = {name: " ".join(job["script"]) for name, job in jobs(gitlab_ci.PLUG).items() if "script" in job}
    assert [name for name, script in scripts.items() if "rulec[anthropic]" in script] == ["rulec-rules"]


def test_the_cache_is_of_base_and_head_lies_beside_the_change_and_is_no_forks():
    cached = [step for step in steps("rules") if "actions/cache" in step.get("uses", "")]
    assert [step["uses"].split("@")[0] for step in cached] == ["actions/cache/restore", "actions/cache/save"]
    assert {step["uses"].split("@")[1] for step in cached} == {"0400d5f644dc74513175e3cd8d07132dd4860809"}
    assert {step["with"]["path"] for step in cached} == {"verdicts"}  # the checkout is head/
    (key,) = {step["with"]["key"] for step in cached}
    assert "env.BASE_SHA" in key
    assert "github.event.pull_request.head.sha || github.sha" in key
    assert "head.repo.full_name == github.repository" in cached[0]["if"]


def test_one_job_of_gitlabs_has_the_key_and_the_verdicts():
    job = jobs(gitlab_ci.PLUG)["rulec-rules"]
    assert job["cache"]["paths"] == [".rulec-verdicts"]
    assert "--judge-cache .rulec-verdicts" in " ".join(job["script"])
    assert job["environment"] == {"name": "rulec-judges", "action": "access"}


JUDGED = Rule(slug="be-plain", statement="Plain names.", checks=(Check(kind="judge", template="judge"),))


@pytest.mark.parametrize(
    ("rules", "models", "asks"),
    [
        ((JUDGED,), ModelSettings(backend="anthropic"), True),
        ((JUDGED,), ModelSettings(backend="anthropic", judges=("commit",)), False),
        ((JUDGED,), ModelSettings(backend="claude-cli"), False),
        ((JUDGED,), ModelSettings(), False),
        ((replace(JUDGED, checks=()),), ModelSettings(backend="anthropic"), False),
    ],
)
def test_ci_asks_where_there_are_judges_and_the_team_says_so(rules, models, asks):
    assert make_plan(Rulebook(rules=rules, config=Config(models=models))).asks is asks
