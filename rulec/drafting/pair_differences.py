"""What changed between an offence and its fix, and the template parameters that tell the one from the other."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from rulec.domain.files import globs
from rulec.domain.patterns.command_patterns import plain_program
from rulec.domain.transcript import Action
from rulec.drafting.forms.sentence_shape import LEMMAS, Sentence
from rulec.language.words import word_table
from rulec.shell.command_matching import matches, words_and_flags
from rulec.shell.parsing.call import Call
from rulec.shell.parsing.parser import parse_shell

LONGEST = 4_000  # characters of a command that are parsed
_EVERYDAY = word_table(
    """
    ls cd cat echo pwd head tail wc sort which grep rg find test true sleep printf mkdir
    """
)


@dataclass(frozen=True)
class ActionPair:
    """The actions on both sides, and what the correction names of them."""

    read: Sentence
    before: Sequence[Action]
    after: Sequence[Action]
    sides: dict[str, tuple[bool, bool]] = field(default_factory=dict, compare=False)  # a pattern -> where it was run

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the sentence, those within its literals too, in their plain form."""
        texts = [self.read.shape, *(one.text for one in self.read.literals)]
        found = re.findall(r"[\w@][\w-]*", " ".join(texts).casefold())
        return frozenset(word for one in found for word in (one, LEMMAS.get(one, one)))

    @cached_property
    def forbids(self) -> bool:
        return bool(re.search(r"\b(?:never|no|not|instead-of|forbidden|why)\b", self.read.shape.casefold()))

    def unwanted(self, name: str) -> bool:
        """Whether a word that forbids comes before the name, and none that asks for something else."""
        shape, name = self._spelled, name.casefold()
        at = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", shape) if name in shape else None
        if not at:
            return False
        refusals = [found.start() for found in re.finditer(r"\b(?:never|no|not|instead-of|why)\b", shape[: at.start()])]
        asks = [
            found.start() for found in re.finditer(r"[,;:.-] (?:use|we use|run|prefer|it is)\b", shape[: at.start()])
        ]
        return bool(refusals) and (not asks or max(asks) < max(refusals))

    @cached_property
    def _spelled(self) -> str:
        return self.read.spelled(self.read.shape).casefold()

    def names(self, text: str) -> bool:
        """Whether the words name this thing: its very name, or each of its parts."""
        if text.casefold() in self.words:
            return True
        parts = [part for part in re.split(r"[^a-z0-9]+", text.casefold()) if part]
        return bool(parts) and all(part in self.words or LEMMAS.get(part, part) in self.words for part in parts)

    @cached_property
    def calls_before(self) -> list[Call]:
        return _calls(self.before)

    @cached_property
    def calls_after(self) -> list[Call]:
        return _calls(self.after)

    def gone(self, pattern: str) -> bool:
        """Whether what it names was run before, and never after."""
        return self._ran_on_sides(pattern) == (True, False)

    def come(self, pattern: str) -> bool:
        return self._ran_on_sides(pattern) == (False, True)

    def _ran_on_sides(self, pattern: str) -> tuple[bool, bool]:
        """Whether it was run before and after; found once a pattern, for every two calls ask again."""
        if pattern not in self.sides:
            sides = (self.calls_before, self.calls_after)
            before, after = (any(matches(pattern, call) for call in calls) for calls in sides)
            self.sides[pattern] = before, after
        return self.sides[pattern]


def _calls(actions: Sequence[Action]) -> list[Call]:
    texts = [action.command for action in actions if action.kind == "command" and 0 < len(action.command) <= LONGEST]
    return [call for text in texts for call in _calls_in(text)]


@lru_cache(maxsize=512)  # each clause of a turn is held against the same commands
def _calls_in(text: str) -> tuple[Call, ...]:
    return tuple(call for call in parse_shell(text).calls if call.argv)


def _patterns(call: Call) -> Iterator[str]:
    """How a call may be named: its program with its first words, the longest first."""
    name = plain_program(call.program)
    bare, _ = words_and_flags(name, list(call.argv[1:]))
    words = [word for word in bare[:2] if re.fullmatch(r"[a-z][\w:.-]*", word)]
    for many in range(len(words), -1, -1):
        yield " ".join([name, *words[:many]])


Parameters = dict[str, Any]


def _command_gone(pair: ActionPair) -> Iterator[Parameters]:
    for call in pair.calls_before:
        for pattern in _patterns(call):
            told = all(map(pair.names, pattern.split())) and pair.unwanted(pattern.split()[-1])
            if told and pattern not in _EVERYDAY and pair.gone(pattern):
                yield {"commands": [pattern]}
                break


def _command_swapped(pair: ActionPair) -> Iterator[Parameters]:
    """One program in the place of another: with a word in common behind it, or both named."""
    for old in pair.calls_before:
        for new in pair.calls_after:
            one, two = plain_program(old.program), plain_program(new.program)
            if one == two or {one, two} & _EVERYDAY or not pair.gone(one) or not pair.come(two):
                continue
            both = pair.names(one) and pair.names(two)
            alike = set(old.argv[1:]) & set(new.argv[1:]) and (
                pair.unwanted(one) or (pair.names(two) and not pair.unwanted(two))
            )
            if (both and pair.unwanted(one) and not pair.unwanted(two)) or alike:
                yield {"from": [one], "to": two}


def _flags(call: Call) -> set[str]:
    return {word.split("=")[0] for word in call.argv[1:] if re.match(r"--?[A-Za-z]", word)}


