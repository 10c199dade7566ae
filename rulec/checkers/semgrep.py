"""Semgrep checks: one rule per artifact, all run by one call of Semgrep's core."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulec.checkers import _semgrep_copies as copies
from rulec.checkers import _semgrep_languages as languages
from rulec.checkers import _semgrep_literals as literals
from rulec.checkers import _semgrep_output as output
from rulec.checkers import _semgrep_rule as rule
from rulec.checkers._semgrep_meeting import loaded, meeting
from rulec.checkers._semgrep_rule import Loaded
from rulec.model.artifact import Artifact, facts_in
from rulec.model.change import Change
from rulec.model.finding import Fault, Finding
from rulec.ports import Checker, Job, Output, Reach

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
    met = meeting(artifacts, change)
    if not met.targets:
        return []
    listed = [
        ["CodeTarget", {"path": {"fpath": path, "ppath": f"/{path}"}, "analyzer": language, "products": ["sast"]}]
        for path, read in met.targets.items()
        for language in sorted(read)
    ]
    laid = {"rules.yaml": _merged(met.rules), "targets.json": json.dumps(["Targets", listed], ensure_ascii=False)}
    argv = (*_CORE, "-j", "1", "-fast", "-timeout", _TIMEOUT)
    return [Job(argv=argv, inputs=laid | copies.texts(change, met.targets), seconds=_SECONDS, folder="{scratch}")]


def retry(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[Output]) -> list[Job]:
    """Where the core failed as a whole: Semgrep's public command; not after a hang, which its parsers would repeat."""
    if not outputs or outputs[0].code is None or output.report(outputs[0]) is not None:
        return []
    met = meeting(artifacts, change)
    inputs = {"rules.yaml": _merged(met.rules)} | copies.texts(change, met.targets)
    batches = _batches(list(met.targets))
    return [Job(argv=(*_SCAN, *paths), inputs=inputs, seconds=_SECONDS, folder="{scratch}") for paths in batches]


def findings(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[Output]) -> Seen:
    """What the core found, or else its replacement; where both failed every rule is at fault."""
    met = meeting(artifacts, change)
    yield from met.broken
    yield from met.unread
    if not met.targets:
        return
    reports = [output.report(item) for item in outputs]
    good = [data for data in (reports[:1] if reports and reports[0] is not None else reports[1:]) if data is not None]
    if good and len(good) in (1 if reports[0] is not None else -1, len(reports) - 1):
        yield from output.read(good, met.rules, change)
        return
    what, overrun = _failure(outputs), any(one.spilled or one.code is None for one in outputs)
    for each in met.rules.values():
        yield Fault(slug=each.facts.slug, what=f"{each.name}: semgrep failed: {what}", overrun=overrun)


def _failure(outputs: Sequence[Output]) -> str:
    if not outputs:
        return "it was not run"
    lines = (outputs[-1].err or outputs[-1].out).strip().splitlines()
    how = "stopped at its limit" if outputs[-1].code is None else f"ended with {outputs[-1].code}"
    return f"{how}: {lines[0][:200]}" if lines else how


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


def reach(artifact: Artifact) -> Reach:
    """Files in the rule's languages, below its own paths or those of its scope."""
    each = rule.load(artifact)
    anything = any(language in languages.EVERY for language in each.languages)
    return Reach(each.include or each.facts.scope.include, () if anything else each.languages)


def learn(artifacts: Sequence[Artifact]) -> list[Job]:
    """The core on all rules and no file, for what it would look for in one before it reads it."""
    inputs = {"rules.yaml": _merged(loaded(artifacts)[0])}
    argv = ("{semgrep-core}", "-prefilter_of_rules", "{scratch}/rules.yaml")
    return [Job(argv=argv, inputs=inputs, seconds=_SECONDS, folder="{scratch}")] if artifacts else []


def learned(artifacts: Sequence[Artifact], outputs: Sequence[Output]) -> list[Artifact]:
    """The artifacts with what the core looks for; as they were where it did not say it, so that they always run."""
    said = literals.conditions(outputs[0].out) if outputs and outputs[0].code == 0 else {}
    return [
        replace(artifact, needs=json.dumps(said[name])) if (name := f"r{number}") in said else artifact
        for number, artifact in enumerate(artifacts)
    ]


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
    reach=reach,
    learn=learn,
    learned=learned,
    by_file=True,
)
