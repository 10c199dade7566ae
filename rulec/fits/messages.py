"""How a commit message is to be written."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulec.fits._message_forms import forms
from rulec.fits._pair import MOST_INNOCENT, calls_of, offences
from rulec.fits._words import conditional
from rulec.known.emoji import EMOJI
from rulec.known.mood import ORDERED, TOLD
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit

_ABOUT = re.compile(
    r"\bcommit(?:s|ting)?\b|\bsubject lines?\b|\bcommit (?:message|title|subject|body)|\bco-?author\w*", re.IGNORECASE
)
_MESSAGE = re.compile(
    r"\b(?:messages?|msgs?|title|subject|body|trailers?|footers?|signatures?|attributions?|co-?author\w*|conventional|"
    r"semantic|signed-off|sign-off|prefix\w*|imperative|tense|scopes?|types?|gitmojis?|emojis?|blank line|wrap\w*|"
    r"description|mention\w*|credit\w*|tickets?|issues?|referenc\w*|"
    r"generated|english|single|one[- ]line\w*|lower[- ]?case|start|characters?|chars?)\b|\b[A-Z]{2,10}-\d+\b|"
    r"\b(?:feat|fix|chore):",
    re.IGNORECASE,
)
# A sentence without the form of a wish asks something where it begins like this.
_BARE = re.compile(
    r"\W*(?:(?:please|pls|and|also|just|the|your|these|those) )*"
    r"(?:remove|drop|omit|skip|lose|capitali[sz]e|one|single|1|short|"
    r"commit messages?|commits|imperative|lower-?case|conventional|semantic|no|without|never|write|max"
    r"|wrap|leave (?:a|one) (?:blank|empty) line)\b",
    re.IGNORECASE,
)
LONGEST_BARE = 160
_REQUEST = re.compile(
    r"\b(?:pr|pull request|mr|merge request)s?'? (?:titles?|descriptions?|bod(?:y|ies))\b", re.IGNORECASE
)
_COMMITTED = re.compile(
    r"\b(?:(?:and|or|,) commits?|commit (?:messages?|subjects?|titles?)|commits (?:and|or|,|&))\b", re.IGNORECASE
)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of commit-message."""
    told = _BARE.match(clause.text) and len(clause.text) < LONGEST_BARE and not clause.text.endswith("?")
    if (clause.polarity == "none" and not told) or (
        _REQUEST.search(clause.text) and not _COMMITTED.search(clause.text)
    ):
        return
    if not _ABOUT.search(clause.text) or not _MESSAGE.search(clause.text) or (conditional(clause) and not _own(clause)):
        return
    refused = [message for message in map(message_of, offences(before)) if message]
    shown = [message for message in map(message_of, after) if message]
    for given, bad, good in (*forms(clause), *_tickets(clause, refused, shown)):
        check = Check(kind="shell", template="commit-message", parameters=given)
        if not before:
            yield Draft(
                checks=(check,),
                invalid=(_example(bad),),
                valid=(_example(good),),
                because="the statement says how a message is written",
            )
            continue
        guilty = [message for message in refused if breaks(given, message)]
        if guilty and not any(breaks(given, message) for message in shown):
            valid = tuple(_example(message) for message in dict.fromkeys((*shown[:MOST_INNOCENT], good)))
            yield Draft(
                checks=(check,),
                invalid=(_example(guilty[0]),),
                valid=valid,
                because="the message before had it, the one after has not",
            )


def _own(clause: Clause) -> bool:
    """Whether the condition is only that a commit is made."""
    own = (
        r"when(?:ever)? (?:you )?(?:commit|writ\w+ (?:a )?commit)|at the end of (?:the |a )?(?:commit|message|subject)"
    )
    return bool(re.match(own, clause.when, re.IGNORECASE))


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


def _tickets(
    clause: Clause, refused: Sequence[str], accepted: Sequence[str]
) -> Iterator[tuple[dict[str, Any], str, str]]:
    """A phrase like "start with the ticket": all messages afterwards do, with one and the same key."""
    shorter = refused and accepted and all("\n" not in message.strip() for message in accepted)
    if shorter and "\n" in refused[0].strip() and _TOO_LONG.search(clause.text):
        yield {"no_body": True}, refused[0], accepted[0]
    if clause.polarity == "forbid" or not _SAYS_TICKET.search(clause.text) or not accepted:
        return
    keys = {match[1] for message in accepted if (match := re.match(r"\W*([A-Z][A-Z0-9]{1,9})-\d+\b", message))}
    wanted = rf"^\W*{min(keys)}-\d+\b" if len(keys) == 1 else ""
    if wanted and all(re.match(wanted, message) for message in accepted) and refused:
        yield {"require": [wanted]}, refused[0], accepted[0]
    elif all(_NUMBER.search(message) for message in accepted) and refused:
        yield {"require": [_NUMBER.pattern]}, refused[0], accepted[0]


_NUMBER = re.compile(r"(?:^|[\s(])#[0-9]+")

_TOO_LONG = re.compile(
    r"\b(?:too (?:long|verbose|wordy|much)|(?:one|single)[- ]line\w*|short(?:er)?|novels?)\b", re.IGNORECASE
)
_SAYS_TICKET = re.compile(r"\b(?:ticket|issue|jira|story)\b(?: (?:number|id|key))?", re.IGNORECASE)


_STYLES = {
    "conventional": r"[a-z]+(?:\([^)]*\))?!?: \S",
    "gitmoji": rf"(?::[a-z0-9_+-]+:|{EMOJI})\W* \S",
}


def breaks(given: dict[str, Any], message: str) -> bool:
    """Whether the message breaks what the parameters of commit-message ask."""
    subject, _, body = message.partition("\n")
    return bool(
        (given.get("style") and not re.match(_STYLES[given["style"]], subject))
        or (given.get("need_scope") and not re.match(r"[a-z]+\([^()]+\)", subject))
        or (given.get("types") and re.split(r"[(!:]", subject)[0] not in given["types"])
        or any(
            re.search(rf"^{trailer}:", message, re.IGNORECASE | re.MULTILINE)
            for trailer in given.get("forbid_trailers", ())
        )
        or len(subject) > given.get("max_subject", len(subject))
        or (given.get("no_body") and body.strip())
        or (given.get("imperative") and re.search(TOLD, subject) and not re.search(ORDERED, subject))
        or (given.get("need_body") and not re.search(r"^(?![A-Z][A-Za-z-]*: )\s*\S", body, re.MULTILINE))
        or (given.get("blank_line") and body.partition("\n")[0].strip())
        or any(len(line) > given.get("max_line", len(line)) for line in body.splitlines())
        or any(re.search(pattern, message) for pattern in given.get("forbid", ()))
        or any(re.search(pattern, subject) for pattern in given.get("forbid_subject", ()))
        or any(not re.search(pattern, message) for pattern in given.get("require", ()))
        or any(not re.search(pattern, subject) for pattern in given.get("require_subject", ()))
    )


def _example(message: str) -> Example:
    return Example(kind="message", text=message)


PLUG = Fit(name="messages", fit=fit, any_clause=True)
