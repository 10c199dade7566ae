"""Wishes about what is written on a code host: where a reply goes, and what it must hold."""

import re
from collections.abc import Iterator

from rulec.fits._demands import Demand, check
from rulec.language import Clause

_REPLY = re.compile(r"\b(?:reply|replies|replying|respond\w*|answer\w*)\b", re.IGNORECASE)
_REVIEW = re.compile(
    r"\b(?:(?:pr|review|code|inline)[- ]?(?:review)? comments?|review (?:comments?|threads?)|comment threads?)\b",
    re.IGNORECASE,
)
_SINGLY = re.compile(
    r"\b(?:each|every|directly|individually|inline|one by one|in (?:the|its|their) threads?|separately)\b",
    re.IGNORECASE,
)
_SUMMARY = ["gh pr comment", "gh pr review --comment|-c", "glab mr note"]

_HOLD = re.compile(
    r"\b(?:reference|refer to|include|mention|link(?: to)?|cite|contain|name|add|put|quote|point to)\b", re.IGNORECASE
)
_TOKENS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:commit )?(?:sha|hash)(?:es|s)?\b|\bcommit ids?\b", re.IGNORECASE), r"\b[0-9a-f]{7,40}\b"),
    (re.compile(r"\b(?:issue|ticket) (?:number|id|key)s?\b", re.IGNORECASE), r"#\d+|\b[A-Z][A-Z0-9]+-\d+\b"),
    (re.compile(r"\b(?:link|url)s?\b", re.IGNORECASE), r"https?://"),
)
# Where such texts are given on a command line: what people call the text, the command, the words that hold it.
_TEXTS: tuple[tuple[re.Pattern[str], str, str, str], ...] = (
    (re.compile(r"\brepl(?:y|ies)\b|\bcomments?\b|\brespon[ds]", re.IGNORECASE), "gh api", "/replies$", r"^body=.*"),
)
_TRIGGER = re.compile(
    r"\b(?:when|where|if|once|for)\b[^,]{0,40}?\b(?:is|are|was|were|has been|get|got) (?P<word>\w{4,})", re.IGNORECASE
)
_URL = "repos/acme/app/pulls/12/comments/34/replies"


def demands(clause: Clause) -> Iterator[Demand]:
    """What the clause says about replies and other texts."""
    if clause.polarity == "forbid":
        return
    if _HOLD.search(clause.text):
        for cue, token in _TOKENS:
            if cue.search(clause.text):
                yield from _holding(clause, token)
    elif all(cue.search(clause.text) for cue in (_REPLY, _REVIEW, _SINGLY)):
        yield _in_threads()


def _in_threads() -> Demand:
    own = check("forbid-command", commands=_SUMMARY)
    posted = ["gh api --field|-f", "gh api --raw-field", "gh api -F", "gh api --input"]
    raw = check("forbid-command", commands=posted, arguments=r"/issues/\d+/comments$")
    good = (
        f"gh api {_URL} -f body='Renamed.'",
        "gh pr view 12 --comments",
        "gh api repos/acme/app/pulls/12/comments",
        "gh pr create --title Sessions --body Done",
    )
    bad = ("gh pr comment 12 --body 'All done.'", "gh api repos/acme/app/issues/12/comments -f body='All done.'")
    return Demand((own, raw), bad, good, "reply in the thread of each review comment")


def _holding(clause: Clause, token: str) -> Iterator[Demand]:
    when = _TRIGGER.search(clause.text)
    word = rf"\b{re.escape(when['word'].lower())}\b" if when else ""
    for said, command, place, body in _TEXTS:
        if said.search(clause.text):
            yield _demand(command, place, f"(?is){body}{word}", token, when["word"] if when else "Done")


def _demand(command: str, place: str, each: str, token: str, word: str) -> Demand:
    asked = check("require-argument", commands=[command], arguments=place, each=each, must=token)
    sample = f"{command} {_URL}" if place else command
    good = (f"{sample} -f body='{word} in 3f2a9c1d, see PROJ-12 #12 https://example.com.'", f"{sample}", "git log -3")
    return Demand((asked,), (f"{sample} -f body='{word}, thanks.'",), good)
