"""Artifacts and changes -> findings: where checkers meet processes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulec import registry
from rulec.host import process
from rulec.model.artifact import Artifact, of_changes
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
            if file.path in now or any(_clash(file.path, path) for path in now):
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


def _clash(one: str, other: str) -> bool:
    """Whether one path is a folder of the other: they cannot lie in one tree."""
    return one.startswith(f"{other}/") or other.startswith(f"{one}/")


def in_base(artifacts: Sequence[Artifact], change: Change, findings: Sequence[Finding]) -> set[Finding]:
    """Those findings on whole or renamed files that the same check makes of the old content at its old path."""
    files = {file.path: file for file in change.files if file.base is not None}
    doubted = [f for f in findings if (file := files.get(f.path)) and (f.line == 0 or file.status == "R")]
    wanted = {files[finding.path] for finding in doubted}
    if not wanted:
        return set()
    before = Change(
        files=tuple(replace(f, path=f.old_path or f.path, content=f.base, status="A", added=None) for f in wanted)
    )
    slugs = {finding.slug for finding in doubted}
    same = [a for a in artifacts if a.path.rpartition("/")[2].split(".")[0] in slugs and not of_changes(a)]
    seen = observe(same, before)
    old = {(item.slug, item.path, item.text) for item in seen if isinstance(item, Finding)}
    return {f for f in doubted if (f.slug, files[f.path].old_path or f.path, f.text) in old}
