"""How far one call of an agent's hook walks through rulec: ``bench walk [list]``.

A repository with one rule and one commit: the denied call ``npm install x``, and the end of a turn that changed
nothing. Printed are the modules of rulec in which a function was called, how often a call went from one module into
another and, with ``list``, each of these calls. Loading a module does not count, and neither does the first call, which
keeps what later ones read.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import rulec
from evaluation.bench._gated import git
from rulec.checkout.rules_layout import CONFIG, GUARD
from rulec.hook import dispatch

ROOM = f"{Path(rulec.__file__).parent}/"
AGENT = "claude-code"
SETTLED = 2.1  # seconds after which what was read of new files is kept
CALLS = {
    "npm install x": {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "npm install x"},
    },
    "end of a clean turn": {"hook_event_name": "Stop", "stop_hook_active": False},
}


RULE = {
    "facts": {"slug": "use-pnpm", "statement": "Use pnpm.", "enforcement": "block", "severity": "must"},
    "check": {"on": "command", "patterns": ["npm"], "rewrite": {"npm install": "pnpm add"}},
}


class Walk:
    """The calls from one module into another while something runs."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.moves: list[str] = []
        self.loading = 0
        self.last = ""

    def follow(self, frame: FrameType, event: str, _: object) -> None:
        """Take one call or return, as sys.setprofile tells it."""
        code = frame.f_code
        if not code.co_filename.startswith(ROOM):
            return
        if code.co_name == "<module>":
            self.loading += {"call": 1, "return": -1}.get(event, 0)
        elif self.loading:
            return
        elif event == "return":
            self.last = _module_below(frame) or self.last
        elif event == "call":
            name = code.co_filename.removeprefix(ROOM)
            self.modules.add(name)
            self.moves += [f"{self.last or '-'} -> {name} {code.co_name}"] * (name != self.last)
            self.last = name


def _module_below(frame: FrameType) -> str:
    """The module of rulec to which a function returns."""
    back = frame.f_back
    while back is not None and not back.f_code.co_filename.startswith(ROOM):
        back = back.f_back
    return back.f_code.co_filename.removeprefix(ROOM) if back else ""


def walked(run: Callable[[], object]) -> Walk:
    """What one run walks through."""
    walk = Walk()
    sys.setprofile(walk.follow)
    run()
    sys.setprofile(None)
    return walk


def main(listed: str = "") -> None:
    """Make the repository, ask, print."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name).resolve()
        (top / GUARD).mkdir(parents=True)
        (top / GUARD / "use-pnpm.json").write_text(json.dumps(RULE))
        (top / CONFIG).write_text("schema: 1\n")
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "feat: begin"]):
            git(top, *words)
        time.sleep(SETTLED)
        for title, event in CALLS.items():
            raw = json.dumps({**event, "session_id": "s", "cwd": str(top)}).encode()
            dispatch.respond(AGENT, raw, str(top))
            walk = walked(lambda raw=raw: dispatch.respond(AGENT, raw, str(top)))  # type: ignore[misc]
            print(f"{title:20} {len(walk.modules):3} modules, {len(walk.moves)} changes of module")
            for move in walk.moves if listed else ():
                print(f"    {move}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
