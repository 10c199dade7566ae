"""What a rule finds of what is there already: a handful is told, much holds it back."""

from pathlib import Path

from rulec.domain.rule import Check, Rule
from rulec.rulebook.rulebook import Rulebook
from rulec.services.backtest import existing_findings
from tests.conftest import Run

TODO = Check(kind="guard", template="forbid-text", parameters={"patterns": ["TODO"]})
NPM = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"]})
PATH = Check(kind="guard", template="protect-path", parameters={"paths": ["src/"]})
CASES = [  # a check, files with the offence, files without: what is told, whether it is held back
    (TODO, 0, 3, "", False),
    (TODO, 2, 3, "already there: 2 of 5 files at HEAD", False),
    (TODO, 6, 3, "already there: 6 of 9 files at HEAD", True),
    (TODO, 6, 94, "already there: 6 of 100 files at HEAD", False),
    (NPM, 6, 3, "", False),
    (PATH, 6, 3, "", False),
]


def test_a_handful_is_told_and_much_holds_a_rule_back(repo: Path, git: Run) -> None:
    wrong = []
    for check, bad, good, line, held in CASES:
        git("rm", "-rqf", "--ignore-unmatch", "src")
        (repo / "src").mkdir(exist_ok=True)
        for number in range(bad + good):
            (repo / "src" / f"{number}.py").write_text("# TODO\n" if number < bad else "x = 1\n")
        git("add", "-A")
        git("commit", "-qm", "Files", "--allow-empty")
        rule = Rule(slug="no-todo", statement="No TODO.", checks=(check,))
        found = existing_findings.find_existing(repo, Rulebook(rules=(rule,)), rule)
        if (found.line, bool(found.held_back)) != (line, held):
            wrong.append((check, bad, good, found))
    assert not wrong
