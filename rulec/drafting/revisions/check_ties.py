"""Whether a further check has to do with what persons said: a check of which nobody spoke is a guess, and not offered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulec.domain.rule import Rule
from rulec.domain.template import Template, TemplateParameter
from rulec.drafting.revisions.note_words import NoteWords, is_same_word, parts_of, spoken_pattern

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
