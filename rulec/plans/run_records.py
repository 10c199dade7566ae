"""Runs of suites by rulec, signed, in the git directory: whether one of them is green and of the files as they are."""

from __future__ import annotations

import os
import time

from rulec.checkout import private_files, tree_digest
from rulec.checkout.worktree import git_directory, state_directory
from rulec.plans import signed_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


NAME = "runs.json"
LARGEST = 8_000_000  # bytes
MOST_RUNS = 10  # of each suite
MOST_SUITES = 50
OLDEST = 86_400  # seconds; what lies outside of the repository changes as well
CONFIG = ".rules/config.yaml"
_MOST_NAMED = 3  # files in one sentence


class TreeState:
    """The work tree at one moment: the commit that is checked out, and what differs from it."""

    __slots__ = ("config", "digests", "fresh", "head", "place")

    def __init__(self, root: str, head: str) -> None:
        self.head = head
        self.place = os.path.realpath(git_directory(root))
        self.config = tree_digest.blob_at_head(root, CONFIG)
        found = tree_digest.changed_digests(root, head)
        self.digests = found[0] if found else None
        self.fresh = found[1] if found else frozenset()


def changed_meanwhile(before: TreeState, after: TreeState) -> tuple[list[str], list[str]]:
    """The paths that changed between two moments, and the untracked ones that came to be."""
    was, now = before.digests or {}, after.digests or {}
    made = sorted(path for path in after.fresh if path not in was)
    return sorted(path for path in {*was, *now} if was.get(path) != now.get(path) and path not in made), made


def add_run(root: str, suite: str, state: TreeState, run: dict[str, Any]) -> bool:
    """Sign and store a run that was made of the work tree as ``state`` has it; whether this machine can sign it.

    ``run`` says ``green``, ``made`` (files that the run itself left), ``tested`` (lists of files without whose changes
    it was red) and what people want to know.
    """
    record = signed_records.signed(
        {
            **run, "kind": "run", "suite": suite, "at": time.time(), "head": state.head, "files": state.digests,
            "place": state.place, "config": state.config,
        }
    )  # fmt: skip

    def changed(known: dict[str, Any]) -> dict[str, Any]:
        runs = known.get(suite)
        kept = [*(runs if isinstance(runs, list) else []), record][-MOST_RUNS:]
        return private_files.with_entry(known, suite, kept, MOST_SUITES)

    stored = private_files.update_json(os.path.join(state_directory(root), NAME), changed)
    return stored and "sign" in record


def _records(root: str) -> dict[str, Any]:
    return private_files.read_json(os.path.join(state_directory(root), NAME), LARGEST)


def recorded_runs(root: str, suite: str) -> list[dict[str, Any]]:
    """The runs of a suite that rulec on this machine recorded here, the last one first."""
    runs, place = _records(root).get(suite), os.path.realpath(git_directory(root))
    found = [one for one in reversed(runs if isinstance(runs, list) else []) if isinstance(one, dict)]
    wanted = {"kind": "run", "suite": suite, "place": place}
    return [
        one for one in found if wanted.items() <= {key: one.get(key) for key in wanted}.items()
        if signed_records.is_signed(one)
    ]  # fmt: skip


def count_foreign(root: str) -> int:
    """How many records of runs there are that rulec on this machine did not make in this work tree."""
    known = _records(root)
    return sum(len(runs) - len(recorded_runs(root, suite)) for suite, runs in known.items() if isinstance(runs, list))


class _Differences:
    """What differs now, or of what is staged, from what a run saw; each commit is compared once."""

    def __init__(self, root: str, matters: Callable[[str], bool] | None) -> None:
        self.root, self.matters = root, matters  # None: the work tree is compared, not what is staged
        self._states: dict[str, TreeState] = {}
        self._staged: dict[str, dict[str, str] | None] = {}

    def of(self, run: dict[str, Any]) -> list[str] | None:
        """The paths that are not as the run had them; None where nobody can tell."""
        head, was = str(run.get("head")), run.get("files")
        if not isinstance(was, dict):
            return None
        if self.matters is None:
            state = self._states.get(head) or self._states.setdefault(head, TreeState(self.root, head))
            return None if state.digests is None else _differing(run, state)
        if head not in self._staged:
            self._staged[head] = tree_digest.staged_digests(self.root, head)
        known = self._staged[head]
        if known is None:
            return None
        return sorted(path for path, digest in known.items() if self.matters(path) and was.get(path) != digest)


