"""Variables of a raw script: which there are, which hold a path of the change, and which a whole number."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from rulec.checks.shell.raw_words import RawCommand, RawScript, RawWord, ScriptRefusedError, WordPart

CONTRACT = ("RULEC_MESSAGE", "RULEC_CHANGES", "RULEC_BASE", "RULEC_ENVIRONMENT")
OURS = ("newline", "tab")
_FILES = ("RULEC_MESSAGE", "RULEC_CHANGES")
_OWN = re.compile(r"[a-z][a-z0-9_]*")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_SUFFIX = re.compile(r"\.[A-Za-z0-9_.*-]*")
_LOCAL = 'name a file by its loop: for path do ... "$path", or "$RULEC_BASE/$path", "./$folder/NAME", or a plain name'


class Variables:
    """What is known of a script's variables, regardless of the order of its commands."""

    def __init__(self, script: RawScript) -> None:
        self.values: dict[str, list[RawWord]] = {}
        self.loops: dict[str, list[list[RawWord] | None]] = {}
        self.read: set[str] = set()
        self.moved = False  # whether "$@" may hold something else than the files
        for command in script.commands:
            self._note(command)
        for name, words in script.loops:
            self.loops.setdefault(_named(name, -1), []).append(words)
        self.stems = self._least(set(self.values) - set(self.loops), self._holds_stem)
        self.alone, self.based = self._led(_FILES), self._led(("RULEC_BASE",))
        self.paths = self._least(set(self.values) | set(self.loops), self._holds_path)
        self.numbers = self._least(set(self.values), self._holds_number)

    def _note(self, command: RawCommand) -> None:
        for name, word in command.given:
            if not command.words:
                self.values.setdefault(_named(name, command.at), []).append(word)
        if command.words and command.words[0].bare == "read":
            given = [word for word in command.words[1:] if word.literal != "-r"]
            self.read |= {_named(word.bare, command.at) for word in given}
        if command.words and command.words[0].bare == "set":
            self.moved = self.moved or any(word.literal == "--" for word in command.words)

    def _led(self, start: Sequence[str]) -> set[str]:
        """The names that may get their value from these; such a path may be absolute."""
        found = set[str]()
        while more := {
            name
            for name, words in self._given()
            if name not in found and any(part.text in {*start, *found} for word in words for part in _parts(word.parts))
        }:
            found |= more
        return found

    def _given(self) -> Iterable[tuple[str, Iterable[RawWord]]]:
        yield from self.values.items()
        yield from ((name, [word for loop in loops for word in loop or ()]) for name, loops in self.loops.items())

    def _least(self, start: set[str], holds: Callable[[str, set[str]], bool]) -> set[str]:
        """The names all of whose values fulfil the condition, given that the others do."""
        found = start - self.read
        while wrong := {name for name in found if not holds(name, found)}:
            found -= wrong
        return found

    def _holds_path(self, name: str, paths: set[str]) -> bool:
        looped = [word for loop in self.loops.get(name, ()) for word in loop or ()]
        if not all(word.one for word in looped):
            return False
        values = looped + self.values.get(name, [])
        return all(_all_files(word) or self.path(_whole(word), paths) for word in values) and not self.moved

    def _holds_stem(self, name: str, stems: set[str]) -> bool:
        return all(len(word.parts) == 1 and _stem(word.parts[0], stems) for word in self.values[name])

    def _folder(self, part: WordPart, paths: set[str]) -> bool:
        """Whether it is what dirname says of a file whose name is relative."""
        words = part.commands[0].words if len(part.commands) == 1 else []
        if [word.literal for word in words[:1]] != ["dirname"] or len(words) != len(("dirname", "FILE")):
            return False
        absolute = {*CONTRACT, *self.alone, *self.based}
        return self.path(words[1], paths) and all(one.text not in absolute for one in _parts(words[1].parts))

    def _holds_number(self, name: str, numbers: set[str]) -> bool:
        return name not in self.loops and all(_number(word, numbers) for word in self.values[name])

    @property
    def known(self) -> set[str]:
        """All names that a word may use."""
        return {*self.values, *self.loops, *self.read, *CONTRACT, *OURS}

    def path(self, word: RawWord, paths: set[str] | None = None) -> bool:
        """Whether the word can only name a file of the tree, of the base, or of the message."""
        paths = self.paths if paths is None else paths
        if not word.one or not word.parts:
            return False
        kinds = [(part.kind, part.text) for part in word.parts]
        if len(kinds) == 1 and word.parts[0].sign in ("", "-", ":-") and not word.parts[0].within:
            kind, text = kinds[0]
            if kind == "name" and (text in _FILES or (text in "123456789@" and not self.moved)):
                return True
            if kind == "name" and text in self.alone:
                return text in paths
        parts = list(word.parts)
        based = kinds[0] == ("name", "RULEC_BASE") and parts[0].sign in ("", "-", ":-") and not parts[0].within
        if based and not (len(parts) > 1 and parts[1].kind == "text" and parts[1].text.startswith("/")):
            return False
        if based:
            parts[:2] = [WordPart(kind="text", text="." + parts[1].text, quoted=True)]
        return self._inside(parts, paths)

    def _inside(self, parts: list[WordPart], paths: set[str]) -> bool:
        rooted = parts[0].kind == "text" and parts[0].text.startswith("./")
        for number, part in enumerate(parts):
            after = parts[number + 1] if number + 1 < len(parts) else WordPart(kind="text")
            if part.kind == "text":
                if number == 0 and part.text.startswith(("/", "~", "-")):
                    return False
                if ".." in part.text or (after.kind == "name" and part.text.endswith(".")):
                    return False
            elif number and _stem(part, self.stems) and (_joins(parts[number - 1], -1) or _joins(after, 0)):
                continue
            elif not self._stays(part, after, paths, rooted=rooted):
                return False
        return True

    def _stays(self, part: WordPart, after: WordPart, paths: set[str], *, rooted: bool) -> bool:
        if part.kind == "commands":
            return after.kind == "text" and after.text[:1] in ("", "/") and self._folder(part, paths)
        if part.kind != "name" or part.text not in paths or part.text in self.alone:
            return False
        return not (part.text in self.based and _wide(part)) and _stays(part, after, rooted=rooted)

    def check(self, word: RawWord) -> None:
        """Refuse a word with a variable that neither the script nor the contract sets."""
        for part in _parts(word.parts):
            if part.kind == "math":
                self._check_math(part, word.at)
            elif part.kind == "name" and part.text not in self.known and part.text not in "@*#?123456789":
                hint = f"a check knows its own variables and {', '.join((*CONTRACT, *OURS))}"
                raise ScriptRefusedError(f"reads ${part.text}, which nothing in it sets", hint, word.at)

    def _check_math(self, part: WordPart, at: int) -> None:
        names = re.findall(r"\$?([A-Za-z_][A-Za-z0-9_]*)", part.text)
        wrong = next((name for name in names if name not in self.numbers), "")
        signs = re.sub(r"\$#|\$?[A-Za-z_][A-Za-z0-9_]*", "", part.text)
        if wrong or "$" in signs or "#" in signs or re.search(r"(?<![=!<>])=(?!=)|\+\+|--", part.text):
            what = (
                f"counts with ${wrong}, which may hold something else than a number" if wrong else "has odd arithmetic"
            )
            hint = 'set it to a number, to $((...)), or to what wc -l <"$path" or grep -c says'
            raise ScriptRefusedError(what, hint, at)


