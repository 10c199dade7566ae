"""The library, listed and shown: ours and the team's own."""

import json
from pathlib import Path

import pytest

from rulec.checks.template_library import open_library
from tests.conftest import Run

OWN = """\
{#
kind: guard
parameters:
  words: {type: "list[str]", required: true, doc: "what may not be said"}
  loud: {type: bool, doc: "whether to shout"}
avoid: |
  # foo
prefer: |
  # bar
checks: We agreed on it in May.
limits: None that we know.
#}
{"on": "text", "forbid": []}
"""


@pytest.fixture
def own(repo: Path) -> Path:
    """A template of the team's."""
    path = repo / ".rules/templates/checks/no-foo.j2"
    path.parent.mkdir(parents=True)
    path.write_text(OWN)
    return path


def test_every_template_is_listed_with_its_kinds_and_its_reason(rulec: Run) -> None:
    rows = json.loads(rulec("templates", "--format", "json").stdout)
    assert [row["name"] for row in rows] == list(open_library().templates())
    assert all(row["kind"] and row["checks"] and row["of"] == "rulec" for row in rows)
    lines = rulec("templates").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [row["name"] for row in rows]


def test_a_teams_own_template_is_listed_as_theirs(rulec: Run, own: Path) -> None:
    (row,) = [row for row in json.loads(rulec("templates", "--format", "json").stdout) if row["name"] == "no-foo"]
    assert (row["of"], row["kind"]) == (".rules/templates/checks/no-foo.j2", "guard")
    assert "(yours) We agreed on it in May." in rulec("templates").stdout


def test_one_template_is_shown_in_the_fixed_form(rulec: Run, own: Path) -> None:
    text = rulec("templates", "no-foo").stdout
    parts = [line for line in text.splitlines() if line and not line.startswith((" ", "no-foo"))]
    assert parts == ["Checks", "Avoid", "Prefer", "Parameters", "Limits"]
    assert "  words: what may not be said\n    (list[str]; required)" in text
    assert "(bool; default false)" in text


def test_one_template_is_told_to_programs_with_its_parameters(rulec: Run) -> None:
    told = json.loads(rulec("templates", "forbid-path", "--format", "json").stdout)
    assert {"globs", "leftovers", "except"} <= {parameter["name"] for parameter in told["parameters"]}
    assert set(told) >= {"avoid", "prefer", "checks", "unit", "blind", "limits", "kind", "of"}


def test_a_name_that_is_none_is_refused_with_those_that_are(rulec: Run) -> None:
    said = rulec("templates", "nope", code=2).stderr
    assert "no template 'nope'" in said
    assert "forbid-path" in said


def test_a_broken_template_of_the_teams_is_refused_with_its_line(rulec: Run, own: Path) -> None:
    own.write_text(OWN.replace("type: bool", "type: boolean"))
    said = rulec("templates", code=2).stderr
    assert "no-foo.j2:5" in said


def test_a_comparison_by_a_parameter_that_is_not_declared_is_refused_with_its_line(rulec: Run, own: Path) -> None:
    own.write_text(OWN.replace("avoid: |", "compares: {forbidden: word}\navoid: |"))
    said = rulec("templates", code=2).stderr
    assert "no-foo.j2:6" in said
    assert "'word' is not a parameter" in said
    assert "words, loud" in said


def test_templates_are_listed_where_there_is_no_repository(rulec: Run, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert "forbid-command" in rulec("templates", cwd=elsewhere).stdout
    assert rulec("templates", "--catalogue", cwd=elsewhere).stdout.startswith("TEMPLATES")
