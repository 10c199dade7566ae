"""The rules in words: those that hold for a path, an agent and a task, as far as there is room, or as a document."""

import posixpath
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.checkout import contrary_rules, personal_scope, record_cache
from rulec.compiling import artifacts
from rulec.compiling.agent_briefing import rule_record
from rulec.compiling.compile_planning import make_plan
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.gates import personal_rules
from rulec.guard.precedence import timestamp
from rulec.infra import clock
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.reminders import selection
from rulec.reminders.rule_records import build_index, ranked_record
from rulec.reminders.rule_text import count_tokens
from rulec.rulebook.rulebook import Rulebook
from rulec.weights import person_bonus


def export_document(top: Path, name: str, most: int | None = None) -> Outcome:
    """An instruction document with nothing but the rules."""
    known = {each.name: each for each in registry.emitters().values() if each.document}
    if name not in known:
        raise RulecError(f"no document {name!r}", hint=f"known are {', '.join(sorted(known))}")
    wanted = replace(make_plan(rulebook_files.load_rulebook(top)), spelled_out=True)
    if most:
        wanted = replace(wanted, budget=most)
    text = "".join(file.text or "" for file in known[name].emit(wanted, artifacts.template_library(top).render, {}))
    return Outcome(text.rstrip("\n"), data={"document": name, "text": text})


KEPT, INDEX = "snapshot", "snapshot-index"  # in the cache folder
NONE = "no rulebook yet, so no rules; next: rulec init"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRequest:
    """The path, agent and task to select rules for; "" is unknown and excludes nothing."""

    path: str = ""  # as the person gave it
    agent: str = ""
    task: str = ""
    tags: tuple[str, ...] = ()
    max_tokens: int = selection.MOST_TOKENS
    max_rules: int = 0  # 0 is any number


def take_snapshot(top: Path, here: Path, wanted: SnapshotRequest) -> Outcome:
    """The active rules that apply, as text for an agent; the data lists what was left out, and why.

    They rank as they do for the person whose machine this is.
    """
    if not rulebook_files.has_rulebook(top):
        return Outcome(f"{top}: {NONE}", data={"rules": [], "dropped": [], "text": "", "tokens": 0, "note": NONE})
    rules, index = _indexed_records(top)
    asked = selection.Audience(
        path=path_within(top, here, wanted.path) if wanted.path else "",
        agent=wanted.agent,
        task=wanted.task,
        max_rules=wanted.max_rules,
        max_tokens=wanted.max_tokens,
        tags=wanted.tags,
        now=timestamp(clock.now()),
        projects=personal_scope.repository_names(str(top)),
        bonus=person_bonus.bonuses(str(top), rules),
    )
    asked.contrary = contrary_rules.contrary_keys(str(top))
    said = selection.rank_rules(rules, asked, index)
    return Outcome(said.text() or _nothing(said), data=_data(said, asked))


def rule_records(top: Path) -> list[dict[str, Any]]:
    """What ranking needs to know of the rules, cached until a file changes."""
    stamp = rulebook_files.rulebook_stamp(top)
    found = record_cache.load_records(str(top), KEPT, stamp)
    if found is None:
        found = _records(rulebook_files.load_rulebook(top))
        record_cache.save_records(str(top), KEPT, stamp, found)
    return found


def _indexed_records(top: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The team's records and the personal ones that contradict none, and the index of each rulebook."""
    own = _own_records(top)
    rules = [*rule_records(top), *own]
    index = [_index(top), build_index(str(personal_rulebook.personal_for(top) or top), own)]
    return rules, index


def _index(top: Path) -> dict[str, Any]:
    """The index from the words of a task to the team's records, cached until a file changes."""
    stamp = rulebook_files.rulebook_stamp(top)
    known = record_cache.load_records(str(top), INDEX, stamp)
    if not known:
        known = [build_index(str(top), rule_records(top))]
        record_cache.save_records(str(top), INDEX, stamp, known)
    index: dict[str, Any] = known[0]
    return index


def _records(book: Rulebook) -> list[dict[str, Any]]:
    seen = {slug: [(item.kind, item.weight, item.at) for item in items] for slug, items in book.evidence.items()}
    return [ranked_record(rule_record(rule), seen.get(rule.slug, ())) for rule in make_plan(book).rules]


def _own_records(top: Path) -> list[dict[str, Any]]:
    """The personal rules that contradict no rule of the team."""
    here = personal_rulebook.personal_for(top)
    if here is None:
        return []
    lost = personal_rules.overruled_rules(top, here)
    return [
        {**rule, "layer": personal_rulebook.PERSONAL_LAYER} for rule in rule_records(here) if rule["slug"] not in lost
    ]


def path_within(top: Path, here: Path, path: str) -> str:
    """The path relative to the repository; folders end in "/"."""
    whole = posixpath.normpath(posixpath.join(here.resolve().as_posix(), path))
    root = top.resolve().as_posix().rstrip("/")
    if whole == root:
        return ""
    if not whole.startswith(f"{root}/"):
        raise RulecError("lies outside the repository", where=path, hint=f"name a path below {top}")
    folder = path.endswith("/") or Path(whole).is_dir()
    return whole[len(root) + 1 :] + "/" * folder


def _nothing(said: selection.RankedRules) -> str:
    kinds = Counter(kind for _, kind, _ in said.dropped)
    told = ", ".join(f"{number} {_KINDS[kind]}" for kind, number in sorted(kinds.items()))
    return f"nothing to say here ({told})" if told else "no rules yet; next: rulec ingest TRANSCRIPT, or rulec add"


_KINDS = {
    "path": "not for this path",
    "agent": "for other agents",
    "environment": "for other environments",
    "tags": "with other tags",
    "contrary": "contradicted by another",
    "project": "for other repositories",
    "dormant": "dormant",
    "layer": "of the same name as another",
    "rules": "over the number of rules",
    "tokens": "over the budget",
}


def count_left_out(data: dict[str, Any]) -> str:
    """One line with counts of what was left out, "" for nothing."""
    kinds = Counter(one["kind"] for one in data["dropped"])
    return ", ".join(f"{number} {_KINDS[kind]}" for kind, number in sorted(kinds.items()))


def _data(said: selection.RankedRules, asked: selection.Audience) -> dict[str, Any]:
    text = said.text()
    return {
        "rules": [_line(rule, line) for rule, line in zip(said.rules, said.lines, strict=True)],
        "dropped": [{"slug": slug, "kind": kind, "because": because} for slug, kind, because in said.dropped],
        "text": text,
        "tokens": count_tokens(text),
        "max_tokens": asked.max_tokens,
        "path": asked.path,
        "agent": asked.agent,
        "task": asked.task,
    }


def _line(rule: dict[str, Any], text: str) -> dict[str, Any]:
    return {
        "slug": rule["slug"],
        "revision": rule.get("revision") or 1,
        "severity": selection.severity_of(rule),
        "layer": rule.get("layer") or "team",
        "text": text,
    }
