"""Two states of settings and exceptions: what is no longer enforced, and what is newly excepted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulec.domain.change import Change, FileChange
from rulec.domain.enforcement import strictness
from rulec.domain.finding import Weakening
from rulec.domain.prompt import ModelSettings
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.guard import inline_exceptions
from rulec.infra import install_source
from rulec.rulebook.config import Config, ExtendedRulebook
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.test_suites import Suite, plain_suites

CONFIG = ".rules/config.yaml"
_LONGEST = 100  # characters of a setting


def weakened_settings(
    before: Config, after: Config, was: Sequence[DatedException], now: Sequence[DatedException]
) -> Iterator[Weakening]:
    """What the settings no longer enforce, and which findings are newly excepted."""
    yield from (
        Weakening(subject=f"settings {key}", text=f"settings: {text}", path=CONFIG)
        for key, text in _weakened_config(before, after)
    )
    for one in now:
        yield from _new_exception(one, was)


def _weakened_config(before: Config, after: Config) -> Iterator[tuple[str, str]]:
    if before.profile != after.profile:
        yield "profile", f"profile {before.profile} -> {after.profile}"
    for key in ("emitters", "protected", "owners"):
        gone = [one for one in getattr(before, key) if one not in getattr(after, key)]
        if gone:
            yield key, f"{key} loses {', '.join(gone)}"
    if strictness(after.weakened) < strictness(before.weakened):
        yield "weakened", "weakened block -> warn"
    if before.install != after.install and not _runs_here(after.install):
        yield "install", f"others install {after.install or 'no rulec'}, not {before.install or 'none'}"
    if before.on_missing == "deny" != after.on_missing:
        yield "on_missing", "on_missing deny -> pass"
    yield from _weakened_extensions(before.extends, after.extends)
    gone = [gate for gate in before.models.judges if gate not in after.models.judges]
    if gone:
        yield "judges", f"judges are asked no longer at {', '.join(gone)}"
    if before.models.backend and before.models.judges:
        yield from _weakened_judges(before.models, after.models)


def _runs_here(requirement: str) -> bool:
    """Whether it is the source of the rulec that runs here: that one judges already."""
    return bool(requirement) and requirement == install_source.installed_source().requirement


def weakened_suites(was: Sequence[Suite], now: Sequence[Suite], *, asked: bool) -> Iterator[Weakening]:
    """What becomes of suites of tests: each change of one may let pass what it refused, and prove what it did not.

    A suite that is new proves rules from the next change on, so it counts where some rule is already ``asked`` for
    such a proof. More or less time changes nothing that a run shows.
    """
    before, after = plain_suites(was), plain_suites(now)
    for name in sorted({*before, *after}):
        for key, text in _changed_suite(before.get(name), after.get(name), asked=asked):
            yield Weakening(subject=f"settings tests {name}{key}", text=f"settings: tests: {name} {text}", path=CONFIG)


def _changed_suite(
    was: Mapping[str, Any] | None, now: Mapping[str, Any] | None, *, asked: bool
) -> Iterator[tuple[str, str]]:
    if was is None:
        if asked:
            yield "", f"is new and proves rules by {_words((now or {}).get('run'))}"
    elif now is None:
        yield "", f"is gone (it ran {_words(was.get('run'))})"
    else:
        for key in sorted({*was, *now} - {"seconds"}):
            if was.get(key) == now.get(key):
                continue
            secret = isinstance(was.get(key) or now.get(key), dict)  # the values of variables may be secrets
            told = f"another {key}" if secret else f"{key} {_words(now.get(key))}, not {_words(was.get(key))}"
            yield f" {key}", f"has {told}"


def _words(value: object) -> str:
    """A setting of a suite in one line."""
    named = value if isinstance(value, list) else [value] if value else []
    told = to_one_line(redact(" ".join(map(str, named))))
    return f"`{told[:_LONGEST]}`" if told else "none"


def _weakened_extensions(was: Sequence[ExtendedRulebook], now: Sequence[ExtendedRulebook]) -> Iterator[tuple[str, str]]:
    """Which rules of extended rulebooks no longer apply, or apply differently."""
    known = {one.name: one for one in now}
    for one in was:
        other = known.get(one.name)
        if other is None:
            yield f"extends {one.name}", f"extends {one.name} no longer"
        elif other != one:
            yield (
                f"extends {one.name}",
                f"extends {one.name} from {other.url} at {other.rev}, not {one.url} at {one.rev}",
            )
    order = [one.name for one in was if one.name in known]
    if order != [one.name for one in now if one.name in order]:
        yield "extends", "extends in another order, so that other rules win"


def _weakened_judges(was: ModelSettings, now: ModelSettings) -> Iterator[tuple[str, str]]:
    """Which other model is asked, and which settings stop judges from being asked."""
    for key in ("backend", "model"):
        one, two = getattr(was, key), getattr(now, key)
        if one != two:
            yield key, f"judges ask {two or ('nobody' if key == 'backend' else 'any model')}, not {one or 'any model'}"
    for key in ("tokens", "money", "seconds"):
        one, two = getattr(was, key), getattr(now, key)
        if two < one:
            yield key, f"models.{key} {_number(one)} -> {_number(two)}, so that judges fall silent sooner"


def _number(amount: float) -> str:
    return f"{amount:,}".removesuffix(".0")


def _new_exception(one: DatedException, was: Sequence[DatedException]) -> Iterator[Weakening]:
    known = [old for old in was if old.slug == one.slug and (not old.paths or _below(one.paths, old.paths))]
    if any(old.until >= one.until for old in known):
        return
    where = ", ".join(one.paths) or "everywhere"
    until = f"until {one.until}" + (f", not {max(old.until for old in known)}" if known else "")
    told = f"{one.slug} is excepted in {where} {until} ({one.reason})"
    yield Weakening(subject=f"exception {one.slug} {where}", text=told, path=one.source)


def _below(few: Sequence[str], wide: Sequence[str]) -> bool:
    return bool(few) and set(few) <= set(wide)


_EXCEPTION_MARK = inline_exceptions.MARK.encode()


def new_exceptions(change: Change, slugs: Sequence[str], today: str) -> Iterator[Weakening]:
    """Each exception that would count from the next change on, with its line."""
    for file in change.files:
        if file.content is not None and _EXCEPTION_MARK in file.content:
            yield from _exceptions_in_file(file, frozenset(slugs), today)


def _exceptions_in_file(file: FileChange, slugs: frozenset[str], today: str) -> Iterator[Weakening]:
    lines = file.lines
    for number, slug in sorted(inline_exceptions.newly_excepted(lines, file.lines_before, file.added_lines)):
        said = inline_exceptions.parse_line(lines[number - 1])
        if slug not in slugs or said is None or said["wrong"] or said["until"] < today:
            continue
        text = f"{slug} is excepted in place until {said['until']} ({said['reason']})"
        yield Weakening(subject=f"exception {slug} {file.path}", text=text, path=file.path, line=number, in_place=True)
