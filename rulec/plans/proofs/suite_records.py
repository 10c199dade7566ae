"""Runs of suites by rulec: whether one of them is green and of the files as they are, or as they are staged."""

from __future__ import annotations

import time

from rulec.checkout import tree_digest
from rulec.plans.proofs.signed_records import RUN, WAIVER, add_record, records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


OLDEST = 86_400  # seconds; what lies outside of the repository changes as well
SECONDS_OF_WAIVER = 600  # within which the commit is made that a person spoke of
CONFIG = ".rules/config.yaml"
_MOST_NAMED = 3  # files in one sentence


class TreeState:
    """The work tree at one moment: the commit that is checked out, and what differs from it."""

    __slots__ = ("config", "digests", "fresh", "head")

    def __init__(self, root: str, head: str) -> None:
        self.head = head
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
    return add_record(root, RUN, suite, {**run, "head": state.head, "files": state.digests, "config": state.config})


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


def why_unproved(root: str, suite: str, staged: Callable[[str], bool] | None = None) -> str:
    """What lacks for a green run of the suite on the files as they are now; "" where nothing does.

    With ``staged``, which says what matters, of that as it is to be committed.
    """
    differences, config = _Differences(root, staged), tree_digest.blob_at_head(root, CONFIG)
    runs = records(root, RUN, suite)
    if not runs:
        return "rulec has not run it here"
    changed: list[str] = []
    for run in runs:
        differ = differences.of(run)
        if differ == []:
            return _why_not_green(run, config)
        changed = changed or differ or []
    if not changed:
        return "too much differs from HEAD"
    more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
    names = ", ".join("".join(sign if sign.isprintable() else "?" for sign in path) for path in changed[:_MOST_NAMED])
    red = "" if runs[0].get("green") is True else f", which was red: {runs[0].get('why') or 'it was not green'}"
    return f"{names}{more} changed since its last run{red}"


def _why_not_green(run: dict[str, Any], config: str) -> str:
    if run.get("green") is not True:
        return f"its last run was red: {run.get('why') or 'it was not green'}"
    if run.get("config") != config:
        return "the settings changed since its last run"
    return "its last run is more than a day old" if run["at"] < time.time() - OLDEST else ""


def tested_files(root: str, *, staged: bool) -> list[frozenset[str]]:
    """Groups of files without whose changes a suite was red, and with which it is green as all is now, or staged."""
    config = tree_digest.blob_at_head(root, CONFIG)
    differences = _Differences(root, (lambda _: True) if staged else None)
    found: list[frozenset[str]] = []
    seen: set[str] = set()
    for run in records(root, RUN):
        if run["name"] not in seen and differences.of(run) == []:
            seen.add(run["name"])  # an earlier run of the same files says nothing against a later one
            groups = run.get("tested") if not _why_not_green(run, config) else ()
            found += [frozenset(map(str, group)) for group in groups or () if isinstance(group, list)]
    return found


def failing_test(root: str, suite: str) -> str:
    """The first test that failed in the suite's last run; "" where it was green, or no test is known."""
    run = next(iter(records(root, RUN, suite)), {})
    bad = run.get("bad")
    return str(bad[0]) if run.get("green") is not True and isinstance(bad, list) and bad else ""


def suites_that_ran(root: str) -> list[str]:
    """The suites of recorded runs, for whoever has no reader of settings."""
    return sorted({run["name"] for run in records(root, RUN)})


def note_waiver(root: str, slug: str) -> bool:
    """Note that the person of a session waived a rule's run, for the gate of the commit, which hears nobody."""
    return add_record(root, WAIVER, slug, {})


def is_waived(root: str, slug: str) -> bool:
    """Whether a person just waived a rule's run."""
    return any(one["at"] > time.time() - SECONDS_OF_WAIVER for one in records(root, WAIVER, slug))
