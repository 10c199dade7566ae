"""Files that have to change together: a test with its code, a twin with its original."""

from __future__ import annotations

import json
import re

from rulec.domain.compiled_rule import EventFinding, RuleScope
from rulec.domain.files import file_kinds, globs
from rulec.guard import added_lines, scopes
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from rulec.domain.compiled_rule import ChangeCheck, Facts
    from rulec.shell.action_events import Event, FileOfChange, Tree


MOST_KEYS, DEEPEST = 5_000, 20
_PAIR = re.compile(r"\A(?:export[ \t]+)?([\w.\-/ \t\"']+)[=:](.*)")
_YAML = re.compile(r"\A *(?:- )?([\w.\-/$@\"'][\w.\-/$@\"' \t]*):(?:[ \t](.*))?$")
_ITEM = re.compile(r"[ ]*- ")
_SECTION = re.compile(r"\A\[+([^\[\]]+)\]+")


def read_values(path: str, text: str) -> dict[str, str]:
    """Each value by its key, ``a.b`` for b within a; nothing of a file that cannot be read."""
    name = path.rpartition("/")[2].lower()
    ending = name.rpartition(".")[2]
    if ending in ("json", "jsonc", "webmanifest"):
        try:
            found: dict[str, str] = {}
            _flatten("", json.loads(text), found, 0)
        except (ValueError, RecursionError):
            return {}
        return found
    return _of_yaml(text) if ending in ("yaml", "yml") else _of_lines(text)


def _flatten(key: str, value: Any, found: dict[str, str], depth: int) -> None:
    if isinstance(value, dict) and depth < DEEPEST:
        for name, one in value.items():
            if len(found) < MOST_KEYS:
                _flatten(f"{key}.{name}" if key else str(name), one, found, depth + 1)
    else:
        found[key] = value if isinstance(value, str) else json.dumps(value)


def _of_lines(text: str) -> dict[str, str]:
    """TOML, INI, properties and .env: KEY = value, within [sections]."""
    found: dict[str, str] = {}
    section, open_key = "", ""
    for line in text.splitlines()[:MOST_KEYS]:
        stripped = line.strip()
        if open_key:
            found[open_key] += " " + stripped
            open_key = open_key if _open(found[open_key]) else ""
            continue
        if not stripped or stripped[0] in "#;!":
            continue
        heading = _SECTION.fullmatch(stripped.partition("#")[0].strip())
        pair = _PAIR.match(stripped)
        if heading:
            section = _plain(heading[1])
        elif pair:
            key = ".".join(filter(None, (section, _plain(pair[1]))))
            found[key] = _value(pair[2])
            open_key = key if _open(found[key]) else ""
    return found


def _open(value: str) -> bool:
    """Whether a list, a table or a long string goes on in the next line."""
    if value[:3] in ('"""', "'''"):
        return value.count(value[:3]) < 2
    return value[:1] in "[{" and value.count("[") + value.count("{") > value.count("]") + value.count("}")


def _of_yaml(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    above: list[tuple[int, str]] = []  # indents and keys of what the line lies in
    for line in text.splitlines()[:MOST_KEYS]:
        if not line.strip() or line.lstrip()[0] == "#" or line.startswith("---"):
            continue
        depth = len(line) - len(line.lstrip(" "))
        pair = _YAML.match(line)
        item = bool(_ITEM.match(line))
        while above and (above[-1][0] > depth or (above[-1][0] == depth and not item)):
            above.pop()
        if pair and not item:
            key = _plain(pair[1])
            above.append((depth, key))
            found[".".join(name for _, name in above)] = _value(pair[2] or "")
        elif above:
            key = ".".join(name for _, name in above)
            found[key] = f"{found[key]} {line.strip()}".strip()
    lists = {key for key in found if any(other.startswith(f"{key}.") for other in found)}
    return {key: value for key, value in found.items() if key not in lists or value}


def _value(text: str) -> str:
    """A value without its quotes and the comment behind it."""
    text = text.strip()
    quote = text[:1]
    if quote and quote in "\"'" and text[:3] != quote * 3:
        end = text.find(quote, 1)
        return text[1:end] if end > 0 else text
    if quote and quote in "[{":
        return text
    return re.split(r"(?:^|[ \t])#", text, maxsplit=1)[0].rstrip().rstrip(",")


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.strip().split("."))


