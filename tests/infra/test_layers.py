"""Vendored rules stand under the team's own, and only as their lock has them."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from rulec.domain.evidence import Evidence, FiringCount
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.infra.rulebooks import extensions, rulebook_files
from rulec.rulebook import config, evidence_file, file_paths, rule_file
from rulec.rulebook.rulebook import Rulebook
from tests.support.rulebooks import accepted, files, tool

PNPM, RUFF = tool("use-pnpm", "npm", "pnpm"), tool("use-ruff", "flake8", "ruff")
NAMES = ("one", "two")


def stack(own: tuple[Rule, ...], vendored: Mapping[str, tuple[Rule, ...]], archived: str = "") -> Rulebook:
    """The rulebook of a team with these rules, which extends others."""
    texts = {f".rules/{name}": text for name, text in files(*own).items()}
    named = "".join(f"  - {{name: {name}, url: ../{name}, rev: v1}}\n" for name in vendored)
    texts[file_paths.CONFIG] = f"schema: 1\nextends:\n{named}"
    if archived:
        texts[f".rules/archive/{archived}.yaml"] = ""
    for name, rules in vendored.items():
        texts |= vendor(name, *rules)
    return rulebook_files.parse_rulebook(texts)


def vendor(name: str, *rules: Rule) -> dict[str, str]:
    """The files of a vendored rulebook with its lock."""
    taken = {path: text for path, text in files(*rules).items() if path != "config.yaml"}
    lock = config.RulebookLock(url=f"../{name}", rev="v1", commit="0" * 40, tree=config.files_digest(taken))
    return {
        f".rules/extends/{name}/{path}": text for path, text in {**taken, "lock.yaml": config.dump_lock(lock)}.items()
    }


def layer(book: Rulebook, slug: str) -> str:
    rule = book.rule(slug)
    return rule.layer if rule else ""


def test_vendored_rules_are_rules_of_their_layer_with_their_own_evidence() -> None:
    book = stack((PNPM,), {"one": (RUFF,)})
    assert [(rule.slug, rule.layer) for rule in book.rules] == [("use-pnpm", "team"), ("use-ruff", "extends one")]
    assert book.observed("use-ruff") == (accepted(RUFF),)
    assert book.overruled == ()


def test_of_two_rules_of_one_name_the_teams_own_wins_and_it_is_told() -> None:
    book = stack((PNPM,), {"one": (replace(PNPM, statement="Use pnpm 9."),)})
    assert book.rule("use-pnpm") == replace(PNPM, source=".rules/use-pnpm.yaml", checks=book.rules[0].checks)
    assert book.overruled == ("use-pnpm of extends one is not in force: the team has its own",)


def test_no_time_that_another_team_names_makes_the_teams_rules_old() -> None:
    book = stack((PNPM,), {"one": (RUFF,)})
    late = replace(accepted(RUFF), at="2999-01-01T00:00:00Z")
    assert replace(book, evidence={**book.evidence, RUFF.slug: (late,)}).sure(PNPM) == book.sure(PNPM)


def test_what_the_team_has_archived_does_not_come_back_through_another_rulebook() -> None:
    book = stack((), {"one": (PNPM,)}, archived="use-pnpm")
    assert book.rules == ()
    (told,) = book.overruled
    assert "the team archived its own" in told


@pytest.mark.parametrize("names", [NAMES, NAMES[::-1]])
def test_of_two_vendored_rules_of_one_name_the_first_listed_wins(names: tuple[str, ...]) -> None:
    book = stack((), dict.fromkeys(names, (PNPM,)))
    assert layer(book, "use-pnpm") == f"extends {names[0]}"
    (told,) = book.overruled
    assert told.startswith(f"use-pnpm of extends {names[1]} is not in force: extends {names[0]}, listed first")


@pytest.mark.parametrize(("origin", "counted"), [("abcdefabcdef", 1), ("", 0)])
def test_the_words_that_a_copy_began_with_still_speak_for_it_and_those_of_a_namesake_do_not(
    origin: str, counted: int
) -> None:
    theirs = replace(PNPM, origin=origin)
    texts = {
        file_paths.CONFIG: "schema: 1\nextends: [{name: one, url: ../one, rev: v1}]\n",
        ".rules/use-pnpm.yaml": rule_file.dump_rule(replace(theirs, revision=2)),
        **vendor("one", theirs),
    }
    assert len(rulebook_files.parse_rulebook(texts).observed("use-pnpm")) == counted


def test_what_was_proved_elsewhere_counts_for_nothing_here() -> None:
    proof = Evidence(slug="use-pnpm", kind="proved", revision=1, digest="0123456789ab")
    texts = {
        **{path: text for path, text in files(PNPM).items() if path != "config.yaml"},
        f"evidence/use-pnpm/{evidence_file.evidence_id(proof)}.yaml": evidence_file.dump_evidence(proof),
    }
    assert [item.kind for item in extensions.read_extension("one", texts).observed("use-pnpm")] == ["accepted"]


def test_only_what_the_settings_name_holds() -> None:
    texts = {file_paths.CONFIG: "schema: 1\n", **vendor("one", PNPM)}
    assert rulebook_files.parse_rulebook(texts).rules == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("use-pnpm.yaml", "changed"),
        ("use-pnpm.yaml", None),
        ("lock.yaml", None),
        ("another.yaml", "schema: 1\n"),
        ("evidence/use-pnpm/0123456789ab.yaml", "schema: 1\n"),
    ],
)
def test_a_vendored_file_that_is_not_what_was_locked_is_seen(path: str, text: str | None) -> None:
    texts = vendor("one", PNPM)
    assert extensions.tampered_extensions(texts) == []
    place = f".rules/extends/one/{path}"
    changed: dict[str, str | None] = {**texts, place: None if text is None else texts.get(place, "") + text}
    assert extensions.tampered_extensions({name: said for name, said in changed.items() if said is not None}) == ["one"]


def test_line_ends_that_git_changed_are_no_tampering() -> None:
    texts = vendor("one", PNPM)
    assert extensions.tampered_extensions({path: text.replace("\n", "\r\n") for path, text in texts.items()}) == []


def test_a_file_that_is_wrong_is_refused_by_its_place() -> None:
    with pytest.raises(RulecError, match="holds the rule use-pnpm") as refused:
        extensions.read_extension("one", {"use-npm.yaml": files(PNPM)["use-pnpm.yaml"]})
    assert refused.value.where == ".rules/extends/one/use-npm.yaml"
    assert "rulec extend --update one" in refused.value.hint


def test_how_often_the_gates_of_another_team_fired_is_none_of_ours() -> None:
    seen = (FiringCount(day="2026-11-01", gate="ask", agent="codex", outcome="block"),)
    fired = Evidence(slug="use-pnpm", kind="fired", at="2026-11-01T09:00:00Z", seen=seen)
    texts = {
        **files(PNPM),
        f"evidence/use-pnpm/{evidence_file.evidence_id(fired)}.yaml": evidence_file.dump_evidence(fired),
    }
    del texts["config.yaml"]
    assert extensions.read_extension("one", texts).observed("use-pnpm") == (accepted(PNPM),)
