"""What a raw script holds, flat: its commands, assignments and loops, for nothing about it hangs on their order."""

from dataclasses import dataclass, field
from typing import Literal


class Refused(Exception):  # noqa: N818 (no error of ours: a reason)
    """Why a script may not run, where, and what to write instead."""

    def __init__(self, what: str, hint: str, at: int = -1) -> None:
        super().__init__(what)
        self.what, self.hint, self.at = what, hint, at


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a word: text, a variable, the output of commands, or arithmetic."""

    kind: Literal["text", "name", "commands", "math"]
    text: str = ""  # the text itself, the variable's name, or the arithmetic
    quoted: bool = False
    sign: str = ""  # of ${name%...} and the like
    within: tuple["Part", ...] = ()  # what stands behind the sign
    commands: tuple["Command", ...] = ()  # the last pipeline of a substitution


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word as it is written."""

    parts: tuple[Part, ...]
    at: int

    @property
    def literal(self) -> str | None:
        """The whole text, None where it is only known when the script runs."""
        return "".join(part.text for part in self.parts) if all(part.kind == "text" for part in self.parts) else None

    @property
    def bare(self) -> str:
        """The text where nothing of it is quoted, as a name of a program must be; "" of any other word."""
        plain = len(self.parts) == 1 and self.parts[0].kind == "text" and not self.parts[0].quoted
        return self.parts[0].text if plain else ""

    @property
    def globs(self) -> bool:
        """Whether the shell may put file names in its place."""
        return any(part.kind == "text" and not part.quoted and set("*?[") & set(part.text) for part in self.parts)

    @property
    def one(self) -> bool:
        """Whether it stays one word, whatever its variables hold."""
        return not self.globs and all(part.kind == "text" or part.quoted for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """``2>/dev/null``: number, sign and target."""

    number: str
    sign: str
    target: Word


@dataclass(slots=True, kw_only=True)
class Command:
    """A simple command with what stands before it."""

    at: int
    words: list[Word] = field(default_factory=list)
    given: list[tuple[str, Word]] = field(default_factory=list)  # NAME=VALUE before it
    redirects: list[Redirect] = field(default_factory=list)


@dataclass(slots=True)
class Script:
    """All of a script."""

    commands: list[Command] = field(default_factory=list)
    loops: list[tuple[str, list[Word] | None]] = field(default_factory=list)  # for NAME [in WORDS]
    redirects: list[Redirect] = field(default_factory=list)  # of loops and groups
    words: list[Word] = field(default_factory=list)  # those of case and of loops
