"""Proofs that a rule was kept in a step: pinned to the lines they speak of, signed with this machine's key, stored."""

import os
import time

from rulec.checkout import private_files
from rulec.checkout.rules_layout import PROOF_KEY, personal_rulebook_path
from rulec.checkout.worktree import state_directory
from rulec.steps.step import REMIND, STRICT, TESTABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


CHECKED, TESTED, SAID, JUDGED, CITED = "checked", "tested", "said", "judged", "cited"
CLASSES = (CHECKED, TESTED, SAID, JUDGED, CITED)
SUFFICES = {REMIND: CLASSES, STRICT: (CHECKED, TESTED, SAID, JUDGED), TESTABLE: (TESTED,)}
NAME = "proofs.jsonl"
DECISIONS = "decisions.jsonl"  # of persons about rules at steps
LARGEST = 4_000_000  # bytes
MOST = 2_000  # records that stay where a file grows too large
AROUND = 3  # lines on both sides of a changed one that belong to its pin
MOST_COMPARED = 6_000  # lines that are compared one by one
KEY_SIZE = 32


def pin_of(before: "str | None", now: "str | None") -> str:
    """A digest of the lines that a change adds to a file and takes from it, with a few lines around each of them.

    None stands for no file. It is the same on another commit where these lines are, and wherever they stand.
    """
    old, new = _lines(before), _lines(now)
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    start, end = max(0, start - AROUND), max(0, end - AROUND)
    parts = old[start : len(old) - end], new[start : len(new) - end]
    told = ["" if before is None else "b", "" if now is None else "n", *_differences(*parts)]
    return _digest("\n".join(told))


def text_digest(text: "str | None") -> str:
    """A digest of a whole text; of no file it is ""."""
    return "" if text is None else _digest(text)


def _digest(text: str) -> str:
    import hashlib  # noqa: PLC0415 (only where a proof is made or asked for)

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _lines(text: "str | None") -> "list[str]":
    return [] if text is None else text.split("\n")  # unlike splitlines it keeps what ends a line elsewhere


def _differences(old: "list[str]", new: "list[str]") -> "list[str]":
    if len(old) + len(new) > MOST_COMPARED:  # to compare them would take longer than anybody waits
        return [f"-{line}" for line in old] + [f"+{line}" for line in new]
    import difflib  # noqa: PLC0415 (as above)

    found = list(difflib.unified_diff(old, new, lineterm="", n=AROUND))[2:]
    return ["@" if line.startswith("@@") else line for line in found]


def machine_key(*, make: bool) -> bytes:
    """The key of this machine's proofs; empty where there is none and none is to be made, or it cannot be kept."""
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


def signed(record: "dict[str, Any]") -> "dict[str, Any]":
    """The record with its sign; without a key it has none, and counts for nothing."""
    key = machine_key(make=True)
    return {**record, "sign": _sign(record, key)} if key else dict(record)


def is_signed(record: "dict[str, Any]") -> bool:
    """Whether rulec on this machine wrote just this record."""
    import hmac  # noqa: PLC0415 (as above)

    key, sign = machine_key(make=False), record.get("sign")
    return bool(key) and isinstance(sign, str) and hmac.compare_digest(sign.encode(), _sign(record, key).encode())


def _sign(record: "dict[str, Any]", key: bytes) -> str:
    import hmac  # noqa: PLC0415 (as above)
    import json  # noqa: PLC0415 (as above)

    told = json.dumps({name: value for name, value in record.items() if name != "sign"}, sort_keys=True)
    return hmac.new(key, told.encode("utf-8", "surrogatepass"), "sha256").hexdigest()


def add_proof(root: str, proof: "dict[str, Any]") -> bool:
    """Sign and store a proof; whether that could be done.

    It has step, rule, session, class, pin (path -> pin_of), now (path -> text_digest), detail and revision.
    """
    return _append(root, NAME, proof)


