"""The text of Python tests: whether a test asserts anything, which modules it imports, which lines lie in functions."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

ReadFile = Callable[[str], str | None]  # path in the repository -> text
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_RAISING = ("raises", "warns", "fail", "deprecated_call", "expect", "approvals")
_MOST_HELPERS = 40  # that are followed from one test


def parse_python(text: str) -> ast.Module | None:
    """The tree of a module; None where it is not valid."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def lacks_assertion(node: str, path: str, read: ReadFile, paths: Iterable[str]) -> bool | None:
    """Whether a named test holds no assertion, nor calls a helper that does; None where the test is not found.

    An assertion about constants alone says nothing.
    """
    tree = parse_python(read(path) or "")
    inner = node.partition("::")[2].partition("[")[0].split("::")
    if tree is None:
        return None
    tests = list(_find_tests(tree, [part for part in inner if part]))
    if not tests:
        return None
    known = frozenset(paths)
    enough = all if inner[0] else any  # of a whole file, one test that asserts something is enough here
    return not enough(_Search(path, tree, read, known).asserts(test) for test in tests)


def _find_tests(tree: ast.Module, inner: list[str]) -> Iterator[ast.AST]:
    """The functions that a node's parts behind the file name; all tests of it where there are none."""
    scope: list[ast.stmt] = tree.body
    for part in inner[:-1]:
        scope = [stmt for one in scope if isinstance(one, ast.ClassDef) and one.name == part for stmt in one.body]
    last = inner[-1] if inner else ""
    if len(inner) == 1:  # JUnit's name of a test says nothing of its class
        scope = [*scope, *(stmt for one in scope if isinstance(one, ast.ClassDef) for stmt in one.body)]
    for one in scope:
        if isinstance(one, FUNCTIONS) and (one.name == last or (not last and one.name.startswith("test"))):
            yield one
        if isinstance(one, ast.ClassDef) and (one.name == last or (not last and one.name.startswith("Test"))):
            yield from (stmt for stmt in one.body if isinstance(stmt, FUNCTIONS) and stmt.name.startswith("test"))


class _Search:
    """Looks for an assertion in a test and the helpers that it calls."""

    def __init__(self, path: str, tree: ast.Module, read: ReadFile, paths: frozenset[str]) -> None:
        self.path, self.tree, self.read, self.paths = path, tree, read, paths
        self.left = _MOST_HELPERS
        self.seen: set[int] = set()

    def asserts(self, function: ast.AST) -> bool:
        """Whether a function, or a helper that it calls, asserts something."""
        if id(function) in self.seen or self.left <= 0:
            return False
        self.seen.add(id(function))
        self.left -= 1
        if any(_is_assertion(node) for node in ast.walk(function)):
            return True
        called = {name for node in ast.walk(function) if isinstance(node, ast.Call) for name in _called(node)}
        return any(self.asserts(one) for one in self._helpers(called))

    def _helpers(self, names: set[str]) -> Iterator[ast.AST]:
        yield from _functions(self.tree, names)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                wanted = {one.name for one in node.names if (one.asname or one.name) in names}
                modules = {".".join(filter(None, (node.module, one.name))) for one in node.names}
                for path in _files_of({node.module or "", *modules}, self.paths) if names else ():
                    other = parse_python(self.read(path) or "")
                    yield from _functions(other, wanted | names) if other else ()


def _functions(tree: ast.Module, names: set[str]) -> Iterator[ast.AST]:
    yield from (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and node.name in names)


def _called(node: ast.Call) -> Iterator[str]:
    if isinstance(node.func, ast.Name):
        yield node.func.id
    elif isinstance(node.func, ast.Attribute):
        yield node.func.attr


def _is_assertion(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return any(isinstance(one, (ast.Name, ast.Attribute, ast.Call)) for one in ast.walk(node.test))
    if isinstance(node, ast.Call):
        return any(name.startswith("assert") or name in _RAISING for name in _called(node))
    return False


def imports_module(path: str, changed: str, read: ReadFile, paths: Iterable[str], *, steps: int = 1) -> bool:
    """Whether a Python file imports a module of the repository, itself or through as many other files as ``steps``."""
    names = set(_imported(path, read(path) or ""))
    if names & names_of_module(changed):
        return True
    others = _files_of(names, frozenset(paths)) if steps else set()
    return any(imports_module(other, changed, read, (), steps=0) for other in sorted(others) if other != path)


def _imported(path: str, text: str) -> Iterator[str]:
    """The dotted names that a file imports, modules and what may be one within them."""
    tree = parse_python(text)
    above = PurePosixPath(path).parent.parts
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            for one in node.names:
                parts = one.name.split(".")
                yield from (".".join(parts[: n + 1]) for n in range(len(parts)))
        elif isinstance(node, ast.ImportFrom):
            start = [*above[: len(above) - node.level + 1]] if node.level else []
            module = ".".join([*start, *filter(None, [node.module])])
            yield from (".".join(filter(None, (module, one.name))) for one in node.names)
            yield module
        elif isinstance(node, ast.Call) and set(_called(node)) & {"import_module", "importorskip", "run_module"}:
            yield from (one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str))


