"""Paths that a program text certainly writes or deletes: Python by its syntax tree, others by calls with a text."""

from __future__ import annotations

import ast
import re
from posixpath import join

from rulec.shell.parsing.call import FileEffect, join_path
from rulec.shell.programs import facts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulec.shell.programs import Facts


LONGEST, MOST = 50_000, 200  # characters that are read, paths that are found
_PATHS = frozenset(["Path", "PosixPath", "PurePath", "PurePosixPath"])
_KEYS = ("opens", "deletes", "moves", "copies", "lists", "makes_first", "makes_second", "of_paths")
_SAME_PATH = frozenset(  # functions and methods that give the same path, written otherwise
    [
        "str", "os.fspath", "os.path.abspath", "os.path.normpath", "os.path.realpath", "os.path.expanduser", "absolute",
        "resolve", "expanduser", "as_posix",
    ]
)  # fmt: skip
_ITEM = r"(?:'[^'\n$#]{1,500}'|\"[^\"\n$#]{1,500}\"|`[^`\n$#]{1,500}`|process\.cwd\(\)|\$?[A-Za-z_]\w*)"
_JOINED = (
    rf"(?:[\w.]*\b(?:join|resolve)\(\s*(?P<parts>{_ITEM}(?:\s*,\s*{_ITEM})*)\s*\)"
    rf"|(?P<plain>{_ITEM}(?:\s*[+.]\s*{_ITEM})*))"
)
_NAMED = re.compile(rf"(?<![\w.])(?P<name>\$?[A-Za-z_]\w*)\s*=(?![=>])\s*{_JOINED}\s*(?=[;,\n]|$)")
_DECLARED = re.compile(r"\s*(?:const|let|var)\b[^;\n{}]*")  # one of several names that a statement declares


def certain_effects(program: str, code: str) -> list[FileEffect]:
    """What the code of an interpreter does to files that it names in plain texts."""
    if len(code) > LONGEST:
        return []
    facts = facts_of(program)
    if "opens" in facts:
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
        return _PythonReader(tree, facts).effects()[:MOST]
    made, gone = facts.get("makes_first", "").split(), facts.get("deletes", "").split()
    named = _named_paths(code) if made or gone else {}
    found = [FileEffect(path) for path in _first_paths(code, made, named)]
    return (found + [FileEffect(path, delete=True) for path in _first_paths(code, gone, named)])[:MOST]


def _named_paths(code: str) -> dict[str, str]:
    """The paths that names stand for which are given one value."""
    names = re.findall(r"(?<![\w.])(\$?[A-Za-z_]\w*)\s*=(?![=>])", code)
    named: dict[str, str] = {}
    for match in _NAMED.finditer(code):
        path = _path_of(match, named)
        if code[match.end() : match.end() + 1] == "," and not _is_declared(code, match.start()):
            continue
        if path and names.count(match["name"]) == 1:
            named[match["name"]] = path
    return named


def _is_declared(code: str, at: int) -> bool:
    """Whether the name at this place is declared by a statement, and is no argument's."""
    begin = max(code.rfind(sign, 0, at) for sign in ";\n{}") + 1
    before = code[begin:at]
    return bool(_DECLARED.fullmatch(before)) and before.count("(") == before.count(")")


def _first_paths(code: str, functions: list[str], named: dict[str, str]) -> Iterator[str]:
    """The paths that the functions are given first."""
    called = "|".join(map(re.escape, functions))
    for match in re.finditer(rf"(?<!\w)(?:{called})\(\s*{_JOINED}\s*[,)]", code) if functions else ():
        path = _path_of(match, named)
        if path:
            yield path


def _path_of(match: re.Match[str], named: dict[str, str]) -> str:
    """The path that an expression is: a text, the text that a name stands for, or several of them put together."""
    parts = re.findall(_ITEM, match["parts"] or match["plain"])
    texts = [
        "." if part == "process.cwd()" else part[1:-1] if part[0] in "'\"`" else named.get(part, "") for part in parts
    ]
    if not all(texts):
        return ""
    return join_path("", "/".join(texts)) if match["parts"] else "".join(texts)


