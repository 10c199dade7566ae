"""Rules and files -> the rules that have something to look at, and the copies of files that they look at."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from rulec.checkers import _semgrep_copies as copies
from rulec.checkers import _semgrep_languages as languages
from rulec.checkers import _semgrep_rule as rule
from rulec.checkers._large import LARGEST
from rulec.checkers._large import unread as unread_by
from rulec.checkers._semgrep_literals import Need, Texts
from rulec.checkers._semgrep_rule import Loaded
from rulec.model.artifact import Artifact, facts_in
from rulec.model.change import Change, FileChange
from rulec.model.finding import Fault


class Meeting:
    """What a run is about: the rules that look at some file, and for each copy the languages it is read as."""

    def __init__(self, artifacts: Sequence[Artifact], change: Change) -> None:
        self.loaded, self.broken = loaded(artifacts)
        self.rules: dict[int, Loaded] = {}
        self.targets: dict[str, set[str]] = {}
        self.unread = list(_oversized(self.loaded, change))
        needs = {number: _need(artifact) for number, artifact in enumerate(artifacts)}
        met = [(alike, read) for alike in _alike(self.loaded) if (read := _read(alike, change))]
        asked = {name for alike, read in met for name in read if any(needs[number] is not True for number in alike)}
        texts = Texts(copies.texts(change, asked))
        for alike, read in met:
            self._meet(alike, read, needs, texts)

    def _meet(
        self, alike: Mapping[int, Loaded], read: Mapping[str, set[str]], needs: Mapping[int, Need], texts: Texts
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


def meeting(artifacts: Sequence[Artifact], change: Change) -> Meeting:
    """Who meets whom; asked for one run several times, and found out once."""
    return _meeting(tuple(artifacts), change.files, change.environment)


@lru_cache(maxsize=1)
def _meeting(artifacts: tuple[Artifact, ...], files: tuple[FileChange, ...], environment: str) -> Meeting:
    return Meeting(artifacts, Change(files=files, environment=environment))


def loaded(artifacts: Sequence[Artifact]) -> tuple[dict[int, Loaded], list[Fault]]:
    """Artifacts by number, and faults of those that somebody changed."""
    rules: dict[int, Loaded] = {}
    broken: list[Fault] = []
    for number, artifact in enumerate(artifacts):
        try:
            rules[number] = rule.load(artifact)
        except (ValueError, KeyError, TypeError) as error:
            broken.append(Fault(slug=facts_in(artifact.text or "").slug, what=f"{artifact.path}: {error}"))
    return rules, broken


def _need(artifact: Artifact) -> Need:
    return json.loads(artifact.needs) if artifact.needs else True


def _alike(rules: Mapping[int, Loaded]) -> Iterator[dict[int, Loaded]]:
    """The rules, those that look at the same files together: there may be a thousand of them, and as many files."""
    groups: dict[object, dict[int, Loaded]] = {}
    for number, each in rules.items():
        facts = each.facts
        key = (each.languages, each.include, each.exclude, each.raw, facts.scope, facts.exceptions)
        groups.setdefault(key, {})[number] = each
    yield from groups.values()


def _read(alike: Mapping[int, Loaded], change: Change) -> dict[str, set[str]]:
    """The copies that such rules look at, each with the languages it is to be read as: none where it is too large."""
    one = next(iter(alike.values()))
    found = {}
    for file in change.files:
        if file.content is not None:
            shared = _readable(file).intersection(one.languages)
            if shared and one.covers(file.path, change.environment):
                found[copies.read_by(one, file)] = shared - _too_large(file)
    return found


def _readable(file: FileChange) -> set[str]:
    return {*languages.EVERY, *languages.of_file(file.path, file.content or b"")}


def _too_large(file: FileChange) -> set[str]:
    """The languages in which a file is not read for its size; plain text is, unless nobody read it."""
    large = file.large or len(file.content or b"") > LARGEST
    return {*languages.of_file(file.path, file.content or b""), *languages.EVERY * file.large} if large else set()


def _oversized(rules: Mapping[int, Loaded], change: Change) -> Iterator[Fault]:
    for file in change.files:
        if not (unread := _too_large(file)):
            continue
        for each in rules.values():
            if unread.intersection(each.languages) and each.covers(file.path, change.environment):
                yield unread_by(each.facts.slug, each.name, file)