def bound_by_imports(path: str, text: str, modules: Iterable[str]) -> frozenset[str]:
    """The names that a file's imports of some modules of the repository bind."""
    wanted = {name for module in modules for name in names_of_module(module)}
    tree = parse_python(text)
    found = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for one in node.names:
                alone = ast.Import([one]) if isinstance(node, ast.Import) else None
                part = alone or ast.ImportFrom(getattr(node, "module", None), [one], getattr(node, "level", 0))
                if wanted & set(_imported(path, ast.unparse(part))):
                    found.add(one.asname or one.name.partition(".")[0])
    return frozenset(found)


def names_of_module(path: str) -> set[str]:
    """The dotted names by which a file may be imported, whatever folder is on the path."""
    if not path.endswith(".py"):
        return set()
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    return {".".join(parts[n:]) for n in range(len(parts))}


def _files_of(names: set[str], paths: frozenset[str]) -> set[str]:
    """Those of some paths that the names may stand for."""
    return {path for path in paths if path.endswith(".py") and names_of_module(path) & names}


def lines_in_functions(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """The lines on which statements begin: those within functions, and all others."""
    tree = parse_python(text)
    inside: set[int] = set()
    outside: set[int] = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, FUNCTIONS):
            outside.add(node.lineno)
            body = node.body[1:] if _is_text(node.body[0]) else node.body
            for stmt in body:
                inside |= {one.lineno for one in ast.walk(stmt) if isinstance(one, (ast.stmt, ast.expr))}
        elif isinstance(node, ast.Lambda):
            inside |= {one.lineno for one in ast.walk(node.body) if isinstance(one, ast.expr)}
        elif isinstance(node, ast.stmt) and not _is_text(node):
            outside.add(node.lineno)
    return frozenset(inside), frozenset(outside - inside)


@dataclass(frozen=True, slots=True)
class FunctionLines:
    """A function or method, the lines on which what it does begins, and for each of these all of its statement."""

    name: str
    lines: Mapping[int, frozenset[int]]


def functions_of(text: str) -> Iterator[FunctionLines]:
    """The functions of a module that do anything; what a function within another does is its own alone."""
    tree = parse_python(text)
    yield from _functions_in(tree.body, "") if tree else ()


def _functions_in(body: list[ast.stmt], above: str) -> Iterator[FunctionLines]:
    for node in body:
        if isinstance(node, FUNCTIONS):
            if not all(map(_does_nothing, node.body)):
                own = node.body[1:] if _is_text(node.body[0]) else node.body
                yield FunctionLines(f"{above}{node.name}", dict(_statement_lines(own)))
            yield from _functions_in(node.body, f"{above}{node.name}.")
        else:
            inner = f"{above}{node.name}." if isinstance(node, ast.ClassDef) else above
            yield from _functions_in(_statements_in(node), inner)


def _statement_lines(body: list[ast.stmt]) -> Iterator[tuple[int, frozenset[int]]]:
    """Each line on which something begins, with the lines of the innermost statement there.

    A line that holds constants alone, such as one of a tuple, is executed with its statement, and not reported itself.
    """
    for stmt in body:
        within = _statements_in(stmt)
        first = min([node.lineno for node in _decorators(stmt)], default=stmt.lineno)
        last = min([one.lineno for one in within], default=(stmt.end_lineno or stmt.lineno) + 1) - 1
        own = frozenset(range(first, max(first, last) + 1))
        begun = {one.lineno for one in _walk_own(stmt) if isinstance(one, (ast.stmt, ast.expr))}
        yield from ((line, own) for line in begun)
        if not isinstance(stmt, FUNCTIONS):
            yield from _statement_lines(within)


def _decorators(stmt: ast.stmt) -> list[ast.expr]:
    return stmt.decorator_list if isinstance(stmt, (*FUNCTIONS, ast.ClassDef)) else []


def _walk_own(stmt: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without those of the statements within it."""
    yield stmt
    for node in ast.iter_child_nodes(stmt):
        if not isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from ast.walk(node)


def _statements_in(stmt: ast.AST) -> list[ast.stmt]:
    """The statements right within one."""
    found: list[ast.stmt] = []
    for node in ast.iter_child_nodes(stmt):
        if isinstance(node, ast.stmt):
            found.append(node)
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            found += node.body
    return found


def _does_nothing(stmt: ast.stmt) -> bool:
    """Whether a statement is what stands in a body that is to be filled elsewhere, such as a protocol's."""
    if isinstance(stmt, ast.Raise) and stmt.exc is not None:
        raised = stmt.exc.func if isinstance(stmt.exc, ast.Call) else stmt.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    return isinstance(stmt, ast.Pass) or _is_text(stmt)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
