"""``rulec add --check``: a person says the check; it is proved and written as it is, and no other is tried."""

import json
from pathlib import Path

import pytest

from rulec.checks.template_library import open_library
from rulec.errors import RulecError
from rulec.infra.rulebooks import rulebook_files
from rulec.services.proposals import rule_offer
from tests.conftest import Run

NO_NPM = ("--check", "forbid-command", "--with", "commands=npm install", "--with", "commands=[npm ci, yarn]")
SHOWN = ("--invalid", "npm ci", "--valid", "npm view x")


def test_a_persons_checks_are_written_with_their_examples(gated: Path, rulec: Run) -> None:
    also = ("--check", "forbid-command", "--with=commands=git commit", "--with", "flags=--no-verify")
    flow = ("--invalid", "{command: git commit --no-verify}", "--scope", "!web/old/")
    rulec("add", "Install with pnpm.", *NO_NPM, *also, *SHOWN, *flow, "--not-checked", "what scripts do", "--yes")
    (rule,) = rulebook_files.load_rulebook(gated).rules
    assert [(check.template, dict(check.parameters)) for check in rule.checks] == [
        ("forbid-command", {"commands": ["npm install", "npm ci", "yarn"]}),
        ("forbid-command", {"commands": ["git commit"], "flags": ["--no-verify"]}),
    ]
    assert [one.text for one in (*rule.invalid, *rule.valid)] == ["npm ci", "git commit --no-verify", "npm view x"]
    assert {one.source for one in (*rule.invalid, *rule.valid)} == {"person"}
    assert (rule.scope.include, rule.scope.exclude) == (("**",), ("web/old/",))
    assert rule.not_checked == ("what scripts do", "pnpm")


def test_a_whole_rule_is_written_as_its_file_says(gated: Path, rulec: Run) -> None:
    rule = {
        "slug": "with-pnpm",
        "statement": "Install with pnpm.",
        "severity": "must",
        "enforcement": "warn",
        "checks": [{"template": "forbid-command", "with": {"commands": ["npm ci"]}}],
        "examples": {"invalid": [{"command": "npm ci"}], "valid": [{"command": "pnpm i"}]},
    }
    rulec("add", "--rule", "-", "--yes", stdin=json.dumps(rule))
    (written,) = rulebook_files.load_rulebook(gated).rules
    assert (written.slug, written.severity, written.enforcement) == ("with-pnpm", "must", "warn")
    assert written.invalid[0].source == "person"


REFUSED = [
    ((*NO_NPM, "--invalid", "bun add x"), "did not catch 'bun add x'"),
    ((*NO_NPM, *SHOWN, "--valid", "npm ci --offline"), "caught the valid 'npm ci --offline'"),
    (NO_NPM, "give one that was wrong: --invalid"),
    (("--check", "forbid-text", "--with", "globs=[*.md]"), 'quote each item that begins with a sign: ["*.md"]'),
    (("--check", "forbid-comand", *SHOWN), "did you mean forbid-command"),
    (("--check", "forbid-command", "--with", "comands=npm", *SHOWN), "has no parameter 'comands'"),
    (("--with", "commands=npm", *NO_NPM), "has no preceding --check"),
    ((*NO_NPM, "--with", "npm"), "is not NAME=VALUE"),
    ((*NO_NPM, "--with", "instead=a", "--with", "instead=b"), "is given twice"),
    ((*NO_NPM, "--invalid", "{command: [}"), "not valid YAML"),
    ((*NO_NPM, "--invalid", "{cmd: npm}"), "is no example"),
    (("--invalid", "npm ci"), "no check is named"),
    ((*NO_NPM, *SHOWN, "--judge"), "give either TEXT"),
]


