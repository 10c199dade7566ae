"""Findings with which an agent's turn ended anyway: they block the commit of that work until a person approves it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.domain.artifact import Artifact, slug_of_artifact
from rulec.domain.change import Change
from rulec.domain.enforcement import refuses
from rulec.domain.finding import Finding, Verdict
from rulec.hook.session.session_rules import OLDEST
from rulec.infra import clock, state

NAME = "waived"  # as the hook of the agent names it
_CURE = "; the next end of a turn that has it lets the commit through, and so does a person by rulec approve"


def debt_verdicts(top: Path, artifacts: Sequence[Artifact], change: Change) -> list[Verdict]:
    """A blocking verdict for each open debt whose files are in the change and whose rule still blocks."""
    touched = {path for file in change.files for path in (file.path, file.old_path) if path}
    lacks = [
        one for entry in _read_debts(top) if touched.intersection(_strings_in(entry, "paths")) for one in entry["lacks"]
    ]
    if not lacks:
        return []
    texts = {slug_of_artifact(a.path): a.text or "" for a in artifacts if a.kind == "guard"}
    known = {one["slug"]: one for one in lacks if one["slug"] in texts}
    told = ((registry.checker("guard").facts(texts[slug]), one) for slug, one in known.items())
    return [
        Verdict(
            outcome=facts.enforcement,
            facts=facts,
            finding=Finding(slug=facts.slug, text=f"a turn was let end: {one['text']}", cure=f"{one['cure']}{_CURE}"),
        )
        for facts, one in told
        if refuses(facts.enforcement)
    ]


def open_debts(top: Path) -> list[str]:
    """The open debts of this work tree, in words."""
    return [f"{one['slug']}: {one['text']}" for entry in _read_debts(top) for one in entry["lacks"]]


def clear_debts(top: Path) -> None:
    """Remove all debts of this work tree, as a person's approval."""

    def others(known: object) -> dict[str, Any]:
        return (
            {key: one for key, one in known.items() if not _is_open_here(top, one)} if isinstance(known, dict) else {}
        )

    state.update_state(top, NAME, others)


def _read_debts(top: Path) -> list[dict[str, Any]]:
    known = state.read_state(top, NAME)
    entries = [one for one in known.values() if _is_open_here(top, one)] if isinstance(known, dict) else []
    return [{**one, "lacks": [lack for lack in one["lacks"] if _is_complete(lack)]} for one in entries]


def _is_open_here(top: Path, entry: object) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("at"), int | float):
        return False
    own = entry.get("root") == str(top.resolve()) and isinstance(entry.get("lacks"), list)
    return own and entry["at"] > clock.epoch_seconds() - OLDEST


def _is_complete(lack: object) -> bool:
    return isinstance(lack, dict) and all(isinstance(lack.get(key), str) for key in ("slug", "text", "cure"))


def _strings_in(entry: dict[str, Any], key: str) -> list[str]:
    found = entry.get(key)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
