"""Whether a suite tests a change: red in a copy without the change of some files, green in a copy with all of it."""

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rulec.domain.files.globs import match
from rulec.infra.git import git_session
from rulec.infra.scratch_repositories import scratch_repository
from rulec.infra.test_runs.suite_runs import SuiteRun, run_suite
from rulec.rulebook.test_suites import Suite

# Folders of what was installed: a copy without them could run nothing, and no change of the repository is in them.
INSTALLED = frozenset(["node_modules", ".venv", "venv", ".virtualenv", "vendor", ".tox", ".nox", ".pnp.cjs", ".yarn"])
_MOST_LISTED = 20_000


@contextmanager
def copied_tree(top: Path, commit: str, laid: Collection[str]) -> Iterator[Path]:
    """The files of a commit in a folder of their own, with what the work tree holds at some paths laid over."""
    with scratch_repository(top) as made:
        made.git("update-ref", "HEAD", git_session.require_commit(top, commit))
        made.git("read-tree", "HEAD")
        there = [path for path in laid if _is_there(top.resolve(), path)]
        _update_index(made.top, top, set(laid).difference(there), "--force-remove")
        _update_index(made.top, top, there, "--add", "--replace")
        made.git("checkout-index", "--all", "--force")
        _link_installed(top, made.top)
        yield made.top


def _is_there(top: Path, path: str) -> bool:
    """Whether the work tree holds something at the path itself, not behind a link to another folder."""
    place = top / path
    return os.path.lexists(place) and place.parent.resolve() == place.parent


def _update_index(tree: Path, top: Path, paths: Iterable[str], *how: str) -> None:
    """Change the index of a copy by what the work tree holds."""
    where = {"GIT_DIR": str(tree / ".git"), "GIT_WORK_TREE": str(top)}
    listed = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    git_session.git_output(top, "update-index", *how, "-z", "--stdin", stdin=listed, environment=where)


def _link_installed(top: Path, tree: Path) -> None:
    """Link what was installed into the copy, as far as git ignores it."""
    listed = git_session.git_output(
        top, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"
    ).split("\0")[:_MOST_LISTED]
    for path in filter(None, listed):
        place = tree / path.rstrip("/")
        if place.name in INSTALLED and place.parent.is_dir() and not os.path.lexists(place):
            place.symlink_to(top / path.rstrip("/"))


MOST_RUNS = 20  # of one suite in copies
SETTINGS = ("**/conftest.py",)  # what lies among tests and decides which of them run


@dataclass(slots=False)
class ChangeRuns:
    """Runs of one suite in copies of a base, each with another part of the change, which alone makes the difference."""

    top: Path
    suite: Suite
    base: str  # a commit
    changed: Collection[str]  # every path that differs from it
    _runs: dict[frozenset[str], SuiteRun] = field(default_factory=dict)

    @property
    def whole(self) -> SuiteRun:
        """The run with the whole change."""
        return self._run(self.changed)

    @property
    def before(self) -> SuiteRun:
        """The run of the base with the tests of the change alone: without its code and its settings of tests."""
        return self._run(path for path in self.changed if self._is_test(path))

    def why_untested(self, files: frozenset[str]) -> str:
        """Why the suite shows nothing of the change of these files; "" where it does."""
        if not self.whole.green:
            return f"it is not green in a copy of the repository: {self.whole.why}"
        if len(self._runs) >= MOST_RUNS:
            return f"that would take more than {MOST_RUNS} runs of the suite"
        without = self._run(path for path in self.changed if path not in files)
        for run in (without, self.before):
            if run.code is None:
                return f"without the change {run.why}"
            if run.green:
                return "it is green without the change, so no test depends on it"
        return self.why_left_out(self.whole)

    def why_left_out(self, run: SuiteRun) -> str:
        """Which test that runs before the change is not executed in a run with it; "" where there is none."""
        left = sorted(self.before.executed - run.executed)
        return f"{'::'.join(filter(None, left[0]))} is not run any more" if left else ""

    def _is_test(self, path: str) -> bool:
        return match(list(self.suite.files), path) and not match(list(SETTINGS), path)

    def _run(self, laid: Iterable[str]) -> SuiteRun:
        """The run with these paths of the change."""
        paths = frozenset(laid)
        if paths not in self._runs:
            with copied_tree(self.top, self.base, sorted(paths)) as tree:
                self._runs[paths] = run_suite(self.top, self.suite, tree=tree)
        return self._runs[paths]
