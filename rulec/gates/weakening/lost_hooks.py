"""What a change takes from hooks, agents' settings, pipelines and CODEOWNERS: parts removed, switches turned off."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rulec.agents.protocol import agent_tables
from rulec.domain.finding import Weakening
from rulec.errors import RulecError
from rulec.integrations import code_owners
from rulec.integrations.targets import pre_commit
from rulec.tamper.settings_edits import leads_elsewhere

OWNED_PATHS = (  # one path of each sort that the code owners should see
    ".rules/config.yaml", ".rules/a-rule.yaml", ".rules/compiled/guard/a-rule.json", ".rules/exceptions/a-rule.yaml",
    ".github/CODEOWNERS", ".github/workflows/rules.yml", ".pre-commit-config.yaml", ".claude/settings.json",
)  # fmt: skip
_ALL = ("*", "**", "**/*", "/**", "/")


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFileBlock:
    """rulec's block in a file that people edit, too: whether it is present, and unchanged."""

    there: bool = False
    whole: bool = False
    wrong: str = ""  # why nobody can say


def lost_gate_files(
    before: Mapping[str, str],
    after: Mapping[str, str],
    parts: Mapping[str, tuple[SharedFileBlock, SharedFileBlock]],
    named: Sequence[str] = (),
) -> Iterator[Weakening]:
    """Hooks, workflows and owners that are gone or changed.

    ``named`` are the owners by the later settings, who may take over what only everybody owned.
    """
    for path, (was, now) in sorted(parts.items()):
        if text := _lost_parts(was, now, gone=path not in after):
            yield Weakening(subject=f"part of {path}", text=f"{path}: {text}", path=path)
    yield from _paths_without_owners(_owners_file(before), _owners_file(after), named)


def _lost_parts(was: SharedFileBlock, now: SharedFileBlock, *, gone: bool) -> str:
    if not was.there:
        return ""
    if gone or not now.there:
        return "rulec's part of it is gone" if not now.wrong else f"whether it still works is unknown: {now.wrong}"
    if was.whole and not now.whole:
        return "rulec's part of it differs from what rulec writes"
    return ""


def _owners_file(files: Mapping[str, str]) -> tuple[str, str]:
    """The CODEOWNERS file in effect and its text."""
    return next(((path, files[path]) for path in code_owners.CODEOWNERS_PATHS if path in files), ("", ""))


def _paths_without_owners(before: tuple[str, str], after: tuple[str, str], named: Sequence[str]) -> Iterator[Weakening]:
    was, now = before[1], after[1]
    if was == now:
        return
    seen: set[tuple[Sequence[str], Sequence[str]]] = set()
    for probe in OWNED_PATHS:
        (wide, old), (other, new) = code_owners.deciding_line(was, probe), code_owners.deciding_line(now, probe)
        if wide in _ALL and (other in _ALL or (new and set(new) <= set(named))):  # nobody was named for the gate itself
            continue
        if not old or (new and set(new) <= set(old)) or (old, new) in seen:
            continue
        seen.add((old, new))
        told = f"{probe}: owned by {', '.join(new) or 'nobody'}, not {', '.join(old)}"
        yield Weakening(subject=f"owners of {probe}", text=told, path=after[0] or before[0])


