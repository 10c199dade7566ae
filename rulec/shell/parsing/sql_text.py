"""SQL that a database's client is given: its statements, without what stands in strings and comments."""

from __future__ import annotations

import re

from rulec.shell.parsing.call import operands, option_values
from rulec.shell.programs import facts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.parsing.call import Call


LONGEST = 200_000  # characters of SQL that are read
# Patterns are texts here: re compiles each once, where a client is called, and not at every call of a tool.
_OPTION = r"-{1,2}\w[\w-]*=?"
_COMMENT = r"--[^\n]*|/\*(?!!).*?\*/"  # MySQL runs what stands in /*! */
_UNSPOKEN = tuple(  # whether a backslash escapes a quote is the client's matter
    rf"(?s)(?P<quote>')(?:{inside})*'|{_COMMENT}" for inside in ("[^']|''", r"[^'\\]|''|\\.")
)
# How a client is told, on a line of its own, to write a file: sqlite's .output, psql's \o.
_TOLD = (
    r"(?m)^\s*(?:\.(?:output|once|backup|save)|\\o(?:ut)?|\\copy\b[^\n]*?\bto)\s+(?!(?:stdout|off)\b)[\"']?([^\s\"'|]+)"
)
# What runs the text of a string.
_RUNS_TEXT = r"(?i)\b(?:execute|exec|prepare|immediate|gexec|dblink\w*|sp_executesql|query_to_xml)\b"


def handed_statements(call: Call) -> str:
    """What a call hands over to its program to run, on its line where that is a database's client, and on its input."""
    facts = facts_of(call.program)
    texts = option_values(call.argv, tuple(facts.get("sql", "").split()))
    texts += operands(call.argv, facts.get("values", ""))[1:] if "sql_behind_file" in facts else []
    return "\n".join([*texts, call.stdin])


def files_told(text: str) -> list[str]:
    """The files that the text tells a client to write."""
    return re.findall(_TOLD, text[:LONGEST])


def finds(pattern: str, text: str, call: Call, flags: int = 0) -> bool:
    """Whether the pattern is found in a word or the input of a call, of a database's client in its statements."""
    if not re.search(pattern, text, flags):
        return False
    client = facts_of(call.program).get("from_files") == "sql"
    if not client or "'" in pattern or len(text) > LONGEST or re.search(_RUNS_TEXT, text):
        return True
    option = re.match(_OPTION, text)
    head = option[0] if option else ""
    return any(re.search(pattern, head + statements(text[len(head) :], one), flags) for one in _UNSPOKEN)


def statements(text: str, unspoken: str) -> str:
    """The text with empty strings in place of strings, and without comments."""
    return re.sub(unspoken, lambda found: "''" if found["quote"] else " ", text)
