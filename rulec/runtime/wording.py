"""A rule's words as an agent may read them: on one line, and nothing in them that opens, steers or includes."""

import re
import unicodedata

SHORT = 160  # characters of when and do
LONG = 400  # of a statement, where room is dear
_STEERING = ("Cf", "Cs")
_ENDING = ("Cc", "Zl", "Zp")
_TAG = re.compile(r"<(?=/?[a-z]+-)", re.IGNORECASE)  # agents' programs mark their own words so: <system-reminder>


def line(statement: str, when: str, do: str, slug: str, spared: str = "") -> str:
    """Statement, when, do and name of a rule in one line; ``spared`` is what it leaves alone."""
    parts = [said(statement, when, spared, len(statement)), instead(do), name(slug)]
    return unopened(" ".join(part for part in parts if part))


def bare(statement: str, when: str, spared: str = "") -> str:
    """What a rule asks for and when, in as few words as room that is dear has for them."""
    return said(statement, when, spared, LONG)


def said(statement: str, when: str, spared: str, most: int) -> str:
    """The statement, clipped where it is longer, when it applies and what it leaves alone."""
    parts = [sentence(plain(clipped(statement, most)))]
    if when.strip():
        parts.append(sentence(f"When: {plain(clipped(when))}"))
    if spared.strip():
        parts.append(sentence(f"Except: {plain(clipped(spared))}"))
    return " ".join(parts)


def instead(do: str) -> str:
    """What to do instead, "" where the rule does not say."""
    return sentence(f"Do: {plain(clipped(do))}") if do.strip() else ""


def name(slug: str) -> str:
    """A rule's name at the end of its line."""
    return f"(`{words(slug).replace('`', '')}`)"


def sentence(text: str) -> str:
    """The text with a full stop where it has no end of its own."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def clipped(text: str, most: int = SHORT) -> str:
    """The text's first words, as many as fit."""
    text = words(text)
    if len(text) <= most:
        return text
    start = text[:most]
    return (start.rpartition(" ")[0] or start).rstrip(",;:") + " …"


def words(text: str) -> str:
    """The text on one line without characters that steer rather than show; joiners are part of scripts and stay."""
    return " ".join((text if text.isascii() and text.isprintable() else "".join(map(_shown, text))).split())


def _shown(character: str) -> str:
    category = unicodedata.category(character)
    if category in _ENDING:
        return " "
    return "" if category in _STEERING and character not in "\u200c\u200d" else character


def plain(text: str) -> str:
    """The text as words only: no HTML, no comment mark, no import of a file; balanced `code` stays code."""
    text = words(text)
    spans = text.split("`")
    if len(spans) % 2 == 0 or "``" in text or "\\`" in text:
        spans = [text.replace("`", "'")]
    return "`".join(_code(part) if index % 2 else _prose(part) for index, part in enumerate(spans))


def _prose(text: str) -> str:
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    # agents read "@path" in such a text as: put that file here
    return re.sub(r"(?<!\S)@(?=\S)", r"\\@", text)


def _code(text: str) -> str:
    return _TAG.sub("< ", text.replace("<!--", "<! --").replace("-->", "-- >"))


def unopened(text: str) -> str:
    """The text such that its first character opens no list, heading, fence, quote, table or link definition."""
    text = re.sub(r"^(\d+)([.)])", r"\1\\\2", text)
    return f"\\{text}" if text.startswith(("#", "-", "+", "*", "_", "~", "|", "[", "=")) else text
