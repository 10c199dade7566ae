"""How likely a turn holds for next time too: reasons in words, each with its weight."""

import re

from rulec.language.clause import Clause

READ = 1_500  # characters of a turn that are searched for reasons
BASE = -4.6  # log odds of a turn that gives no reason: one human turn in a hundred is a lasting correction

# Log odds, fitted with whole sources left out and then rounded: finer weights would only remember those people.
_SAID: tuple[tuple[str, float, str], ...] = (
    (
        "makes a general rule",
        0.9,
        r"\b(?:from now on|going forward|as a (?:general )?rule|in (?:the )?future|always|never|every ?time|ever)\b",
    ),
    ("covers every case", 0.6, r"\b(?:every|each|any|all) \w+|\bonly one\b|\bmost \w+s\b|\bshould only\b"),
    (
        "makes sure",
        0.5,
        r"\b(?:make sure|be sure|ensure|(?:don'?t|do not) forget|remember to|(?:also )?needs? to also|also needs?)\b",
    ),
    (
        "points to written rules",
        0.4,
        (
            r"\b(?:claude|agents|conventions|gemini|learnings)\b|\bguide(?:line)?s?\b|\bdirections\b|"
            r"\bmemor(?:y|ize|ise)\b"
        ),
    ),
    ("asks why it was done", 0.5, r"\bwhy (?:are|did|do|would|was|not|so many|aren'?t|didn'?t|have)\b"),
    (
        "asks for an order of work",
        0.8,
        r"\bfirst\W*$|\bbefore (?:you|making|any|we|committing|pushing)\b|\bafter (?:each|every)\b",
    ),
    (
        "is about the way of working",
        0.4,
        (
            r"\b(?:commit(?:s|ted|ting)?|branch(?:es)?|push(?:ed|ing)?|rebase|amend|stash|tests?|"
            r"testing|tdd|lint(?:er|ing)?|changelog|docs|workflow"
            r"|subagents?|worktrees?|skill|discuss|ask|review)\b"
        ),
    ),
    (
        "is about the way code is written",
        1.0,
        (
            r"\b(?:dry|duplicat\w+|idiomatic|consisten\w+|convention\w*|pattern|style|naming|best "
            r"practi[cs]es|copy ?/? ?paste|comments?|spelling|format"
            r"|backwards? compat\w*|sprawl|utils?|framework|code quality|overcomplicat\w*|decisions?)\b"
        ),
    ),
    (
        "is heated",
        1.2,
        r"\b(?:dude|wtf|what the (?:hell|fuck)|buddy|dumb|garbage|noise|seriously|ffs|fuck\w*|damn)\b|!!",
    ),
    ("says please", 0.7, r"\bplease\b"),
    ("only asks", -0.7, r"^(?!.*\b(?:can|could|why|should(?:n'?t)?|shall|did|didn'?t|don'?t|use)\b).*\?\s*$"),
)
_REASONS = tuple((reason, weight, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for reason, weight, pattern in _SAID)
_WISHED = (("forbid", 1.0, "forbids something"), ("prefer", 0.5, "says what to use"))
_WISH_WEIGHT = {
    "makes a general rule": 0.4,
    "makes sure": 0.5,
    "is about the way of working": 0.3,
    "asks for an order of work": 0.4,
}
SHORT, LONG = 300, 800


def reasons_of(
    text: str, read: tuple[Clause, ...], *, acted: bool, interrupted: bool, kind: str
) -> list[tuple[str, float]]:
    """Every reason that speaks for or against, with its log odds; what a wish itself says counts more."""
    wishes = _asked(read) if wishes_in(read) else []
    said, wished = text[:READ], "\n".join(clause.text for clause in wishes)
    found = [(reason, weight) for polarity, weight, reason in _WISHED if any(c.polarity == polarity for c in wishes)]
    found += [
        (reason, weight + (_WISH_WEIGHT.get(reason, 0.0) if pattern.search(wished) else 0.0))
        for reason, weight, pattern in _REASONS
        if pattern.search(said)
    ]
    circumstances = (
        ("is marked as a rule", 12.0, any(clause.marked for clause in read)),
        ("says that it lasts", 0.6, any(clause.cues for clause in wishes)),
        ("names what it wants instead", 0.7, any(clause.forbidden and clause.preferred for clause in wishes)),
        ("the person stopped the agent", 1.0, interrupted),
        ("the person refused the call", 1.0, kind == "rejection"),
        ("was said while the agent worked", 0.9, kind == "queued"),
        ("the agent had just acted", 0.3, acted),
        ("is a short wish", 0.5, bool(wishes) and len(text) < SHORT),
        ("is long", -1.0, len(text) > LONG),
    )
    return found + [(reason, weight) for reason, weight, holds in circumstances if holds]


def wishes_in(read: tuple[Clause, ...]) -> list[Clause]:
    """The clauses that ask something of the agent's work, and of more than this moment."""
    return [clause for clause in _asked(read) if clause.marked or not momentary(clause)]


def _asked(read: tuple[Clause, ...]) -> list[Clause]:
    return [clause for clause in read if clause.marked or (clause.polarity != "none" and clause.addressed == "work")]


_MOMENT = re.compile(
    r"\b(?:yet|for now|(?:right|just) now|this (?:time|once|one time)|at the moment|for the moment|today|tonight)\W*$",
    re.IGNORECASE,
)


_QUESTION = re.compile(r"\W*(?:\w+,? )?(?:why|how come|what|who|where|when)\b", re.IGNORECASE)


def asking(clause: Clause) -> bool:
    """Whether the clause only asks why something was done; what is wanted instead makes a wish of it."""
    return bool(_QUESTION.match(clause.text)) and clause.polarity != "require" and not clause.preferred


def momentary(clause: Clause) -> bool:
    """Whether the clause speaks of this moment alone: "don't commit yet"."""
    return bool(_MOMENT.search(clause.text)) and not {"always", "never", "from now on", "every time"} & set(clause.cues)
