"""Guards that read documentation and comments judge files at the commit as they judge the tool call."""

import json

from rulec.checks.guard.checker import PLUG, build
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts, judges_files
from rulec.domain.change import Change, FileChange
from rulec.domain.rule import Rule


def _artifact(**check: object) -> Artifact:
    step = PlannedCheck(
        facts=RuleFacts(slug="a", revision=1, statement="A.", enforcement="block"),
        rule=Rule(slug="a", statement="A."),
        kind="guard",
        template="forbid-text",
        parameters={},
        name="a",
    )
    body = json.dumps({"on": "text", "forbid": ["bad"], **check})
    return Artifact(path=".rules/compiled/guard/a.json", text=build(step, body))


def test_only_new_lines_outside_of_code_are_found_in_a_staged_file() -> None:
    base, content = b"bad old\n", b"bad old\n```\nbad code\n```\nbad new\n"
    file = FileChange(path="a.md", status="M", content=content, base=base)
    found = list(PLUG.findings([_artifact(parts=["docs"])], Change(files=(file,)), ()))
    assert [finding.line for finding in found] == [5]


def test_a_commit_is_judged_by_guards_of_texts_and_new_files() -> None:
    new = {"on": "path", "globs": [".env"], "how": ["create"]}
    assert all(map(judges_files, (_artifact(parts=["docs"]), _artifact(), _of(new))))
    commands = {"on": "command", "patterns": ["npm"]}
    assert not any(map(judges_files, map(_of, (commands, {**new, "how": ["delete"]}, {**new, "globs": ["**"]}))))


def test_a_damaged_guard_is_not_passed_over() -> None:
    assert judges_files(Artifact(path=".rules/compiled/guard/a.json", text="{"))


def _of(check: dict[str, object]) -> Artifact:
    return Artifact(path=".rules/compiled/guard/a.json", text=json.dumps({"check": check}))
