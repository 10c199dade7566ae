"""What counts as a pipeline that checks changes by rulec, and what is said of one that does not."""

from dataclasses import replace

import pytest

from rulec.domain.plugs import Integration
from rulec.integrations import ci_runs
from rulec.integrations.targets import github_actions, gitlab_ci

from .support import PLAN, render

GITHUB = """
on:
  pull_request:
jobs:
  rules:
    steps:
      - uses: actions/checkout@v4
      - run: pip install rulec
      - run: rulec check --base "$BASE"
"""
NARROWED = {
    ("run: rulec check", "run: echo rulec check"): "does not heed rulec check: echo rulec check",
    ("  rules:\n", "  rules:\n    if: false\n"): "on a condition alone: its job rules has if: False",
    (
        "      - run: rulec check",
        "      - if: github.actor == 'x'\n        run: rulec check",
    ): "on a condition alone: the step",
    ("  rules:\n", "  other: {if: false}\n  rules:\n    needs: other\n"): "its job other has if: False",
    ("  rules:\n", "  rules:\n    continue-on-error: true\n"): "ignores what rulec finds: its job rules",
    ('"$BASE"', '"$BASE" || true'): "does not heed rulec check",
    ('"$BASE"', '"$BASE"; exit 0'): "does not heed rulec check",
    (
        "run: rulec check",
        "run: |\n          exit 0\n          rulec check",
    ): "may end before it runs rulec check: exit 0",
    ("  pull_request:", "  workflow_dispatch:"): "runs at workflow_dispatch alone",
    ("  pull_request:", "  pull_request: {paths: [docs]}"): "runs at some of pull_request alone",
    ("run: rulec check", "run: ruff check"): "does not run rulec",
    ('run: rulec check --base "$BASE"', "uses: team/rulec@v1"): "uses team/rulec@v1, which is no full commit",
    (
        'run: rulec check --base "$BASE"',
        f"if: false\n        uses: team/rulec@{'a' * 40}",
    ): "on a condition alone: the step",
}
PLAIN = [
    ("rulec check", "uvx --from rulec rulec check"),
    ('run: rulec check --base "$BASE"', f"uses: team/rulec@{'a' * 40}"),
    ("run: rulec check", "run: |\n          set -e\n          rulec check"),
    ("  pull_request:", "  push: {branches: [main]}"),
    ("on:\n  pull_request:", "on: push"),
]


def said(text: str) -> str:
    return ci_runs.why_nothing_is_checked("github-actions", {"w.yml": text}, "w.yml")


@pytest.mark.parametrize("change", NARROWED)
def test_what_runs_rulec_not_always_or_in_vain_checks_nothing(change: tuple[str, str]) -> None:
    assert change[0] in GITHUB
    assert NARROWED[change] in said(GITHUB.replace(*change, 1))


@pytest.mark.parametrize("change", PLAIN)
def test_what_runs_rulec_at_each_change_checks(change: tuple[str, str]) -> None:
    assert change[0] in GITHUB
    assert said(GITHUB) == said(GITHUB.replace(*change, 1)) == ""


def test_what_is_no_yaml_checks_nothing() -> None:
    assert said("jobs: [").startswith("cannot be read")
    assert said("[]") == "is no pipeline"


@pytest.mark.parametrize("tests", [False, True])
@pytest.mark.parametrize("plug", [github_actions.PLUG, gitlab_ci.PLUG], ids=lambda plug: plug.name)
def test_what_rulec_writes_checks(plug: Integration, *, tests: bool) -> None:
    suites = (("unit", "", ("make",)),) if tests else ()
    plan = replace(PLAN, install="git+https://example.com/rulec@1", suites=suites)
    texts = {artifact.path: artifact.text or "" for artifact in plug.emit(plan, render, {})}
    assert ci_runs.why_nothing_is_checked(plug.name, texts, plug.files[0]) == ""


OF_GITLAB = {
    ("  script:\n    - base", "  allow_failure: true\n  script:\n    - base"): "its job rulec-rules",
    ('== "merge_request_event"', '== "schedule"'): "on a condition alone: its job rulec-rules",
    ("- >-\n      rulec check", "- >-\n      true || rulec check"): "does not heed rulec check",
}


@pytest.mark.parametrize("change", OF_GITLAB)
def test_a_pipeline_of_gitlab_that_checks_nothing(change: tuple[str, str]) -> None:
    texts = {one.path: one.text or "" for one in gitlab_ci.PLUG.emit(PLAN, render, {})}
    path = gitlab_ci.PATH
    assert change[0] in texts[path]
    changed = {**texts, path: texts[path].replace(*change)}
    assert OF_GITLAB[change] in ci_runs.why_nothing_is_checked("gitlab-ci", changed, path)
    alone = {path: texts[path]}
    assert "is included by no" in ci_runs.why_nothing_is_checked("gitlab-ci", alone, path)
    other = {**texts, gitlab_ci.PIPELINE: "include: [{local: other.yml}]\n"}
    assert "is not included by" in ci_runs.why_nothing_is_checked("gitlab-ci", other, path)
