"""Exceptions in words: what a rule leaves alone, and what people have made a case for."""

from collections.abc import Iterator, Sequence

from rulec.model.evidence import Evidence
from rulec.model.rule import Exemption, Rule, Scope
from rulec.stages.evolve import evolve


def told(one: Exemption) -> str:
    """What an exception is about, in a few words."""
    scope = one.scope
    places = ", ".join(scope.include) if scope.include != Scope().include else ""
    parts = [
        ("", " or ".join(f"`{command}`" for command in one.commands)),
        ("in " * bool(one.commands), places),
        ("", f"all but {', '.join(scope.exclude)}" if scope.exclude else ""),
        ("by " * bool(one.commands or places), ", ".join(scope.agents)),
        ("at ", " and ".join(scope.environments)),
    ]
    return " ".join(f"{word}{text}" for word, text in parts if text)


def lines(rule: Rule, evidence: Sequence[Evidence]) -> Iterator[str]:
    """The exceptions of a rule, and those that counterexamples propose."""
    for one in rule.exceptions:
        when = f" when {one.when}" if one.when else ""
        yield f"except {told(one)}{when}: {one.because}"
    for one in evolve(rule, evidence):
        yield f"a case for an exception: {told(one)} ({one.because}); rulec review"
