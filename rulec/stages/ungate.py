"""Two states of the files that hold the gates up -> which of them no longer do."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulec import ownersfile
from rulec.model.weakening import Weakening
from rulec.runtime.kept import SOURCES

PROBES = (  # one path of each sort that the code owners should see
    ".rules/config.yaml", ".rules/a-rule.yaml", ".rules/compiled/guard/a-rule.json", ".rules/suppressions/a-rule.yaml",
    ".github/CODEOWNERS", ".github/workflows/rules.yml", ".pre-commit-config.yaml", ".claude/settings.json",
)  # fmt: skip
_SWITCHES = (  # settings of agents that turn hooks off, wherever they stand
    re.compile(r'"(?:disableAllHooks|allowManagedHooksOnly|disableHooks|disable_hooks)"\s*:\s*true'),
    re.compile(r'"(?:enableHooks|hooksEnabled)"\s*:\s*false'),
    re.compile(r'"hooks(?:Config)?"\s*:\s*\{[^{}]{0,400}"(?:enabled"\s*:\s*false|disabled"\s*:\s*\[\s*[^\]\s])'),
    re.compile(r"(?m)^[ \t]*(?:codex_)?hooks[ \t]*=[ \t]*false"),
)
_ASKS = re.compile(r"compiled/runtime/(?:rulec\.sh|hook\.py)|\brulec (?:check|test|compile --check)\b")
_ALL = ("*", "**", "**/*", "/**", "/")
_HIDES = re.compile(r"(?:^|\s)(?:-diff|binary|linguist-generated(?:=true)?)(?=\s|$)")
_CODE = re.compile(rf"(?:\*\*/)?\*\.(?:{SOURCES})")  # all code of a language


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """rulec's own part of a file that it shares with people: whether it is there, and as it should be."""

    there: bool = False
    whole: bool = False
    wrong: str = ""  # why nobody can say


def ungate(
    before: Mapping[str, str],
    after: Mapping[str, str],
    parts: Mapping[str, tuple[Part, Part]],
    named: Sequence[str] = (),
) -> Iterator[Weakening]:
    """Hooks, workflows and owners that are gone or changed, switches that turn hooks off, files kept out of reviews.

    ``named`` are the owners by the later settings, who may take over what only everybody owned.
    """
    for path, (was, now) in sorted(parts.items()):
        if text := _lost(was, now, gone=path not in after):
            yield Weakening(subject=f"part of {path}", text=f"{path}: {text}", path=path)
    for path in sorted(after):
        old, new = before.get(path, ""), after[path]
        if old == new:
            continue
        if path.rpartition("/")[2] == ".gitattributes":
            yield from _hidden(path, old, new)
        else:
            yield from _switched(path, old, new)
    ours = {path for path, (was, _) in parts.items() if was.there}
    for path in sorted({*before} - ours):
        yield from _unasked(path, before[path], after.get(path, ""))
    yield from _disowned(_owners(before), _owners(after), named)


def _lost(was: Part, now: Part, *, gone: bool) -> str:
    if not was.there:
        return ""
    if gone or not now.there:
        return "rulec's hooks are gone" if not now.wrong else f"nobody can say whether it still holds: {now.wrong}"
    if was.whole and not now.whole:
        return "rulec's part of it is not what rulec writes"
    return ""


def _switched(path: str, old: str, new: str) -> Iterator[Weakening]:
    for switch in _SWITCHES:
        found = switch.search(new)
        if found and not switch.search(old):
            line = new.count("\n", 0, found.start()) + 1
            told = f"{path}: {' '.join(found[0].split())[:80]} turns hooks off"
            yield Weakening(subject=f"switch {switch.pattern} {path}", text=told, path=path, line=line)


def _unasked(path: str, old: str, new: str) -> Iterator[Weakening]:
    """Hooks and workflows that people wrote themselves, and that no longer ask rulec."""
    gone = len(_ASKS.findall(old)) - len(_ASKS.findall(new))
    if gone > 0 and not path.endswith((".md", ".mdc")):
        yield Weakening(subject=f"asked by {path}", text=f"{path}: runs rulec no longer, or less often", path=path)


def _hidden(path: str, old: str, new: str) -> Iterator[Weakening]:
    known = {line.strip() for line in old.splitlines()}
    for number, line in enumerate(new.splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith("#") or bare in known:
            continue
        pattern, _, attributes = bare.partition(" ")
        found = _HIDES.search(attributes)
        below = f"{path.rpartition('/')[0]}/".lstrip("/")
        seen = [probe.removeprefix(below) for probe in PROBES if probe.startswith(below)]
        if found and (
            _CODE.fullmatch(pattern) or pattern in _ALL or any(ownersfile.speaks(pattern, one) for one in seen)
        ):
            told = f"{path}: {pattern} {found[0].strip()} keeps changes out of people's sight"
            yield Weakening(subject=f"sight {bare}", text=told, path=path, line=number)


def _owners(files: Mapping[str, str]) -> tuple[str, str]:
    """The file that says who owns what, and its text."""
    return next(((path, files[path]) for path in ownersfile.PATHS if path in files), ("", ""))


def _disowned(before: tuple[str, str], after: tuple[str, str], named: Sequence[str]) -> Iterator[Weakening]:
    was, now = before[1], after[1]
    if was == now:
        return
    seen: set[tuple[Sequence[str], Sequence[str]]] = set()
    for probe in PROBES:
        (wide, old), (other, new) = ownersfile.deciding(was, probe), ownersfile.deciding(now, probe)
        if wide in _ALL and (other in _ALL or (new and set(new) <= set(named))):  # nobody was named for the gate itself
            continue
        if not old or (new and set(new) <= set(old)) or (old, new) in seen:
            continue
        seen.add((old, new))
        told = f"{probe}: owned by {', '.join(new) or 'nobody'}, not {', '.join(old)}"
        yield Weakening(subject=f"owners of {probe}", text=told, path=after[0] or before[0])
