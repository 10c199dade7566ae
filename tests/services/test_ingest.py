"""Without a name, ingest finds the repository's own sessions and reads each once."""

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.session import ClaudeSession, logger, pnpm
from tests.support.terminal import on_terminal

RULEC = [sys.executable, "-m", "rulec"]


def test_the_repositorys_own_sessions_are_found_and_read_once(repo: Path, rulec: Run, tmp_path: Path) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    folder = Path(os.environ["HOME"]) / ".claude/projects/-repo"
    folder.mkdir(parents=True)
    elsewhere = tmp_path / "repo-of-others"
    logger(elsewhere).save(folder / "others.jsonl")
    session = pnpm(repo)
    session.save(folder / "ours.jsonl")
    said = rulec("ingest", "--yes").stdout
    assert "NEW use-pnpm" in said
    assert "others.jsonl" not in said
    assert "no new transcripts" in rulec("ingest", "--yes").stdout
    session.person("Never use git stash, commit instead.").runs("git commit -m x").save(folder / "ours.jsonl")
    assert "known already" in rulec("ingest", "--yes").stdout


def test_a_file_in_its_folder_that_is_no_transcript_stops_nothing(repo: Path, rulec: Run) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    folder = Path(os.environ["HOME"]) / ".claude/projects/-repo"
    folder.mkdir(parents=True)
    (folder / "odd.jsonl").write_text(f'{{"cwd": "{repo}"}}\n')
    pnpm(repo).save(folder / "ours.jsonl")
    said = rulec("ingest", "--yes").stdout
    assert "passed over" in said
    assert "NEW use-pnpm" in said


def test_two_wishes_of_one_turn_are_two_rules_and_known_the_next_time(repo: Path, rulec: Run, tmp_path: Path) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    session = pnpm(repo, "rule: Use pnpm, not npm. And never use git stash.")
    transcript = str(session.save(tmp_path / "t.jsonl"))
    said = rulec("ingest", transcript, "--yes").stdout
    assert said.count("becomes:  NEW") == 2, said
    assert "2 known already" in rulec("ingest", transcript, "--yes").stdout


def test_one_preference_of_several_sessions_is_asked_once(repo: Path, rulec: Run, git: Run) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    folder = Path(os.environ["HOME"]) / ".claude/projects/-repo"
    folder.mkdir(parents=True)
    for number in range(3):
        said = pnpm(repo).text().replace("5e55-0001", f"5e55-100{number}")
        (folder / f"{number}.jsonl").write_text(said)
    said = rulec("ingest", "--yes").stdout
    assert (said.count("said:  "), said.count("again: ")) == (1, 2), said
    sums = "1 accepted, 0 rejected, 0 left for later, 0 known already, 2 said again"
    assert f"3 transcripts, 6 human turns, 3 lasting corrections: {sums}\n" in said
    assert "effect:   blocks" in said
    assert "(1 + 3) / (2 + 3 + 0)" in rulec("why", "use-pnpm").stdout


@pytest.mark.e2e
def test_a_session_counts_as_read_once_all_of_it_is_decided(repo: Path, rulec: Run) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    folder = Path(os.environ["HOME"]) / ".claude/projects/-repo"
    folder.mkdir(parents=True)
    pnpm(repo).save(folder / "1.jsonl")
    logger(repo).save(folder / "2.jsonl")
    _, seen = on_terminal(repo, [*RULEC, "ingest"], [("[l]ater", "a\n"), ("[l]ater", "\x03")])
    assert "written" in seen
    again = rulec("ingest", "--yes").stdout
    assert (again.count("said:  "), "2 human turns, 1 lasting correction: 1 accepted" in again) == (1, True), again
    assert "no new transcripts" in rulec("ingest", "--yes").stdout


def test_what_a_program_reads_holds_nothing_but_json(repo: Path, rulec: Run, tmp_path: Path) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    done = rulec("ingest", str(pnpm(repo).save(tmp_path / "t.jsonl")), "--yes", "--format", "json")
    told = json.loads(done.stdout)
    (proposal,) = told.pop("proposals")
    assert told == {"accept": 1, "reject": 0, "later": 0, "known": 0}
    assert (proposal["slug"], proposal["resolution"]["decision"], proposal["proved"]) == ("use-pnpm", "NEW", True)
    variants = proposal["proof"]["variants"]
    assert variants["caught"] == variants["invalid"]
    assert "said:  " in done.stderr


def test_an_agents_cli_that_it_started_ends_with_it(
    repo: Path, rulec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    note = tmp_path / "pid"
    (tmp_path / "bin").mkdir()
    os.mkfifo(note)
    written = os.open(note, os.O_RDONLY | os.O_NONBLOCK)
    (tmp_path / "bin/codex").write_text(f"#!/bin/sh\necho $$ > {note}; exec sleep 600\n")
    (tmp_path / "bin/codex").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    transcript = str(pnpm(repo).save(tmp_path / "t.jsonl"))
    running = subprocess.Popen(
        [*RULEC, "ingest", transcript, "--backend", "codex-cli"], cwd=repo, stdin=subprocess.DEVNULL
    )
    assert select.select([written], [], [], 60)[0], "it was not started"
    pid = int(os.read(written, 20))
    os.close(written)
    running.send_signal(signal.SIGTERM)
    try:
        assert running.wait(60) == 128 + signal.SIGTERM
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_a_marked_wish_is_not_held_against_an_action_that_it_is_not_about(
    repo: Path, rulec: Run, tmp_path: Path
) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    session = ClaudeSession(repo).person("Find the docs.").runs("fd . docs").agent("Found.")
    session.person("rule: never use git stash").runs("git status").agent("Ok.")
    said = rulec("ingest", str(session.save(tmp_path / "t.jsonl")), "--yes").stdout
    assert "failed at replay" not in said, said
    assert "check:    forbid-command" in said
    assert "it did" not in said


def test_a_marked_wish_is_still_held_against_the_offence_that_its_words_name(
    repo: Path, rulec: Run, tmp_path: Path
) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    session = pnpm(repo, "rule: use pnpm, not npm")
    said = rulec("ingest", str(session.save(tmp_path / "t.jsonl")), "--yes").stdout
    assert "it did:   npm install left-pad" in said, said
    assert "refuses:  npm install left-pad" in said, said


def test_what_a_program_reads_holds_no_secret(gated: Path, rulec: Run, tmp_path: Path) -> None:
    token = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
    path = pnpm(gated, f"rule: use pnpm, never npm with {token}.").save(tmp_path / "t.jsonl")
    told = rulec("ingest", str(path), "--yes", "--format", "json").stdout
    (proposal,) = json.loads(told)["proposals"]
    assert len(proposal["quotes"]) == 1
    assert token[4:] not in told
