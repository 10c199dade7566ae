"""The emitted workflows, their shell parts run for real: the base's rules judge, and nothing of the change is run."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.support.gates import without_source
from tests.support.workflow import Job, checked_out, github, gitlab
from tests.support.world import act, at_home, copy, founded, run

GITHUB, GITLAB = ".github/workflows/rules.yml", ".gitlab/rules.yml"
BAD, GOOD = "def go(name):\n    print(name)\n", "def go(name):\n    return name\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with at_home(tmp_path_factory.mktemp("home")):
        wish = "Never use print in Python code; use logging instead"
        top = founded(tmp_path_factory.mktemp("made") / "repo", wish)
        config = top / ".rules/config.yaml"
        text = config.read_text().replace("git-attributes,", "git-attributes, github-actions, gitlab-ci,")
        config.write_text(f"{without_source(text)}install: rulec\n")  # it is here, so that pip has nothing to fetch
        act(top, "compile")
        (top / "old.py").write_text(BAD)
        run(top, "add", "-A")
        run(top, "commit", "-q", "--no-verify", "-m", "Put up the pipelines")
        return top


@pytest.fixture
def top(made: Path, tmp_path: Path) -> Path:
    """The repository, on a branch beside main."""
    own = copy(made, tmp_path / "repo")
    run(own, "checkout", "-q", "-b", "change")
    return own


def commit(top: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    run(top, "add", "-A")
    run(top, "commit", "-q", "--no-verify", "-m", "Change it")


def pull_request(top: Path, tmp_path: Path, name: str = "rules") -> Job:
    """The first job, or another one, over the merge that GitHub makes of the branch."""
    run(top, "checkout", "-q", "--detach", "main")
    run(top, "merge", "-q", "--no-ff", "--no-verify", "-m", "Merge it", "change")
    merge = run(top, "rev-parse", "HEAD").strip()
    machine = tmp_path / name
    machine.mkdir()
    text = (checked_out(top, machine, merge) / GITHUB).read_text()
    return github(text, name, machine, base=f"{merge}^1")


def second(first: Job, tmp_path: Path) -> Job:
    """The job without rights, which gets no more than what the first one handed on."""
    machine = tmp_path / "rulebook"
    machine.mkdir()
    shutil.copy(first.folder / "change.tar", machine)
    return github((first.folder / "head" / GITHUB).read_text(), "rulebook", machine, base="nowhere")


def merge_request(top: Path, tmp_path: Path, name: str = "rulec-rules") -> Job:
    machine = checked_out(top, tmp_path, run(top, "rev-parse", "change").strip())
    given = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "0" * 40}
    return gitlab((machine / GITLAB).read_text(), name, machine, given)


Forge = Callable[..., Job]
FORGES = pytest.mark.parametrize("forge", [pull_request, merge_request], ids=["github", "gitlab"])


@FORGES
def test_a_change_that_breaks_a_rule_of_its_base_is_refused(forge: Forge, top: Path, tmp_path: Path) -> None:
    commit(top, {"new.py": BAD})
    job = forge(top, tmp_path)
    assert job.code == 1
    assert "use-logging-python" in job.said
    assert "new.py" in job.said
    assert "old.py" not in job.said


@FORGES
def test_a_change_that_breaks_none_passes(forge: Forge, top: Path, tmp_path: Path) -> None:
    commit(top, {"new.py": GOOD})
    job = forge(top, tmp_path)
    assert job.code == 0, job.said


@FORGES
def test_a_change_cannot_take_the_rule_away_that_judges_it(forge: Forge, top: Path, tmp_path: Path) -> None:
    run(top, "rm", "-rq", ".rules/use-logging-python.yaml", ".rules/compiled/semgrep")
    commit(top, {"new.py": BAD})
    assert forge(top, tmp_path).code == 1


MODULES = ("rulec/__init__.py", "rulec/__main__.py", "pip.py", "sitecustomize.py", "click.py", "conftest.py", "re.py")
HIDING = {".gitattributes": "*.py binary -diff filter=x\n", ".semgrepignore": "*\n", ".semgrep.yml": "rules: []\n"}
SCRIPTS = ("python", "git", "semgrep-core", "hooks/post-checkout", ".rules/hook")


@FORGES
@pytest.mark.parametrize("text", [BAD, GOOD], ids=["bad", "good"])
def test_programs_that_a_change_plants_are_never_run(forge: Forge, text: str, top: Path, tmp_path: Path) -> None:
    module = f"open({str(tmp_path / 'sprung')!r}, 'w')\nraise SystemExit(0)\n"
    script = f"#!/bin/sh\n: >{tmp_path / 'sprung'}\nexit 0\n"
    planted = {**HIDING, **dict.fromkeys(MODULES, module), **dict.fromkeys(SCRIPTS, script)}
    commit(top, {"new.py": text, **planted})
    for name in SCRIPTS:
        (top / name).chmod(0o755)
    commit(top, {"note": "they can be run now\n"})
    assert forge(top, tmp_path).code == (1 if text == BAD else 0)
    assert not (tmp_path / "sprung").exists()


def test_a_base_that_a_forced_push_dropped_is_told_in_a_line(top: Path, tmp_path: Path) -> None:
    text = (checked_out(top, tmp_path, run(top, "rev-parse", "main").strip()) / GITHUB).read_text()
    job = github(text, "rules", tmp_path, base="12ab" * 10)
    assert job.code != 0
    assert "did a force push remove it?" in job.said


def test_a_change_cannot_except_what_it_brings(top: Path, tmp_path: Path) -> None:
    here = "def go(name):\n    print(name)  # rulec: ignore[use-logging-python] until=2099-01-01 it is mine\n"
    file = "schema: 1\nslug: use-logging-python\nuntil: 2099-01-01\nreason: it is mine\n"
    commit(top, {"new.py": here, "other.py": BAD, ".rules/exceptions/use-logging-python.yaml": file})
    job = pull_request(top, tmp_path)
    assert job.code == 1
    assert "file=new.py,line=2" in job.said
    assert "file=other.py,line=2" in job.said


PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "probe"
version = "1"
[tool.hatch.build.targets.wheel]
only-include = ["probe.py"]
"""


