"""Variants of a rule's examples, of ten kinds, whose verdict is known: they show where its checks end."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from shlex import quote

from rulec.checks.proving.check_reach import CheckReach, find_pattern, reach_of_checks
from rulec.checks.proving.proof import ExampleVariant
from rulec.domain.artifact import Artifact
from rulec.domain.files import globs
from rulec.domain.files.languages import CHECKED, language_of_file, line_comment
from rulec.domain.patterns.command_patterns import pattern_programs
from rulec.domain.rule import RAW_TEMPLATES, Example, Rule
from rulec.shell.command_matching import asks_for_help, matches
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.programs import global_options, valued_options

MOST_VARIANTS = 20  # of one example
Named = Iterator[tuple[str, Example]]  # the kind of variant, and the variant
_PLAIN = re.compile(r"[\w./:=@,+~%-]+(?: [\w./:=@,+~%-]+)*")  # a command of plain words


def make_variants(rule: Rule, artifacts: Sequence[Artifact]) -> tuple[ExampleVariant, ...]:
    """Variants of every example, the same ones for the same rule."""
    seen = reach_of_checks(rule, artifacts)
    raw = any(check.template in RAW_TEMPLATES for check in rule.checks)  # of which nobody knows what else it minds
    found: dict[Example, ExampleVariant] = {}

    def note(made: Iterable[tuple[str, Example]], *, invalid: bool = False, ask: bool = False) -> None:
        for name, example in made:
            found.setdefault(
                example,
                ExampleVariant(name=name, example=example, invalid=invalid, firm=not (invalid or ask), open=ask),
            )

    for example in rule.invalid:
        note(islice(_same(example, rule, seen, invalid=True), MOST_VARIANTS), invalid=True)
    for example in rule.valid:
        note(islice(_same(example, rule, seen, invalid=False), MOST_VARIANTS), ask=raw)
    note(_done_every_day(rule, seen))
    for example in rule.invalid:
        note(islice(_innocent(example, seen), MOST_VARIANTS))
    for example in rule.invalid:
        note(islice(_for_a_person(example, rule, seen), MOST_VARIANTS), ask=True)
    known = {*rule.invalid, *rule.valid}
    return tuple(variant for variant in found.values() if variant.example not in known)


def _same(example: Example, rule: Rule, seen: CheckReach, *, invalid: bool) -> Named:
    """The same act in another form, to be decided as the example is."""
    match example.kind:
        case "command":
            yield from _commands(example, seen)
        case "message":
            yield from _messages(example, rule, seen)
        case "session":
            yield from _sessions(example, seen)
        case "commit":
            yield from _commits(example, seen)
        case "file" | "edit":
            yield from _other_places(example, seen)
            yield from _other_tools(example, seen, invalid=invalid)
            yield from _other_layout(example, seen)


def _innocent(example: Example, seen: CheckReach) -> Named:
    """What looks like an offence and is innocent by construction."""
    yield from _only_named(example, seen)
    yield from ((name, made) for name, made in _asked_for_help(example, seen) if _only_helps(made, seen))
    if example.kind in ("file", "edit") and not example.path.startswith(("/", "~", "..")):
        rooted = any(text.startswith(("/", "~")) for text in seen.given)
        if seen.on("path", "text", "dependency") and not rooted:
            yield "outside the repository", replace(example, path=f"{_OUTSIDE}/{posixpath.basename(example.path)}")


def _for_a_person(example: Example, rule: Rule, seen: CheckReach) -> Named:
    """What a rule may mean, too: whether it does only a person can say."""
    yield from ((name, made) for name, made in _asked_for_help(example, seen) if not _only_helps(made, seen))
    yield from (("something else", made) for made in _on_unnamed(example, rule))


_OUTSIDE = "/tmp/scratch"  # noqa: S108 - a folder of no repository, where nothing is written

# Commands


_OPEN = re.compile(r"[;&\\|]\s*\Z|#|<<")  # text behind it would read as another command, or not at all
_FLAGS_ANYWHERE = {  # subcommands whose flags may stand anywhere behind them
    "git": "commit push merge rebase pull fetch add tag", "npm": "install i ci add", "pnpm": "install i add",
    "yarn": "install add", "pip": "install", "gh": "pr issue",
}  # fmt: skip
_QUIET = {"git": "--no-pager", "npm": "--silent", "pnpm": "--silent", "docker": "--debug", "cargo": "--quiet"}


def _commands(example: Example, seen: CheckReach) -> Named:
    command = example.text
    if seen.free("true"):
        several = "\n" if "\n" in command else " && "
        yield "beside others", replace(example, text=f"true{several}{command}")
        if not _OPEN.search(command):
            yield "beside others", replace(example, text=f"{command}; true")
    if _PLAIN.fullmatch(command):
        for text in _other_flags(command.split(" ")):
            if text != command:
                yield "other flags", replace(example, text=text)


def _other_flags(words: list[str]) -> Iterator[str]:
    """Flags elsewhere and values joined otherwise, for programs of which it is known where they may stand."""
    program, sub = words[0], words[1] if len(words) > 1 else ""
    if program in _QUIET and sub and not sub.startswith("-"):
        yield " ".join([program, _QUIET[program], *words[1:]])
    if sub not in _FLAGS_ANYWHERE.get(program, "").split() or "--" in words:
        return
    valued = [*valued_options(f"{program} {sub}"), *global_options(program)]
    start = 3 if program == "gh" else 2
    for at in range(start, len(words)):
        flag, after = words[at], words[at + 1] if at + 1 < len(words) else "-"
        if not flag.startswith("--") or "=" in flag:
            continue
        if flag in valued:
            if after != "-":
                yield " ".join([*words[:at], f"{flag}={after}", *words[at + 2 :]])
        elif after.startswith("-") and words[at - 1] not in valued:
            rest = words[:at] + words[at + 1 :]
            if rest[-1] not in valued:
                yield " ".join([*rest[:start], flag, *rest[start:]] if at > start else [*rest, flag])
            return


def _sessions(example: Example, seen: CheckReach) -> Named:
    *before, last = example.steps
    look = next((command for command in _LOOKS if seen.free(command.split(" ")[0])), None)
    if look:
        step = Example(kind="command", text=look)
        yield "beside others", replace(example, steps=(step, *example.steps))
        yield "beside others", replace(example, steps=(*before, step, last))
    if last.kind == "command":
        for name, made in _commands(last, seen):
            yield name, replace(example, steps=(*before, made))


_LOOKS = ("ls -la", "pwd", "date", "whoami")

# Messages and commits


def _messages(example: Example, rule: Rule, seen: CheckReach) -> Named:
    message, bare = example.text, example.text.rstrip("\n")
    if "\r" not in message:
        yield "line ends", replace(example, text=message.replace("\n", "\r\n"))
    if bare != message:
        yield "line ends", replace(example, text=bare)
    minds = any("body" in name and given for check in rule.checks for name, given in check.parameters.items())
    trailer = re.search(r"\n[\w-]+ ?: .*\Z", bare)  # no body stands behind it
    if not (minds or trailer or any(find_pattern(f"(?i){text}", _BODY) for text in seen.patterns)):
        yield "beside others", replace(example, text=f"{bare}\n\n{_BODY}\n")
    if seen.free("git") and "\r" not in message and bare.strip() and not message.startswith(("\n", " ", "#")):
        yield "another tool", Example(kind="command", text=f"git commit -m {quote(message.rstrip())}")


_BODY = "It was asked for"


def _commits(example: Example, seen: CheckReach) -> Named:
    if not seen.scripts:
        yield "beside others", replace(example, text="Do as was said")
    if len(example.files) > 1:
        yield "beside others", replace(example, files=tuple(reversed(example.files)))
    if seen.on("change") and not any("\r" in text for _, text in example.files):
        files = tuple((name, text.replace("\n", "\r\n")) for name, text in example.files)
        if files != example.files:
            yield "line ends", replace(example, files=files)


# Files


def _other_places(example: Example, seen: CheckReach) -> Named:
    """The same content in files that no glob of the rule tells from this one."""
    folder, _, name = example.path.rpartition("/")
    stem, dot, ending = name.partition(".") if not name.startswith(".") else ("", "", "")
    if not (dot and stem.islower()) or seen.scripts or seen.on("dependency"):  # they know files by their names
        return
    others = (f"{stem}_two.{ending}", f"two_{stem}.{ending}", f"{stem}two.{ending}")
    for path in (*(posixpath.join(folder, other) for other in others), posixpath.join(folder, "inner", name)):
        if seen.same_place(example.path, path):
            yield "other place", replace(example, path=path)
            return


def _other_tools(example: Example, seen: CheckReach, *, invalid: bool) -> Named:
    """The path touched by commands, and the content put there by another of the agent's tools."""
    path = quote(example.path)
    for check in seen.on("path"):
        how = set(check.get("how") or ("create", "change", "delete"))
        if check.get("existing"):  # whether the file was there before, none of these commands tells
            continue
        if {"create", "change"} <= how:
            yield "another tool", Example(kind="command", text=f"echo x > {path}")
            yield "another tool", Example(kind="command", text=f"cp /tmp/x {path}")
            yield "another tool", Example(kind="command", text=f"sed -i s/a/b/ {path}")
        if "delete" in how and invalid:
            yield "another tool", Example(kind="command", text=f"rm -f {path}")
    if seen.on("path", "change") or seen.scripts or seen.demands:
        return
    if example.kind == "file" and example.text:
        yield "another tool", replace(example, kind="edit")
    elif example.kind == "edit" and (invalid or not example.old):
        yield "another tool", replace(example, kind="file", old="")


