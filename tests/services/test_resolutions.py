"""What becomes of a wish that a rule speaks of already: one commit that says so, and nothing lost."""

import json
import sys
from pathlib import Path

import pytest

from rulec.domain import rule
from rulec.infra.rulebooks import rule_reading
from tests.conftest import Run
from tests.support.session import ClaudeSession, pnpm
from tests.support.terminal import on_terminal

RULEC = [sys.executable, "-m", "rulec"]
ASKED = "[l]ater"


def _rule(top: Path, slug: str) -> rule.Rule:
    path = top / ".rules" / f"{slug}.yaml"
    return rule_reading.read_rule(path.read_text(), source=path.name)


def _last(git: Run) -> str:
    return git("log", "-1", "--format=%B").stdout


def _settled(rulec: Run, git: Run) -> None:
    """Nothing is left to be written or committed."""
    assert git("status", "--porcelain").stdout == ""
    rulec("compile", "--check")


def _waiting(rulec: Run) -> list[dict[str, dict[str, str]]]:
    return list(json.loads(rulec("review", "--format", "json").stdout))


def _npm(cwd: Path, quote: str, session: str = "5e55-0021", fix: str = "npm ci") -> ClaudeSession:
    said = ClaudeSession(cwd, session).person("Install it.").runs("pnpm install").agent("Done.")
    return said.person(quote).runs(fix).agent("Ok.")