class _PythonReader:
    """What names stand for in a program: texts, and paths made of texts."""

    def __init__(self, tree: ast.Module, facts: Facts) -> None:
        self.nodes = list(ast.walk(tree))
        self.facts = {key: frozenset(str(facts.get(key, "")).split()) for key in _KEYS}
        self.imported = dict(pair for node in self.nodes for pair in _imports(node))
        given = [node.arg for node in self.nodes if isinstance(node, ast.arg)]
        given += [node.id for node in self.nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
        bound = (pair for node in self.nodes for pair in _bindings(node))
        self.named = {name: value for name, value in bound if given.count(name) == 1}

    def effects(self) -> list[FileEffect]:
        """The paths of all calls that write or delete."""
        calls = [node for node in self.nodes if isinstance(node, ast.Call)]
        if any(self._dotted(call.func) == "os.chdir" for call in calls):
            return []
        return [effect for call in calls for effect in self._of_call(call)]

    def _of_call(self, call: ast.Call) -> Iterator[FileEffect]:
        name, facts = self._dotted(call.func), self.facts
        if name in facts["opens"]:
            for path in self._all_texts(call.args[:1]):
                yield from _opened_as(path, _mode(call, call.args[1:2]))
        elif name in facts["deletes"]:
            yield from self._paths(call.args[:1], delete=True)
        elif name in facts["moves"]:
            yield from self._paths(call.args[1:2])
            yield from self._paths(call.args[:1], delete=True)
        elif name in facts["copies"] or name in facts["makes_second"]:
            yield from self._paths(call.args[1:2])
        elif name in facts["makes_first"]:
            yield from self._paths(call.args[:1])
        elif isinstance(call.func, ast.Attribute):
            yield from self._of_method(call, call.func)

    def _of_method(self, call: ast.Call, method: ast.Attribute) -> Iterator[FileEffect]:
        """What a method writes: of a path the path itself, of other things what it is given."""
        does, facts = method.attr, self.facts
        if f".{does}" in facts["makes_first"]:
            yield from self._paths(call.args[:1])
        moves = does in ("rename", "replace") and len(call.args) == 1  # str.replace takes two
        for path in self._texts(method.value, 0):
            if does == "open":
                yield from _opened_as(path, _mode(call, call.args[:1]))
            elif does in facts["of_paths"]:
                yield FileEffect(path)
            elif moves or does in ("unlink", "rmdir"):
                yield FileEffect(path, delete=True)
                yield from self._paths(call.args if moves else [])

    def _paths(self, values: list[ast.expr], *, delete: bool = False) -> Iterator[FileEffect]:
        return (FileEffect(path, delete=delete) for path in self._all_texts(values))

    def _all_texts(self, values: list[ast.expr]) -> list[str]:
        return [text for value in values for text in self._texts(value, 0)]

    def _texts(self, node: ast.expr, depth: int) -> list[str]:
        """The texts that an expression surely is, or the paths."""
        if depth > 5:
            return []
        if isinstance(node, ast.Constant):
            return [node.value] if isinstance(node.value, str) and node.value else []
        if isinstance(node, ast.Name):
            return self._texts(self.named[node.id], depth + 1) if node.id in self.named else []
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):  # of a loop that goes through them
            return [text for one in node.elts for text in self._texts(one, depth + 1)][:MOST]
        if isinstance(node, ast.BinOp):
            left, right = self._texts(node.left, depth + 1), self._texts(node.right, depth + 1)
            if isinstance(node.op, ast.Div):
                return _combined([left, right], join)
            return _combined([left, right], str.__add__) if isinstance(node.op, ast.Add) else []
        if isinstance(node, ast.JoinedStr):
            inner = [one.value if isinstance(one, ast.FormattedValue) else one for one in node.values]
            return _combined([self._texts(one, depth + 1) for one in inner], str.__add__)
        if isinstance(node, ast.Call) and (listed := self._listed(node, depth)):
            return listed
        return self._returned(node, depth) if isinstance(node, ast.Call) and not node.keywords else []

    def _returned(self, node: ast.Call, depth: int) -> list[str]:
        """The paths that a call gives: of parts put together, or the one that it is given or called on."""
        name = self._dotted(node.func)
        given = [self._texts(one, depth + 1) for one in node.args]
        if name.rpartition(".")[2] in _PATHS or name == "os.path.join":
            return _combined(given, join)
        if name in ("os.getcwd", "pathlib.Path.cwd"):
            return ["."]
        if name in _SAME_PATH:
            return given[0] if len(given) == 1 else []
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("joinpath", *_SAME_PATH):
            return _combined([self._texts(node.func.value, depth + 1), *given], join)
        return []

    def _listed(self, node: ast.Call, depth: int) -> list[str]:
        """The patterns by which a call finds files: glob.glob("a/*"), Path("a").rglob("*")."""
        name, given = self._dotted(node.func), self._all_texts(node.args[:1]) if depth < 5 else []
        if name in self.facts["lists"]:
            return given
        if name in ("sorted", "list", "set", "iter"):
            return given if isinstance(node.args[0] if node.args else None, ast.Call) else []
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("glob", "rglob"):
            inner = ["**/" + one for one in given] if node.func.attr == "rglob" else given
            return _combined([self._texts(node.func.value, depth + 1), inner], join)
        return []

    def _dotted(self, node: ast.expr) -> str:
        """The full name of a function as the program imports it, "" where it has none."""
        if isinstance(node, ast.Name):
            return self.imported.get(node.id, node.id)
        within = self._dotted(node.value) if isinstance(node, ast.Attribute) else ""
        return f"{within}.{node.attr}" if within and isinstance(node, ast.Attribute) else ""


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that an import gives, each with what it stands for."""
    if isinstance(node, ast.Import):
        yield from ((one.asname, one.name) for one in node.names if one.asname)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from ((one.asname or one.name, f"{node.module}.{one.name}") for one in node.names)


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement gives to values, and to each value of a list that it goes through."""
    if isinstance(node, ast.Assign):
        yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
        if isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name):
        yield node.target.id, node.iter


def _mode(call: ast.Call, given: list[ast.expr]) -> str:
    named = [word.value for word in call.keywords if word.arg == "mode"]
    modes = (one.value for one in [*given, *named] if isinstance(one, ast.Constant))
    return next((mode for mode in modes if isinstance(mode, str)), "")


def _opened_as(path: str, mode: str) -> Iterator[FileEffect]:
    if not set(mode).isdisjoint("wax+"):
        found = FileEffect(path)
        found.appends = "a" in mode
        yield found


def _combined(parts: list[list[str]], joined: Callable[[str, str], str]) -> list[str]:
    """Each way to put one text of each part together; nothing where a part is not known."""
    found = parts[0] if parts else []
    for part in parts[1:]:
        found = [joined(one, other) for one in found for other in part][:MOST]
    return found
