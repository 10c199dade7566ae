"""Commands: what people say of them, and what the checks that come of it catch and pass."""

import json
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.fits import acts, branches, commands, flags
from rulec.fits._demands import body
from rulec.fits._swaps import reworded
from rulec.host.templates import library
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.rule import Check
from rulec.model.transcript import Action
from rulec.runtime.guard import decide
from tests.fits.wordings import PAIRS, QUIET, SAID

FITS = (branches.PLUG, flags.PLUG, acts.PLUG, commands.PLUG)
SHELF = library()


def _drafts(text: str, before: Iterable[Action] = (), after: Iterable[Action] = ()) -> Iterator[Draft]:
    for clause in clauses(text):
        for fit in FITS:
            yield from fit.fit(clause, tuple(before), tuple(after))


def _rendered(check: Check) -> dict[str, object]:
    context = SHELF.parameters(check) | {"kind": check.kind, "slug": "a-case"}
    rendered: dict[str, object] = json.loads(SHELF.render(f"checks/{check.template}.j2", context))
    return rendered


def _caught(draft: Draft, command: str) -> bool:
    rules = [{"facts": {"slug": check.template}, "check": _rendered(check)} for check in draft.checks]
    found = decide(rules, {"kind": "command", "command": command})
    assert not any(finding["fault"] for finding in found)
    return bool(found)


@pytest.mark.parametrize(("text", "caught", "passed"), SAID, ids=lambda value: value if isinstance(value, str) else "")
def test_a_statement_rules_out_what_it_names_and_no_more(
    text: str, caught: tuple[str, ...], passed: tuple[str, ...]
) -> None:
    draft = next(_drafts(text))
    assert [command for command in caught if not _caught(draft, command)] == []
    assert [command for command in passed if _caught(draft, command)] == []


@pytest.mark.parametrize("text", QUIET)
def test_words_that_only_sound_like_commands_give_no_check(text: str) -> None:
    assert list(_drafts(text)) == []


@pytest.mark.parametrize(("quote", "before", "after", "caught", "passed"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_few_words_and_what_was_done_differently_make_a_check(
    quote: str, before: str, after: str, caught: tuple[str, ...], passed: tuple[str, ...]
) -> None:
    drafts = _drafts(quote, [Action(kind="command", command=before)], [Action(kind="command", command=after)])
    draft = next(drafts, None)
    if not caught:
        assert draft is None
        return
    assert draft is not None
    assert [command for command in (before, *caught) if not _caught(draft, command)] == []
    assert [command for command in (after, *passed) if _caught(draft, command)] == []


@pytest.mark.parametrize("text", [said[0] for said in SAID])
def test_every_draft_decides_its_own_examples(text: str) -> None:
    for draft in _drafts(text):
        assert [example.text for example in draft.invalid if not _caught(draft, example.text)] == []
        assert [example.text for example in draft.valid if _caught(draft, example.text)] == []


@pytest.mark.parametrize("text", [said[0] for said in SAID])
def test_what_the_fits_try_is_what_the_templates_make(text: str) -> None:
    for draft in _drafts(text):
        for check in draft.checks:
            made = {key: value for key, value in _rendered(check).items() if value and key != "on"}
            tried = {key: value for key, value in body(check.template, check.parameters).items() if value}
            assert {key: made.get(key) for key in tried} == tried
            assert set(made) - set(tried) <= {"instead"}


@pytest.mark.parametrize(
    ("text", "verb", "things"),
    [
        ("I'll run the server myself", "run", ("server",)),
        ("let me do the commits myself", "commit", ()),
        ("leave the deploys to me", "run", ("deploys",)),
        ("I'll test it later", "", ()),
    ],
)
def test_what_a_person_keeps_for_themselves_the_agent_is_not_to_do(
    text: str, verb: str, things: tuple[str, ...]
) -> None:
    clause = reworded(clauses(text)[0])
    assert (clause.verb, clause.forbidden) == (verb, things)


def test_what_was_asked_for_by_exception_is_not_forbidden_outright() -> None:
    for text in (
        "Don't start the browser suite unless I say so.",
        "never deploy without asking me",
        "no migrations until friday",
    ):
        assert list(acts.PLUG.fit(clauses(text)[0], (), ())) == []


@given(text=st.text(max_size=120), before=st.text(max_size=80), after=st.text(max_size=80))
def test_hostile_words_and_commands_never_break_a_fit(text: str, before: str, after: str) -> None:
    ran = [Action(kind="command", command=before)], [Action(kind="command", command=after)]
    for words in (text, f"always pass {text} to git push", f"it is checked out in ../{text}"):
        list(_drafts(words))
        list(_drafts(words, *ran))
