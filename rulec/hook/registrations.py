"""One answer to a call at which an agent runs rulec's hook twice: for the repository's settings and for the plugin.

Neither can know beforehand whether the agent runs the other one: settings may be left out by an option, a session in a
subfolder loads none, a policy may allow managed hooks alone. So whichever comes first judges, and leaves a claim on
exactly what the agent sent; the other one finds that claim, takes it away and says nothing.
"""

from __future__ import annotations

import os
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import shared_state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


PLUGIN, SETTINGS = "plugin", "settings"
CLAIMS = "hook-claims.json"  # in the folder of local state; there since the plugin ran in this clone
SECONDS = 60.0  # that the other one's claim counts: agents start both at once, on a busy machine one of them late
MOST = 200  # claims that are kept


def registration_of(arguments: list[str]) -> str:
    """Which of the two runs, by the words that the launcher was given."""
    return PLUGIN if PLUGIN in arguments[1:] else SETTINGS


def answers_elsewhere(root: str, sent: bytes, registration: str) -> bool:
    """Whether the hook that is registered in the other place judges this very call."""
    path = os.path.join(shared_state_directory(root), CLAIMS)
    if registration == SETTINGS and not os.path.exists(path):
        return False
    from hashlib import sha256  # noqa: PLC0415 (few clones have both)

    call, now = sha256(sent).hexdigest(), time.time()
    others: list[bool] = []

    def claim(known: dict[str, Any]) -> dict[str, Any]:
        by, when = _claim(known.get(call))
        others.append(by not in ("", registration) and 0 <= now - when < SECONDS)
        # an empty file would be deleted, and with it what says that the plugin is here
        known = {"": [PLUGIN, now], **known}
        return private_files.with_entry(known, call, None if others[0] else [registration, now], MOST)

    return private_files.update_json(path, claim) and others == [True]


def _claim(entry: object) -> tuple[str, float]:
    """Who claimed a call, and when; "" where nobody did."""
    if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], int | float):
        return str(entry[0]), float(entry[1])
    return "", 0.0
