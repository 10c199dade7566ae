"""What pip is given to have rulec: read as a repository at a revision, and put into the command that installs it."""

import re
import shlex
from dataclasses import dataclass

_URL = r"(?:https|ssh)://[\w.@:-]+/[\w./~+%-]+|file:///[\w./~+%-]+"
_OF_GIT = re.compile(rf"git\+(?P<url>{_URL})@(?P<revision>\w[\w./-]*)")
_OF_URL = re.compile(r"\S+://[^\s'\"]+")


@dataclass(frozen=True, slots=True)
class GitSource:
    """A repository that holds rulec at its top, and the commit or tag to take."""

    url: str
    revision: str

    @property
    def requirement(self) -> str:
        """What pip is given for it."""
        return f"git+{self.url}@{self.revision}"


def git_source(requirement: str) -> GitSource | None:
    """The repository and revision of ``git+URL@REVISION``; None for anything else, a folder of a repository too."""
    found = _OF_GIT.fullmatch(requirement)
    return GitSource(found["url"], found["revision"]) if found else None


def is_url(requirement: str) -> bool:
    """Whether it is one address, which means the same on every machine."""
    return bool(_OF_URL.fullmatch(requirement))


def install_command(requirement: str, extra: str = "") -> str:
    """The command that installs rulec from there, with what one of its extras needs; ``-I``: by no file around it."""
    words = requirement if re.search(r"[\s'\"]", requirement) else shlex.quote(requirement)
    return f"python -I -m pip install {words}" + f' "rulec[{extra}]"' * bool(extra)
