"""Duplicate functions: equal but for names and literals, in a change and in the files near it."""

import re

from rulec.domain.files import file_kinds
from rulec.domain.files.languages import SUFFIXES
from rulec.guard import scopes
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOST_FILES = 300  # of one change that are looked at
MOST_SIBLINGS = 60  # files beside a changed one that are read
LARGEST = 300_000  # signs of a file
MOST_TOKENS = 3_000  # of a function that are compared
MOST_COMPARED = 30_000_000  # runs in all: a first commit of a large tree must not keep its author waiting
LEAST_TOKENS = 28  # of a body: shorter ones are alike by nature
ALIKE, SHORT_ALIKE, SHORT = 0.72, 0.8, 60  # share of runs that two bodies have in common, and where short ones end
RUN = 3  # tokens in a row
_BRACES = frozenset(
    suffix
    for language in file_kinds.split_words(
        "go javascript typescript java kotlin rust php c cpp csharp swift scala dart"
    )
    for suffix in SUFFIXES[language]
)
_INDENTED = frozenset([*SUFFIXES["python"], *SUFFIXES["ruby"]])
_TOKEN = re.compile(
    r"(?P<skip>//[^\n]*|/\*(?:.*?\*/|.*)|\s+)|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)"
    r"|(?P<number>\d[\w.]*)|(?P<name>[A-Za-z_$]\w*)|(?P<sign>\\.|=>|->|::|:=|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--|.)",
    re.DOTALL,
)
_HASHED = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''|#[^\n]*", re.DOTALL)
_KEYWORDS = frozenset(
    file_kinds.split_words(
        "if else for while do switch case default return break continue func function fn def class struct var "
        "let const "
        "new try catch finally throw throws range go defer select import from as in is not and or lambda yield "
        "await async "
        "match with elif except raise pass None True False nil null true false this self end unless until begin "
        "rescue then"
    )
)
_NO_FUNCTION = frozenset(
    file_kinds.split_words(
        "if else for while do switch case catch try finally class struct interface enum namespace impl trait "
        "mod type module "
        "select match return with unsafe loop extension object record package import"
    )
)
_DEF = re.compile(r"^(?P<indent>[ \t]*)(?:async[ \t]+)?def[ \t]+(?P<name>[\w.?!]+)", re.MULTILINE)


class FunctionBody:
    """One function: its name, where it begins, and its body without names and texts."""

    __slots__ = ("body", "line", "lines", "name", "runs")

    def __init__(self, name: str, line: int, lines: int, body: "list[str]") -> None:
        self.name, self.line, self.lines, self.body = name, line, lines, body
        times: "dict[tuple[str, ...], int]" = {}
        self.runs: "set[tuple[tuple[str, ...], int]]" = set()  # each run with how often it came before: sets are fast
        for at in range(len(body) - RUN + 1):
            run = tuple(body[at : at + RUN])
            times[run] = times.get(run, 0) + 1
            self.runs.add((run, times[run]))


