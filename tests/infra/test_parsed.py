"""Rules that were read before are the same rules, and only those whose text is the same."""

from pathlib import Path

import pytest
from hypothesis import given

from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.rulebook import evidence_file, file_paths, rule_file
from tests.support.rulebooks import accepted, files, tool
from tests.support.strategies import rules


def unread(text: str, *, source: str) -> Rule:
    raise AssertionError(f"{source} was read again: {text}")


def test_what_was_read_is_not_read_again_while_its_text_is_the_same(repo: Path) -> None:
    rule = tool("use-uv", "pip", "uv")
    text, path = rule_file.dump_rule(rule), ".rules/use-uv.yaml"
    state.state_dir(repo)
    with rule_reading.parse_cache(repo, 10):
        first = rule_reading.parse_once(path, text, rule_file.parse_rule)
    with rule_reading.parse_cache(repo, 10):
        assert rule_reading.parse_once(path, text, unread) == first == rule_file.parse_rule(text, source=path)
        with pytest.raises(AssertionError, match="read again"):
            rule_reading.parse_once(path, text + "# more\n", unread)
        with pytest.raises(AssertionError, match="read again"):
            rule_reading.parse_once(".rules/other.yaml", text, unread)


def test_few_files_are_not_kept(repo: Path) -> None:
    with rule_reading.parse_cache(repo, 9):
        rule_reading.parse_once("a", rule_file.dump_rule(tool("use-uv", "pip", "uv")), rule_file.parse_rule)
    assert not (repo / ".git/rulec/parsed").exists()


def test_evidence_comes_back_as_it_was(repo: Path) -> None:
    item = accepted(tool("use-uv", "pip", "uv"))
    for how in (evidence_file.parse_evidence, evidence_file.parse_evidence):
        with rule_reading.parse_cache(repo, 10):
            assert (
                rule_reading.parse_once(file_paths.evidence_path(item), evidence_file.dump_evidence(item), how) == item
            )


@given(rules())
def test_any_rule_comes_back_as_it_was(rule: Rule) -> None:
    assert rule_reading._whole(rule_reading._plain(rule)) == rule


def test_a_large_rulebook_is_the_same_read_for_the_first_time_and_the_second(repo: Path) -> None:
    for name, text in files(*(tool(f"use-{n}", f"old-{n}", f"new-{n}") for n in range(60))).items():
        target = repo / ".rules" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    state.state_dir(repo)
    first = rulebook_files.load_rulebook(repo)
    rulebook_files._parse_rule.cache_clear()
    rulebook_files._parse_evidence.cache_clear()
    assert (repo / ".git/rulec/parsed").stat().st_mode & 0o777 == 0o600
    assert rulebook_files.load_rulebook(repo) == first == rulebook_files.load_rulebook(repo, anew=True)
    (repo / ".rules/use-3.yaml").write_text("schema: 1\nslug: [\n")
    with pytest.raises(RulecError, match=r"use-3\.yaml:3"):
        rulebook_files.load_rulebook(repo)
