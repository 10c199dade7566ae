"""A repository with strict rules and an agent's open plan in it, and commits through rulec's real git hooks."""

import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rulec.plans import plan_store
from rulec.plans.plan import ACTIVE, DONE, Plan, PlanItem, Step
from rulec.plans.step_ids import steps_of_items
from tests.support.gates import rulec, run
from tests.support.session import ClaudeSession
from tests.support.terminal import on_terminal

SESSION = "5e55-plan"
KEEP = "keep-the-limit"  # a rule that nothing checks
PRINT = "no-print"  # a rule with a check at the commit
ASK = "ask-before-packages"  # a rule that wants a person's word
TEST = "test-the-prices"  # a rule at level testable
MILD = "mild-words"  # a rule that a person pinned to warn
STASH = "no-stash"  # a rule that only the hook sees
RULES = {
    KEEP: "statement: Every request has a limit.\nseverity: must\nenforcement: block\nscope: {include: ['src/**']}\n",
    PRINT: """\
statement: Nothing prints.
severity: must
enforcement: block
scope: {include: ['src/**']}
checks:
  - {kind: semgrep, template: forbid-call, with: {functions: [print], language: python}}
examples:
  invalid: [{file: src/a.py, content: "print(1)\\n"}]
  valid: [{file: src/a.py, content: "x = 1\\n"}]
""",
    ASK: """\
statement: Ask before you add a package.
severity: must
enforcement: block
checks:
  - {kind: guard, template: ask-before, with: {packages: ["*"]}}
examples:
  invalid: [{session: [{says: parse the dates}, {command: pnpm add date-fns}]}]
  valid: [{session: [{says: parse the dates}, {command: pnpm run build}]}]
""",
    TEST: """\
statement: Prices are tested.
severity: should
enforcement: block
level: testable
scope: {include: ['src/prices/**']}
""",
    "second-limit": "statement: Limits are small.\nseverity: must\nenforcement: block\nscope: {include: ['src/**']}\n",
    MILD: "statement: Words are kind.\nseverity: must\nenforcement: warn\nlevel: strict\n",
    STASH: """\
statement: Never use git stash.
severity: must
enforcement: block
checks:
  - {kind: guard, template: forbid-command, with: {commands: [git stash]}}
examples:
  invalid: [{command: git stash}]
  valid: [{command: git status}]
""",
}
FILES = {
    "src/app.py": "def load(url):\n    return url\n",
    "src/other.py": "def other():\n    return 1\n",
    "src/prices/total.py": "def total(rows):\n    return 0\n",
    "package.json": '{\n  "name": "app",\n  "dependencies": {\n    "zod": "^3.1.0"\n  }\n}\n',
    "docs/a.md": "# A\n",
    "tests/test_total.py": "def test_nothing():\n    assert True\n",
}
CONFIG = f"""\
schema: 1
emitters: [claude-code]
tests:
  unit: {{run: [{sys.executable}, -m, pytest, -q, -p, "no:cacheprovider"], report: junit, seconds: 100}}
"""


def planned(top: Path) -> Path:
    """A copy of the repository, without a plan."""
    shutil.copytree(_made(), top, symlinks=True, dirs_exist_ok=True)
    run(top, "git", "update-index", "-q", "--refresh", code=None)
    return top


@cache
def _made() -> Path:
    top = Path(tempfile.mkdtemp(prefix="rulec-planned-"))
    (top / ".rules").mkdir()
    (top / ".rules/config.yaml").write_text(CONFIG)
    for slug, text in RULES.items():
        (top / f".rules/{slug}.yaml").write_text(f"schema: 1\nslug: {slug}\nrevision: 1\ncategory: process\n{text}")
    write(top, FILES)
    run(top, "git", "init", "-q", "-b", "main")
    rulec(top, "compile")
    run(top, "git", "add", "-A")
    run(top, "git", "commit", "-qm", "Start")
    rulec(top, "hook", "install")
    return top


def write(top: Path, files: Mapping[str, str]) -> None:
    """Write some files of the work tree."""
    for path, text in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)


def open_plan(
    top: Path,
    steps: Sequence[tuple[str, Sequence[str]]],
    *,
    session: str = SESSION,
    current: int = 0,
) -> list[Step]:
    """Open a plan whose steps have a text and rules; one of them is being worked on. Returns the steps."""
    items = steps_of_items([PlanItem(text) for text, _ in steps])

    def change(plan: Plan) -> Plan:
        plan.agent, plan.source = "claude-code", "todo"
        plan.transcript = str(transcript_path(top, session))
        plan.steps = items
        for step, (_, slugs) in zip(items, steps, strict=True):
            step.rules = [[slug, "strict"] for slug in slugs]
        plan_store.begin_step(items[current], "status", time.time())
        return plan

    stored = plan_store.update_plan(str(top), session, change)
    assert stored is not None
    assert stored.steps[current].status == ACTIVE
    return stored.steps


def edit(top: Path, files: Mapping[str, str], session: str = SESSION) -> None:
    """The agent writes files with its own tool, which the hook sees."""
    write(top, files)

    def change(plan: Plan) -> Plan:
        for path in files:
            plan_store.record_edit(plan, path, time.time())
        return plan

    plan_store.update_plan(str(top), session, change)


def change_plan(top: Path, change: Any, session: str = SESSION) -> None:
    """Change the stored plan."""

    def changed(plan: Plan) -> Plan:
        change(plan)
        return plan

    plan_store.update_plan(str(top), session, changed)


def move_on(plan: Plan, to: int) -> None:
    """The agent is done with what it worked on, and begins another step."""
    for step in plan.steps:
        if step.status == ACTIVE:
            step.status = DONE
    plan_store.begin_step(plan.steps[to], "status", time.time())


def head(top: Path) -> str:
    """The commit that is checked out."""
    return run(top, "git", "rev-parse", "HEAD").strip()


def transcript_path(top: Path, session: str = SESSION) -> Path:
    """Where the agent's program records the session."""
    return top.parent / f"{top.name}-{session}.jsonl"


def begin_session(top: Path, session: str = SESSION) -> ClaudeSession:
    """The record of the session; ``tell`` writes it."""
    return ClaudeSession(top, session, timed=True)


def tell(top: Path, session: ClaudeSession) -> None:
    """Write the session's record to where the plan says that it is."""
    session.save(transcript_path(top, session.session))


def approve(top: Path) -> None:
    """A person at a terminal stages all and approves what the steps of the plan lack."""
    run(top, "git", "add", "-A")
    argv = [sys.executable, "-m", "rulec", "approve"]
    code, seen = on_terminal(top, argv, [("Approve this?", "y\n")])
    assert (code, "git commit accepts it" in seen) == (0, True), seen


def commit(top: Path, *paths: str, code: int | None = None) -> tuple[bool, str]:
    """``git add`` and ``git commit`` through the hooks; whether it went through, and what was said."""
    run(top, "git", "add", *(paths or ["-A"]))
    before = head(top)
    said = run(top, "git", "commit", "-qm", "Do it", code=code)
    return head(top) != before, said
