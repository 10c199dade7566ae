"""``rulec hook pushed``: what is about to be pushed and no gate has seen, judged by the rules of where it goes."""

from pathlib import Path

from rulec.commands._outcome import Outcome
from rulec.host import pushes, seen


def run(top: Path, remote: str, told: str | None) -> Outcome:
    """Judge every ref that is pushed; silent where gates have seen all of it."""
    wanted = pushes.of_framework() if told is None else pushes.told(remote, told)
    outcomes = [outcome for push in wanted if (outcome := _judged(top, push))]
    text = "\n".join(outcome.text for outcome in outcomes)
    return Outcome(text, max((outcome.code for outcome in outcomes), default=0))


def _judged(top: Path, push: pushes.Push) -> Outcome | None:
    tip = pushes.commit(top, push.new)
    new = pushes.new(top, push, tip) if tip else []
    base = pushes.base(top, push, tip, new) if new else ""
    unseen = seen.unseen(top, new, seen.rules_at(top, base) if base else "") if new else {}
    if not unseen:
        return None
    from rulec.commands import _past_gates  # noqa: PLC0415 - 100 ms that most pushes need not pay

    return _past_gates.judged(top, push.ref, (base, tip), unseen)
