"""A repository as a team has it after some weeks: rules with evidence, refusals, what waits, a plan, notes."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from rulec.checkout.worktree import shared_state_directory
from rulec.domain.evidence import Evidence, EvidenceKind
from rulec.plans import plan_store
from rulec.plans.plan import Plan, PlanItem
from rulec.plans.step_ids import steps_of_items
from rulec.rulebook import evidence_file
from tests.support.session import ClaudeSession
from tests.support.terminal import on_terminal
from tests.support.world import act

SESSION = "7c1e9a40-billing"
WEEKS = 7
DAY = 86_400


@dataclass(frozen=True)
class Told:
    """A rule's file, since how many days there is one, who said it in how many sessions, and how often it found."""

    text: str
    days: int
    quotes: Sequence[str]
    found: int = 0  # a week
    gate: str = "ask"
    of: str = ""
    outcome: str = "block"


RULES = {
    "use-pnpm": Told(
        """\
statement: Install JavaScript packages with pnpm, never with npm.
rationale: The lockfile is pnpm's; npm writes a second one.
category: tooling
severity: must
enforcement: auto
do: run `pnpm add NAME`
checks:
  - kind: guard
    template: forbid-command
    with: {commands: [npm], instead: pnpm}
examples:
  invalid:
    - {command: npm install left-pad, source: transcript}
    - {command: cd web && npm ci, source: transcript}
  valid:
    - {command: pnpm add left-pad, source: transcript}
    - {command: "grep -r 'npm install' docs"}
""", 44, ("pnpm, not npm. The lockfile is pnpm's.", "again: we use pnpm here", "npm wrote a second lockfile, use pnpm"),
        6, "ask", "npm",
    ),
    "log-dont-print": Told(
        """\
statement: Use the logger in src/, never print().
category: code-style
severity: must
enforcement: auto
do: use `logger.info`
scope: {include: ["src/**"], exclude: ["src/cli/**"]}
checks:
  - kind: semgrep
    template: forbid-call
    with: {functions: [print], language: python}
not_checked:
  - text written to sys.stdout directly
examples:
  invalid:
    - {file: src/report.py, content: "def total(rows):\\n    print(sum(rows))\\n", source: transcript}
  valid:
    - {file: src/report.py, content: "def total(rows):\\n    logger.info(sum(rows))\\n", source: transcript}
""", 41, ("Never use print(), use the logger.", "no print in src please, we have a logger"),
        4, "commit", "src/billing/report.py",
    ),
    "never-force-push": Told(
        """\
statement: Never force-push.
category: git
severity: must
enforcement: block
do: run `git push`, and ask where it is refused
checks:
  - kind: guard
    template: forbid-command
    with: {commands: [git push], flags: ["-f|--force"], instead: git push}
examples:
  invalid:
    - {command: git push --force origin main}
  valid:
    - {command: git push origin main}
""", 37, ("you just force-pushed over Mia's commits. never do that", "never force-push"),
        1, "ask", "git",
    ),
    "keep-migrations": Told(
        """\
statement: Never change a migration that is committed; add a new one.
category: scope
severity: must
enforcement: block
do: add a new file to migrations/
checks:
  - kind: guard
    template: protect-path
    with: {globs: ["migrations/"], how: [change, delete], existing: true}
examples:
  invalid:
    - {edit: migrations/0001_invoices.sql, old: "id int", new: "id bigint"}
  valid:
    - {file: migrations/0002_customers.sql, content: "create table customers (id bigint);\\n"}
""", 33, ("that migration has run in production, add a new one instead",),
        1, "ask", "migrations/0001_invoices.sql",
    ),
    "conventional-commits": Told(
        """\
statement: Write commit messages in the conventional form, at most 72 characters.
category: git
severity: should
enforcement: warn
checks:
  - kind: shell
    template: commit-message
    with: {style: conventional, max_subject: 72}
examples:
  invalid:
    - {message: Fixed stuff}
  valid:
    - {message: "fix: round the tax of each line"}
""", 30, ("feat: or fix: in front, like everybody else here", "conventional commits please"),
        5, "commit", "", "warn",
    ),
    "test-before-commit": Told(
        """\
statement: Run pytest before you commit.
category: testing
severity: must
enforcement: auto
checks:
  - kind: guard
    template: require-before
    with: {before_commands: [git commit], first_commands: [pytest]}
examples:
  invalid:
    - {session: [{command: git commit -m "fix it"}]}
  valid:
    - {session: [{command: pytest}, {command: git commit -m "fix it"}]}
""", 23, ("the tests were red when you committed", "run pytest before every commit"),
        3, "ask", "git",
    ),
    "no-silent-errors": Told(
        """\
statement: Never catch an error and ignore it.
category: code-style
severity: should
enforcement: audit
checks:
  - kind: semgrep
    template: error-handling
    with: {what: ignored, language: python}
examples:
  invalid:
    - {file: src/pay.py, content: "try:\\n    pay()\\nexcept ValueError:\\n    pass\\n"}
  valid:
    - {file: src/pay.py, content: "try:\\n    pay()\\nexcept ValueError:\\n    log.warning(1)\\n    raise\\n"}
""", 12, ("do not swallow errors",), 2, "done", "src/billing/pay.py", "audit",
    ),
    "plain-words": Told(
        """\
statement: Explain what you changed in plain words, without headings or emoji.
category: communication
severity: style
enforcement: auto
when: reporting to the person
checks: []
""", 9, ("shorter, and no emoji please",),
    ),
}  # fmt: skip
FILES = {
    "README.md": "# billing\n\nInvoices, payments and reminders.\n",
    "pyproject.toml": '[project]\nname = "billing"\nversion = "1.4.0"\n',
    "package.json": '{\n  "name": "billing-web",\n  "packageManager": "pnpm@9.1.0"\n}\n',
    "src/billing/report.py": "import logging\n\nlogger = logging.getLogger(__name__)\n\n\n"
    "def total(rows):\n    value = sum(row.price for row in rows)\n"
    '    logger.info("total %s", value)\n    return value\n',
    "src/billing/pay.py": "def pay(invoice):\n    return invoice\n",
    "migrations/0001_invoices.sql": "create table invoices (id int, total int);\n",
    "tests/test_report.py": "def test_nothing_is_zero():\n    assert sum([]) == 0\n",
}
PLAN = (
    ("Add a customers table in a new migration", ("keep-migrations",), ("migrations/0002_customers.sql",)),
    ("Show the customer on src/billing/report.py", ("log-dont-print",), ("src/billing/report.py",)),
    ("Install a PDF library for the web page", ("use-pnpm",), ()),
    ("Run the tests and commit", ("test-before-commit", "conventional-commits"), ()),
)
WAITING = 5


