"""The few rules worth saying now, for a path, an agent and a task."""

import posixpath
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulec.checkout import record_cache, repository_names
from rulec.compiling.agent_briefing import rank_for_task, rule_record
from rulec.compiling.planning import make_plan
from rulec.compiling.rule_wording import WordedRules
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.infra.rulebooks import personal_rulebook, work_tree
from rulec.reminders import audience
from rulec.reminders.rule_records import ranked_record
from rulec.rulebook.rulebook import Rulebook

KEPT = "snapshot.json"  # in the cache folder
NONE = "no rulebook yet, so no rules to say; next: rulec init"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRequest:
    """For whom and for what; "" is not known, and leaves nothing out."""

    path: str = ""  # as the person gave it
    agent: str = ""
    task: str = ""
    max_tokens: int = audience.MOST_TOKENS


def take_snapshot(top: Path, here: Path, wanted: SnapshotRequest) -> Outcome:
    """The active rules that apply, as an agent reads them; the data holds what was left out, and why."""
    if not work_tree.has_rulebook(top):
        return Outcome(f"{top}: {NONE}", data={"rules": [], "dropped": [], "text": "", "tokens": 0, "note": NONE})
    path = _within(top, here, wanted.path) if wanted.path else ""
    said = rank_for_task(
        [*rule_records(top), *_own_records(top)],
        path=path,
        agent=wanted.agent,
        task=wanted.task,
        projects=repository_names.names_of(str(top)),
        max_tokens=wanted.max_tokens,
    )
    return Outcome(said.text or _nothing(said), data=_data(said, wanted, path))


def rule_records(top: Path) -> list[dict[str, Any]]:
    """What rank needs to know of a rulebook's rules, from the cache where no file of it changed."""
    stamp = work_tree.rulebook_stamp(top)
    found = record_cache.load_records(str(top), KEPT, stamp)
    if found is None:
        found = _records(work_tree.load_rulebook(top))
        record_cache.save_records(str(top), KEPT, stamp, found)
    return found


def _records(book: Rulebook) -> list[dict[str, Any]]:
    seen = {slug: [(item.kind, item.weight, item.at) for item in items] for slug, items in book.evidence.items()}
    return [ranked_record(rule_record(rule), seen.get(rule.slug, ())) for rule in make_plan(book).rules]


def _own_records(top: Path) -> list[dict[str, Any]]:
    """The person's own rules that contradict none of the team's."""
    here = personal_rulebook.personal_for(top)
    if here is None:
        return []
    lost = personal_rulebook.stored_precedence(top, here)
    if lost is None:
        from rulec.gates.trusted import personal_layer  # noqa: PLC0415 - 50 ms that are paid once after a rulebook changed

        personal_layer.weigh_personal_rules(top, work_tree.load_rulebook(top))
        lost = personal_rulebook.stored_precedence(top, here) or {}
    return [
        {**rule, "layer": personal_rulebook.PERSONAL_LAYER} for rule in rule_records(here) if rule["slug"] not in lost
    ]


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


def _nothing(said: WordedRules) -> str:
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
    "rules": f"over {audience.MOST_RULES} rules",
    "tokens": "over the budget",
}


def count_left_out(data: dict[str, Any]) -> str:
    """What was left out in a line of counts, "" where nothing was."""
    kinds = Counter(one["kind"] for one in data["dropped"])
    return ", ".join(f"{number} {_KINDS[kind]}" for kind, number in sorted(kinds.items()))


def _data(said: WordedRules, wanted: SnapshotRequest, path: str) -> dict[str, Any]:
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
