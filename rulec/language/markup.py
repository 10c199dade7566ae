"""A line of Markdown -> the words in it: no emphasis, links, images, tags or comments; code stays in its marks."""

import re

_IMAGE = re.compile(r"!\[[^\[\]\n]{0,300}\]\([^()\n]{0,500}\)")
_LINK = re.compile(r"\[([^\[\]\n]{0,300})\](?:\([^()\n]{0,500}\)|\[[^\[\]\n]{0,100}\])")
_NOTE = re.compile(r"\[\^[^\[\]\n]{1,60}\]")
_COMMENT = re.compile(r"<!--[^<>\n]{0,500}-->")
_TAG = re.compile(
    r"</?(?:a|b|br|center|code|dd|details|div|dl|dt|em|h[1-6]|hr|i|img|kbd|li|ol|p|small|span|strong|sub|summary|sup|u|ul)"
    r"(?:\s[^<>\n]{0,300})?/?>",
    re.IGNORECASE,
)
_STRONG = re.compile(r"\*\*|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)")
_STRESSED = re.compile(r"(?<![\w*/.])\*(?=[^\s*.])([^*\n]{1,300})(?<=\S)\*(?![\w*/.])")
_UNDERLINED = re.compile(r"(?<![\w_])_(?=[^\s_])([^_\n]{1,300})(?<=\S)_(?![\w_])")
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")


def plain(text: str) -> str:
    """The words of a line, on one line."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a mark without its fellow is a sign like others
        parts = [text]
    told = [part if number % 2 else _words(part) for number, part in enumerate(_linked(parts))]
    return " ".join("`".join(told).split())


def _linked(parts: list[str]) -> list[str]:
    """The parts with links and images gone, also those around code: "[`guide`](x.md)"."""
    if len(parts) == 1:
        return parts
    codes = parts[1::2]
    masked = "\0".join(parts[0::2])
    masked = _LINK.sub(r"\1", _IMAGE.sub("", masked))
    words = masked.split("\0")
    if len(words) != len(codes) + 1:  # a code was part of an image or an address
        return [masked.replace("\0", "")]
    return [part for pair in zip(words, [*codes, ""], strict=True) for part in pair][:-1]


def _words(text: str) -> str:
    for pattern in (_COMMENT, _IMAGE, _NOTE, _TAG, _STRUCK):
        text = pattern.sub("", text)
    text = _LINK.sub(r"\1", text)
    text = _STRONG.sub("", text)
    text = _UNDERLINED.sub(r"\1", _STRESSED.sub(r"\1", text))
    return _ESCAPED.sub(r"\1", text)
