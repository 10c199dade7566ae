"""A repository behind rulec's own git hooks, with rules that answer fast: no bad line, no .env, short subjects."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.support.rules import CONFIG

BAD = "XXX"  # what no line may hold
RULE = """\
schema: 1
slug: {slug}
revision: 1
statement: {statement}
category: process
severity: must
enforcement: block
checks:
  - {{kind: {kind}, template: {template}, with: {parameters}}}
examples:
  invalid: [{invalid}]
  valid: [{valid}]
"""
TEMPLATE = """\
{#
kind: shell
parameters:
  word: {type: str, required: true, doc: "what no line may hold"}
avoid: XXX
prefer: x
checks: It is the shortest check there is.
limits: None.
#}
for path do
  grep -anF -e {{ word | shquote }} <"$path" |
    while IFS=: read -r number text; do finding "$path" "$number" "$text"; done
done
exit 0
"""
RULES = {
    "no-bad-line": {
        "statement": "No line says XXX.", "kind": "shell", "template": "no-word", "parameters": "{word: XXX}",
        "invalid": '{file: a.txt, content: "XXX\\n"}', "valid": '{file: a.txt, content: "x\\n"}',
    },
    "no-env": {
        "statement": "Never commit .env files.", "kind": "guard", "template": "forbid-path",
        "parameters": '{globs: [.env, "secret/"]}',
        "invalid": '{file: .env, content: "A=1\\n"}', "valid": '{file: .env.example, content: "A=\\n"}',
    },
    "few-lines": {
        "statement": "Files have at most 40 lines.", "kind": "shell", "template": "max-lines",
        "parameters": '{lines: 40, globs: ["src/**"]}',
        "invalid": '{file: src/a.txt, content: "' + "x\\n" * 41 + '"}',
        "valid": '{file: src/a.txt, content: "x\\n"}',
    },
    "short-subjects": {
        "statement": "Subjects have at most 50 characters.", "kind": "shell", "template": "commit-message",
        "parameters": '{max_subject: 50, forbid: ["Co-Authored-By"]}',
        "invalid": f"{{message: {'x' * 51}}}", "valid": "{message: Add it}",
    },
}  # fmt: skip
FILES = {  # as they were before there were rules
    "old.txt": "".join(f"XXX {n}\n" if n in (2, 9) else f"line {n}\n" for n in range(1, 13)),
    "good.txt": "".join(f"good {n}\n" for n in range(1, 13)),
    "src/long.txt": "long\n" * 45,
}


def run(top: Path, *argv: str, code: int | None = 0, stdin: str | None = None, **environment: str) -> str:
    """A program in a folder; both its streams."""
    done = subprocess.run(
        argv, cwd=top, input=stdin, capture_output=True, text=True, check=False, errors="surrogateescape",
        env={**os.environ, **environment},
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert code is None or done.returncode == code, f"{argv}: exit {done.returncode}\n{said}"
    assert "Traceback" not in said
    return said


def rulec(top: Path, *argv: str, code: int | None = 0, **environment: str) -> str:
    """A verb there, as a person types it."""
    return run(top, sys.executable, "-m", "rulec", *argv, code=code, **environment)


def without_source(settings: str) -> str:
    """The settings without where others get rulec from: pre-commit and prek take the one that is here."""
    return re.sub(r"(?m)^install:.*\n", "", settings)


def hooked(top: Path) -> Path:
    """A copy of that repository at a place."""
    shutil.copytree(_made(), top, symlinks=True, dirs_exist_ok=True)
    return top


@cache
def _made() -> Path:
    top = Path(tempfile.mkdtemp(prefix="rulec-hooked-"))
    (top / ".rules/templates/checks").mkdir(parents=True)
    (top / ".rules/config.yaml").write_text(CONFIG.replace("agents-md, claude-code", ""))
    (top / ".rules/templates/checks/no-word.j2").write_text(TEMPLATE)
    for slug, parts in RULES.items():
        (top / f".rules/{slug}.yaml").write_text(RULE.format(slug=slug, **parts))
    (top / "src").mkdir()
    for path, text in FILES.items():
        (top / path).write_text(text)
    run(top, "git", "init", "-q", "-b", "main")
    rulec(top, "compile")
    run(top, "git", "add", "-A")
    run(top, "git", "commit", "-qm", "Write down the rules")
    rulec(top, "hook", "install")
    return top


def move_behind_pre_commit(top: Path) -> None:
    """Put pre-commit's hooks and configuration in the place of rulec's own hooks."""
    rulec(top, "hook", "uninstall")
    (top / ".rules/config.yaml").write_text("schema: 1\nemitters: [pre-commit]\n")
    rulec(top, "compile")
    run(top, sys.executable, "-P", "-m", "pre_commit", "install")  # of the types that its settings name
