"""What looks like an offence and is none: help texts, places outside the repository, what the statement does not name.

Those that are innocent whatever the rule says are firm: a check that catches one is not proved. The others are told.
"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from rulec.model.rule import Example, Rule
from rulec.mutants.reach import Reach
from rulec.runtime.helps import asks
from rulec.runtime.shell import parse

Made = Iterator[tuple[str, Example]]
OUTSIDE = ("/tmp/scratch", "/var/lib/other")  # noqa: S108 - folders of no repository, where nothing is written
_PLAIN = re.compile(r"[\w./:=@,+~%-]+(?: [\w./:=@,+~%-]+)*")
_VERSION = re.compile(r"\d+(?=[^\d]*\Z)")
_OTHERS = {"main": "topic/other-thing", "master": "topic/other-thing"}
_UNLIKE = "another-one"


def firm(example: Example, reach: Reach) -> Made:
    """Innocent by construction."""
    yield from ((name, made) for name, made in _asked(example, reach) if _only_helps(made, reach))
    if (
        example.kind in ("file", "edit")
        and not example.path.startswith(("/", "~", ".."))
        and reach.on("path", "text", "dependency")
    ):
        name = posixpath.basename(example.path)
        if not any(text.startswith(("/", "~")) for text in reach.given):
            for folder in OUTSIDE:
                yield f"outside the repository: {folder}", replace(example, path=f"{folder}/{name}")


def asked(example: Example, reach: Reach) -> Made:
    """A program that may be only asked what it does: told, for it may take these words otherwise."""
    yield from ((name, made) for name, made in _asked(example, reach) if not _only_helps(made, reach))


def _only_helps(example: Example, reach: Reach) -> bool:
    """Whether the program's manual says that it only tells of itself, and no check is about just that."""
    calls = parse(example.text).calls
    named = any(word in text for text in reach.given for word in ("help", "version"))
    return bool(reach.on("command")) and not named and len(calls) == 1 and asks(calls[0])


def _asked(example: Example, reach: Reach) -> Made:
    """The program is asked what it does, or which one it is."""
    if example.kind != "command" or not _PLAIN.fullmatch(example.text) or reach.on("session"):
        return
    words = example.text.split(" ")
    sub = next((n for n, word in enumerate(words) if n and word.startswith("-")), len(words))
    yield "asked for help", replace(example, text=" ".join([*words[: min(sub, 2)], "--help"]))
    yield "asked for its version", replace(example, text=f"{words[0]} --version")


def unnamed(example: Example, rule: Rule) -> Made:
    """The same act on something else than what the statement names: another branch, version, folder or member."""
    named = set(re.findall(r"[\w./@-]*\w", rule.statement.lower()))
    if example.kind == "command" and _PLAIN.fullmatch(example.text):
        words = example.text.split(" ")
        for at, word in enumerate(words):
            bare = word.lower().lstrip("-")
            if not at or not {word.lower(), bare} & named:
                continue
            if word.startswith("-"):
                yield f"without {word}", replace(example, text=" ".join([*words[:at], *words[at + 1 :]]))
            elif _VERSION.search(word):
                other = _VERSION.sub(lambda found: str(int(found[0]) + 1), word)
                yield f"not {word}", replace(example, text=" ".join([*words[:at], other, *words[at + 1 :]]))
            elif at > 1 or "/" in word:  # the second word is what the program does
                other = _OTHERS.get(bare, _UNLIKE)
                yield f"not {word}", replace(example, text=" ".join([*words[:at], other, *words[at + 1 :]]))
    elif example.kind in ("file", "edit") and "/" in example.path:
        top, _, rest = example.path.partition("/")
        if top.lower() in {name.strip("/").partition("/")[0] for name in named}:
            yield f"not in {top}/", replace(example, path=f"elsewhere/{rest}")


def undone(example: Example, reach: Reach) -> Made:
    """The offence taken back: what was put there goes again."""
    if example.kind == "edit" and example.text and example.text not in example.old and not reach.demands:
        if not reach.on("path", "change", "session"):
            yield "taken back", replace(example, old=example.text, text=example.old)
    elif example.kind in ("file", "edit") and reach.on("path"):
        yield "put back by git", Example(kind="command", text=f"git restore {example.path}")
