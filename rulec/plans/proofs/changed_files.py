"""The changed files, each with a digest of its change, and which steps each belongs to until it is committed.

A step claims the files that it edited. Other files belong to the step that names them, or else to the current step:
scripts and commands change files that no tool call names.
"""

from __future__ import annotations

import os
import time

from rulec.checkout import pending_change, private_files, tree_digest
from rulec.checkout.worktree import state_directory
from rulec.domain.files import file_kinds
from rulec.plans.plan import DONE
from rulec.plans.plan_store import names_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from rulec.plans.plan import Plan, Step


RULES = ".rules/"  # rules and what is compiled from them belong to no step: gates of their own look at them
EVERY_BYTE = "surrogateescape"
LARGEST = 4_000_000  # bytes of a file of which a digest is made
PASSES = "passes.json"  # what a gate let through while a plan was open: path -> [time, digest of the text] of each
MOST_PATHS = 2_000
MOST_PASSES = 5  # of one path
STALE = 12 * 3_600  # seconds after a session was last heard of; what changes later is not its work, unless it was seen
CLOCKS = 0.1  # seconds by which the times of a call and of the file that it wrote may differ
UNTESTED = ["@tests", "@docs", "@changelog"]  # files of which no test is asked


def text_digest(text: str | None) -> str:
    """A digest of a whole text; of no file it is ""."""
    import hashlib  # noqa: PLC0415 (only where a proof is made or asked for)

    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class ChangedFile:
    """One changed file: what stood there at HEAD and stands there now, None for no file."""

    __slots__ = ("at", "before", "now", "path", "pinned", "whole")

    def __init__(self, path: str, before: str | None, now: str | None) -> None:
        self.path, self.before, self.now = path, before, now
        self.at = 0.0  # when it was last changed on the disk; 0 where that is not known
        self.pinned = True  # else it is a link, or too large: nobody can say what was approved of it
        self.whole = True  # what is committed is what stands on the disk

    @property
    def pin(self) -> str:
        """The digest of what it was and is, "" where that cannot be read."""
        return f"{text_digest(self.before)} {text_digest(self.now)}" if self.pinned else ""

    @property
    def needs_test(self) -> bool:
        """Whether a test has to show that a rule was kept in it: not for tests, prose and generated files."""
        made = file_kinds.is_generated(self.path) or tree_digest.is_by_product(self.path)
        return not (made or file_kinds.is_among(UNTESTED, self.path))


def changed_at_hand(root: str) -> list[ChangedFile]:
    """What of the work tree differs from HEAD, as far as text goes; a moved file is deleted and made anew."""
    changed = [one for one in pending_change.changed_paths(root) if not _is_nobodys(one[0])]
    paths = [path for path, _ in changed]
    texts = pending_change.texts_at_head(root, paths, errors=EVERY_BYTE) if paths else {}
    found = []
    for path, kind in changed:
        data = private_files.read_file(os.path.join(root, path), LARGEST) if kind != "delete" else None
        file = ChangedFile(path, texts.get(path), None if data is None else data.decode("utf-8", EVERY_BYTE))
        file.pinned = kind == "delete" or data is not None
        file.at = changed_time(os.path.join(root, path))
        found.append(file)
    return found


def _is_nobodys(path: str) -> bool:
    return path.startswith(RULES) or tree_digest.is_by_product(path)


def changed_time(place: str) -> float:
    """When a file was last changed, moved or made; nobody can set that time. 0 where there is none."""
    try:
        return os.lstat(place).st_ctime
    except (OSError, ValueError):
        return 0.0


def note_passes(root: str, files: Iterable[ChangedFile]) -> None:
    """Note that a gate let these files through; once they are committed no step claims them any more."""
    now = time.time()
    entries = {file.path: [now, text_digest(file.now)] for file in files if file.whole and file.pinned}

    def changed(known: dict[str, Any]) -> dict[str, Any]:
        for path, entry in entries.items():
            before = known.pop(path, [])
            known[path] = [*(before if isinstance(before, list) else []), entry][-MOST_PASSES:]
        return dict(list(known.items())[-MOST_PATHS:])

    if entries:
        private_files.update_json(os.path.join(state_directory(root), PASSES), changed)


class Claims:
    """The claims of some plans on changed files; ``by_person`` says whether a person at a terminal commits them."""

    def __init__(self, root: str, plans: Sequence[Plan], by_person: Callable[[], bool]) -> None:
        self.plans, self._by_person = plans, by_person
        self._passes = private_files.read_json(os.path.join(state_directory(root), PASSES))
        self._person: bool | None = None

    def of(self, file: ChangedFile) -> list[tuple[Plan, Step]]:
        """The steps whose work the change of the file is, each with its plan."""
        edited = [(plan, step) for plan in self.plans for step in plan.steps if file.path in step.edits]
        open_ones = [(plan, step) for plan, step in edited if not self._is_committed(file, step.edits[file.path])]
        if open_ones:
            return open_ones
        own = [plan for plan in self.plans if self._may_be_of(plan, file)] if not self._is_persons() else []
        named = [(plan, step) for plan in own for step in plan.steps if self._names(step, file)]
        if named:
            return named
        active = [(plan, step) for plan in own if (step := plan.current()) is not None and step.started]
        return [one for one in active if not file.at or file.at >= one[1].started - CLOCKS][:1]

    def _is_persons(self) -> bool:
        """Whether a person at a terminal makes the commit, which is asked once."""
        if self._person is None:
            self._person = self._by_person()
        return self._person

    def _names(self, step: Step, file: ChangedFile) -> bool:
        if not names_path(step, file.path):
            return False
        return step.status != DONE or not self._is_committed(file, step.started)

    def _may_be_of(self, plan: Plan, file: ChangedFile) -> bool:
        """Whether a change that was not seen may be the work of the plan's session."""
        return plan.opened - CLOCKS <= (file.at or time.time()) <= plan.seen + STALE

    def _is_committed(self, file: ChangedFile, since: float) -> bool:
        """Whether what HEAD has of the file is what a gate let through after that time."""
        listed = self._passes.get(file.path)
        passes = [one for one in listed if _is_pass(one)] if isinstance(listed, list) else []
        at_head = text_digest(file.before)
        return any(at >= since and digest == at_head for at, digest in passes)


def _is_pass(one: object) -> bool:
    return isinstance(one, list) and len(one) == 2 and isinstance(one[0], (int, float)) and isinstance(one[1], str)
