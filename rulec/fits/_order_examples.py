"""Sessions that a rule of order must catch, and those it must pass."""

from collections.abc import Iterator, Sequence

from rulec.fits._order_join import Order, plain
from rulec.fits._order_pair import Pair
from rulec.model.rule import Example
from rulec.runtime import globs


def session(*steps: Example | None) -> Example:
    """The steps as one example; what is not needed is left out."""
    return Example(kind="session", text="", steps=tuple(step for step in steps if step))


def _touch(order: Order, pair: Pair) -> Example | None:
    """An edit that makes the first step due."""
    since = order.given.get("since")
    if not since:
        return None
    path = next((path for path in pair.edited if _due_by(order, path)), "") or _sample(since)
    return Example(kind="edit", path=path, old="x\n", text="y\n")


def _due_by(order: Order, path: str) -> bool:
    given = order.given
    free = path.startswith(("/", "~", "..")) or globs.match(given.get("since_except", []), path)
    return not free and globs.match(given["since"], path)


def _sample(wanted: Sequence[str]) -> str:
    """A path that the globs match."""
    glob = wanted[0]
    if glob.startswith("*."):
        return f"src/sample{glob[1:]}"
    path = "src/sample.py" if glob == "**" else glob.replace("**/", "").replace("*", "sample")
    return f"{path}sample.md" if path.endswith("/") else path


def _act(order: Order, pair: Pair) -> Example:
    """The step that is judged."""
    step, given = order.then.step, order.given
    if step.kind != "edit":
        return step
    free = given.get("except", [])
    seen = (path for path in pair.edited if globs.match(given["before_edits"], path) and not globs.match(free, path))
    path = next(seen, "") or _sample(given["before_edits"])
    return Example(kind="edit", path=path, old="x\n", text="y\n")


def _first(order: Order, act: Example) -> Example:
    step = order.first.step
    return Example(kind="read", path=act.path, text="") if step.kind == "read" and not step.path else step


def _also(order: Order) -> Example | None:
    """The run that the person asked for as well."""
    also = order.given.get("also_commands")
    return Example(kind="command", text=plain(also[-1])) if also else None


def invalid(order: Order, pair: Pair) -> Iterator[Example]:
    """What is judged without what comes first, or after it counts no more."""
    touch, act, also = _touch(order, pair), _act(order, pair), _also(order)
    yield session(touch, also, act)
    first = _first(order, act)
    if touch:
        yield session(first, touch, also, act)
    if order.given.get("since_commands"):
        yield session(first, act, act)


def valid(order: Order, orders: Sequence[Order], pair: Pair) -> Iterator[Example]:
    """The right order, and near misses that the rule is not about."""
    touch, act, also = _touch(order, pair), _act(order, pair), _also(order)
    if also:
        yield session(touch, act)
    yield session(touch, also, *(_first(one, act) for one in orders), act)
    if touch and "**" not in order.given["since"]:
        yield session(Example(kind="edit", path="notes/other.txt", old="x\n", text="y\n"), act)
    if order.then.what == "stop":
        yield session(touch, Example(kind="stop", text="It still fails in one place. Shall I go on?"))
        yield session(Example(kind="command", text="git log --oneline -3"), act)
    if order.given.get("before_commands"):
        yield session(
            touch, Example(kind="command", text=f"grep -rn '{plain(order.given['before_commands'][0])}' docs")
        )
    if order.first.what == "write-tests":
        yield session(order.first.step)
        yield session(Example(kind="file", path="notes/other.txt", text="x\n"))
    if order.first.what == "read" and act.kind == "edit":
        yield (
            session(Example(kind="file", path="notes/new.txt", text="x\n"))
            if order.given.get("how")
            else session(*(Example(kind="read", path=path, text="") for path in order.given["first_reads"][:1]), act)
        )