def billing(top: Path, *, now: datetime | None = None) -> Path:
    """Make it in a folder that is not there yet; the gates are up, everything is committed."""
    now = now or datetime.now(UTC)
    top.mkdir(parents=True)
    _git(top, "init", "-q", "-b", "main", "--template=")
    _write(top, FILES)
    _commit(top, "feat: bill customers", now - timedelta(days=50))
    act(top, "init", "--yes", "--agent", "claude-code", "--no-ci")
    _commit(top, "chore: set up rulec", now - timedelta(days=46))
    for slug, told in RULES.items():
        _write_rule(top, slug, told, now)
        act(top, "compile")
        _commit(top, f"Add the rule {slug}", now - timedelta(days=told.days))
    argv = [sys.executable, "-m", "rulec", "approve", f"HEAD~{len(RULES) + 1}..HEAD", "--because", "made by hand"]
    code, shown = on_terminal(top, argv, [("]", "y\n")])
    assert code == 0, shown
    _fill_ledger(top, now)
    _let_wait(top)
    _begin_plan(top)
    act(top, "note", "use-pnpm", "yarn is just as wrong", "--should", "catch", "--command", "yarn add left-pad")
    act(top, "note", "use-pnpm", "npm view only reads", "--should", "pass", "--command", "npm view left-pad")
    return top


def _write(top: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)


def _write_rule(top: Path, slug: str, told: Told, now: datetime) -> None:
    (top / f".rules/{slug}.yaml").write_text(f"schema: 1\nslug: {slug}\nrevision: 1\n{told.text}")
    kinds: list[EvidenceKind] = ["correction"] * len(told.quotes)
    for number, (quote, kind) in enumerate(zip(told.quotes, kinds, strict=True)):
        at = (now - timedelta(days=told.days - 5 * number, hours=number)).isoformat(timespec="seconds")
        _write_evidence(top, Evidence(
            slug=slug, kind=kind, weight=1.0, at=at, agent="claude-code", quote=quote,
            transcript=f"5e55-{number:04}", turn=3 + 2 * number,
        ))  # fmt: skip
    at = (now - timedelta(days=told.days)).isoformat(timespec="seconds")
    _write_evidence(top, Evidence(slug=slug, kind="accepted", weight=3.0, at=at, quote=told.quotes[0]))


def _write_evidence(top: Path, item: Evidence) -> None:
    path = top / f".rules/evidence/{item.slug}/{evidence_file.evidence_id(item)}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(evidence_file.dump_evidence(item))


