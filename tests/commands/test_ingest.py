"""Without a name, ingest finds the repository's own sessions and reads each once."""

import os
from pathlib import Path

from tests.conftest import Run
from tests.support.session import logger, pnpm


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
    session = pnpm(repo, "Use pnpm, not npm. And never use git stash.")
    transcript = str(session.save(tmp_path / "t.jsonl"))
    said = rulec("ingest", transcript, "--yes").stdout
    assert said.count("becomes:  NEW") == 2, said
    assert "2 known already" in rulec("ingest", transcript, "--yes").stdout
