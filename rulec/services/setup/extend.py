"""rulec extend: vendors rulebooks of other teams, locked to a commit, and compares them with their locks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checks.proving.proof import Proof
from rulec.compiling import artifacts
from rulec.compiling.artifacts import compile_checks
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates.findings import rule_proof
from rulec.infra.rulebooks import extension_fetch, extensions, rulebook_files
from rulec.infra.rulebooks.extensions import require_locked
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config, ExtendedRulebook, dump_config, parse_config
from rulec.rulebook.rule_file import checked_slug
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.rulebook_commit import HEAD, ChangeTarget

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


_MOST_TOLD = 50  # rules that a commit message names


def list_extended(top: Path) -> Outcome:
    """The extended rulebooks, with their commits."""
    files = rulebook_files.rulebook_texts(top)
    book = rulebook_files.load_rulebook(top)
    data = []
    for one in book.config.extends:
        lock = extensions.extension_lock(files, one.name)
        rules = [rule.slug for rule in book.rules if rule.layer == f"extends {one.name}"]
        data.append(
            {"name": one.name, "url": one.url, "rev": one.rev, "commit": lock.commit if lock else "", "rules": rules}
        )
    lines = [
        f"{d['name']}: {d['url']} at {d['rev']}, commit {str(d['commit'])[:10] or 'not fetched: run rulec compile'}, "
        f"{len(d['rules'])} rules in force"
        for d in data
    ]
    lines += [*book.overruled, *vendoring_complaints(book.config, files)]
    return Outcome("\n".join(lines) or "no rulebook is extended; next: rulec extend URL --rev TAG", data=data)


def extend_rulebook(top: Path, wanted: ExtendedRulebook, onto: ChangeTarget = HEAD) -> Outcome:
    """Extend a rulebook at a revision, or move an extended one to it."""
    wanted = replace(wanted, name=checked_slug(wanted.name or config.default_name(wanted.url), wanted.url))
    if not wanted.rev:
        raise RulecError("no revision is named", where=wanted.url, hint="--rev TAG, or a commit id")
    with rulebook_commit.open_rulebook(top, onto) as book:
        other = next((one for one in book.config.extends if one.name == wanted.name), wanted)
        if (other.url, other.path) != (wanted.url, wanted.path):
            raise RulecError(f"{wanted.name} is {other.url} already", where=file_paths.CONFIG, hint="give it a --name")
        return _write_extensions(top, book, [wanted], onto)


def update_extended(top: Path, name: str, rev: str, onto: ChangeTarget = HEAD) -> Outcome:
    """Fetch all extended rulebooks again, or one by name, at a new revision if given."""
    with rulebook_commit.open_rulebook(top, onto) as book:
        due = [one for one in book.config.extends if name in ("", one.name)]
        if not due:
            raise _unknown(book.config, name)
        if rev and not name:
            raise RulecError("--rev needs the name of one rulebook", hint="rulec extend --update NAME --rev REV")
        return _write_extensions(top, book, [replace(one, rev=rev or one.rev) for one in due], onto)


def remove_extended(top: Path, name: str, onto: ChangeTarget = HEAD) -> Outcome:
    """Stop extending a rulebook: remove its files, its entry in the settings and the proofs of its rules."""
    with rulebook_commit.open_rulebook(top, onto) as book:
        files = rulebook_commit.target_rulebook_texts(top, onto)
        rest = replace(book.config, extends=tuple(one for one in book.config.extends if one.name != name))
        changes = {**removal_of(files, name), **_settings(files, rest)}
        if not changes:
            raise _unknown(book.config, name)
        after = rulebook_files.parse_rulebook(rulebook_commit.patched(files, changes))
        changes |= _idle_proofs(book, after)
        gone = [rule for rule in book.rules if rule.layer == f"extends {name}"]
        message = _message(f"Extend {name} no more", f"REMOVE {name} -- a person took it out", gone)
        lines = [f"{rule.slug} is no longer in force" for rule in gone if not after.rule(rule.slug)]
        return _done(top, changes, message, lines, onto)


def _unknown(config: Config, name: str) -> RulecError:
    known = ", ".join(one.name for one in config.extends) or "none yet"
    return RulecError(f"no extended rulebook {name!r}", where=file_paths.CONFIG, hint=f"extended are: {known}")


def _write_extensions(top: Path, book: Rulebook, wanted: Sequence[ExtendedRulebook], onto: ChangeTarget) -> Outcome:
    files = rulebook_commit.target_rulebook_texts(top, onto)
    changes: Texts = {}
    config, lines = book.config, []
    for one in wanted:
        got = vendor_rulebook(top, one, files)
        changes |= got.changes
        config = with_extension(config, one)
        lines += [f"{one.name} at {one.rev} is commit {got.commit[:10]}: {_counted(got)}", *got.left_out]
    changes |= _settings(files, config)
    if not changes:
        return Outcome("\n".join([*lines, "nothing has changed"]))
    after = rulebook_files.parse_rulebook(rulebook_commit.patched(files, changes))
    proofs = _proofs(top, after, {f"extends {one.name}" for one in wanted})
    changes |= {
        **_idle_proofs(book, after),
        **rulebook_commit.evidence_files([proof.as_evidence() for proof in proofs if proof.holds]),
    }
    lines += [f"proved  {proof.slug}: {proof.stages[2].detail}" for proof in proofs if proof.holds]
    lines += [f"FAILED  {p.slug} at {p.failure}; it only audits" for p in proofs if not p.holds]
    lines += after.overruled
    names = " and ".join(f"{one.name} to {one.rev}" for one in wanted)
    because = "; ".join(f"{one.url} at {one.rev}" for one in wanted)
    resolution = f"EXTEND {' '.join(one.name for one in wanted)} -- a person extended {because}"
    return _done(top, changes, _message(f"Extend {names}", resolution, _differing(book, after)), lines, onto)


def _counted(got: VendoredRulebook) -> str:
    return f"{len(got.rules)} rule{'s' * (len(got.rules) != 1)}"


def _proofs(top: Path, book: Rulebook, of: set[str]) -> list[Proof]:
    built = compile_checks(book, top)
    due = [(rule, own) for rule, own in rule_proof.unproved_rules(book, built) if rule.layer in of]
    return rule_proof.prove_built(due, top)


def _idle_proofs(before: Rulebook, after: Rulebook) -> Texts:
    """Proofs of vendored rules that are gone; people's evidence stays."""
    gone = [rule.slug for rule in before.rules if rule.layer.startswith("extends ") and not after.rule(rule.slug)]
    items = (item for slug in gone for item in after.observed(slug) if item.kind == "proved")
    return {file_paths.evidence_path(item): None for item in items}


def _differing(before: Rulebook, after: Rulebook) -> list[Rule]:
    """The vendored rules that are new, changed or gone."""
    new = [rule for rule in after.rules if rule.layer != "team" and before.rule(rule.slug) != rule]
    return new + [rule for rule in before.rules if rule.layer != "team" and not after.rule(rule.slug)]


def _settings(files: Texts | dict[str, str], config: Config) -> Texts:
    old = files.get(file_paths.CONFIG) or ""
    text = dump_config(config, old)
    return {} if parse_config(old, source=file_paths.CONFIG, own=True) == config else {file_paths.CONFIG: text}


def _message(subject: str, resolution: str, rules: Sequence[Rule]) -> str:
    named = "".join(f"Rule: {rule.slug}@{rule.revision}\n" for rule in rules[:_MOST_TOLD])
    return f"{subject}\n\nResolution: {resolution}\n{named}"


def _done(top: Path, changes: Texts, message: str, lines: Sequence[str], onto: ChangeTarget) -> Outcome:
    written = rulebook_commit.describe_written(
        top, onto, rulebook_commit.write_rulebook_change(top, changes, message, onto)
    )
    return Outcome("\n".join(filter(None, [*lines, f"written: {written}", rulebook_commit.push_hint(top, onto)])))
