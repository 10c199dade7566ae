"""One rule takes the place of another: both files say so, and the old one acts no more."""

from pathlib import Path

import pytest

from tests.conftest import Run


def test_the_old_rule_is_archived_and_the_new_one_says_whose_place_it_took(ruled: Path, rulec: Run, git: Run) -> None:
    said = rulec("retire", "use-pnpm", "--for", "no-stash", "--because", "nobody needs both").stdout
    assert said.startswith("no-stash took the place of use-pnpm: commit ")
    assert "superseded_by: no-stash\n" in (ruled / ".rules/archive/use-pnpm.yaml").read_text()
    assert "supersedes: [use-pnpm]\n" in (ruled / ".rules/no-stash.yaml").read_text()
    assert not list((ruled / ".rules/compiled").rglob("use-pnpm*"))
    assert git("status", "--porcelain").stdout == ""
    rulec("compile", "--check")
    assert git("log", "-1", "--format=%(trailers:only,unfold)").stdout.strip().splitlines() == [
        "Resolution: SUPERSEDE use-pnpm -- nobody needs both",
        "Rule: no-stash@2",
        "Rule: use-pnpm@2",
    ]


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        (("use-pnpm", "use-pnpm"), "use-pnpm cannot replace itself"),
        (("nope", "use-pnpm"), "no rule 'nope'"),
        (("use-pnpm", "nope"), "no rule 'nope'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(ruled: Path, rulec: Run, pair: tuple[str, str], says: str) -> None:
    old, new = pair
    refused = rulec("retire", old, "--for", new, code=2).stderr
    assert says in refused
    assert refused.count("\n") == 1


def test_an_archived_rule_takes_no_place(ruled: Path, rulec: Run) -> None:
    rulec("retire", "no-stash", "--because", "x")
    assert "no-stash is in the archive" in rulec("retire", "use-pnpm", "--for", "no-stash", code=2).stderr
    assert "no-stash is in the archive" in rulec("retire", "no-stash", "--for", "use-pnpm", code=2).stderr


def test_a_circle_is_refused(ruled: Path, rulec: Run, git: Run) -> None:
    rulec("retire", "use-pnpm", "--for", "no-stash")
    rulec("retire", "no-stash", "--for", "plain-words")
    git("mv", ".rules/archive/use-pnpm.yaml", ".rules/use-pnpm.yaml")
    path = ruled / ".rules/use-pnpm.yaml"
    path.write_text(path.read_text().replace("superseded_by: no-stash\n", ""))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Bring it back by hand")
    refused = rulec("retire", "plain-words", "--for", "use-pnpm", code=2).stderr
    assert "plain-words took the place of use-pnpm itself" in refused
    assert "rulec rollback plain-words" in refused
