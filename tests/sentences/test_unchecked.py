"""What nothing checks is told, and nothing that a check does hold."""

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulec.domain.rule import Check, Example, Rule, Scope
from rulec.sentences.unchecked import unheld_literals

CASES = YAML(typ="safe").load((Path(__file__).parents[1] / "cases" / "unchecked.yaml").read_text("utf-8"))


def _rule(says: str, held: dict[str, Any]) -> Rule:
    parameters = {"commands": ["npm install|i"], **held.get("with", {})}
    invalid, valid = (
        tuple(Example(kind="command", text=text) for text in held.get(side, ())) for side in ("invalid", "valid")
    )
    return Rule(
        slug="x", statement=says, checks=(Check(kind="guard", template="forbid-command", parameters=parameters),),
        invalid=invalid, valid=valid, scope=Scope(include=tuple(held.get("scope", ("**",)))),
        not_checked=tuple(held.get("not_checked", ())),
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"][:40])
def test_only_literals_that_nothing_holds_are_listed(case: dict[str, Any]) -> None:
    assert list(unheld_literals(_rule(case["says"], case.get("held", {})))) == case["lists"]


def test_a_reminder_and_what_a_model_judges_list_nothing() -> None:
    says = "Use `pnpm`, never `npm install`."
    assert not unheld_literals(Rule(slug="x", statement=says))
    assert not unheld_literals(Rule(slug="x", statement=says, checks=(Check(kind="judge", template="judge"),)))
