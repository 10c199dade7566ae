"""Patterns as trees, and how long a search may take: loops that read one text in two ways, and how the time grows."""

import re
import string
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from re import _parser as parser  # type: ignore[attr-defined]  # typeshed leaves it out
from re._constants import MAXREPEAT  # type: ignore[import-not-found]  # as above
from typing import Any

RegexNode = tuple[Any, Any]  # what it is, and what it holds

_ASCII = 128
_BUCKETS = 64  # signs beyond ASCII share these
_BEYOND = ((1 << _BUCKETS) - 1) << _ASCII
_ALL = (1 << (_ASCII + _BUCKETS)) - 1
_ANY = r"\s\S"
_TOKEN = re.compile(
    r"\\(?:(?P<escape>[xpP]\{\^?\w+\}|.))|(?P<bar>\|)|\(\?(?P<flags>[imsxnJU]*(?:-[imsxnJU]+)?)(?P<end>[:)])"
    r"|(?P<named>\(\?(?:P?<\w+>|'\w+'|\|))|\[(?P<first>\^?\]?)(?P<items>(?:\\.|\[:\^?\w+:\]|[^\]\\])*)\]",
    re.DOTALL,
)
_ITEM = re.compile(r"\\(?P<escape>[xpP]\{\^?\w+\}|.)|\[:(?P<posix>\^?\w+):\]|(?P<sign>[\[&~|])", re.DOTALL)
_POSIX = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s",
    "word": r"\w", "xdigit": "0-9a-fA-F", "blank": r" \t", "punct": re.escape(string.punctuation),
}  # fmt: skip
_SETS = {  # PCRE's own escapes, as items between brackets; where there is none, any sign at all
    "h": r" \t", "v": r"\n\v\f\r", "R": r"\r\n", "e": r"\x1b",
    "N": _ANY, "H": _ANY, "V": _ANY, "C": _ANY, "X": _ANY,
    "p{L": r"a-zA-Z\u0080-\U0010ffff", "p{N": r"0-9\u0080-\U0010ffff", "p{Z": r"\s\u0080-\U0010ffff",
}  # fmt: skip
_NOWHERE = {"K": "(?=)", "G": "(?=)", "z": r"\Z"}
_FLAGS = {"i": re.IGNORECASE, "s": re.DOTALL, "x": re.VERBOSE}


class UnreadablePatternError(ValueError):
    """A pattern that says what Python's parser does not know, or that nobody can read."""


