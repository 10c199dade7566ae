"""The published schema of a guard check says what the guard accepts: it is derived from the guard's own table."""

import json
from dataclasses import dataclass
from typing import Any, cast

import jsonschema
import pytest

from rulec.checks.guard import checker, guard_schema
from rulec.checks.template_library import open_library
from rulec.domain.artifact import PlannedCheck
from rulec.domain.rule import Check
from rulec.errors import RulecError
from tests.conftest import Run
from tests.support.template_cases import cases_of

VALIDATOR = jsonschema.Draft202012Validator(guard_schema.json_schema())

WRONG: list[Any] = [
    {},
    {"on": "replies"},
    {"on": "command"},
    {"on": "command", "patterns": []},
    {"on": "command", "patterns": ["npm"], "unles": ["npm view"]},
    {"on": "command", "patterns": ["npm"], "arguments": ["x"]},
    {"on": "command", "patterns": "npm"},
    {"on": "path", "globs": ["a"], "how": ["move"]},
    {"on": "path", "globs": [" "]},
    {"on": "text", "globs": ["*.py"]},
    {"on": "text", "forbid": [], "require": []},
    {"on": "session", "before_commands": ["git push"]},
    {"on": "session", "first_commands": ["pytest"], "before_stop": False},
    {"on": "change", "when": ["*.py"]},
    {"on": "dependency", "forbid": []},
    {"on": "reply", "max_words": 0},
    {"on": "reply", "when": "done"},
]


@dataclass
class _Place:
    """As much of a step as a refusal speaks of."""

    place: str = "rule.yaml:1"
    template: str = "raw-guard"


def test_what_the_guard_refuses_the_schema_refuses() -> None:
    assert [check for check in WRONG if VALIDATOR.is_valid(check)] == []
    for check in WRONG:
        with pytest.raises(RulecError):
            checker.build(cast("PlannedCheck", _Place()), json.dumps(check))


def test_every_case_of_every_guard_template_compiles_to_what_the_schema_accepts() -> None:
    shelf = open_library()
    wrong, seen = [], 0
    for one in shelf.templates().values():
        for case in cases_of(one) if one.kind == "guard" else ():
            check = Check(kind="guard", template=one.name, parameters=case.parameters)
            context = shelf.parameters(check) | {"kind": "guard", "slug": "x"}
            body = json.loads(shelf.render(f"checks/{one.name}.j2", context))
            fault = next(VALIDATOR.iter_errors(body), None)
            wrong += [(one.name, body, fault.message[:200])] if fault else []
            seen += 1
    assert wrong == []
    assert seen > len(shelf.templates()) / 3


@pytest.mark.usefixtures("repo")
def test_the_schema_is_published_with_the_meaning_of_its_members(rulec: Run) -> None:
    schema = json.loads(rulec("templates", "--guard-schema").stdout)
    kinds = {one["properties"]["on"]["const"]: one["properties"] for one in schema["oneOf"]}
    assert set(kinds) == set(guard_schema.SHAPES)
    assert kinds["command"]["instead"]["description"].startswith("command to run instead: ")


REFUSED = [
    ({"on": "text", "forbid": ["(a+)+b"]}, "runs away"),
    ({"on": "command", "patterns": ["npm"], "arguments": "(\\w+)x\\1"}, "refers back"),
    ({"on": "path", "globs": ["**/a/**/b/**/c/**/d/**/e"]}, "too many stars"),
    ({"on": "command", "pattern": ["npm"]}, "'pattern' is no key"),
    ("{on: command", "is no JSON"),
    (["npm"], "must be a guard check"),
    ({"on": "text", "forbid": ["a" * 9_000]}, "longer than 8,000"),
]


@pytest.mark.usefixtures("repo")
def test_a_raw_guard_is_held_to_it_and_to_the_bounds_of_all_patterns(rulec: Run) -> None:
    wrong = []
    for check, says in REFUSED:
        rule = {
            "statement": "Use pnpm.",
            "checks": [{"template": "raw-guard", "with": {"check": check}}],
            "examples": {"invalid": [{"command": "npm ci"}]},
        }
        told = json.loads(rulec("try", stdin=json.dumps(rule), code=1).stdout)
        wrong += [(says, told["why"])] if says not in told["why"] or told["proved"] else []
    assert wrong == []
