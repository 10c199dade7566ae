"""Whether a change may touch a gate, by the names of its files: most changes touch none."""

from rulec.domain.change import Change, FileChange

_EXCEPTION_MARK = b"rulec:"  # what an exception in place begins with
_NAMES = (
    "CODEOWNERS", ".gitattributes", "lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json", "prek.toml",
    "mise.toml",
)  # fmt: skip
_SETTINGS_SUFFIXES = (".json", ".jsonc", ".toml", ".yaml", ".yml")


def touches_gate(change: Change) -> bool:
    """Whether a change may touch a gate: rules, hooks, settings of agents, CI, owners; or a line with an exception."""
    return any(map(_is_gate_file, change.files))


def _is_gate_file(file: FileChange) -> bool:
    paths = [path for path in (file.path, file.old_path) if path]
    return any(map(_may_be_of_gate, paths)) or (file.content is not None and _EXCEPTION_MARK in file.content)


def _may_be_of_gate(path: str) -> bool:
    """Whether a file may be a part of the gate: those of most tools begin with a dot."""
    return path.startswith(".") or "/." in path or is_gate_file_name(path.rpartition("/")[2])


def is_gate_file_name(name: str) -> bool:
    """Whether a file of this name sets up hooks, owners or an agent, whatever folder it is in."""
    if name in _NAMES or not name.endswith(_SETTINGS_SUFFIXES):
        return name in _NAMES
    from rulec.agents.protocol import agent_tables  # noqa: PLC0415 - a commit of other files loads no agents

    return name in agent_tables.TOP_FILES