def test_a_tool_that_the_repository_holds_is_the_bases(top: Path, tmp_path: Path) -> None:
    run(top, "checkout", "-q", "main")
    config = top / ".rules/config.yaml"
    config.write_text(
        f"{config.read_text().partition('install:')[0]}install: --no-deps --no-build-isolation --target ../tools .\n"
    )
    act(top, "compile")
    commit(top, {"pyproject.toml": PROJECT, "probe.py": "SIDE = 'base'\n"})
    run(top, "checkout", "-q", "-B", "change")
    commit(top, {"probe.py": "SIDE = 'head'\n", "new.py": GOOD})
    job = pull_request(top, tmp_path)
    assert job.code == 0, job.said
    assert (job.folder / "tools/probe.py").read_text() == "SIDE = 'base'\n"


def test_what_was_found_is_annotated_summed_up_and_kept(top: Path, tmp_path: Path) -> None:
    commit(top, {"new.py": BAD})
    job = pull_request(top, tmp_path)
    assert "::error file=new.py,line=2,endLine=2,title=rulec%3A use-logging-python::" in job.said
    assert "### Refused by `use-logging-python`" in job.files["GITHUB_STEP_SUMMARY"]
    (log,) = json.loads((job.folder / "rulec.sarif").read_text())["runs"]
    assert [result["ruleId"] for result in log["results"]] == ["use-logging-python"]


def test_an_unchanged_rulebook_is_not_proved_again(top: Path, tmp_path: Path) -> None:
    commit(top, {"new.py": GOOD})
    job = pull_request(top, tmp_path)
    assert job.files["GITHUB_OUTPUT"] == ""
    assert not (job.folder / "change.tar").exists()


def test_a_changed_rulebook_is_compiled_proved_and_shown_with_its_reach(top: Path, tmp_path: Path) -> None:
    act(top, "add", "Never use eval in Python code", "--yes", "--enforcement", "block")
    first = pull_request(top, tmp_path)
    assert first.code == 0, first.said
    assert first.files["GITHUB_OUTPUT"] == "changed=yes\n"
    job = second(first, tmp_path)
    assert job.code == 0, job.said
    assert "every artifact is current" in job.said
    assert "2 proved, 0 failed" in job.said
    page = job.files["GITHUB_STEP_SUMMARY"]
    assert "## rulec: 1 added" in page
    assert "- now: nothing in the tree" in page
    assert "would have been refused" in page


