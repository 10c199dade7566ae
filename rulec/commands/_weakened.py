"""A change -> what it takes from the gate it has to pass, each with the people who may approve that."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec import configfile, ownersfile
from rulec.commands import _build, _gates, _retemplated
from rulec.commands._rulebooks import Side, slug_of, stands
from rulec.errors import RulecError
from rulec.host import clock, git, worktree
from rulec.model.artifact import COMPILED, compiled_from
from rulec.model.change import Change
from rulec.model.rulebook import Config
from rulec.model.weakening import Weakening
from rulec.stages.relax import relax
from rulec.stages.silence import silence
from rulec.stages.weaken import weaken

_TEMPLATES = f"{worktree.RULES}/templates/"
_CHECKS = tuple(f"{COMPILED}/{kind}/" for kind in ("guard", "semgrep", "shell", "judge", "words"))
_LINE = (
    "enforcement", "severity", "on_error", "on_unsure", "include", "exclude", "agents", "environments", "projects",
    "who",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a change weakens, and the state of the gate before and after."""

    before: Side
    after: Side
    change: Change
    all: tuple[Weakening, ...]
    on: str = ""  # the commit that the change is to go on top of

    def owners(self, path: str) -> str:
        """Who has to approve a change of a path, by the side that the change cannot edit."""
        files = self.before.files
        text = next((files[one] for one in ownersfile.PATHS if one in files), "")
        return ", ".join(ownersfile.owners(text, path) or self.before.config.owners) or "the team"


def staged(top: Path, change: Change) -> Found:
    """What the index weakens of HEAD; in a merge only what neither side had done."""
    prefixes = (worktree.RULES, *_gates.paths(change))
    after = Side(top=top, files=git.files_in_index(top, *prefixes))
    head = git.head(top)
    before = Side(top=top, files=git.files_at(top, head, *prefixes) if head else {})
    found = list(_between(before, after, change, scripts=True)) if before.files else []
    for other in git.merging(top) if found else ():
        theirs = Side(top=top, files=git.files_at(top, other, *prefixes))
        known = {(one.subject, one.path) for one in _between(theirs, after, change, scripts=True)}
        found = [one for one in found if (one.subject, one.path) in known]
    return Found(before=before, after=after, change=change, all=tuple(found), on=head or "")


def between(top: Path, start: str, end: str, change: Change) -> Found:
    """What one commit weakens of another; no script that it brings is run."""
    prefixes = (worktree.RULES, *_gates.paths(change))
    before, after = (Side(top=top, files=git.files_at(top, revision, *prefixes)) for revision in (start, end))
    found = _between(before, after, change, scripts=False) if before.files else ()
    return Found(before=before, after=after, change=change, all=tuple(found))


def _between(before: Side, after: Side, change: Change, *, scripts: bool) -> Iterator[Weakening]:
    yield from _gates.taken(before, after, change)
    slugs = [slug for slug in _known(before) if not slug.startswith(".")]
    yield from silence(change, slugs, clock.now()[:10])
    touched = [p for file in change.files for p in (file.path, file.old_path) if p.startswith(f"{worktree.RULES}/")]
    if not touched or worktree.CONFIG not in before.files:
        return
    if worktree.CONFIG not in after.files:
        yield Weakening(subject="settings", text="settings: there are none any more", path=worktree.CONFIG)
        return
    try:
        yield from _of_book(before, after, touched, change, scripts=scripts)
    except RulecError as error:
        path, _, line = error.where.partition(":")
        told = f"the rulebook cannot be read: {error}"
        yield Weakening(subject="rulebook", text=told, path=path, line=int(line) if line.isdigit() else 0)


def _known(side: Side) -> list[str]:
    """The names of the rules in force there."""
    paths = (path for path in side.files if path.endswith(".yaml") and "/archive/" not in path)
    return sorted({slug for path in paths if "/evidence/" not in path and (slug := slug_of(path))})


def _of_book(
    before: Side, after: Side, touched: Sequence[str], change: Change, *, scripts: bool
) -> Iterator[Weakening]:
    if worktree.CONFIG in touched:
        configfile.loads(after.files[worktree.CONFIG], source=worktree.CONFIG, own=worktree.is_own(after.top))
    was, now = before.book(()).suppressions, after.book(()).suppressions
    settings = (_gates.alone(before.config), _gates.alone(after.config))
    yield from (_placed(one, after.files) for one in relax(*settings, was, now))
    everywhere = worktree.CONFIG in touched and _bears_on_all(before.config, after.config)
    slugs = sorted({*_known(before), *_known(after)} if everywhere else {slug for p in touched if (slug := slug_of(p))})
    rendered = scripts or not _own_templates(touched)
    moved = _retemplated.retemplated(before, after, slugs, scripts=scripts)
    slugs = sorted({*slugs, *moved.slugs})
    one, two = stands(before, after, slugs, moved.slugs, scripts=scripts, rendered=rendered)
    yield from (_placed(found, after.files) for found in weaken(one, two, after.archive(slugs)))
    yield from _retemplated.told(moved, before, after, rendered=rendered)
    yield from _by_hand(before, after, slugs, touched, rendered=rendered)
    yield from _gates.unlike(after.top, after, before, change)


def _bears_on_all(before: Config, after: Config) -> bool:
    return before.profile != after.profile or before.extends != after.extends


def _own_templates(touched: Sequence[str]) -> bool:
    """Whether the change brings templates of its own, which may be anybody's."""
    return any(path.startswith(_TEMPLATES) for path in touched)


def _by_hand(
    before: Side, after: Side, slugs: Sequence[str], touched: Sequence[str], *, rendered: bool
) -> Iterator[Weakening]:
    """Artifacts that are not what their rule compiles to, as far as the change touched them or the rule."""
    book = after.book(slugs)
    rules = [rule for rule in book.rules if rule.slug in slugs] if rendered else []
    wanted: dict[str, str | None] = {}
    for rule in rules:
        wanted |= {artifact.path: artifact.text for artifact in _build.of_rule(book, rule, after.top)}
    held = {rule.slug for rule in rules}
    wanted |= {file.path: file.text for file in _build.words(book) if compiled_from(file.path) in held}
    there = {p: t for p, t in after.files.items() if p.startswith(_CHECKS) and compiled_from(p) in held}
    for path in sorted({*wanted, *there}):
        here = there.get(path)
        if _build.same(here, wanted.get(path)) or (here == before.files.get(path) and path not in touched):
            continue
        told = "is gone" if here is None else "is not what its rule compiles to"
        yield Weakening(subject=f"artifact {path}", text=f"{path}: {told}", path=path)


def _placed(one: Weakening, files: Mapping[str, str]) -> Weakening:
    """With the line that says so, where the file has one."""
    key = one.subject.rpartition(" ")[2]
    text = files.get(one.path, "")
    if one.line or not text:
        return one
    if one.path.startswith(f"{worktree.RULES}/suppressions/"):
        key = "until"
    found = re.search(rf"(?m)^[^#\n]*?\b{re.escape(key)}\b['\"]?:", text) if key.isidentifier() else None
    line = text.count("\n", 0, found.start()) + 1 if found else 0
    return Weakening(subject=one.subject, text=one.text, path=one.path, line=line)
