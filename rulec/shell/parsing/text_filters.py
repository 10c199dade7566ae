"""What programs make of a text: base64 and hex decoded, reversed, translated, and what sed and perl put in."""

import base64
import binascii
import re

LONGEST_DECODED = 100_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"
TURNED = str.maketrans(LETTERS + LETTERS.upper(), "nopqrstuvwxyzabcdefghijklm" + "NOPQRSTUVWXYZABCDEFGHIJKLM")


def decoder_output(program: str, words: "list[str]", given: str) -> "str | None":
    """What the program prints for the given text; None where that is not known."""
    given = given[:LONGEST_DECODED]
    try:
        if program == "base64" and any(word in ("-d", "-D", "--decode", "-di", "-id") for word in words):
            return base64.b64decode("".join(given.split())).decode("utf-8", "replace").rstrip("\n")
        if program == "xxd" and any("r" in word for word in words if word.startswith("-")):
            return binascii.unhexlify("".join(given.split())).decode("utf-8", "replace").rstrip("\n")
    except (ValueError, binascii.Error):
        return None
    if program == "rev":
        return "\n".join(line[::-1] for line in given.rstrip("\n").split("\n"))
    turned = (
        program == "tr" and len(words) == 2 and words[0].lower().startswith(("a-za-z", "a-z")) and words[1][:1] in "nN"
    )
    return given.translate(TURNED).rstrip("\n") if turned else None


LONGEST_SCRIPT = 4_000  # signs of a script that are read
_ADDRESS = re.compile(r"\s*(?:(?:\d+|\$|/(?:[^/\\]|\\.)*/)(?:,(?:\d+|\$|\+\d+|/(?:[^/\\]|\\.)*/))?)?\s*!?\s*")
_INSERT = re.compile(r"[aic](?:\\\s*|[ \t]+|(?=\S))(?P<text>.+)", re.DOTALL)


def inserted_text(scripts: "list[str]") -> str:
    """The text that sed or perl scripts put into a file, as far as they show it."""
    return "\n".join(text for script in scripts for text in _inserted_pieces(script[:LONGEST_SCRIPT]) if text)


def _inserted_pieces(script: str) -> "list[str]":
    found = []
    for command in script.split("\n"):
        address = _ADDRESS.match(command)
        body = command[address.end() :] if address else command
        inserted = _INSERT.fullmatch(body)
        if body[:1] == "s" and len(body) > 1 and not body[1].isalnum() and not body[1].isspace():
            parts = _split_script(body[2:], body[1])
            found += [_plain_text(parts[1])] if len(parts) > 1 else []
        elif inserted:
            found.append(_plain_text(inserted["text"]))
    return found


_FLAGS = re.compile(r"[gpiIemM0-9]*")
_TO_LINE_END, _TO_SEMICOLON = "aicrRe#", "btTqQlL:"  # commands of sed by how far their argument reaches


def written_by_sed(scripts: "list[str]") -> "list[str]":
    """The files into which the ``w`` of sed scripts writes; such a name reaches to the end of its line."""
    lines = (line for script in scripts for line in script[:LONGEST_SCRIPT].split("\n"))
    return [path for line in lines if "w" in line.lower() and (path := _written_in_line(line))]


def _written_in_line(line: str) -> str:
    left = line
    while left:
        address = _ADDRESS.match(left)
        left = left[address.end() :] if address else left
        name, left = left[:1], left[1:]
        if name in ("s", "y") and left:
            sign = left[0]
            left = sign.join(_split_script(left[1:], sign, kept=True)[2:])
            flags = _FLAGS.match(left) if name == "s" else None
            left = left[flags.end() :] if flags else left
            name = "w" if left[:1] in ("w", "W") else name
            left = left[1:] if name == "w" else left
        if name in ("w", "W"):
            return left.strip()
        if name and name in _TO_LINE_END:
            return ""
        left = left.partition(";")[2] if name and name in _TO_SEMICOLON else left.lstrip("; \t{}")
    return ""


def written_by_awk(scripts: "list[str]") -> "list[str]":
    """The files into which awk programs print, where a text names them."""
    return [found["path"] for script in scripts for found in _AWK_OUTPUT.finditer(script[:LONGEST_SCRIPT])]


_AWK_OUTPUT = re.compile(r"\bprintf?\b[^;}\n>|]*>>?\s*\"(?P<path>[^\"\n]+)\"")


def _split_script(text: str, sign: str, *, kept: bool = False) -> "list[str]":
    """The parts between unescaped signs; with ``kept`` the escaped ones stay escaped."""
    parts, at = [""], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            parts[-1] += text[at + 1] if text[at + 1] == sign and not kept else text[at : at + 2]
            at += 1
        elif text[at] == sign:
            parts.append("")
        else:
            parts[-1] += text[at]
        at += 1
    return parts


def _plain_text(text: str) -> str:
    """A replacement without its references to the match."""
    marks = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", "&": ""}
    return re.sub(r"\\.|&", lambda mark: marks.get(mark[0], "" if mark[0][1:].isdigit() else mark[0][1:]), text)
