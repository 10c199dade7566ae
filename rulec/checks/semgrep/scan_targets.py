"""Rules and files -> the rules that have something to look at, and the copies of files that they look at."""

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache

from rulec.checks.semgrep import rule_artifact, semgrep_languages
from rulec.checks.semgrep.prefilter import Condition, SearchedTexts
from rulec.checks.semgrep.rule_artifact import LoadedRule
from rulec.checks.skipped_files import LARGEST_FILE, unread_fault
from rulec.domain.artifact import Artifact, facts_in_comment
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault

_RETURNS = re.compile(r"\r+(?=\n|\Z)")
_LINES = "text/"  # a carriage return at a line's end is left out, where "$" does not match before it
_ODD = "\ufffd"  # a zero would make the file a binary one, which generic patterns pass over
_RAW = "raw/"  # for rules that speak of it


def copy_for_rule(rule: LoadedRule, file: FileChange) -> str:
    """The copy that a rule looks at; both have the same lines."""
    return f"{_RAW if rule.raw else _LINES}{file.place}"


def copies_of(file: FileChange) -> Iterator[str]:
    """The names of all copies there may be."""
    if file.content is not None:
        yield from (_LINES + file.place, _RAW + file.place)


def copy_texts(change: Change, wanted: Container[str] | None = None) -> dict[str, str]:
    """The copies that are wanted, by name; without a word of it all of them, of which most are one text twice."""
    found: dict[str, str] = {}
    for file in change.files:
        names = [name for name in copies_of(file) if wanted is None or name in wanted]
        if names:
            text = (file.content or b"").decode("utf-8", "replace").replace("\0", _ODD)
            plain = _RETURNS.sub("", text) if "\r" in text else text
            found |= {name: plain if name.startswith(_LINES) else text for name in names}
    return found


class Targets:
    """What a run is about: the rules that look at some file, and for each copy the languages it is read as."""

    def __init__(self, artifacts: Sequence[Artifact], change: Change) -> None:
        self.loaded, self.broken = load_rules(artifacts)
        self.rules: dict[int, LoadedRule] = {}
        self.targets: dict[str, set[str]] = {}
        self.unread = list(_oversized(self.loaded, change))
        needs = {number: _need(artifact) for number, artifact in enumerate(artifacts)}
        met = [(alike, read) for alike in _alike(self.loaded) if (read := _read(alike, change))]
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
    """Who meets whom; asked for one run several times, and found out once."""
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


def _read(alike: Mapping[int, LoadedRule], change: Change) -> dict[str, set[str]]:
    """The copies that such rules look at, each with the languages it is to be read as: none where it is too large."""
    one = next(iter(alike.values()))
    found = {}
    for file in change.files:
        if file.content is not None:
            shared = _readable(file).intersection(one.languages)
            if shared and one.covers(file.path, change.environment):
                found[copy_for_rule(one, file)] = shared - _too_large(file)
    return found


def _readable(file: FileChange) -> set[str]:
    return {*semgrep_languages.ANY_LANGUAGE, *semgrep_languages.languages_of_file(file.path, file.content or b"")}


def _too_large(file: FileChange) -> set[str]:
    """The languages in which a file is not read for its size; plain text is, unless nobody read it."""
    large = file.large or len(file.content or b"") > LARGEST_FILE
    return (
        {
            *semgrep_languages.languages_of_file(file.path, file.content or b""),
            *semgrep_languages.ANY_LANGUAGE * file.large,
        }
        if large
        else set()
    )


def _oversized(rules: Mapping[int, LoadedRule], change: Change) -> Iterator[Fault]:
    for file in change.files:
        if not (unread := _too_large(file)):
            continue
        for each in rules.values():
            if unread.intersection(each.languages) and each.covers(file.path, change.environment):
                yield unread_fault(each.facts.slug, each.name, file)
