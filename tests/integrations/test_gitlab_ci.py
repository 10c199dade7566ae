import subprocess
import sys

import pytest
import yaml

from rulec.errors import RulecError
from rulec.integrations.targets.gitlab_ci import PATH, PIPELINE, PLUG, emit

from .support import PLAN, render


def files(pipeline=None, ours=None):
    """What is emitted beside a pipeline, by path."""
    current = {path: text for path, text in ((PIPELINE, pipeline), (PATH, ours)) if text is not None}
    return {artifact.path: artifact.text for artifact in emit(PLAN, render, current)}


def jobs(pipeline=None):
    return yaml.safe_load(files(pipeline)[PATH])


def test_both_files_keep_to_the_published_schema(tmp_path):
    for path, text in files().items():
        (tmp_path / path.replace("/", "_")).write_text(text)
    names = [path.name for path in tmp_path.iterdir()]
    argv = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.gitlab-ci", *names]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_new_pipeline_holds_our_line_alone_and_goes_with_it():
    text = files()[PIPELINE]
    assert yaml.safe_load(text) == {"include": [{"local": PATH}]}
    assert PLUG.remove(PIPELINE, text) is None
    assert PLUG.remove(PATH, files()[PATH]) is None


@pytest.mark.parametrize(
    "theirs",
    [
        "build:\n  script: [make]\n",
        "build:\n  script: [make]",
        "stages: [build]\r\nbuild:\r\n  stage: build\r\n  script: !reference [.x, script]\r\n",
        "# include: nothing\njob:\n  include: x\n",
        "",
    ],
)
def test_our_line_is_added_to_their_pipeline_and_taken_out_to_the_byte(theirs):
    text = files(theirs)[PIPELINE]
    assert f"  - local: {PATH}" in text
    assert files(text)[PIPELINE] == text
    assert PLUG.remove(PIPELINE, text) == theirs


@pytest.mark.parametrize(
    "theirs",
    [
        "include:\n  - local: x.yml\n  - y.yml\nbuild:\n  script: [make]\n",
        "build:\n  script: [make]\ninclude:\n- project: team/ci\n  file: a.yml\n",
        "include:  # ours\r\n\r\n    # first\r\n    - x.yml\r\n",
        '"include":\n  - x.yml',
    ],
)
def test_a_list_of_includes_gets_an_entry_and_is_given_back_to_the_byte(theirs):
    text = files(theirs)[PIPELINE]
    assert yaml.safe_load(text)["include"] == [{"local": PATH}, *yaml.safe_load(theirs)["include"]]
    assert text.count("\r") == text.count("\n") or "\r" not in theirs
    assert files(text)[PIPELINE] == text
    assert PLUG.remove(PIPELINE, text) == theirs


def test_an_include_in_another_form_is_theirs_to_write():
    theirs = "build:\n  script: [make]\ninclude: x.yml\n"
    with pytest.raises(RulecError) as refusal:
        files(theirs)
    assert refusal.value.where == f"{PIPELINE}:3"
    assert f"- local: {PATH}" in refusal.value.hint
    named = theirs.replace("x.yml", f"[x.yml, {{local: {PATH}}}]")
    assert set(files(named)) == {PATH}, "where it names our file all is well"


def test_a_list_that_is_added_beside_our_include_takes_our_entry_over():
    theirs = "include:\n  - x.yml\n"
    assert files(files("")[PIPELINE] + theirs)[PIPELINE] == files(theirs)[PIPELINE]


def test_an_include_in_another_form_beside_ours_is_told():
    with pytest.raises(RulecError) as refusal:
        files(files()[PIPELINE] + "include: x.yml\n")
    assert "delete the block of rulec" in refusal.value.hint


def test_another_file_of_that_name_is_never_overwritten():
    with pytest.raises(RulecError) as refusal:
        files(ours="job:\n  script: [x]\n")
    assert refusal.value.where == f"{PATH}:1"
    assert PLUG.remove(PATH, "job: 1\n") == "job: 1\n"


@pytest.mark.parametrize(
    ("pipeline", "stage"),
    [
        ("", "test"),
        ("stages: [build, test]\n", "test"),
        ("stages: [check, 'deploy']\n", "check"),
        ("stages:\n  - build  # first\n\n  # then\n  - deploy\njob: {}\n", "build"),
        ("stages:\n- lint\n- test\n", "test"),
        ('stages:\r\n  - "lint it"\r\n', "lint it"),
        ("stages: []\n", "test"),
    ],
)
def test_the_jobs_are_in_a_stage_that_the_pipeline_has(pipeline, stage):
    assert jobs(pipeline)[".rulec"]["stage"] == stage


def test_the_jobs_take_nothing_over_from_others_and_need_none():
    shared = jobs()[".rulec"]
    assert shared["inherit"] == {"default": False, "variables": False}
    assert shared["needs"] == []
    assert shared["variables"]["GIT_DEPTH"] == "0"


def test_merge_requests_and_the_default_branch_are_held_to_the_rules():
    rules = [rule["if"] for rule in jobs()["rulec-rules"]["rules"]]
    assert rules[0] == '$CI_PIPELINE_SOURCE == "merge_request_event"'
    assert "$CI_DEFAULT_BRANCH" in rules[1]
    (only,) = jobs()["rulec-rulebook"]["rules"]
    assert ".rules/**/*" in only["changes"]


def test_a_repository_gets_it_where_it_has_a_pipeline():
    assert PLUG.when_init([".gitlab-ci.yml"])
    assert not PLUG.when_init(["README.md"])
