"""Files that the words name on both sides of a change."""

import pytest

from rulec.fits.partners import fit
from rulec.language import clauses
from rulec.model.transcript import Action


def write(path: str) -> Action:
    return Action(kind="write", path=path, new="x\n")


COMMIT = Action(kind="command", command="git add -A && git commit -m 'Change it'")


def rules(said: str, wrong: str, right: str) -> list[tuple[list[str], list[str]]]:
    found = (d for one in clauses(said) for d in fit(one, (write(wrong), COMMIT), (write(right), COMMIT)))
    return [(draft.checks[0].parameters["when"], draft.checks[0].parameters["needs"]) for draft in found]


@pytest.mark.parametrize(
    ("said", "wrong", "right", "rule"),
    [
        (
            "you changed spec.yaml but clients/go still has the old one",
            "spec.yaml",
            "clients/go/version.go",
            (["spec.yaml"], ["clients/go/**"]),
        ),
        ("de.json 和 fr.json 必须一起改", "locales/de.json", "locales/fr.json", (["de.json"], ["fr.json"])),
        (
            "you added a column but the diagram in docs/tables.mmd doesn't know about it",
            "db/migrations/7.sql",
            "docs/tables.mmd",
            (["db/migrations/**"], ["docs/tables.mmd"]),
        ),
    ],
)
def test_what_was_changed_alone_calls_for_what_was_brought(
    said: str, wrong: str, right: str, rule: tuple[list[str], list[str]]
) -> None:
    assert rules(said, wrong, right)[:1] == [rule]


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("spec.yaml looks fine, clients/go is another story", "spec.yaml", "clients/go/version.go"),
        ("don't touch clients/go together with spec.yaml", "spec.yaml", "clients/go/version.go"),
        ("spec.yaml and clients/go belong together", "spec.yaml", "README.md"),
        ("update docs/tables.mmd too", "src/a.py", "docs/tables.mmd"),  # no word says what calls for it
    ],
)
def test_words_that_name_one_side_or_none_give_no_rule(said: str, wrong: str, right: str) -> None:
    assert rules(said, wrong, right) == []
