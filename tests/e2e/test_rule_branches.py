"""Branches that add, retire, supersede and revise rules, merged by git alone as forges do."""

from pathlib import Path

from evaluation.bench import merges
from rulec.infra.rulebooks import rulebook_files
from rulec.services import rulebook_commit

NUMBER = 2 * len(merges.WAYS)


def test_no_two_branches_of_rules_meet(tmp_path: Path) -> None:
    top = merges.founded(tmp_path / "repo", NUMBER)
    assert merges.merged(top, NUMBER) == {}
    assert merges.missing(top, NUMBER) == []
    assert rulebook_commit.stale_files(top, rulebook_files.load_rulebook(top)) == []
