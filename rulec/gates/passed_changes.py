"""Which changes a gate of this clone has passed, and so which commits no gate has seen."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from rulec.domain.artifact import COMPILED_FOLDER
from rulec.errors import RulecError
from rulec.infra import state, text_files
from rulec.infra.git import git_changes, git_contents, git_session

# A change is known by what git says of it, blob by blob. That is at hand where a gate judges it, is the same for the
# commit that is made of it, and stays the same where a rebase carries the commit to another parent.
# It is noted together with the rules that it was judged by: where others hold nobody has judged it.
PASSED_FILE = "seen"  # the changes that a gate has let through
_SINCE_FILE = "seen-since"  # the commits that stood here before there was a gate
_PASSED_BYTES = 1_000_000
_MOST_TIPS = 2_000
MOST_COMMITS = 1_000  # commits that are looked at
_MOST_STEPS = 4 * MOST_COMMITS  # of reflogs: a commit stands in that of its work tree and that of its branch
_MADE = re.compile(
    r"commit|rulec: |cherry-pick|revert|am|merge .*Merge made|.*\((?:pick|squash|fixup|reword|edit|continue)\)"
)
TouchedPaths = Mapping[str, frozenset[str]]  # commit -> its paths


def begin_record(top: Path) -> None:
    """Note once which commits were here before the gate."""
    place = state.state_dir(top) / _SINCE_FILE
    if not place.exists():
        _write_tips(top, place)


def _write_tips(top: Path, place: Path) -> None:
    tips = git_session.git_output(top, "for-each-ref", "--format=%(objectname)", f"--count={_MOST_TIPS}").split()
    names = dict.fromkeys([*filter(None, [git_session.head_commit(top)]), *tips])
    text_files.write_atomically(place, "".join(f"{name}\n" for name in names).encode(), mode=0o600)


def has_record(top: Path) -> bool:
    """Whether the commits from before the gate were noted."""
    return (state.state_dir(top) / _SINCE_FILE).is_file()


def exclude_before(top: Path) -> list[str]:
    """Arguments for git that exclude the commits from before the gate and all behind them."""
    place = state.state_dir(top) / _SINCE_FILE
    return [f"^{name}" for name in place.read_text("ascii", "replace").split()] if place.is_file() else []


def rules_tree(top: Path, revision: str) -> str:
    """The tree of the compiled rules that a commit holds, "" where it holds none."""
    return _rules_trees(top, [revision])[0]


def note_passed(top: Path, marks: Iterable[str], rules: str = "") -> None:
    """Note that a gate passed changes by some rules; a change that cannot be noted is judged again at the push."""
    with suppress(OSError, RulecError):
        begin_record(top)
        folder = state.state_dir(top)
        words = [git_changes.mark_under_rules(mark, rules) for mark in marks if mark]
        if state.append_bounded(folder / PASSED_FILE, words, _PASSED_BYTES):
            _write_tips(top, folder / _SINCE_FILE)  # forgotten changes count as there before the gate


def note_own_commit(top: Path, commit: str, parent: str | None) -> None:
    """Note a commit that rulec made on top of another: it was proved when it was made."""
    made = _marks_between(top, {commit: parent or ""})
    note_passed(top, [mark for mark, _ in made.values()], rules_tree(top, parent) if parent else "")


def note_approved_commit(top: Path, commit: str) -> None:
    """Note a commit that a person approved."""
    note_passed(top, commit_marks(top, [commit]), rules_tree(top, f"{commit}^"))


def note_passed_since(top: Path, base: str) -> None:
    """Note that the commits since a base were judged as a whole, in a clone that has gates."""
    if has_record(top):
        names = git_session.git_output(top, "rev-list", f"-n{MOST_COMMITS}", f"{base}..HEAD").split()
        note_passed(top, commit_marks(top, names), rules_tree(top, base))


def has_passed(top: Path, mark: str, rules: str = "") -> bool:
    """Whether a gate passed this change by these rules."""
    return not mark or git_changes.mark_under_rules(mark, rules) in _passed_marks(top)


def unseen_commits(top: Path, names: Sequence[str], where: str | None = None) -> TouchedPaths:
    """Those of some commits, the newest first, that no gate has seen, each with the paths that it touches.

    A gate has seen a commit where it judged it by the rules that the commit was made under, or by those ``where`` it
    goes and by what such commits made of them. An amended commit was judged step by step: first as it was, then what
    the amendment added to it.
    """
    made, known = _marked_commits(top, names), _passed_marks(top)
    held, steps = _rules_around(top, made), cache(lambda: _amendments(top))
    good = set() if where is None else {where}
    new = []
    for name in reversed(made):
        before, after = held[name]
        under = good or {before}
        mark = made[name][0]
        if not (_is_known_under(mark, under, known) or _passed_step_by_step(top, name, steps, under, known)):
            new.append(name)
        elif good and before in good and mark and not _merges_rules(top, name, before, after):
            good.add(after)
    return {name: made[name][1] for name in reversed(new)}


def _is_known_under(mark: str, under: Iterable[str], known: frozenset[str]) -> bool:
    return not mark or any(git_changes.mark_under_rules(mark, rules) in known for rules in under)


def _merges_rules(top: Path, name: str, before: str, after: str) -> bool:
    """Whether a commit that has other rules than its parent is a merge, which takes them from where nobody may know."""
    return before != after and len(git_session.commit_parents(top, [name])[name]) > 1


def _rules_around(top: Path, names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The rules before each commit, those of its first parent, and the rules in it."""
    every = list(names)
    both = _rules_trees(top, [*(f"{name}^" for name in every), *every])
    return dict(zip(every, zip(both[: len(every)], both[len(every) :], strict=True), strict=True))


