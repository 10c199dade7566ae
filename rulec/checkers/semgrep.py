"""Semgrep checks: one rule per artifact, all run by one call of Semgrep's core."""

import json
from collections.abc import Iterator, Mapping, Sequence

from rulec.checkers import _semgrep_copies as copies
from rulec.checkers import _semgrep_languages as languages
from rulec.checkers import _semgrep_output as output
from rulec.checkers import _semgrep_rule as rule
from rulec.checkers._semgrep_rule import Loaded
from rulec.model.artifact import Artifact, facts_in
from rulec.model.change import Change, FileChange
from rulec.model.finding import Fault, Finding
from rulec.ports import Checker, Job, Output

LARGEST = 1_000_000  # bytes of a file that is parsed; Semgrep's own limit, and its parsers are not linear
_SECONDS = 120.0
_TIMEOUT = "10"  # seconds for one rule on one file
_BATCH = 500_000  # bytes of paths on one command line
_CORE = ("{semgrep-core}", "-json_nodots", "-rules", "{scratch}/rules.yaml", "-targets", "{scratch}/targets.json")
_SCAN = (
    "{semgrep}", "scan", "--experimental", "--metrics=off", "--disable-version-check", "--json", "--quiet",
    "--disable-nosem", "--no-git-ignore", "--max-target-bytes=0", f"--timeout={_TIMEOUT}",
    "--config", "{scratch}/rules.yaml",
)  # fmt: skip
Seen = Iterator[Finding | Fault]


def jobs(artifacts: Sequence[Artifact], change: Change) -> list[Job]:
    """One call of the core on all rules and files that meet; none where none do."""
    rules, targets = _meeting(_loaded(artifacts)[0], change)
    if not targets:
        return []
    listed = [
        ["CodeTarget", {"path": {"fpath": path, "ppath": f"/{path}"}, "analyzer": language, "products": ["sast"]}]
        for path, read in targets.items()
        for language in sorted(read)
    ]
    laid = {"rules.yaml": _merged(rules), "targets.json": json.dumps(["Targets", listed], ensure_ascii=False)}
    argv = (*_CORE, "-j", "1", "-fast", "-timeout", _TIMEOUT)
    return [Job(argv=argv, inputs=laid | copies.texts(change, targets), seconds=_SECONDS, folder="{scratch}")]


def retry(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[Output]) -> list[Job]:
    """Where the core failed as a whole: Semgrep's public command; not after a hang, which its parsers would repeat."""
    if not outputs or outputs[0].code is None or output.report(outputs[0]) is not None:
        return []
    rules, targets = _meeting(_loaded(artifacts)[0], change)
    inputs = {"rules.yaml": _merged(rules)} | copies.texts(change, targets)
    batches = _batches(list(targets))
    return [Job(argv=(*_SCAN, *paths), inputs=inputs, seconds=_SECONDS, folder="{scratch}") for paths in batches]


def findings(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[Output]) -> Seen:
    """What the core found, or else its replacement; where both failed every rule is at fault."""
    loaded, broken = _loaded(artifacts)
    yield from broken
    rules, targets = _meeting(loaded, change)
    yield from _oversized(rules, change)
    if not targets:
        return
    reports = [output.report(item) for item in outputs]
    good = [data for data in (reports[:1] if reports and reports[0] is not None else reports[1:]) if data is not None]
    if good and len(good) in (1 if reports[0] is not None else -1, len(reports) - 1):
        yield from output.read(good, rules, change)
        return
    what = _failure(outputs)
    for each in rules.values():
        yield Fault(slug=each.facts.slug, what=f"{each.name}: semgrep failed: {what}")


def _failure(outputs: Sequence[Output]) -> str:
    if not outputs:
        return "it was not run"
    lines = (outputs[-1].err or outputs[-1].out).strip().splitlines()
    how = "stopped at its limit" if outputs[-1].code is None else f"ended with {outputs[-1].code}"
    return f"{how}: {lines[0][:200]}" if lines else how


def _loaded(artifacts: Sequence[Artifact]) -> tuple[dict[int, Loaded], list[Fault]]:
    """Artifacts by number, and faults of those that somebody changed."""
    rules: dict[int, Loaded] = {}
    broken: list[Fault] = []
    for number, artifact in enumerate(artifacts):
        try:
            rules[number] = rule.load(artifact)
        except (ValueError, KeyError, TypeError) as error:
            broken.append(Fault(slug=facts_in(artifact.text or "").slug, what=f"{artifact.path}: {error}"))
    return rules, broken


def _meeting(rules: Mapping[int, Loaded], change: Change) -> tuple[dict[int, Loaded], dict[str, set[str]]]:
    """The rules that look at some file of the change, and for each copy of such a file the languages it is read as."""
    used: dict[int, Loaded] = {}
    targets: dict[str, set[str]] = {}
    for file in change.files:
        if file.content is None:
            continue
        known = _readable(file)
        for number, each in rules.items():
            shared = known.intersection(each.languages)
            if shared and each.covers(file.path, change.environment):
                used[number] = each
                targets.setdefault(copies.read_by(each, file), set()).update(shared - _too_large(file))
    return used, {path: read for path, read in targets.items() if read}


def _readable(file: FileChange) -> set[str]:
    return {*languages.EVERY, *languages.of_file(file.path, file.content or b"")}


def _too_large(file: FileChange) -> set[str]:
    """The languages in which a file is not read for its size; plain text is."""
    large = len(file.content or b"") > LARGEST
    return set(languages.of_file(file.path, file.content or b"")) if large else set()


def _oversized(rules: Mapping[int, Loaded], change: Change) -> Iterator[Fault]:
    for file in change.files:
        unread = _too_large(file)
        for each in rules.values():
            if unread.intersection(each.languages) and each.covers(file.path, change.environment):
                what = f"{file.path} is larger than 1 MB: {each.name} did not read it"
                yield Fault(slug=each.facts.slug, what=what, path=file.place)


def _merged(rules: Mapping[int, Loaded]) -> str:
    return "rules:\n" + "".join(f"- id: r{number}\n{each.rest}" for number, each in rules.items())


def _batches(paths: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for path in paths:
        size += len(path) + 3
        if batch and size > _BATCH:
            yield batch
            batch, size = [], len(path)
        batch.append(f"./{path}")
    if batch:
        yield batch


def parse(artifact: Artifact) -> list[Job]:
    """The core on this rule alone and no file, once for each of its languages: by itself it reads the first alone."""
    inputs = {"rules.yaml": rule.in_each_language(artifact), "targets.json": '["Targets", []]'}
    return [Job(argv=(*_CORE, "-j", "1"), inputs=inputs, seconds=_SECONDS)]


def complaint(outputs: Sequence[Output]) -> str:
    """What Semgrep said against the rule."""
    for item in outputs:
        data = output.report(item)
        said = [f"semgrep ended with {item.code}"] if data is None else output.complaints(data)
        if said:
            return said[0]
    return ""


PLUG = Checker(
    name="semgrep",
    suffix=".yaml",
    build=rule.build,
    facts=facts_in,
    jobs=jobs,
    findings=findings,
    retry=retry,
    parse=parse,
    complaint=complaint,
)
