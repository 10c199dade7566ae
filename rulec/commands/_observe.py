"""Artifacts and changes -> findings: where checkers meet processes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulec import registry
from rulec.host import process
from rulec.model.artifact import Artifact
from rulec.model.change import Change, FileChange
from rulec.model.finding import Fault, Finding
from rulec.ports import Checker

Seen = list[Finding | Fault]


def by_kind(artifacts: Sequence[Artifact]) -> Iterator[tuple[Checker, list[Artifact]]]:
    """Each checker with its artifacts, which lie in a folder of its name."""
    for name in sorted({artifact.path.split("/")[-2] for artifact in artifacts}):
        yield registry.checker(name), [a for a in artifacts if a.path.split("/")[-2] == name]


def observe(artifacts: Sequence[Artifact], change: Change) -> Seen:
    """All that the artifacts see in one change: one process for each kind of check."""
    return [item for checker, own in by_kind(artifacts) for item in _run(checker, own, change)]


def _run(checker: Checker, artifacts: Sequence[Artifact], change: Change) -> Seen:
    outputs = process.run_all(checker.jobs(artifacts, change), change)
    again = checker.retry(artifacts, change, outputs)
    if again:
        outputs = [*outputs, *process.run_all(again, change)]
    return list(checker.findings(artifacts, change, outputs))


def observe_each(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
    """What the artifacts see in each of many changes, with as few processes as that takes."""
    seen: list[Seen] = [[] for _ in changes]
    for checker, own in by_kind(artifacts):
        if checker.name == "semgrep":
            _in_rounds(checker, own, changes, seen)
        else:
            for index, change in enumerate(changes):
                seen[index] += _run(checker, own, change)
    return seen


def _in_rounds(checker: Checker, artifacts: Sequence[Artifact], changes: Sequence[Change], seen: list[Seen]) -> None:
    """Changes of different files share a process; its start costs more than all they hold."""
    waiting = [
        (index, file) for index, change in enumerate(changes) for file in change.files if file.content is not None
    ]
    while waiting:
        now: dict[str, tuple[int, FileChange]] = {}
        rest: list[tuple[int, FileChange]] = []
        for index, file in waiting:
            if file.path in now:
                rest.append((index, file))
            else:
                now[file.path] = (index, file)
        change = Change(files=tuple(file for _, file in now.values()))
        for item in _run(checker, artifacts, change):
            if isinstance(item, Finding) and item.path in now:
                seen[now[item.path][0]].append(item)
            else:
                for index, _ in now.values():
                    seen[index].append(item)
        waiting = rest


def in_base(artifacts: Sequence[Artifact], change: Change, findings: Sequence[Finding]) -> set[Finding]:
    """Those findings about whole files that the same check makes of the files' old content too."""
    doubted = {f.path for f in findings if f.line == 0 and f.path}
    files = [f for f in change.files if f.path in doubted and f.status in ("M", "R") and f.base is not None]
    if not files:
        return set()
    before = Change(files=tuple(replace(file, content=file.base, status="A", added=None) for file in files))
    slugs = {finding.slug for finding in findings}
    seen = observe([a for a in artifacts if a.path.rpartition("/")[2].split(".")[0] in slugs], before)
    old = {(item.slug, item.path) for item in seen if isinstance(item, Finding)}
    return {finding for finding in findings if finding.line == 0 and (finding.slug, finding.path) in old}
