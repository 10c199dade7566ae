"""Runs of suites by rulec, signed, in the git directory: whether one of them is green and of the files as they are."""

import os
import time

from rulec.checkout import private_files, tree_digest
from rulec.checkout.worktree import git_directory, state_directory
from rulec.steps.proofs import proof_store

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


def changed_meanwhile(before: TreeState, after: TreeState) -> "tuple[list[str], list[str]]":
    """The paths that changed between two moments, and the untracked ones that came to be."""
    was, now = before.digests or {}, after.digests or {}
    made = sorted(path for path in after.fresh if path not in was)
    return sorted(path for path in {*was, *now} if was.get(path) != now.get(path) and path not in made), made


def add_run(root: str, suite: str, state: TreeState, run: "dict[str, Any]") -> "dict[str, Any]":
    """Sign and store a run that was made of the work tree as ``state`` has it; the record, without a sign where
    this machine cannot keep a key.

    ``run`` says ``green``, ``whole`` (no tests were chosen), ``made`` (files that the run itself left) and what
    people want to know.
    """
    record = proof_store.signed(
        {
            **run, "kind": "run", "suite": suite, "at": time.time(), "head": state.head, "files": state.digests,
            "place": state.place, "config": state.config,
        }
    )  # fmt: skip

    def changed(known: "dict[str, Any]") -> "dict[str, Any]":
        runs = known.get(suite)
        kept = [*(runs if isinstance(runs, list) else []), record][-MOST_RUNS:]
        return private_files.with_entry(known, suite, kept, MOST_SUITES)

    private_files.update_json(os.path.join(state_directory(root), NAME), changed)
    return record


def recorded_runs(root: str, suite: str) -> "list[dict[str, Any]]":
    """The runs of a suite that rulec on this machine recorded here, the last one first."""
    runs = private_files.read_json(os.path.join(state_directory(root), NAME), LARGEST).get(suite)
    place = os.path.realpath(git_directory(root))
    found = [one for one in reversed(runs if isinstance(runs, list) else []) if isinstance(one, dict)]
    return [
        one
        for one in found
        if one.get("kind") == "run"
        and one.get("suite") == suite
        and one.get("place") == place
        and proof_store.is_signed(one)
    ]


def why_unproved(root: str, suite: str) -> str:
    """What lacks for a green run of the whole suite on the files as they are now; "" where nothing does."""
    states: "dict[str, TreeState]" = {}

    def differing(run: "dict[str, Any]") -> "list[str] | None":
        head = str(run.get("head"))
        state = states[head] if head in states else states.setdefault(head, TreeState(root, head))
        return None if state.digests is None else _differing(run, state)

    return _why_unproved(root, suite, differing)


def why_staged_unproved(root: str, suite: str, matters: "Callable[[str], bool]") -> str:
    """The same for what is staged: whether a run saw all of it that matters as it is to be committed."""
    staged: "dict[str, dict[str, str] | None]" = {}

    def differing(run: "dict[str, Any]") -> "list[str] | None":
        head = str(run.get("head"))
        known = staged[head] if head in staged else staged.setdefault(head, tree_digest.staged_digests(root, head))
        if known is None:
            return None
        return sorted(path for path, digest in known.items() if matters(path) and run["files"].get(path) != digest)

    return _why_unproved(root, suite, differing)


def _why_unproved(root: str, suite: str, differing: "Callable[[dict[str, Any]], list[str] | None]") -> str:
    """What lacks for a green run; ``differing`` says which files are not as a run had them, None where nobody can."""
    late, config = time.time() - OLDEST, tree_digest.blob_at_head(root, CONFIG)
    runs = [one for one in recorded_runs(root, suite) if one.get("whole") is True]
    if not runs:
        return "rulec has not run it here"
    changed: "list[str]" = []
    for run in runs:
        differ = differing(run) if isinstance(run.get("files"), dict) else None
        if differ is None:
            continue
        changed = changed or differ
        if not differ:
            return _why_not_green(run, late, config)
    if not changed:
        return "too much differs from the commit of its last run"
    more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
    names = ", ".join("".join(sign if sign.isprintable() else "?" for sign in path) for path in changed[:_MOST_NAMED])
    red = "" if runs[0].get("green") is True else f", which was red: {runs[0].get('why') or 'it was not green'}"
    return f"{names}{more} changed since its last run{red}"


def counted_suites(root: str) -> "list[str]":
    """The suites of recorded runs whose reports count tests, the one that ran last first."""
    known = private_files.read_json(os.path.join(state_directory(root), NAME), LARGEST)
    last = [runs[0] for suite in known if (runs := recorded_runs(root, suite))]
    return [run["suite"] for run in sorted(last, key=lambda run: -float(run["at"])) if run.get("counted") is True]


def failing_test(root: str, suite: str) -> str:
    """The first test that failed in the last run of the whole suite; "" where it was green, or no test is known."""
    run = next((one for one in recorded_runs(root, suite) if one.get("whole") is True), {})
    bad = run.get("bad")
    return str(bad[0]) if run.get("green") is not True and isinstance(bad, list) and bad else ""


def _differing(run: "dict[str, Any]", state: TreeState) -> "list[str]":
    """The paths that are not as the run had them; what it left behind matters once it is to be committed."""
    made = run.get("made")
    left = state.fresh.intersection(made if isinstance(made, list) else [])
    was, now = run["files"], state.digests or {}
    return sorted(path for path in {*was, *now} if was.get(path) != now.get(path) and path not in left)


def _why_not_green(run: "dict[str, Any]", late: float, config: str) -> str:
    at = run.get("at")
    if run.get("green") is not True:
        return f"its last run was red: {run.get('why') or 'it was not green'}"
    if run.get("config") != config:
        return "the settings changed since its last run"
    if not isinstance(at, (int, float)) or at < late:
        return "its last run is more than a day old"
    return ""


WAIVED = "waived-runs.json"
SECONDS_OF_WAIVER = 600  # within which the commit is made that a person spoke of


def note_waiver(root: str, slug: str) -> bool:
    """Note that the person of a session waived a rule's run, for the gate of the commit, which hears nobody."""
    note = proof_store.signed(
        {"kind": "waiver", "rule": slug, "place": os.path.realpath(git_directory(root)), "at": time.time()}
    )
    path = os.path.join(state_directory(root), WAIVED)
    return private_files.update_json(path, lambda known: private_files.with_entry(known, slug, note, MOST_SUITES))


def is_waived(root: str, slug: str) -> bool:
    """Whether a person just waived a rule's run."""
    note = private_files.read_json(os.path.join(state_directory(root), WAIVED), LARGEST).get(slug)
    if not isinstance(note, dict) or note.get("kind") != "waiver" or note.get("rule") != slug:
        return False
    at, here = note.get("at"), note.get("place") == os.path.realpath(git_directory(root))
    fresh = isinstance(at, (int, float)) and at > time.time() - SECONDS_OF_WAIVER
    return fresh and here and proof_store.is_signed(note)
