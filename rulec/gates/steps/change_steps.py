"""The steps by which reports label what a change holds: its commits, or the steps of a plan that it brings.

Labels are the change's own words. They say where a row of the table belongs, and decide nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.change import Change
from rulec.domain.text.redaction import redact
from rulec.infra.git import commit_changes, git_session
from rulec.reminders.rule_text import one_line
from rulec.steps.saved_plan import read_saved_plan

MOST = 500  # commits, the newest ones
MERGED = "(merge)"  # what no single commit changed
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class ChangeStep:
    """A label, the commit that it is the subject of ("" for none), and the files that were changed there."""

    label: str
    commit: str
    files: frozenset[str]


def steps_of_change(top: Path, base: str, change: Change) -> list[ChangeStep]:
    """The steps of a change since a base, the oldest first; each changed file belongs to at least one."""
    paths = frozenset(path for file in change.files for path in (file.path, file.old_path) if path)
    planned = {path: label for path, label in _planned(change) if path in paths}
    found: dict[tuple[str, str], set[str]] = {}
    for commit, label, files in _commits(top, base):
        for path in sorted(files & paths):
            found.setdefault((planned.get(path, label), commit), set()).add(path)
    left = paths.difference(*found.values())
    for path in sorted(left):
        found.setdefault((planned.get(path, MERGED), ""), set()).add(path)
    return [ChangeStep(label, commit, frozenset(files)) for (label, commit), files in found.items()]


def _commits(top: Path, base: str) -> Iterator[tuple[str, str, frozenset[str]]]:
    names = git_session.git_output(top, "rev-list", "--no-merges", f"-n{MOST}", "HEAD", f"^{base}").split()
    if not names:
        return
    subjects = {made.id: made.subject for made in commit_changes.commits_by_id(top, names)}
    asked = "".join(f"{name}\n" for name in names).encode()
    out = git_session.git_output(
        top, "diff-tree", "--stdin", "-r", "-z", "--root", "--always", "--name-only", "--no-renames", stdin=asked
    )
    files: dict[str, set[str]] = {name: set() for name in names}
    current: set[str] = set()
    left = iter(names)
    expected = next(left)
    for word in out.split("\0"):
        if word == expected and _COMMIT.fullmatch(word):
            current, expected = files[word], next(left, "")
        elif word:
            current.add(word)
    for name in reversed(names):
        yield name, one_line(redact(subjects.get(name, ""))) or "(no subject)", frozenset(files[name])


def _planned(change: Change) -> Iterator[tuple[str, str]]:
    """The files that a saved plan in the change names, each with the text of its step."""
    for file in change.files:
        if file.path.endswith(".md") and file.content is not None:
            yield from read_saved_plan(file.content.decode("utf-8", "replace"))
