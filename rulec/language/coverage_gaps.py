"""What of a statement no check sees, and which of its conditions no check respects."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rulec.domain.rule import Check, Example, Rule, Scope
from rulec.language.check_contents import (
    CheckContents,
    advice_of,
    deciding_parameters,
    parameter_texts,
    texts_of_example,
)
from rulec.language.statement_parts import (
    NamedThing,
    StatementPart,
    literals_of,
    members_of,
    side_of,
    split_statement,
    without_markup,
)
from rulec.language.words import (
    EXCEPTING,
    ORDERING,
    PLACING,
    SHORT_NAME,
    holds_most,
    holds_stem,
    telling_stems,
    word_table,
    words_in_code,
)

LONGEST_GAP = 80  # characters of one gap
# What of a check bounds it by itself, by how its parameters begin: a condition in other words may be one of these.
_BOUNDS: Mapping[str, tuple[str, ...]] = {
    "when": ("when", "since", "before_", "after_", "on_branch"),
    "except": ("unless", "except", "outside", "allowed", "admissions"),
    "where": ("inside", "outside", "globs", "except", "folders", "kinds", "part", "where", "on_branch"),
}
_PLACE = re.compile(
    r"(?i)\b(?:code|files?|modules?|folders?|director(?:y|ies)|components?|packages?|class(?:es)?|scripts?|tests?|"
    r"comments?|sources?)\b"
)
_CONSENT = word_table("ask approv permission consent confirm tell told agre okay said review person user")
_HEEDS_CONSENT = ("asks",)
_DOING = re.compile(r"(?i)(?:if|when(?:ever)?)\s+(?:you|we|i|anybody|someone)\s")  # what is done is its verb
_ACTS = {  # what an example of a kind is, in words
    "message": "commit message subject body", "reply": "reply answer response chat turn stop finish done end",
    "stop": "turn stop finish done end report", "commit": "commit",
}  # fmt: skip


def unexplained(rule: Rule, also: Iterable[str] = ()) -> tuple[str, ...]:
    """What a rule's statement says that neither its checks see nor ``not_checked`` lists; () for a mere reminder.

    ``also`` are further texts that its checks look at, such as the compiled ones.
    """
    return _Coverage.of_rule(rule, also).gaps(rule.statement, rule.not_checked) if _only_machines(rule.checks) else ()


def describe_gap(text: str) -> str:
    """A gap as it is listed."""
    return text if len(text) <= LONGEST_GAP else f"{text[:LONGEST_GAP]}…"


def _only_machines(checks: Sequence[Check]) -> bool:
    return bool(checks) and not any(check.kind == "judge" for check in checks)


@dataclass(frozen=True)
class _Coverage:
    """All that may see a part of a statement."""

    checks: tuple[Check, ...]
    scope: Scope
    invalid: tuple[Example, ...]
    valid: tuple[Example, ...]
    also: tuple[str, ...]  # what decides, too
    shown: tuple[str, ...] = ()  # what is wanted in its place

    @classmethod
    def of_rule(cls, rule: Rule, also: Iterable[str] = ()) -> "_Coverage":
        spared = [example for one in rule.exceptions for example in one.valid]
        bounds = [
            text
            for one in rule.exceptions
            for text in (one.because, one.when, *one.commands, *one.arguments, *_scope_texts(one.scope))
        ]
        return cls(
            rule.checks,
            rule.scope,
            rule.invalid,
            (*rule.valid, *spared),
            (*also, *bounds, *rule.scope.tags),
            (rule.do,),
        )

    def gaps(self, statement: str, not_checked: Iterable[str]) -> tuple[str, ...]:
        listed = [text.lower() for text in not_checked]
        parts, statement = split_statement(statement), without_markup(statement)
        open_: list[str] = []
        for one in self._named(statement):
            around = next((part.text for part in parts if one.text in part.text), "")
            if not (self._sees(one, statement) or is_listed(one.text, around, listed)):
                open_.append(one.text)
        blind = [part.whole for part in self._unseen(parts, statement)]
        blind += [part.text for part in self.unheeded(statement)]
        for text in blind:
            if not (any(known in text for known in open_) or is_listed(text, text, listed)):
                open_.append(text)
        return tuple(dict.fromkeys(map(describe_gap, open_)))

    def unheeded(self, statement: str) -> Iterator[StatementPart]:
        """The conditions that no check respects, of the wishes that some check sees."""
        parts, text = split_statement(statement), without_markup(statement)
        blind = {part.of for part in self._unseen(parts, text)}
        for part in parts:
            if part.kind == "condition" and part.of not in blind and not self._heeded(part, parts, text):
                yield part
            elif part.marker in ORDERING and part.of not in blind and not self._ordered(part, parts):
                yield replace(part, text=part.whole)

    def _named(self, statement: str) -> list[NamedThing]:
        """The literals, and the members of lists with one of them or with something that a check names."""
        found = list(literals_of(statement))
        values = [text for check in self.checks for text in parameter_texts(list(check.parameters.values()))]
        heads = [
            example.text.split(maxsplit=1)[0]
            for example in self.invalid
            if example.kind == "command" and example.text.strip()
        ]
        known = [one.text for one in found if one.kind in ("code", "quoted", "path", "flag", "name")]
        commands = [word for text in values for word in (text, text.split("|")[0], *text.split(" ")[:1])]
        names = [*known, *heads, *(text for text in commands if len(text) > 1 and not text.isdigit())]
        covered = {word.lower() for one in found for word in (one.text, *one.text.split())}
        found += (one for one in members_of(statement, names) if one.text.lower() not in covered)
        return list(dict.fromkeys(found))

    def _sees(self, one: NamedThing, statement: str) -> bool:
        wanted = side_of(statement, one.start) == "wanted"
        looked = self._looked(shown=wanted)
        if one.kind == "member" and not looked.sees(one):
            known = words_in_code((*looked.texts, *looked.patterns))
            return all(holds_most(known, [word], SHORT_NAME) for word in telling_stems(one.text) or [one.text.lower()])
        return looked.sees(one)

    def _looked(self, *, shown: bool) -> CheckContents:
        return (
            self._looked_at
            if not shown
            else CheckContents((*self._looked_at.texts, *self._shown()), self._looked_at.patterns)
        )

    @cached_property
    def _looked_at(self) -> CheckContents:
        bounds = [text for text in (*self.scope.include, *self.scope.exclude) if text.strip("*/")]
        patterns = [*(text for check in self.checks for text in deciding_parameters(check)), *bounds]
        texts = [*self.also, *(text for one in self.invalid for text in texts_of_example(one))]
        return CheckContents((*patterns, *texts), tuple(patterns))

    def _shown(self) -> Iterator[str]:
        yield from self.shown
        yield from (text for check in self.checks for text in advice_of(check))
        yield from (text for one in self.valid for text in texts_of_example(one))

    @cached_property
    def _decides(self) -> frozenset[str]:
        """The words of what decides, and of the kinds of act that are decided."""
        kinds = {step.kind for one in self.invalid for step in (one, *one.steps[-1:])}
        acts = [_ACTS.get(kind, "") for kind in kinds]
        return words_in_code(
            [
                *(t for check in self.checks for t in deciding_parameters(check)),
                *_scope_texts(self.scope),
                *self.also,
                *acts,
            ]
        )

    def _unseen(self, parts: Sequence[StatementPart], statement: str) -> list[StatementPart]:
        """The further wishes that no check sees; a check without words may be for one of them."""
        wishes = [part for part in parts if part.kind == "wish"]
        decides = self._decides
        caught = decides | words_in_code([text for one in self.invalid for text in texts_of_example(one)])
        shown = caught | words_in_code(list(self._shown()))
        seen = [one for one in literals_of(statement) if self._sees(one, statement)]
        known: set[str] = set()
        open_: list[StatementPart] = []
        for part in wishes:
            own = [word for word in telling_stems(part.text) if word not in known]
            known.update(own)
            wanted = side_of(statement, statement.find(part.text)) == "wanted"
            inside = [one.kind for one in seen if part.span[0] <= one.start < part.span[1]]
            if "number" in inside or (inside and not part.of):
                continue  # its words are those around what it names
            if own and not holds_most(shown if wanted else caught, own, SHORT_NAME):
                open_.append(part)
        words = [word for part in parts for word in telling_stems(part.text)]
        mute = {repr((check.template, check.parameters)) for check in self.checks if not any(
            word in words for word in telling_stems(" ".join(deciding_parameters(check))))}  # fmt: skip
        spared = len(mute)
        if len(open_) == len(wishes) and not spared:
            spared = 1  # something is seen: what the sentence begins with
        return open_[spared:]

    def _heeded(self, part: StatementPart, parts: Sequence[StatementPart], statement: str) -> bool:
        wish = words_in_code([one.text for one in parts if one is not part and one.of == part.of])
        stems, decides = telling_stems(part.text), self._decides
        stems = [word for word in stems if not holds_stem(wish, word)] or stems
        if _DOING.match(part.text) and holds_stem(decides, stems[0], SHORT_NAME):
            return True
        named = [one for one in literals_of(statement) if one.text in part.text and one.kind != "number"]
        if named and all(self._sees(one, statement) for one in named):
            return True
        if holds_most(decides, stems, SHORT_NAME):
            return True
        if set(stems) & _CONSENT and self._has(_HEEDS_CONSENT, "ask-before"):
            return True
        kind = _kind(part.marker)
        if kind != "where" or _PLACE.search(part.text):
            bounded = kind == "where" and (set(self.scope.include) - {"**"} or self.scope.exclude)
            if bounded or self._has(_BOUNDS[kind], "require-companion" if kind == "when" else "ask-before"):
                return True
        return any(self._differ(bad, good, stems, kind) for bad in self.invalid for good in self.valid)

    def _ordered(self, part: StatementPart, parts: Sequence[StatementPart]) -> bool:
        """Whether something sees the step that is to come first, and not only the one behind it."""
        decides = self._decides
        wish = next((one for one in parts if one.kind == "wish" and one.of == part.of), None)
        stems = telling_stems(wish.text) if wish else []
        if not stems or holds_most(decides, stems, SHORT_NAME):
            return True
        caught = words_in_code([text for one in self.invalid for text in texts_of_example(one)])
        return any(word for word in stems if holds_most(decides | caught, [word]))

    def _has(self, keys: Sequence[str], template: str) -> bool:
        """Whether a check is bounded by one of these parameters, or by what its template is."""
        return any(
            check.template == template
            or any(value and str(key).startswith(tuple(keys)) for key, value in _walk_parameters(check.parameters))
            for check in self.checks
        )

    def _differ(self, bad: Example, good: Example, stems: Sequence[str], kind: str) -> bool:
        """Whether a valid example passes because of a condition, and would be caught without it."""
        one, other = (example.steps[-1] if example.steps else example for example in (bad, good))
        if one.kind != other.kind:
            return False
        if (one.text, one.old) == (other.text, other.old):
            return bad.steps[:-1] != good.steps[:-1] or (kind == "where" and one.path != other.path)
        mine, theirs = one.text.split(), other.text.split()
        if one.kind == "command":
            near = mine[:2] == theirs[:2]
        else:
            near = len(set(mine) & set(theirs)) * 2 >= len(set(mine) | set(theirs))
            if near and kind == "except" and words_in_code([one.text]) < words_in_code([other.text]):
                return True  # what the exception asks for was added
        sides = [words_in_code(list(texts_of_example(example))) for example in (bad, good)]
        return near and any(_stands_on_one_side(sides, word) for word in stems)


def _kind(marker: str) -> str:
    """What a condition is about: a place, an exception, or a time."""
    return "where" if marker in PLACING else "except" if marker in (*EXCEPTING, "without") else "when"


def _stands_on_one_side(sides: Sequence[frozenset[str]], word: str) -> bool:
    """Whether a word is on one of two sides alone."""
    return holds_most(sides[0], [word]) != holds_most(sides[1], [word])


def _walk_parameters(parameters: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in parameters.items():
        yield key, value
        if isinstance(value, Mapping):
            yield from _walk_parameters(value)


def _scope_texts(scope: Scope) -> Iterator[str]:
    yield from (
        text
        for text in (*scope.include, *scope.exclude, *scope.agents, *scope.projects, *scope.environments)
        if text != "**"
    )


def is_listed(text: str, around: str, listed: Sequence[str]) -> bool:
    """Whether not_checked names the thing, or at least half of the words of its clause."""
    words = telling_stems(around)
    for entry in listed:
        if text.lower() in entry or (words and 2 * sum(word in entry for word in words) >= len(words)):
            return True
    return False
