"""``rulec test`` asks each judge about its own examples; what it reaches decides what it may do."""

import json
from pathlib import Path

import pytest

from rulec.checks.judge.checker import facts
from rulec.checks.proving.verification import LEFT_TO_JUDGE
from rulec.infra.rulebooks import rulebook_files
from tests.conftest import Run
from tests.support.measuring import CONFIG, MODEL, PLAIN, by_words, recorded

SLUG = "plain-names"
SAID = "slug: plain-names\nkind: accepted\nweight: 3.0\n"


@pytest.fixture
def book(gated: Path, rulec: Run, git: Run) -> Path:
    _pinned(gated, "block")
    _configure(gated, CONFIG)
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Judge names", "--no-verify")
    return gated


def _pinned(top: Path, to: str) -> None:
    (top / ".rules" / f"{SLUG}.yaml").write_text(PLAIN.format(pinned=to))


def _configure(top: Path, more: str) -> None:
    config = top / ".rules" / "config.yaml"
    config.write_text(config.read_text() + more)


def _acts(top: Path) -> str:
    text = (top / ".rules" / "compiled" / "judge" / f"{SLUG}.md").read_text()
    return facts(text).enforcement


def _judge(rulec: Run, *args: str) -> dict:
    (found,) = [one for one in json.loads(rulec("test", "--format", "json", *args).stdout) if one["slug"] == SLUG]
    return found["judge"]


GOOD = by_words("process", "tmp")


def test_without_a_backend_a_judge_is_not_measured_and_nothing_fails(gated: Path, rulec: Run) -> None:
    _pinned(gated, "auto")
    said = rulec("test").stdout
    assert f"{SLUG}: its judge was not measured: no backend" in said
    assert "1 for a model to judge" in said
    assert f"{SLUG}@1" in said
    assert f"{SLUG}  audit   nowhere " in rulec("rules").stdout


def test_too_few_examples_measure_nothing(book: Path, rulec: Run) -> None:
    path = book / ".rules" / f"{SLUG}.yaml"
    path.write_text(path.read_text().replace('    - {file: src/b.py, content: "tmp = 1\\n"}\n', ""))
    assert "too few examples to measure: 1 invalid and 2 valid that it reads" in rulec("test").stdout


def test_a_judge_that_holds_its_bar_blocks_once_that_is_recorded(book: Path, rulec: Run, git: Run) -> None:
    assert _acts(book) == "warn"  # although it is pinned to block
    assert recorded(book, GOOD) == 3  # all examples of a round fit into one request
    said = rulec("test").stdout
    measured = f"precision 1.00 recall 1.00 agreement 1.00, bar 0.9/0.7/0.9, 3 times, model {MODEL}"
    assert f"{SLUG}: its judge is accurate enough to block: {measured}" in said
    assert f"rulec test {SLUG} --record" in said
    assert _acts(book) == "warn"
    said = rulec("test", SLUG, "--record").stdout
    assert "recorded 1 of 1 judges" in said
    assert "to let it block, record that" not in said
    assert _acts(book) == "block"
    message = git("log", "-1", "--format=%B").stdout
    assert f"Resolution: MEASURE {SLUG} -- 1 of 1 are accurate enough" in message
    assert measured in message
    (item,) = [one for one in rulebook_files.load_rulebook(book).observed(SLUG) if one.measured]
    assert (item.kind, item.measured.model, item.measured.repeats) == ("proved", MODEL, 3)
    assert git("status", "--porcelain", "--", ".rules").stdout == ""
    assert "nothing recorded: it is recorded already" in rulec("test", "--record").stdout
    assert "every artifact is current" in rulec("compile", "--check").stdout


def test_a_judge_below_its_bar_only_warns_and_says_at_what_it_failed(book: Path, rulec: Run) -> None:
    recorded(book, by_words("process", "rate"))
    said = rulec("test", SLUG, "--record").stdout
    assert f"{SLUG}: its judge is not accurate enough, so it warns at most: precision 0.50 recall 0.50" in said
    assert "  lets through (3 of 3 times): src/b.py: tmp = 1" in said
    assert "  refuses what is right (3 of 3 times): src/b.py: rate = 1" in said
    assert "nothing recorded" in said
    assert _acts(book) == "warn"


def test_what_is_recorded_goes_where_the_judge_falls_below_its_bar(book: Path, rulec: Run) -> None:
    recorded(book, GOOD)
    rulec("test", "--record")
    assert _acts(book) == "block"
    for answer in (book / ".git" / "rulec" / "answers").glob("*.json"):
        answer.unlink()
    recorded(book, by_words("nothing"))
    assert "recorded 0 of 1 judges" in rulec("test", "--record").stdout
    assert _acts(book) == "warn"
    assert not [one for one in rulebook_files.load_rulebook(book).observed(SLUG) if one.measured]


def test_repeats_are_asked_in_prompts_of_their_own_so_that_a_judge_can_contradict_itself(
    book: Path, rulec: Run
) -> None:
    wavering = by_words("process")
    recorded(book, lambda number, judge, piece: "pass" if number == 1 else wavering(number, judge, piece))
    found = _judge(rulec)
    assert found["measured"]["agreement"] < 0.9
    assert not found["holds"]
    assert _judge(rulec) == found  # the answers are kept, each for its own round