MOST_MIRRORED_LINES = 5_000
MOST_TOLD = 5  # keys that a finding names


def drifted_copies(
    check: ChangeCheck, change: Sequence[FileOfChange], tree: Tree | None = None
) -> list[tuple[str, str]]:
    """Each copy that differs from its source after this change, with a message."""
    touched = {file.path: file for file in change if file.how != "delete"}
    source = _one(check.source, touched, tree)
    found = []
    for glob in check.mirrors if source else ():
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


def _differs(check: ChangeCheck, paths: tuple[str, str], texts: list[str]) -> str:
    """In what the copy does not say what its source says, or ""."""
    source, copy = paths
    if check.keys or check.names:
        given, own = (read_values(path, text) for path, text in zip(paths, texts, strict=False))
        if check.names:
            lacks = sorted(set(given) ^ set(own))
            return f"{copy} and {source} do not have the same keys: {', '.join(lacks[:MOST_TOLD])}" if lacks else ""
        for key in check.keys:
            left, _, right = key.partition("=")
            right = right or left
            if given.get(left.strip()) != own.get(right.strip()):
                return f"{right.strip()} of {copy} is not what {left.strip()} of {source} is"
        return ""
    same = _copy_holds_lines(_lines(texts[1]), _lines(texts[0]), part=check.part)
    return "" if same else f"{copy} does not say what {source} says"


def _one(glob: str, touched: Mapping[str, FileOfChange], tree: Tree | None) -> str:
    """The only file that the glob names, or ""."""
    paths = {path for path in (*touched, *(tree.paths() if tree else ())) if file_kinds.is_among([glob], path)}
    return paths.pop() if len(paths) == 1 else ""


def _now(path: str, touched: Mapping[str, FileOfChange], tree: Tree | None) -> str:
    return touched[path].new if path in touched else (tree.read(path) or "") if tree else ""


def _before(path: str, touched: Mapping[str, FileOfChange], tree: Tree | None) -> str:
    return touched[path].old if path in touched else _now(path, touched, tree)


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()[:MOST_MIRRORED_LINES]]


def _copy_holds_lines(copy: list[str], source: list[str], *, part: bool) -> bool:
    """Whether the copy says what the source says, line for line."""
    if not part or not source:
        return copy == source
    text = "\n".join(["", *copy, ""])
    return "\n".join(["", *source, ""]) in text


MOST_FILES = 3_000  # of one change that are looked at
MOST_LINES = 50  # of one file whose new lines call for others
MOST_READ = 20  # files that may hold what is wanted
_DONE = {"create": "is new", "change": "changes", "delete": "is deleted", "move": "is renamed"}
_GROUP = re.compile(r"\\([1-9])")
_SPECIAL = re.compile(r"([\\*?\[\]{},])")
_INLINE_TEST = re.compile(r"^\s*(?:#\[(?:\w+::)?(?:test|cfg\(test\))|def test_|#\[tokio::test)")


def check_companions(facts: Facts, check: ChangeCheck, event: Event) -> list[EventFinding]:
    """A finding for each need that the change leaves open, at the first file that has it."""
    if check.source:
        cure, spared = f"make them say the same as {check.source}", RuleScope(spared=facts.scope.spared)
        return [
            EventFinding(facts=facts, path=path, text=text, cure=cure)
            for path, text in drifted_copies(check, event.changes, event.tree)
            if scopes.holds_path(spared, path)
        ]
    change = event.changes[:MOST_FILES]
    files = [file for file in change if scopes.holds_path(facts.scope, file.path)]
    found: list[EventFinding] = []
    for path, why, need in unmet_needs(check, files, change, event.tree):
        text = f"{path} {why} without {need}"[: action_events.LONGEST_SHOWN]
        found.append(EventFinding(facts=facts, path=path, text=text, cure=f"put {need} into the same commit"))
    return found


