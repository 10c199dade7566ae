"""What persons of this machine approved, and what CI does with what its review has to approve."""

from collections.abc import Sequence
from pathlib import Path

from rulec.domain.enforcement import Enforcement, refuses
from rulec.infra import clock, state
from rulec.infra.git import git_contents, git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import file_paths
from rulec.rulebook.config import parse_config

_STATE = "approved"
_MOST = 200  # approvals that are kept, the last ones


def approved(top: Path) -> dict[str, str]:
    """What persons of this machine approved, by its digest: who did, when and why."""
    return _to_approvals(state.read_state(top, _STATE))


def _to_approvals(data: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in data.items()} if isinstance(data, dict) else {}


def note_approvals(top: Path, digests: Sequence[str], reason: str) -> str:
    """Note that the person at this machine approves what has these digests; who approved it, when and why."""
    who = git_session.run_git(top, "var", "GIT_COMMITTER_IDENT").text.partition(" <")[0] or "a person"
    by = f"approved by {who} on {clock.now()[:10]}" + f": {reason}" * bool(reason)
    state.update_state(
        top, _STATE, lambda data: dict([*_to_approvals(data).items(), *((one, by) for one in digests)][-_MOST:])
    )
    return by


def enforcement_in_review(top: Path, base: str) -> Enforcement:
    """What CI does with a change that its review has to approve, by the settings of a base."""
    settings = git_contents.files_at_commit(top, base, file_paths.CONFIG).get(file_paths.CONFIG, "")
    config = parse_config(settings, source=file_paths.CONFIG, own=rulebook_files.is_personal(top), past=True)
    return "block" if refuses(config.weakened) else "warn"
