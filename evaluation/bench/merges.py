"""Branches that change rules, merged by git alone as forges do: ``bench merges``. Asserts nothing.

Each branch starts from the same commit and adds, retires, supersedes or revises one rule; no merge driver is set up.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rulec.domain.rule import Check, Example, Rule
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import file_paths, rule_file
from rulec.services import rulebook_commit
from tests.support.world import Texts, act, again, at_home, run

WAYS = ("add", "add", "add", "add", "retire", "supersede", "revise")
_WORDS = ("queue", "cache", "token", "index", "parser", "reader", "writer", "schema", "release", "session")


def a_rule(number: int, kind: str = "old") -> Rule:
    """A rule that forbids a command of its own; severities and places of names are mixed."""
    word = _WORDS[number * 7 % len(_WORDS)]
    command = f"{word}ctl {kind}-{number}"
    return Rule(
        slug=f"no-{word}-{kind}-{number}",
        statement=f"Never run `{command}`.",
        severity=("must", "should", "style")[number % 3],
        enforcement="block",
        do=f"ask who owns the {word}",
        checks=(Check(kind="guard", template="forbid-command", parameters={"commands": [command]}),),
        invalid=(Example(kind="command", text=command, source="person"),),
        valid=(Example(kind="command", text=f"{word}ctl status", source="person"),),
    )


def _file(rule: Rule) -> dict[str, str | None]:
    return {file_paths.rule_path(rule.slug): rule_file.dump_rule(rule)}


def changes(number: int) -> Iterator[tuple[str, Texts]]:
    """A name and the files of each branch's change; those of rules that stand have one each."""
    for n in range(number):
        way, old, new = WAYS[n % len(WAYS)], a_rule(n), a_rule(n, "new")
        if way == "add":
            yield f"Add {n}", _file(new)
        elif way == "retire":
            yield f"Retire {n}", rulebook_commit.archive_files(replace(old, retired="2026-11-23 nobody needs it"))
        elif way == "supersede":
            yield f"Supersede {n}", rulebook_commit.supersession_files(old, new)
        else:
            yield f"Revise {n}", _file(replace(old, revision=2, statement=f"{old.statement} Not even once."))


def founded(top: Path, number: int) -> Path:
    """A repository with all gates and documents and the rules that the changes are about."""
    top.mkdir(parents=True)
    run(top, "init", "-q", "-b", "main", "--template=")
    (top / "AGENTS.md").write_text("# Agents\n\nBe kind.\n")
    (top / "CLAUDE.md").write_text("# Claude\n\nBe brief.\n")
    (top / "GEMINI.md").write_text("# Gemini\n\nBe bold.\n")
    run(top, "add", "-A")
    act(top, "init", "--yes", "--agent", "claude-code", "--agent", "opencode")
    standing = {p: t for n in range(number) if WAYS[n % len(WAYS)] != "add" for p, t in _file(a_rule(n)).items()}
    run(top, "add", "-A")
    run(top, "commit", "-qnm", "Set up rulec")
    again(top, "Begin", standing)
    run(top, "config", "--remove-section", "merge.rulec")
    return top


def merged(top: Path, number: int) -> Counter[str]:
    """How many merges each file was in conflict at; what was in conflict is left out."""
    for n, (name, texts) in enumerate(changes(number)):
        run(top, "switch", "-qc", f"side{n}", "main")
        again(top, name, texts)
    run(top, "switch", "-q", "main")
    found: Counter[str] = Counter()
    for n in range(number):
        argv = ["git", "merge", "-q", "--no-ff", "--no-edit", f"side{n}"]
        if subprocess.run(argv, cwd=top, capture_output=True, check=False).returncode:
            found.update(run(top, "diff", "--name-only", "--diff-filter=U").split())
            found["merges"] += 1
            run(top, "merge", "--abort")
    return found


def missing(top: Path, number: int) -> list[str]:
    """The changes that the merged rulebook does not hold."""
    texts = rulebook_files.rulebook_texts(top)
    return [name for name, files in changes(number) if any(texts.get(path) != text for path, text in files.items())]


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder, at_home(Path(folder) / "home"):
        top = founded(Path(folder) / "repo", number)
        found = merged(top, number)
        print(f"{number} branches: {found.pop('merges', 0)} merges in conflict {dict(found) or ''}")
        print(f"changes that are missing: {len(missing(top, number))}")
        stale = rulebook_commit.stale_files(top, rulebook_files.load_rulebook(top))
        print(f"generated files that differ from what the merged rules compile to: {len(stale)}")


if __name__ == "__main__":
    main()
