"""Protects the gate itself, without a rule of the team: what an action would do to disarm it."""

from __future__ import annotations

import os

from rulec.checkout.rules_layout import PAGES, PROOF_KEY
from rulec.checkout.worktree import shared_state_directory
from rulec.domain.compiled_rule import EventFinding
from rulec.protect import command_rules
from rulec.protect.built_in import GATE_CURE, GATE_FACTS
from rulec.shell import action_events, run_files
from rulec.shell.action_events import FILE_KINDS
from rulec.shell.parsing.call import WHY_UNREAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call


__all__ = ["GATE_CURE", "GATE_FACTS", "detect_tampering"]
WILDCARDS = "*?["
NEAR_KEY = ("rulec", ".config/", PROOF_KEY)  # in what names the key that signs proofs
DEEPEST_SCRIPT = 3  # scripts that run scripts
READ_SIGNS = ("read", "mapfile")  # what gives a command words while it runs


def detect_tampering(event: Event, depth: int = 0) -> list[EventFinding]:
    """Findings on what the action would do to disarm the gate."""
    found = _findings_on_files(event)
    if event.kind != "command":
        return found
    calls = action_events.parsed_command(event).calls
    found += command_rules.findings_on_commands(event, calls)
    found += _on_secrets(event, calls)
    sure = [finding for finding in found if not finding.unsure]
    running = [call for call in calls if run_files.runs_files(call)] if not sure and depth < DEEPEST_SCRIPT else []
    if running:
        from rulec.protect import scripts  # noqa: PLC0415 (most commands run no file)

        sure = scripts.findings_on_carried(event, running, detect_tampering, depth)
    return sure or _findings_on_open_text(event, calls, depth) or found


def _findings_on_files(event: Event) -> list[EventFinding]:
    files = _written_files(event)
    if not files:
        return []
    from rulec.protect import file_rules  # noqa: PLC0415 (most commands write nothing)

    return [one for file in files for one in file_rules.findings_on_file(event, file)]


def _written_files(event: Event) -> list[Event]:
    if event.kind == "command":
        # a deletion that is not certain is find's, and found_files looks at it more closely
        done = [effect for effect in action_events.touched_paths(event) if effect.sure or not effect.delete]
        return action_events.file_events(event, done) if done else []
    return [event] if event.kind in FILE_KINDS else []


def _on_secrets(event: Event, calls: list[Call]) -> list[EventFinding]:
    """Findings on commands that read the key that signs proofs, or ask the person's page."""
    near = [call for call in calls if _near_key(call)]
    found = []
    if near:
        from rulec.protect import key_reads  # noqa: PLC0415 (most commands are far from it)

        lines = [(action_events.command_line(call.argv), call) for call in near if key_reads.reads_key(event, call)]
        found = [EventFinding(facts=GATE_FACTS, text=t, program=call.program, cure=GATE_CURE) for t, call in lines]
    if _pages_were_here(event):
        from rulec.protect import page_requests  # noqa: PLC0415 (hardly ever does a page run)

        for text, program in page_requests.asks_page(event, calls):
            cure = action_events.ASK_PERSON
            found.append(EventFinding(facts=GATE_FACTS, text=text, program=program, cure=cure))
    return found


def _near_key(call: Call) -> bool:
    """Whether a word of the call may lead to the key that signs proofs."""
    for word in (call.cwd, *call.argv, *(target for _, target in call.redirects)):
        if any(sign in word for sign in NEAR_KEY) or word.endswith(".config"):
            return True
        if word[:1] in ("/", "~", "$") and any(sign in word for sign in WILDCARDS):
            return True
    return False


def _pages_were_here(event: Event) -> bool:
    """Whether a page of ``rulec ui`` may run for this repository."""
    return bool(event.root) and os.path.isdir(os.path.join(shared_state_directory(event.root), PAGES))


def _findings_on_open_text(event: Event, calls: list[Call], depth: int) -> list[EventFinding]:
    """Findings on what the text leaves open: words known only when it runs, and text too long to be read."""
    text = event.command
    reads = depth < DEEPEST_SCRIPT and any(sign in text for sign in READ_SIGNS) and any(call.dynamic for call in calls)
    unread = not depth and action_events.parsed_command(event).unsure in WHY_UNREAD
    if not (reads or unread):
        return []
    from rulec.protect import scripts  # noqa: PLC0415 (few texts have such words)

    found = scripts.findings_on_read_words(event, calls, detect_tampering, depth) if reads else []
    return found or (scripts.findings_on_unread(event) if unread else [])
