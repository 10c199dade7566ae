"""``rulec export``: the rules in words, as one of the documents that agents read."""

from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.commands import _build
from rulec.commands._outcome import Outcome
from rulec.errors import RulecError
from rulec.host import worktree
from rulec.stages.plan import plan


def run(top: Path, name: str, most: int | None = None) -> Outcome:
    """The document that the emitter of that name writes, with nothing but our part in it."""
    known = {each.name: each for each in registry.emitters().values() if each.document}
    if name not in known:
        raise RulecError(f"no document {name!r}", hint=f"known are {', '.join(sorted(known))}")
    wanted = plan(worktree.load(top))
    if most:
        wanted = replace(wanted, budget=most)
    text = "".join(file.text or "" for file in known[name].emit(wanted, _build.library(top).render, {}))
    return Outcome(text.rstrip("\n"), data={"document": name, "text": text})
