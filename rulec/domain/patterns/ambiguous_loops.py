"""Patterns as graphs of places, and loops that read one text in two ways: an engine that goes back hangs."""

from collections.abc import Mapping, Sequence
from itertools import chain
from re._constants import MAXREPEAT  # type: ignore[import-not-found]  # typeshed leaves it out
from typing import Any

from rulec.domain.patterns.regex_tree import RegexNode, UnreadablePatternError, matched_signs, parse_regex

_MANY = 10  # a group that may stand so often is as bad as one without end
LONG = 64  # copies of a single sign are still cheap to lay out
MOST = 2000  # signs and groups of one loop, copies counted
_MOST_STEPS = 1_000_000

LoopEnds = tuple[bool, list[int], list[int]]  # whether it may be empty, the places where it begins and where it ends
_STARTS = {"AT_BEGINNING": 1 << ord("\n"), "AT_BEGINNING_STRING": 0}  # as if it were the line end that stands before
_EMPTY: LoopEnds = (True, [], [])


def has_ambiguous_loop(pattern: str) -> bool:
    """Whether some loop can read one text in two ways, which doubles with each round; ValueError: nobody can say."""
    nodes, flags = parse_regex(pattern)
    try:
        return _any(nodes, flags)
    except RecursionError:
        raise UnreadablePatternError("its groups are nested too deep") from None


def _any(nodes: Sequence[RegexNode], flags: int) -> bool:
    return any(_ambiguous(node, flags) for node in nodes)


def _ambiguous(node: RegexNode, flags: int) -> bool:
    """Whether an outermost loop in the node is; what is inside of one is judged with it."""
    if str(node[0]) in ("MAX_REPEAT", "MIN_REPEAT"):
        low, high, body = node[1]
        if _endless(high, body, flags):
            return _idles(low, high, body, flags) or LoopGraph(flags).ambiguous(body)
    return any(_any(part, flags) for part in sequences_of(node))


def _endless(high: int, body: Sequence[RegexNode], flags: int, long: int = LONG) -> bool:
    """Whether a repetition is taken for a loop; a short one is laid out copy by copy."""
    single = len(body) == 1 and matched_signs(body[0], flags) is not None
    return high > long if single else high >= _MANY


def _idles(low: int, high: int, body: Sequence[RegexNode], flags: int) -> bool:
    """Whether a counted loop may take any of its rounds without reading a sign: which ones it does is left open."""
    counted = low >= _MANY or high < MAXREPEAT
    return counted and LoopGraph(flags, judges=False).sequence(body)[0]


def sequences_of(node: RegexNode) -> list[Any]:
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


