"""Where the index lies and how its bytes are laid out."""

import os

VERSION = 4
COMPILED = os.path.join(".rules", "compiled")
GUARD = os.path.join(COMPILED, "guard")
WORDS = os.path.join(COMPILED, "words")
KINDS = ("judge", "semgrep", "shell")  # of artifacts that hold at the commit, but not at a tool call
NAME = "guard.index"
PERSONAL = ("rulec", "rules")  # below the person's settings: a repository of their own, with the same layout
BELOW = "RULEC_BELOW_MODEL"  # set for a model's own process: whoever rulec asked asks no other, and that is all
HEADER = 160  # one padded line: magic, stamp, buckets, size, flags
SLOT = 24  # decimal offset, length and sum of one bucket, padded


def settled() -> str:
    """Where the person's own rulebook would be."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.expanduser("~/.config"), *PERSONAL)


def hashed(word: str) -> int:
    """The same number for the same word in every process."""
    value = 2166136261
    for byte in word.encode("utf-8", "surrogatepass"):
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value


def summed(data: bytes) -> int:
    """A check sum that costs next to nothing."""
    return sum(data) + sum(data[::2])
