"""What an agent proposes is held to its form, proved, and waits for a person; nothing else comes of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulec.infra.rulebooks import rulebook_files
from tests.conftest import Run
from tests.support.session import pnpm

PNPM = {
    "statement": "Use pnpm, never npm.",
    "quote": "pnpm!!",
    "offence": {"command": "npm install left-pad"},
    "fix": {"command": "pnpm add left-pad"},
}


def _queue(repo: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (repo / ".git/rulec/queue").glob("*")}


def _proposed(rulec: Run, offer: Any) -> dict[str, Any]:
    done = rulec("propose", "--format", "json", stdin=json.dumps(offer))
    return dict(json.loads(done.stdout))


def test_an_offer_is_proved_and_waits_and_nothing_is_active(gated: Path, rulec: Run, git: Run) -> None:
    before = git("rev-parse", "HEAD").stdout
    said = rulec("propose", stdin=json.dumps(PNPM)).stdout
    assert said == (
        'use-pnpm is queued: no check was given; proved, guard forbid-command commands=["npm"] prefer="pnpm"; '
        "it is not active until the person accepts it in `rulec review`\n"
    )
    assert (git("rev-parse", "HEAD").stdout, git("status", "--porcelain").stdout) == (before, "")
    assert json.loads(rulec("rules", "--format", "json").stdout) == []
    assert len(_queue(gated)) == 1


def test_the_same_again_changes_nothing_and_a_better_example_takes_its_place(gated: Path, rulec: Run) -> None:
    worse = {**PNPM, "offence": {"command": "ls"}}
    assert _proposed(rulec, worse)["proved"] is False
    (name, first), *_ = _queue(gated).items()
    assert _proposed(rulec, PNPM)["state"] == "queued"
    better = _queue(gated)
    assert set(better) == {name}
    assert better[name] != first
    assert _proposed(rulec, PNPM)["state"] == "waits"
    assert _queue(gated) == better


def test_a_person_sees_who_proposes_it_and_their_yes_is_all_the_evidence(gated: Path, rulec: Run) -> None:
    _proposed(rulec, PNPM)
    assert 'proposed by an agent, which quotes: "pnpm!!"' in rulec("review").stdout
    card = rulec("review", "--accept", "use-pnpm").stdout
    assert 'from:     proposed by an agent, which quotes: "pnpm!!"' in card
    assert "said:" not in card
    assert "refuses:  npm install left-pad" in card
    texts = [path.read_text() for path in (gated / ".rules/evidence/use-pnpm").iterdir()]
    assert sorted(line for text in texts for line in text.splitlines() if "kind" in line) == [
        "kind: accepted",
        "kind: proved",
    ]
    assert not any("quote" in text or "transcript" in text for text in texts)
    why = rulec("why", "use-pnpm").stdout
    assert "because: proposed by an agent" in why
    assert "said:" not in why


def test_the_persons_own_words_go_before_the_agents(gated: Path, rulec: Run, tmp_path: Path) -> None:
    _proposed(rulec, PNPM)
    rulec("ingest", str(pnpm(gated).save(tmp_path / "t.jsonl")))
    assert len(json.loads(rulec("review", "--format", "json").stdout)) == 1, "one preference"
    rulec("review", "--accept", "use-pnpm")
    assert 'said: "pnpm, not npm."' in rulec("why", "use-pnpm").stdout
    assert "no proposal waits" in rulec("review").stdout


def test_an_agents_sentence_about_a_rule_is_nobodys_word(gated: Path, rulec: Run) -> None:
    rulec("add", "No comments.", "--yes")
    rulec("review", "--accept", "no-comments", code=None)  # it waits where past commits speak against it
    _proposed(rulec, {"statement": "No comments except in tests/.", "quote": "you may comment tests"})
    (slug,) = (one["slug"] for one in json.loads(rulec("review", "--format", "json").stdout))
    card = rulec("review", "--accept", slug).stdout
    assert "similar: no-comments" in card
    assert "said:" not in card
    (rule,) = (one for one in rulebook_files.load_rulebook(gated).rules if one.slug == slug)
    assert 'proposed by an agent, which quotes: "you may comment tests"' in rule.rationale


def test_what_is_known_or_was_rejected_is_not_queued(gated: Path, rulec: Run) -> None:
    rulec("add", "Use pnpm, not npm.", "--yes")
    rule = (gated / ".rules/use-pnpm.yaml").read_text()
    assert _proposed(rulec, PNPM)["state"] == "known"
    stash = {"statement": "Never use git stash."}
    assert _proposed(rulec, stash)["state"] == "queued"
    rulec("review", "--reject", "no-git-stash")
    assert _proposed(rulec, {**stash, "offence": {"command": "git stash"}})["state"] == "rejected"
    assert _queue(gated) == {}
    assert (gated / ".rules/use-pnpm.yaml").read_text() == rule


def test_an_offer_takes_no_other_rules_name(gated: Path, rulec: Run) -> None:
    rulec("add", "Use pnpm, not npm.", "--yes")
    assert _proposed(rulec, {"statement": "Use pnpm, never yarn."})["slug"] == "use-pnpm-2"


EMOJI = {"checks": [{"template": "commit-message", "with": {"lists": ["emoji"]}}]}
EXAMPLES: list[dict[str, Any]] = [
    {
        "statement": "Never call eval().",
        "offence": {"edit": "a.py", "old": "", "new": "eval(x)\n"},
        "fix": {"edit": "a.py", "old": "", "new": "x\n"},
    },
    {
        "statement": "Never call eval().",
        "offence": {"file": "{top}/a.py", "content": "eval(x)\n"},
        "fix": {"file": "{top}/a.py", "content": "f(x)\n"},
    },
    {
        "statement": "No emojis in commit messages.",
        "offence": {"message": "✨ Add it"},
        "fix": {"message": "Add it's end"},
        **EMOJI,
    },
    {"statement": "No emojis in commits.", "offence": {"commit": "✨ Add it", "files": {"a": "x"}}, **EMOJI},
    {
        "statement": "Run pytest before you commit.",
        "offence": {"session": [{"edit": "a.py", "old": "1", "new": "2"}, {"command": "git commit -m x"}]},
        "fix": {
            "session": [{"edit": "a.py", "old": "1", "new": "2"}, {"command": "pytest"}, {"command": "git commit -m x"}]
        },
    },
]


@pytest.mark.parametrize("offer", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_kind_of_example_can_prove_a_check(gated: Path, rulec: Run, offer: dict[str, Any]) -> None:
    told = _proposed(rulec, json.loads(json.dumps(offer).replace("{top}", str(gated))))
    assert (told["state"], told["proved"]) == ("queued", True), told


def test_what_does_not_prove_itself_says_why_and_is_a_reminder(gated: Path, rulec: Run) -> None:
    caught = _proposed(rulec, {**PNPM, "fix": {"command": "npm ci"}})
    assert (caught["state"], caught["proved"]) == ("queued", False)
    assert "would have blocked what was accepted: 'npm ci'" in caught["why"]
    assert (
        "no check was read from its words" in _proposed(rulec, {"statement": "Explain big refactorings first."})["why"]
    )


def test_secrets_and_home_folders_stay_out_of_the_queue(gated: Path, rulec: Run) -> None:
    secret = "ghp_" + "a1B2" * 8
    offer = {
        "statement": f"Never push with the token {secret}.",
        "quote": f"not with {secret}!",
        "offence": {"command": f"git push https://x:{secret}@github.com/a/b"},
        "fix": {"file": "/home/somebody/a.txt", "content": secret},
    }
    said = rulec("propose", stdin=json.dumps(offer)).stdout
    kept = "".join(_queue(gated).values())
    assert kept
    assert secret not in kept + said
    assert "somebody" not in kept


REFUSED: list[tuple[str, str]] = [
    ("", "is empty"),
    ("npm", "is neither JSON nor YAML"),
    ("statement: Use a\nchecks: [", "is neither JSON nor YAML"),
    ("[]", "is no JSON object"),
    ('{"statement": "Use a", "statement": "Use b"}', "a key is in it twice"),
    ('{"statement": NaN}', "NaN is no number"),
    ('{"statement": "Use \\ud800"}', "is no JSON"),
    ("[" * 100_000, "is no JSON"),
    ("{}", "statement is missing"),
    ('{"statement": "  "}', "statement is missing or empty"),
    ('{"statement": 3}', "statement must be text, not a number"),
    ('{"statement": "thanks!"}', "says no wish"),
    ('{"statement": "rule: never use npm"}', "marked as a person's own"),
    ('{"statement": "CORRECT[use-pnpm]: never use npm"}', "marked as a person's own"),
    (json.dumps({"statement": "Use " + "a" * 300}), "longer than 300 characters"),
    (json.dumps({"statement": "Use a", "quote": "a" * 200_000}), "larger than 200,000 bytes"),
    ('{"statement": "Use a", "slug": "Use pnpm"}', "is no slug"),
    ('{"statement": "Use a", "category": "tools"}', "is not one of tooling"),
    ('{"statement": "Use a", "supersedes": ["use-npm"]}', "supersedes is not a known key"),
    (
        '{"statement": "Use a", "examples": {"invalid": [{"command": "b"}], "valid": [{"command": "b"}]}}',
        'say of one action both: {"command": "b"',
    ),
    ('{"statement": "Use a", "enforcement": "block"}', "enforcement is not a known key"),
    ('{"statement": "Use a", "when": null}', "when must be text"),
    ('{"statement": "Use a", "offence": "npm"}', "offence must be a mapping"),
    ('{"statement": "Use a", "offence": {}}', "offence is no example"),
    ('{"statement": "Use a", "offence": {"command": ["npm"]}}', "offence.command must be text"),
    ('{"statement": "Use a", "offence": {"command": " "}}', "offence is empty"),
    ('{"statement": "Use a", "offence": {"command": "npm", "x": 1}}', "offence.x is not a known key"),
    ('{"statement": "Use a", "fix": {"session": []}}', "fix.session has no step"),
    ('{"statement": "Use a", "fix": {"session": [{"says": "go"}]}}', "the last step"),
    ('{"statement": "Use a", "fix": {"commit": "x", "files": {"a": 1}}}', "fix.files must map paths to texts"),
    ('{"statement": "Use a", "offence": {"command": "b"}, "fix": {"command": "b"}}', "is the offence itself"),
    (
        json.dumps({"statement": "Use a", "fix": {"session": [{"command": "b"}] * 51}}),
        "has more than 50 steps",
    ),
]


@pytest.mark.parametrize(("offer", "says"), REFUSED, ids=range(len(REFUSED)))
def test_anything_else_is_refused_in_a_line_and_nothing_written(repo: Path, rulec: Run, offer: str, says: str) -> None:
    refusal = rulec("propose", stdin=offer, code=2).stderr
    assert says in refusal
    assert refusal.count("\n") == 1
    assert not (repo / ".git/rulec").exists()


def test_a_file_may_hold_the_offer(gated: Path, rulec: Run, tmp_path: Path) -> None:
    (tmp_path / "offer.json").write_text(json.dumps(PNPM))
    assert "use-pnpm is queued" in rulec("propose", str(tmp_path / "offer.json")).stdout
    assert rulec("propose", str(tmp_path), code=2).stderr.count("\n") == 1


def test_outside_of_a_rulebook_it_is_refused(repo: Path, rulec: Run) -> None:
    assert "rulec init" in rulec("propose", stdin=json.dumps(PNPM), code=2).stderr


@pytest.mark.parametrize("flag", ["--yes", "--accept", "--enforcement=block", "--marked"])
def test_no_flag_makes_more_of_it(repo: Path, rulec: Run, flag: str) -> None:
    rulec("propose", flag, stdin=json.dumps(PNPM), code=2)
    assert not (repo / ".git/rulec").exists()


def test_controls_in_an_offer_are_shown_and_not_performed(gated: Path, rulec: Run) -> None:
    rulec("propose", stdin=json.dumps({**PNPM, "quote": "x\x1b[2Jx\u202e"}))
    shown = rulec("review").stdout + rulec("review", "--accept", "use-pnpm").stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown


CHECKED = {
    "statement": "Install packages with pnpm.",
    "slug": "packages-with-pnpm",
    "checks": [{"template": "forbid-command", "with": {"commands": ["npm install|ci", "yarn"]}}],
    "scope": {"exclude": ["legacy/"]},
    "examples": {
        "invalid": [{"command": "npm ci"}, {"command": "cd web && yarn add x", "source": "person"}],
        "valid": [{"command": "npm view x"}, {"command": "pnpm add x"}],
    },
    "not_checked": ["what scripts install"],
}


def test_an_agents_own_check_is_taken_as_it_is_with_its_examples_and_what_it_leaves_open(
    gated: Path, rulec: Run
) -> None:
    offer = {**CHECKED, "offence": {"command": "npm install left-pad"}, "fix": {"command": "pnpm add left-pad"}}
    assert _proposed(rulec, offer)["checks"] == ['guard forbid-command commands=["npm install|ci", "yarn"]']
    rulec("review", "--accept", "packages-with-pnpm")
    (rule,) = rulebook_files.load_rulebook(gated).rules
    assert [one.text for one in rule.invalid] == ["npm install left-pad", "npm ci", "cd web && yarn add x"]
    assert {one.source for one in (*rule.invalid, *rule.valid)} == {"agent"}
    assert (rule.not_checked, rule.scope.exclude) == (("what scripts install",), ("legacy/",))


def test_a_check_that_contradicts_an_example_is_refused_with_it_and_none_is_inferred(gated: Path, rulec: Run) -> None:
    wrong = [
        ({**CHECKED["examples"], "valid": [{"command": "npm ci --dry-run"}]}, "caught the valid 'npm ci --dry-run'"),  # type: ignore[dict-item]
        ({**CHECKED["examples"], "invalid": [{"command": "bun add x"}]}, "did not catch 'bun add x'"),  # type: ignore[dict-item]
        ({"valid": [{"command": "ls"}]}, "no invalid example"),
    ]
    for examples, says in wrong:
        refusal = rulec("propose", stdin=json.dumps({**CHECKED, "examples": examples}), code=2).stderr
        assert says in refusal
        assert "rulec try" in refusal
    unread = {**CHECKED, "checks": [{"template": "forbid-commands", "with": {}}]}
    assert "did you mean forbid-command" in rulec("propose", stdin=json.dumps(unread), code=2).stderr
    assert _queue(gated) == {}


def test_an_inferred_check_must_hold_the_examples_that_were_given(gated: Path, rulec: Run) -> None:
    given = {"invalid": [{"command": "yarn add x"}], "valid": []}
    told = _proposed(rulec, {**PNPM, "examples": given})
    assert (told["proved"], "no check was given" in told["why"]) == (False, True)
    assert "yarn add x" in told["why"]


def test_what_waits_is_told_to_programs_with_all_that_decides(gated: Path, rulec: Run) -> None:
    own = {
        "statement": "Never use fab deploy, and tell Ben.",
        "checks": [{"template": "forbid-command", "with": {"commands": ["fab deploy"]}}],
        "examples": {"invalid": [{"command": "fab deploy prod"}], "valid": [{"command": "fab test"}]},
        "not_checked": ["tell Ben"],
    }
    for offer in (PNPM, own):
        _proposed(rulec, offer)
    told = {one["slug"]: one for one in json.loads(rulec("review", "--format", "json").stdout)}
    assert (told["use-pnpm"]["proved"], told["use-pnpm"]["check_by_model"]) == (True, False)
    (mine,) = (one for slug, one in told.items() if slug != "use-pnpm")
    assert (mine["proved"], mine["check_by_model"], mine["not_checked"]) == (True, True, ["tell Ben"])
    (examples,) = (stage for stage in mine["proof"]["stages"] if stage["name"] == "examples")
    assert (mine["proof"]["holds"], examples["detail"].startswith("1 caught")) == (True, True)
    assert [one["command"] for one in mine["examples"]["invalid"]] == ["fab deploy prod"]
    assert {"failed", "doubt", "does", "audits_only", "proof", "by_agent"} <= set(mine)
