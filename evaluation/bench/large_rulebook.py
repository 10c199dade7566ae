"""What a large rulebook costs: ``bench large_rulebook [RULES]``, 5,000 by default. Asserts nothing.

A repository of source files gets that many rules of all kinds: commands, flags, protected paths, packages, texts,
comments, calls and imports in three languages, Semgrep rules of the team's own, shell scripts and paths, none like
another. The table gives wall time and CPU time of each command; other work on the machine lengthens the first.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from rulec.domain.rule import Check, Example, Rule
from rulec.rulebook import file_paths, rule_file
from tests.support.world import at

RULEC = [sys.executable, "-m", "rulec"]
HOOK = ["sh", ".rules/hook", "claude-code", "call"]
SOURCES = 300  # files of code in the repository
_NOUNS = [
    "account",
    "basket",
    "batch",
    "cache",
    "claim",
    "client",
    "cursor",
    "event",
    "file",
    "form",
    "invoice",
    "job",
    "key",
    "ledger",
    "message",
    "order",
    "page",
]
_VERBS = [
    "apply",
    "build",
    "check",
    "clear",
    "close",
    "copy",
    "fetch",
    "flush",
    "load",
    "merge",
    "open",
    "parse",
    "render",
    "reset",
    "save",
    "send",
    "sort",
    "sync",
]
_LANGUAGES = (
    ("python", "py", "{}(x)\n"),
    ("javascript", "ts", "{}(x);\n"),
    ("go", "go", "package a\n\nfunc f() {{\n\t{}(x)\n}}\n"),
)

Made = tuple[str, list[Check], list[Example], list[Example]]  # statement, checks, invalid and valid examples


def _command(text: str) -> Example:
    return Example(kind="command", text=text, source="person")


def _file(path: str, text: str) -> Example:
    return Example(kind="file", path=path, text=text, source="person")


def _check(kind: str, template: str, **parameters: object) -> Check:
    return Check(kind=kind, template=template, parameters=parameters)  # type: ignore[arg-type]  # the kinds below


def _tool(name: str, _: int) -> Made:
    check = _check("guard", "forbid-command", commands=[f"{name}-cli push"], instead=f"{name}-cli plan")
    bad = [_command(f"{name}-cli push --all"), _command(f"cd web && {name}-cli push")]
    return f"Never run `{name}-cli push`.", [check], bad, [_command(f"{name}-cli plan")]


def _flag(name: str, _: int) -> Made:
    check = _check("guard", "require-command", commands=[f"{name}ctl deploy"], flags=["--dry-run", "-n"])
    return (
        f"Run `{name}ctl deploy` with --dry-run.",
        [check],
        [_command(f"{name}ctl deploy web")],
        [_command(f"{name}ctl deploy -n")],
    )


def _protected(name: str, number: int) -> Made:
    check = _check("guard", "protect-path", globs=[f"schema/{name}/", f"{name}.lock"])
    bad = [_command(f"rm schema/{name}/a.sql"), _file(f"{name}.lock", "a\n")]
    if number % 3 == 0:
        bad.append(Example(kind="edit", path=f"schema/{name}/b.sql", old="a\n", text="b\n", source="person"))
    return f"Leave schema/{name} alone.", [check], bad, [_command(f"cat schema/{name}/a.sql")]


def _package(name: str, _: int) -> Made:
    check = _check("guard", "dependency", forbid=[name])
    bad = [_command(f"npm install {name}"), _file("requirements.txt", f"flask==3.0\n{name}==1.0\n")]
    return f"Do not depend on {name}.", [check], bad, [_file("requirements.txt", f"flask==3.0\n{name}-mock==1.0\n")]


def _text(name: str, _: int) -> Made:
    word = name.replace("-", "_")
    check = _check("guard", "forbid-text", **{"patterns": [rf"\b{word}_(?:old|legacy)\b"], "except": ["docs/"]})
    bad, good = _file("src/a.py", f"x = {word}_legacy\n"), _file("src/a.py", f"x = {word}_new\n")
    return f"{word}_old and {word}_legacy are gone.", [check], [bad], [good]


def _both(name: str, _: int) -> Made:
    parameters = {"patterns": [rf"https?://{name}\.internal"], "globs": ["src/"]}
    checks = [Check(kind="guard", template="forbid-text", parameters=parameters)]
    return (
        f"Name no address of {name}.internal.",
        checks,
        [_file("src/a.js", f"get('https://{name}.internal/x');\n")],
        [_file("docs/a.md", f"https://{name}.internal\n")],
    )


def _comment(name: str, _: int) -> Made:
    mark = name.upper()
    return (
        f"No comment mentions {mark}.",
        [_check("guard", "forbid-text", part="comments", patterns=[rf"\b{mark}-\d+"])],
        [_file("a.go", f"// see {mark}-12\n")],
        [_file("a.go", f'var x = "{mark}-12"\n')],
    )


def _call(name: str, number: int) -> Made:
    language, suffix, text = _LANGUAGES[number % 3]
    function = name.replace("-", "_")
    check = _check("semgrep", "forbid-call", functions=[function], language=language)
    return (
        f"Never call {function}.",
        [check],
        [_file(f"src/a.{suffix}", text.format(function))],
        [_file(f"src/b.{suffix}", text.format(f"{function}_all"))],
    )


def _preferred(name: str, number: int) -> Made:
    language, suffix, text = _LANGUAGES[number % 3]
    old, new = name.replace("-", "_") + "_v1", name.replace("-", "_") + "_v2"
    check = Check(
        kind="semgrep", template="forbid-call", parameters={"functions": [old], "prefer": new, "language": language}
    )
    return (
        f"Call {new}, not {old}.",
        [check],
        [_file(f"src/a.{suffix}", text.format(old))],
        [_file(f"src/a.{suffix}", text.format(new))],
    )


def _import(name: str, _: int) -> Made:
    module = name.replace("-", "_")
    check = _check("semgrep", "forbid-import", modules=[module], language="python")
    return (
        f"Do not import {module}.",
        [check],
        [_file("src/a.py", f"import {module}\n"), _file("src/b.py", f"from {module} import x\n")],
        [_file("src/a.py", f"import {module}_next\n")],
    )


def _own_rule(name: str, _: int) -> Made:
    function = name.replace("-", "_")
    rule = f"languages: [python]\npattern: {function}(..., verify=False, ...)\n"
    check = _check("semgrep", "raw-semgrep", rule=rule)
    return (
        f"{function} verifies.",
        [check],
        [_file("src/a.py", f"{function}(1, verify=False)\n")],
        [_file("src/a.py", f"{function}(1, verify=True)\n")],
    )


def _script(name: str, _: int) -> Made:
    script = f'for path do\n  grep -q \'^{name}:\' "$path" && finding "$path" 0 "has {name}"\ndone\nexit 0\n'
    return (
        f"No file has a line {name}.",
        [_check("shell", "raw-shell", script=script)],
        [_file("a.yaml", f"{name}: 1\n")],
        [_file("a.yaml", f"x: {name}\n")],
    )


def _new_file(name: str, _: int) -> Made:
    return (
        f"Put nothing new in src/{name}.",
        [_check("guard", "forbid-path", globs=[f"src/{name}/"])],
        [_file(f"src/{name}/a.py", "x = 1\n")],
        [_file(f"src/{name}s.py", "x = 1\n")],
    )


# What stands more often is more common in the rulebooks of teams.
FAMILIES: tuple[Callable[[str, int], Made], ...] = (
    _tool, _text, _call, _protected, _package, _import, _tool, _flag, _comment, _call,
    _both, _preferred, _script, _tool, _protected, _call, _own_rule, _new_file, _text, _package,
)  # fmt: skip


def rules(number: int) -> Iterator[Rule]:
    """That many rules of all families, none like another."""
    for n, family in enumerate(islice(cycle(FAMILIES), number)):
        name = f"{_VERBS[n % len(_VERBS)]}-{_NOUNS[n // len(_VERBS) % len(_NOUNS)]}-{n}"
        statement, checks, invalid, valid = family(name, n)
        yield Rule(
            slug=f"{family.__name__.strip('_').replace('_', '-')}-{name}",
            statement=statement,
            severity=("must", "should", "style")[n % 3],
            enforcement=("block", "warn", "auto")[n % 3],
            checks=tuple(checks),
            invalid=tuple(invalid),
            valid=tuple(valid),
        )


def founded(top: Path, number: int) -> list[Rule]:
    """A repository with source files, gates and rules that nothing is compiled from yet; the rules."""
    top.mkdir()
    for n in range(SOURCES):
        path = top / f"src/part{n % 10}/module_{n}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"def {verb}_{n}(x):\n    return x + {n}\n\n\n" for verb in _VERBS))
    git(top, "init", "-q", "-b", "main", "--template=")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "Begin")
    ran([*RULEC, "init", "--yes", "--agent", "claude-code"], top)
    made = list(rules(number))
    for rule in made:
        (top / file_paths.rule_path(rule.slug)).write_text(rule_file.dump_rule(rule), encoding="utf-8")
    return made


def git(top: Path, *arguments: str) -> None:
    """One git command that has to succeed."""
    subprocess.run(["git", *arguments], cwd=top, check=True, capture_output=True)


def ran(argv: Sequence[str], top: Path, stdin: str = "", *, code: int = 0) -> tuple[float, float]:
    """Wall and CPU seconds of one command that has to end with that code."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(argv, cwd=top, input=stdin, capture_output=True, text=True, check=False)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != code:
        raise SystemExit(f"{argv} ended with {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(folder: Path, number: int) -> Iterator[tuple[str, str, tuple[float, float]]]:
    """What was run, its bar in seconds, and its wall and CPU time."""
    top, there = folder / "repo", folder / "clone"
    made = founded(top, number)
    yield "cold compile", "60", ran([*RULEC, "compile"], top)
    git(top, "add", "-A")
    git(top, "commit", "-qm", "Add the rules", "--no-verify")
    ran([*RULEC, "compile"], top)
    yield "compile, nothing changed", "0.6", ran([*RULEC, "compile"], top)
    yield "compile --check", "2", ran([*RULEC, "compile", "--check"], top)
    ran(RULEC, top)
    yield "rulec (status)", "1", ran(RULEC, top)
    call = {"session_id": "s", "cwd": str(top), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    event = json.dumps({**call, "tool_input": {"command": "git status"}})
    kept = time.monotonic() + 2.5  # an index is kept once its folder is two seconds old
    while time.monotonic() < kept:
        ran(HOOK, top, event)
    yield "one tool call", "", ran(HOOK, top, event)
    revised = next(rule for rule in made if rule.checks[0].template == "forbid-call")
    path = top / file_paths.rule_path(revised.slug)
    path.write_text(path.read_text("utf-8").replace("revision: 1", "revision: 2").replace("Never call", "Do not call"))
    yield "compile, one rule changed", "", ran([*RULEC, "compile"], top)
    yield "diff HEAD, one rule changed", "1", ran([*RULEC, "diff", "HEAD"], top)
    git(folder, "clone", "-q", str(top), str(there))
    yield "fresh clone, first rulec", "2", ran(RULEC, there)
    yield "fresh clone, then compile --check", "2", ran([*RULEC, "compile", "--check"], there)


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= at(folder / "home")
        print(
            f"{number:,} rules, python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
        )
        print(f"{'':36}{'wall':>9}{'CPU':>9}{'goal':>9}")
        for what, bar, (wall, cpu) in measured(folder, number):
            print(f"{what:36}{wall:8.2f}s{cpu:8.2f}s{bar and f'<= {bar}s':>9}", flush=True)


if __name__ == "__main__":
    main()
