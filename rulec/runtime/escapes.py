"""The escapes of $'...'."""

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\033", "E": "\033", "f": "\f", "v": "\v"}
HEX = {"x": 2, "u": 4, "U": 8}
SURROGATES, LAST = (0xD800, 0xE000), 0x110000


def escaped(text: str, at: int) -> "tuple[str, int]":
    """What the escape that goes on at this place stands for, and where it ends."""
    char = text[at : at + 1]
    if char in HEX:
        return _number(text, at + 1, HEX[char], 16)
    if char and char in "01234567":
        return _number(text, at, 3, 8)
    return ESCAPES.get(char, char), at + 1


def _number(text: str, at: int, most: int, base: int) -> "tuple[str, int]":
    digits = "0123456789abcdefABCDEF" if base == 16 else "01234567"
    end = at
    while end < len(text) and end - at < most and text[end] in digits:
        end += 1
    value = int(text[at:end] or "0", base)
    return (chr(value) if 0 < value < SURROGATES[0] or SURROGATES[1] <= value < LAST else ""), end