_OFF = {setting.casefold().rpartition("."): value for setting, value in agent_tables.OFF.items()}
_OFF_WHERE_TRUE = ("disablehooks", "disable_hooks", *(last for (_, _, last), value in _OFF.items() if value))
_OFF_WHERE_FALSE = ("hooksenabled", *(last for (_, _, last), value in _OFF.items() if not value and last != "enabled"))
_TABLES = ("hooks", *(above for (above, _, last), _ in _OFF.items() if last == "enabled"))
_PLAIN_SETTING = re.compile(  # of what is neither JSON nor TOML, or no whole one
    rf'(?i)"(?:(?:{"|".join(_OFF_WHERE_TRUE)})"\s*:\s*true|(?:{"|".join(_OFF_WHERE_FALSE)})"\s*:\s*false'
    rf'|(?:{"|".join(_TABLES)})"\s*:\s*\{{[^{{}}]{{0,400}}"(?:enabled"\s*:\s*false|disabled"\s*:\s*\[\s*[^\]\s]))'
    rf"|(?m:^[ \t]*(?:{'|'.join(_OFF_WHERE_FALSE)})[ \t]*=[ \t]*false)"
)
_AGENTS = re.compile(
    rf"(?:^|/)(?:{'|'.join(map(re.escape, agent_tables.FOLDERS))})/|{'|'.join(map(re.escape, agent_tables.TOP_FILES))}"
)
_KEPT_SETTINGS = (
    ("env",),
    ("shell_environment_policy", "set"),
    ("containerenv",),
    ("remoteenv",),
)  # where variables stand
_VARIABLE = re.compile(r"(?m)^[ \t]*(?:(?:export[ \t]+)?([A-Z_]+)=|set[ \t]+-g?x[ \t]+([A-Z_]+)[ \t]+)([^\s;#]*)")
_PAST = ("SKIP", "PREK_SKIP", "LEFTHOOK_EXCLUDE", "PRE_COMMIT_ALLOW_NO_CONFIG", "GIT_DIR", "GIT_EXEC_PATH", "BASH_ENV")
_PAST_WHERE_OFF = ("HUSKY", "LEFTHOOK")
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*+(?:"|\Z))|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|,(?=\s*+[}\]])')
_LONGEST = 80


def new_off_switches(path: str, old: str, new: str) -> Iterator[Weakening]:
    """Settings that newly turn hooks off, each with its line."""
    if path.endswith((".md", ".mdc")):
        return
    known = {told for told, _, _ in _switches_in(path, old)}
    for told, key, does in _switches_in(path, new):
        if told not in known:
            line = next((n for n, one in enumerate(new.splitlines(), 1) if key in one), 0)
            yield Weakening(subject=f"switch {told} {path}", text=f"{path}: {told} {does}", path=path, line=line)


def _switches_in(path: str, text: str) -> list[tuple[str, str, str]]:
    """The switch, the word to find its line by, and its effect."""
    data = _parse_settings(path, text)
    if data is None:
        switches = [
            (" ".join(one[0].split())[:_LONGEST], one[0].splitlines()[0]) for one in _PLAIN_SETTING.finditer(text)
        ]
        named = [(one[1] or one[2], one[3].strip("\"'")) for one in _VARIABLE.finditer(text)]
        variables = [(f"{name}={value}", name) for name, value in named if _leads_past(name, value)]
    else:
        every = list(_walk_values(data))
        switches = [_setting_in_words(keys, value, text) for keys, value in every if _turns_hooks_off(keys, value)]
        agents = bool(_AGENTS.search(path))
        held = [
            (keys, value)
            for keys, value in every
            if _folded(keys[:-1]) in _KEPT_SETTINGS and not _turns_hooks_off(keys, value)
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
    """The pairs of a JSON object: a key may repeat, and readers differ in which one they take."""


def _walk_values(data: "Mapping[str, Any] | _Pairs") -> Iterator[tuple[tuple[str, ...], object]]:
    """Each value with the keys above it."""
    left: list[tuple[tuple[str, ...], object]] = [((), data)]
    while left:
        keys, value = left.pop()
        if keys:
            yield keys, value
        if isinstance(value, Mapping):
            left += [((*keys, str(key)), one) for key, one in value.items()]
        elif isinstance(value, _Pairs):
            left += [((*keys, key), one) for key, one in value]


_ASKS = re.compile(
    r"\.rules/hook\b|rulec/hook\b|compiled/hook\.py|\brulec (?:check|test|compile --check)\b|\bid: [\"']?rulec\b"
)
_IDLE = re.compile(r"(?:^|\s)(?:#|//)|(?<![\w./-])(?:true|false|echo|printf)(?=\s)|(?:^|[;&|]\s*):\s")
_SOFT = re.compile(r"\|\|\s*[{(]?\s*(?:/bin/)?(?:true|:|echo|printf|exit(?:\s+0)?|return(?:\s+0)?)(?=[\s;})\"'#]|$)")
_LOST = re.compile(r";\s*(?:true|:|exit\s+0)\s*[\"']?\s*$|(?<![&>])&\s*$|(?<!\|)\|(?![|&])")
_HARD = re.compile(r"(?:exit|return)\s+(?:[1-9]|\$)")
_ENDS = re.compile(
    r"(?:^|[;&|{]\s*|\bthen\s+)(?:(?:exit|return)(?:\s+0)?|exec\s+[^\s<>\d&].*)\s*+(?:$|[;}#])"
    r"|^set\s+\+e|^if\s+(?:false|!\s*true)\b|^(?:function\s+)?rulec\s*\(\)|^alias\s+rulec=|^:\s*<<"
)
_AFTER = re.compile(r"(?:exit\s+0|true|:)\s*(?:#.*)?")
_STOPS = re.compile(r"(?m)^\s*set\s+-\w*e|^#!.*\s-\w*e")
_SCRIPT = re.compile(r"(?:^|/)(?:\.husky|\.githooks|\.hooks|hooks)/[^.]+$|\.sh$")
_LAUNCHER = "# generated by rulec"  # at the top of .rules/hook
_PREK = ("prek.toml", ".prek.toml")
_PRE_COMMIT = ".pre-commit-config.yaml"
_JOB = re.compile(r"(?m)^[\"']?\.?rulec[\w-]*[\"']?[ \t]*:")
_MOST_JOBS = 50  # jobs of one file that are looked at
_GITLAB = re.compile(r"(?:\.gitlab-ci\.yml|\.gitlab/.+\.ya?ml)")


def weakened_pipelines(path: str, old: str, new: str, *, ours: bool) -> Iterator[Weakening]:
    """How a file stops running rulec or ignores its result; the part that is ``ours`` is compared with the template."""
    if path.endswith((".md", ".mdc")) or old == new:
        return
    gone = len(_lines_that_heed(old)) - len(_lines_that_heed(new))
    if gone > 0 and not ours:
        told = f"{path}: runs rulec no longer, less often, or whatever it finds"
        yield Weakening(subject=f"asked by {path}", text=told, path=path)
    elif _lines_that_heed(old) and _SCRIPT.search(path):
        yield from _new_early_exits(path, old, new)
    if _GITLAB.fullmatch(path) and path != ".gitlab/rules.yml":
        yield from _replaced_jobs(path, old, new)


def runs_rulec(text: str) -> bool:
    """Whether a text runs rulec, or its launcher."""
    return bool(_lines_that_heed(text)) or _LAUNCHER in text


def _lines_that_heed(text: str) -> list[int]:
    """The lines by number that run rulec and fail when it fails."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        asks = _ASKS.search(line)
        if asks and not _IDLE.search(line[: asks.start()]) and not _ignores_refusal(line[asks.end() :]):
            found.append(number)
    return found


def _ignores_refusal(tail: str) -> bool:
    """Whether the rest of the line ignores a failure."""
    tail = re.split(r"\s#", tail, maxsplit=1)[0]
    return not _HARD.search(tail) and bool(_SOFT.search(tail) or _LOST.search(tail))


def _new_early_exits(path: str, old: str, new: str) -> Iterator[Weakening]:
    """New lines of a script that end it before rulec runs, or with success whatever rulec found."""
    known, asking = {line.strip() for line in old.splitlines()}, _lines_that_heed(new)
    heeds = "/.husky/" in f"/{path}" or _STOPS.search(new)  # husky ends at the first command that fails
    for number, line in enumerate(new.splitlines(), 1):
        bare = line.strip()
        if bare in known or number in asking or bare.startswith("#"):
            continue
        ends = number < asking[-1] and _ENDS.search(bare)
        if ends or (number > asking[-1] and not heeds and _AFTER.fullmatch(bare)):
            effect = "ends the script before rulec runs" if ends else "hides the result of rulec"
            told = f"{path}: `{bare[:80]}` {effect}"
            yield Weakening(subject=f"ends {bare[:80]} {path}", text=told, path=path, line=number)


def _replaced_jobs(path: str, old: str, new: str) -> Iterator[Weakening]:
    for found in islice(_JOB.finditer(new), _MOST_JOBS):
        if not re.search(rf"(?m)^{re.escape(found[0])}", old):
            told = f"{path}: {found[0].strip()} takes the place of a job that rulec writes"
            yield Weakening(subject=f"job {found[0]}", text=told, path=path, line=new.count("\n", 0, found.start()) + 1)


def other_program(path: str, old: str, new: str, own: Callable[[], str]) -> Iterator[Weakening]:
    """A configuration of pre-commit's that takes rulec from elsewhere than before, and not where ``own`` came from."""
    was, now = (_program(text) for text in (old, new)) if path == _PRE_COMMIT else ("", "")
    if was and now and was != now and now != own():
        told = f"{path}: pre-commit runs rulec from {now}, not {was}"
        yield Weakening(subject=f"program of {path}", text=told, path=path)


def _program(text: str) -> str:
    try:
        return pre_commit.installed_from(text)
    except RulecError:  # told where rulec's part of the file is read
        return ""


def supplanted_by_prek(path: str, old: str, new: str, pre_commit: str) -> Iterator[Weakening]:
    """A configuration of prek that takes precedence over the one whose hooks run rulec."""
    if path in _PREK and _ASKS.search(pre_commit) and not _lines_that_heed(new) and (not old or _lines_that_heed(old)):
        told = f"{path}: prek reads it in place of {_PRE_COMMIT}, and it does not run rulec"
        yield Weakening(subject=f"place of {_PRE_COMMIT}", text=told, path=path, line=1)
