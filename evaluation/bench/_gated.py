"""Repositories for the benches of gates: many rules at HEAD, as compile writes them, and files staged or committed."""

import json
import subprocess
from pathlib import Path

from rulec import registry
from rulec.checkout.rules_layout import LAUNCHER
from rulec.compiling.launcher import launcher
from rulec.domain.artifact import PlannedCheck, RuleFacts
from rulec.domain.rule import Rule
from rulec.rulebook.config import Config
from rulec.services import recorded_rulec

GUARD = '{"on": "command", "patterns": ["tool-%d"], "unless": [], "arguments": "", "instead": "", "rewrite": {}}'
IDENTITY = ["-c", "user.name=x", "-c", "user.email=x@example.com"]


def git(top: Path, *arguments: str) -> None:
    """One git command that has to succeed."""
    subprocess.run(["git", *IDENTITY, *arguments], cwd=top, check=True, capture_output=True)


def artifact(top: Path, kind: str, number: int, body: str) -> str:
    """Write the compiled check of one rule; its text."""
    facts = RuleFacts(slug=f"rule-{number}", revision=1, statement="S.", enforcement="block")
    rule = Rule(slug=facts.slug, statement="S.")
    step = PlannedCheck(facts=facts, rule=rule, kind=kind, template="x", parameters={}, name=facts.slug)
    checker = registry.checker(kind)
    text = checker.build(step, body)
    target = top / f".rules/compiled/{kind}/{facts.slug}{checker.suffix}"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    return text


def begun(top: Path) -> Path:
    """An empty repository with the launcher and the record of this rulec, as init leaves them."""
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    (top / ".rules").mkdir()
    (top / LAUNCHER).write_text(launcher(top, Config()).text or "")
    (top / ".rules/config.yaml").write_text("schema: 1\n")
    recorded_rulec.put_launcher(top, Config())
    return top


def guarded(folder: Path, rules: int) -> Path:
    """A repository with that many guard rules."""
    top = begun(folder / f"rules-{rules}")
    for number in range(rules):
        artifact(top, "guard", number, GUARD % number)
    return top


def module(number: int) -> str:
    """A file of Python that names many things which rules may be about, and calls hardly one of them."""
    lines = [f"def function_{n}(x):\n    return x + common_{(number * 7 + n) % 200} + {n}\n\n\n" for n in range(50)]
    return "".join(lines) + ("common_1(0)\n" if number % 100 == 0 else "")


def ruled(top: Path, rules: int, common: int) -> list[str]:
    """Commit that many Semgrep rules, some of them about names that the files have; their texts."""
    names = [f"common_{n}" if n < common else f"forbidden_{n}" for n in range(rules)]
    texts = [
        artifact(top, "semgrep", n, f"languages: [python]\npattern: {name}(...)\n") for n, name in enumerate(names)
    ]
    git(top, "add", "-A")
    git(top, "commit", "-qm", "Rules")
    return texts


def staged(folder: Path, rules: int, files: int, common: int = 0) -> tuple[Path, Path]:
    """A repository with rules at HEAD and files staged, and a folder for Semgrep's core alone."""
    top = begun(folder / f"staged-{rules}-{files}-{common}")
    texts = ruled(top, rules, common)
    targets = []
    for number in range(files):
        path = top / f"module_{number}.py"
        path.write_text(module(number))
        place = {"fpath": str(path), "ppath": f"/{path.name}"}
        targets.append(["CodeTarget", {"path": place, "analyzer": "python", "products": ["sast"]}])
    git(top, "add", "-A")
    alone = folder / f"core-{rules}-{files}-{common}"
    alone.mkdir()
    (alone / "rules.yaml").write_text("\n".join(["rules:", *(text.partition("rules:\n")[2] for text in texts)]))
    (alone / "targets.json").write_text(json.dumps(["Targets", targets]))
    return top, alone


def untouched(folder: Path, rules: int) -> Path:
    """A repository with rules about Python at HEAD, and a text staged."""
    top = begun(folder / f"untouched-{rules}")
    ruled(top, rules, 0)
    (top / "notes.txt").write_text("nothing that a rule would look at\n")
    git(top, "add", "-A")
    return top


def changed(folder: Path, rules: int, files: int) -> Path:
    """A repository whose last commit brings that many files, as CI sees it."""
    top = staged(folder, rules, files, rules // 100)[0]
    git(top, "commit", "-qm", "Files", "--no-verify")
    return top


def book(folder: Path, rules: int) -> Path:
    """A rulebook of that many rules, of three kinds, compiled."""
    top = folder / f"book-{rules}"
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    (top / ".rules").mkdir()
    (top / ".rules/config.yaml").write_text("schema: 1\nemitters: [agents-md]\n")
    for number in range(rules):
        (top / f".rules/rule-{number}.yaml").write_text(rule(number))
    return top


def rule(number: int) -> str:
    """The text of a rule; most speak of commands, whose proofs take no process."""
    kind, check, invalid, valid = (
        ("semgrep", f"forbid-call, with: {{functions: [call_{number}], language: python}}", f"call_{number}()", "f()")
        if number % 10 == 0
        else ("guard", f"forbid-command, with: {{commands: [tool-{number}]}}", f"tool-{number} x", "other x")
    )
    bad, good = (
        f"{{file: a.py, content: {text}}}" if kind == "semgrep" else f"{{command: {text}}}" for text in (invalid, valid)
    )
    return (
        f"schema: 1\nslug: rule-{number}\nrevision: 1\nstatement: Leave out number {number}.\ncategory: tooling\n"
        f"severity: must\nchecks:\n  - {{kind: {kind}, template: {check}}}\n"
        f"examples:\n  invalid: [{bad}]\n  valid: [{good}]\n"
    )
