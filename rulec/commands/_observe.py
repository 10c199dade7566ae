"""Artifacts and changes -> findings: where checkers meet processes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulec import registry
from rulec.errors import RulecError
from rulec.host import process
from rulec.model.artifact import Artifact, compiled_from, of_changes
from rulec.model.change import Change, FileChange
from rulec.model.finding import Fault, Finding
from rulec.ports import Checker

Seen = list[Finding | Fault]
LARGEST_BATCH = 8_000_000  # bytes of files that one process is given
_ENVIRONMENTS = '"environments": ["'  # bare quotes end a text in JSON, so that no text can look like this key
OVERHEAD = 10_000  # what a file costs besides its length


def by_kind(artifacts: Sequence[Artifact]) -> Iterator[tuple[Checker, list[Artifact]]]:
    """Each checker with its artifacts, which lie in a folder of its name."""
    for name in sorted({artifact.path.split("/")[-2] for artifact in artifacts}):
        yield registry.checker(name), [a for a in artifacts if a.path.split("/")[-2] == name]


def observe(artifacts: Sequence[Artifact], change: Change) -> Seen:
    """All that the artifacts see in one change: one process for each kind of check."""
    standing = _standing(artifacts, change.environment)
    return [item for checker, own in by_kind(standing) for item in _run(checker, own, change)]


def _standing(artifacts: Sequence[Artifact], environment: str) -> Sequence[Artifact]:
    """Those whose rules hold in an environment at all; a damaged one stands, so that it is told."""
    if not any(_ENVIRONMENTS in (artifact.text or "") for artifact in artifacts):
        return artifacts
    return [artifact for artifact in artifacts if _holds_in(artifact, environment)]


def _holds_in(artifact: Artifact, environment: str) -> bool:
    try:
        facts = registry.checker(artifact.path.split("/")[-2]).facts(artifact.text or "")
    except (ValueError, KeyError, TypeError, RulecError):
        return True
    wanted = facts.scope.environments
    if environment and wanted and environment not in wanted:
        return False
    return not any(one.only_in(environment) for one in facts.exceptions)


def _run(checker: Checker, artifacts: Sequence[Artifact], change: Change) -> Seen:
    outputs = process.run_all(checker.jobs(artifacts, change), change)
    again = checker.retry(artifacts, change, outputs)
    if again:
        outputs = [*outputs, *process.run_all(again, change)]
    return list(checker.findings(artifacts, change, outputs))


def observe_each(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
    """What the artifacts see in each of many changes, with as few processes as that takes."""
    seen: list[Seen] = [[] for _ in changes]
    for place in dict.fromkeys(change.environment for change in changes):
        own = {index: change for index, change in enumerate(changes) if change.environment == place}
        for checker, standing in by_kind(_standing(artifacts, place)):
            if checker.name == "semgrep":
                for batch in _batches(own):
                    _at_once(checker, standing, batch, seen, place)
            else:
                for index, change in own.items():
                    seen[index] += _run(checker, standing, change)
    return seen


Contents = dict[tuple[str, bytes], list[int]]  # path and content -> the changes that have it


def _batches(changes: Mapping[int, Change]) -> Iterator[Contents]:
    """Each content at each path once, no more of them than one process should hold."""
    batch: Contents = {}
    size = 0
    for index, change in changes.items():
        for file in change.files:
            if file.content is None:
                continue
            if size > LARGEST_BATCH:
                yield batch
                batch, size = {}, 0
            known = batch.setdefault((file.path, file.content), [])
            size += 0 if known else len(file.content) + OVERHEAD
            known.append(index)
    if batch:
        yield batch


def _at_once(
    checker: Checker, artifacts: Sequence[Artifact], batch: Contents, seen: list[Seen], environment: str
) -> None:
    """Files of many changes in one process, each in a folder of its own: its start costs more than all they hold."""
    places = {f"{number}/{path}": (path, content) for number, (path, content) in enumerate(batch)}
    files = tuple(FileChange(path=path, content=content, at=at) for at, (path, content) in places.items())
    everywhere = [index for indexes in batch.values() for index in indexes]
    for item in _run(checker, artifacts, Change(files=files, environment=environment)):
        path, content = places.get(item.path, ("", b""))
        told = replace(item, path=path)
        for index in dict.fromkeys(batch[path, content] if path else everywhere):
            if told not in seen[index]:
                seen[index].append(told)


def in_bases(
    artifacts: Sequence[Artifact], changes: Sequence[Change], findings: Sequence[Sequence[Finding]]
) -> list[set[Finding]]:
    """Of each change those findings on whole or renamed files that the same check makes of what stood there before."""
    files = [{file.path: file for file in change.files if file.base is not None} for change in changes]
    doubted = [_doubted(known, own) for known, own in zip(files, findings, strict=True)]
    slugs = {finding.slug for own in doubted for finding in own}
    if not slugs:
        return [set() for _ in changes]
    same = [a for a in artifacts if compiled_from(a.path) in slugs and not of_changes(a)]
    asked = [number for number, own in enumerate(doubted) if own]
    befores = [_before(files[number][finding.path] for finding in doubted[number]) for number in asked]
    seen = dict(zip(asked, observe_each(same, befores), strict=True))
    return [_old(own, known, seen.get(at, [])) for at, (own, known) in enumerate(zip(doubted, files, strict=True))]


def _doubted(files: Mapping[str, FileChange], findings: Sequence[Finding]) -> list[Finding]:
    return [f for f in findings if (file := files.get(f.path)) and (f.line == 0 or file.status == "R")]


def _before(files: Iterable[FileChange]) -> Change:
    wanted = dict.fromkeys(files)
    before = (replace(f, path=f.old_path or f.path, content=f.base, status="A", added=None) for f in wanted)
    return Change(files=tuple(before))


def _old(findings: Sequence[Finding], files: Mapping[str, FileChange], seen: Seen) -> set[Finding]:
    old = {(item.slug, item.path, item.text) for item in seen if isinstance(item, Finding)}
    return {f for f in findings if (f.slug, files[f.path].old_path or f.path, f.text) in old}