def _rules_trees(top: Path, revisions: Sequence[str]) -> list[str]:
    return git_contents.tree_ids(top, [f"{name}:{COMPILED_FOLDER}" for name in revisions])


def local_commits(top: Path) -> list[str]:
    """The commits behind HEAD that came to be in this clone since it has a gate, the newest first.

    What no remote has was made here, and so was what the reflog tells of so, whoever has it by now.
    """
    asked = "".join(f"{name}\n" for name in ("HEAD", *exclude_before(top))).encode()
    how = ("--ignore-missing", f"-n{MOST_COMMITS}", "--stdin")
    behind = git_session.run_git(top, "rev-list", *how, stdin=asked).text.split()
    ours = set(git_session.run_git(top, "rev-list", *how, "--not", "--remotes", stdin=asked).text.split())
    ours |= {name for name, _ in _made_here(top)}
    return [name for name in behind if name in ours]


def commit_marks(top: Path, names: Sequence[str]) -> list[str]:
    """What some commits changed, as a gate would have noted it."""
    return [mark for mark, _ in _marked_commits(top, names).values()]


def _passed_marks(top: Path) -> frozenset[str]:
    place = state.state_dir(top) / PASSED_FILE
    return frozenset(place.read_text("ascii", "replace").split()) if place.is_file() else frozenset()


def _marked_commits(top: Path, names: Sequence[str]) -> dict[str, tuple[str, frozenset[str]]]:
    """Each commit's change against its first parent: its mark and the paths that it touches."""
    parents = git_session.commit_parents(top, names)
    made = _marks_between(top, {name: (parents[name] or ("",))[0] for name in names if name in parents})
    return {
        name: (git_changes.mark_under_rules(mark, " ".join(sorted(parents[name][1:]))), at)
        for name, (mark, at) in made.items()
    }


def _marks_between(top: Path, pairs: Mapping[str, str]) -> dict[str, tuple[str, frozenset[str]]]:
    asked = "".join(f"{new} {old}".rstrip() + "\n" for new, old in pairs.items()).encode()
    shape = ("-z", "--raw", "--no-renames", "--full-index", "-r")
    out = (
        git_session.run_git(top, "diff-tree", "--stdin", "--root", "--always", *shape, stdin=asked).out
        if pairs
        else b""
    )
    found, at = {}, 0
    for name in pairs:
        entries, at = git_changes.read_raw_diff(out, at + len(name) + 1)
        paths = (path for entry in entries for path in (entry.path, entry.old_path))
        found[name] = git_changes.change_mark(entries), frozenset(paths)
    return found


def _amendments(top: Path) -> dict[str, str]:
    """Commits by what took their place where they were made."""
    return {new: old for new, old in reversed(list(_made_here(top))) if old not in ("", new)}


def _made_here(top: Path) -> Iterator[tuple[str, str]]:
    """Commits made in this clone, each with what stood there before it, as the reflogs of all its work trees tell."""
    told = git_session.run_git(
        top, "log", "-g", "--format=%H %gD %gs", f"-n{_MOST_STEPS}", "HEAD", "--all"
    ).text.splitlines()
    entries = [
        (name, where.partition("@{")[0], how) for name, where, how in (f"{line}  ".split(" ", 2) for line in told)
    ]
    before, last = [""] * len(entries), dict[str, int]()
    for at, (name, log, _) in enumerate(entries):  # git tells of several reflogs at once, mixed by the second
        if log in last:
            before[last[log]] = name
        last[log] = at
    yield from ((name, old) for (name, _, how), old in zip(entries, before, strict=True) if _MADE.match(how))


def _passed_step_by_step(
    top: Path, name: str, steps: Callable[[], Mapping[str, str]], under: Iterable[str], known: frozenset[str]
) -> bool:
    """Whether a commit came to be by amendments, each judged by the rules of what it amends."""
    pairs: dict[str, str] = {}
    while (old := steps().get(name)) and name not in pairs and len(pairs) < MOST_COMMITS:
        pairs[name] = old
        name = old
    chain = [*pairs, name]
    parents = git_session.commit_parents(top, chain)
    between = _marks_between(top, pairs)
    alone = {commit: mark for commit, (mark, _) in _marked_commits(top, chain).items()}
    held = dict(zip(chain, _rules_trees(top, chain), strict=True))
    for new, old in pairs.items():
        if parents.get(new) != parents.get(old):
            return False
        if not _is_known_under(between[new][0], {*under, held[old]}, known):
            return False
        if _is_known_under(alone[old], under, known):
            return True
    return False
