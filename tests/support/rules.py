"""A rulebook of two rules, written as people write them: one that its evidence lets block, one that nobody proved."""

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from rulec.domain.evidence import Evidence
from rulec.rulebook import evidence_file

PNPM = """\
schema: 1
slug: use-pnpm
revision: 1
statement: Use pnpm, never npm.
category: tooling
severity: should
enforcement: auto
do: run pnpm  # the comment of a person
# and another one
checks:
  - kind: guard
    template: forbid-command
    with: {commands: [npm], instead: pnpm}
examples:
  invalid: [{command: npm install left-pad}]
  valid: [{command: pnpm add left-pad}]
"""
STASH = """\
schema: 1
slug: no-stash
revision: 1
statement: Never use git stash.
category: git
severity: must
enforcement: audit
checks:
  - {kind: guard, template: forbid-command, with: {commands: [git stash]}}
examples:
  invalid: [{command: git stash}]
  valid: [{command: git status}]
"""
WORDS = """\
schema: 1
slug: plain-words
revision: 1
statement: Explain it in plain words.
category: communication
severity: style
enforcement: auto
checks: []
"""
YES = Evidence(slug="use-pnpm", kind="accepted", weight=3.0, at="2026-11-20T10:00:00+00:00", quote="pnpm, not npm")
RULES = {"use-pnpm": PNPM, "no-stash": STASH, "plain-words": WORDS}


CONFIG = "schema: 1\nemitters: [agents-md, claude-code]\n"


def fill(top: Path) -> None:
    """The rules with their evidence, proofs and artifacts, committed; no hooks."""
    for path, (content, mode) in _compiled().items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_bytes(content)
        (top / path).chmod(mode)
    for argv in (["add", "-A"], ["commit", "-qm", "Write down three rules"]):
        subprocess.run(["git", *argv], cwd=top, check=True)


@cache
def _compiled() -> dict[str, tuple[bytes, int]]:
    """What rulec makes of them, for it is the same every time."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        evidence = top / ".rules/evidence/use-pnpm"
        evidence.mkdir(parents=True)
        (evidence / f"{evidence_file.evidence_id(YES)}.yaml").write_text(evidence_file.dump_evidence(YES))
        for slug, text in {**RULES, "config": CONFIG}.items():
            (top / f".rules/{slug}.yaml").write_text(text)
        for argv in (["git", "init", "-q"], [sys.executable, "-m", "rulec", "compile"]):
            done = subprocess.run(argv, cwd=top, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        paths = [path for path in top.rglob("*") if path.is_file() and ".git" not in path.relative_to(top).parts]
        return {path.relative_to(top).as_posix(): (path.read_bytes(), path.stat().st_mode) for path in paths}