def test_what_a_rule_says_of_itself_is_no_guess(gated: Path, rulec: Run) -> None:
    """Also where it says what would stand there anyhow."""
    offer = {
        "statement": "Always use pnpm, never npm.",
        "severity": "should",
        "category": "process",
        "checks": [{"template": "forbid-command", "with": {"commands": ["npm"], "prefer": "pnpm"}}],
        "examples": {"invalid": [{"command": "npm ci"}], "valid": [{"command": "pnpm i"}]},
    }
    rulec("add", "--rule", "-", "--yes", stdin=json.dumps(offer))
    (written,) = rulebook_files.load_rulebook(gated).rules
    assert (written.severity, written.category) == ("should", "process")


def test_what_does_not_hold_or_is_not_understood_is_refused_in_a_line(gated: Path, rulec: Run, git: Run) -> None:
    wrong = []
    for options, says in REFUSED:
        refusal = rulec("add", "Install with pnpm.", *options, "--yes", code=None)
        if refusal.returncode != 2 or says not in refusal.stderr or refusal.stderr.count("\n") != 1:
            wrong.append((says, refusal.returncode, refusal.stderr))
    assert wrong == []
    assert rulebook_files.load_rulebook(gated).rules == ()
    assert git("status", "--porcelain").stdout == ""


def test_the_same_sentence_with_another_check_does_not_lose_it_in_silence(gated: Path, rulec: Run) -> None:
    rulec("add", "Install with pnpm.", *NO_NPM, *SHOWN, "--yes")
    other = ("--check", "forbid-command", "--with", "commands=bun", "--invalid", "bun add x")
    assert "becomes:  UPDATE install-with-pnpm -- " in rulec("add", "Install with pnpm.", *other, "--yes").stdout
    (rule,) = rulebook_files.load_rulebook(gated).rules
    assert "bun" in repr([dict(check.parameters) for check in rule.checks])


VALUES: list[tuple[str, list[str], object]] = [  # template, NAME=VALUE as typed, what becomes of them
    ("forbid-command", ["commands=npm"], {"commands": ["npm"]}),
    ("forbid-command", ["commands=[npm, 'git push']"], {"commands": ["npm", "git push"]}),
    ("forbid-command", ["commands=npm i, npm ci"], {"commands": ["npm i", "npm ci"]}),
    ("forbid-command", ["commands=awk '{a, b}'"], {"commands": ["awk '{a, b}'"]}),
    ("protect-path", ["globs=*.{a, b}", "how=change, delete"], {"globs": ["*.{a, b}"], "how": ["change", "delete"]}),
    ("forbid-text", ["patterns=a, b"], {"patterns": ["a, b"]}),
    ("forbid-command", ["commands=a=b"], {"commands": ["a=b"]}),
    ("forbid-command", ["aliases=k=kubectl", "aliases={d: docker}"], {"aliases": {"k": "kubectl", "d": "docker"}}),
    ("forbid-text", ["patterns=[ab]c", "patterns=['x', \"[y]\"]"], {"patterns": ["[ab]c", "x", "[y]"]}),
    ("forbid-text", ["patterns=[ab]"], {"patterns": ["[ab]"]}),
    ("forbid-text", ["ignore_case=true"], {"ignore_case": True}),
    ("max-lines", ["lines=300"], {"lines": 300}),
    ("require-command", ["branch=^a{1,2}: b"], {"branch": "^a{1,2}: b"}),
]


def test_values_are_of_the_type_that_the_template_declares() -> None:
    shelf = open_library()
    wrong = []
    for name, texts, wanted in VALUES:
        given = rule_offer.CheckOptions(checks=[name], parameters=[(1, text) for text in texts])
        found = rule_offer.rule_from_options("x", given, shelf.template)["checks"][0]["with"]
        wrong += [(texts, found)] if found != wanted else []
    assert wrong == []
    for name, text in (("max-lines", "lines=many"), ("forbid-text", "ignore_case=perhaps")):
        with pytest.raises(RulecError, match="must be"):
            rule_offer.rule_from_options(
                "x", rule_offer.CheckOptions(checks=[name], parameters=[(1, text)]), shelf.template
            )
