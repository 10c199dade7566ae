"""Semgrep checks: one rule per artifact, all run by one call of Semgrep's core."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulec.checks.semgrep import core_output, prefilter, rule_artifact, scan_targets, semgrep_languages
from rulec.checks.semgrep.rule_artifact import LoadedRule
from rulec.checks.semgrep.scan_targets import find_targets, load_rules
from rulec.domain.artifact import Artifact, facts_in_comment
from rulec.domain.change import Change
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import Checker, FileReach, Job, JobOutput

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
    met = find_targets(artifacts, change)
    if not met.targets:
        return []
    listed = [
        ["CodeTarget", {"path": {"fpath": path, "ppath": f"/{path}"}, "analyzer": language, "products": ["sast"]}]
        for path, read in met.targets.items()
        for language in sorted(read)
    ]
    laid = {"rules.yaml": _merged(met.rules), "targets.json": json.dumps(["Targets", listed], ensure_ascii=False)}
    argv = (*_CORE, "-j", "1", "-fast", "-timeout", _TIMEOUT)
    return [
        Job(argv=argv, inputs=laid | scan_targets.copy_texts(change, met.targets), seconds=_SECONDS, folder="{scratch}")
    ]


def retry(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[JobOutput]) -> list[Job]:
    """Where the core failed as a whole: Semgrep's public command; not after a hang, which its parsers would repeat."""
    if not outputs or outputs[0].code is None or core_output.parse_report(outputs[0]) is not None:
        return []
    met = find_targets(artifacts, change)
    inputs = {"rules.yaml": _merged(met.rules)} | scan_targets.copy_texts(change, met.targets)
    batches = _batches(list(met.targets))
    return [Job(argv=(*_SCAN, *paths), inputs=inputs, seconds=_SECONDS, folder="{scratch}") for paths in batches]


def findings(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[JobOutput]) -> Seen:
    """What the core found, or else its replacement; where both failed every rule is at fault."""
    met = find_targets(artifacts, change)
    yield from met.broken
    yield from met.unread
    if not met.targets:
        return
    reports = [core_output.parse_report(item) for item in outputs]
    good = [data for data in (reports[:1] if reports and reports[0] is not None else reports[1:]) if data is not None]
    if good and len(good) in (1 if reports[0] is not None else -1, len(reports) - 1):
        yield from core_output.read_findings(good, met.rules, change)
        return
    what, overrun = _failure(outputs), any(one.spilled or one.code is None for one in outputs)
    for each in met.rules.values():
        yield Fault(slug=each.facts.slug, what=f"{each.name}: semgrep failed: {what}", overrun=overrun)


def _failure(outputs: Sequence[JobOutput]) -> str:
    if not outputs:
        return "it was not run"
    lines = (outputs[-1].err or outputs[-1].out).strip().splitlines()
    how = "stopped at its limit" if outputs[-1].code is None else f"ended with {outputs[-1].code}"
    return f"{how}: {lines[0][:200]}" if lines else how


def _merged(rules: Mapping[int, LoadedRule]) -> str:
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


def reach(artifact: Artifact) -> FileReach:
    """Files in the rule's languages, below its own paths or those of its scope."""
    each = rule_artifact.load_artifact(artifact)
    anything = any(language in semgrep_languages.ANY_LANGUAGE for language in each.languages)
    return FileReach(each.include or each.facts.scope.include, () if anything else each.languages)


def learn(artifacts: Sequence[Artifact]) -> list[Job]:
    """The core on all rules and no file, for what it would look for in one before it reads it."""
    inputs = {"rules.yaml": _merged(load_rules(artifacts)[0])}
    argv = ("{semgrep-core}", "-prefilter_of_rules", "{scratch}/rules.yaml")
    return [Job(argv=argv, inputs=inputs, seconds=_SECONDS, folder="{scratch}")] if artifacts else []


def learned(artifacts: Sequence[Artifact], outputs: Sequence[JobOutput]) -> list[Artifact]:
    """The artifacts with what the core looks for; as they were where it did not say it, so that they always run."""
    said = prefilter.printed_conditions(outputs[0].out) if outputs and outputs[0].code == 0 else {}
    return [
        replace(artifact, needs=json.dumps(said[name])) if (name := f"r{number}") in said else artifact
        for number, artifact in enumerate(artifacts)
    ]


def parse(artifact: Artifact) -> list[Job]:
    """The core on this rule alone and no file, once for each of its languages: by itself it reads the first alone."""
    inputs = {"rules.yaml": rule_artifact.in_each_language(artifact), "targets.json": '["Targets", []]'}
    return [Job(argv=(*_CORE, "-j", "1"), inputs=inputs, seconds=_SECONDS)]


def complaint(outputs: Sequence[JobOutput]) -> str:
    """What Semgrep said against the rule."""
    for item in outputs:
        data = core_output.parse_report(item)
        said = [f"semgrep ended with {item.code}"] if data is None else core_output.complaints(data)
        if said:
            return said[0]
    return ""


PLUG = Checker(
    name="semgrep",
    suffix=".yaml",
    build=rule_artifact.build_artifact,
    facts=facts_in_comment,
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
