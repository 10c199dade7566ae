"""What would change or remove the package that the gate runs from, wherever it was installed."""

import pytest

from rulec.protect.file_rules import changes_package
from rulec.shell.action_events import Event

AT = "/work/repo/.venv/lib/python3.12/site-packages/rulec"
OWN = [
    "/work/repo/.venv/bin/python*",
    "/work/repo/.venv/lib/python3*/site-packages/rulec",
    "/work/repo/.venv/lib/python3*/site-packages/rulec-*.dist-info",
    "/work/repo/.venv/lib/python3*/site-packages/*rulec*.pth",
    "/work/repo/.venv/lib/python3*/site-packages/sitecustomize.py",
]
CASES = [
    ("write", ".venv/lib/python3.12/site-packages/rulec/hook/dispatch.py", True),
    ("edit", f"{AT}/guard/decision.py", True),
    ("delete", f"{AT}/hook/start.py", True),
    ("delete", ".venv", True),
    ("delete", ".ven*", True),
    ("delete", ".venv/lib", True),
    ("delete", "/work/repo/.venv/lib/python3.12/site-packages/rul*", True),
    ("write", "/work/repo/.venv/lib/python3.12/site-packages/rulec-0.1.0.dist-info/direct_url.json", True),
    ("delete", ".venv/lib/python3.12/site-packages/_rulec.pth", True),
    ("write", ".venv/bin/python3", True),
    ("delete", ".venv/bin", True),
    ("write", ".venv/lib/python3.12/site-packages/sitecustomize.py", True),
    ("write", ".venv/bin/pytest", False),
    ("delete", "*", False),
    ("delete", ".*", True),
    ("write", ".venv/lib/python3.12/site-packages/other/a.py", False),
    ("delete", ".venv/lib/python3.12/site-packages/other", False),
    ("write", ".venv/pyvenv.txt", False),
    ("delete", "venv", False),
    ("write", "src/rulec/hook.py", False),
    ("delete", "src", False),
]


@pytest.mark.parametrize(("kind", "path", "changes"), CASES)
def test_the_package_and_the_folders_that_hold_it_are_known(kind: str, path: str, *, changes: bool) -> None:
    event = Event(kind=kind, path=path, root="/work/repo", cwd="")
    assert changes_package(event, path, own=[one.split("/") for one in OWN]) == changes
