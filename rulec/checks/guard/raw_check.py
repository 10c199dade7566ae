"""A raw guard check: the guard's own JSON, of a size that a hook can bear."""

import json
from collections.abc import Mapping
from typing import Any

from rulec.errors import RulecError

LONGEST = 8_000  # characters of its JSON
_FORM = "write {on: command, patterns: [...]}; rulec templates --guard-schema says all of it"


def vet_guard_check(check: Any, name: str, where: str = "") -> dict[str, Any]:
    """The check as plain data; RulecError, in one line, where it is none."""
    if isinstance(check, str):
        try:
            check = json.loads(check)
        except (ValueError, RecursionError) as error:
            raise RulecError(f"{name}: is no JSON: {error}", where=where, hint=_FORM) from None
    if not isinstance(check, Mapping):
        raise RulecError(f"{name}: is no mapping", where=where, hint=_FORM)
    if len(json.dumps(check)) > LONGEST:
        raise RulecError(
            f"{name}: is longer than {LONGEST:,} characters", where=where, hint="one check finds one thing"
        )
    return dict(check)
