"""What a person lets an agent do once: it was asked about, and they sent ``allow SLUG`` as their whole message."""

from __future__ import annotations

import json
import re

from rulec.checkout import private_files
from rulec.hook import session_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulec.agents.protocol.agent_spec import HookRequest

    Permissions = dict[str, dict[str, str]]  # slug -> what was asked about last, and what is allowed


PART = "permissions"  # of what is remembered of a session
MOST = 30  # rules
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
    from hashlib import sha256  # noqa: PLC0415 (a message is looked at without it)

    commands = bool(asked.actions) and all(one.kind == "command" for one in asked.actions)
    ran = [[one.command, one.cwd] for one in asked.actions]
    done = [asked.cwd, ran if commands else [asked.tool, asked.given]]
    return sha256(json.dumps(done, sort_keys=True, default=str).encode()).hexdigest()


def _known(root: str, asked: HookRequest) -> Permissions:
    return _checked(session_state.load(root, asked.main_session).get(PART)) if asked.main_session else {}


def _checked(known: object) -> Permissions:
    return {slug: one for slug, one in known.items() if isinstance(one, dict)} if isinstance(known, dict) else {}


def _update(root: str, asked: HookRequest, change: Callable[[Permissions], Permissions]) -> bool:
    if not asked.main_session:
        return False
    return session_state.update(root, asked.main_session, PART, lambda known: change(_checked(known)))
