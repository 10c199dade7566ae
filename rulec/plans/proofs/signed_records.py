"""What rulec notes with this machine's key, so that nobody else can: runs of suites, approvals, waivers.

They lie in the git directory and count in the work tree alone in which they were made.
"""

from __future__ import annotations

import os
import time

from rulec.checkout import private_files
from rulec.checkout.rules_layout import PROOF_KEY, personal_rulebook_path
from rulec.checkout.worktree import git_directory, state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


NAME = "proofs.json"
RUN, APPROVAL, WAIVER = "run", "approval", "waiver"
MOST = {RUN: 10, APPROVAL: 500, WAIVER: 1}  # that are kept of one suite or rule, the last ones
LARGEST = 16_000_000  # bytes
KEY_SIZE = 32
_LIST = "records"


def add_record(root: str, kind: str, name: str, facts: Mapping[str, Any]) -> bool:
    """Sign and store a record of a suite or rule; whether that could be done."""
    told = {**facts, "kind": kind, "name": name, "place": _place(root), "at": time.time()}
    sign = _sign_of(told, make=True)

    def changed(known: dict[str, Any]) -> dict[str, Any]:
        listed = [*_listed(known), {**told, "sign": sign}]
        alike = [one for one in listed if (one.get("kind"), one.get("name")) == (kind, name)]
        old = {id(one) for one in alike[: -MOST[kind]]}
        return {_LIST: [one for one in listed if id(one) not in old]}

    return private_files.update_json(proofs_file(root), changed) and bool(sign)


def records(root: str, kind: str, name: str = "") -> list[dict[str, Any]]:
    """The records of a kind that rulec on this machine made in this work tree, the last one first."""
    return _genuine(root, [one for one in _stored(root) if one.get("kind") == kind and name in ("", one.get("name"))])


def count_foreign(root: str) -> int:
    """How many records there are that rulec on this machine did not make in this work tree."""
    stored = _stored(root)
    return len(stored) - len(_genuine(root, stored))


def proofs_file(root: str) -> str:
    """The file of the records."""
    return os.path.join(state_directory(root), NAME)


def _genuine(root: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    place = _place(root)
    known = [one for one in reversed(found) if one.get("kind") in MOST and one.get("place") == place]
    return [one for one in known if isinstance(one.get("name"), str) and _is_signed(one)]


def _stored(root: str) -> list[dict[str, Any]]:
    return _listed(private_files.read_json(proofs_file(root), LARGEST))


def _listed(known: Mapping[str, Any]) -> list[dict[str, Any]]:
    listed = known.get(_LIST)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _place(root: str) -> str:
    """Where a record belongs: the same in no other clone and no other work tree."""
    return os.path.realpath(git_directory(root))


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
            if len(known) != KEY_SIZE:
                known = os.urandom(KEY_SIZE)
                private_files.replace_file(path, known)
            return known
    except OSError:
        return b""


def _sign_of(record: dict[str, Any], *, make: bool = False) -> str:
    """The sign that only this machine can put on just this record; "" without a key, which ``make`` makes."""
    key = machine_key(make=make)
    if not key:
        return ""
    import hmac  # noqa: PLC0415 (only where something is proved)
    import json  # noqa: PLC0415 (as above)

    told = json.dumps({name: value for name, value in record.items() if name != "sign"}, sort_keys=True)
    return hmac.new(key, told.encode("utf-8", "surrogatepass"), "sha256").hexdigest()


def _is_signed(record: dict[str, Any]) -> bool:
    """Whether rulec on this machine wrote just this record."""
    import hmac  # noqa: PLC0415 (as above)

    told, wanted = record.get("sign"), _sign_of(record)
    return bool(wanted) and isinstance(told, str) and hmac.compare_digest(told.encode(), wanted.encode())
