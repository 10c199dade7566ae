"""Checks, examples and proof failures of a rule in words, a line each."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulec.checks.proving.proof import Proof, StageFailure, VariantOutcome
from rulec.domain.rule import Check, Example, Exemption, Scope
from rulec.domain.text.one_line import SCREEN_WIDTH, shorten
from rulec.domain.text.redaction import redact
from rulec.rulebook import example_file

# What only a regular expression has: classes, groups, alternatives, anchors, escapes and lazy or counted repeats.
_PATTERN = re.compile(r"\\[A-Za-z.]|\(\?|\[[^\]]*\][+*?{]|\.[*+]|\|\w|^\^|\$$")


def check_line(check: Check) -> str:
    """A check in a line: kind, template and parameters."""
    given = " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in check.parameters.items())
    return f"{_check_name(check)} {given}".rstrip()


def _check_name(check: Check) -> str:
    return check.template if check.kind == check.template else f"{check.kind} {check.template}"  # judge is both


def check_words(check: Check) -> str:
    """A check in words: its template and what it was given, where regular expressions are only counted.

    forbid-command {commands: [npm, yarn]} -> "forbid-command (commands: npm, yarn)".
    """
    given = "; ".join(f"{name}: {_value_words(value)}" for name, value in check.parameters.items())
    return f"{check.template} ({given})" if given else check.template


def _value_words(value: Any) -> str:
    values = value if isinstance(value, list | tuple) else [value]
    plain = [_one_value(one) for one in values if not _is_pattern(one)]
    many = len(values) - len(plain)
    return ", ".join([*plain, *([f"{many} pattern{'s' * (many > 1)}"] if many else [])])


def _one_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _is_pattern(value: Any) -> bool:
    """Whether a value has to be read as a regular expression, so that a card counts it."""
    return isinstance(value, str) and bool(_PATTERN.search(value))


def own_text(check: Check) -> list[str]:
    """The lines of a check that somebody wrote in their own words, as raw-shell takes them; [] for other checks."""
    own = [value for value in check.parameters.values() if isinstance(value, str) and "\n" in value]
    if len(own) != len(check.parameters):
        return []
    return [line for text in own for line in redact(text).strip("\n").splitlines()]


def check_brief(check: Check, indent: int, most: int) -> str:
    """A check in words; of a check in its author's own words the first lines."""
    lines = own_text(check)
    if not lines:
        return check_words(check)
    more = [f"... {len(lines) - most} more lines"] * (len(lines) > most)
    return "\n".join([_check_name(check), *(f"{'':{indent}}{line}" for line in [*lines[:most], *more])])


def check_in_full(check: Check, indent: int) -> str:
    """A check with all that it was given, and every line of what somebody wrote in their own words."""
    lines = own_text(check)
    if not lines:
        return check_line(check)
    return "\n".join([_check_name(check), *(f"{'':{indent}}{line}" for line in lines)])


def example_line(example: Example) -> str:
    """An example in a line."""
    if example.kind == "session":
        return ", then ".join(map(example_line, example.steps))
    if example.kind == "commit":
        return f"a commit of {', '.join(path for path, _ in example.files)}"
    words = {
        "read": "reads",
        "says": "the person says",
        "stop": "ends the turn",
        "reply": "the agent says",
        "message": "the message",
    }
    text = " ".join(filter(None, (f"{example.path}:" if example.path and example.text else example.path, example.text)))
    failed = ", which fails" if example.failed else ""
    return " ".join(filter(None, (words.get(example.kind, ""), text))) + failed


def failure_json(one: StageFailure) -> dict[str, Any]:
    """A failed proof stage for programs: the example, what was expected and what happened."""
    example = {"example": example_file.example_data(one.example)} if one.example else {}
    given = {"expected": one.expected, "got": one.got, "check": one.check, "why": redact(one.why)}
    return {"what": redact(one.what), **example, **{key: value for key, value in given.items() if value}}


def scope_words(scope: Scope) -> str:
    """A scope in words: the files, what is left out, and whether it is for agents alone."""
    if scope == Scope():
        return "everywhere"
    but = f" but not {', '.join(scope.exclude)}" if scope.exclude else ""
    whose = ", where agents act alone" if scope.who else ""
    return f"{', '.join(scope.include)}{but}{whose}"


def describe_exemption(one: Exemption) -> str:
    """What an exception is bounded by, in words: commands, arguments, paths, agents, environments."""
    scope = one.scope
    places = ", ".join(scope.include) if scope.include != Scope().include else ""
    parts = [
        ("", " or ".join(f"`{command}`" for command in one.commands)),
        ("on " if one.commands else "commands on ", ", ".join(one.arguments)),
        ("in " * one.of_commands, places),
        ("", f"all but {', '.join(scope.exclude)}" if scope.exclude else ""),
        ("by " * bool(one.of_commands or places), ", ".join(scope.agents)),
        ("at ", " and ".join(scope.environments)),
    ]
    return " ".join(f"{word}{text}" for word, text in parts if text)


def exemption_words(one: Exemption) -> str:
    """An exception in words: its condition, or else its bounds."""
    return one.when or describe_exemption(one)


def proof_rows(
    proof: Proof | None, refused: Sequence[Example], passed: Sequence[Example], not_seen: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """What a rule's proof says to a person: what its checks refuse, what they let pass, and what they do not see."""
    edges = (proof.edges if proof else None) or VariantOutcome()
    if proof:
        also = [*(one.example for one in edges.missed if not one.invalid), *(one.example for one in edges.wider)]
        names = ("refuses", "passes") if proof.digest else ("to fail", "to hold")
        yield names[0], _listed(map(example_line, [*refused, *also]))
        yield names[1], _listed(map(example_line, passed))
    yield "not seen", _listed([*not_seen, *(example_line(one.example) for one in edges.missed if one.invalid)])


def variant_counts(edges: VariantOutcome) -> str:
    """How many variants of a rule's examples its checks decide as they should."""
    return f"{edges.caught} of {edges.invalid} refused, {edges.passed} of {edges.valid} passed"


def _listed(texts: Iterable[str]) -> str:
    """As many of the texts as fit a line, and how many more there are."""
    every = list(texts)
    shown = fit_line(every)
    return "; ".join(shown) + f"; and {len(every) - len(shown)} more" * (len(shown) < len(every))


def fit_line(texts: Iterable[str]) -> list[str]:
    """The first texts, as many as fit a line, the very first in any case."""
    shown: list[str] = []
    for text in texts:
        line = shorten(text)
        if shown and sum(map(len, shown)) + len(line) > _LISTED:
            break
        shown.append(line)
    return shown


_LISTED = SCREEN_WIDTH - len("; and 999 more")  # characters of the texts of one line
