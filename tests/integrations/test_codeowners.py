"""The owners of the gate stand in the last word of CODEOWNERS, wherever a team keeps it."""

import pytest

from rulec.checks.template_library import open_library
from rulec.domain.artifact import CompilePlan
from rulec.integrations import code_owners
from rulec.integrations.targets.codeowners import PLUG

OWNED = CompilePlan(owners=("@acme/leads", "@ann"))
RENDER = open_library().render


def _emit(current: dict[str, str], plan: CompilePlan = OWNED) -> dict[str, str | None]:
    return {file.path: file.text for file in PLUG.emit(plan, RENDER, current)}


@pytest.mark.parametrize(
    ("there", "path"),
    [
        ([], ".github/CODEOWNERS"),
        (["CODEOWNERS"], "CODEOWNERS"),
        (["docs/CODEOWNERS"], "docs/CODEOWNERS"),
        (["CODEOWNERS", ".github/CODEOWNERS"], ".github/CODEOWNERS"),
        ([".gitlab/CODEOWNERS"], ".gitlab/CODEOWNERS"),
    ],
)
def test_it_stands_in_the_file_that_counts(there: list[str], path: str) -> None:
    assert list(_emit(dict.fromkeys(there, "* @acme/all\n"))) == [path]


@pytest.mark.parametrize("theirs", ["* @acme/all\n", "# who\r\n/src/ @dev\r\n", "/docs/ @writers", "\n"])
def test_what_people_have_there_stays_and_comes_back(theirs: str) -> None:
    text = _emit({"CODEOWNERS": theirs})["CODEOWNERS"]
    assert text
    assert text.startswith(theirs)
    assert code_owners.owners_of(text, ".rules/use-pnpm.yaml") == OWNED.owners
    assert _emit({"CODEOWNERS": text}) == {"CODEOWNERS": text}
    assert PLUG.remove("CODEOWNERS", text) == theirs


def test_a_line_that_came_after_it_does_not_take_the_rules_away() -> None:
    first = _emit({"CODEOWNERS": "/src/ @dev\n"})["CODEOWNERS"]
    taken = f"{first}* @acme/all\n"
    assert code_owners.owners_of(taken, ".rules/config.yaml") == ("@acme/all",)
    text = _emit({"CODEOWNERS": taken})["CODEOWNERS"]
    assert text
    assert code_owners.owners_of(text, ".rules/config.yaml") == OWNED.owners
    assert code_owners.owners_of(text, "src/a.py") == ("@acme/all",)
    assert text.count("rulec:begin") == 1


def test_a_comment_may_follow_it() -> None:
    text = f"{_emit({})['.github/CODEOWNERS']}# the end\n"
    assert _emit({"CODEOWNERS": text}) == {"CODEOWNERS": text}


def test_without_owners_nothing_is_written_and_what_stood_there_goes() -> None:
    assert _emit({}, CompilePlan()) == {}
    assert _emit({"CODEOWNERS": "* @a\n"}, CompilePlan()) == {}
    text = _emit({"CODEOWNERS": "* @a\n"})["CODEOWNERS"]
    assert text
    assert _emit({"CODEOWNERS": text}, CompilePlan()) == {"CODEOWNERS": "* @a\n"}
    alone = _emit({})[".github/CODEOWNERS"]
    assert alone
    assert _emit({".github/CODEOWNERS": alone}, CompilePlan()) == {".github/CODEOWNERS": None}


def test_where_the_file_has_sections_it_has_its_own() -> None:
    text = _emit({".gitlab/CODEOWNERS": "[Docs]\n/docs/ @writers\n"})[".gitlab/CODEOWNERS"]
    assert text
    assert "\n[rulec]\n/.rules/ " in text
    assert "[rulec]" not in str(_emit({}))


@pytest.mark.parametrize(
    ("text", "path", "owners"),
    [
        ("* @a\n", "x/y.py", ("@a",)),
        ("* @a\n/x/ @b @c\n", "x/y.py", ("@b", "@c")),
        ("/x/ @b\n* @a\n", "x/y.py", ("@a",)),
        ("*.py @b\n", "x/y.py", ("@b",)),
        ("* @a\n/x/\n", "x/y.py", ()),
        ("/docs/* @a\n", "docs/a/b.md", ()),
        ("x/ @b # mine\n", "a/x/y.py", ("@b",)),
        ("# * @a\n\n", "x", ()),
        (f"* @a\n{'*a' * 30} @b\n", "a" * 60, ("@b",)),
        ("[Section][2] @all\n/x @b\n", "x", ("@b",)),
    ],
)
def test_the_last_line_that_speaks_of_a_path_says_who_owns_it(text: str, path: str, owners: tuple[str, ...]) -> None:
    assert code_owners.owners_of(text, path) == owners
