import subprocess
import sys
from dataclasses import replace

import pytest
import yaml

from rulec.integrations.targets import github_actions, gitlab_ci
from rulec.rulebook.config import parse_config

from .support import PLAN, render

SOURCE = "git+https://example.com/rulec@1"
SUITES = (("unit", "", ("pip install -e '.[test]'",)), ("web", "the web", ("npm ci", "npm run build")))
TESTS = replace(PLAN, install=SOURCE, suites=SUITES)
PLUGS = [(github_actions.PLUG, "vendor.github-workflows"), (gitlab_ci.PLUG, "vendor.gitlab-ci")]


def text(plug, wanted=TESTS):
    return next(artifact.text for artifact in plug.emit(wanted, render, {}))


@pytest.mark.parametrize(("plug", "schema"), PLUGS)
@pytest.mark.parametrize("asks", [False, True])
def test_what_runs_suites_keeps_to_the_published_schema(tmp_path, plug, schema, asks):
    (tmp_path / "rules.yml").write_text(text(plug, replace(TESTS, asks=asks)))
    argv = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, "rules.yml"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("plug", "_"), PLUGS)
def test_without_suites_no_job_runs_any(plug, _):
    plain = text(plug, replace(PLAN, install=SOURCE))
    assert "--tests" not in plain
    assert "proofs" not in plain


def test_the_suites_run_in_a_job_of_their_own_without_secrets():
    data = yaml.safe_load(text(github_actions.PLUG, replace(TESTS, asks=True)))
    job = data["jobs"]["proofs"]
    assert job["permissions"] == {"contents": "read"}
    assert "secrets" not in str(job)
    assert job["steps"][0]["with"] == {"path": "head", "fetch-depth": 0, "persist-credentials": False}
    told = [(step.get("working-directory"), step["run"]) for step in job["steps"] if "run" in step]
    assert told[1:-1] == [
        ("base", f"python -I -m pip install {SOURCE}"), ("head", "pip install -e '.[test]'"),
        ("head/the web", "npm ci"), ("head/the web", "npm run build"),
    ]  # fmt: skip
    assert told[-1][1].startswith('rulec check --base "$BASE" --tests alone ')
    (judging,) = [step["run"] for step in data["jobs"]["rules"]["steps"] if "rulec check" in step.get("run", "")]
    assert "--tests elsewhere" in judging


def test_gitlab_runs_them_beside_the_rules():
    data = yaml.safe_load(text(gitlab_ci.PLUG, replace(TESTS, asks=True)))
    script = data["rulec-proofs"]["script"]
    assert script[0] == "unset ANTHROPIC_API_KEY"
    assert "(cd ./'the web' && npm ci)" in script
    assert next(line for line in script if "rulec check" in line).startswith(
        "rulec check --base refs/rulec/base --tests alone "
    )
    assert any("--tests elsewhere" in line for line in data["rulec-rules"]["script"])


def test_setup_is_commands_alone():
    config = "schema: 1\ntests: {{unit: {{run: [pytest], report: junit, setup: [{}]}}}}\n"
    (suite,) = parse_config(config.format("npm ci"), source="c").tests
    assert suite.setup == ("npm ci",)
    for odd in ('"${{ secrets.X }}"', '"a\\nb"', '" "'):
        with pytest.raises(Exception, match="holds what is no command"):
            parse_config(config.format(odd), source="c")
