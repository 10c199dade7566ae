"""Rulebooks of other teams: fetched, copied file by file, and compared with their locks."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.compiling import artifacts
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.infra.rulebooks import extension_fetch, extensions
from rulec.infra.rulebooks.extensions import require_locked
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config, ExtendedRulebook
from rulec.rulebook.rulebook import Rulebook

Texts = dict[str, str | None]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class VendoredRulebook:
    """The files that vendoring writes and removes, and what was left out."""

    changes: Texts
    rules: tuple[Rule, ...]
    commit: str
    left_out: tuple[str, ...]


def vendor_rulebook(top: Path, wanted: ExtendedRulebook, files: Mapping[str, str]) -> VendoredRulebook:
    """Fetch a rulebook and return the changes to the ``files`` of this one."""
    fetched = extension_fetch.fetch_rulebook(top, wanted)
    try:
        theirs = extensions.read_extension(wanted.name, fetched.files)
    except RulecError as error:
        where = f"{wanted.url}: {error.where.removeprefix(extensions.extension_folder(wanted.name) + '/')}"
        raise RulecError(
            error.message, where=where, hint="its team has to fix that; or name another revision"
        ) from None
    left = dict(_left_out(theirs, top))
    kept = {slug: rule for rule in theirs.rules if (slug := rule.slug) not in left}
    taken = {path: text for path, text in fetched.files.items() if _taken(path, kept, theirs)}
    lock = config.RulebookLock(
        url=wanted.url, rev=wanted.rev, path=wanted.path, commit=fetched.commit, tree=config.files_digest(taken)
    )
    start = extensions.extension_folder(wanted.name)
    wished = {
        **{f"{start}/{path}": text for path, text in taken.items()},
        extensions.extension_lock_path(wanted.name): config.dump_lock(lock),
    }
    return VendoredRulebook(
        changes=_difference(files, wished, wanted.name),
        rules=tuple(kept.values()),
        commit=fetched.commit,
        left_out=tuple(f"left out {slug}: {why}" for slug, why in left.items()),
    )


def _left_out(theirs: Rulebook, top: Path) -> Iterator[tuple[str, str]]:
    """Rules that cannot be built here, such as those that need a template of their team."""
    for rule in theirs.rules:
        if f"{rule.slug}.yaml" == extensions.LOCK_NAME:
            yield rule.slug, "its file would replace the lock file"
            continue
        try:
            artifacts.compile_rule(theirs, rule, top)
        except RulecError as error:
            yield rule.slug, f"{error.message} (templates of their own are not taken)"


def _taken(path: str, kept: Mapping[str, Rule], theirs: Rulebook) -> bool:
    """Whether a file is copied: rules and their evidence, without proofs, which are made here."""
    parts = path.split("/")
    if len(parts) == 1:
        return path.removesuffix(".yaml") in kept
    names = {file_paths.evidence_path(item).rpartition("/")[2] for item in theirs.observed(parts[1])}
    return parts[1] in kept and parts[-1] in names


def _difference(files: Mapping[str, str], wished: Mapping[str, str], name: str) -> Texts:
    gone = [path for path in files if extensions.extension_of(path) == name and path not in wished]
    return {**dict.fromkeys(gone), **{path: text for path, text in wished.items() if files.get(path) != text}}


def removal_of(files: Mapping[str, str], name: str) -> Texts:
    """The files to remove with a vendored rulebook."""
    return _difference(files, {}, name)


def unlocked_extensions(config: Config, files: Mapping[str, str]) -> list[ExtendedRulebook]:
    """Rulebooks in the settings whose lock is missing or different."""
    locks = [(one, extensions.extension_lock(files, one.name)) for one in config.extends]
    return [one for one, lock in locks if lock is None or not lock.answers(one)]


def fetch_unlocked(top: Path, book: Rulebook, files: Mapping[str, str], complain: Say) -> Texts:
    """Fetch rulebooks without a valid lock; an unreachable one stays at its lock, with a complaint."""
    require_locked(files)
    changes: Texts = {}
    for wanted in unlocked_extensions(book.config, files):
        try:
            got = vendor_rulebook(top, wanted, files)
        except extension_fetch.UnreachableError as error:
            lock = extensions.extension_lock(files, wanted.name)
            if lock is None:
                raise
            complain(f"{error}; {wanted.name} stays at its lock: {lock.rev}, commit {lock.commit[:10]}")
            continue
        changes |= got.changes
        for line in (f"vendored {wanted.name} at {wanted.rev}, commit {got.commit[:10]}", *got.left_out):
            complain(line)
    return changes


def vendoring_complaints(config: Config, files: Mapping[str, str]) -> list[str]:
    """What is wrong with vendored rulebooks, a line each, without fetching."""
    names = {one.name for one in config.extends}
    there = dict.fromkeys(filter(None, map(extensions.extension_of, sorted(files))))
    return [
        *(
            f"not what its lock says: {extensions.extension_folder(name)}"
            for name in extensions.tampered_extensions(files)
        ),
        *(f"not fetched as the settings say: {one.name} at {one.rev}" for one in unlocked_extensions(config, files)),
        *(
            f"extended by no settings: {extensions.extension_folder(name)}; rulec extend --remove {name}"
            for name in there
            if name not in names
        ),
    ]


def with_extension(config: Config, wanted: ExtendedRulebook) -> Config:
    """The settings with this extension, in place of the one of its name or at the end."""
    if any(one.name == wanted.name for one in config.extends):
        return replace(config, extends=tuple(wanted if one.name == wanted.name else one for one in config.extends))
    return replace(config, extends=(*config.extends, wanted))