def unmet_needs(
    check: ChangeCheck, files: Sequence[FileOfChange], change: Sequence[FileOfChange], tree: Tree | None = None
) -> list[tuple[str, str, str]]:
    """Each open need once: the file that has it, what was done to that file, what it needs."""
    open_needs: dict[str, tuple[str, str, str]] = {}
    known: dict[tuple[str, str, bool], bool] = {}
    for file in files:
        calling = _calls(check, file)
        if not calling:
            continue
        why = _DONE[file.how]
        for bound in calling:
            holds = fill_groups(check.holds, bound)
            for need in check.needs:
                wanted = fill_groups(need, [_SPECIAL.sub(r"\\\1", part) for part in bound])
                key = (wanted, holds, file.how == "delete")
                if key not in known:
                    there = check.exist and _exists(wanted, holds, tree)
                    known[key] = there or _met(wanted, holds, file, change)
                    known[key] = known[key] or (wanted == need and _hollow(wanted, change, tree))
                if not known[key]:
                    told = f"{describe_need(wanted)} that holds {holds}" if holds else describe_need(wanted)
                    open_needs.setdefault(told, (file.path, why, told))
    return list(open_needs.values())


def _calls(check: ChangeCheck, file: FileOfChange) -> list[list[str]]:
    """What the file binds by its path or its new lines, each time that it calls for others; [] where it does not."""
    done = _done(check, file)
    if not done or file_kinds.is_among(check.unless, file.path):
        return []
    pattern, paths = check.pattern, [file.path, *([file.old_path] if "rename" in done else [])]
    match = next((found for path in paths if path and pattern and (found := re.fullmatch(pattern, path))), None)
    if not match and not any(path and file_kinds.is_among(check.when, path) for path in paths):
        return []
    if check.defines and not added_lines.defines_function(file):
        return []
    wanted = check.added
    lines = (
        [found for line in added_lines.new_lines_with_new_words(file) if (found := re.search(wanted, line))]
        if wanted
        else []
    )
    if wanted and not lines:
        return []
    plain = wanted or check.comments or not done.isdisjoint(["delete", "rename"])
    if not plain and not added_lines.changes_code(file):
        return []
    if match or not (lines and lines[0].re.groups):
        return [_groups(match)]
    return [_groups(line) for line in lines[:MOST_LINES]]


def _done(check: ChangeCheck, file: FileOfChange) -> set[str]:
    """What was done to the file, as far as the rule speaks of that; a file that moved may have changed as well."""
    does = {"rename"} if file.how == "move" else {file.how, *(["rename"] if file.old_path else [])}
    return does & set(check.how or ("create", "change"))


def _groups(match: re.Match[str] | None) -> list[str]:
    return ["", *(group or "" for group in match.groups()), *[""] * 9] if match else [""] * 10


def fill_groups(text: str, bound: list[str]) -> str:
    """The text with what was bound in place of its group numbers."""
    return _GROUP.sub(lambda group: bound[int(group[1])], text)


def _met(wanted: str, holds: str, file: FileOfChange, change: Sequence[FileOfChange]) -> bool:
    """Whether some file of the change is what is wanted; what is deleted serves only what is deleted too."""
    gone = file.how == "delete"
    for other in change:
        serves = (other.how != "delete" or gone) and (not holds or holds in other.new)
        names = [other.path, *([other.old_path] if not holds else [])]  # what moved away holds nothing there
        if serves and any(path and file_kinds.is_among([wanted], path) for path in names):
            return True
    return wanted == "@tests" and any(
        _INLINE_TEST.match(line) for other in change for line in added_lines.new_lines(other)
    )


def _exists(wanted: str, holds: str, tree: Tree | None) -> bool:
    """Whether the repository has one of the wanted files, changed or not."""
    if not tree:
        return False
    found = [path for path in tree.paths() if file_kinds.is_among([wanted], path)][:MOST_READ]
    return any(not holds or holds in (tree.read(path) or "") for path in found)


def _hollow(wanted: str, change: Sequence[FileOfChange], tree: Tree | None) -> bool:
    """Whether a need with wildcards names nothing in the whole repository, before the change and after it.

    One that is of the very file, by a group of the pattern, is missing before anybody has written it: it is never so.
    """
    if not tree or "*" not in wanted:
        return False
    gone = [file.path if file.how == "delete" else file.old_path for file in change]
    return not any(path and file_kinds.is_among([wanted], path) for path in (*gone, *tree.paths()))


def describe_need(need: str) -> str:
    """A need in words."""
    return " or ".join(_SPOKEN.get(one, one) for one in globs.expand_braces(need))


_SPOKEN = {
    "@code": "code",
    "@tests": "a test",
    "@docs": "the docs",
    "@changelog": "the changelog",
    "@lockfile": "the lockfile",
    "@migrations": "a migration",
    "@translations": "the translations",
    "@manifest": "the list of dependencies",
}
