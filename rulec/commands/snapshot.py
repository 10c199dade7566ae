"""``rulec snapshot``: the few rules worth saying now, for a path, an agent and a task."""

import posixpath
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulec.commands._outcome import Outcome
from rulec.errors import RulecError
from rulec.host import footprint, personal, worktree
from rulec.model.rulebook import Rulebook
from rulec.model.said import Said
from rulec.runtime import projects, reach, sayings, shelf
from rulec.stages.plan import plan
from rulec.stages.rank import rank
from rulec.stages.say import record

KEPT = "snapshot.json"  # in the cache folder
NONE = "no rulebook yet, so no rules to say; next: rulec init"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """For whom and for what; "" is not known, and leaves nothing out."""

    path: str = ""  # as the person gave it
    agent: str = ""
    task: str = ""
    max_tokens: int = reach.MOST_TOKENS


def run(top: Path, here: Path, wanted: Wanted) -> Outcome:
    """The active rules that apply, as an agent reads them; the data holds what was left out, and why."""
    if not worktree.exists(top):
        return Outcome(f"{top}: {NONE}", data={"rules": [], "dropped": [], "text": "", "tokens": 0, "note": NONE})
    path = _within(top, here, wanted.path) if wanted.path else ""
    said = rank(
        [*records(top), *_own_records(top)],
        path=path,
        agent=wanted.agent,
        task=wanted.task,
        projects=projects.names(str(top)),
        max_tokens=wanted.max_tokens,
    )
    return Outcome(said.text or _nothing(said), data=_data(said, wanted, path))


def records(top: Path) -> list[dict[str, Any]]:
    """What rank needs to know of a rulebook's rules, from the cache where no file of it changed."""
    stamp = footprint.stamp(top)
    found = shelf.kept(str(top), KEPT, stamp)
    if found is None:
        found = _records(worktree.load(top))
        shelf.keep(str(top), KEPT, stamp, found)
    return found


def _records(book: Rulebook) -> list[dict[str, Any]]:
    seen = {slug: [(item.kind, item.weight, item.at) for item in items] for slug, items in book.evidence.items()}
    return [sayings.ready(record(rule), seen.get(rule.slug, ())) for rule in plan(book).rules]


def _own_records(top: Path) -> list[dict[str, Any]]:
    """The person's own rules that contradict none of the team's."""
    here = personal.seen_from(top)
    if here is None:
        return []
    lost = personal.weighed(top, here)
    if lost is None:
        from rulec.commands import _own  # noqa: PLC0415 - 50 ms that are paid once after a rulebook changed

        _own.own(top, worktree.load(top))
        lost = personal.weighed(top, here) or {}
    return [{**rule, "layer": personal.LAYER} for rule in records(here) if rule["slug"] not in lost]


def _within(top: Path, here: Path, path: str) -> str:
    """The path from the top, with a "/" behind a folder."""
    whole = posixpath.normpath(posixpath.join(here.resolve().as_posix(), path))
    root = top.resolve().as_posix().rstrip("/")
    if whole == root:
        return ""
    if not whole.startswith(f"{root}/"):
        raise RulecError("lies outside the repository", where=path, hint=f"name a path below {top}")
    folder = path.endswith("/") or Path(whole).is_dir()
    return whole[len(root) + 1 :] + "/" * folder


def _nothing(said: Said) -> str:
    kinds = Counter(one.kind for one in said.dropped)
    told = ", ".join(f"{number} {_KINDS[kind]}" for kind, number in sorted(kinds.items()))
    return f"nothing to say here ({told})" if told else "no rule holds yet; next: rulec ingest TRANSCRIPT, or rulec add"


_KINDS = {
    "path": "not for this path",
    "agent": "for other agents",
    "environment": "for CI alone",
    "project": "for other repositories",
    "dormant": "dormant",
    "task": "not about this task",
    "layer": "of the same name as another",
    "said": "said before",
    "rules": f"over {reach.MOST_RULES} rules",
    "tokens": "over the budget",
}


def left_out(data: dict[str, Any]) -> str:
    """What was left out in a line of counts, "" where nothing was."""
    kinds = Counter(one["kind"] for one in data["dropped"])
    return ", ".join(f"{number} {_KINDS[kind]}" for kind, number in sorted(kinds.items()))


def _data(said: Said, wanted: Wanted, path: str) -> dict[str, Any]:
    return {
        "rules": [asdict(line) for line in said.lines],
        "dropped": [{"slug": one.slug, "kind": one.kind, "because": one.because} for one in said.dropped],
        "text": said.text,
        "tokens": said.tokens,
        "max_tokens": wanted.max_tokens,
        "path": path,
        "agent": wanted.agent,
        "task": wanted.task,
    }
