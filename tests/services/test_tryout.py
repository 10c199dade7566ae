"""``rulec try``: a rule in, its proof out, and nothing is written."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

RULE: dict[str, Any] = {
    "statement": "Install packages with pnpm.",
    "checks": [{"template": "forbid-command", "with": {"commands": ["npm install|ci", "yarn"], "instead": "pnpm"}}],
    "examples": {
        "invalid": [{"command": "npm install x"}, {"command": "cd web && yarn add x"}],
        "valid": [{"command": "pnpm add x"}, {"command": "grep -r 'npm install' docs"}],
    },
}
FLOW = """\
schema: 1
slug: no-prints
revision: 3
statement: Never print.
enforcement: warn
checks:
  - {kind: guard, template: forbid-text, with: {patterns: ['^print\\('], globs: ['*.py']}}
examples:
  invalid: [{file: a.py, content: "print(1)\\n", source: person}]
  valid: [{file: a.txt, content: "print(1)\\n"}]
not_checked: [what prints in other languages]
"""


def _tried(rulec: Run, rule: Any, code: int = 0) -> dict[str, Any]:
    text = rule if isinstance(rule, str) else json.dumps(rule)
    return dict(json.loads(rulec("try", stdin=text, code=code).stdout))


def _with(**more: Any) -> dict[str, Any]:
    return {**RULE, **more}


def test_a_proved_rule_says_who_caught_what_and_nothing_is_written(repo: Path, rulec: Run, git: Run) -> None:
    before = sorted(path.as_posix() for path in repo.rglob("*"))
    told = _tried(rulec, RULE)
    assert (told["proved"], told["why"], told["unread"]) == (True, "", [])
    assert [stage["passed"] for stage in told["stages"]] == [True] * len(told["stages"])
    assert [(one["catches"], one["of"], one["dead"], one["catches_valid"]) for one in told["checks"]] == [
        (2, 2, False, 0)
    ]
    assert all(one["right"] for one in told["examples"])
    assert told["examples"][0]["findings"] == ["npm install x"]
    assert told["enforcement"]["most"] == "block"
    assert sorted(path.as_posix() for path in repo.rglob("*")) == before


def test_a_rule_file_is_a_rule_and_a_file_may_be_named(gated: Path, rulec: Run, tmp_path: Path) -> None:
    path = tmp_path / "rule.yaml"
    path.write_text(FLOW)
    told = dict(json.loads(rulec("try", str(path)).stdout))
    assert (told["proved"], told["not_checked"]) == (True, ["what prints in other languages"])


UNPROVED: list[tuple[dict[str, Any], str, str]] = [  # rule, part of why, the example that is decided wrongly
    (
        _with(examples={**RULE["examples"], "invalid": [*RULE["examples"]["invalid"], {"command": "bun add x"}]}),
        "did not catch 'bun add x'",
        "bun add x",
    ),
    (
        _with(examples={**RULE["examples"], "valid": [{"command": "npm ci --offline"}]}),
        "caught the valid 'npm ci --offline'",
        "npm ci --offline",
    ),
    (_with(examples={"valid": [{"command": "ls"}]}), "no invalid example", ""),
    (_with(checks=[]), "--catalogue", ""),
    (_with(checks=[{"template": "forbid-comand", "with": {}}]), "did you mean forbid-command", ""),
    (_with(checks=[{"template": "forbid-command", "with": {"comands": ["npm"]}}]), "has no parameter 'comands'", ""),
    (
        _with(checks=[{"template": "forbid-command", "with": {"commands": ["npm"], "arguments": "(a+)+b"}}]),
        "runs away",
        "",
    ),
    (_with(checks=[*RULE["checks"], {"template": "no-such"}]), "no template 'no-such'", ""),
]


def test_what_is_not_proved_says_why_with_the_example_and_exits_with_one(repo: Path, rulec: Run) -> None:
    wrong = []
    for rule, why, example in UNPROVED:
        told = _tried(rulec, rule, code=1)
        odd = [one["example"]["command"] for one in told["examples"] if not one["right"]]
        if told["proved"] or why not in told["why"] or odd != [example] * bool(example):
            wrong.append((why, told["why"], odd))
        if told["enforcement"]["most"] == "block":
            wrong.append((why, "could block", odd))
    assert wrong == []


def test_a_dead_check_is_named(repo: Path, rulec: Run) -> None:
    dead = _with(
        checks=[*RULE["checks"], {"template": "forbid-command", "with": {"commands": ["npm"], "flags": ["-g"]}}]
    )
    assert [one["dead"] for one in _tried(rulec, dead, code=1)["checks"]] == [False, True]


def _one(statement: str, template: str, invalid: Any, valid: Any, **more: Any) -> dict[str, Any]:
    return {
        "statement": statement,
        "checks": [{"template": template, "with": more}],
        "examples": {"invalid": [invalid], "valid": [valid]},
    }


GIVEN: list[tuple[dict[str, Any], str]] = [  # a rule, and part of why it is not proved, "" where it is
    (_one("Never add .orig files.", "forbid-path", {"command": "cp a.py a.py.orig"}, {"command": "cp a.py b.py"},
          globs=["*.orig"]), ""),
    (_one("Never import requests.", "forbid-text", {"command": "python -c 'import requests'"},
          {"command": "python -c 'import httpx'"}, patterns=["import requests"], scripts=True), ""),
    (_one("Ask me before every commit.", "ask-before", {"session": [{"says": "go on"}, {"command": "git commit -m x"}]},
          {"command": "git diff"}, commands=["git commit"]), ""),
    (_one("Never delete files in docs/adr/.", "protect-path", {"delete": "docs/adr/1.md"},
          {"edit": "docs/adr/1.md", "old": "a", "new": "b"}, globs=["docs/adr/"], how=["delete"]), ""),
    (_one("Use jj instead of git for everything.", "forbid-command", {"command": "git commit -m x"},
          {"command": "jj log"}, commands=["git"]), ""),
    (_one("Every command runs through rtk.", "forbid-command", {"command": "make x"}, {"command": "rtk make x"},
          commands=["*"], unless=["rtk *"]), ""),
    (_one("Use pnpm, never npm.", "forbid-command", {"command": "npm i"}, {"command": "pnpm add x"}, commands=["*"],
          unless=["pnpm add x"]), "caught the innocent 'ls' (done every day)"),
    (_one("Never run git push.", "forbid-command", {"command": "git push origin x"}, {"command": "git pull"},
          commands=["git *"], unless=["git pull"]), "caught the innocent 'git status' (done every day)"),
    (_one("Never touch the vendor folder.", "protect-path", {"file": "vendor/a.js", "content": "x"}, {"command": "ls"},
          globs=["**"]), "(done every day)"),
    ({**_one("Never run npm.", "forbid-command", {"command": "npm i"}, {"command": "pnpm i"}, commands=["npm"]),
      "scope": {"environments": ["ci"]}}, "leaves forbid-command no gate"),
    ({**_one("Never run npm.", "forbid-command", {"command": "npm i"}, {"command": "pnpm i"}, commands=["npm"]),
      "scope": {"agents": ["aider"]}}, "leaves forbid-command no gate"),
    ({**_one("Never add .orig files.", "forbid-path", {"file": "a.orig", "content": "x\n"},
             {"file": "a.py", "content": "x\n"}, globs=["*.orig"]), "scope": {"environments": ["ci"]}}, ""),
]  # fmt: skip


def test_what_is_proved_means_what_it_says_and_acts_somewhere(repo: Path, rulec: Run) -> None:
    told = [(_tried(rulec, rule, code=bool(why)), why) for rule, why in GIVEN]
    assert [one["why"] for one, why in told if one["proved"] == bool(why) or why not in one["why"]] == []


def test_an_example_that_says_it_was_made_from_the_check_only_audits(repo: Path, rulec: Run) -> None:
    rule = _one("Never use foo.", "forbid-command", {"command": "foo x", "source": "template"}, {"command": "bar"},
                commands=["foo"])  # fmt: skip
    assert _tried(rulec, rule)["enforcement"]["most"] == "audit"
    rule["examples"]["invalid"][0]["source"] = "person"
    assert _tried(rulec, rule)["enforcement"]["most"] == "block"


def test_two_checks_of_the_same_are_one_too_many(repo: Path, rulec: Run) -> None:
    again = {"template": "forbid-command", "with": {"commands": ["yarn"]}}
    assert (
        "check 2 (guard forbid-command) catches nothing that check 1"
        in _tried(rulec, _with(checks=[*RULE["checks"], again]), code=1)["why"]
    )


REFUSED = [
    ("", "is empty"),
    ("npm", "is neither JSON nor YAML"),
    ("{}", "statement is missing"),
    ("statement: Use a\nsays: b\n", "<stdin>:2: says is not a known key"),
    (json.dumps({**RULE, "statement": "CORRECT[x]: no npm"}), "marked as a person's own"),
]


@pytest.mark.parametrize(("text", "says"), REFUSED)
def test_bad_input_is_refused_in_a_line(repo: Path, rulec: Run, text: str, says: str) -> None:
    refusal = rulec("try", stdin=text, code=2).stderr
    assert says in refusal
    assert refusal.count("\n") == 1


@pytest.fixture
def noted(repo: Path, git: Run) -> Path:
    (repo / "notes").mkdir()
    (repo / "notes" / "a.md").write_text("a\n")
    git("add", "-A")
    git("commit", "-qm", "Begin")
    return repo


NEW = {"template": "forbid-path", "kind": "guard", "with": {"globs": ["notes/"]}}
OLD = {"template": "protect-path", "with": {"globs": ["notes/"], "existing": True}}
BEGUN = [{"command": "echo x > notes/b.md"}, {"command": "rm notes/b.md"}]


@pytest.mark.parametrize(
    ("check", "invalid", "valid"),
    [
        (NEW, {"command": "echo x >> notes/b.md"}, {"command": "echo x >> notes/a.md"}),
        (NEW, {"command": "cat x | tee -a notes/b.md"}, {"command": "cat x | tee -a notes/a.md"}),
        (NEW, {"command": "cat >> notes/b.md <<'EOF'\nx\nEOF"}, {"command": "cat >> notes/a.md <<'EOF'\nx\nEOF"}),
        (OLD, {"command": "echo x >> notes/a.md"}, {"command": "echo x >> notes/b.md"}),
        (OLD, {"session": [{"command": "echo x >> notes/a.md"}, {"command": "rm notes/a.md"}]}, {"session": BEGUN}),
        (OLD, {"session": [{"command": "echo x >> notes/b.md"}, {"command": "rm notes/b.md"}]}, {"session": BEGUN}),
    ],
)
@pytest.mark.usefixtures("noted")
def test_what_is_put_behind_a_file_at_head_creates_none(
    rulec: Run, check: object, invalid: object, valid: object
) -> None:
    examples = {"invalid": [invalid], "valid": [valid]}
    told = _tried(rulec, _with(statement="Leave notes alone.", checks=[check], examples=examples))
    assert (told["proved"], told["why"]) == (True, "")


PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "Ab3dE5gH1jK2mN4pQ6rS8tU0vW9xY7zAaB3dE5gH1jK2mN4pQ6rS8tU0\n" * 3
KEYS = {
    "statement": "Never write a private key into a file.",
    "checks": [{"template": "forbid-text", "with": {"list": "secrets"}, "kind": "guard"}],
    "examples": {
        "invalid": [{"file": "keys/a.key", "content": PEM + "-----END RSA PRIVATE KEY-----\n"}],
        "valid": [{"file": "a.md", "content": "We print [redacted:pem] and [redacted:email].\n"}],
    },
}


def test_a_secret_in_an_example_is_proved_by_a_lookalike_and_nothing_of_it_is_shown(rulec: Run) -> None:
    said = rulec("try", stdin=json.dumps(KEYS)).stdout
    assert json.loads(said)["examples_changed"] == [
        "invalid[0]: a made-up look-alike stands in it for what may be a secret, an address or a home folder"
    ]
    assert "Ab3dE5gH1jK2" not in said
    assert json.loads(said)["proved"]


PLAIN = [
    ({"examples": {"invalid": [{"cmd": "npm ci"}]}}, "examples.invalid[0] is no example, by its keys (cmd); write one"),
    ({"examples": {"invalid": ["npm ci"]}}, "examples.invalid[0] is no mapping; write the action by its kind"),
    ({"scope": "src"}, 'its scope is no mapping: write {"include": ["src"]}'),
    (
        {"examples": {"invalid": [{"file": "x.sh", "content": "npm ci"}]}},
        "a check of one command never sees an example {file: …}",
    ),
    (
        {
            "checks": [{"template": "forbid-text", "kind": "guard", "with": {"patterns": ["foo"]}}],
            "examples": {"invalid": [{"file": "a.py", "content": "print(1"}]},
        },
        "the code of a.py does not parse (line 1)",
    ),
]


@pytest.mark.parametrize(("more", "says"), PLAIN)
def test_what_is_wrong_with_an_example_is_said_in_plain_words(rulec: Run, more: Any, says: str) -> None:
    assert says in _tried(rulec, _with(**more), code=1)["why"]


def test_a_raw_semgrep_rule_may_be_a_mapping(rulec: Run) -> None:
    rule = {
        "statement": "No foo().",
        "checks": [{"template": "raw-semgrep", "with": {"rule": {"languages": ["python"], "pattern": "foo(...)"}}}],
        "examples": {
            "invalid": [{"file": "a.py", "content": "foo(1)\n"}],
            "valid": [{"file": "b.py", "content": "bar(1)\n"}],
        },
    }
    assert _tried(rulec, rule)["proved"]


def test_the_last_commits_are_looked_at_and_nothing_of_it_is_kept(repo: Path, rulec: Run, git: Run) -> None:
    for number in range(12):
        (repo / f"a{number}.txt").write_text("TODO\n")
        git("add", "-A")
        git("commit", "-qm", f"Add {number}")
    rule = {
        "statement": "Leave no TODO behind.",
        "checks": [{"template": "forbid-text", "kind": "guard", "with": {"patterns": ["TODO"]}}],
        "examples": {
            "invalid": [{"file": "b.txt", "content": "TODO\n"}],
            "valid": [{"file": "b.txt", "content": "done\n"}],
        },
    }
    told = _tried(rulec, rule)
    assert "12 files at HEAD" in told["held_back"]
    assert [*(repo / ".git/rulec").rglob("*.*")] == []


def test_a_kind_whose_tool_does_not_take_the_pattern_goes_where_another_decides(rulec: Run) -> None:
    check = {"template": "forbid-text", "with": {"patterns": ["\\u2014"]}}  # which Semgrep's regexes do not know
    examples = {
        "invalid": [{"file": "a.md", "content": "a \u2014 b\n"}],
        "valid": [{"file": "a.md", "content": "a - b\n"}],
    }
    told = _tried(rulec, _with(statement="Never write long dashes.", checks=[check], examples=examples))
    assert (told["proved"], [one["kind"] for one in told["checks"]]) == (True, ["guard"])
    told = _tried(
        rulec, _with(statement="No dashes.", checks=[{**check, "kind": "semgrep"}], examples=examples), code=1
    )
    assert not told["proved"]


def test_a_commit_is_judged_as_the_change_that_it_would_be(repo: Path, rulec: Run, git: Run) -> None:
    (repo / "schema.sql").write_text("CREATE TABLE a (b int);\n")
    git("add", "-A")
    git("commit", "-qm", "chore: schema")
    dump = {"commit": "Add c", "files": {"schema.sql": "CREATE TABLE a (b int, c int);\n"}}
    together = {"commit": "Add c", "files": {**dump["files"], "migrations/1.sql": "ALTER TABLE a ADD c int;\n"}}
    rule = {
        "statement": "Commit schema.sql together with a migration.",
        "checks": [{"template": "companion", "with": {"when": ["schema.sql"], "added": "a", "needs": ["migrations/"]}}],
        "examples": {"invalid": [dump], "valid": [together]},
    }
    assert _tried(rulec, rule)["proved"]
    rule["checks"][0]["with"]["added"] = "DROP"
    told = _tried(rulec, rule, code=1)
    assert [one["right"] for one in told["examples"]] == [False, True]


def test_an_offence_that_head_holds_is_caught_in_the_report_too(repo: Path, rulec: Run, git: Run) -> None:
    (repo / "a.py").write_text("print(1)\n")
    git("add", "-A")
    git("commit", "-qm", "chore: prints")
    rule = {
        "statement": "Log, never print.",
        "checks": [{"template": "forbid-text", "with": {"patterns": ["^print\\("], "globs": ["*.py"]}}],
        "examples": {
            "invalid": [{"commit": "feat: more", "files": {"a.py": "print(1)\nlog(2)\n"}}],
            "valid": [{"file": "a.txt", "content": "print(1)\n"}],
        },
    }
    told = _tried(rulec, rule)
    assert told["proved"]
    assert all(one["right"] for one in told["examples"])


def test_what_is_moved_into_the_top_folder_is_a_file_there(rulec: Run) -> None:
    rule = {
        "statement": "Put debug scripts into scratch/.",
        "checks": [{"template": "forbid-path", "with": {"globs": ["./debug*"]}}],
        "examples": {"invalid": [{"command": "mv scratch/debug_a.py ."}], "valid": [{"command": "mv docs/a.md ."}]},
    }
    assert _tried(rulec, rule)["proved"]


def test_the_wrong_and_the_right_action_are_replayed_as_a_proposal_is(repo: Path, rulec: Run) -> None:
    pair = {"offence": {"command": "npm install left-pad"}, "fix": {"command": "pnpm add left-pad"}}
    (stage,) = (one for one in _tried(rulec, _with(**pair))["stages"] if one["name"] == "replay")
    assert (stage["passed"], stage["detail"]) == (True, "offence caught, 1 other action passed")
