"""The order of work: what people say of it, and what the checks that come of it catch and pass."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.checkers._guard_past import in_order
from rulec.fits._order_tools import PURPOSES, commands_for
from rulec.fits.order import fit
from rulec.host.templates import library
from rulec.language import clauses
from rulec.language._split import LONGEST
from rulec.model.candidate import Draft
from rulec.model.rule import Example
from rulec.model.transcript import Action
from rulec.runtime.guard import decide
from rulec.stages.verify import change_of

SHELF = library()
TABLE = Path(__file__).parent.parent / "cases/order/wordings.txt"


def _table(title: str) -> list[tuple[str, ...]]:
    block = TABLE.read_text(encoding="utf-8").partition(f"[{title}]\n")[2].partition("\n\n")[0]
    return [tuple("" if cell == "-" else cell for cell in line.split(" ## ")) for line in block.splitlines()]


ORDERS = _table("orders") + _table("asked")


def _steps(told: str) -> tuple[Example, ...]:
    return tuple(_step(*step.strip().split(" ", 1)) for step in told.split(" | ") if step.strip())


def _step(sign: str, rest: str) -> Example:
    if sign == "$":
        return Example(kind="command", text=rest)
    if sign in "S!":
        return Example(kind="says" if sign == "S" else "stop", text=rest)
    if sign == "R":
        return Example(kind="read", path=rest, text="")
    return Example(kind="edit" if sign == "E" else "file", path=rest, text="new\n", old="old\n" if sign == "E" else "")


def _done(told: str) -> tuple[Action, ...]:
    actions = (action for step in _steps(told) for action in change_of(step).actions)
    return tuple(action for action in actions if action.kind not in ("says", "stop"))


def _drafts(text: str, pair: str) -> Iterator[Draft]:
    before, _, after = pair.partition(">>")
    for clause in clauses(text):
        yield from fit(clause, _done(before), _done(after))


def _caught(draft: Draft, example: Example) -> bool:
    rules = []
    for check in draft.checks:
        context = SHELF.parameters(check) | {"kind": check.kind, "slug": "a-case"}
        body = json.loads(SHELF.render(f"checks/{check.template}.j2", context))
        rules.append({"facts": {"slug": check.template}, "check": body})
    found = [finding for event in in_order(change_of(example)) for finding in decide(rules, event)]
    assert not any(finding["fault"] for finding in found)
    return any(not finding["unsure"] for finding in found)


def _session(told: str) -> Example:
    return Example(kind="session", text="", steps=_steps(told))


@pytest.mark.parametrize(("text", "pair", "caught", "passed"), ORDERS, ids=lambda value: value[:40])
def test_words_about_an_order_catch_its_breach_and_nothing_near_it(
    text: str, pair: str, caught: str, passed: str
) -> None:
    draft = next(_drafts(text, pair))
    assert _caught(draft, _session(caught))
    assert not _caught(draft, _session(passed))


@pytest.mark.parametrize(("text", "pair"), [case[:2] for case in ORDERS], ids=lambda value: value[:40])
def test_every_draft_decides_its_own_examples(text: str, pair: str) -> None:
    draft = next(_drafts(text, pair))
    assert [example for example in draft.invalid if not _caught(draft, example)] == []
    assert [example for example in draft.valid if _caught(draft, example)] == []


@pytest.mark.parametrize(("text", "pair"), _table("quiet"))
def test_words_that_only_sound_like_an_order_give_no_check(text: str, pair: str) -> None:
    assert list(_drafts(text, pair)) == []
    assert list(_drafts(text, "")) == []


@pytest.mark.parametrize(("text", "pair"), _table("kept"))
def test_an_order_that_was_kept_is_no_offence(text: str, pair: str) -> None:
    assert list(_drafts(text, pair)) == []


@pytest.mark.parametrize("purpose", PURPOSES)
def test_any_usual_command_serves_a_purpose_and_a_language_narrows_them(purpose: str) -> None:
    assert set(commands_for(purpose, ("go",))) < set(commands_for(purpose, ()))


def test_several_checks_that_must_all_run_first_are_one_rule() -> None:
    draft = next(_drafts("run `mypy src` and `pytest` before you commit", ""))
    assert [check.parameters["first_commands"] for check in draft.checks] == [["mypy"], ["pytest"]]


def test_what_was_accepted_afterwards_is_never_caught() -> None:
    assert (
        list(_drafts("run the tests before you commit", "E a.py | $ git commit -am x >> E b.py | $ git commit -am y"))
        == []
    )


@given(said=st.text(max_size=120), did=st.text(max_size=60))
def test_hostile_words_and_commands_never_break_the_fit(said: str, did: str) -> None:
    before = (Action(kind="edit", path=did or "a.py", old="x", new="y"), Action(kind="command", command=did))
    for clause in clauses(f"run {said} before you {did}"):
        list(fit(clause, before, before))
        list(fit(clause, (), ()))


PARTS = ["first ", "before ", "don't ", "a, ", "commit until ", "`x ", "run the tests and ", "'", "could we please "]


@pytest.mark.parametrize("part", PARTS)
def test_long_repetitive_words_are_read_in_bounded_time(part: str) -> None:
    for clause in clauses((part * LONGEST)[: LONGEST - 1] + "!"):  # a longer one is not read at all
        list(fit(clause, (), ()))


@pytest.mark.parametrize(
    ("text", "pair", "branches"),
    [
        ("Never commit directly to main.", "", ["main", "master"]),
        ("Never commit to master", "", ["master", "main"]),
        ("don't commit on develop", "", ["develop"]),
        ("branch first", "E a.py >> $ git switch -c x", ["main", "master", "trunk", "develop"]),
    ],
)
def test_a_branch_of_its_own_is_asked_for_only_where_the_words_say(text: str, pair: str, branches: list[str]) -> None:
    draft = next(_drafts(text, pair))
    assert [check.parameters["on_branch"] for check in draft.checks] == [branches]