def check_stays_in_tree(names: Variables, word: RawWord, why: str) -> None:
    """Refuse a word that is read as a file and may lie outside the tree."""
    if not names.path(word):
        raise ScriptRefusedError(f"{why} a file that may lie outside of what it is given", _LOCAL, word.at)


def _named(name: str, at: int) -> str:
    if not _OWN.fullmatch(name) or name in OURS or name.startswith("rulec"):
        hint = f"name variables in small letters, not rulec..., {' or '.join(OURS)}"
        raise ScriptRefusedError(f"sets {name or 'what is no name'}", hint, at)
    return name


def _whole(word: RawWord) -> RawWord:
    """The word as the value of an assignment, which no shell splits."""
    return RawWord(parts=tuple(replace(part, quoted=True) for part in word.parts), at=word.at)


def _all_files(word: RawWord) -> bool:
    return [(p.kind, p.text, p.quoted, p.sign) for p in word.parts] == [("name", "@", True, "")]


def _stays(part: WordPart, after: WordPart, *, rooted: bool) -> bool:
    """Whether a shortened path, with what follows it, stays in the tree, even where it is unset."""
    cut = "".join(one.text for one in part.within) if all(one.kind == "text" for one in part.within) else ""
    folder = part.sign in ("%", "%%") and cut == "/*"
    stem = part.sign == "%" and bool(_SUFFIX.fullmatch(cut))
    if after.kind != "text" or (part.sign and not folder and not stem):
        return False
    if not after.text:
        return not stem
    if after.text[0] == "/":
        return rooted and not stem
    return after.text[0] != "." or after.text[1:2].isalnum()


