"""Prints the rules in words, as one of the documents that agents read."""

from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.compiling import artifacts
from rulec.compiling.planning import make_plan
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.infra.rulebooks import work_tree


def export_document(top: Path, name: str, most: int | None = None) -> Outcome:
    """The document that the emitter of that name writes, with nothing but our part in it."""
    known = {each.name: each for each in registry.emitters().values() if each.document}
    if name not in known:
        raise RulecError(f"no document {name!r}", hint=f"known are {', '.join(sorted(known))}")
    wanted = make_plan(work_tree.load_rulebook(top))
    if most:
        wanted = replace(wanted, budget=most)
    text = "".join(file.text or "" for file in known[name].emit(wanted, artifacts.template_library(top).render, {}))
    return Outcome(text.rstrip("\n"), data={"document": name, "text": text})
