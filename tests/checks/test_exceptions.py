"""The exceptions of a rule where files are judged: at the commit, and by the artifact alone."""

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulec.checks.semgrep.checker import PLUG as SEMGREP
from rulec.checks.shell.checker import PLUG
from rulec.domain.artifact import COMPILED_FOLDER, Artifact
from rulec.domain.plugs import Checker
from rulec.domain.rule import Exemption, Scope
from tests.checks.support import change, observe, places, step

BODIES = {"shell": 'for path do finding "$path" 0 here; done', "semgrep": "languages: [python]\npattern: bad()\n"}
FILES = dict.fromkeys(["a.py", "old/a.py", "old/new/a.py", "old/it's {x}.py"], "bad()\n")
EVERY = sorted(FILES)


def made(checker: Checker, *exceptions: Exemption, **scope: tuple[str, ...]) -> Artifact:
    wanted = step(checker.name, "rule", **scope)
    facts = replace(wanted.facts, exceptions=exceptions)
    text = checker.build(replace(wanted, facts=facts), BODIES[checker.name])
    return Artifact(path=f"{COMPILED_FOLDER}/{checker.name}/rule{checker.suffix}", text=text, slug="rule")


def but(**bounds: Any) -> Exemption:
    commands = bounds.pop("commands", ())
    return Exemption(because="it is so", scope=Scope(**bounds), commands=commands)


OLD = but(include=("old/**",))
CASES = [
    ((OLD,), "local", ["a.py"]),
    ((but(include=("old/**",), exclude=("old/new/**",)),), "local", ["a.py", "old/new/a.py"]),
    ((but(exclude=("old/**",)),), "local", ["old/a.py", "old/it's {x}.py", "old/new/a.py"]),
    ((but(include=("old/**",), environments=("ci",)),), "local", EVERY),
    ((but(include=("old/**",), environments=("ci",)),), "ci", ["a.py"]),
    ((but(include=("old/**",), environments=("ci",)),), "", EVERY),
    ((but(include=("old/**",), agents=("codex",)),), "local", EVERY),  # nobody knows who wrote it
    ((but(include=("old/**",), commands=("cp",)),), "local", EVERY),  # no command is seen here
    ((but(include=("/a.py",)), but(include=("old/it's *",))), "local", ["old/a.py", "old/new/a.py"]),
    ((but(include=("{a,b}.py", "old/n?w")),), "local", ["old/it's {x}.py"]),
]


@pytest.mark.parametrize(("exceptions", "environment", "caught"), CASES)
@pytest.mark.parametrize("checker", [PLUG, SEMGREP], ids=lambda checker: checker.name)
def test_files_within_an_exception_are_not_judged(
    checker: Checker, exceptions: tuple[Exemption, ...], environment: str, caught: list[str]
) -> None:
    seen = observe(checker, [made(checker, *exceptions)], replace(change(FILES), environment=environment))
    assert sorted({path for _, path, _ in places(seen)}) == caught


def test_an_exception_narrows_the_scope_and_never_widens_it() -> None:
    rule = made(PLUG, but(include=("old/new/**",)), include=("old/**",), exclude=("*x}.py",))
    assert places(observe(PLUG, [rule], change(FILES))) == [("rule", "old/a.py", 0)]


@pytest.mark.parametrize(
    ("environment", "caught"), [("ci", "a.py:0:here\n"), ("local", "a.py:0:here\nold/a.py:0:here\n")]
)
def test_the_script_alone_heeds_exceptions(tmp_path: Path, environment: str, caught: str) -> None:
    rule = made(PLUG, but(include=("old/**",), environments=("ci",)))
    (tmp_path / "rule.sh").write_text(rule.text or "")
    argv, known = ["sh", "rule.sh", "a.py", "old/a.py"], {"PATH": "/usr/bin:/bin", "RULEC_ENVIRONMENT": environment}
    done = subprocess.run(argv, cwd=tmp_path, env=known, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (caught, "", 1)


@pytest.mark.parametrize("checker", [PLUG, SEMGREP], ids=lambda checker: checker.name)
def test_an_artifact_tells_its_exceptions(checker: Checker) -> None:
    exceptions = (but(include=("old/**",), environments=("ci",)), but(agents=("codex",), commands=("npm ci",)))
    assert checker.facts(made(checker, *exceptions).text or "").exceptions == exceptions
    assert "exceptions" not in (made(checker).text or "")
