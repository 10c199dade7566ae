"""rulec evolve --similar: two rules become one, with the evidence of both, and the old name leads to it."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulec.compiling import artifacts
from rulec.domain.artifact import facts_from_data
from rulec.domain.evidence import Evidence
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import evidence_file
from tests.conftest import Run
from tests.support.rules import PNPM, YES
from tests.support.terminal import on_terminal

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

YARN = (
    PNPM.replace("use-pnpm", "no-yarn")
    .replace("Use pnpm, never npm.", "Install with pnpm, never with npm or yarn.")
    .replace("commands: [npm]", "commands: [yarn, npm]")
    .replace("{command: npm install left-pad}", "{command: yarn add x}, {command: npm ci}")
    .replace("severity: should", "severity: must")
)
SAID = Evidence(
    slug="no-yarn",
    kind="correction",
    weight=1.0,
    at="2026-11-02T10:00:00+00:00",
    quote="no yarn",
    transcript="s1",
    turn=3,
)


@pytest.fixture
def twice(ruled: Path, rulec: Run, git: Run) -> Path:
    """The rulebook with a second rule about pnpm, which a person accepted in the very turn of the first."""
    (ruled / ".rules/no-yarn.yaml").write_text(YARN)
    for item in (SAID, replace(YES, slug="no-yarn")):
        path = ruled / f".rules/evidence/no-yarn/{evidence_file.evidence_id(item)}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(evidence_file.dump_evidence(item))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Add a rule about yarn")
    return ruled


def test_two_rules_of_one_wish_are_listed_with_the_reason(twice: Path, rulec: Run) -> None:
    said = rulec("evolve", "--similar").stdout
    assert "no-yarn and use-pnpm: overlap" in said
    assert "no-yarn catches 1 of 1 invalid examples of use-pnpm" in said
    assert "next: rulec evolve no-yarn+use-pnpm" in said


def test_merging_writes_one_commit_and_the_old_name_leads_on(twice: Path, rulec: Run, git: Run) -> None:
    before = git("rev-list", "--count", "HEAD").stdout
    said = rulec("evolve", "--accept", "use-pnpm+no-yarn").stdout
    assert "no-yarn went into use-pnpm, revision 2" in said
    assert int(git("rev-list", "--count", "HEAD").stdout) == int(before) + 1
    assert git("status", "--porcelain").stdout == ""
    rule = (twice / ".rules/use-pnpm.yaml").read_text()
    assert "commands: [yarn, npm]" in rule
    assert "# the comment of a person" in rule
    assert "formerly: [no-yarn]" in rule
    assert "severity: must" in rule
    assert "superseded_by: use-pnpm" in (twice / ".rules/archive/no-yarn.yaml").read_text()
    rulec("compile", "--check")
    assert "Resolution: MERGE no-yarn -- " in git("log", "-1", "--format=%B").stdout
    shown = rulec("why", "no-yarn")
    assert shown.stdout == rulec("why", "use-pnpm").stdout
    assert shown.stderr == "rulec: no-yarn was merged into use-pnpm, which is shown and changed in its place\n"
    assert "  before that, no-yarn:" in rulec("why", "no-yarn").stdout
    assert "no two rules say the same" in rulec("evolve", "--similar").stdout


def test_each_observation_counts_once(twice: Path, rulec: Run) -> None:
    rulec("evolve", "--accept", "use-pnpm+no-yarn")
    why = rulec("why", "use-pnpm").stdout
    assert why.count('said: "pnpm, not npm"') == 1  # the same words were evidence of both
    assert why.count('said: "no yarn"') == 1
    assert "of 4 for it" in why  # one yes and one correction


def test_both_histories_show_the_merge_and_rollback_undoes_it(twice: Path, rulec: Run) -> None:
    rulec("evolve", "--accept", "use-pnpm+no-yarn")
    rulec("rollback", "use-pnpm")
    assert (twice / ".rules/no-yarn.yaml").exists()
    assert "revision: 1" in (twice / ".rules/use-pnpm.yaml").read_text()
    assert rulec("why", "no-yarn").stderr == ""


_EXCEPTED = ("--path", "old/**", "--until", "2099-01-31", "--reason", "it goes away")


def test_a_exception_never_spreads_to_what_the_kept_rule_refuses(twice: Path, rulec: Run) -> None:
    rulec("except", "no-yarn", *_EXCEPTED)
    card = rulec("evolve", "use-pnpm+no-yarn").stdout
    assert "exception ends: no-yarn in old/**" in card
    assert "rulec except use-pnpm --path 'old/**' --until 2099-01-31 --reason 'it goes away'" in card
    rulec("evolve", "--accept", "use-pnpm+no-yarn")
    assert list((twice / ".rules/exceptions").glob("*.yaml")) == []
    assert "old/**" not in rulec("except", "--list").stdout


def test_a_rejected_pair_stays_apart_until_a_rule_changes(twice: Path, rulec: Run) -> None:
    rulec("evolve", "--reject", "no-yarn+use-pnpm")
    assert "no two rules say the same; 1 kept apart by you" in rulec("evolve", "--similar").stdout
    text = (twice / ".rules/no-yarn.yaml").read_text()
    (twice / ".rules/no-yarn.yaml").write_text(text.replace("never with npm or yarn", "never with yarn or npm"))
    rulec("compile")
    assert "no-yarn and use-pnpm: overlap" in rulec("evolve", "--similar").stdout


def test_contraries_are_refused_in_one_line(twice: Path, rulec: Run) -> None:
    other = YARN.replace("no-yarn", "use-npm").replace("[yarn, npm], instead: pnpm", "[pnpm], instead: npm")
    other = other.replace("Install with pnpm, never with npm or yarn.", "Install with npm, never with pnpm.")
    other = other.replace("{command: yarn add x}, {command: npm ci}", "{command: pnpm install}")
    other = other.replace("{command: pnpm add left-pad}", "{command: npm ci}")
    (twice / ".rules/use-npm.yaml").write_text(other)
    rulec("compile")
    assert "contradict each other, so they are not merged" in rulec("evolve", "--similar").stdout
    refused = rulec("evolve", "--accept", "use-pnpm+use-npm", code=2).stderr
    assert "contradict each other" in refused
    assert refused.count("\n") == 1
    assert (twice / ".rules/use-npm.yaml").exists()


def test_a_person_edits_and_accepts_a_merge_at_a_terminal(
    twice: Path, rulec: Run, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = twice.parent / "editor.py"
    editor.write_text(
        "import sys\np = sys.argv[1]\nt = open(p).read()\nassert 'Install with pnpm' in t\n"
        "open(p, 'w').write(t.replace('statement: Install with pnpm', 'statement: Install it with pnpm'))\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {editor}")
    monkeypatch.delenv("VISUAL", raising=False)
    argv = [sys.executable, "-m", "rulec", "evolve", "--similar"]
    code, seen = on_terminal(twice, argv, [("[a]ccept", "e\n"), ("[a]ccept", "a\n")])
    assert code == 0, seen
    assert "1 accepted; 0 left to decide" in seen
    message = git("log", "-1", "--format=%B").stdout
    assert message.startswith("Merge use-pnpm into no-yarn\n")
    assert "edited by hand" in message
    assert "Install it with pnpm" in (twice / ".rules/no-yarn.yaml").read_text()
    assert git("status", "--porcelain").stdout == ""


def test_what_makes_no_sense_is_refused(twice: Path, rulec: Run) -> None:
    wrong = [
        (("use-pnpm+",), "names no two rules"),
        (("use-pnpm+no-yarn+no-stash",), "names no two rules"),
        (("use-pnpm+use-pnpm",), "cannot be merged with itself"),
        (("use-pnpm+nope",), "no rule 'nope'"),
        (("--similar", "nope"), "no rule 'nope'"),
        (("--similar", "--accept", "use-pnpm+no-yarn"), "name a rule once"),
    ]
    for argv, says in wrong:
        assert says in rulec("evolve", *argv, code=2).stderr


def test_a_name_that_another_rule_contradicted_leads_nowhere(twice: Path, rulec: Run) -> None:
    rulec("retire", "no-yarn", "--for", "use-pnpm")
    assert "is in the archive" in rulec("set", "no-yarn", "warn", code=2).stderr


def _reader_says(top: Path, *pairs: dict[str, Any]) -> None:
    """A model that says this of the rules, numbered by category and name."""
    folder = top / ".rulec/recorded"
    folder.mkdir(parents=True)
    (folder / "answers.json").write_text(json.dumps([{"step": "pairs", "answer": {"pairs": list(pairs)}}]))


PAIR = {"first": 1, "second": 2, "relation": "same", "statement": "", "because": "both are about plain work"}


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ([PAIR], "no-stash and plain-words: the same wish"),
        ([PAIR | {"relation": "contrary"}], "contradict each other, so they are not merged"),
        ([PAIR, PAIR | {"relation": "contrary"}], "no two rules say the same"),
        ([PAIR | {"second": 9}, PAIR | {"second": 1}], "no two rules say the same"),
    ],
)
def test_a_reader_finds_what_words_do_not_show(ruled: Path, rulec: Run, said: list[dict[str, Any]], shown: str) -> None:
    rules = sorted((ruled / ".rules").glob("*.yaml"))
    assert [path.stem for path in rules] == ["config", "no-stash", "plain-words", "use-pnpm"]
    # the prompt lists them by category: communication, git, tooling
    _reader_says(ruled, *said)
    assert shown in rulec("evolve", "--similar", "--backend", "recorded").stdout


def test_a_reader_cannot_make_one_rule_of_what_checks_show_to_be_contraries(twice: Path, rulec: Run) -> None:
    npm = YARN.replace("no-yarn", "use-npm").replace("[yarn, npm], instead: pnpm", "[pnpm], instead: npm")
    npm = npm.replace("Install with pnpm, never with npm or yarn.", "Install with npm, never with pnpm.")
    npm = npm.replace("{command: yarn add x}, {command: npm ci}", "{command: pnpm install}")
    npm = npm.replace("{command: pnpm add left-pad}", "{command: npm ci}").replace("must", "should")
    (twice / ".rules/use-npm.yaml").write_text(npm)
    rulec("compile")
    # 1 plain-words, 2 no-stash, 3 no-yarn, 4 use-npm, 5 use-pnpm
    _reader_says(twice, PAIR | {"first": 4, "second": 5})
    said = rulec("evolve", "--similar", "--backend", "recorded").stdout
    assert (
        "use-npm and use-pnpm: contradict each other" in said or "use-pnpm and use-npm: contradict each other" in said
    )


def test_a_merge_that_holds_to_all_that_both_did_weakens_nothing(twice: Path, rulec: Run) -> None:
    rulec("evolve", "--accept", "use-pnpm+no-yarn")
    assert "rulebook-weakened" not in rulec("check", "--base", "HEAD~1", code=None).stdout


def test_a_merged_rule_that_lost_a_check_is_a_weakening(twice: Path, rulec: Run, git: Run) -> None:
    rulec("evolve", "--accept", "use-pnpm+no-yarn")
    path = twice / ".rules/use-pnpm.yaml"
    path.write_text(path.read_text().replace("[yarn, npm]", "[npm]"))
    rulec("compile", code=1)  # its own example is not caught any more
    git("add", "-A")
    git("commit", "-qm", "Drop yarn")
    said = rulec("check", "--base", "HEAD~2", code=None).stdout
    assert "no-yarn: forbid-command: commands loses yarn" in said


def test_a_exception_beside_the_code_still_names_its_rule(twice: Path, rulec: Run) -> None:
    rulec("evolve", "--accept", "use-pnpm+no-yarn")
    artifact = (twice / ".rules/compiled/guard/use-pnpm.json").read_text()
    assert facts_from_data(json.loads(artifact)["facts"]).formerly == ("no-yarn",)


@pytest.mark.parametrize("archived", [False, True])
def test_a_rule_cannot_take_the_exceptions_of_a_name_that_never_led_to_it(
    twice: Path, rulec: Run, git: Run, archived: bool
) -> None:
    rulec("except", "no-yarn", "--path", "old/**", "--until", "2099-01-31", "--reason", "it goes away")
    if archived:
        rulec("retire", "no-yarn", "--because", "we moved on")
    path, artifact = twice / ".rules/use-pnpm.yaml", twice / ".rules/compiled/guard/use-pnpm.json"
    before = artifact.read_text()
    path.write_text(path.read_text() + "formerly: [no-yarn]\n")
    git("add", "-A")
    said = rulec("check", "--staged", code=None).stdout
    assert "says it was formerly no-yarn" in said
    assert "take no-yarn out of formerly" in rulec("compile", code=2).stderr
    assert artifact.read_text() == before
    book = rulebook_files.load_rulebook(twice)
    (compiled,) = artifacts.compile_rule(book, next(r for r in book.rules if r.slug == "use-pnpm"), twice)
    assert facts_from_data(json.loads(compiled.text or "")["facts"]).formerly == ()