def _other_layout(example: Example, seen: CheckReach) -> Named:
    """The same content with other ends of lines and of the file."""
    for name, text in _line_ends(example.text, _checked_language(example.path), seen):
        if text != example.text:
            yield name, replace(example, text=text)


def _checked_language(path: str) -> str:
    """The language that a file is written in, "" where it is none that check templates know."""
    language = language_of_file(path)
    return language if language in CHECKED else ""


def _line_ends(content: str, language: str, seen: CheckReach) -> Iterator[tuple[str, str]]:
    """Other ends of lines and of the file, where no check minds where a line stands or how many there are."""
    spots = any(sign in text for text in seen.patterns for sign in (r"\A", r"\Z", r"\n", r"\r", "(?s", "\n"))
    if spots or seen.scripts or seen.demands or _is_found("\n\n\n", seen) or not content.strip():
        return
    if "\r" not in content and language != "bash" and "`" not in content:
        yield "line ends", content.replace("\n", "\r\n")
    yield "line ends", content.rstrip("\n") if content.endswith("\n") else f"{content}\n\n\n"


def _is_found(text: str, seen: CheckReach) -> bool:
    """Whether some pattern of the checks stands in the text."""
    return any(find_pattern(pattern, text) for pattern in seen.patterns)


# Innocents


