"""git's merge driver in the settings of one clone: put in by init, taken out with everything else."""

import shlex
import sys
from pathlib import Path

from rulec.commands.merge import CONFLICT
from rulec.host import git

NAME = "merge driver"
_SECTION = "merge.rulec"
_TITLE = "rulec, for what it generates"


def command() -> str:
    """What git runs for each file: our verb, or where rulec is gone git's own merge."""
    # -P and -E: neither the repository's own folder nor PYTHONPATH may name a file that stands in for rulec
    ours = f"{shlex.quote(sys.executable.replace('%', '%%'))} -E -P -m rulec merge -- %O %A %B %L %P"
    plain = "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
    return f"{ours}; case $? in 0) exit 0;; {CONFLICT}) exit 1;; *) exec {plain};; esac"


def installed(top: Path) -> bool:
    """Whether git knows the driver, and finds this rulec by it."""
    return all(_local(top, key) == value for key, value in _wanted().items())


def install(top: Path) -> list[str]:
    """Name the driver to git; what was not as it is now."""
    if installed(top):
        return []
    for key, value in _wanted().items():
        git.must(top, "config", "--local", "--replace-all", key, value)
    return [NAME]


def _wanted() -> dict[str, str]:
    return {f"{_SECTION}.name": _TITLE, f"{_SECTION}.driver": command()}


def uninstall(top: Path) -> list[str]:
    """Forget it; what was there."""
    if not _local(top, f"{_SECTION}.driver"):
        return []
    git.must(top, "config", "--local", "--remove-section", _SECTION)
    return [NAME]


def _local(top: Path, key: str) -> str:
    return git.git(top, "config", "--local", "--get", key).text.rstrip("\n")
