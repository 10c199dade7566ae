"""What a person sees of their weights: in doctor, after a note; and how they get rid of them."""

from pathlib import Path

import pytest

from rulec.reminders import rule_records
from rulec.weights import learning, person_bonus, weight_store
from rulec.weights.formulas import TurnFacts
from tests.services.test_snapshot import CONFIG, PNPM, SHORT, write


@pytest.fixture
def book(repo, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    for name, text in {"config": CONFIG, "use-pnpm": PNPM, "short-tests": SHORT}.items():
        write(repo, name, text)
    return repo


def folder(repo):
    return Path(weight_store.folder_of(str(repo)))


def test_doctor_forgets_the_weights_and_leaves_no_byte(book, rulec):
    rulec("compile")
    rules = rule_records.gather_rules(str(book))
    learning.learn(str(book), "s", rules, {"short-tests": TurnFacts(broken=True)})
    assert person_bonus.bonuses(str(book), rules)["short-tests"] == pytest.approx(2 * 0.01 * 0.9 / 2)
    (folder(book) / ".weights.json.1.2").write_text("half written")
    assert (
        rulec("doctor", "--forget").stdout
        == "forgot the weights of 1 repository; the next session starts without any\n"
    )
    assert not folder(book).parent.exists()
    assert not person_bonus.bonuses(str(book), rules)
    assert rulec("doctor", "--forget").stdout == "nothing is kept of you\n"


def test_a_note_that_it_was_wrong_lowers_the_rule(book, rulec):
    rulec("compile")
    rulec("note", "short-tests", "that one had to be long", "--should", "pass")
    long = weight_store.load_weights(str(book)).long
    assert long["short-tests"] < 0


def test_settings_turn_the_weights_off(book, rulec):
    write(book, "config", CONFIG + "weights: false\n")
    rulec("compile")
    assert (book / person_bonus.OFF).exists()
    rulec("note", "short-tests", "that one had to be long", "--should", "pass")
    assert not folder(book).exists()
    write(book, "config", CONFIG)
    rulec("compile")
    assert not (book / person_bonus.OFF).exists()