def check_duplicates(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """A finding for each new function that repeats another one of the change or of a file near it."""
    check, facts = rule["check"], rule["facts"]
    scope, least = facts.get("scope", {}), int(check.get("copies") or 1)
    found: "list[dict[str, Any]]" = []
    known, left = _known(check, event, least), MOST_COMPARED
    for file in event["files"][:MOST_FILES]:
        if not (_looked_at(check, file["path"]) and file["how"] != "delete" and scopes.holds_path(scope, file["path"])):
            continue
        old = {(one.name, tuple(one.body)) for one in functions_of(file["path"], file["old"])}
        for one in functions_of(file["path"], file["new"]):
            if (one.name, tuple(one.body)) in old or not _large(one, least):
                continue
            twin, left = _twin(one, file["path"], known, left)
            if twin and not _paired(found, one, twin):
                path, other = twin
                text = f"line {one.line}: {one.name} repeats {other.name} of {path}:{other.line}"[
                    : action_events.LONGEST_SHOWN
                ]
                cure = f"let {one.name} and {other.name} share one function"
                found.append(action_events.finding_of(facts["slug"], path=file["path"], text=text, cure=cure))
    return found


def _paired(found: "list[dict[str, Any]]", one: FunctionBody, twin: "tuple[str, FunctionBody]") -> bool:
    """Whether the finding that names these two is there already, from the side of the other."""
    return any(f": {twin[1].name} repeats {one.name} of " in item["text"] for item in found)


def _looked_at(check: "dict[str, Any]", path: str) -> bool:
    wanted = not check.get("when") or file_kinds.is_among(check["when"], path)
    ending = path.rpartition(".")[2]
    return wanted and ending in _BRACES | _INDENTED and not file_kinds.is_among(check.get("unless", []), path)


def _known(check: "dict[str, Any]", event: "dict[str, Any]", least: int) -> "list[tuple[str, FunctionBody]]":
    """Every function of the change and of the files near it that is large enough to be compared."""
    texts = {
        f["path"]: f["new"]
        for f in event["files"][:MOST_FILES]
        if f["how"] != "delete" and _looked_at(check, f["path"])
    }
    gone = {f["path"] for f in event["files"]} | {f["old_path"] for f in event["files"]}
    folders = {(path.rpartition("/")[0], path.rpartition(".")[2]) for path in texts}
    tree = event.get("tree")
    beside = sorted(tree.paths()) if tree is not None and texts else []
    beside = [p for p in beside if p not in gone and (p.rpartition("/")[0], p.rpartition(".")[2]) in folders]
    for path in [path for path in beside if _looked_at(check, path)][:MOST_SIBLINGS]:
        texts[path] = (tree.read(path) if tree is not None else None) or ""
    return [(path, one) for path, text in texts.items() for one in functions_of(path, text) if _large(one, least)]


def _large(one: FunctionBody, least: int) -> bool:
    return one.lines >= least and len(one.body) >= LEAST_TOKENS


def _twin(
    one: FunctionBody, path: str, known: "list[tuple[str, FunctionBody]]", left: int
) -> "tuple[tuple[str, FunctionBody] | None, int]":
    """The first function that says the same, and how many runs may still be compared."""
    for where, other in known:
        if left <= 0:
            break
        if (where, other.line) != (path, one.line):
            left -= len(one.runs)
            if are_alike(one, other):
                return (where, other), left
    return None, left


def are_alike(one: FunctionBody, other: FunctionBody) -> bool:
    """Whether two bodies are the same but for names, texts and a few steps."""
    small, large = sorted((len(one.body), len(other.body)))
    if small < large * 0.6:
        return False
    shared, total = len(one.runs & other.runs), len(one.runs) + len(other.runs)
    return bool(total) and 2 * shared / total >= (SHORT_ALIKE if small < SHORT else ALIKE)


def functions_of(path: str, text: str) -> "list[FunctionBody]":
    """The outermost functions of a file, methods included."""
    text = text[:LARGEST].replace("\r\n", "\n")
    ending = path.rpartition(".")[2]
    if ending in _INDENTED:
        return _indented(text)
    return _braced(text) if ending in _BRACES else []


def _indented(text: str) -> "list[FunctionBody]":
    text = _HASHED.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines, found, inside, first, at = text.split("\n"), [], -1, 0, 0
    for match in _DEF.finditer(text):
        first, at = first + text.count("\n", at, match.start()), match.start()
        depth = len(match["indent"].expandtabs())
        if first < inside:
            continue
        last = first + 1
        while last < len(lines) and (not lines[last].strip() or _depth(lines[last]) > depth):
            last += 1
        inside = last
        body = [line for line in lines[first + 1 : last] if line.strip()]
        found.append(FunctionBody(match["name"], first + 1, len(body), _normal(_tokens("\n".join(body)))))
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip()) if "\t" not in line else len(line.expandtabs()) - len(line.lstrip())


def _tokens(text: str) -> "list[tuple[str, str, int]]":
    """Kind, text and line of each token."""
    found, line = [], 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        if kind != "skip":
            found.append((kind, match[0], line))
        line += match[0].count("\n")
    return found


def _braced(text: str) -> "list[FunctionBody]":
    """Blocks in braces whose head is that of a function."""
    tokens, found, head, at, round_ = _tokens(text), [], 0, 0, 0
    while at < len(tokens):
        sign = tokens[at][1] if tokens[at][0] == "sign" else ""
        round_ += (sign in ("(", "[")) - (sign in (")", "]"))
        if round_ <= 0 and sign == "{":
            name, line = _name(tokens[head:at])
            if name:
                end = _closing(tokens, at)
                lines = tokens[min(end, len(tokens) - 1)][2] - tokens[at][2] - 1
                found.append(FunctionBody(name, line, lines, _normal(tokens[at + 1 : end])))
                at = end
            head = at + 1
        elif round_ <= 0 and sign in (";", "}"):
            head, round_ = at + 1, 0
        at += 1
    return found


def _name(head: "list[tuple[str, str, int]]") -> "tuple[str, int]":
    """The name of the function that begins so, and its line; "" where none does."""
    words = [text for kind, text, _ in head if kind == "name"]
    marks = [at for at, (_, text, _) in enumerate(head) if text in ("func", "fn", "function", "fun")]
    if marks:
        head = head[marks[0] :]
    elif not any(text == "(" for _, text, _ in head) or set(words) & _NO_FUNCTION:
        return "", 0
    plain = [at for at, (kind, text, _) in enumerate(head[:-1]) if kind == "name" and text not in _KEYWORDS]
    arrow = [at for at in plain if head[at + 1][1] == "="]
    named = [at for at in plain if head[at + 1][1] in ("(", "<", "[")]
    at = (arrow or named or [-1])[0]
    return (head[at][1], head[at][2]) if at >= 0 else ("", 0)


def _closing(tokens: "list[tuple[str, str, int]]", start: int) -> int:
    depth = 0
    for at in range(start, len(tokens)):
        if tokens[at][0] == "sign":
            depth += (tokens[at][1] == "{") - (tokens[at][1] == "}")
            if depth == 0:
                return at
    return len(tokens)


def _normal(tokens: "list[tuple[str, str, int]]") -> "list[str]":
    """The tokens with one sign for every text, every number and every name that is not called or selected."""
    found: "list[str]" = []
    for at, (kind, text, _) in enumerate(tokens[:MOST_TOKENS]):
        if kind == "text":
            found.append('""')
        elif kind == "number":
            found.append("0")
        elif kind == "name" and text not in _KEYWORDS:
            called = at + 1 < len(tokens) and tokens[at + 1][1] == "("
            selected = at > 0 and tokens[at - 1][1] in (".", "->", "::")
            found.append(text if called or selected else "x")
        else:
            found.append(text)
    return found
