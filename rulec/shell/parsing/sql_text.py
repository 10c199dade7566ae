"""SQL that a database's client is given: its statements, without what stands in strings and comments."""

from __future__ import annotations

import re

from rulec.shell.parsing.call import operands, option_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.parsing.call import Call


SQL_CLIENTS = {  # program -> its options that name a file to run
    "psql": ("-f", "--file"),
    "mysql": (),
    "mariadb": (),
    "sqlite3": ("-init", "--init"),
    "duckdb": ("-f", "-init"),
    "sqlcmd": ("-i",),
    "clickhouse-client": ("--queries-file",),
    "cockroach": ("-f", "--file"),
    "usql": ("-f", "--file"),
}
_TEXTS = {  # program -> its options that take statements
    **dict.fromkeys(("psql", "usql"), ("-c", "--command")),
    **dict.fromkeys(("mysql", "mariadb", "cockroach"), ("-e", "--execute")),
    "duckdb": ("-c", "-s"),
    "sqlcmd": ("-q", "-Q"),
    "clickhouse-client": ("-q", "--query"),
}
_BEHIND_FILE = ("sqlite3", "duckdb")  # they take statements behind the database's name
LONGEST = 200_000  # characters of SQL that are read
_OPTION = re.compile(r"-{1,2}\w[\w-]*=?")
_COMMENT = r"--[^\n]*|/\*(?!!).*?\*/"  # MySQL runs what stands in /*! */
_UNSPOKEN = tuple(  # whether a backslash escapes a quote is the client's matter
    re.compile(rf"(?s)(?P<quote>')(?:{inside})*'|{_COMMENT}") for inside in ("[^']|''", r"[^'\\]|''|\\.")
)
# What runs the text of a string.
_RUNS_TEXT = re.compile(r"(?i)\b(?:execute|exec|prepare|immediate|gexec|dblink\w*|sp_executesql|query_to_xml)\b")


def handed_statements(call: Call) -> str:
    """What a call hands over to its program to run, on its line where that is a database's client, and on its input."""
    texts = option_values(call.argv, _TEXTS.get(call.program, ()))
    texts += operands(call.argv, "-init -cmd -separator -c -s -f")[1:] if call.program in _BEHIND_FILE else []
    return "\n".join([*texts, call.stdin])


def finds(pattern: str, text: str, call: Call, flags: int = 0) -> bool:
    """Whether the pattern is found in a word or the input of a call, of a database's client in its statements."""
    if not re.search(pattern, text, flags):
        return False
    if call.program not in SQL_CLIENTS or "'" in pattern or len(text) > LONGEST or _RUNS_TEXT.search(text):
        return True
    option = _OPTION.match(text)
    head = option[0] if option else ""
    return any(re.search(pattern, head + statements(text[len(head) :], one), flags) for one in _UNSPOKEN)


def statements(text: str, unspoken: re.Pattern[str]) -> str:
    """The text with empty strings in place of strings, and without comments."""
    return unspoken.sub(lambda found: "''" if found["quote"] else " ", text)