def _only_named(example: Example, seen: CheckReach) -> Named:
    """The command, path or code as something that is spoken of."""
    match example.kind:
        case "command" if seen.guards:
            yield from (("only named", replace(example, text=text)) for text in _mentions(example.text, seen))
        case "session":
            *before, last = example.steps
            if last.kind == "command" and not any(check.get("before_stop") for check in seen.guards):
                for text in _mentions(last.text, seen):
                    yield "only named", replace(example, steps=(*before, replace(last, text=text)))
        case "file" | "edit":
            if seen.on("path") and "'" not in example.path:
                for program, text in (("cat", "cat"), ("git", "git diff --")):
                    if seen.free(program):
                        yield "only named", Example(kind="command", text=f"{text} {quote(example.path)}")
            if example.kind == "file" and (text := _as_comment(example, seen)):
                yield "only named", replace(example, text=text)


def _mentions(command: str, seen: CheckReach) -> Iterator[str]:
    if seen.free("echo"):
        yield f"echo {quote(command)}"
    if seen.free("grep"):
        yield f"grep -rn -e {quote(command)} docs"
    if seen.free("git") and not seen.scripts:
        yield f"git commit -m {quote(f'Say why {command} is wrong')}"


def _as_comment(example: Example, seen: CheckReach) -> str:
    """The code in a comment; "" where that may be what the rule is about, too."""
    content, language = example.text, _checked_language(example.path)
    if not (seen.code and language) or language == "php" or seen.demands or _is_found("# //", seen):
        return ""
    if content.startswith("#!"):
        return ""
    lines = [f"{line_comment(language)} {line}".rstrip() for line in content.splitlines()]
    return "package main\n\n" * (language == "go") + "\n".join(lines) + "\n"


