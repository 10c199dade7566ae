"""Files that have to say the same: a source, and copies that hold its text, a part of it, or some of its keys."""

from rulec.domain import file_kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOST_LINES = 5_000
MOST_TOLD = 5  # keys that a finding names


def drifted_copies(
    check: "dict[str, Any]", change: "list[dict[str, Any]]", tree: "Any" = None
) -> "list[tuple[str, str]]":
    """Each copy that this change lets differ from its source, with what to say of it."""
    touched = {file["path"]: file for file in change if file["how"] != "delete"}
    source = _one(check["source"], touched, tree)
    found = []
    for glob in check["mirrors"] if source else ():
        copy = _one(glob, touched, tree)
        if not copy or copy == source or not (copy in touched or source in touched):
            continue
        told = _differs(check, (source, copy), [_now(path, touched, tree) for path in (source, copy)])
        if not told:
            continue
        before = [_before(path, touched, tree) for path in (source, copy)]
        if source in touched or not _differs(check, (source, copy), before):
            found.append((copy if copy in touched else source, told))
    return found


def _differs(check: "dict[str, Any]", paths: "tuple[str, str]", texts: "list[str]") -> str:
    """In what the copy does not say what its source says, or ""."""
    source, copy = paths
    if check.get("keys") or check.get("names"):
        from rulec.guard.content import settings_values  # noqa: PLC0415 (few rules compare keys)

        given, own = (settings_values.read_values(path, text) for path, text in zip(paths, texts))  # noqa: B905 (Python 3.9)
        if check.get("names"):
            lacks = sorted(set(given) ^ set(own))
            return f"{copy} and {source} do not have the same keys: {', '.join(lacks[:MOST_TOLD])}" if lacks else ""
        for key in check["keys"]:
            left, _, right = key.partition("=")
            right = right or left
            if given.get(left.strip()) != own.get(right.strip()):
                return f"{right.strip()} of {copy} is not what {left.strip()} of {source} is"
        return ""
    same = _copy_holds_lines(_lines(texts[1]), _lines(texts[0]), part=bool(check.get("part")))
    return "" if same else f"{copy} does not say what {source} says"


def _one(glob: str, touched: "dict[str, Any]", tree: "Any") -> str:
    """The only file that the glob names, or ""."""
    paths = {path for path in (*touched, *(tree.paths() if tree else ())) if file_kinds.is_among([glob], path)}
    return paths.pop() if len(paths) == 1 else ""


def _now(path: str, touched: "dict[str, Any]", tree: "Any") -> str:
    return str(touched[path]["new"]) if path in touched else (tree.read(path) or "") if tree else ""


def _before(path: str, touched: "dict[str, Any]", tree: "Any") -> str:
    return str(touched[path]["old"]) if path in touched else _now(path, touched, tree)


def _lines(text: str) -> "list[str]":
    return [line.rstrip() for line in text.strip().splitlines()[:MOST_LINES]]


def _copy_holds_lines(copy: "list[str]", source: "list[str]", *, part: bool) -> bool:
    """Whether the copy says what the source says, line for line."""
    if not part or not source:
        return copy == source
    text = "\n".join(["", *copy, ""])
    return "\n".join(["", *source, ""]) in text


def copy_holds(copy: str, source: str, *, part: bool) -> bool:
    """The same of two texts."""
    return _copy_holds_lines(_lines(copy), _lines(source), part=part)
