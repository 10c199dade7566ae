"""Paths that a program text certainly writes or deletes: Python by its syntax tree, others by calls with a text."""

from __future__ import annotations

import ast
import re
from posixpath import join

from rulec.shell.parsing.call import FileEffect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


LONGEST, MOST = 50_000, 200  # characters that are read, paths that are found
_PATHS = frozenset(["Path", "PosixPath", "PurePath", "PurePosixPath"])
_OPENING = frozenset(["open", "io.open", "codecs.open", "gzip.open"])
_WRITING_PATH = frozenset(["write_text", "write_bytes", "touch", "symlink_to", "hardlink_to"])
_DELETING = frozenset(["os.remove", "os.unlink", "os.rmdir", "os.removedirs", "shutil.rmtree"])
_MOVING = frozenset(["os.rename", "os.replace", "os.renames", "shutil.move"])
_COPYING = frozenset(["shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"])
_TEXT = r"(?P<sign>['\"`])(?P<path>[^'\"`\n$#]{1,500})(?P=sign)"
_FINDING = frozenset(["glob.glob", "glob.iglob", "glob", "iglob"])
_LITERAL = rf"\(\s*(?:{_TEXT}|(?P<name>\$?[A-Za-z_]\w*)\s*[,)])"
_NAMED = re.compile(rf"(?<![\w.])(?P<name>\$?[A-Za-z_]\w*)\s*=\s*{_TEXT}")
_WRITES = re.compile(
    r"\b(?:(?:write|append)File(?:Sync)?|createWriteStream|writeTextFile(?:Sync)?|Bun\.write|file_put_contents|"
    r"(?:File|IO)\.(?:bin)?write)" + _LITERAL
)
_DELETES = re.compile(r"\b(?:(?:unlink|rm)Sync|(?:fs|promises)\.(?:unlink|rm)|File\.(?:delete|unlink))" + _LITERAL)


def certain_effects(program: str, code: str) -> list[FileEffect]:
    """What the code of an interpreter does to files that it names in plain texts."""
    if len(code) > LONGEST:
        return []
    if program == "python":
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
        return _PythonReader(tree).effects()[:MOST]
    given = [(match["name"], match["path"]) for match in _NAMED.finditer(code)]
    names = [name for name, _ in given]
    named = {name: path for name, path in given if names.count(name) == 1}
    found = [FileEffect(path) for match in _WRITES.finditer(code) if (path := _path_of(match, named))]
    gone = [FileEffect(path, delete=True) for match in _DELETES.finditer(code) if (path := _path_of(match, named))]
    return (found + gone)[:MOST]


def _path_of(match: re.Match[str], named: dict[str, str]) -> str:
    """The path of a call: the text that it is given, or that of the name that it is given."""
    return match["path"] or named.get(match["name"] or "", "")


class _PythonReader:
    """What names stand for in a program: texts, and paths made of texts."""

    def __init__(self, tree: ast.Module) -> None:
        self.nodes = list(ast.walk(tree))
        given = [node.arg for node in self.nodes if isinstance(node, ast.arg)]
        given += [node.id for node in self.nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
        bound = (pair for node in self.nodes for pair in _bindings(node))
        self.named = {name: value for name, value in bound if given.count(name) == 1}

    def effects(self) -> list[FileEffect]:
        """The paths of all calls that write or delete."""
        calls = [node for node in self.nodes if isinstance(node, ast.Call)]
        if any(_dotted(call.func) == "os.chdir" for call in calls):
            return []
        return [effect for call in calls for effect in self._of_call(call)]

    def _of_call(self, call: ast.Call) -> Iterator[FileEffect]:
        name = _dotted(call.func)
        if name in _OPENING:
            for path in self._all_texts(call.args[:1]):
                yield from _opened_as(path, _mode(call, call.args[1:2]))
        elif name in _DELETING:
            yield from self._paths(call.args[:1], delete=True)
        elif name in _MOVING or name in _COPYING:
            yield from self._paths(call.args[1:2])
            yield from self._paths(call.args[:1] if name in _MOVING else [], delete=True)
        elif isinstance(call.func, ast.Attribute) and (paths := self._of_path(call.func.value)):
            does = call.func.attr
            if does == "open":
                yield from (effect for path in paths for effect in _opened_as(path, _mode(call, call.args[:1])))
            elif does in _WRITING_PATH:
                yield from map(FileEffect, paths)
            elif does in ("unlink", "rmdir"):
                yield from (FileEffect(path, delete=True) for path in paths)
            elif does in ("rename", "replace"):
                yield from (FileEffect(path, delete=True) for path in paths)
                yield from self._paths(call.args[:1])

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
        if isinstance(node, ast.Call) and (listed := self._listed(node, depth)):
            return listed
        if isinstance(node, ast.Call) and not node.keywords:
            name = _dotted(node.func)
            if name.rpartition(".")[2] in _PATHS or name in ("os.path.join", "str", "os.fspath"):
                return _combined([self._texts(one, depth + 1) for one in node.args], join)
        return []

    def _listed(self, node: ast.Call, depth: int) -> list[str]:
        """The patterns by which a call finds files: glob.glob("a/*"), Path("a").rglob("*")."""
        name, given = _dotted(node.func), self._all_texts(node.args[:1]) if depth < 5 else []
        if name in _FINDING:
            return given
        if name in ("sorted", "list", "set", "iter"):
            return given if isinstance(node.args[0] if node.args else None, ast.Call) else []
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("glob", "rglob"):
            inner = ["**/" + one for one in given] if node.func.attr == "rglob" else given
            return _combined([self._texts(node.func.value, depth + 1), inner], join)
        return []

    def _of_path(self, node: ast.expr) -> list[str]:
        """The texts of an expression that is a path and no text: a text has methods of these names, too."""
        return self._texts(node, 0) if self._is_path(node, 0) else []

    def _is_path(self, node: ast.expr, depth: int) -> bool:
        if isinstance(node, ast.Name) and depth < 5:
            return node.id in self.named and self._is_path(self.named[node.id], depth + 1)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return any(self._is_path(one, depth + 1) for one in node.elts) if depth < 5 else False
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Div)
        if isinstance(node, ast.Call) and _dotted(node.func) in ("sorted", "list"):
            return bool(node.args) and depth < 5 and self._is_path(node.args[0], depth + 1)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("glob", "rglob"):
            return _dotted(node.func) not in _FINDING
        return isinstance(node, ast.Call) and _dotted(node.func).rpartition(".")[2] in _PATHS


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement gives to values, and to each value of a list that it goes through."""
    if isinstance(node, ast.Assign):
        yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
        if isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name):
        yield node.target.id, node.iter


def _dotted(node: ast.expr) -> str:
    """The name of a function as it is called, "" where it has none."""
    if isinstance(node, ast.Name):
        return node.id
    within = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{within}.{node.attr}" if within and isinstance(node, ast.Attribute) else ""


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
