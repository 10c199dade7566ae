"""What the checks of a rule cannot see is told with the rule, and once."""

from pathlib import Path

from rulec.compiling.artifacts import blind_spots
from rulec.domain.rule import Check, Rule

COMMAND = Check(kind="guard", template="forbid-command")
PATH = Check(kind="guard", template="protect-path")
SCRIPTS, UNLESS = "scripts that were committed before", "what is run by a command that `unless` lets pass"
WRITES = "a script's own writes until the end of the turn or the commit"
PYTHON, SCRIPT = (
    Check(kind="semgrep", template="error-handling", parameters={"what": "ignored", "language": one})
    for one in ("python", "javascript")
)
RAISED, OTHERS = "handlers that do anything at all or, if broad, raise the error again", "code in other languages than "
ROWS = [  # checks, what the rule lists itself, what is told beside it
    ((COMMAND,), (), (SCRIPTS, UNLESS)),
    ((COMMAND, COMMAND), (), (SCRIPTS, UNLESS)),
    ((COMMAND, PATH), (), (SCRIPTS, UNLESS, WRITES)),
    ((COMMAND,), ("the colour of the lock file",), (SCRIPTS, UNLESS)),
    ((COMMAND,), (SCRIPTS.capitalize(), UNLESS), ()),
    ((Check(kind="guard", template="a-template-that-is-gone"),), (), ()),
    ((), ("all of it",), ()),
    ((PYTHON,), (), (RAISED, OTHERS + "python")),
    ((PYTHON, SCRIPT), (), (RAISED, OTHERS + "python, javascript, typescript")),
    ((PYTHON, COMMAND), (SCRIPTS, UNLESS), (RAISED,)),
]


def test_a_rule_tells_what_its_templates_cannot_see(tmp_path: Path) -> None:
    found = [
        (checks, listed, blind_spots(Rule(slug="a", statement="x", checks=checks, not_checked=listed), tmp_path))
        for checks, listed, _ in ROWS
    ]
    assert found == ROWS
    said = Rule(slug="a", statement="In Python, never catch every error.", checks=(PYTHON,))
    assert blind_spots(said, tmp_path) == (RAISED,)
