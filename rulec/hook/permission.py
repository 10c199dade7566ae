"""What a person lets an agent do once: it was asked about, and they sent ``allow SLUG`` as their whole message."""

from __future__ import annotations

import hashlib
import json
import os
import re

from rulec.checkout import private_files
from rulec.checkout.worktree import shared_state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest

    Permissions = dict[str, dict[str, str]]  # slug -> what was asked about last, and what is allowed


STATE = "permissions.json"  # in the git folder that all work trees share
MOST = 30  # sessions, and rules of each
HOW = "A person may allow this very action once: they send `allow {}`, and nothing else, as their message."
_MESSAGE = re.compile(r"\s*allow\s+(\S+)\s*", re.IGNORECASE)


def note_asked(root: str, asked: HookRequest, slugs: Iterable[str]) -> bool:
    """Note that the action was asked about because of these rules; whether that could be done."""
    about = _digest_of_action(asked)

    def change(known: Permissions) -> Permissions:
        for slug in slugs:
            known = private_files.with_entry(known, slug, {**known.get(slug, {}), "asked": about}, MOST)
        return known

    return _update(root, asked, change)


def allow_by_message(root: str, asked: HookRequest) -> str:
    """The rule that a person's message allows to break once; "" where it is no such message, or nobody asked."""
    found = None if asked.subagent or asked.parent else _MESSAGE.fullmatch(asked.words)
    if not found or not asked.session:
        return ""
    known = _known(root, asked)
    slug = next((one for one in known if one.lower() == found[1].lower() and known[one].get("asked")), "")
    if not slug:
        return ""
    allowed = {"allowed": known[slug]["asked"]}
    stored = _update(root, asked, lambda known: private_files.with_entry(known, slug, allowed, MOST))
    return slug if stored else ""


def use(root: str, asked: HookRequest, slugs: Iterable[str]) -> bool:
    """Whether a person allowed this action for all these rules; what they allowed is used up with it."""
    about, wanted = _digest_of_action(asked), set(slugs)
    if not _allows(_known(root, asked), about, wanted):
        return False
    used = False

    def change(known: Permissions) -> Permissions:
        nonlocal used
        used = _allows(known, about, wanted)  # two calls at once share no permission
        return {slug: one for slug, one in known.items() if not (used and slug in wanted)}

    return _update(root, asked, change) and used


def _allows(known: Permissions, about: str, wanted: set[str]) -> bool:
    return bool(wanted) and all(known.get(slug, {}).get("allowed") == about for slug in wanted)


def _digest_of_action(asked: HookRequest) -> str:
    """What tells one action from another: the command and its folder, or the tool and all that it is given.

    What else a command is given, such as a description, may be worded anew when it is tried again.
    """
    commands = bool(asked.actions) and all(one.kind == "command" for one in asked.actions)
    ran = [[one.command, one.cwd] for one in asked.actions]
    done = [asked.cwd, ran if commands else [asked.tool, asked.given]]
    return hashlib.sha256(json.dumps(done, sort_keys=True, default=str).encode()).hexdigest()


def _known(root: str, asked: HookRequest) -> Permissions:
    sessions = private_files.read_json(_state_file(root)) if asked.main_session else {}
    return _checked(sessions.get(asked.main_session))


def _checked(known: object) -> Permissions:
    return {slug: one for slug, one in known.items() if isinstance(one, dict)} if isinstance(known, dict) else {}


def _state_file(root: str) -> str:
    return os.path.join(shared_state_directory(root), STATE)


def _update(root: str, asked: HookRequest, change: Callable[[Permissions], Permissions]) -> bool:
    key = asked.main_session
    if not key:
        return False

    def change_all(known: dict[str, Any]) -> dict[str, Any]:
        return private_files.with_entry(known, key, change(_checked(known.get(key))), MOST)

    return private_files.update_json(_state_file(root), change_all)
