"""``rulec`` alone: the state of a repository, remembered until a file that it depends on changes."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from rulec.agents.protocol.agent_spec import agents_around
from rulec.checkout import rules_layout
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.infra import state, text_files
from rulec.infra.git import git_session
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.rulebook import file_paths

_KEPT = "status"
# Of the state folder: what status does not read, or only to be faster.
_NOT_READ = (f"{_KEPT}.json", "lock", "pyc", "parsed", "rendered", "proofs")
_PACKAGE = Path(__file__).parents[2]


def show_status(start: Path) -> Outcome:
    """The state of the repository around a folder, and the next step; a second call costs a few file times."""
    top = git_session.work_tree_root(start)
    if not rulebook_files.has_rulebook(top):
        return Outcome(f"{top}: no rulebook yet\nnext: rulec init")
    by_agent = bool(agents_around(os.environ))  # to which is said whether its session calls its hook
    if not by_agent and (kept := kept_status(top)):
        return Outcome(kept)
    from rulec.services.history import repository_status  # noqa: PLC0415 - most of rulec, which the above avoids

    beside = repository_status.files_of_gates(top)
    before = _fingerprint(top, beside)
    text = repository_status.describe_repository_status(top)
    if not by_agent and "\njudges: " not in text:  # what is said of those depends on keys and tools, too
        with suppress(RulecError):  # it is kept for speed alone
            read = rule_reading.has_parsed(top)
            state.write_state(top, _KEPT, {"files": before, "beside": beside, "read": read, "text": text})
    return Outcome(text)


def kept_status(top: Path) -> str:
    """The state as it was told last, "" where something that it depends on has changed since."""
    kept = state.read_state(top, _KEPT)
    if (
        isinstance(kept, dict)
        and kept.get("read") == rule_reading.has_parsed(top)  # before, it may say less
        and kept.get("files") == _fingerprint(top, kept.get("beside", []))
    ):
        return str(kept.get("text"))
    return ""


def _fingerprint(top: Path, beside: Sequence[str]) -> str:
    """A digest of the times and sizes of all files that the state depends on, of HEAD, and of rulec itself."""
    kept = state.state_dir(top)
    personal = Path(rules_layout.personal_rulebook_path())
    folders = [top / file_paths.RULES, top / ".rulec", personal, personal / file_paths.RULES]
    parts = [git_session.head_commit(top) or "", text_files.digest_program(_PACKAGE)]
    parts += [_stamp(top / path) for path in beside]
    parts += [_stamp(git_session.common_dir(top) / "config"), *_below(git_session.hooks_dir(top), skipped=())]
    parts += [line for folder in folders for line in _below(folder, skipped=(".git",))]
    parts += _below(kept, skipped=_NOT_READ)
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _below(folder: Path, *, skipped: Sequence[str]) -> Iterator[str]:
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in skipped)
        yield from (_stamp(Path(here, name)) for name in sorted(files) if name not in skipped)


def _stamp(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return f"{path} is missing"
    return f"{path} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"
