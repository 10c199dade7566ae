"""Two states of the settings and suppressions -> what the later lets pass."""

from collections.abc import Iterator, Sequence

from rulec.model.rulebook import Config
from rulec.model.suppression import Suppression
from rulec.model.weakening import Weakening

CONFIG = ".rules/config.yaml"


def relax(before: Config, after: Config, was: Sequence[Suppression], now: Sequence[Suppression]) -> Iterator[Weakening]:
    """What the settings enforce no longer, and which findings are newly left alone."""
    yield from (
        Weakening(subject=f"settings {key}", text=f"settings: {text}", path=CONFIG)
        for key, text in _settings(before, after)
    )
    for one in now:
        yield from _suppression(one, was)


def _settings(before: Config, after: Config) -> Iterator[tuple[str, str]]:
    if before.profile != after.profile:
        yield "profile", f"profile {before.profile} -> {after.profile}"
    for key in ("emitters", "protected", "owners"):
        gone = [one for one in getattr(before, key) if one not in getattr(after, key)]
        if gone:
            yield key, f"{key} loses {', '.join(gone)}"
    if before.weakened == "block" and after.weakened != "block":
        yield "weakened", "weakened block -> warn"
    if before.install != after.install:
        yield (
            "install",
            f"CI installs {after.install or 'the released rulec'}, not {before.install or 'the released one'}",
        )
    known = {one.name: one for one in after.extends}
    for one in before.extends:
        other = known.get(one.name)
        if other is None:
            yield f"extends {one.name}", f"extends {one.name} no longer"
        elif other != one:
            yield (
                f"extends {one.name}",
                f"extends {one.name} from {other.url} at {other.rev}, not {one.url} at {one.rev}",
            )
    order = [one.name for one in before.extends if one.name in known]
    if order != [one.name for one in after.extends if one.name in order]:
        yield "extends", "extends in another order, so that other rules win"


def _suppression(one: Suppression, was: Sequence[Suppression]) -> Iterator[Weakening]:
    known = [old for old in was if old.slug == one.slug and (not old.paths or _below(one.paths, old.paths))]
    if any(old.until >= one.until for old in known):
        return
    where = ", ".join(one.paths) or "everywhere"
    until = f"until {one.until}" + (f", not {max(old.until for old in known)}" if known else "")
    told = f"{one.slug} is suppressed in {where} {until} ({one.reason})"
    yield Weakening(subject=f"suppression {one.slug} {where}", text=told, path=one.source)


def _below(few: Sequence[str], wide: Sequence[str]) -> bool:
    return bool(few) and set(few) <= set(wide)
