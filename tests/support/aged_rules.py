"""A rulebook with ``profile: lexsona`` whose rules differ in evidence, age and category; and what each verb says."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from math import exp
from pathlib import Path

from rulec.domain.evidence import Evidence
from rulec.hook.compiled_rules import CompiledRules
from rulec.rulebook import evidence_file
from tests.support.world import act, run

Row = tuple[int, int, float, str]  # for, against, days since the last of them, category

TABLE: tuple[Row, ...] = (
    (5, 0, 0, "tooling"), (6, 0, 0, "tooling"), (6, 0, 3.9, "tooling"), (6, 0, 4.7, "tooling"),
    (9, 1, 10, "tooling"), (20, 0, 60, "tooling"), (20, 0, 80, "tooling"), (12, 8, 0, "tooling"),
    (6, 0, 1, "code-style"), (9, 0, 20, "code-style"), (9, 0, 30, "code-style"), (1, 0, 400, "code-style"),
    (9, 0, 0, "process"), (10, 0, 0, "process"), (10, 0, 1.4, "process"), (10, 0, 1.6, "process"),
    (12, 1, 0.001, "process"), (12, 2, 0, "process"), (30, 0, 35, "testing"), (30, 0, 45, "testing"),
    (17, 0, 0, "security"), (18, 0, 0.001, "security"), (18, 0, 1, "security"), (40, 1, 14, "security"),
    (40, 0, 40, "security"), (3, 0, 0, "security"), (11, 0, 2, "git"), (15, 0, 20, "docs"),
    (15, 0, 800, "docs"), (2, 3, 0, "scope"),
)  # fmt: skip


def is_active(row: Row) -> bool:
    """What the paper says of a rule (LexSona 4.2), written down anew and not taken from the program."""
    pro, against, days, category = row
    least, bar = {"security": (10, 0.8), "code-style": (3, 0.6), "tooling": (3, 0.6)}.get(category, (5, 0.7))
    alpha, beta = 2 + pro, 5 + against
    return alpha + beta >= least and alpha / (alpha + beta) * exp(-days / 180) >= bar


def name(number: int) -> str:
    """The file that the rule of that number forbids."""
    return f"qx{number:03}z.txt"


def slug(number: int) -> str:
    """Its name."""
    return f"rule-{number:03}"


def fill(top: Path, table: Sequence[Row]) -> None:
    """The rules with their evidence, proved, compiled and committed."""
    (top / ".rules").mkdir()
    (top / ".rules/config.yaml").write_text("schema: 1\nprofile: lexsona\n")
    now = datetime.now(UTC).replace(microsecond=0)
    for number, (pro, against, days, category) in enumerate(table):
        (top / f".rules/{slug(number)}.yaml").write_text(_rule(number, category))
        at = (now - timedelta(days=days)).isoformat()
        kinds = ["correction"] * pro + ["counterexample"] * against
        for turn, kind in enumerate(kinds):
            note(top, Evidence(slug=slug(number), kind=kind, weight=1.0, at=at, transcript=f"s{turn}", turn=turn))
    act(top, "compile")
    run(top, "add", "-A")
    run(top, "commit", "-qm", "Write down the rules")


def note(top: Path, item: Evidence) -> None:
    """Write one observation."""
    folder = top / f".rules/evidence/{item.slug}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{evidence_file.evidence_id(item)}.yaml").write_text(evidence_file.dump_evidence(item))


def _rule(number: int, category: str) -> str:
    return f"""\
schema: 1
slug: {slug(number)}
revision: 1
statement: Never add {name(number)}.
category: {category}
severity: should
enforcement: auto
checks:
  - {{kind: guard, template: forbid-path, with: {{globs: [{name(number)}]}}}}
  - {{kind: shell, template: forbid-path, with: {{globs: [{name(number)}]}}}}
examples:
  invalid: [{{file: {name(number)}, content: "x\\n"}}]
  valid: [{{file: a.txt, content: "x\\n"}}]
"""


def what_each_says(top: Path, count: int) -> dict[str, list[bool]]:
    """For each place that says it, whether each rule is active."""
    numbers = range(count)
    now = datetime.now(UTC).isoformat()[:19] + "Z"
    files = {n: json.loads((top / f".rules/compiled/guard/{slug(n)}.json").read_text())["facts"] for n in numbers}
    rows = {row["slug"]: row for row in json.loads(act(top, "rules", "--format", "json").out)}
    why = {n: act(top, "why", slug(n)).out for n in numbers}
    limits = ["--max-rules", "999", "--max-tokens", "99999", "--format", "json"]
    said = {row["slug"] for row in json.loads(act(top, "snapshot", *limits).out)["rules"]}
    return {
        "compiled": [files[n]["enforcement"] == "block" and files[n].get("until", now) >= now for n in numbers],
        "tool call": [_at_tool_call(top, n) == "block" for n in numbers],
        "gate": _at_commit(top, count),
        "rules": [rows[slug(n)]["acts"] == "block" for n in numbers],
        "why: acts": ["on a finding it does: block" in why[n] for n in numbers],
        "why: confidence": ["; active until " in why[n] for n in numbers],
        "snapshot": [slug(n) in said for n in numbers],
    }


def _at_commit(top: Path, count: int) -> list[bool]:
    names = [name(n) for n in range(count)]
    for one in names:
        (top / one).write_text("x\n")
    run(top, "add", *names)
    told = json.loads(act(top, "check", "--staged", "--format", "json", code=None).out)["verdicts"]
    run(top, "rm", "-qf", *names)
    acts: Mapping[str, str] = {one["facts"]["slug"]: one["outcome"] for one in told}
    assert set(acts) == {slug(n) for n in range(count)}, "each rule has to see its file"
    return [acts[slug(n)] == "block" for n in range(count)]


def _at_tool_call(top: Path, number: int) -> str:
    """What the hook says of a rule when a file is written."""
    compiled = CompiledRules(str(top))
    compiled.load()
    found = compiled.for_event({"kind": "write", "path": name(number)})[0]
    return next(str(rule["facts"]["enforcement"]) for rule in found if rule["facts"]["slug"] == slug(number))


def compiled_of(top: Path) -> dict[str, str]:
    """Every compiled file of a rule."""
    kinds = ("guard", "shell", "semgrep", "judge", "words")
    files = (path for kind in kinds for path in (top / ".rules/compiled" / kind).glob("*"))
    return {path.relative_to(top).as_posix(): path.read_text() for path in files}
