"""Which steps a changed file belongs to, until it is committed; and the changed files themselves, with their pins.

A step claims the files that it edited. Other files belong to the step that names them, or else to the current step:
scripts and commands change files that no tool call names.
"""

import os
import time
from datetime import datetime

from rulec.checkout import pending_change, private_files
from rulec.checkout.worktree import state_directory
from rulec.steps.plan_store import names_path
from rulec.steps.proofs.proof_store import pin_of, text_digest
from rulec.steps.step import ACTIVE, DONE, PENDING, is_started

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from rulec.steps.step import Plan, Step

    Passes = dict[str, list[list[Any]]]


RULES = ".rules/"  # rules and what is compiled from them belong to no step: gates of their own look at them
EVERY_BYTE = "surrogateescape"
LARGEST = 4_000_000  # bytes of a file of which anything is proved
PASSES = "passes.json"  # what a gate let through while a plan was open: path -> [time, digest of the text]
MOST_PATHS = 2_000
MOST_PASSES = 20  # of one path
STALE = 12 * 3_600  # seconds after a session was last heard of; what changes later is not its work, unless it was seen
CLOCKS = 0.1  # seconds by which the times of a call and of the file that it wrote may differ
AGENT, OTHERS = "agent", "others"


class ChangedFile:
    """One changed file: what stood there at HEAD and stands there now, None for no file."""

    __slots__ = ("_pin", "at", "before", "now", "path", "readable", "whole")

    def __init__(self, path: str, before: "str | None", now: "str | None") -> None:
        self.path, self.before, self.now = path, before, now
        self.at = 0.0  # when it was last changed on the disk; 0 where that is not known
        self.readable = True  # else it is a link, or too large: no proof can be pinned to it
        self.whole = True  # what is committed is what stands on the disk
        self._pin = ""

    @property
    def pin(self) -> str:
        """The digest of its changed lines, "" where they cannot be read."""
        if self.readable and not self._pin:
            self._pin = pin_of(self.before, self.now)
        return self._pin


def changed_at_hand(root: str) -> "list[ChangedFile]":
    """What of the work tree differs from HEAD, as far as text goes; a moved file is deleted and made anew."""
    changed = [one for one in pending_change.changed_paths(root) if not one[0].startswith(RULES)]
    paths = [path for path, _ in changed]
    texts = pending_change.texts_at_head(root, paths, errors=EVERY_BYTE) if paths else {}
    found = []
    for path, kind in changed:
        file = ChangedFile(path, texts.get(path), read_text(root, path) if kind != "delete" else None)
        file.readable = kind == "delete" or file.now is not None
        file.at = changed_time(os.path.join(root, path))
        found.append(file)
    return found


def read_text(root: str, path: str) -> "str | None":
    """The text of a file of the work tree, with every byte kept apart; None where there is none, or a link."""
    data = private_files.read_file(os.path.join(root, path), LARGEST)
    return None if data is None else data.decode("utf-8", EVERY_BYTE)


def changed_time(place: str) -> float:
    """When a file was last changed, moved or made; nobody can set that time. 0 where there is none."""
    try:
        return os.lstat(place).st_ctime
    except (OSError, ValueError):
        return 0.0


def note_passes(root: str, files: "Iterable[ChangedFile]") -> None:
    """Note that a gate let these files through; once they are committed no step claims them any more."""
    now = time.time()
    entries = {file.path: [now, text_digest(file.now)] for file in files if file.whole and file.readable}

    def changed(known: "dict[str, Any]") -> "dict[str, Any]":
        for path, entry in entries.items():
            before = known.pop(path, [])
            known[path] = [*(before if isinstance(before, list) else []), entry][-MOST_PASSES:]
        return dict(list(known.items())[-MOST_PATHS:])

    if entries:
        private_files.update_json(os.path.join(state_directory(root), PASSES), changed)


def load_passes(root: str) -> "Passes":
    """What gates let through, by path."""
    known = private_files.read_json(os.path.join(state_directory(root), PASSES))
    return {
        path: [one for one in listed if _is_pass(one)] for path, listed in known.items() if isinstance(listed, list)
    }


