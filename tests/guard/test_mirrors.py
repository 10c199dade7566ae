"""A source and its copies: what differs, what differed before, and what cannot be told."""

import pytest

from rulec.domain.compiled_rule import ChangeCheck
from rulec.guard.companion_files import drifted_copies
from tests.guard.test_companions import Tree, file

SETTINGS = "# a = 1\n# b = 2\n"
README = f"# Shop\n\n```toml\n{SETTINGS}```\n"
PART = ChangeCheck(source="*.example.toml", mirrors=("README.md",), part=True)
THERE = Tree({"shop.example.toml": SETTINGS, "README.md": README, "docs/a.md": "x"})


@pytest.mark.parametrize(
    ("copy", "source", "part", "same"),
    [
        ("a\nb\n", "a  \nb\n\n", False, True),
        ("a\nb\nc\n", "a\nb\n", False, False),
        ("x\na\nb\nc\n", "a\nb\n", True, True),
        ("x\na\n\nb\n", "a\nb\n", True, False),
        ("xa\nb\n", "a\nb\n", True, False),
        ("a\n", "", True, False),
    ],
)
def test_a_copy_says_the_same_line_for_line(copy, source, part, same):
    check = ChangeCheck(source="source.txt", mirrors=("copy.txt",), part=part)
    tree = Tree({"source.txt": source, "copy.txt": copy})
    drifted = drifted_copies(check, [file(path, text) for path, text in tree.files.items()], tree)
    assert (drifted == []) is same


def changed(path, new, tree=THERE):
    now = Tree({**tree.files, path: new})
    return drifted_copies(PART, [file(path, new, tree.files.get(path, ""), how="change")], now)


def test_a_source_that_changes_alone_leaves_its_copy_behind():
    assert changed("shop.example.toml", "# a = 3\n# b = 2\n") == [
        ("shop.example.toml", "README.md does not say what shop.example.toml says")
    ]


def test_a_copy_that_changes_alone_is_told_from_one_that_changes_around_it():
    assert changed("README.md", README.replace("# a", "a"))[0][0] == "README.md"
    assert changed("README.md", README.replace("Shop", "Our shop")) == []


def test_what_differed_before_is_blamed_on_no_other_change():
    apart = Tree({**THERE.files, "README.md": "# Shop\n"})
    assert changed("README.md", "# Our shop\n", apart) == []
    assert changed("shop.example.toml", "# a = 3\n# b = 2\n", apart)


def test_a_name_that_several_files_have_says_nothing():
    two = Tree({**THERE.files, "old.example.toml": "# z = 1\n"})
    assert changed("README.md", "# Shop\n", two) == []


def test_without_the_repository_only_what_is_in_the_change_is_compared():
    assert drifted_copies(PART, [file("README.md", "# Shop\n")]) == []
    assert drifted_copies(PART, [file("README.md", "# Shop\n"), file("a.example.toml", SETTINGS)])
