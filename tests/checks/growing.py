"""Rules of one check and their variants, for tests of how variants are made."""

from rulec.checks.proving.mutation import make_mutants
from rulec.checks.proving.proof import Mutant
from rulec.domain.rule import Check, Example, Rule
from tests.templates.mutants import compiled


def command(text: str) -> Example:
    return Example(kind="command", text=text)


def file(path: str, text: str) -> Example:
    return Example(kind="file", path=path, text=text)


def rule(kind: str, template: str, parameters: dict[str, object], *invalid: Example, valid: tuple[Example, ...] = ()):
    check = Check(kind=kind, template=template, parameters=parameters)  # type: ignore[arg-type]  # one of the kinds
    return Rule(slug="a-rule", statement="S.", checks=(check,), invalid=invalid, valid=valid)


def grown(made: Rule) -> tuple[Mutant, ...]:
    return make_mutants(made, [compiled(made)])


def texts(made: Rule, *, invalid: bool) -> dict[str, str]:
    return {mutant.name: mutant.example.text for mutant in grown(made) if mutant.invalid is invalid}


NPM = rule("guard", "forbid-command", {"commands": ["npm"]}, command("npm install left-pad"), valid=(command("ls"),))
