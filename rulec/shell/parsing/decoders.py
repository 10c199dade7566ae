"""What a text becomes behind programs that write it otherwise: base64, hex, backwards, by the letter."""

import base64
import binascii

LONGEST = 100_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"
TURNED = str.maketrans(LETTERS + LETTERS.upper(), "nopqrstuvwxyzabcdefghijklm" + "NOPQRSTUVWXYZABCDEFGHIJKLM")


def decoder_output(program: str, words: "list[str]", given: str) -> "str | None":
    """What the program says of the text that it is given; None where that is not known."""
    given = given[:LONGEST]
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