def parse_regex(pattern: str) -> tuple[list[RegexNode], int]:
    """The tree of a pattern and its flags; what PCRE writes otherwise than Python is put in Python's words first."""
    flags = 0
    for token in _TOKEN.finditer(pattern):
        for sign in (token["flags"] or "").partition("-")[0]:
            flags |= _FLAGS.get(sign, 0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of brackets in brackets, which are signs in both
            return list(parser.parse(_TOKEN.sub(_pythonic, pattern), flags)), flags
    except (re.error, OverflowError, RecursionError) as error:
        raise UnreadablePatternError(str(error)) from None


def _pythonic(token: "re.Match[str]") -> str:
    if token["bar"]:
        return "|(?=)"  # else the parser makes one set of a|b, and that both match the same sign is lost
    if token["end"]:
        return "(?:" if token["end"] == ":" else "(?=)"
    if token["named"]:
        return "("
    if token["items"] is not None:
        return f"[{token['first']}{_ITEM.sub(_item, token['items'])}]"
    escape = token["escape"]
    items = _own(escape)
    return f"[{items}]" if items else _NOWHERE.get(escape, token[0])


def _item(found: "re.Match[str]") -> str:
    """One item between brackets."""
    if found["posix"]:
        return _POSIX.get(found["posix"], _ANY)
    return f"\\{found['sign']}" if found["sign"] else _own(found["escape"]) or found[0]


def _own(escape: str) -> str:
    """What stands between brackets for an escape that only PCRE knows; "" for the others."""
    if escape.startswith("x{"):
        return f"\\U{min(int(escape[2:-1], 16), 0x10FFFF):08x}" if re.fullmatch(r"x\{[0-9a-fA-F]+\}", escape) else ""
    if escape[:1] in "pP":
        return _SETS.get(escape[:3], _ANY)
    return _SETS.get(escape, "")


def matched_signs(node: RegexNode, flags: int) -> int | None:
    """The signs that match at one place, as bits; None where the node is no such place."""
    name, value = str(node[0]), node[1]
    if name == "LITERAL":
        found = _bits([value])
    elif name == "NOT_LITERAL":
        return _without(_folded(_bits([value]), flags))
    elif name == "ANY":
        return _ALL if flags & re.DOTALL else _without(_bits([ord("\n")]))
    elif name == "IN":
        found = 0
        for kind, item in value:
            found |= _of_item(str(kind), item)
        found = _folded(found, flags)
        return _without(found) if str(value[0][0]) == "NEGATE" else found
    else:
        return _ALL if name == "GROUPREF" else None
    return _folded(found, flags)


def _of_item(kind: str, item: Any) -> int:
    if kind == "LITERAL":
        return _bits([item])
    if kind == "RANGE":
        low, high = item
        return _bits(range(low, min(high, low + 2 * _ASCII + _BUCKETS) + 1))
    return _CATEGORIES[str(item)] if kind == "CATEGORY" else 0


def _bits(codes: Iterable[int]) -> int:
    found = 0
    for code in codes:
        found |= 1 << (code if code < _ASCII else _ASCII + code % _BUCKETS)
    return found


def _without(signs: int) -> int:
    """All other signs; those beyond ASCII stay, since a bucket holds more than was named."""
    return (_ALL & ~signs) | _BEYOND


def _folded(signs: int, flags: int) -> int:
    if not flags & re.IGNORECASE:
        return signs
    letters = [code for code in range(_ASCII) if signs >> code & 1 and chr(code).isalpha()]
    return signs | _bits(ord(chr(code).swapcase()) for code in letters)


def _category(pattern: str) -> int:
    """In Semgrep a class of signs knows ASCII alone."""
    return _bits(code for code in range(_ASCII) if re.match(pattern, chr(code)))


_CATEGORIES = {
    "CATEGORY_DIGIT": _category(r"\d"), "CATEGORY_NOT_DIGIT": _category(r"\D") | _BEYOND,
    "CATEGORY_SPACE": _category(r"[ \t-\r]"), "CATEGORY_NOT_SPACE": _category(r"[^ \t-\r]") | _BEYOND,
    "CATEGORY_WORD": _category(r"\w"), "CATEGORY_NOT_WORD": _category(r"\W") | _BEYOND,
}  # fmt: skip


_MANY = 10  # a group that may stand so often is as bad as one without end
LONG_IN_A_LOOP = 64  # copies of a single sign are still cheap to lay out
MOST_IN_A_LOOP = 2000  # signs and groups of one loop, copies counted
_MOST_LOOP_STEPS = 1_000_000

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


def _endless(high: int, body: Sequence[RegexNode], flags: int, long: int = LONG_IN_A_LOOP) -> bool:
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

    def __init__(
        self, flags: int, *, judges: bool = True, most: int = MOST_IN_A_LOOP, long: int = LONG_IN_A_LOOP
    ) -> None:
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
            if steps > _MOST_LOOP_STEPS:
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


MOST_PLACES = 6_000  # places and copies of one pattern
MOST_LOOPS = 100
MOST_LOOKS = 30
MOST_COPIES = 32  # copies of a single sign that count as none; more are a loop,
FEW_COPIES = 8  # and so are more than these
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
    return str(node[0]).endswith("REPEAT") and FEW_COPIES < node[1][1] <= MOST_COPIES and node[1][0] < node[1][1]


def _of_loops(nodes: Sequence[RegexNode], flags: int, *, search: bool, signs: int) -> int:
    """The exponent where looks to the side cost nothing."""
    few = sum(_varies(node) for node in _all(nodes)) <= FEW
    graph = LoopGraph(flags, judges=False, most=MOST_PLACES, long=MOST_COPIES if few else FEW_COPIES)
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
