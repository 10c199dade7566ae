"""What the specs of all agents say together: an agent is known by its module in this folder alone.

In the compiled hook these tables stand as values, so that a call of one agent does not load the others.
"""

from __future__ import annotations

import os

from rulec import agents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _owned_word(path: str) -> str:
    """The word by which a path of an agent's settings is recognised in a text: its first folder, or its file's stem."""
    first = next(part for part in path.split("/") if part not in ("", "~", ".config"))
    return first if first.startswith(".") else first.partition(".")[0]


_MODULES = sorted(name[:-3] for name in os.listdir(agents.__path__[0]) if name.endswith(".py") and name[0] != "_")
_AGENTS: list[Any] = [__import__(f"rulec.agents.{name}", fromlist=["AGENT"]).AGENT for name in _MODULES]

RUNS_WITH: frozenset[str] = frozenset(name for one in _AGENTS for name in one.runs_with)  # set for what they run
NAMES: tuple[str, ...] = tuple(one.name for one in _AGENTS)
POSING: dict[str, dict[str, tuple[str, ...]]] = {}  # whose hooks are run -> by whom, and which fields show that
SETTINGS: dict[str, dict[str, str]] = {}  # a word in the path -> glob -> how the settings are read
for _one in _AGENTS:
    if _one.poses_as[0]:
        POSING.setdefault(_one.poses_as[0], {})[_one.name] = _one.poses_as[1]
    for _path, _how in _one.settings.items():
        SETTINGS.setdefault(_owned_word(_path), {})[_path] = _how
WORDS: tuple[str, ...] = tuple(sorted(SETTINGS))  # one of them stands in every path of an agent's settings
FOLDERS: tuple[str, ...] = tuple(word for word in WORDS if word.startswith("."))
STEMS: tuple[str, ...] = tuple(  # the settings in a repository, as a text may name them
    sorted(
        {
            folder + "/" + name.rpartition(".")[0] if name else folder
            for one in _AGENTS
            for folder, _, name in (path.rpartition("/") for path in one.settings)
            if folder.startswith(".") and "{" not in folder + name
        }
    )
)
TOP_FILES: tuple[str, ...] = tuple(sorted(path[1:] for one in _AGENTS for path in one.settings if path[0] == "/"))
RECORDS: dict[str, str] = {
    path: _owned_word(path) for one in _AGENTS for path in one.records
}  # by glob, the word in it
PROGRAMS: dict[str, tuple[str, ...]] = {  # each agent's program -> the variables that lead it to other settings
    program: (*one.configured_by, "HOME") for one in _AGENTS for program in one.programs
}
ENV_FILES: tuple[str, ...] = tuple(name for one in _AGENTS for name in one.env_files)
VARIABLES: tuple[str, ...] = tuple(  # that lead an agent or its hooks elsewhere
    name for one in _AGENTS for name in (*filter(None, [one.project]), *one.configured_by, *one.env_files)
)
OFF: dict[str, bool] = {setting: value for one in _AGENTS for setting, value in one.off.items()}
SWITCHES: tuple[str, ...] = tuple(  # the outermost settings in JSON that may turn hooks off, or add others
    sorted({"hooks", "version", *(key.partition(".")[0] for one in _AGENTS for key in (*one.off, *one.switches))})
)
TOML_WORDS: tuple[str, ...] = tuple(word for one in _AGENTS for word in one.toml_words)
