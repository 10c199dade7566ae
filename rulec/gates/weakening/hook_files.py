"""Two states of hooks, workflows and owners: which of the files that hold the gates up no longer do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulec.domain.finding import Weakening
from rulec.rulebook import code_owners

OWNED_PATHS = (  # one path of each sort that the code owners should see
    ".rules/config.yaml", ".rules/a-rule.yaml", ".rules/compiled/guard/a-rule.json", ".rules/suppressions/a-rule.yaml",
    ".github/CODEOWNERS", ".github/workflows/rules.yml", ".pre-commit-config.yaml", ".claude/settings.json",
)  # fmt: skip
_ALL = ("*", "**", "**/*", "/**", "/")


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFileBlock:
    """rulec's own part of a file that it shares with people: whether it is there, and as it should be."""

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
        return "rulec's part of it is gone" if not now.wrong else f"nobody can say whether it still holds: {now.wrong}"
    if was.whole and not now.whole:
        return "rulec's part of it is not what rulec writes"
    return ""


def _owners_file(files: Mapping[str, str]) -> tuple[str, str]:
    """The file that says who owns what, and its text."""
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
