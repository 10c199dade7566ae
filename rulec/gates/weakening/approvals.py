"""Verdicts on what a change weakens, excepted where a person approved just that; and the approvals."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from rulec.domain.artifact import RuleFacts
from rulec.domain.change import Change, FileChange
from rulec.domain.enforcement import Enforcement, refuses
from rulec.domain.finding import Finding, Outcome, Verdict, Weakening
from rulec.domain.rule import WEAKENED, WEAKENED_STATEMENT
from rulec.gates.weakening import gate_change
from rulec.gates.weakening.committer import is_made_by_person
from rulec.gates.weakening.gate_change import GateChange
from rulec.infra import clock, state
from rulec.infra.git import git_contents, git_session
from rulec.infra.git.git_refs import Range
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import file_paths
from rulec.rulebook.config import parse_config

_STATE = "approved"
_MOST = 200  # approvals that are kept, the last ones


def weakened_by_index(top: Path, change: Change) -> list[Verdict]:
    """Verdicts on what the index weakens, blocked until a person of this machine approves it.

    An exception in place counts at once, and is told, where a person commits it.
    """
    found = gate_change.gate_change_staged(top, change)
    by = "a person commits it at a terminal" if any(one.in_place for one in found.all) and is_made_by_person() else ""
    return weakening_verdicts(top, found, "block", here=True, let_in=by)


def weakened_since(top: Path, span: Range, change: Change) -> list[Verdict]:
    """Verdicts on what HEAD weakens since a base: its review approves that, unless the base's settings forbid it.

    Who committed an exception in place cannot be known here, so the review decides about it, too.
    """
    ends = (span.start, "HEAD")
    return weakened_between(top, span.base, ends, change, let_in="the review decides about it")


def weakened_between(top: Path, base: str, ends: tuple[str, str], change: Change, *, let_in: str = "") -> list[Verdict]:
    """Verdicts on what one commit weakens of another, by a base's settings; ``let_in`` where these do not block."""
    act = enforcement_in_review(top, base)
    found = gate_change.gate_change_between(top, *ends, change)
    return weakening_verdicts(top, found, act, here=False, let_in="" if refuses(act) else let_in)


def enforcement_in_review(top: Path, base: str) -> Enforcement:
    """What CI does with a change that its review has to approve, by the settings of a base."""
    settings = git_contents.files_at_commit(top, base, file_paths.CONFIG).get(file_paths.CONFIG, "")
    config = parse_config(settings, source=file_paths.CONFIG, own=rulebook_files.is_personal(top))
    return "block" if refuses(config.weakened) else "warn"


def weakening_verdicts(
    top: Path, found: GateChange, act: Enforcement, *, here: bool, let_in: str = ""
) -> list[Verdict]:
    """A verdict for each weakening; ``here`` a person of this machine may approve it, in CI the code owners do.

    ``let_in`` says why exceptions in place count already; "" where they do not.
    """
    if not found.all:
        return []
    facts = RuleFacts(
        slug=WEAKENED, revision=1, statement=WEAKENED_STATEMENT, severity="must", enforcement=act, on_error="block"
    )
    known = approved(top) if here else {}
    who = ", ".join(dict.fromkeys(owner for one in found.all for owner in found.owners(one.path).split(", ")))
    cure = f"take it back, or let {who} approve it" + (": they run rulec approve" if here else " in the review")
    mild = replace(facts, enforcement="warn")
    return [
        _verdict(one, mild, "", let_in, "warn")
        if one.in_place and let_in and not by
        else _verdict(one, facts, cure, by, "excepted" if by else act)
        for one in found.all
        for by in [known.get(weakening_digest(one, found), "")]
    ]


def _verdict(one: Weakening, facts: RuleFacts, cure: str, because: str, outcome: Outcome) -> Verdict:
    finding = Finding(slug=WEAKENED, path=one.path, line=one.line, text=describe_weakening(one), cure=cure)
    return Verdict(outcome=outcome, facts=facts, finding=finding, because=because)


def describe_weakening(one: Weakening) -> str:
    """What is weaker, in words, for a line that names the path."""
    return one.text.removeprefix(f"{one.path}: ")


def weakening_digest(one: Weakening, found: GateChange) -> str:
    """A name for exactly this weakening on this commit: the next commit ends it, and it cannot be replayed."""
    files = [side.files.get(one.path) for side in (found.before, found.after)]
    code = [_file_digest(file) for file in found.change.files if file.path == one.path]
    what = json.dumps([found.on, one.subject, one.text, one.path, one.line, *files, *code])
    return hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _file_digest(file: FileChange) -> str:
    return hashlib.sha256(repr((file.base, file.content)).encode()).hexdigest()


def approved(top: Path) -> dict[str, str]:
    """What persons of this machine approved, by its digest: who did, when and why."""
    return _to_approvals(state.read_state(top, _STATE))


def _to_approvals(data: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in data.items()} if isinstance(data, dict) else {}


def weakening_digests(found: GateChange | None) -> list[str]:
    """The names under which a person's approval of all that is kept."""
    return [weakening_digest(one, found) for one in found.all] if found else []


def note_approvals(top: Path, names: Sequence[str], reason: str) -> str:
    """Note that the person at this machine approves what has these digests; the person's name."""
    who = git_session.run_git(top, "var", "GIT_COMMITTER_IDENT").text.partition(" <")[0] or "a person"
    by = f"approved by {who} on {clock.now()[:10]}" + f": {reason}" * bool(reason)
    state.update_state(
        top, _STATE, lambda data: dict([*_to_approvals(data).items(), *((name, by) for name in names)][-_MOST:])
    )
    return by


def unapproved(top: Path, found: GateChange) -> list[Weakening]:
    """The weakenings that nobody has approved yet."""
    known = approved(top)
    return [one for one in found.all if weakening_digest(one, found) not in known]