def test_the_change_that_brings_the_rulebook_is_proved_and_judged_by_none(top: Path, tmp_path: Path) -> None:
    first_commit = run(top, "rev-list", "--max-parents=0", "HEAD").strip()
    run(top, "branch", "-f", "main", first_commit)
    first = pull_request(top, tmp_path)
    assert first.code == 0, first.said
    assert ", 0 rules: no findings" in first.said
    job = second(first, tmp_path)
    assert job.code == 0, job.said
    assert "now: 1 finding in 1 file: `old.py:2`" in job.files["GITHUB_STEP_SUMMARY"]


def test_a_rulebook_edited_by_hand_fails_the_second_job(top: Path, tmp_path: Path) -> None:
    artifact = top / ".rules/compiled/semgrep/use-logging-python.yaml"
    commit(top, {".rules/compiled/semgrep/use-logging-python.yaml": artifact.read_text().replace("print", "pront")})
    job = second(pull_request(top, tmp_path), tmp_path)
    assert job.code == 1
    assert "missing or stale: .rules/compiled/semgrep/use-logging-python.yaml" in job.said


def test_gitlab_gets_its_reports(top: Path, tmp_path: Path) -> None:
    commit(top, {"new.py": BAD})
    job = merge_request(top, tmp_path)
    (entry,) = json.loads((job.folder / "rulec-codequality.json").read_text())
    assert entry["location"] == {"path": "new.py", "lines": {"begin": 2}}
    assert "use-logging-python" in (job.folder / "rulec.md").read_text()


def test_gitlab_shows_what_becomes_of_changed_rules(top: Path, tmp_path: Path) -> None:
    act(top, "add", "Never use eval in Python code", "--yes", "--enforcement", "block")
    job = merge_request(top, tmp_path, "rulec-rulebook")
    assert job.code == 0, job.said
    assert "## rulec: 1 added" in (job.folder / "rulec-rules.md").read_text()


@pytest.mark.parametrize("name", ["rulec.md", "rulec-codequality.json"])
def test_a_report_is_never_written_through_a_link_that_a_change_brings(name: str, top: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("as it was")
    (top / name).symlink_to(tmp_path / "theirs")
    commit(top, {"new.py": GOOD})
    assert merge_request(top, tmp_path).code == 2
    assert (tmp_path / "theirs").read_text() == "as it was"


SUITE = "tests:\n  unit: {run: [python, -m, pytest, -q, -p, no:cacheprovider], report: junit, setup: [touch ready]}\n"
TESTABLE = """\
schema: 1
slug: tested-totals
revision: 1
statement: Every change of totals has a test.
category: testing
severity: must
enforcement: block
level: testable
scope: {include: ["src/**"]}
"""
TOTAL = {
    "src/totals.py": "def total(prices):\n    return sum(prices)\n",
    "conftest.py": "",
    ".gitignore": "ready\n__pycache__/\n",
}
CHANGED = {"src/totals.py": "def total(prices):\n    return max(0, sum(prices))\n"}
TEST = {"tests/test_totals.py": "from src.totals import total\n\n\ndef test_floor():\n    assert total([-1]) == 0\n"}


@FORGES
def test_a_job_of_its_own_runs_the_suites_of_the_base(forge: Forge, top: Path, tmp_path: Path) -> None:
    names = ("rules", "proofs") if forge is pull_request else ("rulec-rules", "rulec-proofs")
    run(top, "checkout", "-q", "main")
    config = top / ".rules/config.yaml"
    config.write_text(config.read_text() + SUITE)
    (top / ".rules/tested-totals.yaml").write_text(TESTABLE)
    act(top, "compile")
    commit(top, TOTAL)
    run(top, "checkout", "-q", "-B", "change")
    commit(top, CHANGED)
    said = {}
    for name, files in (("no test", {}), ("a test", TEST)):
        run(top, "checkout", "-q", "change")
        commit(top, files or {"notes.txt": "none\n"})
        for job in names:
            machine = tmp_path / f"{name} {job}"
            machine.mkdir()
            done = forge(top, machine, job)
            assert done.code == (job.endswith("proofs") and not files), done.said
            said[name, job] = done.code
            run(top, "checkout", "-q", "change")
    assert list(said.values()) == [0, 1, 0, 0]
