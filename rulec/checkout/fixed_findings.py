"""Findings that somebody was told of and that are gone now: noted in the ledger, so that they can be counted."""

import os
import time

from rulec.checkout import ledger
from rulec.checkout.worktree import personal_rulebook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


TAIL = 64_000  # bytes of the ledger that are looked back at
YOUNG = 86_400  # seconds; what was told earlier is left to rest
GONE = ("fixed", "suppressed")


def note_fixed_in_session(root: str, agent: str, session: str, found: "list[dict[str, Any]]") -> None:
    """At the end of a turn: what this session was told of and what is not found any more was put right."""
    homes = [
        home for home in (root, personal_rulebook(root)) if home and _recent(home)
    ]  # a person's own rules note in theirs
    if not session or not homes:
        return
    own = ledger.short_digest(session)
    still = {(str(finding["slug"]), ledger.place_of(finding)) for finding in found}
    for home in homes:
        _note(home, "stop", agent, lambda slug, of, asker, _: asker == own and (slug, of) not in still)


def note_fixed_at_gate(root: str, event: str, gone: "Callable[[str, str, str], bool]") -> None:
    """At a gate that knows no session: what is ``gone`` of slug, place and kind was put right, whoever was told."""
    if _recent(root):
        _note(root, event, "", lambda slug, of, _, kind: gone(slug, of, kind))


def _recent(root: str) -> bool:
    """Whether anything was noted of late; most gates find out so that there is nothing to do."""
    try:
        return time.time() - os.stat(ledger.shared_file(root, ledger.NAME)).st_mtime < YOUNG
    except OSError:
        return False


def _note(root: str, event: str, agent: str, gone: "Callable[[str, str, str, str], bool]") -> None:
    ledger.append(
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
            for (slug, of, session, kind), (times, who) in _open(root).items()
            if gone(slug, of, session, kind)
        ],
    )


def _open(root: str) -> "dict[tuple[str, str, str, str], tuple[int, str]]":
    """What was told of late and is not put right yet: how often, and to which agent."""
    since = ledger.utc_time(time.time() - YOUNG)
    told: "dict[tuple[str, str, str, str], tuple[int, str]]" = {}
    for line in ledger.read_entries(root, TAIL):
        slug, of, session, kind = (str(line.get(key, "")) for key in ("slug", "of", "session", "kind"))
        key = (slug, of, session, kind)
        if line.get("outcome") in GONE:
            for known in [one for one in told if one == key or (not session and one[:2] == key[:2])]:
                del told[known]
        elif _can_be_fixed(line) and str(line.get("at", "")) >= since:
            before = told.get(key, (0, ""))[0]
            told[key] = before + ledger.count_of(line), str(line.get("agent", ""))
    return told


def _can_be_fixed(line: "dict[str, Any]") -> bool:
    """Whether it can be told later that it is gone: a command that was only warned of ran, and cannot be taken back."""
    outcome = line.get("outcome")
    return outcome == "block" or (outcome == "warn" and line.get("kind") != "command")
