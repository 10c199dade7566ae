"""Whether a change touches anything of the gate: asked of every commit, so it imports next to nothing."""

from rulec.commands._mark import MARK, NAMES
from rulec.model.change import Change, FileChange


def concerned(change: Change) -> bool:
    """Rules, artifacts, hooks, settings of agents, CI, owners; or a line that may be a suppression."""
    return any(_near(file) for file in change.files)


def _near(file: FileChange) -> bool:
    paths = [path for path in (file.path, file.old_path) if path]
    hidden = any(path.startswith(".") or "/." in path or path.rpartition("/")[2] in NAMES for path in paths)
    return hidden or (file.content is not None and MARK in file.content)
