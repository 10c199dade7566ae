"""A change as the steps of plans see it: each file with its text before and now, and when it was last changed."""

from collections.abc import Iterator
from pathlib import Path

from rulec.domain.change import Change, FileChange
from rulec.infra.git import git_session
from rulec.plans.changed_files import EVERY_BYTE, LARGEST, ChangedFile, changed_time


def staged_files(top: Path, change: Change) -> list[ChangedFile]:
    """The files of the staged change; those that a merge brings as they are belong to no step."""
    merging = bool(git_session.merge_heads(top))
    files = [file for file in change.files if not (merging and file.status == "M" and file.added == ())]
    unlike = frozenset(git_session.git_output(top, "diff-files", "--name-only", "-z").split("\0")) if files else ()
    return [_placed(top, one, whole=one.path not in unlike) for file in files for one in _sides(file)]


def _sides(file: FileChange) -> Iterator[ChangedFile]:
    """The file; one that was moved is deleted and made anew, as git has it before both are staged."""
    moved = bool(file.old_path) and file.old_path != file.path
    if moved:
        yield ChangedFile(file.old_path, _text(file.base), None)
    one = ChangedFile(file.path, None if moved else _text(file.base), _text(file.content))
    if one.before is not None and one.before == one.now:
        return  # only its mode or the time of its file is another one: there are no lines to prove anything of
    one.pinned = file.status == "D" or (file.content is not None and len(file.content) <= LARGEST)
    yield one


def _text(content: bytes | None) -> str | None:
    """The text, with every byte kept apart."""
    return None if content is None else content.decode("utf-8", EVERY_BYTE)


def _placed(top: Path, file: ChangedFile, *, whole: bool) -> ChangedFile:
    file.whole = whole
    file.at = changed_time(str(top / file.path)) if whole else 0.0
    return file