def _differing(run: dict[str, Any], state: TreeState) -> list[str]:
    """The paths that are not as the run had them; what it left behind matters once it is to be committed."""
    made = run.get("made")
    left = state.fresh.intersection(made if isinstance(made, list) else [])
    was, now = run["files"], state.digests or {}
    return sorted(path for path in {*was, *now} if was.get(path) != now.get(path) and path not in left)


def why_unproved(root: str, suite: str) -> str:
    """What lacks for a green run of the suite on the files as they are now; "" where nothing does."""
    return _why_unproved(root, suite, _Differences(root, None))


def why_staged_unproved(root: str, suite: str, matters: Callable[[str], bool]) -> str:
    """The same for what is staged: whether a run saw all of it that matters as it is to be committed."""
    return _why_unproved(root, suite, _Differences(root, matters))


def _why_unproved(root: str, suite: str, differences: _Differences) -> str:
    late, config = time.time() - OLDEST, tree_digest.blob_at_head(root, CONFIG)
    runs = recorded_runs(root, suite)
    if not runs:
        return "rulec has not run it here"
    changed: list[str] = []
    for run in runs:
        differ = differences.of(run)
        if differ == []:
            return _why_not_green(run, late, config)
        changed = changed or differ or []
    if not changed:
        return "too much differs from HEAD"
    more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
    names = ", ".join("".join(sign if sign.isprintable() else "?" for sign in path) for path in changed[:_MOST_NAMED])
    red = "" if runs[0].get("green") is True else f", which was red: {runs[0].get('why') or 'it was not green'}"
    return f"{names}{more} changed since its last run{red}"


def _why_not_green(run: dict[str, Any], late: float, config: str) -> str:
    at = run.get("at")
    if run.get("green") is not True:
        return f"its last run was red: {run.get('why') or 'it was not green'}"
    if run.get("config") != config:
        return "the settings changed since its last run"
    if not isinstance(at, (int, float)) or at < late:
        return "its last run is more than a day old"
    return ""


def tested_files(root: str, *, staged: bool) -> list[frozenset[str]]:
    """Groups of files without whose changes a suite was red, and with which it is green as all is now, or staged."""
    late, config = time.time() - OLDEST, tree_digest.blob_at_head(root, CONFIG)
    differences = _Differences(root, (lambda _: True) if staged else None)
    found = []
    for suite in _records(root):
        for run in recorded_runs(root, suite):
            if differences.of(run) == []:
                groups = run.get("tested") if not _why_not_green(run, late, config) else ()
                found += [frozenset(map(str, group)) for group in groups or () if isinstance(group, list)]
                break  # an earlier run of the same files says nothing against a later one
    return found


def failing_test(root: str, suite: str) -> str:
    """The first test that failed in the suite's last run; "" where it was green, or no test is known."""
    run = next(iter(recorded_runs(root, suite)), {})
    bad = run.get("bad")
    return str(bad[0]) if run.get("green") is not True and isinstance(bad, list) and bad else ""


def suites_that_ran(root: str) -> list[str]:
    """The suites of recorded runs, for whoever has no reader of settings."""
    return [suite for suite in _records(root) if recorded_runs(root, suite)]


WAIVED = "waived-runs.json"
SECONDS_OF_WAIVER = 600  # within which the commit is made that a person spoke of


def note_waiver(root: str, slug: str) -> bool:
    """Note that the person of a session waived a rule's run, for the gate of the commit, which hears nobody."""
    note = {"kind": "waiver", "rule": slug, "place": os.path.realpath(git_directory(root)), "at": time.time()}
    entry = signed_records.signed(note)
    path = os.path.join(state_directory(root), WAIVED)
    return private_files.update_json(path, lambda known: private_files.with_entry(known, slug, entry, MOST_SUITES))


def is_waived(root: str, slug: str) -> bool:
    """Whether a person just waived a rule's run."""
    note = private_files.read_json(os.path.join(state_directory(root), WAIVED), LARGEST).get(slug)
    if not isinstance(note, dict) or note.get("kind") != "waiver" or note.get("rule") != slug:
        return False
    at, here = note.get("at"), note.get("place") == os.path.realpath(git_directory(root))
    fresh = isinstance(at, (int, float)) and at > time.time() - SECONDS_OF_WAIVER
    return fresh and here and signed_records.is_signed(note)
