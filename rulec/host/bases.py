"""The revision that a change is held against, and plain words where a machine's clone does not have it."""

import re
from pathlib import Path

from rulec.errors import RulecError
from rulec.host import git
from rulec.host.logs import shallow

_NOTHING = re.compile(r"0{40}|0{64}")
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_DEEPER = "fetch more of the history: fetch-depth: 0 (GitHub), GIT_DEPTH: 0 (GitLab), or git fetch --unshallow"


def commit(top: Path, name: str) -> str:
    """The full id of a base that a person or a machine named; RulecError that says why there is none."""
    if _NOTHING.fullmatch(name):
        hint = "name the branch that it left, or leave the check out for a branch's first push"
        raise RulecError("a new branch has no base", where="--base", hint=hint)
    done = git.git(top, "rev-parse", "--verify", "-q", "--end-of-options", f"{name}^{{commit}}")
    if not done.code:
        return done.text.strip()
    hint = f"run git fetch origin; where the branch {name} is gone, name the commit that it had"
    if _ID.fullmatch(name):
        hint = f"it may have been dropped by a forced push: run git fetch origin {name}, or name another base"
    if shallow(top):
        hint = f"the clone is shallow; {_DEEPER}"
    raise RulecError(f"{name!r} is no commit here", where="--base", hint=hint)


def start(top: Path, base: str) -> str:
    """Where HEAD left the base; the base itself where they have no commit in common."""
    if git.head(top) is None:
        raise RulecError("there is no commit yet", where=str(top), hint="commit first, or use --staged")
    found = git.git(top, "merge-base", base, "HEAD").text.strip()
    if not found and shallow(top):
        raise RulecError("this shallow clone does not show where HEAD left its base", where="--base", hint=_DEEPER)
    return found or base