def _asked_for_help(example: Example, seen: CheckReach) -> Named:
    """The program is asked what it does, or which one it is."""
    if example.kind != "command" or not _PLAIN.fullmatch(example.text) or seen.on("session"):
        return
    words = example.text.split(" ")
    sub = next((n for n, word in enumerate(words) if n and word.startswith("-")), len(words))
    yield "asked for help", replace(example, text=" ".join([*words[: min(sub, 2)], "--help"]))
    yield "asked for help", replace(example, text=f"{words[0]} --version")


def _only_helps(example: Example, seen: CheckReach) -> bool:
    """Whether the program's manual says that it only tells of itself, and no check is about just that."""
    calls = parse_shell(example.text).calls
    named = any(word in text for text in seen.given for word in ("help", "version"))
    return bool(seen.on("command")) and not named and len(calls) == 1 and asks_for_help(calls[0])


_COMMANDS = ("ls", "pwd", "git status", "cat README.md")
_FILES = ("area/thing.item", "area/Thing.item", "area/some-thing.item", "area/some_thing.item", "area/THING")
_OF_ALL = re.compile(r"\b(?:all|any|every|each|no|only)(?:\s+\w+)?\s+(?:commands?|files?)\b", re.IGNORECASE)


def _done_every_day(rule: Rule, seen: CheckReach) -> Named:
    """What is done all day, where a check is so wide that it may catch it and the rule does not speak of it."""
    programs = [name for check in seen.on("command") for text in check["patterns"] for name in _spoken(text)]
    for command in _COMMANDS:
        program = command.split(" ")[0]
        if {program, ""} & set(programs) and not _means(rule, command):
            yield "done every day", Example(kind="command", text=command)
    for check in seen.on("path"):
        where, spared = check["globs"], check.get("except") or ()
        if not spared and all(globs.match(where, path) for path in _FILES) and not _OF_ALL.search(rule.statement):
            yield "done every day", Example(kind="file", path=_FILES[0], text="x\n")
            yield "done every day", Example(kind="edit", path=_FILES[0], old="x", text="y")


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
    subs = {call.argv[1] for call in run if call.program == "git" and len(call.argv) > 1}
    following = re.findall(rf"{named}(?:\s+([\w-]+))?", rule.statement)  # git push names no git status
    return any(word in rest or word not in subs for word in following)


# What only a person can decide


_VERSION = re.compile(r"\d+(?=[^\d]*\Z)")
_OTHERS = {"main": "topic/other-thing", "master": "topic/other-thing"}
_UNLIKE = "another-one"


def _on_unnamed(example: Example, rule: Rule) -> Iterator[Example]:
    """The same act on something else than what the statement names: another branch, version, folder or member."""
    named = set(re.findall(r"[\w./@-]*\w", rule.statement.lower()))
    if example.kind == "command" and _PLAIN.fullmatch(example.text):
        words = example.text.split(" ")
        for at, word in enumerate(words):
            bare = word.lower().lstrip("-")
            if not at or not {word.lower(), bare} & named:
                continue
            other: list[str] | None = None
            if word.startswith("-"):
                other = []
            elif _VERSION.search(word):
                other = [_VERSION.sub(lambda found: str(int(found[0]) + 1), word)]
            elif at > 1 or "/" in word:  # the second word is what the program does
                other = [_OTHERS.get(bare, _UNLIKE)]
            if other is not None:
                yield replace(example, text=" ".join([*words[:at], *other, *words[at + 1 :]]))
    elif example.kind in ("file", "edit") and "/" in example.path:
        top, _, rest = example.path.partition("/")
        if top.lower() in {name.strip("/").partition("/")[0] for name in named}:
            yield replace(example, path=f"elsewhere/{rest}")
