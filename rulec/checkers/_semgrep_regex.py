"""Patterns that run away: PCRE gives up on them in silence, and Semgrep then reports no finding."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from rulec.checkers._semgrep_pcre import Node, UnreadableError, chars, parsed

_KEYS = ("pattern-regex", "pattern-not-regex", "regex")
_MANY = 10  # a group that may stand so often is as bad as one without end
_LONG = 64  # copies of a single sign are still cheap to lay out
_MOST = 2000  # signs and groups of one loop, copies counted
_MOST_STEPS = 1_000_000

Ends = tuple[bool, list[int], list[int]]  # whether it may be empty, the places where it begins and where it ends
_EMPTY: Ends = (True, [], [])


def regexes(data: Any) -> Iterator[str]:
    """Every regular expression of a rule's body."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key in _KEYS and isinstance(value, str):
                yield value
            else:
                yield from regexes(value)
    elif isinstance(data, list):
        for item in data:
            yield from regexes(item)


def runs_away(pattern: str) -> bool:
    """Whether some loop can read one text in two ways, which doubles with each round; ValueError: nobody can say."""
    nodes, flags = parsed(pattern)
    try:
        return _any(nodes, flags)
    except RecursionError:
        raise UnreadableError("its groups are nested too deep") from None


def _any(nodes: Sequence[Node], flags: int) -> bool:
    return any(_ambiguous(node, flags) for node in nodes)


def _ambiguous(node: Node, flags: int) -> bool:
    """Whether an outermost loop in the node is; what is inside of one is judged with it."""
    if str(node[0]) in ("MAX_REPEAT", "MIN_REPEAT"):
        _, high, body = node[1]
        if _endless(high, body, flags):
            return _Loop(flags).ambiguous(body)
    return any(_any(part, flags) for part in _parts(node))


def _endless(high: int, body: Sequence[Node], flags: int) -> bool:
    """Whether a repetition is taken for a loop; a short one is laid out copy by copy."""
    single = len(body) == 1 and chars(body[0], flags) is not None
    return high > _LONG if single else high >= _MANY


def _parts(node: Node) -> list[Any]:
    """The sequences inside a node."""
    name, value = str(node[0]), node[1]
    if name.endswith("REPEAT"):
        return [value[2]]
    if name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT"):
        return [value[-1]]
    if name == "BRANCH":
        return list(value[1])
    if name == "GROUPREF_EXISTS":
        return [value[1], value[2] or []]
    return [value] if name == "ATOMIC_GROUP" else []


class _Loop:
    """One loop as places in a graph: a place matches one sign, an edge leads to what may match the next one."""

    def __init__(self, flags: int, *, judges: bool = True) -> None:
        self._flags = flags
        self._judges = judges  # whether it looks into what is closed
        self._laid = 0
        self._signs: list[int] = []
        self._next: list[set[int]] = []
        self._twice = False  # some edge leads the same way for two reasons

    def ambiguous(self, body: Sequence[Node]) -> bool:
        """Whether two different ways through the loop match the same text and meet again."""
        _, first, last = self._sequence(body)
        self._join(last, first)
        return self._twice or self._ways_meet()

    def _ways_meet(self) -> bool:
        """Walk all pairs of places that one text can lead to, and look for a pair that comes back together."""
        pairs = [(place, place) for place in range(len(self._signs))]
        before: dict[tuple[int, int], list[tuple[int, int]]] = {pair: [] for pair in pairs}
        steps = 0
        while pairs:
            one, other = pair = pairs.pop()
            for left in self._next[one]:
                for right in self._next[other]:
                    steps += 1
                    if not self._signs[left] & self._signs[right]:
                        continue
                    if (left, right) not in before:
                        before[left, right] = []
                        pairs.append((left, right))
                    before[left, right].append(pair)
            if steps > _MOST_STEPS:
                return True
        return _comes_back(before)

    def _sequence(self, nodes: Sequence[Node]) -> Ends:
        ends = _EMPTY
        for node in nodes:
            ends = self._chained(ends, self._node(node))
        return ends

    def _chained(self, one: Ends, other: Ends) -> Ends:
        self._join(one[2], other[1])
        first = one[1] + other[1] if one[0] else one[1]
        return one[0] and other[0], first, other[2] + one[2] if other[0] else other[2]

    def _join(self, last: Sequence[int], first: Sequence[int]) -> None:
        for place in () if self._twice else last:
            self._twice |= not self._next[place].isdisjoint(first)
            self._next[place].update(first)

    def _place(self, signs: int) -> Ends:
        self._signs.append(signs)
        self._next.append(set())
        place = len(self._signs) - 1
        return False, [place], [place]

    def _node(self, node: Node) -> Ends:
        self._laid += 1
        if self._laid > _MOST:
            raise UnreadableError("a loop of it is too large")
        name, signs = str(node[0]), chars(node, self._flags)
        if signs is not None:
            return self._place(signs)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            return self._repeat(*node[1])
        if name in ("POSSESSIVE_REPEAT", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"):
            return self._closed(node)
        parts = [self._sequence(part) for part in _parts(node)]
        if not parts:
            return _EMPTY
        empty, first, last = zip(*parts, strict=True)
        return any(empty), [*chain(*first)], [*chain(*last)]

    def _repeat(self, low: int, high: int, body: Sequence[Node]) -> Ends:
        if _endless(high, body, self._flags):
            empty, first, last = self._sequence(body)
            self._join(last, first)
            return empty or not low, first, last
        ends = _EMPTY
        for number in range(high, 0, -1):  # x{2,4} is xx(x(x)?)?
            empty, first, last = self._chained(self._sequence(body), ends)
            ends = (empty or number > low, first, last)
        return ends

    def _closed(self, node: Node) -> Ends:
        """What is never entered again: judged alone, and seen from outside as one sign of those it may begin with."""
        name, (body,) = str(node[0]), _parts(node)
        again = name == "POSSESSIVE_REPEAT" and node[1][0] > 1
        if self._judges:
            self._twice |= _Loop(self._flags).ambiguous(body) if again else _any(body, self._flags)
        if name.startswith("ASSERT"):
            return _EMPTY
        empty, signs = _Loop(self._flags, judges=False).opening(body)
        return (empty or (name == "POSSESSIVE_REPEAT" and not node[1][0]), *self._place(signs)[1:])

    def opening(self, body: Sequence[Node]) -> tuple[bool, int]:
        """Whether the body may be empty, and all signs it may begin with."""
        empty, first, _ = self._sequence(body)
        signs = 0
        for place in first:
            signs |= self._signs[place]
        return empty, signs


def _comes_back(before: Mapping[tuple[int, int], Sequence[tuple[int, int]]]) -> bool:
    """Whether a pair of two places leads back to one place; every pair here came from one."""
    waiting = [pair for pair in before if pair[0] == pair[1]]
    seen = set(waiting)
    while waiting:
        for pair in before[waiting.pop()]:
            if pair[0] != pair[1]:
                return True
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return False
