"""The keys and values of a settings file, told apart by its name: JSON, TOML, YAML, and lines of KEY=value."""

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOST_KEYS, DEEPEST = 5_000, 20
_PAIR = re.compile(r"(?:export[ \t]+)?([\w.\-/ \"']+?)[ \t]*[=:][ \t]*(.*)")
_YAML = re.compile(r"([ ]*)(?:- )?([\w.\-/$@\"' ]+?)[ \t]*:(?:[ \t]+(.*))?$")
_ITEM = re.compile(r"[ ]*- ")
_SECTION = re.compile(r"\[+[ \t]*([^\[\]]+?)[ \t]*\]+")


def read_values(path: str, text: str) -> "dict[str, str]":
    """Each value by its key, ``a.b`` for b within a; nothing of a file that cannot be read."""
    name = path.rpartition("/")[2].lower()
    ending = name.rpartition(".")[2]
    if ending in ("json", "jsonc", "webmanifest"):
        try:
            found: "dict[str, str]" = {}
            _flatten("", json.loads(text), found, 0)
        except (ValueError, RecursionError):
            return {}
        return found
    return _of_yaml(text) if ending in ("yaml", "yml") else _of_lines(text)


def _flatten(key: str, value: "Any", found: "dict[str, str]", depth: int) -> None:
    if isinstance(value, dict) and depth < DEEPEST:
        for name, one in value.items():
            if len(found) < MOST_KEYS:
                _flatten(f"{key}.{name}" if key else str(name), one, found, depth + 1)
    else:
        found[key] = value if isinstance(value, str) else json.dumps(value)


def _of_lines(text: str) -> "dict[str, str]":
    """TOML, INI, properties and .env: KEY = value, within [sections]."""
    found: "dict[str, str]" = {}
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


def _of_yaml(text: str) -> "dict[str, str]":
    found: "dict[str, str]" = {}
    above: "list[tuple[int, str]]" = []  # indents and keys of what the line lies in
    for line in text.splitlines()[:MOST_KEYS]:
        if not line.strip() or line.lstrip()[0] == "#" or line.startswith("---"):
            continue
        depth = len(line) - len(line.lstrip(" "))
        pair = _YAML.match(line)
        item = bool(_ITEM.match(line))
        while above and (above[-1][0] > depth or (above[-1][0] == depth and not item)):
            above.pop()
        if pair and not item:
            key = _plain(pair[2])
            above.append((depth, key))
            found[".".join(name for _, name in above)] = _value(pair[3] or "")
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
