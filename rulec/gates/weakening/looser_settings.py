"""Two states of settings and exceptions: what is no longer enforced, and what is newly excepted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Weakening
from rulec.domain.prompt import ModelSettings
from rulec.guard import inline_exceptions
from rulec.infra import install_source
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config, ExtendedRulebook
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.test_suites import Suite

_LISTS = ("emitters", "protected", "owners", "extends", "tests")
_STRICTEST = {"weakened": "block", "on_missing": "deny"}
_LIMITS = ("seconds", "tokens", "money")  # of judges, who fall silent beyond them


def weakened_settings(was: Config, now: Config, *, proofs: bool) -> Iterator[Weakening]:
    """What the settings no longer enforce; ``proofs``: some rule asks already for a proof by tests.

    A suite of tests that is new proves rules from the next change on, so it counts where a rule asks for that already.
    """
    told = [*_changed_lists(was, now), *_changed_values(was, now), *_changed_models(was.models, now.models)]
    if proofs:
        told += [(f"tests {one}", f"tests: {one} is new") for one in {*_entries(now.tests)} - {*_entries(was.tests)}]
    for key, text in told:
        yield Weakening(subject=f"settings {key}", text=f"settings: {text}", path=file_paths.CONFIG)


def _changed_lists(was: Config, now: Config) -> Iterator[tuple[str, str]]:
    """Entries of lists that are gone or another; one more takes nothing."""
    for key in _LISTS:
        before, after = _entries(getattr(was, key)), _entries(getattr(now, key))
        for name, one in before.items():
            if after.get(name) != one:
                yield f"{key} {name}", f"{key}: {name} is {'another' if name in after else 'gone'}"
    kept = [one for one in now.extends if one in was.extends]
    if kept != [one for one in was.extends if one in kept]:
        yield "extends", "extends in another order, so that other rules win"


def _entries(some: Sequence[str | ExtendedRulebook | Suite]) -> dict[str, object]:
    """The entries of a list by name; how long a suite may take changes nothing that its run shows."""
    return {
        one if isinstance(one, str) else one.name: replace(one, seconds=0) if isinstance(one, Suite) else one
        for one in some
    }


def _changed_values(was: Config, now: Config) -> Iterator[tuple[str, str]]:
    for key, strictest in _STRICTEST.items():
        old, new = getattr(was, key), getattr(now, key)
        if old != new != strictest:
            yield key, f"{key} {old} -> {new}"
    if was.bar != now.bar:
        yield "bar", "bar: judges block from another measure on"
    if was.install != now.install and not _runs_here(now.install):
        yield "install", f"others install {now.install or 'no rulec'}, not {was.install or 'none'}"


def _runs_here(requirement: str) -> bool:
    """Whether it is the source of the rulec that runs here: that one judges already."""
    return bool(requirement) and requirement == install_source.installed_source().requirement


def _changed_models(was: ModelSettings, now: ModelSettings) -> Iterator[tuple[str, str]]:
    """Which judges are asked no longer, or others in their place."""
    if gone := [gate for gate in was.judges if gate not in now.judges]:
        yield "judges", f"judges are asked no longer at {', '.join(gone)}"
    if was.backend and was.judges:
        for key in ("backend", "model", *_LIMITS):
            old, new = getattr(was, key), getattr(now, key)
            if new < old if key in _LIMITS else new != old:
                yield key, f"models: {key} {old or 'any'} -> {new or 'none'}"


def new_exceptions(was: Sequence[DatedException], now: Sequence[DatedException]) -> Iterator[Weakening]:
    """Each exception file that leaves alone more than before, or for longer."""
    for one in now:
        known = [old for old in was if old.slug == one.slug and _within(one.paths, old.paths)]
        if not any(old.until >= one.until for old in known):
            where = ", ".join(one.paths) or "everywhere"
            until = f"until {one.until}" + (f", not {max(old.until for old in known)}" if known else "")
            told = f"{one.slug} is excepted in {where} {until} ({one.reason})"
            yield Weakening(subject=f"exception {one.slug} {where}", text=told, path=one.source)


def _within(few: Sequence[str], wide: Sequence[str]) -> bool:
    return not wide or (bool(few) and set(few) <= set(wide))


def exceptions_in_place(change: Change, slugs: frozenset[str], today: str) -> Iterator[Weakening]:
    """Each exception in a comment that would count from the next change on, with its line."""
    mark = inline_exceptions.MARK.encode()
    for file in change.files:
        if file.content is not None and mark in file.content:
            yield from _exceptions_in_file(file, slugs, today)


def _exceptions_in_file(file: FileChange, slugs: frozenset[str], today: str) -> Iterator[Weakening]:
    lines = file.lines
    for number, slug in sorted(inline_exceptions.newly_excepted(lines, file.lines_before, file.added_lines)):
        said = inline_exceptions.parse_line(lines[number - 1])
        if slug not in slugs or said is None or said.wrong or said.until < today:
            continue
        text = f"{slug} is excepted in place until {said.until} ({said.reason})"
        yield Weakening(subject=f"exception {slug} {file.path}", text=text, path=file.path, line=number, in_place=True)
