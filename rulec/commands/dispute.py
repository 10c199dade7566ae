"""``rulec dispute``: a person says that a rule was wrong to fire, here and now."""

from pathlib import Path

from rulec.commands import _disputes, _onto, _verb
from rulec.commands._outcome import Outcome
from rulec.commands.exception import AGAINST, Where
from rulec.errors import RulecError
from rulec.host import clock, ledger, worktree
from rulec.model.evidence import Evidence, Noted

_OF_FILES = ("commit", "push", "done", "stop")  # gates whose findings name a file where they name anything


def run(top: Path, slug: str, where: Where, reason: str) -> Outcome:
    """Keep it beside the ledger; ``rulec tally`` makes it a counterexample, and three alike make a case.

    Without a place it is about the file that the rule fired on last, where it was a file.
    """
    said = _verb.reason(reason)
    if not said:
        raise RulecError("the reason is empty", hint="say what was wrong: rulec dispute SLUG --reason TEXT")
    _onto.standing(worktree.load(top), slug)
    last = None if where.path or where.command else _last(top, slug)
    item = Evidence(
        slug=slug, kind="counterexample", weight=AGAINST, at=clock.now(), quote=said, agent=_verb.reason(where.agent),
        accepted=_verb.reason(where.command), path=_verb.reason(where.path) or (last.of if last else ""),
    )  # fmt: skip
    _disputes.put(top, item)
    about = item.path or (f"`{item.accepted}`" if item.accepted else "")
    fired = f", on which it fired {last.at[:10]}" if last else ""
    lines = [
        f"noted that {slug} was wrong" + f" about {about}{fired}" * bool(about),
        f"next: rulec tally ({len(_disputes.waiting(top))} disputed) makes it evidence against the rule",
    ]
    return Outcome("\n".join(lines))


def _last(top: Path, slug: str) -> Noted | None:
    """What the rule said last, where that was of a file."""
    fired = [one for one in ledger.noted(top, slug) if one.outcome in ("block", "warn", "audit")]
    return fired[-1] if fired and fired[-1].of and fired[-1].event in _OF_FILES else None
