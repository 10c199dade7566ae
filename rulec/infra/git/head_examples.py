"""Files of the last commit as examples."""

from pathlib import Path

from rulec.domain.rule import Example
from rulec.infra.git import git_changes, git_contents, git_session

LARGEST_CASE = 40_000  # bytes of an action that is kept in evidence or in a rule


def file_at_head(top: Path, path: str) -> Example | None:
    """A file as it is at HEAD; None where there is no text of a size to be kept."""
    (content,) = (
        git_contents.read_blobs(top, [f"HEAD:{path}"], LARGEST_CASE) if git_session.head_commit(top) else (None,)
    )
    if content is None or git_changes.is_binary(content):
        return None
    return Example(kind="file", path=path, text=content.decode("utf-8", "replace"))
