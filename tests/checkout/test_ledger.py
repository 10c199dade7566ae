"""The ledger loses no line to another process, stays small, and is never a reason to hang or to fail."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rulec.checkout import ledger, rules_layout
from rulec.domain.compiled_rule import EventFinding, Facts

LINE = {"event": "ask", "agent": "codex", "slug": "use-pnpm", "outcome": "block", "kind": "command", "of": "npm"}


@pytest.fixture
def place(repo: Path) -> Path:
    """Where the lines are."""
    ledger.append(str(repo), [dict(LINE)])
    return repo / ".git/rulec" / ledger.NAME


def told(repo: Path) -> list[str]:
    return [line["of"] for line in ledger.read_entries(str(repo))]


WRITER = """
import sys
from rulec.checkout import ledger
ledger.LARGEST = 60_000
for number in range(100):
    ledger.append(sys.argv[1], [{"event": "ask", "slug": "x", "outcome": "block", "of": f"{sys.argv[2]} {number}"}])
"""


@pytest.mark.e2e
def test_processes_that_write_at_once_lose_nothing_while_the_file_is_moved_aside(repo: Path) -> None:
    names = [f"{name}{'x' * 60}" for name in "abcdef"]
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(repo), name]) for name in names]
    assert [writer.wait() for writer in writers] == [0] * len(names)
    assert sorted(told(repo)) == sorted(f"{name} {number}" for name in names for number in range(100))
    assert (repo / ".git/rulec" / ledger.OLDER).exists()


def test_a_torn_line_is_passed_over_and_harms_no_other(repo: Path, place: Path) -> None:
    with place.open("a") as file:
        file.write('{"at": "2026-11-22T10:00:00Z", "of": "to')
    ledger.append(str(repo), [{**LINE, "of": "after"}])
    with place.open("ab") as file:
        file.write(b'\xff\xfe\n[1]\n"x"\n' + b"[" * 100_000 + b"\n")
    ledger.append(str(repo), [{**LINE, "of": "last"}])
    assert told(repo) == ["npm", "after", "last"]


def test_two_files_are_all_there_ever_is(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "LARGEST", 2_000)
    for number in range(100):
        ledger.append(str(repo), [{**LINE, "of": str(number)}])
    files = sorted(path.name for path in (repo / ".git/rulec").iterdir())
    assert files == [ledger.OLDER, ledger.NAME]
    assert all((repo / ".git/rulec" / name).stat().st_size <= 2_000 for name in files)
    assert all((repo / ".git/rulec" / name).stat().st_mode & 0o777 == 0o600 for name in files)
    kept = [int(one) for one in told(repo)]
    assert kept == list(range(kept[0], 100))


def test_lines_of_long_ago_go_with_their_file(repo: Path) -> None:
    place = repo / ".git/rulec" / ledger.NAME
    place.parent.mkdir()
    for days, kept in (
        (400, ["400", "after 400"]),
        (200, ["200", "after 200"]),
        (1, ["200", "1", "after 1"]),
    ):
        at = (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
        place.write_text(json.dumps({"at": at, **LINE, "of": str(days)}) + "\n")
        ledger.append(str(repo), [{**LINE, "of": f"after {days}"}])
        assert told(repo) == kept


def test_one_look_at_a_huge_change_adds_no_more_than_a_thousand_lines(repo: Path) -> None:
    ledger.append(str(repo), [dict(LINE)] * 5_000)
    assert len(told(repo)) == ledger.MOST


@pytest.mark.parametrize("name", [ledger.NAME, ledger.OLDER])
@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_what_is_no_plain_file_is_neither_read_nor_waited_for(repo: Path, tmp_path: Path, name: str, kind: str) -> None:
    place = repo / ".git/rulec" / name
    place.parent.mkdir()
    (tmp_path / "elsewhere").write_text(json.dumps(LINE) + "\n")
    make = {"folder": os.mkdir, "pipe": os.mkfifo, "link": lambda path: path.symlink_to(tmp_path / "elsewhere")}
    make[kind](place)
    assert told(repo) == []
    ledger.append(str(repo), [dict(LINE)])
    assert (tmp_path / "elsewhere").read_text() == json.dumps(LINE) + "\n"


def _told(outcome: str = "block", kind: str = "edit", of: str = "a.py", session: str = "one") -> dict[str, object]:
    return {**LINE, "outcome": outcome, "kind": kind, "of": of, "session": ledger.short_digest(session)}


def _ended(session: str, *still: str) -> list[dict[str, object]]:
    found = [EventFinding(facts=Facts(slug="use-pnpm"), path=path) for path in still]
    return [{"session": session, "found": found}]


ENDS = [
    ([_told()], _ended("one"), 1),
    ([_told(), _told()], _ended("one"), 2),
    ([_told()], _ended("one") * 2, 1),  # once is enough
    ([_told()], _ended("other"), 0),
    ([_told()], _ended("one", "a.py"), 0),  # still there
    ([_told()], _ended("one", "a.py") + _ended("one"), 1),
    ([_told()], _ended("one", "b.py"), 1),
    ([_told("warn")], _ended("one"), 1),
    ([_told("audit")], _ended("one"), 0),  # nobody was told
    ([_told("block", "command", "npm")], _ended("one"), 1),
    ([_told("warn", "command", "npm")], _ended("one"), 0),  # it ran
    ([_told(), _told("excepted")], _ended("one"), 0),
    ([_told(), {**_told("excepted"), "session": ""}], _ended("one"), 0),  # at the commit, where no session is known
    ([_told()], _ended(""), 0),
]


@pytest.mark.parametrize(("lines", "ends", "times"), ENDS)
def test_what_is_gone_when_the_turn_ends_was_put_right(
    repo: Path, lines: list[dict[str, object]], ends: list[dict[str, object]], times: int
) -> None:
    ledger.append(str(repo), lines)
    (repo / "a.py").write_text("x = 1\n")
    for end in ends:
        ledger.note_fixed_in_session(str(repo), "codex", str(end["session"]), end["found"])  # type: ignore[arg-type]  # a table
    noted = [line for line in ledger.read_entries(str(repo)) if line["outcome"] == "fixed"]
    assert sum(line["times"] for line in noted) == times
    assert all((line["agent"], line["event"], line["slug"]) == ("codex", "stop", "use-pnpm") for line in noted)


def test_a_denied_edit_that_was_withdrawn_is_no_fix_until_the_file_is_changed(repo: Path) -> None:
    def fixed() -> list[str]:
        ledger.note_fixed_in_session(str(repo), "codex", "one", [])
        return [line["of"] for line in ledger.read_entries(str(repo)) if line["outcome"] == "fixed"]

    (repo / "a.py").write_text("x = 1\n")
    os.utime(repo / "a.py", (0, 0))
    ledger.append(str(repo), [_told(), _told(of="b.py"), {**_told(of="c.py"), "event": "done"}])
    assert fixed() == ["c.py"]  # that one was there
    (repo / "a.py").write_text("x = 2\n")
    assert fixed() == ["c.py", "a.py"]


def test_what_was_told_days_ago_is_left_to_rest(repo: Path, place: Path) -> None:
    old = {"at": (datetime.now(UTC) - timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%SZ"), **_told()}
    place.write_text(json.dumps(old) + "\n")
    ledger.note_fixed_in_session(str(repo), "codex", "one", [])
    assert len(ledger.read_entries(str(repo))) == 1


def test_the_end_of_a_turn_reads_no_ledger_that_nobody_wrote_to_of_late(repo: Path, place: Path) -> None:
    place.write_text(json.dumps({"at": "2030-01-01T00:00:00Z", **_told()}) + "\n")
    os.utime(place, (0, 0))
    ledger.note_fixed_in_session(str(repo), "codex", "one", [])
    assert place.stat().st_mtime == 0


def test_what_a_persons_own_rule_found_is_put_right_in_their_own_ledger(repo: Path, tmp_path: Path) -> None:
    home = Path(rules_layout.personal_rulebook_path())
    home.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(home)], check=True)
    (home / ".rules/compiled/guard").mkdir(parents=True)
    ledger.append(str(home), [_told()])
    (repo / "a.py").write_text("x = 1\n")
    ledger.note_fixed_in_session(str(repo), "codex", "one", [])
    assert [line["outcome"] for line in ledger.read_entries(str(home))] == ["block", "fixed"]
    assert ledger.read_entries(str(repo)) == []
