"""Orders -> a draft of require-before: with a pair, only where it shows the offence and nothing accepted is caught."""

from collections.abc import Iterator, Sequence

from rulec.fits._order_examples import invalid, session, valid
from rulec.fits._order_join import Given, Order
from rulec.fits._order_pair import Pair
from rulec.fits._pair import LONGEST
from rulec.model.candidate import Draft
from rulec.model.rule import Example
from rulec.model.transcript import Action
from rulec.runtime.sessions import on_session

_MOST_STEPS = 14
_CUT = 400  # characters of a file's text that an example keeps: what is in it decides nothing here
_SEEN = ("command", "write", "edit", "delete", "read")


def drafts(orders: Sequence[Order], pair: Pair, because: str) -> Iterator[Draft]:
    """One draft for all of them."""
    if not orders:
        return
    shown = _offence(orders, pair) if pair.before else None
    if pair.before and (shown is None or _blocked(orders, pair)):
        return
    made = [example for order in orders for example in invalid(order, pair)]
    yield Draft(
        checks=tuple(order.check for order in orders),
        invalid=tuple(dict.fromkeys(([shown] if shown else []) + made)),
        valid=tuple(dict.fromkeys(example for order in orders for example in valid(order, orders, pair))),
        do=f"first {' and '.join(order.first.cure for order in orders)}",
        because=because,
    )


def _events(actions: Sequence[Action]) -> list[Given]:
    return [
        {
            "kind": action.kind,
            "command": action.command,
            "ok": False if action.rejected else action.ok,
            "path": action.path,
            "exists": True if action.kind == "edit" or "has been updated" in action.output else None,
        }
        for action in actions
        if action.kind in _SEEN and len(action.command) <= LONGEST
    ]


def _caught(order: Order, event: Given, past: Sequence[Given]) -> bool:
    rule = {"check": {**order.check.parameters}, "facts": {"slug": "draft"}}
    return any(not found["unsure"] for found in on_session(rule, {**event, "history": list(past)}))


def _offence(orders: Sequence[Order], pair: Pair) -> Example | None:
    """The steps up to the first act of the pair that every one of these orders would have caught."""
    actions = [action for action in pair.before if action.kind in _SEEN]
    events = _events(actions)
    if len(events) != len(actions):
        return None
    ends = any(order.given.get("before_stop") for order in orders)
    for index, event in enumerate(events):
        if all(_caught(order, event, events[:index]) for order in orders):
            return _told(actions[: index + 1], None)
    stop = Example(kind="stop", text="It is done.")
    if ends and all(_caught(order, {"kind": "stop", "text": stop.text}, events) for order in orders):
        return _told(actions, stop)
    return None


def _told(actions: Sequence[Action], stop: Example | None) -> Example | None:
    steps = [step for action in actions[-_MOST_STEPS:] if (step := _step(action))]
    if not steps or (stop is None and not actions[-1:]) or (stop is None and _step(actions[-1]) is None):
        return None
    return session(*steps, stop)


def _step(action: Action) -> Example | None:
    if action.kind == "command":
        return Example(kind="command", text=action.command, failed=action.ok is False)
    if not action.path or action.path.startswith(("/", "~", "..")):
        return None
    if action.kind == "edit":
        return Example(kind="edit", path=action.path, old=action.old[:_CUT] or "x\n", text=action.new[:_CUT])
    kind = {"write": "file", "read": "read"}.get(action.kind)
    return (
        Example(kind="file" if kind == "file" else "read", path=action.path, text=action.new[:_CUT]) if kind else None
    )


def _blocked(orders: Sequence[Order], pair: Pair) -> bool:
    """Whether anything that was accepted afterwards would have been caught."""
    past, later = _events(pair.before), _events(pair.after)
    return any(_caught(order, event, [*past, *later[:index]]) for order in orders for index, event in enumerate(later))
