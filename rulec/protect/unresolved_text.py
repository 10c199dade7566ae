"""What a command's text leaves open: words known only when it runs, and text too long to be read."""

from __future__ import annotations

import re

from rulec.domain.event_finding import EventFinding
from rulec.protect.built_in import GATE_FACTS
from rulec.protect.scripts import GATE_WORDS
from rulec.shell import action_events
from rulec.shell.event import Event
from rulec.shell.parsing.call import known_output, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulec.shell.parsing.call import Call

    Decide = Callable[[Event, int], list[EventFinding]]


MOST_TEXTS = 40  # texts that are tried for one command
MOST_SIGNS = 200_000  # characters of them all together
READ = re.compile(r"\b(?:read|mapfile|readarray)\b")
VARIABLE = re.compile(r"\$\{?\w+[^}\s]*\}?")
ALIKE = re.compile(r"[\w+,/@][\w+,./@-]*")  # a file's name, a number: for the gate one is as good as another
SPEAKERS = ("echo", "printf", "cat")


def decide_on_read_words(event: Event, calls: list[Call], judge: Decide, depth: int) -> list[EventFinding]:
    """Findings on the command with each line that it may read; only certain ones."""
    text = event.command
    left = event.tries_left = event.tries_left or [MOST_TEXTS, MOST_SIGNS]
    if not any(word in text for word in GATE_WORDS):
        return []
    for one in _texts_to_try(text, action_events.parsed_command(event).given, calls):
        left[0] -= 1
        left[1] -= len(one)
        if min(left) < 0:
            return []
        inner = Event(kind="command", command=one, cwd=event.cwd, root=event.root, world=event.world, agent=event.agent)
        inner.carried_left, inner.tries_left = event.carried_left, left
        found = judge(inner, depth)
        sure = [finding for finding in found if not finding.unsure]
        if sure:
            return sure
    return []


def _texts_to_try(text: str, given: list[str], calls: list[Call]) -> Iterator[str]:
    if READ.search(text):
        lines = [line for one in [*given, *_known_outputs(calls)] for line in one.split("\n") if line.strip()]
        open_calls = [call for call in calls if call.dynamic and _may_change_meaning(call)]
        for line in _values_that_differ(lines):
            for call in open_calls:
                yield " ".join(_filled(call.argv, line))


def _values_that_differ(values: list[str]) -> list[str]:
    """The values that may change a verdict: flags first, and only one of several plain names."""
    differing = [value for value in dict.fromkeys(values) if _differs(value)]
    plain = [value for value in values if not _differs(value)]
    return [*sorted(differing, key=lambda value: not value.startswith("-")), *plain[:1]]


def _differs(value: str) -> bool:
    named = any(sign in value for sign in "./") or any(char.isdigit() for char in value)
    return not (named and ALIKE.fullmatch(value)) or any(word in value for word in GATE_WORDS)


def _known_outputs(calls: list[Call]) -> list[str]:
    """The known outputs and inputs of the text's commands."""
    return [call.stdin for call in calls if call.stdin] + [
        text for call in calls if call.program in SPEAKERS and (text := known_output([call]))
    ]


def _may_change_meaning(call: Call) -> bool:
    return call.program in ("git", "rulec", "export") or call.argv[0].startswith("$")


def _filled(argv: list[str], line: str) -> list[str]:
    words: list[str] = []
    for word in argv:
        words += line.split() if VARIABLE.fullmatch(word) else [word]
    return [quote_word(word) for word in words]


NEAR_GATE = re.compile(r"(?<!\w)(?:git|rulec|pre-commit|prek)(?!\w)|\.rules\b|hookspath", re.IGNORECASE)
SHORTER_COMMANDS = "run it as shorter commands, one after the other"


def decide_on_unread(event: Event) -> list[EventFinding]:
    """A finding where an unread text mentions git or the rulebook."""
    text = re.sub(r"[\"'\\]", "", event.command)
    if not NEAR_GATE.search(text):
        return []
    seen = f"not certain ({action_events.parsed_command(event).unsure}): {text[:80]} …"
    return [EventFinding(facts=GATE_FACTS, text=seen, cure=SHORTER_COMMANDS)]
