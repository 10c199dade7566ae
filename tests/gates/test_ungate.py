"""Files that hold the gates up, before and after a change."""

from collections.abc import Mapping

import pytest

from rulec.domain.change import Change, FileChange
from rulec.gates.weakening.looser_settings import new_exceptions
from rulec.gates.weakening.lost_hooks import SharedFileBlock, lost_gate_files

OURS, STALE, NONE = SharedFileBlock(there=True, whole=True), SharedFileBlock(there=True), SharedFileBlock()


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        (OURS, OURS, []),
        (OURS, NONE, ["f: rulec's part of it is gone"]),
        (OURS, STALE, ["f: rulec's part of it differs from what rulec writes"]),
        (STALE, STALE, []),  # it was out of date already: rulec compile tells
        (STALE, OURS, []),
        (NONE, NONE, []),
        (NONE, STALE, []),
        (OURS, SharedFileBlock(wrong="not JSON"), ["f: whether it still works is unknown: not JSON"]),
    ],
)
def test_our_part_of_a_file_is_held_to_what_it_was(was: SharedFileBlock, now: SharedFileBlock, told: list[str]) -> None:
    assert [one.text for one in lost_gate_files({"f": "x"}, {"f": "y"}, {"f": (was, now)})] == told


def _owned(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return [one.text for one in lost_gate_files(before, after, {})]


def test_owners_that_lose_the_rules_are_told_and_others_are_not() -> None:
    leads = {"CODEOWNERS": "* @all\n/.rules/ @leads\n"}
    assert _owned(leads, leads) == []
    assert _owned(leads, {"CODEOWNERS": "* @everybody\n/.rules/ @leads\n"}) == []
    assert _owned({"CODEOWNERS": "* @all\n"}, {"CODEOWNERS": "/src/ @dev\n"}) == [
        ".rules/config.yaml: owned by nobody, not @all"
    ]
    assert _owned({"CODEOWNERS": "* @all\n"}, {"CODEOWNERS": "* @all\n/.rules/ @bot\n"}) == [
        ".rules/config.yaml: owned by @bot, not @all"
    ]
    adopted = lost_gate_files({"CODEOWNERS": "* @all\n"}, {"CODEOWNERS": "* @all\n/.rules/ @leads\n"}, {}, ["@leads"])
    assert list(adopted) == []
    assert _owned({}, leads) == []
    assert _owned({"CODEOWNERS": "* @a @b\n"}, {"CODEOWNERS": "* @a\n"}) == []  # fewer may approve
    (gone, *_) = _owned(leads, {})
    assert gone == ".rules/config.yaml: owned by nobody, not @leads"
    other = {**leads, ".github/CODEOWNERS": "/src/ @dev\n"}  # which comes first
    assert ".rules/config.yaml: owned by nobody, not @leads" in _owned(leads, other)


def _silent(text: str, base: str = "") -> list[tuple[int, str]]:
    file = FileChange(path="a.py", status="M", content=text.encode(), base=base.encode())
    return [(one.line, one.text) for one in new_exceptions(Change(files=(file,)), ["no-print"], "2026-11-22")]


MARK = "# rulec: ignore[no-print] until=2026-12-31 why not\n"


@pytest.mark.parametrize(
    ("text", "base", "lines"),
    [
        (f"x\n{MARK}", "x\n", [2]),
        (f"x\n{MARK}", f"{MARK}x\n", []),  # it moved
        (f"{MARK}x\n{MARK}", f"{MARK}x\n", [3]),  # one more of the same
        (MARK.replace("no-print", "no-print, other"), "", [1]),
        (MARK.replace("no-print", "other"), "", []),
        (MARK.replace("2026", "2020"), "", []),
        (MARK.replace(" why not", ""), "", []),
    ],
)
def test_a_exception_that_would_count_from_now_on_is_told(text: str, base: str, lines: list[int]) -> None:
    assert [line for line, _ in _silent(text, base)] == lines
