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
statement: Log, never print.
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


def test_a_dead_check_is_named_and_an_implied_one_goes_without_a_word(repo: Path, rulec: Run) -> None:
    dead = _with(checks=[*RULE["checks"], {"template": "forbid-flag", "with": {"commands": ["npm"], "flags": ["-g"]}}])
    assert [one["dead"] for one in _tried(rulec, dead, code=1)["checks"]] == [False, True]
    left = [{"file": "debug_a.py", "content": "x\n"}]
    text = {
        "statement": "Leave no debug files behind.",
        "checks": [{"template": "leftover-files"}],
        "examples": {
            "invalid": [{"session": [*left, {"stop": "Done."}]}],
            "valid": [{"session": [*left, {"command": "rm debug_a.py"}, {"stop": "Done."}]}],
        },
    }
    told = _tried(rulec, text)  # of its two kinds the shell check sees no end of a turn
    assert [(one["kind"], one["dead"]) for one in told["checks"]] == [("guard", False)]


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
