"""Three versions of a document with our block become one: people's lines by git, ours by rules."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.integrations import three_way_merge

Lines = Callable[[str, str, str], tuple[str, bool]]
HEAD = "<!-- rulec:begin (x) -->\n## Rules\n\nWhat people decided.\n"
NONE = "<!-- rulec:begin (x) -->\nNo rules yet.\n<!-- rulec:end -->\n"


def _block(**groups: str) -> str:
    items = "".join(
        f"\n### {title.upper()}\n\n" + "".join(f"- Do {slug}. (`{slug}`)\n" for slug in slugs.split())
        for title, slugs in groups.items()
    )
    return f"{HEAD}{items}<!-- rulec:end -->\n"


@pytest.fixture
def lines(tmp_path: Path) -> Lines:
    """git's own merge."""

    def merge(base: str, ours: str, theirs: str) -> tuple[str, bool]:
        for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
            (tmp_path / name).write_bytes(text.encode())
        argv = ["git", "merge-file", "-q", "-p", "ours", "base", "theirs"]
        done = subprocess.run(argv, cwd=tmp_path, capture_output=True, check=False)
        return done.stdout.decode(), done.returncode == 0

    return merge


BLOCKS = {  # base, ours, theirs, merged
    "both add to one group": (_block(must="c"), _block(must="a c"), _block(must="b c"), _block(must="a b c")),
    "both add at the end": (_block(must="a"), _block(must="a c"), _block(must="a b"), _block(must="a b c")),
    "both add a group": (_block(must="a"), _block(must="a", style="s"), _block(must="a", should="h"),
                         _block(must="a", should="h", style="s")),
    "they add the first group": (_block(should="h"), _block(should="h i"), _block(must="m", should="h"),
                                 _block(must="m", should="h i")),
    "the first rules of all": (NONE, _block(must="a"), _block(should="b"), _block(must="a", should="b")),
    "we take one out, they add": (_block(must="a b"), _block(must="b"), _block(must="a b c"), _block(must="b c")),
    "they take one out, we add": (_block(must="a b"), _block(must="a b c"), _block(must="b"), _block(must="b c")),
    "they empty a group": (_block(must="a", style="s"), _block(must="a b", style="s"), _block(must="a"),
                           _block(must="a b")),
    "both add the same": (_block(must="a"), _block(must="a b"), _block(must="a b"), _block(must="a b")),
    "no base": ("", _block(must="a"), _block(must="b"), _block(must="a b")),
}  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_that_both_sides_changed_are_joined(name: str, lines: Lines) -> None:
    base, ours, theirs, wanted = BLOCKS[name]
    assert three_way_merge.merge_three_ways(base, ours, theirs, "AGENTS.md", lines) == (wanted, True)
    text, clean = three_way_merge.merge_three_ways(base, theirs, ours, "AGENTS.md", lines)
    assert (sorted(text.split("\n")), clean) == (sorted(wanted.split("\n")), True)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_people_wrote_on_both_sides_is_kept_around_the_block(lines: Lines, end: str) -> None:
    def text(before: str, block: str, after: str) -> str:
        return f"# Agents\n{before}\n\n{block}\n## More\n{after}".replace("\n", end)

    base, old, a, b = text("Hi.", _block(must="o"), "1\n"), "Hi.", _block(must="a o"), _block(must="b o")
    merged = three_way_merge.merge_three_ways(
        base, text("Hello.", a, "1\n"), text(old, b, "1\n2\n"), "AGENTS.md", lines
    )
    assert merged == (text("Hello.", _block(must="a b o"), "1\n2\n"), True)


def test_a_conflict_of_peoples_words_is_left_with_one_whole_block(lines: Lines) -> None:
    base, ours, theirs = (
        f"{word}\n\n{_block(must=slug)}" for word, slug in (("Hi.", "o"), ("Ho.", "a o"), ("Ha.", "o b"))
    )
    text, clean = three_way_merge.merge_three_ways(base, ours, theirs, "AGENTS.md", lines)
    assert not clean
    assert text.endswith(_block(must="a b o"))
    assert text.startswith("<<<<<<< ")
    assert text.count("rulec:begin") == 1


def test_two_documents_with_nothing_in_common_keep_one_block(lines: Lines) -> None:
    text, clean = three_way_merge.merge_three_ways(
        "", f"Ours\n\n{_block(must='a')}", f"Theirs\n\n{_block(must='b')}", "AGENTS.md", lines
    )
    assert not clean
    assert text.count("rulec:begin") == text.count("rulec:end") == 1
    assert "(`a`)" in text
    assert "(`b`)" in text


def test_one_side_that_takes_the_block_out_wins(lines: Lines) -> None:
    with_block = f"Hi.\n\n{_block(must='a')}"
    assert three_way_merge.merge_three_ways(with_block, "Hi.\n", with_block, "AGENTS.md", lines) == ("Hi.\n", True)
    assert three_way_merge.merge_three_ways("Hi.\n", "Hi.\n", with_block, "AGENTS.md", lines) == (with_block, True)


def test_code_in_a_block_is_not_mixed(lines: Lines) -> None:
    def text(*hooks: str) -> str:
        items = "".join(f"  - id: {hook}\n" for hook in hooks)
        return f"repos:\n# rulec:begin (x)\n- repo: local\n  hooks:\n{items}# rulec:end\n"

    merged = three_way_merge.merge_three_ways(
        text("a"), text("a", "b"), text("a", "c"), ".pre-commit-config.yaml", lines
    )
    assert merged == (text("a", "b"), True)


def test_damaged_marks_are_merged_as_text(lines: Lines) -> None:
    damaged = "<!-- rulec:begin (x) -->\nno end\n"
    assert three_way_merge.merge_three_ways(damaged, damaged, damaged + "x\n", "AGENTS.md", lines) == (
        damaged + "x\n",
        True,
    )
