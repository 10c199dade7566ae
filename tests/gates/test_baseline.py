"""Only what a change brings is held against it: not what stood there, however it is moved, named or spaced."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from rulec.checks.template_library import open_library
from rulec.domain.artifact import Artifact
from rulec.gates.findings.verdicts import verdicts_on
from rulec.infra.git import git_changes
from rulec.registry import checker
from tests.checks.support import artifact
from tests.conftest import Run


def _blocks(name: str, pattern: str, **scope: tuple[str, ...]) -> Artifact:
    one = artifact(checker("semgrep"), name, f"languages: [python]\npattern: {pattern}\n", **scope)
    return replace(one, text=(one.text or "").replace('"enforcement": "audit"', '"enforcement": "block"'))


CALLS = _blocks("no-call", "bad(...)")
LONG = _blocks("no-long", "|\n  def $F(...):\n    ...\n    bad(...)\n    ...")
OLD = "import a\n\n\ndef f(x):\n    y = x\n    bad(y)\n    return y\n\n\nbad(1)\nz = 3\n"
MOVED = "import a\n\nbad(1)\n\n\ndef f(x):\n    y = x\n    bad(y)\n    return y\n\n\nz = 3\n"
CASES = {  # what becomes of the file -> how many calls, and how many functions that hold one, are new
    "nothing near it": (OLD.replace("z = 3", "z = 4"), 0, 0),
    "a line beside it": (OLD.replace("return y", "return x"), 0, 1),
    "the line itself": (OLD.replace("bad(1)", "bad(2)"), 1, 0),
    "one more": (OLD + "bad(7)\n", 1, 0),
    "one more that is alike": (OLD + "bad(1)\n", 1, 0),
    "two more that are alike": (OLD + "bad(1)\nbad(1)\n", 2, 0),
    "a move": (MOVED, 0, 0),
    "a move and one more": (MOVED + "bad(1)\n", 1, 0),
    "an indentation": ("if a:\n" + "".join(f"    {line}\n" if line else "\n" for line in OLD.split("\n")), 0, 0),
    "other line ends": (OLD.replace("\n", "\r\n"), 0, 0),
    "spaces at the end": (OLD.replace("\n", "  \n"), 0, 0),
    "a way to another kind of bad": (OLD.replace("bad(1)", "bad(1, 2)"), 1, 0),
    "less of it": (OLD.replace("bad(1)\n", ""), 0, 0),
    "less here and more there": (OLD.replace("bad(1)\n", "") + "bad(1)\n", 0, 0),
    "the body of what spans lines": (OLD.replace("y = x", "y = x + 1"), 0, 1),
    "the name of what spans lines": (OLD.replace("def f", "def g"), 0, 1),
}
EVERY_LINE = ("an indentation", "other line ends", "spaces at the end")


def _new(repo: Path, slug: str) -> int:
    verdicts = verdicts_on([CALLS, LONG], git_changes.staged_beside(repo, ".rules/compiled")[0])
    return sum(verdict.outcome != "old" for verdict in verdicts if verdict.facts.slug == slug)


@pytest.mark.parametrize("name", ["m.py", pytest.param("renamed.py", marks=pytest.mark.e2e)])
def test_what_stood_there_is_old_and_what_comes_is_new(repo: Path, git: Run, name: str) -> None:
    if name == "m.py":
        assert _counted(repo, git, name, *CASES) == [row[1:] for row in CASES.values()]
        return
    for case in CASES.keys() - EVERY_LINE:  # git calls that another file; of many that are alike it pairs but a few
        assert _counted(repo, git, name, case) == [CASES[case][1:]], case


def _counted(repo: Path, git: Run, name: str, *cases: str) -> list[tuple[int, int]]:
    """How many calls and functions are new in each case, all of them staged at once in folders of their own."""
    for case in cases:
        (repo / case).mkdir()
        (repo / case / "m.py").write_bytes(OLD.encode())
    git("add", "-A")
    git("commit", "-qm", "As it was")
    for case in cases:
        if name != "m.py":
            git("mv", f"{case}/m.py", f"{case}/{name}")
        (repo / case / name).write_bytes(CASES[case][0].encode())
    git("add", "-A")
    verdicts = verdicts_on([CALLS, LONG], git_changes.staged_beside(repo, ".rules/compiled")[0])
    assert not any(verdict.fault for verdict in verdicts)
    new = Counter((one.finding.path, one.finding.slug) for one in verdicts if one.finding and one.outcome != "old")
    return [(new[f"{case}/{name}", "no-call"], new[f"{case}/{name}", "no-long"]) for case in cases]


def test_another_files_findings_excuse_nothing(repo: Path, git: Run) -> None:
    (repo / "m.py").write_text(OLD)
    (repo / "n.py").write_text("x = 1\n")
    git("add", "-A")
    git("commit", "-qm", "As it was")
    (repo / "m.py").write_text(OLD.replace("bad(1)\n", ""))
    (repo / "n.py").write_text("x = 1\nbad(1)\n")
    git("add", "-A")
    assert _new(repo, "no-call") == 1


def test_a_renamed_file_comes_under_the_rules_of_its_new_name(repo: Path, git: Run) -> None:
    inside = _blocks("no-call", "bad(...)", include=("src/**",))
    (repo / "m.py").write_text(OLD)
    git("add", "-A")
    git("commit", "-qm", "As it was")
    (repo / "src").mkdir()
    git("mv", "m.py", "src/m.py")
    assert [
        verdict.outcome for verdict in verdicts_on([inside], git_changes.staged_beside(repo, ".rules/compiled")[0])
    ] == ["block", "block"]
    (repo / "src/m.py").write_text(f"{OLD}a = 1\n")
    git("add", "-A")
    assert [
        verdict.outcome for verdict in verdicts_on([inside], git_changes.staged_beside(repo, ".rules/compiled")[0])
    ] == ["block", "block"]


def _limit(most: int) -> Artifact:
    body = open_library().render(
        "checks/max-lines.j2",
        {"lines": most, "globs": ["src/"], "except": ["src/gen/"], "kind": "shell", "slug": "few-lines"},
    )
    one = artifact(checker("shell"), "few-lines", body)
    return replace(one, text=(one.text or "").replace('"enforcement": "audit"', '"enforcement": "block"'))


MOVES = {  # from, to, lines that come or go, and whether a limit of 20 lines refuses it
    "into the folder": ("tools/a.py", "src/a.py", 0, True),
    "into it, and shorter": ("tools/a.py", "src/a.py", -2, True),
    "out of what is left out": ("src/gen/a.py", "src/a.py", 0, True),
    "within the folder": ("src/a.py", "src/b/a.py", 0, False),
    "within it, and shorter": ("src/a.py", "src/c.py", -2, False),
    "within it, and longer": ("src/a.py", "src/d.py", 2, True),
    "out of the folder": ("src/a.py", "tools/b.py", 2, False),
    "elsewhere": ("tools/a.py", "tools/c.py", 2, False),
}


def test_a_long_file_is_new_where_it_is_moved_into_the_scope(repo: Path, git: Run) -> None:
    wrong = []
    for name, (source, target, more, refused) in MOVES.items():
        lines = [f"x = {number}\n" for number in range(30)]
        (repo / source).parent.mkdir(parents=True, exist_ok=True)
        (repo / source).write_text("".join(lines))
        git("add", "-A")
        git("commit", "-qm", "As it was")
        (repo / target).parent.mkdir(parents=True, exist_ok=True)
        git("mv", source, target)
        (repo / target).write_text("".join([*lines, "y = 1\n", "y = 2\n"][: 30 + more]))
        git("add", "-A")
        found = [
            verdict.outcome
            for verdict in verdicts_on([_limit(20)], git_changes.staged_beside(repo, ".rules/compiled")[0])
        ]
        wrong += [(name, found)] if ("block" in found) != refused else []
        git("rm", "-qrf", ".")
        git("commit", "-qm", "Away")
    assert not wrong
