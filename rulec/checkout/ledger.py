"""What fired, as lines of JSON in the git directory: local, bounded, no word of a command, never a reason to fail."""

import json
import os
import stat
import time

from rulec.checkout.worktree import common_directory, git_directory, personal_rulebook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


NAME = "ledger.jsonl"
OLDER = "ledger.1.jsonl"  # the one before, whole; when this one is full it takes its place
LARGEST = 500_000  # bytes of each of the two
OLDEST = 180 * 86_400  # seconds that each of the two may span
MOST = 1000  # lines that one look at a change may add
MOST_TIMES = 1_000_000  # that one line can tell of
LONGEST = 200
DOCTOR_SESSION = "rulec-doctor"  # the session of events that `rulec doctor` fires: no agent's, and not noted
DIGEST = 8  # enough to tell that two lines speak of the same text, too little to find that text by trying


def worktree_file(root: str, name: str) -> str:
    """A file of ours in the work tree's git folder, "" where it cannot be had."""
    return _file_in(git_directory(root), name)


def _file_in(folder: str, name: str) -> str:
    if not folder:
        return ""
    ours = os.path.join(folder, "rulec")
    try:
        os.makedirs(ours, mode=0o700, exist_ok=True)
    except OSError:
        return ""
    return "" if os.path.islink(ours) else os.path.join(ours, name)


def shared_file(root: str, name: str) -> str:
    """A file of ours in the git folder that linked work trees share, which come and go; "" where it cannot be had."""
    return _file_in(common_directory(root), name)


def place_of(finding: "dict[str, Any]") -> str:
    """What may be told of a finding's place: its path, or the program's name where it looks like one."""
    program = str(finding["program"])
    plain = program.replace("-", "").replace(".", "").replace("_", "").isalnum()  # a first word may hold anything
    return str(finding["path"] or (program if plain else ""))[:LONGEST]


def append(root: str, found: "list[dict[str, Any]]") -> None:
    """Add what was found, each with the time and a name of its own; the older half goes when there is no room."""
    path = shared_file(root, NAME) if found else ""
    if not path:
        return
    now = utc_time(time.time())
    lines = [json.dumps({"at": now, **line, "id": os.urandom(6).hex()}) + "\n" for line in found[:MOST]]
    try:
        _append(path, "".join(lines).encode("ascii"))
    except OSError:
        return


def utc_time(seconds: float) -> str:
    """A time as the lines have it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def short_digest(text: str) -> str:
    """A short name for a text that nobody can read back out of it."""
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
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o600)
    os.fchmod(handle, 0o600)  # whatever it was made with
    return handle


def _aside(path: str, handle: int) -> bool:
    """Put a full file in the place of the older one, once; whoever still has it open writes to where it is read."""
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


def read_entries(root: str, most: int = 0) -> "list[dict[str, Any]]":
    """What is noted, the oldest first, of the last ``most`` bytes where that is given; torn lines are passed over."""
    found: "list[dict[str, Any]]" = []
    for name in (OLDER, NAME):
        data = _read(shared_file(root, name), most)
        for line in data.splitlines():
            try:
                one = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(one, dict):
                found.append(one)
    return found


def count_of(line: "dict[str, Any]") -> int:
    """How many findings a line stands for."""
    told = line.get("times", 1)
    return min(told, MOST_TIMES) if type(told) is int and told > 0 else 1


def _read(path: str, most: int) -> bytes:
    """A file's end, which may begin within a line; no more of it than we would ever write."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0))  # a pipe would never end
    except (OSError, ValueError):
        return b""
    try:
        known = os.fstat(handle)
        start = max(0, known.st_size - (most or 3 * LARGEST))
        return os.pread(handle, known.st_size - start, start) if stat.S_ISREG(known.st_mode) else b""
    finally:
        os.close(handle)


TAIL = 64_000  # bytes of the ledger that are looked back at
YOUNG = 86_400  # seconds; what was told earlier is left to rest
GONE = ("fixed", "suppressed")


def note_fixed_in_session(root: str, agent: str, session: str, found: "list[dict[str, Any]]") -> None:
    """At the end of a turn: what this session was told of and what is not found any more was put right."""
    homes = [
        home for home in (root, personal_rulebook(root)) if home and _has_recent(home)
    ]  # a person's own rules note in theirs
    if not session or not homes:
        return
    own = short_digest(session)
    still = {(str(finding["slug"]), place_of(finding)) for finding in found}
    for home in homes:
        _note_fixed(home, "stop", agent, lambda slug, of, asker, _: asker == own and (slug, of) not in still)


def note_fixed_at_gate(root: str, event: str, gone: "Callable[[str, str, str], bool]") -> None:
    """At a gate that knows no session: what is ``gone`` of slug, place and kind was put right, whoever was told."""
    if _has_recent(root):
        _note_fixed(root, event, "", lambda slug, of, _, kind: gone(slug, of, kind))


def _has_recent(root: str) -> bool:
    """Whether anything was noted of late; most gates find out so that there is nothing to do."""
    try:
        return time.time() - os.stat(shared_file(root, NAME)).st_mtime < YOUNG
    except OSError:
        return False


def _note_fixed(root: str, event: str, agent: str, gone: "Callable[[str, str, str, str], bool]") -> None:
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
            for (slug, of, session, kind), (times, who) in _open_findings(root).items()
            if gone(slug, of, session, kind)
        ],
    )


def _open_findings(root: str) -> "dict[tuple[str, str, str, str], tuple[int, str]]":
    """What was told of late and is not put right yet: how often, and to which agent."""
    since = utc_time(time.time() - YOUNG)
    told: "dict[tuple[str, str, str, str], tuple[int, str]]" = {}
    for line in read_entries(root, TAIL):
        slug, of, session, kind = (str(line.get(key, "")) for key in ("slug", "of", "session", "kind"))
        key = (slug, of, session, kind)
        if line.get("outcome") in GONE:
            for known in [one for one in told if one == key or (not session and one[:2] == key[:2])]:
                del told[known]
        elif _can_be_fixed(line) and str(line.get("at", "")) >= since:
            before = told.get(key, (0, ""))[0]
            told[key] = before + count_of(line), str(line.get("agent", ""))
    return told


def _can_be_fixed(line: "dict[str, Any]") -> bool:
    """Whether it can be told later that it is gone: a command that was only warned of ran, and cannot be taken back."""
    outcome = line.get("outcome")
    return outcome == "block" or (outcome == "warn" and line.get("kind") != "command")
