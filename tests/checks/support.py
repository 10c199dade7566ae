"""Artifacts and runs for the tests of checkers: built, run and read as the gate does it."""

from collections.abc import Sequence
from typing import Any

from rulec.domain.artifact import COMPILED_FOLDER, Artifact, PlannedCheck, RuleFacts
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import Checker, JobOutput
from rulec.domain.rule import Rule, Scope
from rulec.infra import jobs


def step(kind: Any, name: str, **scope: tuple[str, ...]) -> PlannedCheck:
    """A step whose rule says nothing of interest."""
    facts = RuleFacts(slug=name, revision=2, statement='Say "no".', do="say yes", scope=Scope(**scope))
    rule = Rule(slug=name, statement="Say no.")
    return PlannedCheck(facts=facts, rule=rule, kind=kind, template="a-template", parameters={}, name=name)


def artifact(checker: Checker, name: str, body: str, **scope: tuple[str, ...]) -> Artifact:
    """The artifact of a rule with this body."""
    text = checker.build(step(checker.name, name, **scope), body)
    return Artifact(path=f"{COMPILED_FOLDER}/{checker.name}/{name}{checker.suffix}", text=text, slug=name)


def change(files: dict[str, str | bytes], message: str | None = None) -> Change:
    """A change that adds these files."""
    contents = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return Change(files=tuple(FileChange(path=path, content=c) for path, c in contents.items()), message=message)


def outputs(checker: Checker, artifacts: Sequence[Artifact], looked_at: Change) -> list[JobOutput]:
    """What the checker's jobs leave behind, those after a failure included."""
    first = jobs.run_jobs(checker.jobs(artifacts, looked_at), looked_at)
    again = checker.retry(artifacts, looked_at, first)
    return [*first, *jobs.run_jobs(again, looked_at)]


def observe(checker: Checker, artifacts: Sequence[Artifact], looked_at: Change) -> list[Finding | Fault]:
    """All that the checker sees."""
    return list(checker.findings(artifacts, looked_at, outputs(checker, artifacts, looked_at)))


def places(seen: Sequence[Finding | Fault]) -> list[tuple[str, str, int]]:
    """Slug, path and line of findings; a fault is told by its slug alone."""
    return [(s.slug, s.path, s.line) if isinstance(s, Finding) else (s.slug, "fault", -1) for s in seen]
