"""Variants of examples are the same for the same rule, and few."""

import json

from rulec.checks.proving.mutation import MOST_VARIANTS, make_mutants
from rulec.domain.artifact import Artifact
from rulec.domain.rule import Rule
from tests.checks.growing import NPM, file, grown


def test_the_same_rule_has_the_same_variants() -> None:
    assert grown(NPM) == grown(NPM)
    names = [mutant.example for mutant in grown(NPM)]
    assert len(names) == len(set(names))
    assert not {*NPM.invalid, *NPM.valid} & set(names)


def test_no_example_has_more_variants_than_a_person_could_look_through() -> None:
    assert 10 < len(grown(NPM)) <= 3 * MOST_VARIANTS


def test_an_artifact_of_no_known_kind_gives_no_variant_of_its_own() -> None:
    rule = Rule(slug="a-rule", statement="S.", invalid=(file("a.bin", ""),))
    check = {"on": "path", "globs": ["x"]}
    artifact = Artifact(path=".rules/compiled/guard/a-rule.json", text=json.dumps({"check": check}))
    assert {mutant.name for mutant in make_mutants(rule, [artifact]) if not mutant.invalid} <= {
        *(f"only read: {p}" for p in ["cat", "ls", "grep", "git", "wc", "head", "echo"]),
        *(f"outside the repository: {folder}" for folder in ["/tmp/scratch", "/var/lib/other"]),
        "put back by git",
    }
