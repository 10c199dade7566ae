"""Three versions of a document with our block become one: people's lines by git, ours by rules."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.integrations import three_way_merge

Lines = Callable[[str, str, str], tuple[str, bool]]
HEAD = "<!-- rulec:begin (x) -->\n## Rules\n\nWhat people decided.\n"


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


def test_of_two_blocks_ours_stands_until_compile(lines: Lines) -> None:
    base, ours, theirs = _block(must="c"), _block(must="a c"), _block(must="b c")
    assert three_way_merge.merge_three_ways(base, ours, theirs, "AGENTS.md", lines) == (ours, True)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_people_wrote_on_both_sides_is_kept_around_the_block(lines: Lines, end: str) -> None:
    def text(before: str, block: str, after: str) -> str:
        return f"# Agents\n{before}\n\n{block}\n## More\n{after}".replace("\n", end)

    base, old, a, b = text("Hi.", _block(must="o"), "1\n"), "Hi.", _block(must="a o"), _block(must="b o")
    merged = three_way_merge.merge_three_ways(
        base, text("Hello.", a, "1\n"), text(old, b, "1\n2\n"), "AGENTS.md", lines
    )
    assert merged == (text("Hello.", a, "1\n2\n"), True)


def test_a_conflict_of_peoples_words_is_left_with_one_whole_block(lines: Lines) -> None:
    base, ours, theirs = (
        f"{word}\n\n{_block(must=slug)}" for word, slug in (("Hi.", "o"), ("Ho.", "a o"), ("Ha.", "o b"))
    )
    text, clean = three_way_merge.merge_three_ways(base, ours, theirs, "AGENTS.md", lines)
    assert not clean
    assert text.endswith(_block(must="a o"))
    assert text.startswith("<<<<<<< ")
    assert text.count("rulec:begin") == 1


def test_two_documents_with_nothing_in_common_keep_one_block(lines: Lines) -> None:
    text, clean = three_way_merge.merge_three_ways(
        "", f"Ours\n\n{_block(must='a')}", f"Theirs\n\n{_block(must='b')}", "AGENTS.md", lines
    )
    assert not clean
    assert text.count("rulec:begin") == text.count("rulec:end") == 1
    assert "(`a`)" in text


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
