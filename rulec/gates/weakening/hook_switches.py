"""Two states of shared settings: switches in them that turn hooks off, and variables that lead past."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from rulec.domain.finding import Weakening
from rulec.tamper.settings_edits import leads_elsewhere

_OFF_WHERE_TRUE = ("disableallhooks", "allowmanagedhooksonly", "disablehooks", "disable_hooks")
_OFF_WHERE_FALSE = ("enablehooks", "hooksenabled", "hooks", "codex_hooks")
_TABLES = ("hooks", "hooksconfig")
_PLAIN = re.compile(  # of what is neither JSON nor TOML, or no whole one
    r'"(?:(?:disableAllHooks|allowManagedHooksOnly|disableHooks|disable_hooks)"\s*:\s*true'
    r'|(?:enableHooks|hooksEnabled)"\s*:\s*false'
    r'|hooks(?:Config)?"\s*:\s*\{[^{}]{0,400}"(?:enabled"\s*:\s*false|disabled"\s*:\s*\[\s*[^\]\s]))'
    r"|(?m:^[ \t]*(?:codex_)?hooks[ \t]*=[ \t]*false)"
)
_AGENTS = re.compile(
    r"(?:^|/)\.(?:claude|codex|cursor|gemini|copilot|opencode|github/(?:hooks|copilot))/|opencode\.json"
)
_KEPT = (("env",), ("shell_environment_policy", "set"), ("containerenv",), ("remoteenv",))  # where variables stand
_VARIABLE = re.compile(r"(?m)^[ \t]*(?:(?:export[ \t]+)?([A-Z_]+)=|set[ \t]+-g?x[ \t]+([A-Z_]+)[ \t]+)([^\s;#]*)")
_PAST = ("SKIP", "PREK_SKIP", "LEFTHOOK_EXCLUDE", "PRE_COMMIT_ALLOW_NO_CONFIG", "GIT_DIR", "GIT_EXEC_PATH", "BASH_ENV")
_PAST_WHERE_OFF = ("HUSKY", "LEFTHOOK")
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*(?:"|\Z))|//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|,(?=\s*[}\]])')
_LONGEST = 80


def new_off_switches(path: str, old: str, new: str) -> Iterator[Weakening]:
    """What the later text newly switches off, each with its line."""
    if path.endswith((".md", ".mdc")):
        return
    known = {told for told, _, _ in _switches_in(path, old)}
    for told, key, does in _switches_in(path, new):
        if told not in known:
            line = next((n for n, one in enumerate(new.splitlines(), 1) if key in one), 0)
            yield Weakening(subject=f"switch {told} {path}", text=f"{path}: {told} {does}", path=path, line=line)


def _switches_in(path: str, text: str) -> list[tuple[str, str, str]]:
    """What is switched, the word to look for in its line, and what that does."""
    data = _parse_settings(path, text)
    if data is None:
        switches = [(" ".join(one[0].split())[:_LONGEST], one[0].splitlines()[0]) for one in _PLAIN.finditer(text)]
        named = [(one[1] or one[2], one[3].strip("\"'")) for one in _VARIABLE.finditer(text)]
        variables = [(f"{name}={value}", name) for name, value in named if _leads_past(name, value)]
    else:
        every = list(_walk_values(data))
        switches = [_setting_in_words(keys, value, text) for keys, value in every if _turns_hooks_off(keys, value)]
        agents = bool(_AGENTS.search(path))
        held = [
            (keys, value) for keys, value in every if _folded(keys[:-1]) in _KEPT and not _turns_hooks_off(keys, value)
        ]
        named = [(keys[-1], str(value)) for keys, value in held]
        variables = [
            _setting_in_words(keys, value, text)
            for (keys, value), (name, said) in zip(held, named, strict=True)
            if said and (_leads_past(name, said) or (agents and leads_elsewhere(name)))
        ]
    return [
        *((told, key, "turns hooks off") for told, key in switches),
        *((told, key, "leads hooks or git elsewhere") for told, key in variables),
    ]


def _leads_past(name: str, value: str) -> bool:
    if name in _PAST_WHERE_OFF:
        return value.casefold() in ("0", "false", "off", "no")
    return bool(value) and (name in _PAST or name.startswith("GIT_CONFIG"))


def _setting_in_words(keys: tuple[str, ...], value: object, text: str) -> tuple[str, str]:
    near = keys[-1] if keys[-1] in text else next((key for key in keys if key in text), "hook")
    return f'"{".".join(keys)}": {json.dumps(value, default=str)}'[:_LONGEST], near


def _folded(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(key.casefold() for key in keys)


def _turns_hooks_off(keys: tuple[str, ...], value: object) -> bool:
    *above, last = _folded(keys)
    if last in _OFF_WHERE_TRUE:
        return bool(value)
    if last in _OFF_WHERE_FALSE:
        return value is False
    inside = bool(above) and above[-1] in _TABLES
    return inside and ((last == "enabled" and value is False) or (last == "disabled" and bool(value)))


def _parse_settings(path: str, text: str) -> "Mapping[str, Any] | _Pairs | None":
    """The settings as data; None where they are neither JSON, with comments or not, nor TOML."""
    bare = text.lstrip("\ufeff")
    try:
        if path.endswith(".toml"):
            return tomllib.loads(bare)
        if path.endswith((".json", ".jsonc", ".json5")):
            found = json.loads(_COMMENT.sub(lambda one: one[1] or " ", bare), object_pairs_hook=_Pairs)
            return found if isinstance(found, _Pairs) else None
    except (ValueError, RecursionError):
        return None
    return None


class _Pairs(list[tuple[str, Any]]):
    """What stands in braces: a key may stand there twice, and readers differ in which they take."""


def _walk_values(data: "Mapping[str, Any] | _Pairs") -> Iterator[tuple[tuple[str, ...], object]]:
    """Each value that stands under keys."""
    left: list[tuple[tuple[str, ...], object]] = [((), data)]
    while left:
        keys, value = left.pop()
        if keys:
            yield keys, value
        if isinstance(value, Mapping):
            left += [((*keys, str(key)), one) for key, one in value.items()]
        elif isinstance(value, _Pairs):
            left += [((*keys, key), one) for key, one in value]
