"""What a change weakens -> verdicts, of which those that a person approved are suppressed; kept in the git folder."""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from rulec import configfile
from rulec.commands import _weakened
from rulec.commands._weakened import Found
from rulec.host import bases, clock, git, state, worktree
from rulec.model.change import Change, FileChange
from rulec.model.finding import Finding, Verdict
from rulec.model.plan import Facts
from rulec.model.rule import Enforcement
from rulec.model.weakening import Weakening

SLUG = "rulebook-weakened"
STATEMENT = "A change does not weaken the gate that it has to pass, unless a person approves just that."
_STATE = "approved"
_MOST = 200  # approvals that are kept, the last ones


def staged(top: Path, change: Change) -> list[Verdict]:
    """What the index weakens, held up until a person of this machine approves it."""
    return verdicts(top, _weakened.staged(top, change), "block", here=True)


def since(top: Path, base: str, change: Change) -> list[Verdict]:
    """What HEAD weakens of what it left the base with: its review approves that, or the base's settings forbid it."""
    return between(top, base, (bases.start(top, base), "HEAD"), change)


def between(top: Path, base: str, ends: tuple[str, str], change: Change) -> list[Verdict]:
    """What one commit weakens of another, by the settings of a base."""
    settings = git.files_at(top, base, worktree.CONFIG).get(worktree.CONFIG, "")
    config = configfile.loads(settings, source=worktree.CONFIG, own=worktree.is_own(top))
    act: Enforcement = "block" if config.weakened == "block" else "warn"
    return verdicts(top, _weakened.between(top, *ends, change), act, here=False)


def verdicts(top: Path, found: Found, act: Enforcement, *, here: bool) -> list[Verdict]:
    """A verdict for each; ``here`` a person of this machine may have let it through, in CI the owners do."""
    if not found.all:
        return []
    facts = Facts(slug=SLUG, revision=1, statement=STATEMENT, severity="must", enforcement=act, on_error="block")
    known = _kept(top) if here else {}
    who = ", ".join(dict.fromkeys(owner for one in found.all for owner in found.owners(one.path).split(", ")))
    cure = f"take it back, or let {who} approve it" + (": they run rulec approve" if here else " in the review")
    return [_verdict(one, facts, cure, known.get(digest(one, found), "")) for one in found.all]


def _verdict(one: Weakening, facts: Facts, cure: str, by: str) -> Verdict:
    finding = Finding(slug=SLUG, path=one.path, line=one.line, text=told(one), cure=cure)
    return Verdict(outcome="suppressed" if by else facts.enforcement, facts=facts, finding=finding, because=by)


def told(one: Weakening) -> str:
    """What is weaker, where the path is said beside it."""
    return one.text.removeprefix(f"{one.path}: ")


def digest(one: Weakening, found: Found) -> str:
    """A name for exactly this weakening, on this very commit: the next one uses it up, and nobody can replay it."""
    files = [side.files.get(one.path) for side in (found.before, found.after)]
    code = [_print(file) for file in found.change.files if file.path == one.path]
    what = json.dumps([found.on, one.subject, one.text, one.path, one.line, *files, *code])
    return hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _print(file: FileChange) -> str:
    return hashlib.sha256(repr((file.base, file.content)).encode()).hexdigest()


def _kept(top: Path) -> dict[str, str]:
    data = state.read(top, _STATE)
    return {str(k): str(v) for k, v in data.items()} if isinstance(data, dict) else {}


def approved(top: Path, found: Found, reason: str) -> str:
    """Note that the person who is here lets all of it through; what is noted of it."""
    return noted(top, [digest(one, found) for one in found.all], reason)


def noted(top: Path, names: Sequence[str], reason: str) -> str:
    """Note that the person who is here lets through what goes by these names; what is noted of it."""
    who = git.git(top, "var", "GIT_COMMITTER_IDENT").text.partition(" <")[0] or "a person"
    by = f"approved by {who} on {clock.now()[:10]}" + f": {reason}" * bool(reason)
    known = _kept(top) | dict.fromkeys(names, by)
    state.write(top, _STATE, dict(list(known.items())[-_MOST:]))
    return by


def waiting(top: Path, found: Found) -> list[Weakening]:
    """What nobody has approved yet."""
    known = _kept(top)
    return [one for one in found.all if digest(one, found) not in known]