CASES = [
    ("Never use git stash.", "Please don't use git stash", "NOOP no-git-stash", "no-git-stash", 1),
    ("Use pnpm instead of npm.", "Use pnpm instead of npm or yarn.", "UPDATE use-pnpm", "use-pnpm", 2),
    ("Never use npm.", "npm is fine in legacy/", "NEW npm-fine-in-legacy", "npm-fine-in-legacy", 1),
    ("Use tabs.", "Use spaces, not tabs.", "NEW use-spaces-not-tabs", "use-spaces-not-tabs", 1),
    ("Use pnpm, not npm.", "Use yarn, not pnpm.", "SUPERSEDE use-pnpm", "use-yarn", 1),
    ("Use tabs.", "Never use git stash.", "NEW no-git-stash", "no-git-stash", 1),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_sentence_does_to_a_rule_what_it_says(
    gated: Path, rulec: Run, git: Run, case: tuple[str, str, str, str, int]
) -> None:
    first, second, line, slug, revision = case
    rulec("add", first, "--yes")
    done = rulec("add", second, "--yes").stdout
    assert f"becomes:  {line} -- " in done, done
    body = _last(git)
    assert f"\nResolution: {line} -- " in body
    assert f"\nRule: {slug}@{revision}\n" in body
    assert "\nEvidence: " in body
    assert _rule(gated, slug).revision == revision
    _settled(rulec, git)


def test_what_takes_the_place_of_a_rule_leaves_it_in_the_archive(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", "Use npm, never pnpm.", "--yes")
    rulec("add", "Use pnpm instead of npm.", "--yes")
    archived, ours = _rule(gated, "archive/use-npm"), _rule(gated, "use-pnpm")
    assert (archived.superseded_by, ours.supersedes) == ("use-pnpm", ("use-npm",))
    compiled = [path.name for path in (gated / ".rules/compiled/guard").iterdir()]
    assert compiled == ["use-pnpm.json"]
    assert not (gated / ".rules/use-npm.yaml").exists()
    assert list((gated / ".rules/evidence/use-npm").iterdir()), "what was said stays said"
    witness = "`npm` is what use-npm asks for and use-pnpm refuses"
    assert f"\nWitness: {witness}\n" in _last(git)
    _settled(rulec, git)
    rulec("rollback", "use-pnpm")
    assert (_rule(gated, "use-npm").superseded_by, (gated / ".rules/use-pnpm.yaml").exists()) == ("", False)
    _settled(rulec, git)


def test_an_update_keeps_a_persons_comments_and_the_examples_of_both(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", "Use pnpm instead of npm.", "--yes")
    before, path = _rule(gated, "use-pnpm"), gated / ".rules/use-pnpm.yaml"
    path.write_text("# asked for by Ana\n" + path.read_text())
    git("commit", "-qam", "Say who asked", "--no-verify")
    rulec("add", "Use pnpm instead of npm or yarn.", "--yes")
    after = _rule(gated, "use-pnpm")
    assert path.read_text().startswith("# asked for by Ana\n")
    assert set(before.invalid) < set(after.invalid)
    assert set(before.valid) <= set(after.valid)
    assert after.checks[0].parameters["commands"] == ["npm", "yarn"]
    assert after.origin == before.origin
    _settled(rulec, git)


def test_words_alone_do_not_replace_a_rule_in_force_while_nobody_looks(
    gated: Path, rulec: Run, git: Run, tmp_path: Path
) -> None:
    rulec("add", "Use pnpm instead of npm.", "--yes")
    head = git("rev-parse", "HEAD").stdout
    transcript = str(_npm(gated, "Use npm, never pnpm.").save(tmp_path / "t.jsonl"))
    said = json.loads(rulec("ingest", transcript, "--yes", "--format", "json").stdout)
    assert (said["later"], git("rev-parse", "HEAD").stdout) == (1, head)
    told = said["proposals"][0]
    assert (told["resolution"]["decision"], told["resolution"]["slug"]) == ("SUPERSEDE", "use-pnpm")
    assert told["witness"] == {"action": "pnpm", "wants": "use-pnpm", "refuses": "use-npm"}
    assert "too few sessions to replace " in told["doubt"]
    assert _waiting(rulec)[0]["resolution"]["decision"] == "SUPERSEDE"
    rulec("review", "--accept", "use-npm")
    assert "\nResolution: SUPERSEDE use-pnpm -- " in _last(git)
    _settled(rulec, git)
    assert "1 known already" in rulec("ingest", transcript, "--yes").stdout


def test_a_transcript_replaces_and_extends_what_no_person_has_seen(
    gated: Path, rulec: Run, git: Run, tmp_path: Path
) -> None:
    first = str(pnpm(gated, "Use pnpm instead of npm.").save(tmp_path / "1.jsonl"))
    wider = ClaudeSession(gated, "5e55-0022").person("Add it.").runs("yarn add left-pad").agent("Done.")
    wider.person("Always use pnpm instead of npm or yarn.").runs("pnpm add left-pad").agent("Ok.")
    second = str(wider.save(tmp_path / "2.jsonl"))
    third = str(_npm(gated, "From now on use npm, never pnpm.").save(tmp_path / "3.jsonl"))
    lines = []
    for transcript in (first, second, third):
        rulec("ingest", transcript, "--yes")
        lines.append(_last(git).partition("Resolution: ")[2].partition(" -- ")[0])
        _settled(rulec, git)
    assert lines == ["NEW use-pnpm", "UPDATE use-pnpm", "SUPERSEDE use-pnpm"]
    head = git("rev-parse", "HEAD").stdout
    for transcript in (first, second, third):
        assert "1 known already" in rulec("ingest", transcript, "--yes").stdout
    assert git("rev-parse", "HEAD").stdout == head


UNSURE = ("Never use npm.", "Never use npm, except in legacy/.")


@pytest.mark.e2e
def test_an_unsure_match_waits_and_a_person_may_make_it_a_rule_of_its_own(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    head = git("rev-parse", "HEAD").stdout
    assert "not written, it waits for you: UPDATE no-npm -- " in rulec("add", UNSURE[1], "--yes").stdout
    assert git("rev-parse", "HEAD").stdout == head
    assert "UPDATE no-npm -- " in rulec("review").stdout
    code, seen = on_terminal(gated, [*RULEC, "review"], [(ASKED, "n\n"), (ASKED, "a\n")])
    assert (code, "becomes:  UPDATE no-npm -- " in seen, "1 accepted" in seen) == (0, True, True), seen
    own = "a person says that this is a rule of its own beside no-npm"
    assert f"Resolution: NEW no-npm-2 -- {own}" in _last(git)
    _settled(rulec, git)


def test_a_script_may_say_so_too_and_a_yes_means_what_the_card_says(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    for answer, line in (("--accept", "UPDATE no-npm"), ("--new", "NEW no-npm-2")):
        rulec("add", UNSURE[1], "--yes")
        rulec("review", answer, "no-npm")
        assert f"\nResolution: {line} -- " in _last(git)
        git("reset", "-q", "--hard", "HEAD~1")


def test_rules_that_nobody_can_obey_at_once_are_named_with_the_action_that_shows_it(gated: Path, rulec: Run) -> None:
    rulec("add", "Use pnpm instead of npm.", "--yes")
    text = (gated / ".rules/use-pnpm.yaml").read_text()
    swapped = text.replace("pnpm", "PNPM").replace("npm", "pnpm").replace("PNPM", "npm").replace("Ppnpm", "npm")
    (gated / ".rules/use-npm.yaml").write_text(swapped)
    said = rulec("review").stdout
    assert "two rules contradict each other: use-npm and use-pnpm" in said
    assert "refuses; rulec retire OLD --for NEW settles it" in said


def test_a_transcript_without_times_is_the_same_evidence_on_every_branch(
    gated: Path, rulec: Run, git: Run, tmp_path: Path
) -> None:
    timeless = pnpm(gated)
    for line in timeless.lines:
        del line["timestamp"]
    transcript = str(timeless.save(tmp_path / "t.jsonl"))
    git("branch", "other")
    trees = []
    for branch in ("main", "other"):
        git("checkout", "-q", branch)
        rulec("ingest", transcript, "--yes")
        trees.append(git("rev-parse", "HEAD:.rules/evidence").stdout)
    assert trees[0] == trees[1]
