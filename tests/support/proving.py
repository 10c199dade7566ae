"""A repository whose rules need proofs in CI: a suite of pytest, and rules at each level."""

import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.support.gates import rulec, run
from tests.support.world import act

CONFIG = f"""\
schema: 1
tests:
  unit: {{run: ["{sys.executable}", -m, pytest, -q, -p, no:cacheprovider], report: junit, seconds: 120}}
"""
RULE = """\
schema: 1
slug: {slug}
revision: 1
statement: {statement}
category: testing
severity: {severity}
enforcement: {enforcement}
{more}scope: {{include: [{include}]}}
"""
RULES = {
    "tested-totals": {
        "statement": "Every change of totals has a test.", "include": "src/**", "more": "level: testable\n",
    },
    "kept-by-hand": {"statement": "Names say what they hold.", "include": "src/**", "more": "level: strict\n"},
    "no-bad-word": {
        "statement": "No line says XXX.", "include": '"**"',
        "more": "checks:\n  - {template: forbid-text, with: {patterns: [XXX]}}\n"
        'examples:\n  invalid: [{file: a.py, content: "XXX\\n"}]\n  valid: [{file: a.py, content: "x\\n"}]\n',
    },
    "mild": {"statement": "Prefer short names.", "include": "src/**", "severity": "should"},
}  # fmt: skip
WHOLE = {
    "suite-first": {
        "statement": "Run the unit tests before each commit.",
        "include": '"**"',
        "more": "checks:\n  - kind: guard\n    template: require-before\n"
        '    with: {before_commands: [git commit], since: ["src/**"], proved_by: unit}\n'
        'examples:\n  invalid: [{session: [{edit: src/a.py, old: "x\\n", new: "y\\n"}, {command: git commit -am x}]}]\n'
        "  valid: [{session: [{command: git status}]}]\n",
    },
}  # asks for the whole suite; not among the rules that stand there from the beginning
FILES = {
    "src/totals.py": "def total(prices):\n    return sum(prices)\n",
    "src/other.py": "def other():\n    return 1\n",
    "tests/test_totals.py": "from src.totals import total\n\n\ndef test_sum():\n    assert total([1, 2]) == 3\n",
    "conftest.py": "",
    ".gitignore": "__pycache__/\n",
}
CHANGED = "def total(prices):\n    return max(0, sum(prices))\n"
NEW_TEST = "\n\ndef test_floor():\n    assert total([-1]) == 0\n"
GREEN_TEST = "\n\ndef test_more():\n    assert total([2, 2]) == 4\n"


def write(top: Path, files: dict[str, str]) -> None:
    """Write files, and folders for them."""
    for path, text in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)


def commit(top: Path, subject: str, files: dict[str, str]) -> None:
    """Commit files without a gate; what CI sees may have passed none."""
    write(top, files)
    run(top, "git", "add", "-A")
    run(top, "git", "commit", "-qnm", subject)


def proving_repository(top: Path) -> Path:
    """A copy of the repository at a place; its branch main is the base, and the branch topic is checked out."""
    shutil.copytree(_made(), top, symlinks=True, dirs_exist_ok=True)
    return top


@cache
def _made() -> Path:
    top = Path(tempfile.mkdtemp(prefix="rulec-proving-"))
    write(top, FILES | {".rules/config.yaml": CONFIG})
    for slug in RULES:
        write(top, rule(slug))
    run(top, "git", "init", "-q", "-b", "main")
    rulec(top, "compile")
    run(top, "git", "add", "-A")
    run(top, "git", "commit", "-qm", "Begin")
    run(top, "git", "checkout", "-qb", "topic")
    return top


def rebase_on(top: Path, files: dict[str, str]) -> None:
    """Put files into the base, compile its rules, and begin the branch topic there again."""
    run(top, "git", "checkout", "-q", "main")
    write(top, files)
    act(top, "compile")
    run(top, "git", "add", "-A")
    run(top, "git", "commit", "-qnm", "Change the base")
    run(top, "git", "checkout", "-qB", "topic")


def rule(slug: str, **changed: str) -> dict[str, str]:
    """The file of one of the rules, with some of its parts changed."""
    told = {"severity": "must", "enforcement": "block", "more": "", **(RULES | WHOLE)[slug], **changed}
    return {f".rules/{slug}.yaml": RULE.format(slug=slug, **told)}
