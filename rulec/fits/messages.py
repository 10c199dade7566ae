"""How a commit message is to be written."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulec.fits._pair import MOST_INNOCENT, calls_of, offences
from rulec.fits._words import EMOJI, conditional
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit

_ABOUT = re.compile(r"\bcommit(?:s|ting)?\b|\bcommit (?:message|title|subject|body)", re.IGNORECASE)
_MESSAGE = re.compile(
    (
        r"\b(?:message|msg|title|subject|body|trailer|footer|signature|attribution|co-?author\w*|"
        r"conventional|signed-off|sign-off|prefix)"
    ),
    re.IGNORECASE,
)
_TRAILER = re.compile(
    r"\bco-?author\w*|\battribution|\btrailers?\b|\b(?:ai|claude|agent) (?:signature|footer|credit)|generated with",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"\b(?:under|below|at most|max(?:imum)?(?: of)?|no (?:longer|more) than|less than|up to|within)\s+(?P<n>\d{2,3})\b",
    re.IGNORECASE,
)
_ONE_LINE = re.compile(
    r"\b(?:one|single)[- ]line(?:r)?s?\b|\bno body\b|\bwithout (?:a )?body\b|\bsubject only\b", re.IGNORECASE
)
_TICKET = re.compile(r"\b(?P<key>[A-Z]{2,10})-(?:\d+|#+|X+|N+|123)\b")
PLAIN = "Read the settings once"


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of commit-message."""
    if (
        not (_ABOUT.search(clause.text) or _TRAILER.search(clause.text))
        or not _MESSAGE.search(clause.text)
        or conditional(clause)
    ):
        return
    refused = [message for message in map(message_of, offences(before)) if message]
    shown = [message for message in map(message_of, after) if message]
    for given, bad, good in (*_demands(clause), *_tickets(clause, refused, shown)):
        check = Check(kind="shell", template="commit-message", parameters=given)
        if not before:
            yield Draft(
                checks=(check,),
                invalid=(_example(bad),),
                valid=(_example(good),),
                because="the statement says how a message is written",
            )
            continue
        guilty = [message for message in refused if _breaks(given, message)]
        if guilty and not any(_breaks(given, message) for message in shown):
            valid = tuple(_example(message) for message in dict.fromkeys((*shown[:MOST_INNOCENT], good)))
            yield Draft(
                checks=(check,),
                invalid=(_example(guilty[0]),),
                valid=valid,
                because="the message before had it, the one after has not",
            )


def message_of(action: Action) -> str:
    """The message of a commit command, or ""."""
    for call in calls_of(action):
        if call.program == "git" and "commit" in call.argv:
            parts = [
                call.argv[i + 1] for i, word in enumerate(call.argv[:-1]) if re.fullmatch(r"-[a-z]*m|--message", word)
            ]
            parts += [word.partition("=")[2] for word in call.argv if word.startswith("--message=")]
            if parts:
                return "\n\n".join(parts)
    return ""


def _demands(clause: Clause) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Parameters, a message they refuse and one they pass."""
    text, no = clause.text, clause.polarity == "forbid"
    if re.search(r"\bconventional\b", text, re.IGNORECASE) and not no:
        yield {"style": "conventional"}, PLAIN, "fix: read the settings once"
    if _TRAILER.search(text) and (no or re.search(r"\b(?:no|without|never)\b", text, re.IGNORECASE)):
        yield {"forbid_trailers": ["Co-Authored-By"]}, f"{PLAIN}\n\nCo-Authored-By: Claude <noreply@example.com>", PLAIN
    if length := _LENGTH.search(text):
        most = int(length["n"])
        yield {"max_subject": most}, "Read the settings once " + "x" * most, PLAIN
    if _ONE_LINE.search(text):
        yield {"no_body": True}, f"{PLAIN}\n\nThey were read twice.", PLAIN
    if re.search(r"\bemojis?\b", text, re.IGNORECASE) and no:
        yield {"forbid": [EMOJI]}, f"{PLAIN} \U0001f389", PLAIN
    if (ticket := _TICKET.search(text)) and not no:
        yield {"require": [rf"\b{ticket['key']}-\d+\b"]}, PLAIN, f"{ticket['key']}-12 {PLAIN}"
    exact = [term.text for term in clause.terms if term.kind == "code"] or _names(clause)
    if no and exact and clause.forbidden:
        yield (
            {"forbid": [rf"\b{word}\b" if word.isalnum() else re.escape(word) for word in exact]},
            f"{PLAIN} {exact[0]}",
            PLAIN,
        )


def _names(clause: Clause) -> list[str]:
    """What is not to be mentioned, where all of it are proper names."""
    named = list(clause.forbidden) if clause.verb in ("mention", "name", "say", "credit") else []
    return named if all(re.fullmatch(r"[A-Z][A-Za-z0-9]+", word) for word in named) else []


def _tickets(
    clause: Clause, refused: Sequence[str], accepted: Sequence[str]
) -> Iterator[tuple[dict[str, Any], str, str]]:
    """A phrase like "start with the ticket": all messages afterwards do, with one and the same key."""
    if clause.polarity == "forbid" or not _SAYS_TICKET.search(clause.text) or not accepted:
        return
    keys = {match[1] for message in accepted if (match := re.match(r"\W*([A-Z][A-Z0-9]{1,9})-\d+\b", message))}
    wanted = rf"^\W*{min(keys)}-\d+\b" if len(keys) == 1 else ""
    if wanted and all(re.match(wanted, message) for message in accepted) and refused:
        yield {"require": [wanted]}, refused[0], accepted[0]


_SAYS_TICKET = re.compile(r"\b(?:ticket|issue|jira|story)\b(?: (?:number|id|key))?", re.IGNORECASE)


def _breaks(given: dict[str, Any], message: str) -> bool:
    subject, _, body = message.partition("\n")
    return bool(
        ("style" in given and not re.match(r"[a-z]+(?:\([^)]*\))?!?: \S", subject))
        or any(
            re.search(rf"^{trailer}:", message, re.IGNORECASE | re.MULTILINE)
            for trailer in given.get("forbid_trailers", ())
        )
        or len(subject) > given.get("max_subject", len(subject))
        or (given.get("no_body") and body.strip())
        or any(re.search(pattern, message) for pattern in given.get("forbid", ()))
        or any(not re.search(pattern, message) for pattern in given.get("require", ()))
    )


def _example(message: str) -> Example:
    return Example(kind="message", text=message)


PLUG = Fit(name="messages", fit=fit)
