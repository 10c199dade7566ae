"""Who asks for rules and for what, and whether a rule's scope holds that."""

from rulec.domain.patterns import globs
from rulec.guard import scopes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


HERE = "local"  # the environment in which agents are at work
MOST_RULES = 20  # LexSona 4.7, and so is the next
MOST_TOKENS = 500


class Audience:
    """For whom and for what the rules are said; what is "" is not known, and leaves nothing out."""

    __slots__ = ("agent", "max_rules", "max_tokens", "only", "path", "projects", "said", "task")

    def __init__(
        self,
        path: str = "",
        agent: str = "",
        task: str = "",
        max_rules: int = MOST_RULES,
        max_tokens: int = MOST_TOKENS,
        *,
        only: bool = False,
        projects: "Sequence[str]" = (),
    ) -> None:
        self.path, self.agent, self.task = path, agent, task
        self.max_rules, self.max_tokens = max_rules, max_tokens
        self.only = only  # nothing but what the task's words lead to
        self.projects = projects  # the names of the repository
        self.said: "frozenset[str]" = frozenset()  # keys of what was said before


def why_elsewhere(scope: "dict[str, Any]", asked: Audience) -> "tuple[str, str]":
    """Why a scope does not hold what is asked about, as far as that is known: kind and reason, or nothing."""
    if asked.path and not concerns_path(scope, asked.path):
        return "path", f"not for {asked.path}"
    agents, projects, environments = (scope.get(key) for key in ("agents", "projects", "environments"))
    if agents and asked.agent and asked.agent not in agents:
        return "agent", f"only for {', '.join(agents)}"
    if projects and asked.projects and not any(globs.match(projects, name) for name in asked.projects):
        return "project", f"only for {', '.join(projects)}"
    if environments and HERE not in environments:
        return "environment", f"only in {', '.join(environments)}"
    return "", ""


def concerns_path(scope: "dict[str, Any]", path: str) -> bool:
    """Whether a rule speaks of a file, or of something in a folder, which ends with "/"."""
    if not path.endswith("/"):
        return scopes.holds_path(scope, path)
    include, inside = scope.get("include") or ["**"], path + "."
    if globs.match(scope.get("exclude") or (), inside):
        return False
    return globs.match(include, inside) or any(_below(glob, path.rstrip("/")) for glob in include)


def _below(glob: str, folder: str) -> bool:
    """Whether the glob names something that may lie in the folder."""
    start = globs.prefix(glob)
    return not start or start == folder or start.startswith(folder + "/") or folder.startswith(start + "/")
