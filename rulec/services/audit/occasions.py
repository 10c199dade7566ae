"""When a rule that was not broken had something to say, told by its remedy and its examples."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulec.domain.files import globs
from rulec.domain.rule import Example, Rule
from rulec.domain.transcript import Action
from rulec.shell.command_matching import matches
from rulec.shell.parsing.call import Call

_FILES = ("file", "edit")
_CHANGES = ("write", "edit")
_REMEDIES = ("instead", "prefer")  # parameters that name the command to use


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What an action looks like that a rule is about, whether it breaks the rule or keeps it."""

    rule: Rule
    commands: tuple[str, ...]  # patterns
    suffixes: frozenset[str]  # of files whose content decides

    def names_program_of(self, command: str) -> bool:
        """Whether a command may be one of these, seen before it is parsed."""
        programs = [name for pattern in self.commands for name in pattern.split()[0].split("|")]
        return any(name in command for name in programs)

    def is_met(self, action: Action, calls: Sequence[Call]) -> bool:
        """Whether the rule is about this action; ``calls`` are those of its command."""
        if action.kind == "command":
            return any(matches(pattern, call) for call in calls for pattern in self.commands)
        if action.kind not in _CHANGES or posixpath.splitext(action.path)[1] not in self.suffixes:
            return False
        scope = self.rule.scope
        return globs.match(scope.include, action.path) and not globs.match(scope.exclude, action.path)


def occasion_of(rule: Rule) -> Occasion:
    """The occasion of a rule: its remedy, a refused command without its flags, a file like those of its examples."""
    invalid = [one for one in rule.invalid if one.kind in _FILES]
    folders = {posixpath.dirname(one.path) for one in rule.valid if one.kind in _FILES}
    by_content = all(posixpath.dirname(one.path) in folders for one in invalid)
    return Occasion(
        rule=rule,
        commands=tuple(dict.fromkeys(_commands(rule))),
        suffixes=frozenset(posixpath.splitext(one.path)[1] for one in invalid if by_content) - {""},
    )


def _commands(rule: Rule) -> Iterator[str]:
    for check in rule.checks:
        wanted = [check.parameters.get(name) for name in _REMEDIES]
        yield from (one for one in wanted if isinstance(one, str) and one)
    for example in rule.invalid:
        last = _judged(example)
        words = last.text.split() if last.kind == "command" else []
        bare = [*_before_flags(words)]
        if bare and (len(bare) < len(words) or example.steps):
            yield " ".join(bare)


def _judged(example: Example) -> Example:
    return example.steps[-1] if example.steps else example


def _before_flags(words: list[str]) -> Iterator[str]:
    for word in words:
        if word.startswith("-"):
            return
        yield word
