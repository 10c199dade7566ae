"""``rulec extend``: rulebooks of other teams under the own one, vendored and locked like a dependency."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulec import configfile
from rulec.commands import _extends, _onto, _prove, _write
from rulec.commands._build import checks
from rulec.commands._extends import Texts, Vendored
from rulec.commands._onto import HEAD, Onto
from rulec.commands._outcome import Outcome
from rulec.commands.compile import texts_of
from rulec.errors import RulecError
from rulec.host import layers, worktree
from rulec.model.proof import Proof
from rulec.model.rule import Rule
from rulec.model.rulebook import Config, Extension, Rulebook
from rulec.rulefile import slug_of
from rulec.stages.revise import proved

_MOST_TOLD = 50  # rules that a commit message names


def listed(top: Path) -> Outcome:
    """What is extended, and as of which commit."""
    files = worktree.texts(top)
    book = worktree.load(top)
    data = []
    for one in book.config.extends:
        lock = layers.lock_of(files, one.name)
        rules = [rule.slug for rule in book.rules if rule.layer == f"extends {one.name}"]
        data.append(
            {"name": one.name, "url": one.url, "rev": one.rev, "commit": lock.commit if lock else "", "rules": rules}
        )
    lines = [
        f"{d['name']}: {d['url']} at {d['rev']}, commit {str(d['commit'])[:10] or 'not fetched: run rulec compile'}, "
        f"{len(d['rules'])} rules in force"
        for d in data
    ]
    lines += [*book.overruled, *_extends.complaints(book.config, files)]
    return Outcome("\n".join(lines) or "no rulebook is extended; next: rulec extend URL --rev TAG", data=data)


def run(top: Path, wanted: Extension, onto: Onto = HEAD) -> Outcome:
    """Extend a rulebook at a revision; of one that is extended already, from now on at that revision."""
    wanted = replace(wanted, name=slug_of(wanted.name or configfile.named(wanted.url), wanted.url))
    if not wanted.rev:
        raise RulecError("no revision is named", where=wanted.url, hint="--rev TAG, or a commit id")
    with _onto.changing(top, onto) as book:
        other = next((one for one in book.config.extends if one.name == wanted.name), wanted)
        if (other.url, other.path) != (wanted.url, wanted.path):
            raise RulecError(f"{wanted.name} is {other.url} already", where=worktree.CONFIG, hint="give it a --name")
        return _written(top, book, [wanted], onto)


def update(top: Path, name: str, rev: str, onto: Onto = HEAD) -> Outcome:
    """Fetch what is extended again, all of it or one by name, and that at another revision where one is given."""
    with _onto.changing(top, onto) as book:
        due = [one for one in book.config.extends if name in ("", one.name)]
        if not due:
            raise _unknown(book.config, name)
        if rev and not name:
            raise RulecError("a revision is of one rulebook", hint="rulec extend --update NAME --rev REV")
        return _written(top, book, [replace(one, rev=rev or one.rev) for one in due], onto)


def remove(top: Path, name: str, onto: Onto = HEAD) -> Outcome:
    """Extend a rulebook no more: its files, its place in the settings and the proofs of its rules go."""
    with _onto.changing(top, onto) as book:
        files = _onto.texts(top, onto)
        rest = replace(book.config, extends=tuple(one for one in book.config.extends if one.name != name))
        changes = {**_extends.without(files, name), **_settings(files, rest)}
        if not changes:
            raise _unknown(book.config, name)
        after = worktree.book(_patched(files, changes))
        changes |= _idle_proofs(book, after)
        gone = [rule for rule in book.rules if rule.layer == f"extends {name}"]
        message = _message(f"Extend {name} no more", f"REMOVE {name} -- a person took it out", gone)
        lines = [f"{rule.slug} is not in force any more" for rule in gone if not after.rule(rule.slug)]
        return _done(top, changes, message, lines, onto)


def _unknown(config: Config, name: str) -> RulecError:
    known = ", ".join(one.name for one in config.extends) or "none yet"
    return RulecError(f"no extended rulebook {name!r}", where=worktree.CONFIG, hint=f"extended are: {known}")


def _written(top: Path, book: Rulebook, wanted: Sequence[Extension], onto: Onto) -> Outcome:
    files = _onto.texts(top, onto)
    changes: Texts = {}
    config, lines = book.config, []
    for one in wanted:
        got = _extends.vendored(top, one, files)
        changes |= got.changes
        config = _extends.extended(config, one)
        lines += [f"{one.name} at {one.rev} is commit {got.commit[:10]}: {_counted(got)}", *got.left_out]
    changes |= _settings(files, config)
    if not changes:
        return Outcome("\n".join([*lines, "nothing has changed"]))
    after = worktree.book(_patched(files, changes))
    proofs = _proofs(top, after, {f"extends {one.name}" for one in wanted})
    changes |= {**_idle_proofs(book, after), **texts_of([proved(proof) for proof in proofs if proof.holds])}
    lines += [f"proved  {proof.slug}: {proof.stages[2].detail}" for proof in proofs if proof.holds]
    lines += [f"FAILED  {p.slug} at {p.failure}; what it finds is only noted" for p in proofs if not p.holds]
    lines += after.overruled
    names = " and ".join(f"{one.name} to {one.rev}" for one in wanted)
    because = "; ".join(f"{one.url} at {one.rev}" for one in wanted)
    resolution = f"EXTEND {' '.join(one.name for one in wanted)} -- a person extended {because}"
    return _done(top, changes, _message(f"Extend {names}", resolution, _differing(book, after)), lines, onto)


def _counted(got: Vendored) -> str:
    return f"{len(got.rules)} rule{'s' * (len(got.rules) != 1)}"


def _proofs(top: Path, book: Rulebook, of: set[str]) -> list[Proof]:
    built = checks(book, top)
    due = [r for r in book.rules if r.layer in of and r.checks and not _prove.proved_already(book, r, built)]
    return [_prove.prove(book, rule, top) for rule in due]


def _idle_proofs(before: Rulebook, after: Rulebook) -> Texts:
    """Proofs that were made here of vendored rules that are gone; people's words about them stay."""
    gone = [rule.slug for rule in before.rules if rule.layer.startswith("extends ") and not after.rule(rule.slug)]
    items = (item for slug in gone for item in after.observed(slug) if item.kind == "proved")
    return {worktree.evidence_path(item): None for item in items}