def _stem(part: WordPart, stems: set[str]) -> bool:
    """Whether the part is a name without a folder, or empty."""
    if part.kind == "commands":
        return len(part.commands) == 1 and [word.literal for word in part.commands[0].words[:1]] == ["basename"]
    if part.kind != "name" or any(one.kind != "text" for one in part.within):
        return False
    cut = part.sign + "".join(one.text for one in part.within)
    return cut == "##*/" or (part.text in stems and part.sign in ("", "%", "%%", "#", "##"))


def _joins(part: WordPart, at: int) -> bool:
    """Whether the text at this end keeps the name beside it from being . or .."""
    text = part.text if at or part.text[1:2] == "." else part.text.removeprefix(".")
    return part.kind == "text" and bool(text) and (text[at].isalnum() or text[at] in "_-")


def _wide(part: WordPart) -> bool:
    """Whether the pattern that is cut off may match a slash."""
    return bool(part.sign) and any("*" in one.text for one in part.within)


def _number(word: RawWord, numbers: Iterable[str]) -> bool:
    if word.literal is not None:
        return bool(_NUMBER.fullmatch(word.literal))
    if len(word.parts) != 1:
        return False
    part = word.parts[0]
    if part.kind == "name":
        other = "".join(one.text for one in part.within) if all(one.kind == "text" for one in part.within) else ""
        fallback = part.sign in ("", "-", ":-") and (not part.sign or bool(_NUMBER.fullmatch(other)))
        return part.sign == "length" or (fallback and part.text in {"#", *numbers})
    return part.kind == "math" or (part.kind == "commands" and _counts(part.commands))


def _counts(commands: tuple[RawCommand, ...]) -> bool:
    """Whether a pipeline prints one number and nothing else."""
    while commands and [word.literal for word in commands[-1].words] in _BLANKS_OUT:
        commands = commands[:-1]
    if not commands or not commands[-1].words:
        return False
    program, given = commands[-1].words[0].bare, [word.literal for word in commands[-1].words[1:]]
    if program == "wc":
        return given in _COUNTS
    flags = [one for one in given if one and re.fullmatch(r"-[a-zA-Z]+", one)]
    one_file = len(given) - len(flags) <= _PATTERN_AND_FILE and not any(map(_all_files, commands[-1].words))
    alone = all(flag == "-e" or not set("eHmlL") & set(flag) for flag in flags)
    return program == "grep" and any("c" in flag for flag in flags) and one_file and alone


_BLANKS_OUT = (["tr", "-d", " "], ["tr", "-d", "[:space:]"], ["tr", "-d", "[:blank:]"])
_COUNTS = (["-l"], ["-c"], ["-m"], ["-w"])
_PATTERN_AND_FILE = 2


def _parts(parts: Iterable[WordPart]) -> Iterable[WordPart]:
    for part in parts:
        yield part
        yield from _parts(part.within)
