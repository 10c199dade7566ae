"""A rule -> what it finds of what is there: the files at HEAD, and what agents did in sessions here.

A handful of old offences is usual and told. A rule that finds much of what is there means more than was said, or its
check does: it is held back until a person has seen it. The last commits are looked at by _past.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from rulec.commands import _build, _past, _past_sessions
from rulec.commands._observe import observe
from rulec.commands._verdicts import theirs
from rulec.errors import RulecError
from rulec.host import clock, git
from rulec.host.changes import tree_of_head
from rulec.model.artifact import COMPILED, Artifact, of_changes, of_judge
from rulec.model.change import Change, FileChange
from rulec.model.finding import Finding
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.backtest import Hindsight, is_many

MOST_FILES, MOST_BYTES = 400, 2_000_000  # of HEAD that are looked at
LARGEST = 200_000  # bytes of one of them
MANY, MANY_AT_LEAST = 0.1, 6  # of the files that are looked at: more is no handful any more
SECONDS = 0.5  # for sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class There:
    """How much of what is there a rule finds."""

    files: int = 0  # at HEAD with a finding
    looked_at: int = 0
    sessions: Hindsight | None = None
    voiced: int = 0  # sessions in which a person said it: what it finds there is what they objected to

    @property
    def line(self) -> str:
        """For a card; "" where nothing is found."""
        parts = [f"already there: {self.files} of {self.looked_at} files at HEAD"] * bool(self.files)
        if self.sessions and self.sessions.refusals:
            parts.append(f"{len(self.sessions.refusals)} of {self.sessions.looked_at} sessions would have met it")
        return "; ".join(parts)

    @property
    def held_back(self) -> str:
        """Why nobody should accept the rule unseen, "" where it finds a handful at most."""
        if self.files >= max(MANY_AT_LEAST, MANY * self.looked_at):
            return (
                f"it finds {self.files} of the {self.looked_at} files at HEAD: see that it means no more than was said"
            )
        if self.sessions and is_many(replace(self.sessions, refusals=self.sessions.refusals[self.voiced :])):
            refused = f"{len(self.sessions.refusals)} of {self.sessions.looked_at}"
            return f"{refused} sessions here would have met it: see that it means no more than was said"
        return ""


def look(top: Path, book: Rulebook, rule: Rule, seconds: float = SECONDS, *, keep: bool = True) -> There:
    """What a rule that holds its proof finds of what is there; nothing where that cannot be looked at.

    Sessions are looked at for so many seconds, and not at all for none; what they show is kept for the next time, but
    where ``keep`` says not to.
    """
    if not rule.checks:
        return There()
    try:
        artifacts = _build.of_rule(book, rule, top)
        files, looked_at = _at_head(top, artifacts)
        own = _past.ruled(book, rule, top)
        acts = own.actions and seconds > 0
        left = clock.countdown(seconds)
        sights = _past_sessions.look(top, [own], left, lambda _: None, keep=keep)[1] if acts else []
    except RulecError:  # what cannot be read speaks neither for a rule nor against it
        return There()
    return There(files=files, looked_at=looked_at, sessions=next(iter(sights), None))


def _at_head(top: Path, artifacts: Sequence[Artifact]) -> tuple[int, int]:
    """How many of the files at HEAD the checks of what files hold find something in, and how many were looked at."""
    own = [artifact for artifact in artifacts if _of_contents(artifact)]
    tree = tree_of_head(top) if own else None
    if tree is None:
        return 0, 0
    paths = sorted(path for path in tree.paths() if "\n" not in path)
    step = max(1, len(paths) // MOST_FILES)  # of a large repository some of every part
    some = paths[::step][:MOST_FILES]
    contents = git.blobs(top, [f"HEAD:{path}" for path in some], LARGEST)
    known = [(path, data) for path, data in zip(some, contents, strict=True) if data is not None and b"\0" not in data]
    whole = theirs(Change(files=tuple(FileChange(path=path, content=data) for path, data in _within(known))))
    found = {item.path for item in observe(own, whole) if isinstance(item, Finding)}
    return len(found), len(whole.files)


def _within(known: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The first files that are not too much to look at."""
    size, count = 0, 0
    for _, data in known:
        size += len(data)
        if size > MOST_BYTES:
            break
        count += 1
    return list(islice(known, count))


def _of_contents(artifact: Artifact) -> bool:
    """Whether a check is of what stands in files, and not of what is done to them."""
    if of_judge(artifact) or of_changes(artifact):
        return False
    return not artifact.path.startswith(f"{COMPILED}/guard/") or '"on": "text"' in (artifact.text or "")
