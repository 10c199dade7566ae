"""A wish in other words: put plainly, it says the same."""

import pytest

from rulec.language import clauses
from rulec.language.plainer import at_its_place, plainer

SAID = [
    ("All mails go through the postbox, never smtplib directly.", "prefer", ("smtplib",), ("postbox",)),
    ("Read tables with polars, not with the csv module", "prefer", ("csv module",), ("polars",)),
    ("Imports from `shop.old` are forbidden", "forbid", ("`shop.old`",), ()),
    ("never import anything from underscore", "forbid", ("underscore",), ()),
    ("do not depend on jQuery", "forbid", ("jQuery",), ()),
    ("Never access os.environ directly", "forbid", ("os.environ",), ()),
    ("No direct calls to axios", "forbid", ("axios",), ()),
    ("do not use the `any` keyword", "forbid", ("any",), ()),
    ("use yarn for everything, not npm", "prefer", ("npm",), ("yarn",)),
]


@pytest.mark.parametrize(("text", "polarity", "forbidden", "preferred"), SAID)
def test_what_is_meant_is_read_in_plain_words(
    text: str, polarity: str, forbidden: tuple[str, ...], preferred: tuple[str, ...]
) -> None:
    found = [one for clause in clauses(text) for one in plainer(clause)]
    bare = [(one.polarity, tuple(thing.strip("`") for thing in one.forbidden), one.preferred) for one in found]
    assert (polarity, tuple(thing.strip("`") for thing in forbidden), preferred) in bare


@pytest.mark.parametrize("text", ["use pnpm", "never push to main", "all tests pass", "read the docs first"])
def test_plain_words_stay_as_they_are(text: str) -> None:
    assert [one for clause in clauses(text) for one in plainer(clause)] == []


@pytest.mark.parametrize(
    ("text", "verb", "forbidden", "when"),
    [
        ("Controllers must not call mail().", "call", ("mail()",), "in controllers"),
        ("The tests should never use time.sleep", "use", ("time.sleep",), "in tests"),
        ("Components must not import from the store directly", "import", ("from the store directly",), "in components"),
        ("You must not use eval()", "use", ("eval()",), ""),
        ("Agents must not touch vendor/", "touch", ("vendor/",), ""),
    ],
)
def test_a_layer_that_must_not_is_the_place_of_the_wish(
    text: str, verb: str, forbidden: tuple[str, ...], when: str
) -> None:
    (clause,) = clauses(text)
    found = at_its_place(clause)
    assert found.text == clause.text
    if when:
        assert (found.polarity, found.verb, found.forbidden, found.when) == ("forbid", verb, forbidden, when)
    else:
        assert found == clause


@pytest.mark.parametrize("part", ["import from ", "`a` ", "goes through a, never ", "direct calls to ", "a must not "])
def test_long_repetitive_words_are_read_in_bounded_time(part: str) -> None:
    for clause in clauses(part * 400):
        list(plainer(at_its_place(clause)))
