"""What rules found, as lines of JSON in the git directory: local, bounded, no text of commands; errors are ignored."""

from __future__ import annotations

import json
import os
import stat
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import personal_rulebook, shared_state_directory
from rulec.domain.enforcement import MODES, is_shown, refuses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rulec.domain.compiled_rule import EventFinding


NAME = "ledger.jsonl"
OLDER = "ledger.1.jsonl"  # the one before, whole; when this one is full it takes its place
LARGEST = 500_000  # bytes of each of the two
OLDEST = 180 * 86_400  # seconds that each of the two may span
MOST = 1000  # lines that one look at a change may add
MOST_TIMES = 1_000_000  # that one line can tell of
LONGEST = 200
DOCTOR_SESSION = "rulec-doctor"  # the session of events that `rulec doctor` fires: no agent's, and not noted
DIGEST = 8  # enough to tell that two lines speak of the same text, too little to find that text by trying


def place_of(finding: EventFinding) -> str:
    """The place of a finding as it may be recorded: its path, or the program's name where it looks like one."""
    program = finding.program
    plain = program.replace("-", "").replace(".", "").replace("_", "").isalnum()  # a first word may hold anything
    return (finding.path or (program if plain else ""))[:LONGEST]


def append(root: str, found: list[dict[str, Any]]) -> None:
    """Add entries, each with the time and an id; the older half is dropped when the ledger is full."""
    if not found:
        return
    now = utc_time(time.time())
    lines = [json.dumps({"at": now, **line, "id": os.urandom(6).hex()}) + "\n" for line in found[:MOST]]
    folder = shared_state_directory(root)
    try:
        private_files.make_folder(folder)
        _append(os.path.join(folder, NAME), "".join(lines).encode("ascii"))
    except OSError:
        return


def utc_time(seconds: float) -> str:
    """A time as entries hold it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def short_digest(text: str) -> str:
    """A short digest of a text, from which the text cannot be recovered."""
    import hashlib  # noqa: PLC0415 - it costs 3 ms that only a finding pays

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]


def _append(path: str, data: bytes) -> None:
    """Write whole lines at the end in one call, so that those of two processes stay whole beside each other."""
    handle = _open_file(path)
    try:
        size = os.fstat(handle).st_size
        full = size + len(data) > LARGEST or os.pread(handle, len(_BEGIN) + 20, 0) < _BEGIN + _oldest()
        if size and full and _aside(path, handle):
            os.close(handle)
            handle, size = _open_file(path), 0
        if size > 2 * LARGEST:  # somebody keeps it from being moved aside
            return
        if size and os.pread(handle, 1, size - 1) != b"\n":  # a line that was torn when its writer ended
            data = b"\n" + data
        os.write(handle, data)
    finally:
        os.close(handle)


_BEGIN = b'{"at": "'  # of every line, so that the first one tells when the file began


def _oldest() -> bytes:
    return utc_time(time.time() - OLDEST).encode("ascii")


def _open_file(path: str) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    os.fchmod(handle, 0o600)  # whatever it was made with
    return handle


def _aside(path: str, handle: int) -> bool:
    """Rename a full file over the older one, once; a process that still has it open writes to where it is read."""
    import fcntl  # noqa: PLC0415 (once in thousands of lines)

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False  # another process is at it: a hook never waits
    try:
        if os.fstat(handle).st_ino == os.stat(path).st_ino:
            os.replace(path, os.path.join(os.path.dirname(path), OLDER))
    except FileNotFoundError:
        pass  # another process did it just now
    return True


def read_entries(root: str, most: int = 0) -> list[dict[str, Any]]:
    """The entries, oldest first, of the last ``most`` bytes where that is given; torn lines are skipped."""
    found: list[dict[str, Any]] = []
    for name in (OLDER, NAME):
        found += private_files.json_lines(_read(os.path.join(shared_state_directory(root), name), most))
    return found


def count_of(line: dict[str, Any]) -> int:
    """How many findings an entry stands for."""
    times = line.get("times", 1)
    return min(times, MOST_TIMES) if type(times) is int and times > 0 else 1


def _read(path: str, most: int) -> bytes:
    """The end of a file, which may begin within a line; no more than the ledger may hold."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)  # a pipe would never end
    except (OSError, ValueError):
        return b""
    try:
        known = os.fstat(handle)
        start = max(0, known.st_size - (most or 3 * LARGEST))
        return os.pread(handle, known.st_size - start, start) if stat.S_ISREG(known.st_mode) else b""
    finally:
        os.close(handle)


TAIL = 64_000  # bytes of the ledger that are looked back at
YOUNG = 86_400  # seconds; what was reported earlier is not looked at
GONE = ("fixed", "excepted")


