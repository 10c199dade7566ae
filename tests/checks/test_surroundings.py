"""Text checks over several lines: an edit is judged with the file around it, as far as that is known."""

import json

from rulec.checks.guard.checker import PLUG
from rulec.domain.change import Change, FileChange
from rulec.domain.transcript import Action

from .support import artifact, observe, places

BEFORE = "try:\n    f()\nexcept OSError:\n    log()\ndone()\n"
EDITS = [  # old, new, the line of what is found
    ("    log()\n", "    pass\n", 3),
    ("done()\n", "go()\n", 0),
    ("except OSError:\n    log()\n", "except OSError:\n    pass\n", 3),
    ("    f()\n", "    g()\n", 0),
]


def test_an_edit_is_judged_with_its_surroundings_and_only_for_what_it_adds():
    body = {"on": "text", "forbid": [r"except \w{1,40}:\s{1,20}pass"], "globs": ["*.py"], "across": True}
    rule = artifact(PLUG, "no-pass", json.dumps(body))
    wrong = []
    for old, new, line in EDITS:
        content = BEFORE.replace(old, new).encode()
        file = FileChange(path="a.py", status="M", content=content, base=BEFORE.encode())
        edit = Action(kind="edit", path="a.py", old=old, new=new)
        for seen in (Change(files=(file,), actions=(edit,)), Change(files=(file,))):
            found = places(observe(PLUG, [rule], seen))
            wrong += [(old, found)] if found != ([("no-pass", "a.py", line)] if line else []) else []
    assert wrong == []
