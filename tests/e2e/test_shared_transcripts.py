"""Real sessions: every file is read or clearly refused; a machine's words are never taken for a person's."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import SHARED

TRANSCRIPTS = SHARED / "data" / "transcripts"
FILES = sorted(path for path in TRANSCRIPTS.rglob("*.*") if path.suffix in (".jsonl", ".md", ".json"))
MACHINE = (
    "<system-reminder>", "<command-name>", "<local-command-", "<task-notification>", "<environment_context>",
    "[Request interrupted", "This session is being continued", "Caveat: The messages below", "# AGENTS.md instructions",
    "<user_instructions>", "<bash-", "Stop hook feedback",
)  # fmt: skip


@pytest.mark.skipif(not FILES, reason="../shared/data is absent")
def test_there_are_files() -> None:
    assert len(FILES) > 50


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_real_transcript_is_read_or_clearly_refused(path: Path, tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "rulec", "ingest", str(path), "--dry-run", "--format", "json"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    if path.parent.name in ("claude_code", "codex", "copilot_cli", "structure-only", "specstory", "aider"):
        assert done.returncode == 0, done.stderr
    if done.returncode == 0:
        for line in done.stdout.splitlines():
            turn = json.loads(line)
            assert not turn["text"].startswith(MACHINE)
            assert set(turn) >= {"transcript", "turn", "text", "label", "band", "score", "candidates"}
    else:
        assert done.returncode == 2
        assert done.stderr.startswith(f"rulec: {path}: is in no format that rulec reads; ")
        assert done.stdout == ""
