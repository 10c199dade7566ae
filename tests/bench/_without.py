"""rulec with one part left out: ``python tests/bench/_without.py PART TRACE ARGUMENT...``, for ablation.py.

PART is fit:NAME, template:NAME, heuristic:NAME or "nothing". Each offered draft adds its fit and templates to TRACE.
"""

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.ports import Fit

# What stands in for a heuristic that is left out, as (module, name, replacement).
HEURISTICS: dict[str, tuple[str, str, Any]] = {
    "replay": ("rulec.commands._around", "together", lambda *_: None),
    "further-drafts": ("rulec.commands._propose", "DRAFTS", 1),
    "place-of-the-words": ("rulec.stages.extract", "situated", lambda _, __, draft: draft),
    "plainer-words": ("rulec.stages.extract", "plainer", lambda _: ()),
    "support-of-a-check": ("rulec.commands._session", "supports", lambda *_: False),
    "beside-the-wish": ("rulec.stages.extract", "_beside", lambda _: ()),
    "gather": ("rulec.commands._waiting", "gather", tuple),
}
OF_FITS = ("passing-examples", "clauses-without-a-form")


def leave_out(part: str, trace: Path) -> None:
    """Change what the registry and some modules hold, in this process alone."""
    kind, _, name = part.partition(":")
    if kind == "heuristic" and name not in OF_FITS:
        module, attribute, other = HEURISTICS[name]
        loaded = importlib.import_module(module)
        assert hasattr(loaded, attribute), f"{module} has no {attribute} any more: mend tests/bench/_without.py"
        setattr(loaded, attribute, other)
    fits = [fit for fit in registry.fits() if part != f"fit:{fit.name}"]
    changed = tuple(replace(fit, fit=_offers(fit, part, trace), any_clause=_any(fit, name)) for fit in fits)
    registry.fits = lambda: changed  # type: ignore[assignment]  # a cached function; nobody clears it here


def _any(fit: Fit, name: str) -> bool:
    return fit.any_clause and name != "clauses-without-a-form"


def _offers(fit: Fit, part: str, trace: Path) -> Callable[..., Iterator[Any]]:
    """The fit, its drafts noted, and without those that use a template which is left out."""
    kind, _, name = part.partition(":")

    def offer(*given: Any) -> Iterator[Any]:
        for draft in fit.fit(*given):
            templates = [check.template for check in draft.checks]
            with trace.open("a") as file:
                file.write(json.dumps([fit.name, templates]) + "\n")
            if kind != "template" or name not in templates:
                yield replace(draft, valid=()) if name == "passing-examples" else draft

    return offer


if __name__ == "__main__":
    leave_out(sys.argv[1], Path(sys.argv[2]))
    from rulec.cli import main

    main(sys.argv[3:])