def _flag_changed(*, come: bool) -> "Callable[[ActionPair], Iterator[Parameters]]":
    """A flag that the same command carries on one side alone: after (come) or before."""

    def changed(pair: ActionPair) -> Iterator[Parameters]:
        sides = (pair.calls_before, pair.calls_after)
        having, lacking = reversed(sides) if come else sides
        named = {word for one in pair.read.literals for word in one.text.split()}  # few sentences name a flag at all
        for call, flag in ((one, flag) for one in having for flag in sorted(_flags(one) & named)):
            if pair.unwanted(flag) == come:
                continue
            pattern = next(iter(_patterns(call)))
            others = [other for other in lacking if matches(pattern, other)]
            if others and not any(flag in _flags(other) for other in others):
                yield {"commands": [pattern], "flags": [flag]}

    return changed


def _prefix_come(pair: ActionPair) -> Iterator[Parameters]:
    """A command that ran alone runs behind another afterwards."""
    for old in pair.calls_before:
        for new in pair.calls_after:
            argv = [*new.argv]
            at = next((at for at in range(1, min(4, len(argv))) if argv[at:][:1] == old.argv[:1]), 0)
            prefix = " ".join(argv[:at])
            if at and all(map(pair.names, prefix.split())) and not pair.unwanted(argv[0]):
                yield {"commands": [plain_program(old.program)], "prefixes": [prefix]}


def _branch_pushed(pair: ActionPair) -> Iterator[Parameters]:
    for call in pair.calls_before:
        if matches("git push", call):
            target = call.argv[-1].rpartition(":")[2]
            if len(call.argv) > 3 and pair.names(target) and pair.unwanted(target):
                yield {"branches": [target]}


def _touched(actions: Sequence[Action]) -> list[str]:
    touching = (action for action in actions if action.kind in ("write", "edit", "delete"))
    return [one.path for one in touching if one.path and not one.path.startswith(("/", "~", ".."))]


def _path_left(pair: ActionPair) -> Iterator[Parameters]:
    """A file or folder that the words name, touched before and no more after; nothing else may be meant by them."""
    for path in _touched(pair.before):
        for glob in _places(path, pair):
            if not any(globs.match([glob], other) for other in _touched(pair.after)) and pair.unwanted(
                glob.rstrip("/").rpartition("/")[2]
            ):
                yield {"globs": [glob]}
                break


def _places(path: str, pair: ActionPair) -> Iterator[str]:
    """The file, and the folders that it lies in, as far as a literal of the sentence names them."""
    parts = path.split("/")
    named = {one.text.strip("./").casefold() for one in pair.read.literals if one.kind == "path"}
    if {path.casefold(), parts[-1].casefold()} & named:
        yield path if path.casefold() in named else parts[-1]
    for at in range(len(parts) - 1, 0, -1):
        folder = "/".join(parts[:at])
        if {folder.casefold(), parts[at - 1].casefold()} & named:
            yield f"{folder}/"


def _path_made(pair: ActionPair) -> Iterator[Parameters]:
    made = [action.path for action in pair.before if action.kind == "write" and action.path]
    for path in made:
        name = path.rpartition("/")[2]
        named = any(one.kind == "path" and one.text in (name, path) for one in pair.read.literals)
        if named and pair.unwanted(name) and path not in _touched(pair.after):
            yield {"globs": [name]}


def _messages(calls: Sequence[Call]) -> list[str]:
    found = []
    for call in calls:
        if matches("git commit", call):
            words = zip(call.argv, call.argv[1:], strict=False)
            found += [text for flag, text in words if re.fullmatch(r"-[a-z]*m|--message", flag)]
    return found


_CONVENTIONAL = re.compile(r"(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w./-]+\))?!?: \S")


def _message_part(pair: ActionPair) -> Iterator[Parameters]:
    old, new = _messages(pair.calls_before), _messages(pair.calls_after)
    if not old or not new:
        return
    if pair.names("conventional") and all(map(_CONVENTIONAL.match, new)) and not all(map(_CONVENTIONAL.match, old)):
        yield {"style": "conventional"}
    trailers = {one for text in old for one in re.findall(r"^([A-Z][\w-]+-[Bb]y): ", text, re.MULTILINE)}
    for trailer in sorted(trailers):
        if pair.names(trailer) and pair.unwanted(trailer) and not any(trailer in text for text in new):
            yield {"forbid_trailers": [trailer]}


def _step_missing(pair: ActionPair) -> Iterator[Parameters]:
    """A command that the words name and that ran only afterwards, ahead of the act that had come too early."""
    acts = [
        act
        for act in ("commit", "push")
        if act in pair.words and any(matches(f"git {act}", call) for call in pair.calls_before)
    ]
    ends = bool({"done", "finish", "report", "stop"} & pair.words)
    if pair.forbids and not re.search(r"\b(?:without|before)\b", pair.read.shape):
        return
    if not re.search(r"\b(?:before|first|after|without|forgot|when)\b", pair.read.shape.casefold()):
        return
    for call in pair.calls_after:
        for pattern in _patterns(call):
            words = [word for word in pattern.split() if not word.startswith("git")]
            named = words and words[-1] not in _EVERYDAY and all(map(pair.names, words[-1:]))
            if named and pattern.split()[0] not in ("git", *_EVERYDAY) and pair.come(pattern):
                shared = {"first_commands": [pattern], "since": ["**"]}
                if acts:
                    yield {**shared, "before_commands": [f"git {act}" for act in acts]}
                elif ends:
                    yield {**shared, "before_stop": True}
                break


DIFFERENCES: Mapping[str, Callable[[ActionPair], Iterator[Parameters]]] = {
    "command-gone": _command_gone,
    "command-swapped": _command_swapped,
    "flag-gone": _flag_changed(come=False),
    "flag-come": _flag_changed(come=True),
    "prefix-come": _prefix_come,
    "branch-pushed": _branch_pushed,
    "path-left": _path_left,
    "path-made": _path_made,
    "message-part": _message_part,
    "step-missing": _step_missing,
}
