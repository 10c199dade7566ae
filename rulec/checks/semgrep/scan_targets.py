"""Rules and files -> the rules that can match there, and the copies of files that Semgrep reads."""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from rulec.checks.semgrep import rule_artifact
from rulec.checks.semgrep.rule_artifact import LoadedRule
from rulec.checks.skipped_files import LARGEST_FILE, unread_fault
from rulec.domain.artifact import Artifact, facts_in_comment
from rulec.domain.change import Change, FileChange
from rulec.domain.files.embedded_code import embedded_code, embedded_languages
from rulec.domain.finding import Fault

Condition = Any  # JSON: True | "literal" | ["&", Need, ...] | ["|", Need, ...] | ["i", "literal in any case"]
_WORD = re.compile(r"\w+")
# Of core's regular expressions those that every engine reads alike: some words, one of which must be there.
_WORDS = re.compile(r"(?P<fold>\(\?i\))?(?P<open>\((?:\?:)?)?(?P<words>[A-Za-z0-9_]+(?:\|[A-Za-z0-9_]+)*)(?(open)\))")


def printed_conditions(printed: str) -> dict[str, Condition]:
    """The condition of each rule by its id, as the core printed them; none where it printed something else."""
    try:
        return {str(one["rule_id"]): _read_condition(one["filter"]) for one in json.loads(printed)}
    except (ValueError, KeyError, TypeError):
        return {}


def _read_condition(said: Any) -> Condition:
    if not (isinstance(said, list) and len(said) == 2):
        return True
    name, inner = said
    if name == "Some":
        return _read_condition(inner)
    if name == "Pred" and inner[0] == "Idents":
        return _all([str(literal) for literal in inner[1]])
    if name == "Pred" and inner[0] == "Regexp":
        return _of_pattern(str(inner[1]))
    parts = [_read_condition(one) for one in inner] if name in ("And", "Or") and inner else [True]
    return _all(parts) if name == "And" else _any(parts)


def _of_pattern(pattern: str) -> Condition:
    found = _WORDS.fullmatch(pattern)
    if found is None:
        return True
    words = found["words"].split("|")
    return _any([["i", word] for word in words] if found["fold"] else list(words))


def _all(parts: list[Condition]) -> Condition:
    known = [part for part in parts if part is not True]
    return (known[0] if len(known) == 1 else ["&", *known]) if known else True


def _any(parts: list[Condition]) -> Condition:
    if True in parts:
        return True
    return parts[0] if len(parts) == 1 else ["|", *parts]