@pytest.mark.parametrize("repeats", [2, 5])
def test_the_person_says_how_often(book: Path, rulec: Run, repeats: int) -> None:
    recorded(book, GOOD, repeats)
    assert _judge(rulec, "--repeats", str(repeats))["measured"]["repeats"] == repeats


def test_another_statement_example_or_bar_undoes_the_measure(book: Path, rulec: Run, git: Run) -> None:
    recorded(book, GOOD)
    rulec("test", "--record")
    path = book / ".rules" / f"{SLUG}.yaml"
    text = path.read_text()
    for old, new in (("Names say", "All names say"), ("tmp = 1", "tmp = 2"), ("almost anything", "anything")):
        path.write_text(text.replace(old, new))
        rulec("compile")
        assert _acts(book) == "warn", old
    path.write_text(text)
    rulec("compile")
    assert _acts(book) == "block"
    _configure(book, "bar: {agreement: 1, precision: 1, recall: 1}\n")
    rulec("compile")
    assert _acts(book) == "block"


def test_answers_of_nobody_knows_which_model_are_not_recorded(book: Path, rulec: Run) -> None:
    config = book / ".rules" / "config.yaml"
    config.write_text(config.read_text().replace(f", model: {MODEL}", ""))
    recorded(book, GOOD)
    assert "the model's name is unknown" in rulec("test", "--record").stdout
    assert _acts(book) == "warn"


def test_a_reply_that_lets_the_decoy_pass_measures_nothing_well(book: Path, rulec: Run) -> None:
    recorded(book, GOOD)
    for answer in (book / ".rulec" / "recorded").glob("*.json"):
        answer.write_text('{"verdicts": []}')
    found = _judge(rulec)
    assert (found["measured"]["recall"], found["holds"]) == (0.0, False)


def test_trouble_is_told_and_measures_nothing(book: Path, rulec: Run) -> None:
    (book / ".rulec" / "recorded").mkdir(parents=True)
    found = _judge(rulec)
    assert found["measured"] is None
    assert "no answer is recorded" in found["why"]


def test_doctor_status_rules_and_why_say_that_a_pinned_judge_only_warns(book: Path, rulec: Run) -> None:
    wrong = f"{SLUG} is pinned to block, but its judge is not measured, so it warns at most"
    assert wrong in rulec("doctor", code=None).stdout
    assert "judges: 1, 0 measured; asked at ci, by recorded" in rulec().stdout
    assert "warn    ci" in rulec("rules").stdout
    said = rulec("why", SLUG).stdout
    assert "judge: asked at ci, by recorded; not measured, so it warns at most" in said
    recorded(book, GOOD)
    rulec("test", "--record")
    assert wrong not in rulec("doctor", code=None).stdout
    assert "judges: 1, 1 measured" in rulec().stdout
    assert (
        f"precision 1.00 recall 1.00 agreement 1.00, bar 0.9/0.7/0.9, 3 times, model {MODEL}"
        in rulec("why", SLUG).stdout
    )


BOTH = """\
slug: plain-names
statement: Names say what a thing is.
enforcement: block
checks:
  - {kind: guard, template: forbid-text, with: {patterns: ['\\btmp\\b'], globs: ['**/*.py']}}
  - {kind: judge, template: judge}
examples:
  invalid:
    - {file: src/a.py, content: "def process(data):\\n    pass\\n"}
    - {file: src/b.py, content: "tmp = 1\\n"}
  valid:
    - {file: src/a.py, content: "def invoice_total(lines):\\n    pass\\n"}
    - {file: src/b.py, content: "rate = 1\\n"}
"""


def test_a_guard_is_proved_beside_a_judge_that_nobody_measured(book: Path, rulec: Run) -> None:
    (book / ".rules" / f"{SLUG}.yaml").write_text(BOTH)
    assert "1 caught, 2 passed, 1 left to the judge" in rulec("compile").stdout
    guard = json.loads((book / ".rules" / "compiled" / "guard" / f"{SLUG}.json").read_text())
    assert guard["facts"]["enforcement"] == "block"
    assert _acts(book) == "warn"
    assert "def process(" in rulec("test", SLUG).stdout
    recorded(book, GOOD)
    rulec("test", "--record", "--no-commit")
    assert _acts(book) == "block"
    assert LEFT_TO_JUDGE not in rulec("compile").stdout


def test_examples_that_contradict_each_other_fail_also_where_only_a_model_decides(book: Path, rulec: Run) -> None:
    path = book / ".rules" / f"{SLUG}.yaml"
    path.write_text(path.read_text().replace("rate = 1", "tmp = 1"))
    assert "is both valid and invalid" in rulec("compile", code=1).stdout
    assert f"unproved: {SLUG}" in rulec("compile", "--check", code=1).stdout


def test_a_pin_alone_lets_no_judge_block(book: Path, rulec: Run) -> None:
    assert "pinned to warn now" in rulec("set", SLUG, "warn", "--no-commit").stdout
    said = rulec("set", SLUG, "block", "--no-commit").stdout
    assert f"pinned to block now; its judge is not measured, so it warns at most: rulec test {SLUG} --record" in said
    assert _acts(book) == "warn"
