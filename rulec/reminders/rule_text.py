"""A rule's text for agents: one line, with nothing that closes a block or includes a file, and its cost in tokens."""

import re
import unicodedata

SHORT = 160  # characters of when and do
LONG = 400  # of a statement, where room is dear
_STEERING = ("Cf", "Cs")
_ENDING = ("Cc", "Zl", "Zp")
_TAG = re.compile(r"<(?=/?[a-z]+-)", re.IGNORECASE)  # agents' programs mark their own words so: <system-reminder>


def rule_line(statement: str, when: str, do: str, slug: str) -> str:
    """Statement, when, do and name of a rule in one line."""
    parts = [described(statement, when, "", len(statement)), instead_clause(do), slug_mark(slug)]
    return escape_opening(" ".join(part for part in parts if part))


def brief_line(statement: str, when: str, spared: str = "") -> str:
    """What a rule asks for and when, in as few words as room that is dear has for them."""
    return described(statement, when, spared, LONG)


def described(statement: str, when: str, spared: str, most: int) -> str:
    """The statement, clipped where it is longer, when it applies and what it leaves alone."""
    parts = [as_sentence(plain_text(clip(statement, most)))]
    if when.strip():
        parts.append(as_sentence(f"When: {plain_text(clip(when))}"))
    if spared.strip():
        parts.append(as_sentence(f"Except: {plain_text(clip(spared))}"))
    return " ".join(parts)


def instead_clause(do: str) -> str:
    """What to do instead, "" where the rule does not say."""
    return as_sentence(f"Do: {plain_text(clip(do))}") if do.strip() else ""


def slug_mark(slug: str) -> str:
    """A rule's name at the end of its line."""
    return f"(`{one_line(slug).replace('`', '')}`)"


def as_sentence(text: str) -> str:
    """The text with a full stop where it has no punctuation at its end."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def clip(text: str, most: int = SHORT) -> str:
    """The text's first words, as many as fit."""
    text = one_line(text)
    if len(text) <= most:
        return text
    start = text[:most]
    return (start.rpartition(" ")[0] or start).rstrip(",;:") + " …"


def one_line(text: str) -> str:
    """The text on one line without characters that steer rather than show; joiners are part of scripts and stay."""
    return " ".join((text if text.isascii() and text.isprintable() else "".join(map(_visible, text))).split())


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category in _ENDING:
        return " "
    return "" if category in _STEERING and character not in "\u200c\u200d" else character


def plain_text(text: str) -> str:
    """The text as words only: no HTML, no comment mark, no import of a file; balanced `code` stays code."""
    text = one_line(text)
    spans = text.split("`")
    if len(spans) % 2 == 0 or "``" in text or "\\`" in text:
        spans = [text.replace("`", "'")]
    return "`".join(_code(part) if index % 2 else _prose(part) for index, part in enumerate(spans))


def _prose(text: str) -> str:
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    # agents read "@path" in such a text as: put that file here; what follows may yet be a full stop
    return re.sub(r"(?<!\S)@", r"\\@", text)


def _code(text: str) -> str:
    return _TAG.sub("< ", text.replace("<!--", "<! --").replace("-->", "-- >"))


def escape_opening(text: str) -> str:
    """The text such that its first character opens no list, heading, fence, quote, table or link definition."""
    text = re.sub(r"^(\d+)([.)])", r"\1\\\2", text)
    return f"\\{text}" if text.startswith(("#", "-", "+", "*", "_", "~", "|", "[", "=")) else text


_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\x00-\x7f]+|[^\sA-Za-z0-9]")
LETTERS_A_TOKEN = 6  # of a word that are one token
SIGNS_A_TOKEN = 3  # of a number, or of capitals in a row


def count_tokens(text: str) -> int:
    """About as many as agents count, rather more than fewer."""
    return sum(map(_tokens_of_piece, _PIECE.findall(text)))


def _tokens_of_piece(piece: str) -> int:
    if not piece.isascii():
        return (2 * len(piece.encode("utf-8", "surrogatepass")) + 2) // 3
    return 1 + (len(piece) - 1) // (LETTERS_A_TOKEN if piece[-1].islower() else SIGNS_A_TOKEN)


NAMES = "(left out: %s; `rulec why NAME` tells one)"
COUNTED = "(left out: %d; see `rulec rules`)"
NAMING_SHARE = 8  # one part of so many of the room is for the names of what does not fit


def naming_tokens(room: int) -> int:
    """How many of the tokens that there are for rules are for the names of those that do not fit."""
    return count_tokens(COUNTED % 10_000) + room // NAMING_SHARE


def name_the_rest(slugs: "list[str]", room: int) -> str:
    """One line with the names of the rules that are left out, as many as there is room for; "" for none."""
    if not slugs:
        return ""
    names = [f"`{slug}`" for slug in slugs]
    left = room - count_tokens(NAMES % f" and {len(slugs)} more")
    names = names[: count_within([count_tokens(f"{name},") for name in names], left)]
    more = len(slugs) - len(names)
    if not names:
        return COUNTED % more
    return NAMES % (", ".join(names) + (f" and {more} more" if more else ""))


def count_within(costs: "list[int]", room: int) -> int:
    """How many of the first costs the room holds."""
    for count, cost in enumerate(costs):
        room -= cost
        if room < 0:
            return count
    return len(costs)