def stored_proofs(root: str) -> "list[dict[str, Any]]":
    """The proofs that rulec on this machine made in this work tree, the last one first; others are left out."""
    return [one for one in reversed(_records(root, NAME)) if _is_proof(one) and _is_ours(root, one)]


def count_foreign(root: str) -> int:
    """How many records of proofs there are that rulec on this machine did not make in this work tree."""
    return sum(not _is_ours(root, one) for name in (NAME, DECISIONS) for one in _records(root, name))


def add_decision(root: str, decision: "dict[str, Any]") -> bool:
    """Sign and store what a person decided about a rule at a step: kind, step, rule, session; whether it was done.

    Kinds are "risk" (with reason, by, until: the last day as YYYY-MM-DD, revision) and "level" (with level).
    """
    return _append(root, DECISIONS, decision)


def decision_on(root: str, kind: str, session: str, step: str, rule: str) -> "dict[str, Any] | None":
    """The last decision of this kind about a rule at a step of a session's plan."""
    return find_decision(stored_decisions(root), kind, session, step, rule)


def stored_decisions(root: str) -> "list[dict[str, Any]]":
    """The decisions that were made on this machine in this work tree, the last one first."""
    return [one for one in reversed(_records(root, DECISIONS)) if _is_ours(root, one)]


def find_decision(
    decisions: "list[dict[str, Any]]", kind: str, session: str, step: str, rule: str
) -> "dict[str, Any] | None":
    """The first of these decisions that has this kind and is about this rule, step and session."""
    wanted = {"kind": kind, "session": session, "step": step, "rule": rule}
    return next((one for one in decisions if all(one.get(key) == value for key, value in wanted.items())), None)


def is_risk_accepted(decision: "dict[str, Any] | None", revision: object) -> bool:
    """Whether a decision still accepts the risk of a rule of this revision."""
    if decision is None or decision.get("kind") != "risk" or decision.get("revision") != revision:
        return False
    return time.strftime("%Y-%m-%d") <= str(decision.get("until", ""))


def _append(root: str, name: str, record: "dict[str, Any]") -> bool:
    import json  # noqa: PLC0415 (as above)

    folder = state_directory(root)
    record = signed({**record, "place": _place(root), "at": time.time()})
    try:
        private_files.make_folder(folder)
        with private_files.FolderLock(folder):
            path = os.path.join(folder, name)
            if os.path.exists(path) and os.path.getsize(path) > LARGEST // 2:
                kept = [json.dumps(one) + "\n" for one in _records(root, name) if _is_ours(root, one)]
                private_files.replace_file(path, "".join(kept[-MOST:]).encode())
            private_files.append_lines(path, [json.dumps(record)])
    except OSError:
        return False
    return "sign" in record


def _place(root: str) -> str:
    """Where a record belongs: the same in no other clone and no other work tree."""
    return _digest(os.path.realpath(state_directory(root)))


def _is_ours(root: str, record: "dict[str, Any]") -> bool:
    return record.get("place") == _place(root) and is_signed(record)


def _is_proof(record: "dict[str, Any]") -> bool:
    parts = [record.get("pin"), record.get("now"), record.get("detail")]
    return record.get("class") in CLASSES and all(isinstance(part, dict) for part in parts)


def _records(root: str, name: str) -> "list[dict[str, Any]]":
    data = private_files.read_file(os.path.join(state_directory(root), name), LARGEST)
    return private_files.json_lines(data or b"")


def holds(proof: "dict[str, Any]", pins: "Mapping[str, str]", text_of: "Callable[[str], str | None]") -> bool:
    """Whether what a proof speaks of is still so: each pinned file of a change has the lines of then.

    ``pins`` are those of the files that the change has. Other pinned files have to have the text of then: they may be
    committed by now, or be committed later.
    """
    pinned, now = proof["pin"], proof["now"]
    if not pinned or pinned.keys() != now.keys():
        return False
    return all(
        pins[path] == digest if path in pins else text_digest(text_of(path)) == now[path]
        for path, digest in pinned.items()
    )
