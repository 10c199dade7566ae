"""Branches that change different rules merge without conflict, in any order, to the same rulebook."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulec.infra.rulebooks import rulebook_files
from tests.laws.conftest import pushed
from tests.support.session import pnpm
from tests.support.world import Texts, act, again, copy, run, settled

pytestmark = pytest.mark.e2e

WAYS = (("side0", "merge", "side1"), ("side1", "merge", "side0"), ("side0", "rebase", "side1"))
SLUG = "no-git-push-force"
RULE = f".rules/{SLUG}.yaml"


def _branches(top: Path, changes: Mapping[str, Texts], *sides: list[str]) -> None:
    """A branch for each list of changes, all from the same commit."""
    for number, names in enumerate(sides):
        run(top, "switch", "-qc", f"side{number}", "main")
        for name in names:
            again(top, name, changes[name])


def _join(top: Path, onto: str, how: str, other: str, code: int = 0) -> str:
    run(top, "switch", "-q", "--detach", onto)
    return run(
        top, *(("merge", "-q", "--no-edit", "--no-ff") if how == "merge" else ("rebase", "-q")), other, code=code
    )


def _confidence(top: Path) -> dict[str, str]:
    book = rulebook_files.load_rulebook(top)
    return {rule.slug: book.sure(rule).arithmetic for rule in book.rules}


@settings(
    max_examples=3,
    phases=[Phase.generate],  # a smaller case says no more, and each costs seconds
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_changes_of_different_rules_merge_in_any_order_to_the_same_rulebook(
    data: st.DataObject, seeded: Path, changes: Mapping[str, Texts], tmp_path: Path
) -> None:
    names = data.draw(st.permutations(sorted(changes)))[:4]
    cut = data.draw(st.integers(1, 3))
    top = copy(seeded, tmp_path / "top")
    _branches(top, changes, names[:cut], names[cut:])
    trees, sure = set(), []
    for way in WAYS:
        _join(top, *way)
        trees.add(settled(top))
        sure.append(_confidence(top))
    assert len(trees) == 1
    assert sure[0] == sure[1] == sure[2]


def test_a_forge_that_has_no_driver_merges_to_the_same(
    seeded: Path, changes: Mapping[str, Texts], tmp_path: Path
) -> None:
    top = copy(seeded, tmp_path / "top")
    _branches(top, changes, ["another of a person's"], ["a new rule of a person's"])
    run(top, "switch", "-q", "--detach", "side0")
    run(top, "merge", "-q", "--no-edit", "side1")
    wanted = run(top, "rev-parse", "HEAD^{tree}")
    run(top, "config", "--remove-section", "merge.rulec")
    _join(top, "side0", "merge", "side1")
    assert run(top, "rev-parse", "HEAD^{tree}") == wanted


@pytest.mark.parametrize("how", ["merge", "rebase"])
def test_the_same_transcript_on_both_branches_counts_once(seeded: Path, tmp_path: Path, how: str) -> None:
    top = copy(seeded, tmp_path / "top")
    transcript = str(pnpm(top).save(tmp_path / "s.jsonl"))
    for number in (0, 1):
        run(top, "switch", "-qc", f"side{number}", "main")
        run(top, "commit", "-q", "--allow-empty", "--no-verify", "-m", f"Something {number}")
        act(top, "ingest", transcript, "--yes")
    once = run(top, "rev-parse", "side0^{tree}")
    assert once == run(top, "rev-parse", "side1^{tree}"), "the two branches wrote other bytes"
    _join(top, "side0", how, "side1")
    assert settled(top) == once.strip()


def test_what_both_branches_heard_of_one_rule_is_all_counted(seeded: Path, tmp_path: Path) -> None:
    top = copy(seeded, tmp_path / "top")
    for number in (0, 1):
        run(top, "switch", "-qc", f"side{number}", "main")
        act(top, "ingest", str(pushed(top, f"5e55-100{number}").save(tmp_path / "s.jsonl")), "--yes")
    known = len(rulebook_files.load_rulebook(top).observed(SLUG))
    trees = set()
    for way in WAYS[:2]:
        _join(top, *way)
        trees.add(settled(top))
        assert len(rulebook_files.load_rulebook(top).observed(SLUG)) == known + 1
    assert len(trees) == 1


def test_many_branches_merge_at_once(seeded: Path, changes: Mapping[str, Texts], tmp_path: Path) -> None:
    top = copy(seeded, tmp_path / "top")
    _branches(top, changes, ["a new rule"], ["a new rule about code"], ["the same wish again"], ["a rule loosened"])
    run(top, "switch", "-q", "--detach", "main")
    run(top, "merge", "-q", "--no-edit", "side0", "side1", "side2", "side3")
    tree = settled(top)
    run(top, "switch", "-q", "--detach", "side3")
    for number in (2, 0, 1):
        run(top, "merge", "-q", "--no-edit", "--no-ff", f"side{number}")
    assert settled(top) == tree


def test_two_changes_of_one_rule_conflict_in_its_file_alone(seeded: Path, tmp_path: Path) -> None:
    top = copy(seeded, tmp_path / "top")
    text = (top / RULE).read_text()
    for number, severity in enumerate(("should", "style")):
        run(top, "switch", "-qc", f"side{number}", "main")
        new = text.replace("revision: 1", "revision: 2").replace("severity: must", f"severity: {severity}")
        assert new != text
        again(top, f"Change the rule to {severity}", {RULE: new})
    said = _join(top, "side0", "merge", "side1", code=1)
    assert [line.rpartition(" ")[2] for line in said.splitlines() if line.startswith("CONFLICT")] == [RULE]
    lines = (top / RULE).read_text().splitlines()
    begin, end = (next(n for n, line in enumerate(lines) if line.startswith(mark)) for mark in ("<<<<<<<", ">>>>>>>"))
    assert lines[begin + 1 : end] == ["severity: should", "=======", "severity: style"]
    refused = act(top, "compile", code=2).err
    assert (
        refused
        == f"rulec: {RULE}:{begin + 1}: a merge conflict stands here; finish the merge: settle it, then git add\n"
    )
    (top / RULE).write_text("\n".join([*lines[:begin], "severity: should", *lines[end + 1 :], ""]))
    act(top, "compile")
    run(top, "add", "-A")
    run(top, "commit", "-q", "--no-edit")
    act(top, "compile", "--check")


def test_a_persons_own_words_on_both_sides_conflict_and_the_rules_do_not(
    seeded: Path, changes: Mapping[str, Texts], tmp_path: Path
) -> None:
    top = copy(seeded, tmp_path / "top")
    _branches(top, changes, ["another of a person's"], ["a new rule of a person's"])
    for number, word in enumerate(("generous", "patient")):
        run(top, "switch", "-q", f"side{number}")
        guide = (top / "AGENTS.md").read_text()
        (top / "AGENTS.md").write_text(guide.replace("kind", word))
        run(top, "commit", "-qam", f"Be {word}", "--no-verify")
    _join(top, "side0", "merge", "side1", code=1)
    guide = (top / "AGENTS.md").read_text()
    assert guide.startswith("# Agents\n\n<<<<<<< ours\nBe generous.\n=======\nBe patient.\n>>>>>>> theirs\n")
    assert "AGENTS.md:3: a merge conflict stands here" in act(top, "compile", code=2).err
    (top / "AGENTS.md").write_text(
        guide.replace("<<<<<<< ours\n", "").partition("=======")[0] + guide.partition(">>>>>>> theirs\n")[2]
    )
    act(top, "compile")
    assert "<<<<<<<" not in (top / "AGENTS.md").read_text()


def test_a_rule_is_carried_over_by_cherry_pick(seeded: Path, changes: Mapping[str, Texts], tmp_path: Path) -> None:
    top = copy(seeded, tmp_path / "top")
    _branches(top, changes, ["another of a person's"], ["a new rule of a person's", "the same wish again"])
    run(top, "switch", "-q", "--detach", "side0")
    run(top, "cherry-pick", "side1~1", "side1")
    tree = settled(top)
    _join(top, "side0", "merge", "side1")
    assert settled(top) == tree
