"""Rules that were read before are the same rules, and only those whose text is the same."""

from pathlib import Path

import pytest
from hypothesis import given

from rulec import evidencefile, rulefile
from rulec.errors import RulecError
from rulec.host import parsed, worktree
from rulec.model.rule import Rule
from tests.support.rulebooks import accepted, files, tool
from tests.support.strategies import rules


def unread(text: str, *, source: str) -> Rule:
    raise AssertionError(f"{source} was read again: {text}")


def test_what_was_read_is_not_read_again_while_its_text_is_the_same(repo: Path) -> None:
    rule = tool("use-uv", "pip", "uv")
    text, path = rulefile.dumps(rule), ".rules/use-uv.yaml"
    with parsed.kept(repo, 100):
        first = parsed.read(path, text, rulefile.loads)
    with parsed.kept(repo, 100):
        assert parsed.read(path, text, unread) == first == rulefile.loads(text, source=path)
        with pytest.raises(AssertionError, match="read again"):
            parsed.read(path, text + "# more\n", unread)
        with pytest.raises(AssertionError, match="read again"):
            parsed.read(".rules/other.yaml", text, unread)


def test_few_files_are_not_kept(repo: Path) -> None:
    with parsed.kept(repo, 99):
        parsed.read("a", rulefile.dumps(tool("use-uv", "pip", "uv")), rulefile.loads)
    assert not (repo / ".git/rulec/parsed").exists()


def test_evidence_comes_back_as_it_was(repo: Path) -> None:
    item = accepted(tool("use-uv", "pip", "uv"))
    for how in (evidencefile.loads, evidencefile.loads):
        with parsed.kept(repo, 100):
            assert parsed.read(worktree.evidence_path(item), evidencefile.dumps(item), how) == item


@given(rules())
def test_any_rule_comes_back_as_it_was(rule: Rule) -> None:
    assert parsed._whole(parsed._plain(rule)) == rule


def test_a_large_rulebook_is_the_same_read_for_the_first_time_and_the_second(repo: Path) -> None:
    for name, text in files(*(tool(f"use-{n}", f"old-{n}", f"new-{n}") for n in range(60))).items():
        target = repo / ".rules" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    first = worktree.load(repo)
    worktree._rule.cache_clear()
    worktree._observed.cache_clear()
    assert (repo / ".git/rulec/parsed").stat().st_mode & 0o777 == 0o600
    assert worktree.load(repo) == first == worktree.load(repo, anew=True)
    (repo / ".rules/use-3.yaml").write_text("schema: 1\nslug: [\n")
    with pytest.raises(RulecError, match=r"use-3\.yaml:3"):
        worktree.load(repo)