def note_fixed_in_session(root: str, agent: str, session: str, found: list[EventFinding]) -> None:
    """At the end of a turn: record as fixed what was reported to this session and is no longer found.

    Of an edit that was denied nothing is there to be found; that is a fix only where the file was changed otherwise.
    """
    # a person's own rules note in theirs
    homes = [home for home in (root, personal_rulebook(root)) if home and has_recent(home)]
    if not session or not homes:
        return
    own = short_digest(session)
    still = {(finding.slug, place_of(finding)) for finding in found}
    for home in homes:
        _note_fixed(
            home,
            "stop",
            agent,
            lambda slug, of, asker, _, denied: (
                asker == own and (slug, of) not in still and (not denied or _was_written(root, of, denied))
            ),
        )


def _was_written(root: str, path: str, since: str) -> bool:
    try:
        return utc_time(os.stat(os.path.join(root, path)).st_mtime) >= since
    except (OSError, ValueError):
        return False


def note_fixed_at_gate(root: str, event: str, gone: Callable[[str, str, str], bool]) -> None:
    """At a gate without a session: record as fixed what is ``gone``, by slug, place and kind."""
    if has_recent(root):
        _note_fixed(root, event, "", lambda slug, of, _, kind, __: gone(slug, of, kind))


def has_recent(root: str) -> bool:
    """Whether the ledger was written recently; where it was not, there is nothing to compare."""
    try:
        return time.time() - os.stat(os.path.join(shared_state_directory(root), NAME)).st_mtime < YOUNG
    except OSError:
        return False


def _note_fixed(root: str, event: str, agent: str, gone: Callable[[str, str, str, str, str], bool]) -> None:
    append(
        root,
        [
            {
                "event": event,
                "agent": agent or who,
                "slug": slug,
                "outcome": "fixed",
                "kind": kind,
                "unsure": False,
                "of": of,
                "session": session,
                "times": times,
            }
            for (slug, of, session, kind), (times, who, denied) in _open_findings(root).items()
            if gone(slug, of, session, kind, denied)
        ],
    )


def _open_findings(root: str) -> dict[tuple[str, str, str, str], tuple[int, str, str]]:
    """What was reported recently and is not fixed yet: how often, to whom, and when an edit was denied for it."""
    since = utc_time(time.time() - YOUNG)
    reported: dict[tuple[str, str, str, str], tuple[int, str, str]] = {}
    for line in read_entries(root, TAIL):
        slug, of, session, kind = (str(line.get(key, "")) for key in ("slug", "of", "session", "kind"))
        key = (slug, of, session, kind)
        if line.get("outcome") in GONE:
            for known in [one for one in reported if one == key or (not session and one[:2] == key[:2])]:
                del reported[known]
        elif _can_be_fixed(line) and str(line.get("at", "")) >= since:
            before = reported[key][0] if key in reported else 0
            denied = line.get("event") == "ask" and kind == "edit" and refuses(line.get("outcome"))
            reported[key] = before + count_of(line), str(line.get("agent", "")), str(line["at"]) if denied else ""
    return reported


def _can_be_fixed(line: dict[str, Any]) -> bool:
    """Whether the finding can be fixed later: a command that was only warned of has run."""
    outcome = line.get("outcome")
    return refuses(outcome) or (is_shown(outcome) and line.get("kind") != "command")


def broken_in_session(root: str, session: str, since: float) -> set[str]:
    """The rules of which something was found in the session after a time, was not stopped, and is not put right."""
    own, start = short_digest(session), utc_time(since)
    found: set[tuple[str, str]] = set()
    for line in read_entries(root):
        if line.get("session") != own or str(line.get("at", "")) < start:
            continue
        outcome, key = line.get("outcome"), (str(line.get("slug", "")), str(line.get("of", "")))
        if outcome in GONE:
            found.discard(key)
        elif outcome in MODES and not line.get("unsure") and not (line.get("event") == "ask" and refuses(outcome)):
            found.add(key)
    return {slug for slug, _ in found}


KEPT = "kept"  # told, looked at in this turn, and nothing found: no finding, and no evidence


def found_in_session(root: str, session: str, since: float) -> tuple[set[str], set[str]]:
    """The rules broken in the session after a time, and those of which something was stopped there."""
    if not has_recent(root):
        return set(), set()
    own, start = short_digest(session), utc_time(since)
    stopped = {
        str(line.get("slug", ""))
        for line in read_entries(root, TAIL)
        if line.get("session") == own and str(line.get("at", "")) >= start and refuses(line.get("outcome"))
    }
    return broken_in_session(root, session, since), stopped


def note_kept(root: str, agent: str, session: str, kept: dict[str, int]) -> None:
    """Note how often the actions of a turn were such that a told rule looks at them, and kept it."""
    own = short_digest(session)
    common = {"event": "stop", "agent": agent, "outcome": KEPT, "kind": "turn", "unsure": False, "of": ""}
    append(root, [{**common, "slug": slug, "session": own, "times": times} for slug, times in sorted(kept.items())])
