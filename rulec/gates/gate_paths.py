"""Whether a change touches a file that is part of a gate."""

from rulec.domain.change import Change, FileChange
from rulec.gates.fast_path import SUPPRESSION_MARK, may_be_of_gate


def touches_gate(change: Change) -> bool:
    """Rules, artifacts, hooks, settings of agents, CI, owners; or a line that may be a suppression."""
    return any(_of_gate(file) for file in change.files)


def _of_gate(file: FileChange) -> bool:
    paths = [path for path in (file.path, file.old_path) if path]
    hidden = any(map(may_be_of_gate, paths))
    return hidden or (file.content is not None and SUPPRESSION_MARK in file.content)
