"""rulec audit: instructions against sessions that are there, without any set-up."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.messages_server import MessagesServer
from tests.support.session import ClaudeSession
from tests.support.talks import NO_CHALLENGE

DOCUMENT = """# About the project

- Use pnpm, not npm.
- Never run `git push --force`.
- Never edit `gen/`.
- Write simple code that others like to read.
"""


def sessions(*made: ClaudeSession) -> list[Path]:
    folder = Path(os.environ["HOME"]) / ".claude/projects/-repo"
    folder.mkdir(parents=True, exist_ok=True)
    return [one.save(folder / f"{one.session}.jsonl") for one in made]


@pytest.fixture
def documented(repo: Path, git: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    (repo / "CLAUDE.md").write_text(DOCUMENT)
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-11-01T10:00:00Z")
    git("add", "-A")
    git("commit", "-qm", "Say how to work here")
    return repo


def audited(rulec: Run, *argv: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(rulec("audit", "--format", "json", *argv).stdout)
    return found


def instruction(found: dict[str, Any], place: str) -> dict[str, Any]:
    (one,) = (one for one in found["instructions"] if one["place"] == place)
    return dict(one)


def test_each_instruction_is_broken_kept_or_had_no_occasion_in_each_session(documented: Path, rulec: Run) -> None:
    one = ClaudeSession(documented, "one").person("Add left-pad.").runs("npm install left-pad").runs("git push")
    two = ClaudeSession(documented, "two").person("Add it.").runs("pnpm add left-pad").edits("gen/client.ts")
    first, second = map(str, sessions(one, two))
    found = audited(rulec)
    assert instruction(found, "CLAUDE.md:3")["sessions"] == {first: "broken", second: "kept"}
    assert instruction(found, "CLAUDE.md:4")["sessions"] == {first: "kept", second: "no occasion"}
    assert instruction(found, "CLAUDE.md:5")["sessions"] == {first: "no occasion", second: "broken"}
    (breach,) = instruction(found, "CLAUDE.md:3")["breaches"]
    assert (breach["session"], breach["at"], breach["text"]) == (first, "2026-11-19", "npm install left-pad")
    assert "npm install left-pad" in Path(first).read_text().splitlines()[breach["line"] - 1]


def test_a_screen_says_what_was_broken_and_the_next_command(documented: Path, rulec: Run) -> None:
    sessions(ClaudeSession(documented).person("Add both.").runs("npm install a").runs("npm install b"))
    said = rulec("audit").stdout
    assert "CLAUDE.md:3  Use pnpm, not npm." in said
    assert "broken twice in 1 of 1 session, last on 2026-11-19" in said
    assert "a check would have stopped each of them, and nothing else here" in said
    assert said.splitlines()[-1].startswith("next: rulec init --from-audit")


def test_what_nobody_can_judge_is_named(documented: Path, rulec: Run) -> None:
    sessions(ClaudeSession(documented).person("Go.").runs("ls"))
    found = audited(rulec)
    named = [*(one["place"] for one in found["instructions"]), *(one["place"] for one in found["no_instructions"])]
    assert "CLAUDE.md:6" in named


def test_what_the_person_asked_for_is_no_breach(documented: Path, rulec: Run) -> None:
    sessions(ClaudeSession(documented).person("Please run\nnpm install left-pad\nonce").runs("npm install left-pad"))
    one = instruction(audited(rulec), "CLAUDE.md:3")
    assert not one["breaches"]
    assert [deed["asked"] for deed in one["innocents"]] == [True]


def test_what_the_person_forbade_stays_a_breach(documented: Path, rulec: Run) -> None:
    sessions(ClaudeSession(documented).person("Never run `npm install left-pad`.").runs("npm install left-pad"))
    assert instruction(audited(rulec), "CLAUDE.md:3")["breaches"]


def test_what_was_done_before_the_line_was_written_is_no_breach(
    documented: Path, git: Run, rulec: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-11-25T10:00:00Z")
    (documented / "CLAUDE.md").write_text(DOCUMENT.replace("Use pnpm", "Always use pnpm"))
    git("commit", "-qam", "Say it again")
    sessions(ClaudeSession(documented).person("Add it.").runs("npm install left-pad").edits("gen/a.ts"))
    found = audited(rulec)
    assert [one["early"] for one in instruction(found, "CLAUDE.md:3")["innocents"]] == [True]
    assert instruction(found, "CLAUDE.md:5")["breaches"]


def test_a_correction_that_was_given_again_is_told(documented: Path, rulec: Run) -> None:
    words = ("Use uv, not pip install.", "From now on use uv, not pip install.", "Always use uv, never pip install!")
    made = [
        ClaudeSession(documented, f"s{number}").person("Add it.").runs("pip install requests").agent("Done.")
        .person(said).runs("uv pip install requests").agent("Yes.")
        for number, said in enumerate(words)
    ]  # fmt: skip
    sessions(*made)
    (again,) = audited(rulec)["repeated"]
    assert len(again["times"]) == len(made)
    assert again["would_have_stopped"] == len(made) - 1
    assert "said 3 times, in 3 sessions" in rulec("audit").stdout


def test_nothing_is_written(documented: Path, git: Run, rulec: Run) -> None:
    sessions(ClaudeSession(documented).person("Add it.").runs("npm install left-pad"))
    before = {path: path.stat().st_mtime_ns for path in documented.rglob("*")}
    rulec("audit")
    assert {path: path.stat().st_mtime_ns for path in documented.rglob("*")} == before


def test_a_folder_without_git_and_named_sessions_are_enough(tmp_path: Path, rulec: Run) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "AGENTS.md").write_text("# Rules\n\n- Use pnpm, not npm.\n")
    session = ClaudeSession(folder).person("Add it.").runs("npm install left-pad").save(tmp_path / "s.jsonl")
    said = rulec("audit", str(session), cwd=folder).stdout
    assert "AGENTS.md:3  Use pnpm, not npm." in said
    assert "broken once in 1 of 1 session" in said


def test_all_sessions_of_the_machine_are_held_against_their_own_documents(
    documented: Path, tmp_path: Path, rulec: Run
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "AGENTS.md").write_text("# Rules\n\n- Use uv, not pip.\n")
    gone = ClaudeSession(tmp_path / "gone", "gone").person("Go.").runs("npm ci")
    sessions(
        ClaudeSession(documented, "one").person("Add it.").runs("npm ci").runs("pip install x"),
        ClaudeSession(other, "two").person("Add it.").runs("npm ci").runs("pip install x"),
        gone,
    )
    done = rulec("audit", "--all", cwd=tmp_path)
    assert "1 session is of a folder that is gone, or names none" in done.stderr
    assert done.stdout.count("broken once in 1 of 1 session") == 2


def test_a_transcript_that_cannot_be_read_is_named(documented: Path, tmp_path: Path, rulec: Run) -> None:
    whole = ClaudeSession(documented).person("Add it.").runs("npm ci").save(tmp_path / "whole.jsonl")
    broken = tmp_path / "broken.jsonl"
    broken.write_text("nothing that an agent wrote\n")
    said = rulec("audit", str(whole), str(broken)).stdout
    assert "broken once in 1 of 2 sessions" in said
    assert f"passed over: {broken}" in said


def test_secrets_are_not_printed(documented: Path, rulec: Run) -> None:
    key = "sk-ant-api03-" + "Ab9" * 12
    sessions(ClaudeSession(documented).person("Add it.").runs(f"ANTHROPIC_API_KEY={key} npm install x"))
    for form in ("text", "json", "markdown", "html"):
        said = rulec("audit", "--format", form).stdout
        assert "npm install x" in said
        assert key not in said


def test_a_strangers_text_stays_text(documented: Path, rulec: Run) -> None:
    sessions(ClaudeSession(documented).person("Add it.").runs("npm install '<script>alert(1)</script>' `id` [a](b)"))
    assert "<script>" not in rulec("audit", "--format", "html").stdout
    line = next(one for one in rulec("audit", "--format", "markdown").stdout.splitlines() if "alert" in one)
    assert line.strip().startswith("- `` npm install")


def test_a_model_writes_the_checks_that_rulec_does_not_read(
    documented: Path, rulec: Run, messages: MessagesServer
) -> None:
    (documented / "CLAUDE.md").write_text("# Rules\n\n- Always leave the lock file of the registry alone.\n")
    sessions(ClaudeSession(documented).person("Add it.").runs("npm ci").runs("ls"))
    check = {"template": "forbid-command", "with": {"commands": ["npm ci"]}}
    examples = {"invalid": [{"command": "npm ci"}], "valid": [{"command": "npm test"}]}
    drafted = {"wish": 1, "examples": examples, "alternatives": [{"checks": [check]}], **NO_CHALLENGE}
    messages.script = lambda _: {"wishes": [drafted]}  # whether it is asked for a challenge or a check
    assert instruction(audited(rulec), "CLAUDE.md:3")["unjudged"]
    done = rulec("audit", "--backend", "anthropic", "--format", "json")
    (one,) = json.loads(done.stdout)["instructions"]
    assert [deed["text"] for deed in one["breaches"]] == ["npm ci"]
    assert "asked anthropic" in done.stderr
    rulec("audit", "--backend", "anthropic")
    assert len(messages.asked) == 2


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--backend", "exchange"), "exchange waits for answers in files"),
        (("--all", "x.jsonl"), "--all looks at every session"),
        (("--format", "pdf"), "unknown format 'pdf'"),
        (("none.jsonl",), "no such file"),
    ],
)
def test_bad_input_is_one_line(documented: Path, rulec: Run, argv: tuple[str, ...], said: str) -> None:
    sessions(ClaudeSession(documented).person("Go.").runs("ls"))
    assert said in rulec("audit", *argv, code=2).stderr.splitlines()[-1]


def test_without_a_session_there_is_nothing_to_audit(documented: Path, rulec: Run) -> None:
    (told,) = rulec("audit", code=2).stderr.splitlines()
    assert "no agent's session is here" in told


def test_init_proposes_what_was_broken(documented: Path, rulec: Run) -> None:
    sessions(ClaudeSession(documented).person("Add it.").runs("npm install left-pad").runs("git push"))
    said = rulec("init", "--yes", "--agent", "claude-code", "--from-audit").stdout
    assert "1 proposal waits for you, not active yet: rulec review" in said
    assert [one["slug"] for one in json.loads(rulec("review", "--format", "json").stdout)] == ["use-pnpm"]
    rulec("review", "--accept", "use-pnpm")
    assert "CLAUDE.md" in rulec("why", "use-pnpm").stdout
    assert "nothing broken that is not known already" in rulec("init", "--yes", "--from-audit").stdout
