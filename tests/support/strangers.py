"""Texts of strangers that would do something where a page takes them for more than words."""

import json
from pathlib import Path

from rulec.domain.evidence import Evidence
from rulec.plans import plan_store
from rulec.plans.plan import Plan, PlanItem
from rulec.plans.step_ids import steps_of_items
from rulec.rulebook import evidence_file
from tests.support.session import ClaudeSession
from tests.support.world import act, run

NASTY = (
    "<script>alert(1)</script>",
    '"><img src=http://127.0.0.1:9/x onerror=alert(1)>',
    "</style><style>@import 'http://127.0.0.1:9/y';</style>",
    "{{ 7 * 7 }}{% include 'x' %}",
    "&lt;b&gt;",
    "x" * 300,
    "\u202e\u0000]]>",
)
WHERE = "http://127.0.0.1:9/"  # which no page may ask


def fill(top: Path) -> None:
    """Let every place that people and agents write to hold such texts: rules, evidence, history, queue, plan, notes."""
    texts = [text.replace("\u0000", "") for text in NASTY]
    for number, text in enumerate(texts):
        slug = f"odd-{number}"
        rule = {
            "schema": 1, "slug": slug, "revision": 1, "statement": f"Never {text}", "rationale": text, "do": text,
            "when": text, "enforcement": "block", "not_checked": [text],
            "checks": [{"kind": "guard", "template": "forbid-command", "with": {"commands": [f"odd{number}"]}}],
            "examples": {"invalid": [{"command": f"odd{number} {_quoted(text)}"}], "valid": [{"command": "ls"}]},
        }  # fmt: skip
        (top / f".rules/{slug}.yaml").write_text(json.dumps(rule))
        item = Evidence(
            slug=slug, kind="accepted", weight=3.0, at="2026-11-20T10:00:00+00:00", quote=text, transcript=f"s{number}"
        )
        path = top / f".rules/evidence/{slug}/{evidence_file.evidence_id(item)}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(evidence_file.dump_evidence(item))
        act(top, "compile")
        run(top, "add", "-A")
        run(top, "commit", "-q", "--no-verify", "-m", f"{text}\n\n{text}")
        act(top, "note", slug, text, "--should", "catch", "--command", f"other{number} {_quoted(text)}")
        offer = {
            "statement": f"Never wait {text}", "quote": text,
            "offence": {"command": f"wait{number} {_quoted(text)}"}, "fix": {"command": "ls"},
        }  # fmt: skip
        act(top, "propose", stdin=json.dumps(offer), code=None)
        session = ClaudeSession(top, f"5e55-{number}").person(text).runs(f"say{number} {_quoted(text)}").agent(text)
        session.person(f"rule: never use `say{number}` {text}").runs("ls").agent(text)
        act(top, "ingest", str(session.save(top.parent / f"s{number}.jsonl")))

    def change(plan: Plan) -> Plan:
        plan.agent, plan.source, plan.steps = "claude-code", "todo", steps_of_items([PlanItem(one) for one in texts])
        return plan

    plan_store.update_plan(str(top), "5e55-odd", change)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "") + "'"
