"""A rule and its next revision -> what changes, in a line each."""

from collections.abc import Iterator

from rulec.commands._lines import told
from rulec.model.rule import Exemption, Rule, Scope


def changes(old: Rule, new: Rule) -> Iterator[str]:
    """Words, checks, places, exceptions and examples; nothing of what stays as it is."""
    if old.statement != new.statement:
        yield f'"{old.statement}" becomes "{new.statement}"'
    yield from (f"{name}: {getattr(new, name)}" for name in ("when", "do") if getattr(old, name) != getattr(new, name))
    kinds = [(check.kind, check.template) for check in new.checks]
    yield from (f"no more: {told(check)}" for check in old.checks if (check.kind, check.template) not in kinds)
    yield from (f"checks: {told(check)}" for check in new.checks if check not in old.checks)
    yield from (f"not checked: {text}" for text in new.not_checked if text not in old.not_checked)
    yield from (f"no longer listed as not checked: {text}" for text in old.not_checked if text not in new.not_checked)
    if old.scope != new.scope:
        yield f"where: {placed(new.scope)} (it was {placed(old.scope)})"
    yield from (f"not {excepted(one)} any more" for one in new.exceptions if one not in old.exceptions)
    yield from _examples(old, new)
    if old.checks == new.checks and old.checks and (old.scope, old.exceptions) == (new.scope, new.exceptions):
        yield "the check stays as it is" + "; what is new is only put into words" * (old.statement != new.statement)


def _examples(old: Rule, new: Rule) -> Iterator[str]:
    more = [
        (len(set(new.invalid) - set(old.invalid)), "to be caught"),
        (len(set(new.valid) - set(old.valid)), "to pass"),
    ]
    counted = [f"{count} more example{'s' * (count > 1)} {what}" for count, what in more if count]
    if counted:
        yield " and ".join(counted)
    gone = [one for one in (*old.invalid, *old.valid) if one not in (*new.invalid, *new.valid)]
    if gone:
        yield f"{len(gone)} example{'s' * (len(gone) > 1)} of what passed before go{'es' * (len(gone) == 1)}"


def placed(scope: Scope) -> str:
    """A scope in words."""
    if scope == Scope():
        return "everywhere"
    but = f" but not {', '.join(scope.exclude)}" if scope.exclude else ""
    whose = ", where agents act alone" if scope.who else ""
    return f"{', '.join(scope.include)}{but}{whose}"


def excepted(one: Exemption) -> str:
    """An exception in words."""
    bounds = [*one.scope.include * (one.scope.include != ("**",)), *one.commands, *one.scope.agents]
    bounds += one.scope.environments
    return one.when or ", ".join(bounds)
