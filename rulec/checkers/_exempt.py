"""What the exceptions of a rule leave alone where files are judged: nobody's agent is known there, and no command."""

from collections.abc import Iterable

from rulec.model.plan import Facts
from rulec.model.rule import Exemption, Scope
from rulec.runtime import globs


def of_files(facts: Facts) -> tuple[Exemption, ...]:
    """The exceptions that can hold of a file."""
    return tuple(one for one in facts.exceptions if not (one.commands or one.scope.agents))


def spares(facts: Facts, path: str, environment: str) -> bool:
    """Whether an exception leaves the file alone."""
    return any(_within(one.scope, path, environment) for one in of_files(facts))


def _within(scope: Scope, path: str, environment: str) -> bool:
    if scope.environments and environment not in scope.environments:
        return False
    return globs.match(scope.include or ("**",), path) and not globs.match(scope.exclude, path)


def everywhere(exceptions: Iterable[Exemption]) -> list[str]:
    """The globs of those that no environment and no other place bounds: tools that know only globs can heed them."""
    plain = (one.scope for one in exceptions if not (one.scope.environments or one.scope.exclude))
    return [glob for scope in plain for glob in scope.include]
