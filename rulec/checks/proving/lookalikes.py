"""Innocents that look like an offence: requests for help, places outside the repository, things not named."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from rulec.checks.proving.check_reach import CheckReach
from rulec.domain.files import globs
from rulec.domain.patterns.command_patterns import pattern_programs
from rulec.domain.rule import Example, Rule
from rulec.shell.command_matching import asks_for_help, matches
from rulec.shell.parsing.parser import parse_shell

Made = Iterator[tuple[str, Example]]
OUTSIDE = ("/tmp/scratch", "/var/lib/other")  # noqa: S108 - folders of no repository, where nothing is written
_PLAIN = re.compile(r"[\w./:=@,+~%-]+(?: [\w./:=@,+~%-]+)*")
_VERSION = re.compile(r"\d+(?=[^\d]*\Z)")
_OTHERS = {"main": "topic/other-thing", "master": "topic/other-thing"}
_UNLIKE = "another-one"
_COMMANDS = ("ls", "pwd", "git status", "cat README.md")
_FILES = ("area/thing.item", "area/Thing.item", "area/some-thing.item", "area/some_thing.item", "area/THING")
_OF_ALL = re.compile(r"\b(?:all|any|every|each|no|only)(?:\s+\w+)?\s+(?:commands?|files?)\b", re.IGNORECASE)


def certain_innocents(example: Example, reach: CheckReach) -> Made:
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


def everyday_actions(rule: Rule, reach: CheckReach) -> Made:
    """What is done all day, where a check is so wide that it may catch it and the rule does not speak of it."""
    programs = [name for check in reach.on("command") for pattern in check["patterns"] for name in _spoken(pattern)]
    for command in _COMMANDS:
        program = command.split(" ")[0]
        if {program, ""} & set(programs) and not _means(rule, command):
            yield "done every day", Example(kind="command", text=command)
    for check in reach.on("path"):
        where, spared = check["globs"], check.get("except") or ()
        if not spared and all(globs.match(where, path) for path in _FILES) and not _OF_ALL.search(rule.statement):
            yield "any file", Example(kind="file", path=_FILES[0], text="x\n")
            yield "any edit", Example(kind="edit", path=_FILES[0], old="x", text="y")


def _spoken(pattern: str) -> frozenset[str]:
    """The programs that a pattern of commands speaks of; "" where that may be any."""
    return frozenset(pattern_programs(pattern) or ("",))


def _means(rule: Rule, command: str) -> bool:
    """Whether the rule speaks of such a command: its statement names it, or all commands, or an offence runs it."""
    program, *rest = command.split(" ")
    if _OF_ALL.search(rule.statement):
        return True
    last = [(one.steps or (one,))[-1] for one in rule.invalid]
    run = [call for one in last if one.kind == "command" for call in parse_shell(one.text).calls]
    if any(matches(command if program == "git" else program, call) for call in run):
        return True
    named = rf"(?<![\w.-]){re.escape(program)}(?![\w.-])"
    if program != "git":
        return bool(re.search(named, rule.statement))
    subs = {
        call.argv[1] for call in run if call.program == "git" and len(call.argv) > 1
    }  # git push names no git status
    following = re.findall(rf"{named}(?:\s+([\w-]+))?", rule.statement)
    return any(word in rest or word not in subs for word in following)


def help_requests(example: Example, reach: CheckReach) -> Made:
    """Requests for help of programs that may take such words otherwise."""
    yield from ((name, made) for name, made in _asked(example, reach) if not _only_helps(made, reach))


def _only_helps(example: Example, reach: CheckReach) -> bool:
    """Whether the program's manual says that it only tells of itself, and no check is about just that."""
    calls = parse_shell(example.text).calls
    named = any(word in text for text in reach.given for word in ("help", "version"))
    return bool(reach.on("command")) and not named and len(calls) == 1 and asks_for_help(calls[0])


def _asked(example: Example, reach: CheckReach) -> Made:
    """The program is asked what it does, or which one it is."""
    if example.kind != "command" or not _PLAIN.fullmatch(example.text) or reach.on("session"):
        return
    words = example.text.split(" ")
    sub = next((n for n, word in enumerate(words) if n and word.startswith("-")), len(words))
    yield "asked for help", replace(example, text=" ".join([*words[: min(sub, 2)], "--help"]))
    yield "asked for its version", replace(example, text=f"{words[0]} --version")


def acts_on_unnamed(example: Example, rule: Rule) -> Made:
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


def undone_offences(example: Example, reach: CheckReach) -> Made:
    """The offence taken back: what was put there goes again."""
    if example.kind == "edit" and example.text and example.text not in example.old and not reach.demands:
        if not reach.on("path", "change", "session"):
            yield "taken back", replace(example, old=example.text, text=example.old)
    elif example.kind in ("file", "edit") and reach.on("path"):
        yield "put back by git", Example(kind="command", text=f"git restore {example.path}")
