"""What rulec notes with this machine's key, so that nobody else can; and pins of the lines that a change has."""

from __future__ import annotations

import os

from rulec.checkout import private_files
from rulec.checkout.rules_layout import PROOF_KEY, personal_rulebook_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


AROUND = 3  # lines on both sides of a changed one that belong to its pin
MOST_COMPARED = 6_000  # lines that are compared one by one
KEY_SIZE = 32


def pin_of(before: str | None, now: str | None) -> str:
    """A digest of the lines that a change adds to a file and takes from it, with a few lines around each of them.

    None stands for no file. It is the same on another commit where these lines are, and wherever they stand.
    """
    told = ["" if before is None else "b", "" if now is None else "n", *_differences(_lines(before), _lines(now))]
    return text_digest("\n".join(told))


def text_digest(text: str | None) -> str:
    """A digest of a whole text; of no file it is ""."""
    import hashlib  # noqa: PLC0415 (only where a proof is made or asked for)

    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _lines(text: str | None) -> list[str]:
    return [] if text is None else text.split("\n")  # unlike splitlines it keeps what ends a line elsewhere


def _differences(old: list[str], new: list[str]) -> list[str]:
    if len(old) + len(new) > MOST_COMPARED:  # to compare them would take longer than anybody waits
        return [f"-{line}" for line in old] + [f"+{line}" for line in new]
    import difflib  # noqa: PLC0415 (as above)

    found = list(difflib.unified_diff(old, new, lineterm="", n=AROUND))[2:]
    return ["@" if line.startswith("@@") else line for line in found]


def machine_key(*, make: bool) -> bytes:
    """The key of this machine's records; empty where there is none and none is to be made, or it cannot be kept."""
    path = os.path.join(os.path.dirname(personal_rulebook_path()), PROOF_KEY)
    known = private_files.read_file(path, KEY_SIZE, private=True) or b""
    if len(known) == KEY_SIZE or not make:
        return known if len(known) == KEY_SIZE else b""
    try:
        private_files.make_folder(os.path.dirname(path))
        with private_files.FolderLock(os.path.dirname(path)):
            known = private_files.read_file(path, KEY_SIZE, private=True) or b""
            if len(known) == KEY_SIZE:
                return known
            known = os.urandom(KEY_SIZE)
            private_files.replace_file(path, known)
            return known
    except OSError:
        return b""


def sign_of(record: dict[str, Any], *, make: bool = False) -> str:
    """The sign that only this machine can put on just this record; "" without a key, which ``make`` makes."""
    key = machine_key(make=make)
    if not key:
        return ""
    import hmac  # noqa: PLC0415 (as above)
    import json  # noqa: PLC0415 (as above)

    told = json.dumps({name: value for name, value in record.items() if name != "sign"}, sort_keys=True)
    return hmac.new(key, told.encode("utf-8", "surrogatepass"), "sha256").hexdigest()


def signed(record: dict[str, Any]) -> dict[str, Any]:
    """The record with its sign; without a key it has none, and counts for nothing."""
    sign = sign_of(record, make=True)
    return {**record, "sign": sign} if sign else dict(record)


def is_signed(record: dict[str, Any]) -> bool:
    """Whether rulec on this machine wrote just this record."""
    import hmac  # noqa: PLC0415 (as above)

    told, wanted = record.get("sign"), sign_of(record)
    return bool(wanted) and isinstance(told, str) and hmac.compare_digest(told.encode(), wanted.encode())
