"""A person's word proves something for the object that it is about, and for no other."""

import pytest

from rulec.steps.proofs import said_words
from rulec.steps.proofs.claimed_files import ChangedFile

MANIFEST = '{\n  "dependencies": {\n    "zod": "^3.1.0"\n  }\n}\n'
BROUGHT = MANIFEST.replace('"zod"', '"left-pad": "1.0.0",\n    "zod"')
# question of the agent, answer of the person, whether that allows left-pad
PACKAGES = [
    ("May I add left-pad?", "yes", True),
    ("May I add lodash?", "yes", False),
    ("I decided against left-pad. May I add lodash?", "yes", False),
    ("I need left-pad to align the names. May I add it?", "yes, go ahead", True),
    ("I could use left-pad.\nShall I commit first?", "yes", False),
    ("left-pad is small. Shall I go ahead?", "go ahead", True),
    ("I will not use left-pad. Shall I go ahead?", "go ahead", False),
    ("May I add lodash or left-pad?", "yes", False),
    ("May I add lodash or left-pad?", "yes, left-pad", True),
    ("May I add lodash and left-pad?", "sure", True),
    ("May I add lodash and left-pad?", "yes to lodash", False),
    ("May I add `lodash` and `left-pad`?", "yes, add lodash", False),
    ("I'd add these:\n- lodash\n- left-pad\nOK?", "yes", True),
    ("May I add left-pad instead of lodash?", "yes please", True),
    ("May I add pad-left instead of left-pad?", "yes please", False),
    ("May I add left-pad?", "no", False),
    ("May I add left-pad?", "yes, but only for the tests", False),
    ("May I add left-pad?", "what does it do?", False),
    ("Two ways: 1) add left-pad, 2) pad by hand. Which one?", "1 please, and keep it short", True),
    ("Two ways: 1) add left-pad, 2) pad by hand. Which one?", "the second one", False),
    ("Two ways: 1) add left-pad, 2) pad by hand. Which one?", "option 1 doesn't work", False),
    ("Should weeks begin on Monday? And may I add left-pad?", "yes, monday. let me think about the other", False),
    ("May I add left-pad?", "left-pad? isn't that in there already?", False),
    ("May I add left-pad?", "I'd rather not. Do it for the tests", False),
    ("May I add left-pad?", "yse", True),
    ("May I add left-pad?", "hm, go ahaed", True),
    ("May I add left-pad?", "👍", True),
    ("May I add left-pad?", "ok but pin it", True),
    ("May I add left-pad?", "yes, but only as a dev dependency", False),
    ("May I add left-pad?", "yes, once Tim agrees", False),
    ("May I add left-pad?", "that's not ok", False),
    ("May I add left-pad?", "sure you need it?", False),
    ("May I add left-pad?", "ok, I'll do it myself", False),
    ("1) May I add left-pad? 2) May I add lodash?", "1 is fine. On 2 I need to ask Marta, leave it", True),
    ("1) May I add left-pad? 2) May I add lodash?", "only the second", False),
    ("May I add lodash and left-pad?", "lodash yes, but hands off left-pad", False),
    ("Done.", "left-pad broke our build", False),
    ("Done.", "please add left-pad", True),
    ("Done.", "please add lodash", False),
    ("Done.", "don't add left-pad", False),
    ("Done.", "why do we use left-pad?", False),
]


def _manifest(text: str = BROUGHT) -> ChangedFile:
    return ChangedFile("package.json", MANIFEST, text)


def _events(*turns: str) -> list[dict[str, object]]:
    """Turns of the agent and of the person, who speaks last."""
    kinds = ["says" if at % 2 else "stop" for at in range(len(turns))]
    return [{"kind": kind, "text": text, "at": ""} for kind, text in zip(kinds, turns, strict=True)]


def test_a_yes_is_about_the_package_that_was_asked_about() -> None:
    wrong = []
    for question, answer, allowed in PACKAGES:
        why = said_words.why_not_said(_events(question, answer), said_words.objects_of(_manifest()), answer, 0.0)
        if (why == "") is not allowed:
            wrong.append(f"{question} {answer}: {why or 'allowed'}")
    assert not wrong, "\n".join(wrong)


PATHS = [  # words, whether they allow src/auth/login.py to be changed
    ("please change src/auth/login.py", True),
    ("change auth/login.py, please", True),
    ("you may edit login.py", True),
    ("go ahead with everything in src/auth/", True),
    ("please change src/auth/logout.py", False),
    ("please change src/login.py.bak", False),
    ("look at src/auth/login.py", False),
    ("please change src/mylogin.py", False),
]