def _differing(before: Rulebook, after: Rulebook) -> list[Rule]:
    """The vendored rules that are new, other than they were, or gone."""
    new = [rule for rule in after.rules if rule.layer != "team" and before.rule(rule.slug) != rule]
    return new + [rule for rule in before.rules if rule.layer != "team" and not after.rule(rule.slug)]


def _settings(files: Texts | dict[str, str], config: Config) -> Texts:
    old = files.get(worktree.CONFIG) or ""
    text = configfile.dumps(config, old)
    return {} if configfile.loads(old, source=worktree.CONFIG, own=True) == config else {worktree.CONFIG: text}


def _patched(files: dict[str, str], changes: Texts) -> dict[str, str]:
    merged: Texts = {**files, **changes}
    return {path: text for path, text in sorted(merged.items()) if text is not None}


def _message(subject: str, resolution: str, rules: Sequence[Rule]) -> str:
    named = "".join(f"Rule: {rule.slug}@{rule.revision}\n" for rule in rules[:_MOST_TOLD])
    return f"{subject}\n\nResolution: {resolution}\n{named}"


def _done(top: Path, changes: Texts, message: str, lines: Sequence[str], onto: Onto) -> Outcome:
    written = _onto.told(top, onto, _write.put(top, changes, message, onto))
    return Outcome("\n".join(filter(None, [*lines, f"written: {written}", _onto.push(top, onto)])))
