"""Rulebooks that ours extends: fetched, vendored file by file, and held to their locks."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rulec import lockfile
from rulec.commands import _build
from rulec.errors import RulecError
from rulec.host import layers, vendor, worktree
from rulec.model.rule import Rule
from rulec.model.rulebook import Config, Extension, Rulebook

Texts = dict[str, str | None]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendored:
    """What vendoring a rulebook writes and removes, and what it had to leave out."""

    changes: Texts
    rules: tuple[Rule, ...]
    commit: str
    left_out: tuple[str, ...]


def vendored(top: Path, wanted: Extension, files: Mapping[str, str]) -> Vendored:
    """Fetch a rulebook and say what has to change among ours, whose ``files`` these are."""
    fetched = vendor.fetch(top, wanted)
    try:
        theirs = layers.vendored(wanted.name, fetched.files)
    except RulecError as error:
        where = f"{wanted.url}: {error.where.removeprefix(layers.folder(wanted.name) + '/')}"
        raise RulecError(
            error.message, where=where, hint="its team has to mend that, or name another revision"
        ) from None
    left = dict(_left_out(theirs, top))
    kept = {slug: rule for rule in theirs.rules if (slug := rule.slug) not in left}
    taken = {path: text for path, text in fetched.files.items() if _taken(path, kept, theirs)}
    lock = lockfile.Lock(
        url=wanted.url, rev=wanted.rev, path=wanted.path, commit=fetched.commit, tree=lockfile.digest(taken)
    )
    start = layers.folder(wanted.name)
    wished = {
        **{f"{start}/{path}": text for path, text in taken.items()},
        layers.lock_path(wanted.name): lockfile.dumps(lock),
    }
    return Vendored(
        changes=_difference(files, wished, wanted.name),
        rules=tuple(kept.values()),
        commit=fetched.commit,
        left_out=tuple(f"left out {slug}: {why}" for slug, why in left.items()),
    )


def _left_out(theirs: Rulebook, top: Path) -> Iterator[tuple[str, str]]:
    """Rules that cannot be built here, such as those of a template of their team: code of strangers stays away."""
    for rule in theirs.rules:
        if f"{rule.slug}.yaml" == layers.LOCK:
            yield rule.slug, "its file would stand where the lock stands"
            continue
        try:
            _build.of_rule(theirs, rule, top)
        except RulecError as error:
            yield rule.slug, f"{error.message} (templates of their own are not taken)"


def _taken(path: str, kept: Mapping[str, Rule], theirs: Rulebook) -> bool:
    """Whether a file is a rule that is taken, or what speaks for one; proofs are made anew here."""
    parts = path.split("/")
    if len(parts) == 1:
        return path.removesuffix(".yaml") in kept
    names = {worktree.evidence_path(item).rpartition("/")[2] for item in theirs.observed(parts[1])}
    return parts[1] in kept and parts[-1] in names


def _difference(files: Mapping[str, str], wished: Mapping[str, str], name: str) -> Texts:
    gone = [path for path in files if layers.owner(path) == name and path not in wished]
    return {**dict.fromkeys(gone), **{path: text for path, text in wished.items() if files.get(path) != text}}


def without(files: Mapping[str, str], name: str) -> Texts:
    """What goes with a vendored rulebook."""
    return _difference(files, {}, name)


def unlocked(config: Config, files: Mapping[str, str]) -> list[Extension]:
    """What the settings name in another way than the locks do, or no lock holds."""
    locks = [(one, layers.lock_of(files, one.name)) for one in config.extends]
    return [one for one, lock in locks if lock is None or not lock.answers(one)]


def current(top: Path, book: Rulebook, files: Mapping[str, str], complain: Say) -> Texts:
    """What the settings name and no lock holds, fetched; where that cannot be reached, the lock stands, loudly."""
    hold(files)
    changes: Texts = {}
    for wanted in unlocked(book.config, files):
        try:
            got = vendored(top, wanted, files)
        except vendor.UnreachableError as error:
            lock = layers.lock_of(files, wanted.name)
            if lock is None:
                raise
            complain(f"{error}; {wanted.name} stays as its lock has it: {lock.rev}, commit {lock.commit[:10]}")
            continue
        changes |= got.changes
        for line in (f"vendored {wanted.name} at {wanted.rev}, commit {got.commit[:10]}", *got.left_out):
            complain(line)
    return changes


def hold(files: Mapping[str, str]) -> None:
    """RulecError where a vendored rulebook is not what its lock says."""
    for name in layers.tampered(files):
        hint = f"git checkout {layers.folder(name)} or rulec extend --update {name} brings it back"
        raise RulecError("is not what its lock says", where=layers.folder(name), hint=hint)


def complaints(config: Config, files: Mapping[str, str]) -> list[str]:
    """What is wrong with vendored rulebooks, a line each; nothing is fetched for it."""
    names = {one.name for one in config.extends}
    there = dict.fromkeys(filter(None, map(layers.owner, sorted(files))))
    return [
        *(f"not what its lock says: {layers.folder(name)}" for name in layers.tampered(files)),
        *(f"not fetched as the settings name it: {one.name} at {one.rev}" for one in unlocked(config, files)),
        *(
            f"extended by no settings: {layers.folder(name)}; rulec extend --remove {name}"
            for name in there
            if name not in names
        ),
    ]


def extended(config: Config, wanted: Extension) -> Config:
    """The settings with that extension in the place that its name has, or at the end."""
    if any(one.name == wanted.name for one in config.extends):
        return replace(config, extends=tuple(wanted if one.name == wanted.name else one for one in config.extends))
    return replace(config, extends=(*config.extends, wanted))
