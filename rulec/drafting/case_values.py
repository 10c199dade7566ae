"""Values that a noted action and its note offer for a template's parameters, by the type of the parameter."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulec.domain.files import languages
from rulec.domain.patterns.command_patterns import plain_program
from rulec.domain.rule import Example
from rulec.domain.template import TemplateParameter
from rulec.drafting.note_words import NoteWords, judged_step, parts_of, paths_of, spoken_pattern, texts_of
from rulec.sentences.literals import is_call, is_path, tokens_of
from rulec.shell.command_matching import words_and_flags
from rulec.shell.parsing.call import Call
from rulec.shell.parsing.parser import parse_shell

LONGEST = 4_000  # characters of a text that is looked at
MOST = 40  # values of one parameter
MOST_WORDS = 4  # words of a command behind its program
_NAME = re.compile(r"[.@]?[A-Za-z_$][\w$-]*(?:(?:\.|::|/)[A-Za-z_$*][\w$*-]*)*!?")
_TOKEN = re.compile(r"[^\s\"'`,;()\[\]{}<>=]+")
_PATH = re.compile(r"(?!s/)(?:[\w.@-]+/)*[\w@-]*[\w.@-]*\.\w+|(?!s/)(?:[\w.@-]+/)+[\w.@-]*")
_EMOJI = re.compile(r"[\u2190-\u2bff\U0001f000-\U0001faff]")


class CaseValues:
    """What one action offers: commands, paths, names, texts and numbers, those that the note names first."""

    def __init__(
        self, example: Example, note: NoteWords, like: Sequence[Example] = (), *, spared: bool = False
    ) -> None:
        self.example, self.note, self.like = example, note, like
        self.spared = spared  # it is to pass, so that places are meant from the top of the repository
        self.step = judged_step(example)
        steps = [self.step, *(one for one in example.steps[:-1] if one.kind != "says")]
        self.texts = [text[:LONGEST] for one in steps for text in texts_of(one)]
        self.paths = paths_of(steps)
        commands = [one.text[:LONGEST] for one in steps if one.kind == "command"]
        self.calls = [call for text in commands for call in parse_shell(text).calls if call.argv]
        if not self.paths:
            self.paths = [word for word in self._words() if _PATH.fullmatch(word)]
        self.vague = not any(note.told(text) for text in self.texts)  # the note names nothing of the action
        self.folders = list(dict.fromkeys(call.cwd for call in self.calls if call.cwd not in ("", ".", "/")))
        self.language = next(filter(None, map(languages.language_of_file, self.paths)), "")

    @property
    def is_prose(self) -> bool:
        """Whether the action writes words for people, in which capitals say nothing."""
        kinds = {languages.KINDS.get(languages.language_of_file(path), "prose") for path in self.paths}
        return self.step.kind in ("message", "reply", "stop") or "prose" in kinds

    def of(self, parameter: TemplateParameter, known: Sequence[Any] = ()) -> list[Any]:
        """Single values for a parameter (for a list, of its items), the likeliest first; ``known`` ones left out."""
        inner = parameter.type.removeprefix("list[").removesuffix("]")
        if parameter.name == "language":
            covering = [name for name, covered in languages.COVERED.items() if self.language in covered]
            made = [one for one in (self.language, *covering) if one in parameter.choices]
            return made if self.language not in known else []
        if parameter.choices:
            return [one for one in parameter.choices if one and one not in known]
        how: Mapping[str, Callable[[], Iterable[Any]]] = {
            "command": self._commands,
            "glob": self._globs,
            "module": self._names,
            "regex": self._patterns,
            "str": self._strings,
            "int": self._numbers,
        }
        if inner not in how:
            return []
        found = [one for one in dict.fromkeys(how[inner]()) if one not in known and one != ""]
        said = {one: spoken_pattern(one) if inner == "regex" else str(one) for one in found}
        if inner in ("regex", "str", "module"):
            # any word of a sentence sets it apart from others: what nobody said of it is a guess
            found = [one for one in found if self.note.cost(said[one]) < 1 or self._may_be_unsaid(said[one])]
        return sorted(found, key=lambda one: self.note.cost(said[one]))[:MOST]

    def _may_be_unsaid(self, value: str) -> bool:
        """Whether a value counts of which the note does not say all: in code, where it names nothing else, or a part."""
        return not self.is_prose and (self.vague or bool(self.note.told(value)))

    @cached_property
    def narrow_forms(self) -> frozenset[str]:
        """The program with its first word and all its flags, of each command: what stays the same when it runs again."""
        found = []
        for call in self.calls:
            name = plain_program(call.program)
            words, flags = words_and_flags(name, list(call.argv[1:]))
            found.append(" ".join([name, *words[:1], *flags]))
        return frozenset(found)

    def aliases(self, commands: Sequence[str]) -> Iterator[dict[str, str]]:
        """A program of the action as a short name of one that is known."""
        known = dict.fromkeys(command.split()[0] for command in commands if command.split())
        for call in self.calls:
            for full in known:
                if call.program and call.program != full:
                    yield {call.program: full}

    def _words(self) -> list[str]:
        return [word for call in self.calls for word in call.argv[1:] if not word.startswith("-")]

    def _commands(self) -> Iterator[str]:
        for call in self.calls:
            yield from command_forms(call)
            if call.feeds:
                last = plain_program(call.program)
                yield from (f"{plain_program(one.program)} | {last}" for one in call.feeds if one.argv)

    def _globs(self) -> Iterator[str]:
        for path in self.paths:
            yield from place_globs(path, anchored=self.spared)
        for folder in self.folders:
            yield from (f"{one}/" if "/" in one or not self.spared else f"{one}/**" for one in _ancestors(folder))

    def _names(self) -> Iterator[str]:
        for text in self.texts:
            for found in _NAME.finditer(text):
                name = found[0]
                yield name
                head, dot, last = name.rpartition(".")
                if dot and head:
                    yield f".{last}"
                    yield head
                elif text[found.end() : found.end() + 1] == "(":
                    yield f".{name}"

    def _strings(self) -> Iterator[str]:
        for call in self.calls:
            yield from (word.split("=")[0] for word in call.argv[1:] if word.startswith("-"))
            yield from call.argv[1:]
        yield from self._names()
        for text in self.texts:
            yield from (token for token in _TOKEN.findall(text) if len(token) <= 60)
            yield from _EMOJI.findall(text)
            if "__" in text and self.step.kind == "tool":
                yield f"{text.rpartition('__')[0]}__*"
            yield from re.findall(r"^([A-Z][\w-]+): ", text, re.MULTILINE)
        yield from self._demanded()

    def _patterns(self) -> Iterator[str]:
        for text in self.texts:
            for token in dict.fromkeys(re.findall(r"[\w.@/#:$-]*\w\(?", text)):
                if len(token) <= 60 and not token.isdigit():
                    yield _as_pattern(token)
        if self.step.kind in ("command", "message"):
            yield from (f"^{re.escape(word)}" for text in self.texts for word in text.split()[:1])
        yield from self._patterns_of_note()
        for text in self.texts:
            for line in filter(None, map(str.strip, text.splitlines())):
                yield from (rf"\{sign}$" for sign in line[-1:] if not sign.isalnum())
                yield from (rf"^\{sign}" for sign in line[:1] if not sign.isalnum())
                if 0 < len(bare := line.strip(" \t-*#/.:")) <= 60:
                    yield rf"^\W*{_spaced(bare)}\W*$"

    def _patterns_of_note(self) -> Iterator[str]:
        said = " ".join(self.note.texts)
        yield from (rf"\b{_spaced(phrase)}\b" for text in self.texts for phrase in self.note.phrases_of(text))
        named = (one.text for one in tokens_of(said) if one.kind == "code" or is_path(one.text) or is_call(one.text))
        yield from map(_as_pattern, named)
        for token in said.split():
            bare = token.strip("\"'`,;?()") if any(map(str.isalnum, token)) else ""
            yield from (_as_pattern(bare) for text in self.texts if len(bare) > 1 and bare in text)
        for text in self.texts:
            for name in dict.fromkeys(re.findall(r"\w+_\w+", text)):
                first, last = name.partition("_")[0], name.rpartition("_")[2]
                yield from ([rf"\b{re.escape(first)}_"] if first and self.note.told(first) else [])
                yield from ([rf"_{re.escape(last)}\b"] if last and self.note.told(last) else [])
        yield from (_as_pattern(word) for word in self._demanded())
        for token in re.findall(r"\S*\d\S*", said):
            yield re.sub(r"\d+", r"\\d+", _as_pattern(token.strip(".,;:!?()\"'`")))

    def _numbers(self) -> Iterator[int]:
        for text in (*self.note.texts, *self.texts):
            yield from (int(one) for one in re.findall(r"(?<![\w.-])\d{1,6}(?![\w.-]*\w)", text))
        for text in self.texts:
            yield len(text.splitlines())
            yield max(map(len, text.splitlines()), default=0)

    def _demanded(self) -> Iterator[str]:
        """Words of the note that the action lacks and an action of the other verdict has: what it asks for."""
        here = {part for text in self.texts for part in parts_of(text)}
        there = dict.fromkeys(part for one in self.like for text in texts_of(one) for part in parts_of(text))
        for part in there:
            if part not in here and self.note.names(part):
                yield part
        yield from (word for word in self.note.said if word not in here)


def command_forms(call: Call) -> Iterator[str]:
    """How patterns may name a call: its program with its first words and with its flags, as it is written, and whole."""
    name = plain_program(call.program)
    words, flags = words_and_flags(name, list(call.argv[1:]))
    words = [word for word in words if re.fullmatch(r"[\w@./:=+~^-]+", word)][:MOST_WORDS]
    named = [flag for flag in flags if re.fullmatch(r"--?[\w-]+(?:=[\w./:-]+)?", flag)]
    written = call.argv[0] if call.argv[0] != name and "/" in call.argv[0] else ""
    for program in filter(None, (name, written)):
        for many in range(len(words) + 1):
            head = " ".join([program, *words[:many]])
            yield head
            yield from (f"{head} {flag}" for flag in named)
        yield from (f"{program} {word}" for word in words[1:])
        for word in words:
            for folder in _ancestors(posixpath.dirname(word)):
                yield f"{program} {folder}/*"
                yield from (f"{program} {flag} {folder}/*" for flag in named)
        yield " ".join([program, *words[:1], *named])
    for variable, value in call.env.items():
        if re.fullmatch(r"[\w./-]+", value):
            yield f"{variable}={value} {name}"
            yield f"{variable}=* {name}"


def place_globs(path: str, *, anchored: bool = False) -> Iterator[str]:
    """Globs for the places of a file: its folders, from the nearest, files named alike, its ending, and itself.

    ``anchored`` leaves out the names of folders and files that would match at any depth.
    """
    folder, name = posixpath.split(posixpath.normpath(path))
    for one in _ancestors(folder):
        last = one.rpartition("/")[2]
        yield f"{one}/" if last != one or not anchored else f"{one}/**"
        if last != one and not anchored:
            yield f"{last}/"
    yield posixpath.normpath(path) if folder or not anchored else f"./{name}"
    if not anchored:
        yield name
    stem, dot, ending = name.partition(".")
    if dot and ending:
        yield f"*.{ending}"
        yield f"*.{ending.rpartition('.')[2]}"
        for one in _ancestors(folder):
            yield f"{one}/**/*.{ending}"
    pieces = re.split(r"([_-])", stem)
    if len(pieces) > 2:
        yield f"{pieces[0]}{pieces[1]}*{dot}{ending}"
        yield f"*{pieces[-2]}{pieces[-1]}{dot}{ending}"


def _ancestors(folder: str) -> Iterator[str]:
    while folder and folder not in (".", "/"):
        yield folder
        folder = posixpath.dirname(folder)


def _spaced(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))


def _as_pattern(token: str) -> str:
    """A pattern for a word where it stands alone."""
    call = token.endswith("(")
    body = re.escape(token.removesuffix("("))
    begin = r"\b" if re.match(r"\w", token) else ""
    end = r"\s*\(" if call else r"\b" if re.search(r"\w$", token) else ""
    return f"{begin}{body}{end}"