class LoopGraph:
    """One loop as places in a graph: a place matches one sign, an edge leads to what may match the next one."""

    def __init__(self, flags: int, *, judges: bool = True, most: int = MOST, long: int = LONG) -> None:
        self._flags = flags
        self._judges = judges  # whether it looks into what is closed
        self._most, self._long = most, long
        self._laid = 0
        self.signs: list[int] = []
        self.next: list[set[int]] = []
        self.final: set[int] = set()  # loops that end where what follows them can begin, and nowhere else
        self._twice = False  # some edge leads the same way for two reasons

    def ambiguous(self, body: Sequence[RegexNode]) -> bool:
        """Whether two different ways through the loop match the same text and meet again."""
        _, first, last = self.sequence(body)
        self._join(last, first)
        return self._twice or self._ways_meet()

    def _ways_meet(self) -> bool:
        """Walk all pairs of places that one text can lead to, and look for a pair that comes back together."""
        pairs = [(place, place) for place in range(len(self.signs))]
        before: dict[tuple[int, int], list[tuple[int, int]]] = {pair: [] for pair in pairs}
        steps = 0
        while pairs:
            one, other = pair = pairs.pop()
            for left in self.next[one]:
                for right in self.next[other]:
                    steps += 1
                    if not self.signs[left] & self.signs[right]:
                        continue
                    if (left, right) not in before:
                        before[left, right] = []
                        pairs.append((left, right))
                    before[left, right].append(pair)
            if steps > _MOST_STEPS:
                return True
        return _comes_back(before)

    def sequence(self, nodes: Sequence[RegexNode]) -> LoopEnds:
        """Lay out nodes that follow each other."""
        ends = _EMPTY
        for number, node in enumerate(nodes):
            start = len(self.signs)
            ends = self._chained(ends, self._node(node))
            if _tempered(node, nodes[number + 1 :]):
                self.final.update(range(start, len(self.signs)))
        return ends

    def _chained(self, one: LoopEnds, other: LoopEnds) -> LoopEnds:
        self._join(one[2], other[1])
        first = one[1] + other[1] if one[0] else one[1]
        return one[0] and other[0], first, other[2] + one[2] if other[0] else other[2]

    def _join(self, last: Sequence[int], first: Sequence[int]) -> None:
        for place in () if self._twice and self._judges else last:
            self._twice |= not self.next[place].isdisjoint(first)
            self.next[place].update(first)

    def _place(self, signs: int) -> LoopEnds:
        self.signs.append(signs)
        self.next.append(set())
        place = len(self.signs) - 1
        return False, [place], [place]

    def _node(self, node: RegexNode) -> LoopEnds:
        self._laid += 1
        if self._laid > self._most:
            raise UnreadablePatternError("a loop of it is too large")
        name, signs = str(node[0]), matched_signs(node, self._flags)
        if signs is not None:
            return self._place(signs)
        if name == "AT" and str(node[1]) in _STARTS and not self._judges:
            return self._place(_STARTS[str(node[1])])
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            return self._repeat(*node[1])
        if name in ("POSSESSIVE_REPEAT", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"):
            return self._closed(node)
        parts = [self.sequence(part) for part in sequences_of(node)]
        if not parts:
            return _EMPTY
        empty, first, last = zip(*parts, strict=True)
        return any(empty), [*chain(*first)], [*chain(*last)]

    def _repeat(self, low: int, high: int, body: Sequence[RegexNode]) -> LoopEnds:
        if _endless(high, body, self._flags, self._long):
            self._twice |= self._judges and _idles(low, high, body, self._flags)
            empty, first, last = self.sequence(body)
            self._join(last, first)
            return empty or not low, first, last
        ends = _EMPTY
        for number in range(high, 0, -1):  # x{2,4} is xx(x(x)?)?
            empty, first, last = self._chained(self.sequence(body), ends)
            ends = (empty or number > low, first, last)
        return ends

    def _closed(self, node: RegexNode) -> LoopEnds:
        """What is never entered again: judged alone, and seen from outside as one sign of those it may begin with."""
        name, (body,) = str(node[0]), sequences_of(node)
        again = name == "POSSESSIVE_REPEAT" and node[1][0] > 1
        if self._judges:
            self._twice |= LoopGraph(self._flags).ambiguous(body) if again else _any(body, self._flags)
        if name.startswith("ASSERT"):
            return _EMPTY
        empty, signs = LoopGraph(self._flags, judges=False).opening(body)
        return (empty or (name == "POSSESSIVE_REPEAT" and not node[1][0]), *self._place(signs)[1:])

    def opening(self, body: Sequence[RegexNode]) -> tuple[bool, int]:
        """Whether the body may be empty, and all signs it may begin with."""
        empty, first, _ = self.sequence(body)
        signs = 0
        for place in first:
            signs |= self.signs[place]
        return empty, signs


def _tempered(node: RegexNode, following: Sequence[RegexNode]) -> bool:
    """Whether the node is the loop of ``(?:(?!END).)*END``, which reads a text in one way only."""
    if str(node[0]) not in ("MAX_REPEAT", "MIN_REPEAT"):
        return False
    body = list(node[1][2])
    if len(body) == 1 and str(body[0][0]) == "SUBPATTERN":
        body = list(body[0][1][-1])
    if len(body) != 2 or str(body[0][0]) != "ASSERT_NOT":
        return False
    end = list(body[0][1][1])
    return bool(end) and repr(list(following[: len(end)])) == repr(end)


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
