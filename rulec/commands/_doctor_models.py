"""What doctor sees of the models that are asked: who, whether what that takes is here, and how much it may cost."""

from collections.abc import Iterator
from pathlib import Path

from rulec import registry
from rulec.commands import _continue
from rulec.commands._ask import models, own, placed, unbidden
from rulec.commands._sign import Sign
from rulec.errors import RulecError
from rulec.model.exchange import Models
from rulec.model.rulebook import Rulebook


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """Of keys it says that they are there, never what they are."""
    try:
        chosen = models(top, book)
        personal = "backend" in own().models_told
    except RulecError as error:
        yield Sign(f"your own settings do not load: {error.message}", f"{error.where}: {error.hint}")
        return
    if chosen.backend:
        yield _asked(top, chosen, here=personal or bool({*chosen.judges} - {"ci"}))
    else:
        yield Sign("no model is asked, and all works without (models.backend, or rulec ingest --backend NAME)")
    if told := _continue.told(top):
        yield Sign(told)


def _asked(top: Path, chosen: Models, *, here: bool) -> Sign:
    """The backend; what lacks on this machine is wrong where it is asked ``here`` and not in CI alone."""
    try:
        backend = registry.backend(chosen.backend)
    except RulecError as error:
        return Sign(f"models.backend: {error.message}", error.hint)
    who = f"{backend.name} {chosen.model or backend.model}".strip()
    unasked = unbidden(top, chosen, backend)
    lacks = unasked or backend.missing(placed(top, chosen))
    if lacks and here and not unasked:
        return Sign(f"{who} cannot be asked: {lacks}", "or choose another in models.backend")
    costs = (
        ""
        if backend.free or backend.at_home(chosen)
        else f", at most {chosen.tokens:,} tokens and ${chosen.money:.2f} a run"
    )
    judged = f"judges at {', '.join(chosen.judges)}" if chosen.judges else "no judges"
    return Sign(f"{who} is asked{costs}, {judged}" + (f"; not from here: {lacks}" if lacks else ""))
