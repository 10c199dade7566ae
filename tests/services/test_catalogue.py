"""The catalogue says what a reader needs to choose a template, within its bound."""

from dataclasses import replace

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


def test_the_catalogue_of_ours_stands_whole_within_its_bound() -> None:
    known = open_library().templates().values()
    text = templates.render_catalogue(known)
    assert templates.count_catalogue_tokens(text) <= templates.MOST
    lines = [line.partition(": ") for line in text.splitlines()]
    listed = {name: rest for name, _, rest in lines}
    assert [one.name for one in known if one.name not in listed] == []
    assert [name for name, rest in listed.items() if rest.endswith(" …")] == []
    for one in known:
        own = [p for p in one.parameters if not p.common and p.name != "language"]
        here = listed[one.name] + (_heading_of(one.name, text) if " +}" in listed[one.name] else "")
        missing = [p.name for p in own if p.name + "!" * p.required not in here]
        assert missing == [], one.name
        assert " in " in listed[one.name] or not any(p.name == "language" for p in one.parameters)
    assert [key for key in (*example_file.example_keys(), *example_file.step_keys()) if key not in text] == []


def _heading_of(name: str, text: str) -> str:
    before = text[: text.index(f"\n{name}: ")]
    return before.rpartition("\n\n")[2].splitlines()[0]


def test_a_plus_stands_for_parameters_that_a_template_does_have() -> None:
    known = open_library().templates()
    text = templates.render_catalogue(known.values())
    shared = [name for name, one in known.items() if f"\n{name}: " in text and " +}" in _line_of(name, text)]
    assert shared
    for name in shared:
        named = _heading_of(name, text).partition("; + is ")[2].split(", ")
        assert {*named} <= {parameter.name for parameter in known[name].parameters}


def _line_of(name: str, text: str) -> str:
    return text.partition(f"\n{name}: ")[2].partition("\n")[0]


def test_types_that_a_name_tells_are_said_in_words() -> None:
    text = templates.render_catalogue(open_library().templates().values())
    assert "commands, unless: lists of command patterns; " in text
    assert "bool" not in text.partition("\n\n")[0]


def test_too_many_templates_are_cut_where_their_lines_are_longest_and_none_is_dropped() -> None:
    ours = [*open_library().templates().values()]
    many = [*ours, *(replace(one, name=f"our-{one.name}") for one in ours)]
    text = templates.render_catalogue(many)
    assert (
        templates.count_catalogue_tokens(text) <= templates.MOST * 2
    )  # every name stands, which alone may take more than the bound
    assert [one.name for one in many if f"\n{one.name}: " not in text] == []
    assert " …" in text


def test_the_verb_prints_the_catalogue_and_one_template_whole(rulec: Run) -> None:
    said = rulec("templates", "--catalogue").stdout
    assert said.startswith("TEMPLATES")
    assert rulec("templates", "--template", "forbid-path").stdout == rulec("templates", "forbid-path").stdout
    assert "exclude each other" in rulec("templates", "forbid-path", "--catalogue", code=2).stderr
