"""A change of the rulebook -> one commit that holds nothing else, or the work tree alone."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulec.commands import _build
from rulec.errors import RulecError
from rulec.host import git, journal, worktree
from rulec.model.artifact import COMPILED, Artifact
from rulec.model.rulebook import Rulebook

Texts = Mapping[str, str | None]  # rule, evidence and archive files; None removes one


def ready(top: Path) -> None:
    """Refuse to write where a commit of ours could meet unfinished business of the person's."""
    under_way = git.unsettled(top)
    if under_way:
        raise RulecError(f"a {under_way} is under way", where=str(top), hint=f"finish or abort the {under_way} first")
    staged = git.staged_paths(top)
    if staged:
        some = ", ".join(staged[:3]) + (", …" if len(staged) > 3 else "")
        raise RulecError(f"the index is dirty: {some}", where=str(top), hint="commit or unstage that first")


def sync(top: Path, book: Rulebook) -> list[Artifact]:
    """What the work tree lacks to be as its rulebook says."""

    def present(paths: Iterable[str]) -> dict[str, str]:
        return worktree.present(top, paths)

    wanted = _build.generated(top, _build.checks(book, top))
    files = _build.stale(wanted, worktree.compiled_at_hand(top), present)
    emitted = _build.emitted(book, top, present)
    texts = present([artifact.path for artifact in emitted])
    return files + [artifact for artifact in emitted if not _build.same(texts.get(artifact.path), artifact.text)]


def to_work_tree(top: Path, changes: Texts) -> list[Artifact]:
    """Write the changes and all that follows from them; what was written or removed."""
    book = worktree.book(_patched(worktree.texts(top), changes))
    files = _artifacts(changes) + sync(top, book)
    journal.write(top, files)
    return files


def to_commit(top: Path, changes: Texts, message: str) -> str:
    """Write the changes and what follows from them, in the work tree and as one commit on HEAD; the commit's id."""
    parent = git.head(top)
    stood = git.files_at(top, parent, worktree.RULES) if parent else {}
    config = worktree.present(top, [worktree.CONFIG])
    book = worktree.book(_patched({**config, **_yaml_of(stood)}, changes))

    def present(paths: Iterable[str]) -> dict[str, str]:
        return git.files_at(top, parent, *paths) if parent and (paths := list(paths)) else {}

    wanted = _build.generated(top, _build.checks(book, top))
    there = {path: text for path, text in stood.items() if path.startswith(f"{COMPILED}/")}
    # A document that the person has not committed yet is theirs to commit first; we change it in the work tree only.
    documents = [a for a in _build.emitted(book, top, present) if present([a.path]).get(a.path, a.text) != a.text]
    files = [*_artifacts(changes), *_build.stale(wanted, there, present), *documents]
    commit = git.make_commit(top, map(_blob, files), message)
    here = _artifacts(changes) + sync(top, worktree.book(_patched(worktree.texts(top), changes)))
    journal.write(top, here, commit=(commit, parent, files))
    return commit


def _artifacts(changes: Texts) -> list[Artifact]:
    return [Artifact(path=path, text=text) for path, text in changes.items()]


def _blob(file: Artifact) -> git.Blob:
    return git.Blob(file.path, None if file.text is None else file.text.encode(), file.executable)


def _yaml_of(files: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in files.items() if _of_rulebook(path)}


def _of_rulebook(path: str) -> bool:
    parts = path.split("/")
    depth = {"archive": 3, "evidence": 4}.get(parts[1], 2)
    return path.endswith(".yaml") and len(parts) == depth


def _patched(files: Mapping[str, str], changes: Texts) -> dict[str, str]:
    merged: dict[str, str | None] = {**files, **changes}
    return {path: text for path, text in sorted(merged.items()) if text is not None}
