"""Options by which programs run only a part of what they would run without them."""

from __future__ import annotations

from rulec.domain.patterns.command_patterns import plain_program
from rulec.shell.command_matching import words_beside_pattern
from rulec.shell.programs import facts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.parsing.call import Call


_USUAL = ("pytest", "jest", "vitest", "mocha", "playwright", "node", "cypress")  # of those that nobody names
_HANDED_ON = frozenset(one for runner in _USUAL for one in facts_of(runner)["selects"].split())


def selects(pattern: str, call: Call) -> bool:
    """Whether an option of the call, beside those that the pattern names, chooses a part."""
    rest = words_beside_pattern(pattern, call)
    program = plain_program(call.program)
    runner = _runner([program, *pattern.split(), *call.argv[1:4]])
    facts = facts_of(program)
    more = call.env.get(facts_of(runner).get("options_variable", ""), "").split()
    if runner or "hands_on" not in facts:
        return any(_is_one_of(_selecting(runner) if runner else _HANDED_ON, word) for word in [*rest, *more])
    own = _selecting(program)
    at = rest.index("--") if "--" in rest else 0 if own else len(rest)  # make takes no options for what it runs
    return any(_is_one_of(own, word) for word in rest) or any(_is_one_of(_HANDED_ON - own, word) for word in rest[at:])


def is_selecting(word: str, before: list[str]) -> bool:
    """Whether the word is an option by which the command in whose words it stands chooses a part."""
    runner = _runner(before)
    return _is_one_of(_selecting(runner) if runner else _HANDED_ON | _selecting(before[0]), word)


def _runner(words: list[str]) -> str:
    named = ((word, facts_of(word)) for word in map(plain_program, words))
    return next((word for word, facts in named if "selects" in facts and "hands_on" not in facts), "")


def _selecting(runner: str) -> frozenset[str]:
    return frozenset(facts_of(runner).get("selects", "").split())


def _is_one_of(options: frozenset[str], word: str) -> bool:
    if not word.startswith("-"):
        return False
    attached = not word.startswith("--") and word[2:].replace("_", "").isalnum()  # -ktotal
    return word.partition("=")[0] in options or (attached and word[:2] in options)