class SearchedTexts:
    """Many texts, each of whose words is looked at once, whatever number of rules ask and of texts have it."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._by_word: dict[str, list[str]] = {}
        for name, text in texts.items():
            for word in set(_WORD.findall(text)):
                self._by_word.setdefault(word, []).append(name)
        self._words = "\n".join(self._by_word)
        self._folded: tuple[str, dict[str, list[str]]] | None = None
        self._known: dict[str, frozenset[str]] = {}
        self.names = frozenset(texts)

    def meeting(self, need: Condition) -> frozenset[str]:
        """The names of the texts that meet a condition."""
        if need is True:
            return self.names
        if isinstance(need, str):
            return self._having(need)
        sign, *parts = need
        if sign == "i":
            return self._in_any_case(parts[0])
        found = self.meeting(parts[0])
        for part in parts[1:]:
            found = found & self.meeting(part) if sign == "&" else found | self.meeting(part)
        return found

    def _having(self, literal: str) -> frozenset[str]:
        """Those that hold a literal anywhere, also within a word."""
        if literal not in self._known:
            runs = _WORD.findall(literal)
            found = self.names
            for run in runs:
                found &= self._within(run, self._words, self._by_word)
            if runs != [literal]:
                found = frozenset(name for name in found if literal in self._texts[name])
            self._known[literal] = found
        return self._known[literal]

    def _in_any_case(self, literal: str) -> frozenset[str]:
        if self._folded is None:
            by_word: dict[str, list[str]] = {}
            for word, names in self._by_word.items():  # folded so far that what PCRE takes for the same is the same
                by_word.setdefault(word.casefold(), []).extend(names)
            self._folded = "\n".join(by_word), by_word
        return self._within(literal.casefold(), *self._folded)

    def _within(self, run: str, words: str, by_word: Mapping[str, Iterable[str]]) -> frozenset[str]:
        """The names under every word that a run of letters is a part of: no word goes beyond its text."""
        found = set(by_word.get(run, ()))
        at = words.find(run)
        while at >= 0 and len(found) < len(self.names):
            end = words.find("\n", at)
            end = end if end >= 0 else len(words)
            found.update(by_word[words[words.rfind("\n", 0, at) + 1 : end]])
            at = words.find(run, end)
        return frozenset(found)


_RETURNS = re.compile(r"\r+(?=\n|\Z)")
LINES = "text/"  # a carriage return at a line's end is left out, where "$" does not match before it
_ODD = "\ufffd"  # a zero would make the file a binary one, which generic patterns pass over
_CODE = "code/"  # code inside files of another kind
RAW = "raw/"  # for rules that speak of it


def copy_for_rule(rule: LoadedRule, file: FileChange) -> str:
    """The copy of a whole file that a rule looks at; both have the same lines."""
    return f"{RAW if rule.raw else LINES}{file.place}"


def copies_of(file: FileChange) -> Iterator[str]:
    """The names of all copies there may be."""
    if file.content is not None:
        yield from (LINES + file.place, RAW + file.place)
        yield from (_code_copy(language, file) for language in embedded_languages(file.path))


def _code_copy(language: str, file: FileChange) -> str:
    """The copy with the code of a language that stands inside the file, on the lines on which it stands there."""
    return f"{_CODE}{language}/{file.place}"


def copy_texts(change: Change, wanted: Container[str] | None = None) -> dict[str, str]:
    """The copies that are wanted, by name; without a word of it all of them, of which most are one text twice."""
    found: dict[str, str] = {}
    for file in change.files:
        names = [name for name in copies_of(file) if wanted is None or name in wanted]
        if names:
            text = (file.content or b"").decode("utf-8", "replace").replace("\0", _ODD)
            plain = _RETURNS.sub("", text) if "\r" in text else text
            inside = {_code_copy(language, file): code for language, code in embedded_code(file.path, plain).items()}
            every = {**dict.fromkeys((_code_copy(one, file) for one in embedded_languages(file.path)), ""), **inside}
            every |= {LINES + file.place: plain, RAW + file.place: text}
            found |= {name: every[name] for name in names}
    return found


class Targets:
    """What a run is about: the rules that look at some file, and for each copy the languages it is read as."""

    def __init__(self, artifacts: Sequence[Artifact], change: Change) -> None:
        self.loaded, self.broken = load_rules(artifacts)
        self.rules: dict[int, LoadedRule] = {}
        self.targets: dict[str, set[str]] = {}
        self.unread = list(_oversized(self.loaded, change))
        needs = {number: _need(artifact) for number, artifact in enumerate(artifacts)}
        met = [(alike, read) for alike in _alike(self.loaded) if (read := _paths_to_read(alike, change))]
        asked = {name for alike, read in met for name in read if any(needs[number] is not True for number in alike)}
        texts = SearchedTexts(copy_texts(change, asked))
        for alike, read in met:
            self._meet(alike, read, needs, texts)

    def _meet(
        self,
        alike: Mapping[int, LoadedRule],
        read: Mapping[str, set[str]],
        needs: Mapping[int, Condition],
        texts: SearchedTexts,
    ) -> None:
        """Rules that look at the same files, of which each has something to do where a file holds what it needs."""
        every = frozenset(read)
        used: frozenset[str] = frozenset()
        for number, each in alike.items():
            met = every if needs[number] is True else every & texts.meeting(needs[number])
            if met:
                self.rules[number] = each
                used |= met
        for name in used:
            if read[name]:
                self.targets.setdefault(name, set()).update(read[name])


def find_targets(artifacts: Sequence[Artifact], change: Change) -> Targets:
    """Which rules meet which files; computed once for a run."""
    return _find_targets(tuple(artifacts), change.files, change.environment)


@lru_cache(maxsize=1)
def _find_targets(artifacts: tuple[Artifact, ...], files: tuple[FileChange, ...], environment: str) -> Targets:
    return Targets(artifacts, Change(files=files, environment=environment))


def load_rules(artifacts: Sequence[Artifact]) -> tuple[dict[int, LoadedRule], list[Fault]]:
    """Artifacts by number, and faults of those that somebody changed."""
    rules: dict[int, LoadedRule] = {}
    broken: list[Fault] = []
    for number, artifact in enumerate(artifacts):
        try:
            rules[number] = rule_artifact.load_artifact(artifact)
        except (ValueError, KeyError, TypeError) as error:
            broken.append(Fault(slug=facts_in_comment(artifact.text or "").slug, what=f"{artifact.path}: {error}"))
    return rules, broken


def _need(artifact: Artifact) -> Condition:
    return json.loads(artifact.needs) if artifact.needs else True


def _alike(rules: Mapping[int, LoadedRule]) -> Iterator[dict[int, LoadedRule]]:
    """The rules, those that look at the same files together: there may be a thousand of them, and as many files."""
    groups: dict[object, dict[int, LoadedRule]] = {}
    for number, each in rules.items():
        facts = each.facts
        key = (each.languages, each.include, each.exclude, each.raw, facts.scope, facts.exceptions)
        groups.setdefault(key, {})[number] = each
    yield from groups.values()


def _paths_to_read(alike: Mapping[int, LoadedRule], change: Change) -> dict[str, set[str]]:
    """The copies that such rules look at, each with the languages it is to be read as: none where it is too large."""
    one = next(iter(alike.values()))
    found = {}
    for file in change.files:
        if file.content is not None:
            shared = _readable(file).intersection(one.languages)
            inside = set(embedded_languages(file.path)).intersection(one.languages)
            if not (shared or inside) or not one.covers(file.path, change.environment):
                continue
            if shared:
                found[copy_for_rule(one, file)] = shared - _too_large(file)
            found |= {_code_copy(name, file): {name} for name in inside if not _is_large(file)}
    return found


def _readable(file: FileChange) -> set[str]:
    return {*rule_artifact.ANY_LANGUAGE, *rule_artifact.languages_of_file(file.path, file.content or b"")}


def _too_large(file: FileChange) -> set[str]:
    """The languages in which a file is not read for its size; plain text is, unless nobody read it."""
    return (
        {
            *rule_artifact.languages_of_file(file.path, file.content or b""),
            *rule_artifact.ANY_LANGUAGE * file.large,
        }
        if _is_large(file)
        else set()
    )


def _is_large(file: FileChange) -> bool:
    return file.large or len(file.content or b"") > LARGEST_FILE


def _oversized(rules: Mapping[int, LoadedRule], change: Change) -> Iterator[Fault]:
    for file in change.files:
        if not (unread := _too_large(file)):
            continue
        for each in rules.values():
            if unread.intersection(each.languages) and each.covers(file.path, change.environment):
                yield unread_fault(each.facts.slug, each.name, file)
