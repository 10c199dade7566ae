"""Whether a person's message is a lasting preference: the installed rulec finds out in the background."""

import json
import os
import time

from rulec.checkout import installation, ledger, private_files
from rulec.checkout.worktree import messages_folder, shared_state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from rulec.agents.protocol.agent_spec import HookRequest


ANSWERS = ".said"  # what the detector says of them; while it runs, it holds this file's lock
INPUT = ".row"  # what it reads
SECONDS = 30  # after which the system ends a detector
SECONDS_AT_END = 3.0  # that the end of a turn waits for one
PAUSE = 0.02
OLDEST = 86_400  # seconds, after which a session's messages are deleted: it came to no end
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def add_message(root: str, asked: "HookRequest", text: str) -> None:
    """Have one more message of the session looked at, and the transcript as it is now; nobody waits for either."""
    try:
        size = os.stat(asked.transcript).st_size
    except (OSError, ValueError):
        size = 0
    row = {"text": text, "transcript": asked.transcript, "records": asked.records, "size": size}
    _look(root, asked.session, json.dumps(row))


def is_lasting(root: str, session: str) -> "bool | None":
    """Whether a message of the session that waited is a lasting preference; None while that is being found out.

    An answer is given once: the messages wait no more.
    """
    return _look(root, session) if os.path.exists(_place(root, session)) else False


def is_lasting_at_end(root: str, session: str) -> bool:
    """The same at the end of a turn, which waits a short while; what is still unknown stays for the next message."""
    until = time.monotonic() + SECONDS_AT_END
    while (found := is_lasting(root, session)) is None and time.monotonic() < until:
        time.sleep(PAUSE)
    return bool(found)


def _place(root: str, session: str) -> str:
    return os.path.join(messages_folder(root), ledger.short_digest(session))


def _look(root: str, session: str, row: str = "") -> "bool | None":
    place = _place(root, session)
    try:
        private_files.make_folder(messages_folder(root))
        with private_files.FolderLock(shared_state_directory(root)) as held:
            found = _look_alone(root, place, row) if held else None
            if found is not None:
                _delete_done(place)
            return found
    except (OSError, ValueError):
        return False


def _look_alone(root: str, place: str, row: str) -> "bool | None":
    rows = [*_rows(place), *([row] if row else [])]
    with open(os.open(place + ANSWERS, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o600), "r+b") as said:
        runs = not _locks(said)
        starts, answers = _answers(said)
        if row:
            private_files.replace_file(place, "".join(f"{one}\n" for one in rows).encode())
        if runs:
            return None
        if len(answers) < len(rows) and starts <= len(rows):  # once more than there are messages: one may be killed
            _start(root, place, said, starts + 1)
            return None
    return any(answer.get("band") in ("auto", "review") for answer in answers)


def _locks(said: "BinaryIO") -> bool:
    """Whether nobody else holds the lock of the answers; then we do, and a process that is started with them."""
    try:
        import fcntl  # noqa: PLC0415 (hardly a call needs it)

        fcntl.flock(said, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):  # a file system without locks
        return True
    return True


def _answers(said: "BinaryIO") -> "tuple[int, list[dict[str, Any]]]":
    """How often a detector was started, as a mark each, and what the last one said before it ended or was killed."""
    lines = said.read(1_000_000).decode("utf-8", "replace").splitlines() or [""]
    found = []
    for line in lines[1:]:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            continue
        found += [answer] if isinstance(answer, dict) else []
    return len(lines[0]), found


def _start(root: str, place: str, said: "BinaryIO", number: int) -> None:
    said.seek(0)
    said.truncate()
    said.write(b"x" * number + b"\n")
    said.flush()
    arguments = ["detect", "-", "--format", "json"]
    installation.start_rulec(root, arguments, lambda: _detector_input(root, place), said.fileno(), SECONDS)


def _rows(place: str) -> "list[str]":
    return (private_files.read_file(place) or b"").decode("utf-8", "replace").splitlines()


def _detector_input(root: str, place: str) -> int:
    """An open file without a name, with the messages and what stood before each."""
    from rulec.hook.session import before_message  # noqa: PLC0415 (no hook waits for it)

    rows = [before_message.with_context(root, json.loads(row)) for row in _rows(place)]
    handle = os.open(place + INPUT, os.O_RDWR | os.O_CREAT | os.O_TRUNC | _NO_LINK, 0o600)
    os.unlink(place + INPUT)
    os.write(handle, "".join(f"{json.dumps(row)}\n" for row in rows).encode())
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


def _delete_done(place: str) -> None:
    """Delete the messages with their answers, those of sessions that came to no end, and the folder when empty."""
    folder, late = os.path.dirname(place), time.time() - OLDEST
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if path in (place, place + ANSWERS) or os.lstat(path).st_mtime < late:
            os.unlink(path)
    if not os.listdir(folder):
        os.rmdir(folder)
