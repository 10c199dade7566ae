"""What a note says of an action: the words that name its parts, and whether a further check has to do with them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rulec.domain.files import languages
from rulec.domain.rule import Example, Rule
from rulec.domain.template import Template, TemplateParameter
from rulec.reminders.words import stem
from rulec.sentences.literals import word_table

LEAST_STEM = 3  # letters that two words must share from their beginning to be one: gen and generated
LONGEST_PHRASE = 5  # words
_ALSO_CALLED = {".": ("period", "dot"), "-": ("dash",), "#": ("hash",), "!": ("bang",)}  # beside Unicode's own names
_PART = re.compile(r"[a-z]+|\d+")
_SMALL = word_table(
    """
    a an and any are as at be but by can do dont else for from has have here how i if in is it its just me more must my
    need never no not of off ok on one only or our out please rule same should so such that the their them then there these
    they this those to too use used up was way we well what when where which who why will with would yes you your
    also allow allowed allows ban banned block blocked catch caught check fine forbid forbidden okay pass permit right
    wrong bad good new old other thing things file files code command commands folder line lines run
    """
)


def parts_of(text: str) -> list[str]:
    """The words and numbers of a text, its names of several words taken apart: TestCase, test_case, test-case."""
    return _PART.findall(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).casefold())


def spoken_pattern(pattern: str) -> str:
    """A pattern without its signs for places and kinds of letters: what of it somebody may have said."""
    return re.sub(r"\\[bsSwWdDn]", " ", pattern)


def is_same_word(one: str, other: str) -> bool:
    """Whether both are one word: the same, of one plain form, or the beginning of the other."""
    if one == other or stem(one) == stem(other):
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= LEAST_STEM and not short.isdigit() and long.startswith(short)


@dataclass(frozen=True)
class NoteWords:
    """The words of a note, and what sets its action apart from those that the rule decides the other way."""

    texts: tuple[str, ...]
    unlike: tuple[str, ...] = ()  # texts of examples with the other verdict

    @cached_property
    def said(self) -> tuple[str, ...]:
        """The words in their order, small ones left out."""
        return tuple(word for text in self.texts for word in parts_of(text) if word not in _SMALL)

    @cached_property
    def _usual(self) -> frozenset[str]:
        return frozenset(word for text in self.unlike for word in parts_of(text))

    @cached_property
    def _languages(self) -> frozenset[str]:
        """Endings of the languages that the note names."""
        named = {languages.language_of(word) for text in self.texts for word in re.findall(r"[\w+#]{2,}", text)}
        return frozenset(ending for name in named - {""} for ending in languages.SUFFIXES[name])

    def names(self, part: str) -> bool:
        """Whether the note names this word."""
        return part in self._languages or any(is_same_word(part, word) for word in self.said)

    def says_number(self, number: str) -> bool:
        """Whether the note holds this number by itself."""
        return any(re.search(rf"(?<![\w.-]){re.escape(number)}(?![\w.-]*\w)", text) for text in self.texts)

    def told(self, text: str) -> int:
        """How many words of a value the note names."""
        return sum(map(self.names, parts_of(text)))

    def _says_together(self, parts: Sequence[str]) -> bool:
        """Whether the words stand in the note one behind the other, small words between them aside."""
        wanted = [part for part in parts if part not in _SMALL]
        ends = range(len(self.said) - len(wanted) + 1)
        return len(wanted) > 1 and any(
            all(is_same_word(part, self.said[start + at]) for at, part in enumerate(wanted)) for start in ends
        )

    def phrases_of(self, text: str) -> Iterator[str]:
        """The runs of several words of a text that the note has, too, the longest first."""
        for line in text.splitlines():
            words = list(re.finditer(r"\w+", line))
            for many in range(min(LONGEST_PHRASE, len(words)), 1, -1):
                for first, last in zip(words, words[many - 1 :], strict=False):
                    phrase = line[first.start() : last.end()]
                    parts = parts_of(phrase)
                    whole = parts and not _SMALL & {parts[0], parts[-1]}
                    if whole and self._says_together(parts):
                        yield phrase

    def tells_apart(self, text: str) -> bool:
        """Whether the note names a word of a value that examples with the other verdict do not have."""
        return any(self.names(part) and part not in self._usual for part in parts_of(text))

    def cost(self, text: str) -> float:
        """How much of a value nobody said: 2 for a word, 1 where it sets the action apart, 0 for a word of the note.

        What the note says in one piece costs less than nothing, so that "yarn add" goes before "yarn" where it says so.
        """
        parts = parts_of(text)
        if len(parts) > 1 and self._says_together(parts):
            return -0.1 * len(parts)
        if not parts:
            return sum(0.0 if self._names_sign(sign) else 2.0 for sign in re.sub(r"\\(.)|[\^$\s]", r"\1", text))
        return sum(self._place(one) if self.names(one) else 2.0 - (one not in self._usual) for one in parts)

    def unexplained(self, value: str, texts: Iterable[str]) -> int:
        """How many words of the action the note names that set it apart and that a value does not hold."""
        parts = parts_of(value)
        here = {part for text in texts for part in parts_of(text) if part not in self._usual and self.names(part)}
        return sum(not any(is_same_word(part, one) for one in parts) for part in here)

    def _names_sign(self, sign: str) -> bool:
        """Whether the note calls a sign by its name, or holds it."""
        called = [*unicodedata.name(sign, "").casefold().split(), *_ALSO_CALLED.get(sign, ())]
        told = {word for text in self.texts for word in re.findall(r"[a-z]+", text.casefold())}
        return bool(told & {form for word in called for form in (word, f"{word}s")} - _SMALL) or (
            any(sign in text.split() for text in self.texts)
        )

    def _place(self, part: str) -> float:
        """Next to nothing for a word of the note, a little more for what comes later in it or is in other examples."""
        at = next((at for at, word in enumerate(self.said) if is_same_word(part, word)), 0)
        return 0.01 * min(at, 9) + 0.05 * (part in self._usual)


def texts_of(example: Example) -> list[str]:
    """Every text of an action, paths among them."""
    steps = [text for step in example.steps for text in texts_of(step)]
    files = [part for pair in (*example.files, *example.moved) for part in pair]
    return [text for text in (example.text, example.path, example.args, *files, *example.gone, *steps) if text]


def texts_of_all(examples: Iterable[Example]) -> tuple[str, ...]:
    """The texts of several actions."""
    return tuple(text for one in examples for text in texts_of(one))


def judged_step(example: Example) -> Example:
    """The action that is judged: of a session its last step."""
    return example.steps[-1] if example.steps else example


def paths_of(examples: Sequence[Example]) -> list[str]:
    """The files that actions are about."""
    found = [path for one in map(judged_step, examples) for path in (one.path, *(p for p, _ in one.files), *one.gone)]
    return [path for path in dict.fromkeys(found) if path and not path.startswith(("/", "~", ".."))]


LEAST_TELLING = 3  # letters of a word that ties a check to a wish; shorter ones and signs stand in any text


def is_tied(
    template: Template,
    parameters: Mapping[str, Any],
    rule: Rule,
    note: NoteWords,
    paths: Sequence[str],
) -> bool:
    """Whether the note or the rule speaks of a value of the check, or the rule's own checks hold it.

    A place is spoken of only where it is named as it is spelled: that the action was in a folder says nothing about
    the folder.
    """
    wish = NoteWords(tuple(filter(None, (*note.texts, rule.statement, rule.when))), note.unlike)
    own = {word for check in rule.checks for word in _words_of(check.parameters.values()) if word}
    for parameter in template.parameters:
        if parameter.name not in parameters or parameter.name == "language":
            continue
        value = parameters[parameter.name]
        if parameter.type == "bool":
            if value and _is_spoken(parameter.name, wish, frozenset()):
                return True
        elif parameter.type == "int":
            if wish.says_number(str(value)):
                return True
        elif any(_is_tied_value(str(one), parameter, wish, own, paths) for one in _items(value)):
            return True
    return False


def _is_tied_value(
    value: str, parameter: TemplateParameter, wish: NoteWords, own: set[str], paths: Sequence[str]
) -> bool:
    if "glob" in parameter.type:
        return _names_place(value, wish)
    text = spoken_pattern(value) if "regex" in parameter.type else value
    plain = re.sub(r"\\(.)|[\^$]", r"\1", text).strip(" /")
    if plain and any(plain in path for path in paths):
        return _names_place(plain, wish)
    return _is_spoken(text, wish, frozenset(own))


def _is_spoken(text: str, wish: NoteWords, own: frozenset[str]) -> bool:
    telling = [part for part in parts_of(text) if len(part) >= LEAST_TELLING]
    return any(wish.names(part) or any(is_same_word(part, one) for one in own) for part in telling)


def _names_place(glob: str, wish: NoteWords) -> bool:
    """Whether the words hold the folder, file or ending as it is spelled."""
    name = next((part for part in reversed(glob.split("/")) if part.strip("*")), "").lstrip("*")
    if len(name.strip("._*-")) < LEAST_TELLING and not name.startswith("."):
        return False
    spelled = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])", re.IGNORECASE)
    return any(spelled.search(text) for text in wish.texts)


def _items(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from (*value, *value.values())
    elif isinstance(value, (list, tuple)):
        yield from value
    else:
        yield value


def _words_of(values: Any) -> Iterator[str]:
    for value in values:
        for one in _items(value):
            if isinstance(one, str):
                yield from (word for word in parts_of(one) if len(word) >= LEAST_TELLING)
