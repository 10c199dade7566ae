"""What waits survives its file, and a file that holds anything else is one clear refusal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.checks.proving.replay import ProofSession
from rulec.domain.candidate import Candidate, Correction, Draft
from rulec.domain.rule import Check, Rule, Scope
from rulec.domain.transcript import Action, Turn
from rulec.infra import state
from rulec.services.proposals.waiting_candidates import WaitingCandidate
from tests.support.strategies import LINE, TEXT, examples, rules

ACTIONS = st.lists(
    st.builds(
        Action, kind=st.sampled_from(["command", "edit"]), command=TEXT, new=TEXT, ok=st.sampled_from([None, True])
    ),
    max_size=2,
).map(tuple)
TURNS = st.builds(
    Turn, role=st.just("human"), kind=st.just("typed"), text=TEXT, index=st.integers(0, 9), line=st.just(1)
)
CORRECTIONS = st.builds(Correction, quote=LINE, turn=TURNS, before=ACTIONS, after=ACTIONS, marked=st.booleans())
CHECKS = st.builds(
    Check,
    kind=st.sampled_from(["guard", "shell"]),
    template=LINE,
    parameters=st.dictionaries(LINE, st.one_of(TEXT, st.integers(), st.lists(TEXT, max_size=2)), max_size=2),
)
DRAFTS = st.builds(
    Draft,
    checks=st.lists(CHECKS, max_size=2).map(tuple),
    invalid=st.lists(examples(), max_size=2).map(tuple),
    scope=st.builds(Scope, include=st.just(("a/**",))),
)
PLAIN = st.builds(
    Candidate,
    rule=rules().map(lambda rule: Rule(slug=rule.slug, statement=rule.statement, invalid=rule.invalid)),
    drafts=st.lists(DRAFTS, max_size=2).map(tuple),
    correction=st.none() | CORRECTIONS,
)
CANDIDATES = st.builds(
    Candidate,
    rule=st.builds(Rule, slug=st.just("x"), statement=LINE),
    drafts=st.just(()),
    correction=st.none() | CORRECTIONS,
    part=st.just((2, 3)),
    repeats=st.lists(PLAIN, max_size=2).map(tuple),
)
SESSIONS = st.none() | st.builds(ProofSession, before=ACTIONS, after=ACTIONS, later=ACTIONS)
WAITING = st.builds(
    WaitingCandidate, candidate=CANDIDATES, sessions=st.lists(SESSIONS, max_size=2).map(tuple), source=TEXT
)


@given(WAITING)
def test_what_waits_survives_its_file(item: WaitingCandidate) -> None:
    assert state.load_dataclass(WaitingCandidate, state.dump_dataclass(item)) == item


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["candidate", "rule", "at"]), inner),
)


@given(JSON)
def test_anything_else_is_a_value_error(data: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        state.load_dataclass(WaitingCandidate, json.dumps(data))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "Expected `object`"),
        ("{}", "required field `candidate`"),
        ('{"candidate": {"rule": {"slug": 1, "statement": "x"}, "drafts": []}}', r"\$\.candidate\.rule\.slug"),
        ('{"candidate": {"rule": {"slug": "x", "statement": "x"}, "drafts": {}}}', r"\$\.candidate\.drafts"),
        ('{"candidate": ' * 100_000, "nested too deeply"),
    ],
)
def test_the_refusal_names_the_place(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        state.load_dataclass(WaitingCandidate, text)
