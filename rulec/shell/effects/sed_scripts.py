"""What stream editors put into files: the replacements and inserted lines of sed and perl."""

import re

LONGEST = 4_000  # signs of a script that are read
_ADDRESS = re.compile(r"\s*(?:(?:\d+|\$|/(?:[^/\\]|\\.)*/)(?:,(?:\d+|\$|\+\d+|/(?:[^/\\]|\\.)*/))?)?\s*!?\s*")
_INSERT = re.compile(r"[aic](?:\\\s*|[ \t]+|(?=\S))(?P<text>.+)", re.DOTALL)


def inserted_text(scripts: "list[str]") -> str:
    """The text that the scripts put into lines, as far as they show it."""
    return "\n".join(text for script in scripts for text in _inserted_pieces(script[:LONGEST]) if text)


def _inserted_pieces(script: str) -> "list[str]":
    found = []
    for command in script.split("\n"):
        address = _ADDRESS.match(command)
        body = command[address.end() :] if address else command
        inserted = _INSERT.fullmatch(body)
        if body[:1] == "s" and len(body) > 1 and not body[1].isalnum() and not body[1].isspace():
            parts = _split(body[2:], body[1])
            found += [_plain(parts[1])] if len(parts) > 1 else []
        elif inserted:
            found.append(_plain(inserted["text"]))
    return found


def _split(text: str, sign: str) -> "list[str]":
    """The parts between unescaped signs."""
    parts, at = [""], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            parts[-1] += text[at + 1] if text[at + 1] == sign else text[at : at + 2]
            at += 1
        elif text[at] == sign:
            parts.append("")
        else:
            parts[-1] += text[at]
        at += 1
    return parts


def _plain(text: str) -> str:
    """A replacement without marks for what was matched."""
    marks = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", "&": ""}
    return re.sub(r"\\.|&", lambda mark: marks.get(mark[0], "" if mark[0][1:].isdigit() else mark[0][1:]), text)
