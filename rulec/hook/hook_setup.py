"""What the hook needs when its sections are not compiled yet, or when it is broken; imports nothing of rulec's."""

import _imp
import hashlib
import json
import marshal
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


RULER = "\n# ==== "  # begins the line that names a section
WHAT = "{what}"  # stands in the answers below for what is broken
BROKEN: "dict[str, dict[str, Any]]" = {}  # by agent: how it is stopped or told, and when never; filled in when compiled
KEPT = "hook.py"  # the copy of the hook's file in the git folder
SUM = 8  # bytes of a check sum, and its key
READ = 6000  # bytes of the hook's file that agents run; never changes, or they ask their people anew
DAYS = 30  # after which compiled sections of another version are deleted


def compile_sections(text: str, digest: str, folder: str) -> "dict[str, Any]":
    """The code of every section by its module's name, None for packages; kept for the next call."""
    codes = codes_of(text)
    store_sections(f"{folder}/hook-{digest}-{sys.hexversion:x}", packed(codes))
    return codes


def keep_hook(text: str, folder: str) -> None:
    """Keep the hook's file in the git folder: agents run this copy."""
    store_sections(f"{folder}/{KEPT}", kept(text))


def kept(text: str) -> bytes:
    """The hook's file behind a check sum of its head."""
    data = text.encode()
    return with_sum(data[:READ])[:SUM] + data


def with_sum(data: bytes) -> bytes:
    """The data behind the check sum by which the head sees damage; nothing imported is needed for it."""
    return _imp.source_hash(SUM, data) + data


def codes_of(text: str) -> "dict[str, Any]":
    """The code of every section of the hook's file by its module's name, None for packages."""
    codes: "dict[str, Any]" = {}
    at = text.find(RULER)
    while at >= 0:
        end = text.find(RULER, at + 1)
        name, _, source = text[at + len(RULER) : end if end >= 0 else len(text)].partition(" ====\n")
        blank = "\n" * (text.count("\n", 0, at) + 2)  # so that a traceback names the line of this file
        codes[name] = compile(blank + source, ".rules/compiled/hook.py", "exec", dont_inherit=True)
        while "." in name:
            name = name.rpartition(".")[0]
            codes.setdefault(name, None)
        at = end
    return codes


def digest_of(text: str) -> str:
    """The digest of the sections, in the name of their compiled copy."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def packed(codes: "dict[str, Any]") -> bytes:
    """The code as one file: the size of its index, the index of places by module, then each module's code."""
    places: "dict[str, tuple[int, ...]]" = {}
    body = b""
    for name, code in codes.items():
        data = with_sum(marshal.dumps(code)) if code else b""
        places[name] = (len(body), len(data)) if code else ()
        body += data
    index = with_sum(marshal.dumps(places))
    return b"%16d" % len(index) + index + body


def is_whole(data: bytes) -> bool:
    """Whether compiled sections are undamaged."""
    try:
        size = int(data[:16])
        spans = [(16, size), *((16 + size + at, long) for at, long in _places(data[16 : 16 + size]))]
    except (ValueError, TypeError):
        return False
    parts = [data[at : at + long] for at, long in spans]
    return all(part == with_sum(part[SUM:]) for part in parts)


def _places(index: bytes) -> "list[tuple[int, int]]":
    if index != with_sum(index[SUM:]):
        raise ValueError("damaged")
    return [place for place in marshal.loads(index[SUM:]).values() if place]  # noqa: S302 (as the head does)


def store_sections(target: str, data: bytes) -> None:
    """Write the code, whole or not at all, for its owner alone; delete what has been out of use for long."""
    folder, beside = os.path.dirname(target), f"{target}.{os.getpid()}"
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(beside, target)
        for name in os.listdir(folder):
            other = f"{folder}/{name}"
            if name.startswith("hook-") and os.stat(other).st_mtime < time.time() - DAYS * 86_400:
                os.unlink(other)
    except OSError:
        return


def report_broken_hook(here: str, arguments: "list[str]", what: str) -> int:
    """Tell the person that nothing was checked; stop the agent where some rule wants that of a broken check."""
    answers = BROKEN.get("".join(arguments[:1])) or {"stop": (2, {}, WHAT), "tell": (0, {"systemMessage": WHAT}, "")}
    stops = blocks_when_broken(here) and not is_no_gate()
    code, out, error = answers["stop" if stops else "tell"]
    if error:
        sys.stderr.write(error.replace(WHAT, what) + "\n")
    if out:
        sys.stdout.write(json.dumps({key: value.replace(WHAT, what) for key, value in out.items()}) + "\n")
    return int(code)


def blocks_when_broken(here: str) -> bool:
    """Whether some rule wants the agent to be stopped where its check breaks."""
    folder = here + "/guard"
    try:
        for name in os.listdir(folder):
            with open(folder + "/" + name, "rb") as file:
                if b'"on_error": "block"' in file.read():
                    return True
    except OSError:
        return False
    return False


def is_no_gate() -> bool:
    """Whether the unread request is a person's message or a session's start: these are never stopped."""
    try:
        asked = json.loads(sys.stdin.buffer.read())
        name = asked.get("hook_event_name") or asked.get("event")
    except (OSError, ValueError, AttributeError, RecursionError):
        return False
    return any(name in answers["never"] for answers in BROKEN.values())