def _is_pass(one: object) -> bool:
    return isinstance(one, list) and len(one) == 2 and isinstance(one[0], (int, float)) and isinstance(one[1], str)


class Claims:
    """The claims of some plans on changed files; ``by_person`` says whether a person at a terminal commits them."""

    def __init__(self, root: str, plans: "Sequence[Plan]", by_person: "Callable[[], bool]") -> None:
        self.root, self.plans, self._by_person = root, plans, by_person
        self._person: "bool | None" = None
        self._passes: "Passes | None" = None
        self._spans: "dict[str, list[tuple[float, float]] | None]" = {}

    def of(self, file: ChangedFile) -> "list[tuple[Plan, Step]]":
        """The steps whose work the change of the file is, each with its plan."""
        edited = [
            (plan, step)
            for plan in self.plans
            for step in plan.steps
            if file.path in step.edits  # also of one that was dropped: taking it off the list undoes no edit
        ]
        open_ones = [(plan, step) for plan, step in edited if not self._is_committed(file, step.edits[file.path])]
        if open_ones:
            return open_ones
        own = [plan for plan in self.plans if self._may_be_of(plan, file, seen=bool(edited))]
        named = [(plan, step) for plan in own for step in plan.steps if self._names(step, file)]
        if named:
            return named
        active = [(plan, step) for plan in own for step in [plan.current()] if step is not None and is_started(step)]
        return [one for one in active if not file.at or file.at >= one[1].started - CLOCKS][:1]

    def by_person(self) -> bool:
        """Whether a person at a terminal makes the commit, which is asked once."""
        if self._person is None:
            self._person = self._by_person()
        return self._person

    def _names(self, step: "Step", file: ChangedFile) -> bool:
        if step.status not in (PENDING, ACTIVE, DONE) or not names_path(step, file.path):
            return False
        return step.status != DONE or not self._is_committed(file, step.started)

    def _may_be_of(self, plan: "Plan", file: ChangedFile, *, seen: bool) -> bool:
        """Whether a change that was not seen may be the work of the plan's session.

        A file whose edits were ``seen``, and are committed, has to have changed while the agent acted.
        """
        late, at = plan.seen + STALE, file.at or time.time()
        if not plan.opened - CLOCKS <= at <= late:
            return False
        if not seen and not self.by_person():
            return True
        doer = self._doer(plan, file.at)
        return doer == AGENT or (doer == "" and not seen)

    def _is_committed(self, file: ChangedFile, since: float) -> bool:
        """Whether what HEAD has of the file is what a gate let through after that time."""
        if self._passes is None:
            self._passes = load_passes(self.root)
        at_head = text_digest(file.before)
        return any(at >= since and digest == at_head for at, digest in self._passes.get(file.path, ()))

    def _doer(self, plan: "Plan", at: float) -> str:
        """Who changed something at that time: the agent, others, or "" where that is not known."""
        if plan.session not in self._spans:
            self._spans[plan.session] = self._read_spans(plan)
        spans = self._spans[plan.session]
        if not spans or not at:
            return ""
        return AGENT if any(began - CLOCKS <= at <= ended + CLOCKS for began, ended in spans) else OTHERS

    def _read_spans(self, plan: "Plan") -> "list[tuple[float, float]] | None":
        """When the calls of the session ran; None where its record does not tell."""
        from rulec.steps.proofs.session_words import events_of_plan  # noqa: PLC0415 (few changes need the transcript)

        spans = []
        for event in events_of_plan(self.root, plan) or ():
            began, ended = seconds_of(event.get("began")), seconds_of(event.get("at"))
            if began:
                lasting = event.get("background") or event.get("pending")
                spans.append((began, float("inf") if lasting or not ended else ended))
        return spans or None


def seconds_of(stamp: object) -> float:
    """A record's time as seconds since 1970; 0 where it has none."""
    try:
        return datetime.fromisoformat(str(stamp or "").replace("Z", "+00:00")).timestamp()  # noqa: FURB162 (Python 3.9)
    except ValueError:
        return 0.0
