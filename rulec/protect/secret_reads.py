"""Commands that read the key with which rulec signs proofs, or ask the page that is the person's."""

from __future__ import annotations

import os
import re

from rulec.checkout.open_pages import HERE, names_port, running_pages
from rulec.checkout.rules_layout import PROOF_KEY, personal_rulebook_path
from rulec.domain.files import globs
from rulec.shell.action_events import parsed_command, relative_path
from rulec.shell.parsing.call import join_path, option_values, quote_word
from rulec.shell.parsing.runs import FINDERS
from rulec.shell.programs import WORDS, facts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call


GOES_TO = ("-C", "--directory")  # from where on words count, for tar and make
UNPACKING = ("x", "--extract", "--get")


def reads_key(event: Event, call: Call) -> bool:
    """Whether a word or a redirection of the command names the key's file, or its whole folder to read or copy."""
    words = [*call.argv[1:], *(target for _, target in call.redirects)]
    named = [part for word in words for part in {word, word.partition("=")[2]} if part]
    folders = [call.cwd, *(join_path(call.cwd, value) for value in option_values(call.argv, GOES_TO))]
    return any(_means_key(event, call, join_path(folder, word)) for word in named for folder in folders)


def _means_key(event: Event, call: Call, word: str) -> bool:
    folder = os.path.dirname(personal_rulebook_path()).lower()
    place = os.path.expanduser(relative_path(event, word)).rstrip("/").lower()
    if not place.startswith("/"):  # in the repository, or below a variable that nobody knows
        return place.startswith("$") and place.rpartition("/")[2] == PROOF_KEY
    if place == folder:
        return call.program not in WORDS["looking"] or _hands_on(event, call)
    if place == os.path.dirname(folder):
        return call.program in WORDS["copying"] and not _goes_there(call, word)
    return place == f"{folder}/{PROOF_KEY}" or _may_match(place, f"{folder}/{PROOF_KEY}")


def _goes_there(call: Call, word: str) -> bool:
    """Whether the word is where a copier puts something, not what it takes."""
    if facts_of(call.program).get("writes") == "last":
        return word == join_path(call.cwd, call.argv[-1]) and len(call.argv) > 2
    flags = [*call.argv[1:2], *(one for one in call.argv[2:] if one[:1] == "-")]
    return any(one in UNPACKING[1:] or (one[:2] != "--" and UNPACKING[0] in one) for one in flags)


def _hands_on(event: Event, call: Call) -> bool:
    """Whether what ``find`` comes to is given to another program."""
    if call.program != "find":
        return False
    return not set(FINDERS).isdisjoint(call.argv) or any("xargs" in one.via for one in parsed_command(event).calls)


def _may_match(wild: str, path: str) -> bool:
    """Whether a path with wildcards may mean this one, part by part as a shell has it."""
    if not any(sign in wild for sign in globs.WILDCARDS):
        return False
    parts, names = wild.split("/"), path.split("/")
    return len(parts) == len(names) and all(
        part == name or globs.match(["/" + part], name) for part, name in zip(parts, names, strict=False)
    )


_SAYING = frozenset(["commit", "log", "grep", "tag", "notes"])  # git's verbs that take texts
_LEFT_OPEN = re.compile(HERE + r"[\w.:\]]*(?:[:/]|['\"]?\s+['\"]?)\$", re.IGNORECASE)  # the port is known at run time


def calls_to_page(event: Event, calls: list[Call]) -> list[Call]:
    """The commands that send a request to a page of ``rulec ui`` that runs for this repository: it is the person's."""
    ports = running_pages(event.root)
    return [call for call in calls if _asks(call, ports)] if ports else []


def _asks(call: Call, ports: list[int]) -> bool:
    if call.program in WORDS["textual"] or (call.program == "git" and not _SAYING.isdisjoint(call.argv[1:2])):
        text = " ".join(target for _, target in call.redirects)  # > /dev/tcp/localhost/8000
    else:
        fed = (word for source in call.feeds for word in source.argv[1:])
        parts = [*map(quote_word, call.argv[1:]), *call.env.values(), *(target for _, target in call.redirects), *fed]
        text = " ".join([*parts, call.stdin])
    return any(names_port(text, port) for port in ports) or bool(_LEFT_OPEN.search(text))
