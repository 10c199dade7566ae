"""Decoys: rules with a line that surely breaks them, other ones for every seed."""

import re

from rulec.checks.judge.judge_questions import _FORMS, SeededChoice, make_decoy


def test_the_same_seed_makes_the_same_decoy_and_others_make_others() -> None:
    made = [make_decoy(SeededChoice(str(n)), ["src/web"]) for n in range(400)]
    assert made == [make_decoy(SeededChoice(str(n)), ["src/web"]) for n in range(400)]
    assert len({one.rule for one in made}) > 100
    assert len({(one.rule, one.lines) for one in made}) > 350


def test_a_decoy_stands_where_the_change_does_and_leaves_no_hole() -> None:
    for number in range(400):
        one = make_decoy(SeededChoice(str(number)), ["src", "web/app"])
        assert one.path.startswith(("src/", "web/app/"))
        assert one.lines[one.at].strip()
        assert not re.search(r"\{[abcABCvmn]\}|^>", "\n".join([one.rule, *one.lines]), re.MULTILINE)


def test_each_form_has_one_line_that_breaks_it() -> None:
    assert all(sum(line.startswith(">") for line in lines) == 1 for _, _, lines in _FORMS)
    assert "/" not in make_decoy(SeededChoice("top"), [""]).path
