"""How many examples a rule file carries: at most eight, of both sides, and those that a person wrote in any case."""

from rulec.domain.rule import Example, Rule
from rulec.services.proposals.proposal_builder import MOST_EXAMPLES, limit_examples


def _examples(count: int, source: str) -> tuple[Example, ...]:
    return tuple(Example(kind="command", text=f"{source} {number}", source=source) for number in range(count))


def test_a_rule_keeps_the_strongest_examples_of_both_sides() -> None:
    rule = Rule(
        slug="a",
        statement="Never use npm.",
        invalid=_examples(6, "template") + _examples(2, "transcript"),
        valid=_examples(7, "reader"),
    )
    brief = limit_examples(rule)
    assert len(brief.invalid) + len(brief.valid) == MOST_EXAMPLES
    assert brief.invalid == _examples(2, "template") + _examples(2, "transcript")
    assert limit_examples(brief) == brief


def test_what_a_person_wrote_and_what_the_rule_had_stays() -> None:
    own = _examples(9, "person")
    old = Rule(slug="a", statement="Never use npm.", valid=_examples(5, "template"))
    rule = Rule(slug="a", statement="Never use npm.", invalid=own, valid=_examples(6, "template"))
    assert limit_examples(rule, old).invalid == own
    assert limit_examples(rule, old).valid == old.valid
