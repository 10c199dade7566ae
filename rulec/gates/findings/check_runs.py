"""Runs compiled checks over changes, with as few processes as that takes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulec import registry
from rulec.domain.artifact import Artifact, judges_whole_changes
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.outcome import Tick, ignore_tick
from rulec.domain.plugs import Checker
from rulec.errors import RulecError
from rulec.infra import jobs


def split_by_size(change: Change, largest: int, weight: Callable[[FileChange], int]) -> Iterator[Change]:
    """The change in pieces of at most ``largest`` bytes each: what one process holds at a time."""
    held: list[FileChange] = []
    size = 0
    for file in change.files:
        size += weight(file)
        if held and size > largest:
            yield replace(change, files=tuple(held))
            held, size = [], weight(file)
        held.append(file)
    if held or not change.files:
        yield replace(change, files=tuple(held))


Observed = list[Finding | Fault]
LARGEST_BATCH = 8_000_000  # bytes of files that one process is given
_WHO = '"who": ["'
_ENVIRONMENTS = '"environments": ["'  # bare quotes end a text in JSON, so that no text can look like this key
OVERHEAD = 10_000  # what a file costs besides its length
WORTH_ASKING = 20_000  # pairs of rules and files from which on it costs less to ask than to try them all


def by_checker(artifacts: Sequence[Artifact]) -> Iterator[tuple[Checker, list[Artifact]]]:
    """Each checker with its artifacts."""
    for name in sorted({artifact.kind for artifact in artifacts}):
        yield registry.checker(name), [a for a in artifacts if a.kind == name]


def run_checks(artifacts: Sequence[Artifact], change: Change, tick: Tick = ignore_tick) -> Observed:
    """Everything that the artifacts find in one change: one process for each kind of check and each 8 MB of files."""
    holding = in_environment(artifacts, change.environment)
    by_file = [one for one in holding if _looks_at_each_file_alone(one)]
    together = [one for one in holding if not _looks_at_each_file_alone(one)]
    kinds = list(by_checker(by_file))
    seen = [item for checker, some in kinds for item in _each(checker, some, change, lambda n: tick(n // len(kinds)))]
    return seen + [item for checker, some in by_checker(together) for item in _run(checker, some, change)]


def _looks_at_each_file_alone(artifact: Artifact) -> bool:
    return registry.checker(artifact.kind).by_file and not judges_whole_changes(artifact)


def _each(checker: Checker, artifacts: Sequence[Artifact], change: Change, tick: Tick) -> Observed:
    """What a checker that looks at each file alone finds, some files at a time."""
    seen: Observed = []
    knowing = _knowing(checker, artifacts, change)
    for piece in split_by_size(change, LARGEST_BATCH, file_cost):
        seen += _run(checker, knowing, piece)
        tick(sum(map(file_cost, piece.files)))
    return list(dict.fromkeys(seen))  # what concerns no file is said of each piece


def file_cost(file: FileChange) -> int:
    """The bytes that a file adds to a process."""
    return len(file.content or b"") + OVERHEAD


def _knowing(checker: Checker, artifacts: Sequence[Artifact], change: Change) -> Sequence[Artifact]:
    """The artifacts with the literals a file must hold for them to find anything, where computing them pays."""
    unknown = [artifact for artifact in artifacts if not artifact.needs]
    if len(unknown) * len(change.files) < WORTH_ASKING:
        return artifacts
    return learn_needs(checker, artifacts)


def learn_needs(checker: Checker, artifacts: Sequence[Artifact]) -> list[Artifact]:
    """The artifacts with the literals a file must hold for them to find anything, as far as their tool knows."""
    unknown = [artifact for artifact in artifacts if not artifact.needs]
    told = iter(checker.learned(unknown, jobs.run_jobs(checker.learn(unknown), Change())))
    return [artifact if artifact.needs else next(told) for artifact in artifacts]


def in_environment(artifacts: Sequence[Artifact], environment: str) -> Sequence[Artifact]:
    """The artifacts whose rules apply in an environment; damaged ones are kept, so that they are reported."""
    if not any(key in (artifact.text or "") for artifact in artifacts for key in (_ENVIRONMENTS, _WHO)):
        return artifacts
    return [artifact for artifact in artifacts if _holds_in(artifact, environment)]


def _holds_in(artifact: Artifact, environment: str) -> bool:
    try:
        facts = registry.checker(artifact.kind).facts(artifact.text or "")
    except (ValueError, KeyError, TypeError, RulecError):
        return True
    if environment and facts.scope.who and artifact.kind != "guard":  # a guard knows whether an agent acts
        return False
    wanted = facts.scope.environments
    if environment and wanted and environment not in wanted:
        return False
    return not any(one.only_in(environment) for one in facts.exceptions)


def _run(checker: Checker, artifacts: Sequence[Artifact], change: Change) -> Observed:
    outputs = jobs.run_jobs(checker.jobs(artifacts, change), change)
    again = checker.retry(artifacts, change, outputs) if outputs else ()
    if again:
        outputs = [*outputs, *jobs.run_jobs(again, change)]
    return list(checker.findings(artifacts, change, outputs))


def run_checks_each(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Observed]:
    """What the artifacts find in each of many changes, with as few processes as that takes."""
    seen: list[Observed] = [[] for _ in changes]
    for place in dict.fromkeys(change.environment for change in changes):
        own = {index: change for index, change in enumerate(changes) if change.environment == place}
        for checker, holding in by_checker(in_environment(artifacts, place)):
            if checker.name == "semgrep":
                for batch in _batches(own):
                    _run_batch(checker, holding, batch, seen, place)
            else:
                for index, change in own.items():
                    seen[index] += _run(checker, holding, change)
    return seen


Contents = dict[tuple[str, bytes], list[int]]  # path and content -> the changes that have it


def _batches(changes: Mapping[int, Change]) -> Iterator[Contents]:
    """The changed files, each content at each path once, in batches of what one process should hold."""
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


def _run_batch(
    checker: Checker, artifacts: Sequence[Artifact], batch: Contents, seen: list[Observed], environment: str
) -> None:
    """Check files of many changes in one process, each in a folder of its own: a start costs more than the files."""
    places = {f"{number}/{path}": (path, content) for number, (path, content) in enumerate(batch)}
    files = tuple(FileChange(path=path, content=content, at=at) for at, (path, content) in places.items())
    everywhere = [index for indexes in batch.values() for index in indexes]
    for item in _run(checker, artifacts, Change(files=files, environment=environment)):
        path, content = places.get(item.path, ("", b""))
        told = replace(item, path=path)
        for index in dict.fromkeys(batch[path, content] if path else everywhere):
            if told not in seen[index]:
                seen[index].append(told)