def test_a_word_is_about_the_file_that_it_names() -> None:
    file = ChangedFile("src/auth/login.py", "x\n", "y\n")
    wrong = [
        f"{said}: {why or 'allowed'}"
        for said, allowed in PATHS
        if ((why := said_words.why_not_said(_events("Done.", said), said_words.objects_of(file), said, 0.0)) == "")
        is not allowed
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("turns", "quote", "says"),
    [
        (["May I add left-pad?", "yes", "Done.", "take it out, don't use left-pad"], "yes", "took that back"),
        (["May I add left-pad?", "yes", "Sure about left-pad?", "no"], "yes", "took that back"),
        (["May I add left-pad?", "yes", "Hm.", "don't use left-pad", "Hm.", "ok, add left-pad"], "yes", ""),
        (["May I add left-pad?", "yes"], "yes, sir", "no turn of a person"),
        (["May I add left-pad?", "yes"], "y", "no turn of a person"),
        (["yes, add left-pad", "go on"], "yes, add left-pad", "no turn of a person"),
    ],
)
def test_a_word_holds_until_it_is_taken_back(turns: list[str], quote: str, says: str) -> None:
    why = said_words.why_not_said(_events(*turns), said_words.objects_of(_manifest()), quote, 0.0)
    assert says in why
    assert bool(says) == bool(why)
    assert said_words.is_still_said(_events(*turns), said_words.objects_of(_manifest())) is (
        "taken" not in why and "took" not in why and turns[0] != "yes, add left-pad"
    )


def test_a_word_from_before_the_step_counts_only_as_an_answer_about_the_object() -> None:
    objects = said_words.objects_of(_manifest())
    asked = _events("May I add left-pad?", "yes")
    told = _events("Done.", "add left-pad")
    assert said_words.why_not_said(asked, objects, "yes", 1e9) == ""
    assert "before the step was known" in said_words.why_not_said(told, objects, "add left-pad", 1e9)
    late = [{**one, "at": "2040-01-01T00:00:00Z"} for one in told]
    assert said_words.why_not_said(late, objects, "add left-pad", 1e9) == ""


def test_objects_are_each_package_or_the_file() -> None:
    two = BROUGHT.replace('"left-pad"', '"lodash": "4.0.0",\n    "left-pad"')
    assert [one.name for one in said_words.objects_of(_manifest(two))] == ["lodash", "left-pad"]
    assert [one.kind for one in said_words.objects_of(_manifest(MANIFEST.replace("3.1", "3.2")))] == [said_words.PATH]
    assert said_words.objects_of(ChangedFile("pnpm-lock.yaml", "a\n", "b\n")) == []


def test_a_form_binds_each_answer_to_its_question() -> None:
    def form(*pairs: tuple[str, str]) -> list[dict[str, object]]:
        kinds = ("stop", "says")
        return [{"kind": kind, "text": text} for pair in pairs for kind, text in zip(kinds, pair, strict=True)]

    cases = [
        ([("May I add left-pad?", "Yes")], True),
        ([("May I add left-pad?", "No")], False),
        ([("May I add left-pad?", "No"), ("May I add lodash?", "Yes")], False),
        ([("May I add left-pad?", "Yes"), ("May I add lodash?", "No")], True),
        ([("Which package shall pad the names?", "left-pad")], True),
        ([("Which package shall pad the names?", "lodash")], False),
        ([('User has answered: "May I add left-pad?"="Yes". Is that right?', "What?")], False),
    ]
    wrong = [
        pairs
        for pairs, allowed in cases
        if any(said_words.permits(one, turn) for one in said_words.objects_of(_manifest())
               for turn in said_words.person_turns(form(*pairs))) is not allowed
    ]  # fmt: skip
    assert not wrong


ROUND = {"slug": "keep-prices-exact", "says": "Never round prices.", "when": "", "do": "Use Decimal."}
MAY = "May I change shop/prices.py although the rule is: Never round prices?"
ABOUT = [  # question of the agent, words of the person, whether they allow the rule to be broken
    ("Done.", "Now change shop/prices.py so that it is faster.", False),
    ("Done.", "Please change the prices in shop/prices.py.", False),
    ("Shall I change shop/prices.py?", "yes", False),
    ("Done.", "Please change shop/prices.py to round to cents.", True),
    ("May I round in shop/prices.py?", "yes", True),
    (MAY, "yes", True),
    (MAY, "no", False),
    ("Shall I round in shop/ship.py?", "Please change shop/prices.py", False),
]


def test_a_task_is_no_leave_to_break_a_rule_about_something_else() -> None:
    file = ChangedFile("shop/prices.py", "x\n", "y\n")
    subject, objects = said_words.subject_of(ROUND, file.path), said_words.objects_of(file)
    wrong = []
    for question, said, allowed in ABOUT:
        why = said_words.why_not_said(_events(question, said), objects, said, 0.0, subject=subject)
        if (why == "") is not allowed:
            wrong.append(f"{question} {said}: {why or 'allowed'}")
    assert not wrong, "\n".join(wrong)
    assert said_words.subject_of({"slug": "prices", "says": "Prices."}, file.path)  # nothing else is left of it
