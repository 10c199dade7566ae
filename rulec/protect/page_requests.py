"""Requests to the page of ``rulec ui``: it is the person's, and what runs names its port to reach it."""

from __future__ import annotations

import re

from rulec.checkout.open_pages import HERE, names_port, running_pages
from rulec.shell.parsing.call import quote_word
from rulec.shell.programs import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call


_SAYING = frozenset(["commit", "log", "grep", "tag", "notes"])  # git's verbs that take texts
_LEFT_OPEN = re.compile(HERE + r"[\w.:\]]*(?:[:/]|['\"]?\s+['\"]?)\$", re.IGNORECASE)  # the port is known at run time


def asks_page(event: Event, calls: list[Call]) -> list[tuple[str, str]]:
    """The commands, each with its program, that send a request to a page that runs for this repository."""
    ports = running_pages(event.root)
    if not ports:
        return []
    return [(" ".join(call.argv), call.program) for call in calls if _asks(call, ports)]


def _asks(call: Call, ports: list[int]) -> bool:
    if call.program in WORDS["textual"] or (call.program == "git" and not _SAYING.isdisjoint(call.argv[1:2])):
        text = " ".join(target for _, target in call.redirects)  # > /dev/tcp/localhost/8000
    else:
        fed = (word for source in call.feeds for word in source.argv[1:])
        parts = [*map(quote_word, call.argv[1:]), *call.env.values(), *(target for _, target in call.redirects), *fed]
        text = " ".join([*parts, call.stdin])
    return any(names_port(text, port) for port in ports) or bool(_LEFT_OPEN.search(text))
