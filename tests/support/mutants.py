"""JSON that went wrong, the same way each time: bytes flipped, cut or put in, values of other kinds, fields added."""

import json
from random import Random
from typing import Any

ODD: list[Any] = [None, True, 0, -1, 1e308, "", "\x00", "\ud800", "../..", "~", "*", [], {}, [[]], [None], {"": {}}]
BITS = [b"null", b"{}", b"[]", b"\\u0000", b"\\ud800", b'"', b"9e999", b"../", b"\xef\xbb\xbf", b"\r\n", b"\x00", b"'"]
DEEP = [b"[" * 50_000, b'{"a":' * 20_000, b"9" * 10_000]


def mutated(pick: Random, seeds: list[dict[str, Any]]) -> bytes:
    """A question that went wrong in its values, in its bytes, or in both."""
    question = pick.choice(seeds)
    how = pick.randrange(3)
    if how != 0:
        question = _bent(pick, question)
    data = bytearray(json.dumps(question).encode())
    for _ in range(pick.randrange(1, 6) if how != 1 else 0):
        data = _broken(pick, data)
    return pick.choice(DEEP) if pick.randrange(500) == 0 else bytes(data)


def _bent(pick: Random, value: dict[str, Any]) -> dict[str, Any]:
    """The object with some of its values replaced, left out or put elsewhere, at any depth."""
    found = dict(value)
    for key in list(found):
        turn = pick.randrange(8)
        if isinstance(found[key], dict) and turn < 6:
            found[key] = _bent(pick, found[key])
        elif turn == 0:
            found[key] = pick.choice(ODD)
        elif turn == 1:
            del found[key]
        elif turn == 2 and isinstance(found[key], str):
            found[key] += pick.choice(["\x00", "'", '"', "$(", "\n", "\udfff", "/" * 300, "a" * 5_000, "<<EOF", "\\"])
    return found


def _broken(pick: Random, data: bytearray) -> bytearray:
    at = pick.randrange(len(data) or 1)
    what = pick.randrange(4)
    if what == 0:
        data[at : at + 1] = bytes([pick.randrange(256)])
    elif what == 1:
        del data[at : at + pick.randrange(1, 9)]
    elif what == 2:
        data[at:at] = pick.choice(BITS)
    else:
        data = data[: at + 1]
    return data


def grown(pick: Random, question: dict[str, Any]) -> dict[str, Any]:
    """The question with fields that no agent has sent yet, in any order."""
    more = {f"x_{pick.randrange(10**6)}": pick.choice(ODD) for _ in range(pick.randrange(1, 5))}
    items = [*question.items(), *more.items()]
    pick.shuffle(items)
    return {key: grown(pick, value) if isinstance(value, dict) and value else value for key, value in items}
