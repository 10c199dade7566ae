"""What the words of a turn may say that tells a lasting wish from a task: a name that a person reads, and a pattern."""

import re
from typing import NamedTuple

_TABLE = (
    (
        "makes a general rule",
        (
            r"\b(?:from (?:now|here) on|going forward|as a (?:general )?rule|in (?:the )?future|always|never|"
            r"every ?time|each time|ever|whenever|next time|at all times|no exceptions?)\b"
        ),
    ),
    (
        "speaks of later times",
        (
            r"\b(?:from (?:now|here) on|going forward|as a (?:general )?rule|in (?:the )?future|next time|"
            r"whenever|every ?time|each time|by default|in general|generally|habit|usual(?:ly)?)\b"
        ),
    ),
    (
        "covers every case",
        (
            r"\b(?:every|each|any|all) \w+|\bonly one\b|\bmost \w+s\b|\bshould only\b|\b(?:every|any)(?:where|"
            r"thing)\b|\bnowhere\b"
        ),
    ),
    (
        "makes sure",
        (
            r"\b(?:make sure|be sure|ensure|(?:don'?t|do not) forget|remember to|(?:also )?needs? to also|"
            r"also needs?|see to it|mind that)\b"
        ),
    ),
    (
        "asks for an order of work",
        (
            r"\bfirst\W*$|\bbefore (?:you|making|any|we|committing|pushing|\w+ing)\b|\bafter (?:each|every)\b|"
            r"\bas you go\b|\b(?:one|step) (?:at a time|by (?:one|step))\b|\bonce (?:you|each|every)\b"
        ),
    ),
    ("says what comes first", r"\bfirst\b"),
    (
        "is about the way code is written",
        (
            r"\b(?:dry|duplicat\w+|idiomatic|consisten\w+|convention\w*|patterns?|style|naming|"
            r"best practi[cs]es?|copy ?/? ?(?:and )?paste|comments?|spelling|format(?:ting)?|"
            r"backwards? compat\w*|sprawl|utils?|helpers?|framework|code quality|over-?complicat\w*|"
            r"over-?engineer\w*|decisions?|hard-?cod\w+|boilerplate|abstraction\w*|readab\w+|maintainab\w+|"
            r"type hints?|docstrings?|magic|hack\w*|workarounds?|architecture|principles?)\b"
        ),
    ),
    (
        "is heated",
        (
            r"\b(?:dude|wtf|what the (?:hell|heck|fuck)|wth|buddy|dumb|stupid|garbage|noise|nonsense|"
            r"seriously|ffs|fuck\w*|damn|goddamn|crap|bullshit|shit\w*|ridiculous|annoying|lazy|sick of|"
            r"tired of|how many times|jesus|come on|for the \w+ time)\b|!!"
        ),
    ),
    ("says please", r"\b(?:please|pls|plz)\b"),
    (
        "only asks",
        r"^(?!.*\b(?:can|could|why|should(?:n'?t)?|shall|did|didn'?t|don'?t|use|aren'?t|isn'?t)\b).*\?\s*$",
    ),
    ("ends with a question", r"\?\W*$"),
    (
        "says what the agent must or may",
        r"\byou (?:must|should|need|have to|can|are to|shouldn'?t|don'?t|can'?t|may|will)\b",
    ),
    (
        "speaks of what the agent did",
        (
            r"\byou (?:just |should(?:n'?t)? have |have |had |were |didn'?t |did |keep |are |aren'?t |always |"
            r"also |still )|\byou'(?:re|ve)\b"
        ),
    ),
    ("asks for something", r"\b(?:can|could|shall) (?:we|you|i)\b"),
    ("weighs options", r"\boptions?\b|\bapproach \d|^\W*[a-d1-9]\W*$|\b(?:both|either)\b"),
    (
        "is about talking it over",
        (
            r"\b(?:ask|tell|explain|discuss|talk|answer(?:s|ing)?|repl(?:y|ies)|respond|decisions?|permission|"
            r"approv\w+|confirm|assum\w+|guess\w*)\b"
        ),
    ),
    (
        "names a tool of the work",
        (
            r"\b(?:npm|npx|pnpm|yarn|bun|pip\d?|uv|poetry|conda|docker|make|cargo|gradle|maven|brew|lsp|mcp|"
            r"skills?|sub-?agents?|tools?|scripts?|dependenc\w+|lockfile|install\w*)\b"
        ),
    ),
    (
        "is about the product",
        (
            r"\b(?:users?|customers?|page|button|screen|ui|ux|dialog|modal|sidebar|menu|header|footer|icon|"
            r"player|game|colou?rs?|fonts?|click\w*|layout|tabs?|panel|table|chart|card|login|endpoint|image|"
            r"window|field|display\w*|shows?|render\w*)\b"
        ),
    ),
    ("begins by refusing", r"^\W*(?:no+|nope|stop|wait|don'?t|do not|hold on|not)\b"),
    (
        "reports what was seen",
        (
            r"\b(?:i (?:see|saw|get|got|tried|ran|noticed|think|guess|merged|pushed|updated|added|changed|"
            r"deleted|restarted|did)|it (?:works|doesn'?t|does not|is|says|seems|looks)|there (?:is|are|"
            r"was))\b"
        ),
    ),
    (
        "begins with a task",
        (
            r"^\W*(?:(?:ok(?:ay)?|yes|now|and|then|also|great|please|next|so|can you|could you|let'?s|"
            r"i want you to|i'?d like you to|we need to|i need you to)\b[\s,.!:]*)*(?:add|create|"
            r"implement|fix|update|remove|change|make|build|show|move|rename|refactor|check|look|investigate|"
            r"continue|proceed|merge|open|close|run|deploy|go|give|find|analy[sz]e|help|start|try|set|"
            r"generate|list|see|do|take|get|compare|research|debug|resolve|address|finish|complete|convert|"
            r"delete|revert|undo|restore|design|draft|describe|figure|prepare|resume|search|mark|bump)\b"
        ),
    ),
)
_CASED = "(?-i:"  # a pattern that tells capitals


class Sign(NamedTuple):
    """A pattern in lower case, for a text in lower case: ignoring case takes a search twice as long."""

    name: str
    pattern: re.Pattern[str]
    placed: bool  # it asks where the text begins or ends, so it finds other things in a part of it
    cased: bool  # it is for the text as it stands

    def holds(self, text: str, lower: str) -> bool:
        """Whether the text, of which ``lower`` is the lower case, says it."""
        return bool(self.pattern.search(text if self.cased else lower))


def _sign(name: str, pattern: str) -> Sign:
    cased = _CASED in pattern
    flags = re.DOTALL | re.IGNORECASE if cased else re.DOTALL
    return Sign(name, re.compile(pattern, flags), "^" in pattern or "$" in pattern, cased)


SAID = tuple(_sign(name, pattern) for name, pattern in _TABLE)
