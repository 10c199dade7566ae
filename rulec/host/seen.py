"""Which changes a gate of this clone has let through, and so which commits no gate has seen."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from rulec.errors import RulecError
from rulec.host import git, journal, quick, rawdiff

# A change is known by what git says of it, blob by blob. That is at hand where a gate judges it, is the same for the
# commit that is made of it, and stays the same where a rebase carries the commit to another parent.
NAME = quick.SEEN
_BEFORE = quick.SINCE
_MOST_TIPS = 2_000
MOST = 1_000  # commits that are looked at
_MADE = re.compile(r"commit|cherry-pick|revert|am|merge .*Merge made|.*\((?:pick|squash|fixup|reword|edit|continue)\)")
Touched = Mapping[str, frozenset[str]]  # commit -> its paths


def begin(top: Path) -> None:
    """What stands in the clone now was there before its gate; once said, this stays as it is."""
    place = journal.state_dir(top) / _BEFORE
    if not place.exists():
        _start(top, place)


def _start(top: Path, place: Path) -> None:
    tips = git.must(top, "for-each-ref", "--format=%(objectname)", f"--count={_MOST_TIPS}").split()
    names = dict.fromkeys([*filter(None, [git.head(top)]), *tips])
    journal.replace(place, "".join(f"{name}\n" for name in names).encode(), mode=0o600)


def begun(top: Path) -> bool:
    """Whether anybody said what stood here before."""
    return (journal.state_dir(top) / _BEFORE).is_file()


def before(top: Path) -> list[str]:
    """The commits that stood here when the gate was put up, for git: each with all that is behind it left out."""
    place = journal.state_dir(top) / _BEFORE
    return [f"^{name}" for name in place.read_text("ascii", "replace").split()] if place.is_file() else []


def note(top: Path, marks: Iterable[str]) -> None:
    """A gate has let these changes through; one that cannot be noted is judged once more where it is pushed."""
    with suppress(OSError, RulecError):
        begin(top)
        place = journal.state_dir(top) / NAME
        if place.exists() and place.stat().st_size > quick.SEEN_LARGEST:
            _forget(top, place)
        quick.add(str(place), filter(None, marks))


def _forget(top: Path, place: Path) -> None:
    """Keep the later half; what is forgotten would else look like what nobody judged."""
    known = place.read_bytes().splitlines(keepends=True)
    journal.replace(place, b"".join(known[len(known) // 2 :]), mode=0o600)
    _start(top, journal.state_dir(top) / _BEFORE)


def note_commit(top: Path, commit: str) -> None:
    """A commit that is rulec's own: it was proved when it was made."""
    note(top, [mark for mark, _ in _made(top, [commit]).values()])


def note_since(top: Path, base: str) -> None:
    """What HEAD adds to a base was judged as a whole; only a clone with gates of its own keeps that in mind."""
    if begun(top):
        names = git.must(top, "rev-list", f"-n{MOST}", f"{base}..HEAD").split()
        note(top, marks(top, names))


def passed(top: Path, mark: str) -> bool:
    """Whether a gate has let this change through."""
    return not mark or mark in _known(top)


def unseen(top: Path, names: Sequence[str]) -> Touched:
    """Those of some commits that no gate has seen, each with the paths that it touches.

    An amended commit was judged step by step: first as it was, then what the amendment added to it.
    """
    known = _known(top)
    made = _made(top, names)
    new = [name for name, (mark, _) in made.items() if mark and mark not in known]
    if new:
        steps = _amendments(top)
        new = [name for name in new if not _by_steps(top, name, steps, known)]
    return {name: made[name][1] for name in new}


def local(top: Path) -> list[str]:
    """The commits behind HEAD that came to be in this clone since it has a gate, the newest first.

    What no remote has was made here, and so was what the reflog tells of so, whoever has it by now.
    """
    asked = "".join(f"{name}\n" for name in ("HEAD", *before(top))).encode()
    how = ("--ignore-missing", f"-n{MOST}", "--stdin")
    behind = git.git(top, "rev-list", *how, stdin=asked).text.split()
    ours = set(git.git(top, "rev-list", *how, "--not", "--remotes", stdin=asked).text.split())
    told = git.git(top, "log", "-g", "--format=%H %gs", f"-n{MOST}", "HEAD").text.splitlines()
    ours |= {name for name, _, how in (line.partition(" ") for line in told) if _MADE.match(how)}
    return [name for name in behind if name in ours]


def marks(top: Path, names: Sequence[str]) -> list[str]:
    """What some commits changed, as a gate would have noted it."""
    return [mark for mark, _ in _made(top, names).values()]


def _known(top: Path) -> frozenset[str]:
    place = journal.state_dir(top) / NAME
    return frozenset(place.read_text("ascii", "replace").split()) if place.is_file() else frozenset()


def _made(top: Path, names: Sequence[str]) -> dict[str, tuple[str, frozenset[str]]]:
    """Each commit's change against its first parent: its mark and the paths that it touches."""
    parents = _parents(top, names)
    return _between(top, {name: (parents[name] or ("",))[0] for name in names if name in parents})


def _parents(top: Path, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    if not names:
        return {}
    asked = "".join(f"{name}\n" for name in names).encode()
    lines = git.must(top, "rev-list", "--no-walk=unsorted", "--parents", "--stdin", stdin=asked).splitlines()
    return {line.split()[0]: tuple(line.split()[1:]) for line in lines}


def _between(top: Path, pairs: Mapping[str, str]) -> dict[str, tuple[str, frozenset[str]]]:
    asked = "".join(f"{new} {old}".rstrip() + "\n" for new, old in pairs.items()).encode()
    shape = ("-z", "--raw", "--no-renames", "--full-index", "-r")
    out = git.git(top, "diff-tree", "--stdin", "--root", "--always", *shape, stdin=asked).out if pairs else b""
    found, at = {}, 0
    for name in pairs:
        entries, at = rawdiff.read_raw(out, at + len(name) + 1)
        paths = (path for entry in entries for path in (entry.path, entry.old_path))
        found[name] = rawdiff.mark_of(entries), frozenset(paths)
    return found


def _amendments(top: Path) -> dict[str, str]:
    """Commits by what took their place at HEAD, as its reflog tells it."""
    done = git.git(top, "log", "-g", "--format=%H", f"-n{MOST}", "HEAD")
    return dict(pairwise(done.text.split()))


def _by_steps(top: Path, name: str, steps: Mapping[str, str], known: frozenset[str]) -> bool:
    pairs: dict[str, str] = {}
    while (old := steps.get(name)) and name not in pairs and len(pairs) < MOST:
        pairs[name] = old
        name = old
    chain = [*pairs, name]
    parents = _parents(top, chain)
    between = _between(top, pairs)
    alone = {commit: mark for commit, (mark, _) in _made(top, chain).items()}
    for new, old in pairs.items():
        if parents.get(new) != parents.get(old):
            return False
        mark = between[new][0]
        if mark and mark not in known:
            return False
        if not alone[old] or alone[old] in known:
            return True
    return False
