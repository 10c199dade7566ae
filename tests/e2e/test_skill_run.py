"""The real Claude Code in a repository with gates: it knows the skill, mines by it, and its hooks keep it to that."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.e2e.test_skill import CHALLENGE, DRAFT, QUOTE, WISH
from tests.support.messages_replies import Reply, said, tool
from tests.support.messages_server import Asked, MessagesServer
from tests.support.session import ClaudeSession

pytestmark = pytest.mark.claude


class Model:
    """Says what a model would that works by the skill, one call after the other; ``heard`` is what each came to."""

    def __init__(self, top: Path, transcript: Path) -> None:
        self.top, self.transcript = top, transcript
        self.heard: list[str] = []
        self.first = ""

    def __call__(self, asked: Asked) -> Reply:
        if not asked.body.get("tools"):  # a name for the session, or the like
            return said("{}")
        results = [block for message in asked.body["messages"] for block in _results(message)]
        self.heard = [json.dumps(block["content"]) for block in results]
        self.first = self.first or json.dumps(asked.body)
        asks, reads, goes_on = self._asks, self._reads, self._goes_on
        mined = (asks, reads, self._finds, self._accepts, goes_on)
        calls = (*mined, reads, self._challenges, goes_on, reads, self._drafts, goes_on, self._is_done)
        return calls[len(self.heard)]()

    def _asks(self) -> Reply:
        return _runs(f"rulec ingest {self.transcript} --backend exchange")

    def _reads(self) -> Reply:
        return _runs("cat .rulec/exchange/*.prompt.md")

    def _finds(self) -> Reply:
        return self._answers({"wishes": [WISH]})

    def _challenges(self) -> Reply:
        return self._answers({"wishes": [CHALLENGE]})

    def _drafts(self) -> Reply:
        return self._answers({"wishes": [DRAFT]})

    def _answers(self, answer: dict[str, Any]) -> Reply:
        (prompt,) = (self.top / ".rulec/exchange").glob("*.prompt.md")
        path = str(prompt).replace(".prompt.md", ".answer.json")
        return tool({"file_path": path, "content": json.dumps(answer)}, name="Write")

    def _accepts(self) -> Reply:
        return _runs("rulec ingest --continue --yes")

    def _goes_on(self) -> Reply:
        return _runs("rulec ingest --continue")

    def _is_done(self) -> Reply:
        return said("One proposal waits for you in `rulec review`.")


def _runs(command: str) -> Reply:
    return tool({"command": command, "description": "rulec"}, name="Bash")


def _results(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"] if isinstance(message["content"], list) else []
    return [block for block in content if block.get("type") == "tool_result"]


def test_claude_code_mines_by_the_skill_and_cannot_accept(
    messages: MessagesServer, gated: Path, rulec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    session = ClaudeSession(gated).person("Add left-pad.").runs("npm install left-pad").agent("Done.")
    session.person(f"hm, {QUOTE}").runs("pnpm add left-pad").agent("Done with pnpm.").person("ok thanks")
    messages.script = model = Model(gated, session.save(tmp_path / "session.jsonl"))
    argv = ["claude", "-p", "--output-format", "json", "--allowedTools", "Bash,Write"]
    done = subprocess.run(argv, cwd=gated, input="mine my corrections", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "- rulec: Turn a lasting wish of the person into a checked rule" in model.first
    asked, read, _, accepted, more, challenges, _, _, drafts, _, went_on = model.heard
    assert "1 prompt waits in .rulec/exchange" in asked
    assert QUOTE in read
    assert "protect-the-gate" in accepted
    assert "1 prompt waits in .rulec/exchange" in more
    assert "forbid-command" not in challenges
    assert "forbid-command" in drafts
    assert "1 proposal waits for you" in went_on
    rulec("review", "--accept", "use-pnpm-never-npm")
    assert QUOTE in rulec("why", "use-pnpm-never-npm").stdout
