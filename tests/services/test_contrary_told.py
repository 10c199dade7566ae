"""Of rules that contradict each other agents are told the one that goes before."""

import json
from pathlib import Path

import pytest

from rulec.domain.evidence import Evidence
from rulec.hook.dispatch import respond
from rulec.rulebook import evidence_file
from tests.support.world import act, run

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

CHECK = """\
checks:
  - template: forbid-command
    with: {{commands: [{0}], prefer: {1}}}
examples:
  invalid:
    - {{command: {0} install x}}
  valid:
    - {{command: {1} install x}}
"""


def test_of_two_rules_that_contradict_each_other_agents_are_told_one(repo: Path) -> None:
    run(repo, "commit", "--allow-empty", "-qm", "Begin")
    (repo / ".rules").mkdir()
    (repo / ".rules/config.yaml").write_text("schema: 1\n")
    for name, statement, checks, at in (
        ("use-npm", "Use npm, not pnpm.", CHECK.format("pnpm", "npm"), "2026-11-01T00:00:00Z"),
        ("use-pnpm", "Use pnpm, not npm.", CHECK.format("npm", "pnpm"), "2026-11-20T00:00:00Z"),
        ("be-brief", "Keep answers short.", "checks: []\n", "2026-11-10T00:00:00Z"),
    ):
        head = f"schema: 1\nslug: {name}\nrevision: 1\nstatement: {statement}\n"
        (repo / f".rules/{name}.yaml").write_text(f"{head}category: tooling\nseverity: should\n{checks}")
        item = Evidence(slug=name, kind="accepted", weight=3.0, at=at)
        folder = repo / f".rules/evidence/{name}"
        folder.mkdir(parents=True)
        (folder / f"{evidence_file.evidence_id(item)}.yaml").write_text(evidence_file.dump_evidence(item))
    act(repo, "compile")
    told = json.loads(act(repo, "snapshot", "--format", "json").out)
    assert [one["slug"] for one in told["rules"]] == ["use-pnpm", "be-brief"]
    assert told["dropped"] == [
        {"slug": "use-npm", "kind": "contrary", "because": "it contradicts use-pnpm, which goes before it"}
    ]
    asked = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(repo), "source": "startup"}
    heard = respond("claude-code", json.dumps(asked).encode(), str(repo)).out
    assert "use-pnpm" in str(heard)
    assert "use-npm" not in str(heard)
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "Write them down")
    act(repo, "retire", "use-pnpm", "--because", "npm after all")
    assert "use-npm" in act(repo, "snapshot").out
