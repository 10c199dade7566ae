"""Writes a change of the rulebook and the artifacts that follow from it: as one commit, or into the work tree alone."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulec.compiling import bundle
from rulec.domain.artifact import COMPILED_FOLDER, Artifact
from rulec.errors import RulecError
from rulec.gates.push import passed_changes
from rulec.infra import journal, text_files
from rulec.infra.git import committing, git_contents, git_refs
from rulec.infra.rulebooks import work_tree
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services.writing import change_target
from rulec.services.writing.change_target import HEAD, ChangeTarget

SHOWN = 3  # of many paths
Texts = Mapping[str, str | None]  # rule, evidence and archive files; None removes one


def stale_files(top: Path, book: Rulebook) -> list[Artifact]:
    """What the work tree lacks to be as its rulebook says."""

    def present(paths: Iterable[str]) -> dict[str, str]:
        return text_files.read_existing(top, paths)

    wanted = bundle.generated_files(top, book)
    files = bundle.outdated_files(wanted, work_tree.compiled_in_work_tree(top), present)
    emitted = bundle.integration_files(book, top, present)
    texts = present([artifact.path for artifact in emitted])
    files += [artifact for artifact in emitted if not bundle.same_text(texts.get(artifact.path), artifact.text)]
    missing = [file.path for file in files if file.path not in texts and not (top / file.path).exists()]
    left_out = git_contents.sparse_paths(top, *missing) if missing else []  # a sparse checkout stays as sparse as it is
    return [file for file in files if file.path not in left_out]


def write_work_tree(top: Path, changes: Texts) -> list[Artifact]:
    """Write the changes and all that follows from them; what was written or removed."""
    book = work_tree.parse_rulebook(_patched(work_tree.rulebook_texts(top), changes))
    files = _artifacts(changes) + stale_files(top, book)
    journal.write_journaled(top, files)
    return files


def write_rulebook_change(top: Path, changes: Texts, message: str, onto: ChangeTarget) -> str:
    """Write the changes where the person wants them; the commit's id, "" where only the work tree was written."""
    if onto.commit:
        return commit_rulebook_change(top, changes, message, onto)
    write_work_tree(top, changes)
    return ""


def commit_rulebook_change(top: Path, changes: Texts, message: str, onto: ChangeTarget = HEAD) -> str:
    """Write the changes and what follows from them as one commit, on HEAD in the work tree too; the commit's id.

    Asked once more for what it had done when it was interrupted, it does not do it twice.
    """
    journal.recover_journal(top)
    start = change_target.base_commit(top, onto)

    def stood(paths: Iterable[str]) -> dict[str, str]:
        return git_contents.files_at_commit(top, start, *paths) if start and (paths := list(paths)) else {}

    before = stood([file_paths.RULES])
    config = {} if onto.branch else text_files.read_existing(top, [file_paths.CONFIG])
    book = work_tree.parse_rulebook(_patched({**config, **_yaml_of(before)}, changes))
    wanted = bundle.generated_files(top, book)
    compiled = {path: text for path, text in before.items() if path.startswith(f"{COMPILED_FOLDER}/")}
    files = [*_artifacts(changes), *bundle.outdated_files(wanted, compiled, stood)]
    # A document that the person has not committed yet is theirs to commit first; we change it in the work tree only.
    documents = [a for a in bundle.integration_files(book, top, stood) if stood([a.path]).get(a.path, a.text) != a.text]
    now = stood([file.path for file in (*files, *documents)])
    if start and all(now.get(file.path) == file.text for file in (*files, *documents)):
        return start
    here, staged = ([], []) if onto.branch else _work_tree_and_index(top, changes, stood, files, documents)
    commit = committing.make_commit(top, map(_blob, [*files, *documents]), message, on=start or "HEAD")
    ref = git_refs.branch_ref(onto.branch)
    old = start if git_refs.ref_tip(top, ref) else None  # a new branch
    journal.write_journaled(top, here, commit=(commit, old, staged), ref=ref)
    passed_changes.note_own_commit(top, commit)
    return commit


def _work_tree_and_index(
    top: Path, changes: Texts, stood: bundle.Present, files: list[Artifact], documents: list[Artifact]
) -> tuple[list[Artifact], list[Artifact]]:
    """What the person's work tree and index shall hold beside the commit: the same, and their own edits as they are.

    In a document we only own a part, which is put into the committed, the staged and the edited text, each for itself.
    """
    paths = [file.path for file in files]
    before, edited = stood(paths), []
    for texts in (git_contents.files_in_index(top, *paths), text_files.read_existing(top, paths)):
        edited += [f.path for f in files if not _is_before_or_after(texts.get(f.path), before.get(f.path), f.text)]
    if edited:
        some = list(dict.fromkeys(edited))
        where = ", ".join(some[:SHOWN]) + ", …" * (len(some) > SHOWN)
        raise RulecError("has changes that are not committed", where=where, hint="commit or stash them first")
    here = _artifacts(changes) + stale_files(
        top, work_tree.parse_rulebook(_patched(work_tree.rulebook_texts(top), changes))
    )
    return here, [*files, *_staged_documents(top, changes, stood, documents)]


def _is_before_or_after(text: str | None, before: str | None, after: str | None) -> bool:
    return bundle.same_text(text, before) or bundle.same_text(text, after)


def _staged_documents(top: Path, changes: Texts, stood: bundle.Present, documents: list[Artifact]) -> list[Artifact]:
    """The documents as the index shall hold them."""
    paths = [file.path for file in documents]
    before, texts = stood(paths), git_contents.files_in_index(top, *paths)
    edited = [path for path in paths if texts.get(path) != before.get(path)]
    kept = [file for file in documents if file.path not in edited]
    if not edited:
        return kept
    config = text_files.read_existing(top, [file_paths.CONFIG])
    book = work_tree.parse_rulebook(
        _patched({**config, **_yaml_of(git_contents.files_in_index(top, file_paths.RULES))}, changes)
    )
    emitted = bundle.integration_files(book, top, lambda names: git_contents.files_in_index(top, *names))
    return kept + [file for file in emitted if file.path in edited and file.path in texts]


def _artifacts(changes: Texts) -> list[Artifact]:
    return [Artifact(path=path, text=text) for path, text in changes.items()]


def _blob(file: Artifact) -> committing.FileToCommit:
    return committing.FileToCommit(file.path, None if file.text is None else file.text.encode(), file.executable)


def _yaml_of(files: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in files.items() if change_target.is_rulebook_file(path)}


def _patched(files: Mapping[str, str], changes: Texts) -> dict[str, str]:
    merged: dict[str, str | None] = {**files, **changes}
    return {path: text for path, text in sorted(merged.items()) if text is not None}
