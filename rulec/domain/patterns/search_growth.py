"""How the time of a search grows with the text: 1 for its length, 2 for the square of it (after Weber and Seidl)."""

from collections.abc import Iterator, Sequence

from rulec.domain.patterns.ambiguous_loops import LoopGraph, sequences_of
from rulec.domain.patterns.regex_tree import RegexNode, UnreadablePatternError, parse_regex

MOST = 6_000  # places and copies of one pattern
MOST_LOOPS = 100
MOST_LOOKS = 30
LONG = 32  # copies of a single sign that count as none; more are a loop,
SHORT = 8  # and so are more than these
FEW = 3  # where there are more such numbers than three: each multiplies the others
_MOST_STEPS = 400_000
_EVERY = -1  # all signs, as bits
_LINE_END = 1 << ord("\n")
_LOOKS = ("ASSERT", "ASSERT_NOT")
_GATE: RegexNode = ("AT", "END")


def search_exponent(pattern: str, *, search: bool = True, lines: bool = False) -> int:
    """The exponent of the longest search for a pattern; ValueError where nobody can say.

    Without ``search`` the pattern is tried at the start of the text alone; with ``lines`` no text has a line's end.
    """
    nodes, flags = parse_regex(pattern)
    try:
        return _exponent(nodes, flags, search=search, signs=~_LINE_END if lines else _EVERY)
    except RecursionError:
        raise UnreadablePatternError("its groups are nested too deep") from None


def _exponent(nodes: Sequence[RegexNode], flags: int, *, search: bool, signs: int) -> int:
    found = _of_loops(nodes, flags, search=search, signs=signs)
    if sum(1 for _ in _looks(nodes)) > MOST_LOOKS:
        raise UnreadablePatternError("it looks to the side too often")
    for number, node in enumerate(nodes):
        before = nodes[:number] if str(node[0]) in _LOOKS else nodes[: number + 1]
        for body in _looks([node]):  # gone through at each place that what stands before it leads to
            found = max(found, _of_loops([*before, *body, _GATE], flags, search=search, signs=signs))
    return found


def _looks(nodes: Sequence[RegexNode]) -> Iterator[Sequence[RegexNode]]:
    """The insides of looks to the side that hold a loop, and of those within them."""
    for node in nodes:
        for part in sequences_of(node):
            if str(node[0]) in _LOOKS and any(str(one[0]).endswith("REPEAT") for one in _all(part)):
                yield part
            yield from _looks(part)


def _all(nodes: Sequence[RegexNode]) -> Iterator[RegexNode]:
    for node in nodes:
        yield node
        for part in sequences_of(node):
            yield from _all(part)


def _ends_in_look(nodes: Sequence[RegexNode]) -> bool:
    """Whether something without width may still refuse what all signs have matched."""
    for node in reversed(nodes):
        name = str(node[0])
        if name in ("AT", "GROUPREF", *_LOOKS) or any(_ends_in_look(list(part)) for part in sequences_of(node)):
            return True
        if not (name.endswith("REPEAT") and not node[1][0]):
            return False  # it is never left out, so that nothing before it comes last
    return False


def _varies(node: RegexNode) -> bool:
    """Whether a node stands for a number of signs that is bounded, and still worth counting."""
    return str(node[0]).endswith("REPEAT") and SHORT < node[1][1] <= LONG and node[1][0] < node[1][1]


def _of_loops(nodes: Sequence[RegexNode], flags: int, *, search: bool, signs: int) -> int:
    """The exponent where looks to the side cost nothing."""
    few = sum(_varies(node) for node in _all(nodes)) <= FEW
    graph = LoopGraph(flags, judges=False, most=MOST, long=LONG if few else SHORT)
    empty, first, last = graph.sequence(nodes)
    if not _ends_in_look(nodes):
        if empty:
            return int(search)  # it matches at once
        for place in last:
            graph.signs[place] = 0  # who comes here has found it
    if search:
        graph.signs.append(_EVERY)
        graph.next.append({len(graph.signs) - 1, *first})
    return _Chains([one & signs for one in graph.signs], graph.next, graph.final).longest()


class _Chains:
    """Loops of a graph, and how long the chains are in which each shares a text with the next one."""

    def __init__(self, signs: Sequence[int], following: Sequence[set[int]], final: set[int]) -> None:
        self._signs, self._final = signs, final
        self._next = [[to for to in ends if signs[to]] for ends in following]
        self._loops = _strong(self._next)  # each group of places that lead back to themselves, the last ones first
        if len(self._loops) > MOST_LOOPS:
            raise UnreadablePatternError("it holds too many loops")
        self._steps = 0

    def longest(self) -> int:
        """One more than the links of the longest chain, 0 where there is no loop."""
        if not self._loops:
            return 0
        depth: dict[int, int] = {}  # by the place of a loop among the loops
        beyond = [self._reached(loop) for loop in self._loops]
        for at in reversed(range(len(self._loops))):  # the first ones first
            depth.setdefault(at, 0)
            for other in reversed(range(at)):
                if min(self._loops[other]) in beyond[at]:
                    linked = self._share(self._loops[at], self._loops[other], beyond[at])
                    depth[other] = max(depth.get(other, 0), depth[at] + linked)
        return max(depth.values()) + 1

    def _reached(self, starts: Sequence[int]) -> set[int]:
        seen, waiting = set(starts), list(starts)
        while waiting:
            for to in self._next[waiting.pop()]:
                if to not in seen:
                    seen.add(to)
                    waiting.append(to)
        return seen

    def _share(self, one: Sequence[int], other: Sequence[int], within: set[int]) -> bool:
        """Whether one text leads round the first loop, from it to the second, and round the second."""
        here, there = set(one), set(other)
        if here <= self._final:
            return False
        return any(self._meet(p, q, here, there, within) for p in one for q in other)

    def _meet(self, p: int, q: int, here: set[int], there: set[int], within: set[int]) -> bool:
        start, goal = (p, p, q), (p, q, q)
        seen, waiting = {start}, [start]
        while waiting:
            first, middle, last = waiting.pop()
            for a in self._next[first]:
                if a not in here:
                    continue
                for b in self._next[middle]:
                    both = self._signs[a] & self._signs[b]
                    for c in self._next[last] if both and b in within else ():
                        self._steps += 1
                        found = (a, b, c)
                        if found in seen or c not in there or not both & self._signs[c]:
                            continue
                        if found == goal or self._steps > _MOST_STEPS:
                            return True
                        seen.add(found)
                        waiting.append(found)
        return False


def _strong(following: Sequence[Sequence[int]]) -> list[list[int]]:
    """Groups of places that lead back to themselves (Tarjan), those that are reached last first."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[list[int]] = []
    for root in range(len(following)):
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        work = [(root, iter(following[root]))]
        while work:
            place, ends = work[-1]
            to = next(ends, None)
            if to is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[place])
                if low[place] == index[place]:
                    group = stack[stack.index(place) :]
                    del stack[-len(group) :]
                    low.update(dict.fromkeys(group, len(following)))
                    if len(group) > 1 or place in following[place]:
                        found.append(group)
            elif to not in index:
                index[to] = low[to] = len(index)
                stack.append(to)
                work.append((to, iter(following[to])))
            else:
                low[place] = min(low[place], low[to])
    return found
