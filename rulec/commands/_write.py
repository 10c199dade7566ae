"""A change of the rulebook -> one commit that holds nothing else, or the work tree alone."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulec.commands import _build, _onto
from rulec.commands._onto import HEAD, Onto
from rulec.errors import RulecError
from rulec.host import git, journal, refs, seen, worktree
from rulec.model.artifact import COMPILED, Artifact
from rulec.model.rulebook import Rulebook

SHOWN = 3  # of many paths
Texts = Mapping[str, str | None]  # rule, evidence and archive files; None removes one


def sync(top: Path, book: Rulebook) -> list[Artifact]:
    """What the work tree lacks to be as its rulebook says."""

    def present(paths: Iterable[str]) -> dict[str, str]:
        return worktree.present(top, paths)

    wanted = _build.generated(top, book)
    files = _build.stale(wanted, worktree.compiled_at_hand(top), present)
    emitted = _build.emitted(book, top, present)
    texts = present([artifact.path for artifact in emitted])
    files += [artifact for artifact in emitted if not _build.same(texts.get(artifact.path), artifact.text)]
    missing = [file.path for file in files if file.path not in texts and not (top / file.path).exists()]
    left_out = git.not_here(top, *missing) if missing else []  # a sparse checkout stays as sparse as it is
    return [file for file in files if file.path not in left_out]


def to_work_tree(top: Path, changes: Texts) -> list[Artifact]:
    """Write the changes and all that follows from them; what was written or removed."""
    book = worktree.book(_patched(worktree.texts(top), changes))
    files = _artifacts(changes) + sync(top, book)
    journal.write(top, files)
    return files


def put(top: Path, changes: Texts, message: str, onto: Onto) -> str:
    """Write the changes where the person wants them; the commit's id, "" where only the work tree was written."""
    if onto.commit:
        return to_commit(top, changes, message, onto)
    to_work_tree(top, changes)
    return ""


def to_commit(top: Path, changes: Texts, message: str, onto: Onto = HEAD) -> str:
    """Write the changes and what follows from them as one commit, on HEAD in the work tree too; the commit's id.

    Asked once more for what it had done when it was interrupted, it does not do it twice.
    """
    journal.recover(top)
    start = _onto.start(top, onto)

    def stood(paths: Iterable[str]) -> dict[str, str]:
        return git.files_at(top, start, *paths) if start and (paths := list(paths)) else {}

    before = stood([worktree.RULES])
    config = {} if onto.branch else worktree.present(top, [worktree.CONFIG])
    book = worktree.book(_patched({**config, **_yaml_of(before)}, changes))
    wanted = _build.generated(top, book)
    compiled = {path: text for path, text in before.items() if path.startswith(f"{COMPILED}/")}
    files = [*_artifacts(changes), *_build.stale(wanted, compiled, stood)]
    # A document that the person has not committed yet is theirs to commit first; we change it in the work tree only.
    documents = [a for a in _build.emitted(book, top, stood) if stood([a.path]).get(a.path, a.text) != a.text]
    now = stood([file.path for file in (*files, *documents)])
    if start and all(now.get(file.path) == file.text for file in (*files, *documents)):
        return start
    here, staged = ([], []) if onto.branch else _beside(top, changes, stood, files, documents)
    commit = git.make_commit(top, map(_blob, [*files, *documents]), message, on=start or "HEAD")
    ref = refs.ref(onto.branch)
    old = start if refs.tip(top, ref) else None  # a new branch
    journal.write(top, here, commit=(commit, old, staged), ref=ref)
    seen.note_commit(top, commit)
    return commit


def _beside(
    top: Path, changes: Texts, stood: _build.Present, files: list[Artifact], documents: list[Artifact]
) -> tuple[list[Artifact], list[Artifact]]:
    """What the person's work tree and index shall hold beside the commit: the same, and their own edits as they are.

    In a document we only own a part, which is put into the committed, the staged and the edited text, each for itself.
    """
    paths = [file.path for file in files]
    before, edited = stood(paths), []
    for texts in (git.files_in_index(top, *paths), worktree.present(top, paths)):
        edited += [f.path for f in files if not _either(texts.get(f.path), before.get(f.path), f.text)]
    if edited:
        some = list(dict.fromkeys(edited))
        where = ", ".join(some[:SHOWN]) + ", …" * (len(some) > SHOWN)
        raise RulecError("has changes that are not committed", where=where, hint="commit or stash them first")
    here = _artifacts(changes) + sync(top, worktree.book(_patched(worktree.texts(top), changes)))
    return here, [*files, *_staged(top, changes, stood, documents)]


def _either(text: str | None, before: str | None, after: str | None) -> bool:
    return _build.same(text, before) or _build.same(text, after)


def _staged(top: Path, changes: Texts, stood: _build.Present, documents: list[Artifact]) -> list[Artifact]:
    """The documents as the index shall hold them."""
    paths = [file.path for file in documents]
    before, texts = stood(paths), git.files_in_index(top, *paths)
    edited = [path for path in paths if texts.get(path) != before.get(path)]
    kept = [file for file in documents if file.path not in edited]
    if not edited:
        return kept
    config = worktree.present(top, [worktree.CONFIG])
    book = worktree.book(_patched({**config, **_yaml_of(git.files_in_index(top, worktree.RULES))}, changes))
    emitted = _build.emitted(book, top, lambda names: git.files_in_index(top, *names))
    return kept + [file for file in emitted if file.path in edited and file.path in texts]


def _artifacts(changes: Texts) -> list[Artifact]:
    return [Artifact(path=path, text=text) for path, text in changes.items()]


def _blob(file: Artifact) -> git.Blob:
    return git.Blob(file.path, None if file.text is None else file.text.encode(), file.executable)


def _yaml_of(files: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in files.items() if _onto.of_rulebook(path)}


def _patched(files: Mapping[str, str], changes: Texts) -> dict[str, str]:
    merged: dict[str, str | None] = {**files, **changes}
    return {path: text for path, text in sorted(merged.items()) if text is not None}