def _fill_ledger(top: Path, now: datetime) -> None:
    """What the gates noted in these weeks, as they note it, and what was put right soon after."""
    random = Random(7)
    lines = []
    for slug, told in RULES.items():
        for week in range(WEEKS):
            start = WEEKS * 7 - 7 * week
            if start - 7 > told.days:
                continue
            for _ in range(max(0, told.found + random.randint(-1, 1) - week // 3)):
                at = now - timedelta(days=min(told.days, start - 7 * random.random()) * 0.98, minutes=20)
                kind = "command" if told.gate == "ask" and "/" not in told.of else "write"
                session = f"{random.getrandbits(32):08x}"
                line = {
                    "event": told.gate, "agent": random.choice(("claude-code", "claude-code", "codex")), "slug": slug,
                    "outcome": told.outcome, "kind": kind, "unsure": False, "of": told.of, "digest": "0a1b2c3d",
                    "session": session,
                }  # fmt: skip
                lines.append((at, line))
                if random.random() < 0.8:
                    later = at + timedelta(minutes=random.randint(1, 14))
                    lines.append((later, {**line, "event": "stop", "outcome": "fixed", "times": 1}))
    folder = Path(shared_state_directory(str(top)))
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "ledger.jsonl").open("a") as file:
        for at, line in sorted(lines, key=lambda one: one[0]):
            whole = {"at": f"{at:%Y-%m-%dT%H:%M:%SZ}", **line, "id": f"{random.getrandbits(48):012x}"}
            file.write(json.dumps(whole) + "\n")


def _let_wait(top: Path) -> None:
    """Sessions with corrections that nobody decided about, and what an agent proposed."""
    folder = top.parent / f"{top.name}-sessions"
    folder.mkdir()
    wrong = "import requests\n\n\ndef rate(day):\n    return requests.get(URL + day).json()\n"
    right = wrong.replace("requests", "httpx")
    sessions = {
        "a": ClaudeSession(top, "5e55-00a1").person("Fetch the exchange rates.")
        .writes("src/billing/rates.py", wrong).agent("Done.")
        .person("rule: Use httpx instead of requests.").writes("src/billing/rates.py", right).agent("Understood."),
        "b": ClaudeSession(top, "5e55-00b2").person("Add date-fns to the page.").runs("npm install date-fns")
        .agent("Installed.").person("rule: Use pnpm, never npm.").runs("pnpm add date-fns").agent("Understood."),
        "c": ClaudeSession(top, "5e55-00c3").person("Publish the page.").runs("pnpm publish").agent("Done.")
        .person("rule: Use npm instead of pnpm.").runs("npm publish").agent("Understood."),
        "d": ClaudeSession(top, "5e55-00d4").person("Commit it.").runs("git commit --no-verify -m 'feat: rates'")
        .agent("Committed.").person("rule: Never use git commit --no-verify.")
        .runs("git commit -m 'feat: rates'").agent("Understood."),
    }  # fmt: skip
    for name, session in sessions.items():
        act(top, "ingest", str(session.save(folder / f"{name}.jsonl")))
    offer = {
        "statement": "Never use git stash.",
        "quote": "my work was in that stash",
        "offence": {"command": "git stash"},
        "fix": {"command": "git status"},
    }
    act(top, "propose", stdin=json.dumps(offer))


def _begin_plan(top: Path) -> None:
    """An agent's plan, of which one step is done and one is under way."""
    items = steps_of_items([PlanItem(text) for text, _, _ in PLAN])

    def change(plan: Plan) -> Plan:
        plan.agent, plan.source, plan.steps = "claude-code", "todo", items
        for step, (_, slugs, paths) in zip(items, PLAN, strict=True):
            step.rules = [[slug, "strict"] for slug in slugs]
            if paths:
                plan_store.begin_step(step, "status", time.time())
                for path in paths:
                    plan_store.record_edit(plan, path, time.time())
        items[0].status = "done"
        return plan

    plan_store.update_plan(str(top), SESSION, change)
    _write(top, {"src/billing/report.py": FILES["src/billing/report.py"] + "\n\ndef customer(row):\n    return row\n"})


def _commit(top: Path, message: str, at: datetime) -> None:
    when = f"{at:%Y-%m-%dT%H:%M:%S+00:00}"
    _git(top, "add", "-A")
    _git(top, "commit", "-q", "--no-verify", "-m", message, GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)


def _git(top: Path, *argv: str, **environment: str) -> str:
    done = subprocess.run(
        ["git", *argv], cwd=top, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, f"git {argv}: {done.stderr}"
    return done.stdout
