"""The catalogue says what a reader needs to choose a template, within its bound."""

from rulec.checks.template_library import open_library
from rulec.rulebook import example_file
from rulec.services import templates
from tests.conftest import Run
from tests.support.template_cases import cases_of

# unit of a template -> kinds of example that show one
SHOWN_BY = {
    "command": {"command", "session"},
    "session": {"session", "command"},
    "file": {"file", "edit", "command", "commit"},
    "line": {"file", "edit", "message"},
    "commit": {"commit", "session"},
    "message": {"message", "commit", "command"},
    "reply": {"session", "reply"},
    "tool": {"tool", "session"},
}


def test_every_template_says_what_it_checks_of_what_and_what_it_does_not_see() -> None:
    wrong = [
        one.name
        for one in open_library().templates().values()
        if not (one.checks and one.unit and one.blind)
        or not any(example.kind in SHOWN_BY[one.unit] for case in cases_of(one) for example in case.invalid)
    ]
    assert wrong == []


def test_the_catalogue_of_ours_says_all_that_a_check_may_be_given() -> None:
    known = open_library().templates().values()
    text = templates.render_catalogue(known)
    assert templates.count_catalogue_tokens(text) <= 3_000
    lines = [line.partition(": ") for line in text.splitlines()]
    listed = {name: rest for name, _, rest in lines}
    assert [one.name for one in known if one.name not in listed] == []
    for one in known:
        own = [p for p in one.parameters if not p.common and p.name != "language"]
        missing = [p.name for p in own if p.name + "!" * p.required not in listed[one.name]]
        assert missing == [], one.name
        assert " in " in listed[one.name] or not any(p.name == "language" for p in one.parameters)
    assert [key for key in (*example_file.example_keys(), *example_file.step_keys()) if key not in text] == []


def test_the_verb_prints_the_catalogue_and_one_template_whole(rulec: Run) -> None:
    said = rulec("templates", "--catalogue").stdout
    assert said.startswith("TEMPLATES")
    assert rulec("templates", "--template", "forbid-path").stdout == rulec("templates", "forbid-path").stdout
    assert "exclude each other" in rulec("templates", "forbid-path", "--catalogue", code=2).stderr
