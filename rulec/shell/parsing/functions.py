"""The functions and aliases that a text itself defines."""

from __future__ import annotations

from rulec.shell.parsing.call import quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


MOST_ALIASES = 200  # aliases that are kept


class Definitions:
    """What names stand for from here on; shared by all readers of one shell."""

    __slots__ = ("active", "aliases", "called", "functions")

    def __init__(self) -> None:
        self.functions: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.called: set[str] = set()
        self.active: frozenset[str] = frozenset()  # names that are being read: none calls itself

    def within(self, name: str) -> Definitions:
        """The definitions as seen from within the function or alias, which does not call itself again."""
        inner = Definitions()
        inner.functions, inner.aliases, inner.called = self.functions, self.aliases, self.called
        inner.active = self.active | {name}
        return inner

    def define(self, name: str, body: str) -> None:
        """Note what the name runs from here on."""
        self.functions[name] = body
        self.active = self.active - {name}

    def body(self, name: str) -> str:
        """The body of the function that is called, "" where the name is no function."""
        if not self.functions or name not in self.functions:
            return ""
        self.called.add(name)
        return "" if name in self.active else self.functions[name]

    def alias(self, words: list[str]) -> None:
        """Note the aliases of ``alias NAME=VALUE ...``."""
        for word in words:
            name, equals, value = word.partition("=")
            if equals and len(self.aliases) < MOST_ALIASES:
                self.aliases[name] = value

    def aliased(self, argv: list[str]) -> str:
        """The command with its alias expanded, "" where it has none."""
        value = self.aliases.get(argv[0], "")
        if not value or argv[0] in self.active:
            return ""
        return " ".join([value, *map(quote_word, argv[1:])])

    def uncalled(self, text: str) -> Iterator[tuple[str, str]]:
        """The functions that no command calls but something names, and their bodies."""
        left = {name: body for name, body in self.functions.items() if name not in self.called}
        if left:
            words = _count_words(text)
            for name, body in left.items():
                if words.get(name, 0) - _count_words(body).get(name, 0) > 1:
                    yield name, body


def _count_words(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in "".join(char if char.isalnum() or char in "_-.:" else " " for char in text).split():
        found[word] = found.get(word, 0) + 1
    return found
