"""Semgrep checks: one rule per artifact, all run by one call of Semgrep's core, whose output becomes findings."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulec.checks.semgrep import rule_artifact, scan_targets
from rulec.checks.semgrep.rule_artifact import LoadedRule
from rulec.checks.semgrep.scan_targets import find_targets, load_rules
from rulec.checks.skipped_files import is_heavy
from rulec.domain.artifact import Artifact, facts_in_comment
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import Checker, FileReach, Job, JobOutput, Merging

RULES, TARGETS = "rules.yaml", "targets.json"
_HEAD = "rules:\n"
_ID = re.compile(r"^- id: (.+)\n", re.MULTILINE)  # all else of a rule is indented


def merge_calls(jobs: Sequence[Job]) -> Job:
    """One call with the rules and files of all: each rule looks at the files of its own call alone."""
    rules, targets = [_HEAD], list[Any]()
    inputs: dict[str, str] = {}
    for number, job in enumerate(jobs):
        listed = json.loads(job.inputs[TARGETS])[1]
        below = f'  paths: {{"include": ["/{number}/**"]}}\n' if listed else ""  # a call without files keeps its own
        rules.append(_ID.sub(rf"- id: {number}.\1\n{below}", job.inputs[RULES].partition(_HEAD)[2]))
        targets += [_moved(kind, target, number) for kind, target in listed]
        own = {path: text for path, text in job.inputs.items() if path not in (RULES, TARGETS)}
        inputs |= {f"{number}/{path}": text for path, text in own.items()}
    laid = {RULES: "".join(rules), TARGETS: json.dumps(["Targets", targets], ensure_ascii=False)}
    return replace(jobs[0], inputs=laid | inputs, merging=None)


def _moved(kind: str, target: Mapping[str, Any], number: int) -> list[Any]:
    path = target["path"]
    moved = {"fpath": f"{number}/{path['fpath']}", "ppath": f"/{number}{path['ppath']}"}
    return [kind, {**target, "path": moved}]


def split_report(output: JobOutput, count: int) -> list[JobOutput | None]:
    """The report of each call; None for one that something went wrong in, which has to be run alone."""
    try:
        parts = _results(json.loads(output.out), count) if output.code == 0 else {}
    except (ValueError, KeyError, TypeError):  # nobody knows whose errors these are
        parts = {}
    return [_printed_alone(parts[number]) if number in parts else None for number in range(count)]


def _results(data: Mapping[str, Any], count: int) -> dict[int, list[Any]]:
    parts: dict[int, list[Any]] = {number: [] for number in range(count)}
    for result in data["results"]:
        number, _, name = result["check_id"].partition(".")
        folder, _, path = result["path"].removeprefix("./").partition("/")
        if folder != number:
            raise ValueError(path)
        parts[int(number)].append({**result, "check_id": name, "path": path})
    for error in data["errors"]:
        named = error.get("rule_id") or error["location"]["path"].removeprefix("./").replace("/", ".")
        parts.pop(int(named.partition(".")[0]), None)
    return parts


def _printed_alone(results: Sequence[Any]) -> JobOutput:
    return JobOutput(code=0, out=json.dumps({"results": results, "errors": []}))


MERGING = Merging(merge=merge_calls, split=split_report, nothing=_printed_alone([]))


_READ = 1_000  # characters of a line that are searched for keys
_LONGEST = 200  # characters of a line that are shown
_UNREAD = ("syntax", "lexical", "parsing", "ast builder")  # the file is not in its language: no fault of a rule
_WHOLE = ("timeout", "memory", "fatal", "overflow", "internal", "too many", "incompatible", "missing plugin")


def parse_report(output: JobOutput) -> dict[str, Any] | None:
    """The printed JSON; None where the run failed as a whole."""
    if output.code != 0:
        return None
    try:
        data = json.loads(output.out)
    except ValueError:
        return None
    return data if isinstance(data, dict) and isinstance(data.get("results"), list) else None


def read_findings(
    report: Mapping[str, Any], rules: Mapping[int, LoadedRule], change: Change
) -> Iterator[Finding | Fault]:
    """Each finding once, of rules that look at such paths at all."""
    files = {_printed(path): file for file in change.files for path in scan_targets.copies_of(file)}
    lines: dict[str, list[str]] = {}
    seen: dict[Finding | Fault, None] = {}
    for result in report["results"]:
        rule, path = rules.get(_number(result.get("check_id"))), str(result.get("path", "")).removeprefix("./")
        file = files.get(path)
        if rule is None or file is None or not rule.covers(file.path, change.environment):
            continue
        if path.startswith((scan_targets.LINES, scan_targets.RAW)) and path != _printed(
            scan_targets.copy_for_rule(rule, file)
        ):
            continue
        number = int(result["start"]["line"])
        if path not in lines:
            lines[path] = (file.content or b"").decode("utf-8", "replace").split("\n")
        text = _shown(lines[path][number - 1]) if 0 < number <= len(lines[path]) else ""
        end = int(result["end"]["line"])
        last = end if end > number else 0
        finding = Finding(slug=rule.facts.slug, path=file.place, line=number, last=last, text=text, cure=rule.cure)
        seen[finding] = None
    for error in report.get("errors", ()):
        seen |= dict.fromkeys(_faults(error, rules, files.get(_path(error))))
    yield from seen


def _shown(line: str) -> str:
    """The line as reports may repeat it: a finding of a key must not spread the key."""
    from rulec.domain.text.redaction import without_keys  # noqa: PLC0415 - 20 ms of patterns that a change without findings spares

    return without_keys(line.strip()[:_READ])[:_LONGEST]


def _path(error: Mapping[str, Any]) -> str:
    where = error.get("location")
    return str(where.get("path", "") if isinstance(where, Mapping) else error.get("path", "")).removeprefix("./")


def _faults(error: Mapping[str, Any], rules: Mapping[int, LoadedRule], file: FileChange | None) -> Iterator[Fault]:
    """A rule's own error is its fault; one of Semgrep itself is everybody's; a file it cannot parse is nobody's."""
    kind = error.get("error_type") or error.get("type") or ""
    word = str(kind[0] if isinstance(kind, list) and kind else kind)
    message = " ".join(str(error.get("message") or "").split())[:_LONGEST]
    if file is not None:
        message = f"{message} ({file.path})"
    place = file.place if file is not None else ""
    own = rules.get(_number(error.get("rule_id")))
    much = _much(word) or (word.lower().startswith("timeout") and is_heavy(file))
    if own is not None and not _unread(word):
        yield Fault(slug=own.facts.slug, what=f"{own.name}: {word}: {message}", path=place, overrun=much)
    elif own is None and not _unread(word) and (error.get("level", error.get("severity")) == "error" or _broke(word)):
        for rule in rules.values():
            what = f"{rule.name}: {word}: {message}"
            yield Fault(slug=rule.facts.slug, what=what, path=place, overrun=much)


def _unread(word: str) -> bool:
    return any(sign in word.lower() for sign in _UNREAD) and "rule parse" not in word.lower()


def _much(word: str) -> bool:
    """Whether there was more to find than the core would tell."""
    return "toomany" in word.lower().replace(" ", "")


def _broke(word: str) -> bool:
    return any(sign in word.lower() for sign in _WHOLE)


def _number(name: Any) -> int:
    """The number of a rule from its id, which Semgrep prefixes with the folder of its file."""
    last = str(name or "").rpartition(".")[2]
    return int(last[1:]) if last[:1] == "r" and last[1:].isdecimal() else -1


def _printed(path: str) -> str:
    """The path as it comes back through Semgrep's output: bytes that are no UTF-8 are lost on the way."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def complaints(data: Mapping[str, Any]) -> list[str]:
    """What Semgrep said against the rules it was given."""
    return [" ".join(str(error.get("message", error)).split())[:_LONGEST] for error in data.get("errors", ())]


_SECONDS = 120.0
_TIMEOUT = "10"  # seconds for one rule on one file
_CORE = ("{semgrep-core}", "-json_nodots", "-rules", "{scratch}/rules.yaml", "-targets", "{scratch}/targets.json")
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
    inputs = laid | scan_targets.copy_texts(change, met.targets)
    return [Job(argv=argv, inputs=inputs, seconds=_SECONDS, folder="{scratch}", merging=MERGING)]


def findings(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[JobOutput]) -> Seen:
    """What the core found; where it failed every rule is at fault."""
    met = find_targets(artifacts, change)
    yield from met.broken
    yield from met.unread
    if not met.targets:
        return
    report = parse_report(outputs[0]) if outputs else None
    if report is not None:
        yield from read_findings(report, met.rules, change)
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


def reach(artifact: Artifact) -> FileReach:
    """Files in the rule's languages, below its own paths or those of its scope."""
    each = rule_artifact.load_artifact(artifact)
    anything = any(language in rule_artifact.ANY_LANGUAGE for language in each.languages)
    return FileReach(each.include or each.facts.scope.include, () if anything else each.languages)


def learn(artifacts: Sequence[Artifact]) -> list[Job]:
    """The core on all rules and no file, for what it would look for in one before it reads it."""
    inputs = {"rules.yaml": _merged(load_rules(artifacts)[0])}
    argv = ("{semgrep-core}", "-prefilter_of_rules", "{scratch}/rules.yaml")
    return [Job(argv=argv, inputs=inputs, seconds=_SECONDS, folder="{scratch}")] if artifacts else []


def learned(artifacts: Sequence[Artifact], outputs: Sequence[JobOutput]) -> list[Artifact]:
    """The artifacts with what the core looks for; as they were where it did not say it, so that they always run."""
    said = scan_targets.printed_conditions(outputs[0].out) if outputs and outputs[0].code == 0 else {}
    return [
        replace(artifact, needs=json.dumps(said[name])) if (name := f"r{number}") in said else artifact
        for number, artifact in enumerate(artifacts)
    ]


def parse(artifact: Artifact) -> list[Job]:
    """The core on this rule alone and no file, once for each of its languages: by itself it reads the first alone."""
    inputs = {"rules.yaml": rule_artifact.in_each_language(artifact), "targets.json": '["Targets", []]'}
    return [Job(argv=(*_CORE, "-j", "1"), inputs=inputs, seconds=_SECONDS, folder="{scratch}", merging=MERGING)]


def complaint(outputs: Sequence[JobOutput]) -> str:
    """What Semgrep said against the rule."""
    for item in outputs:
        data = parse_report(item)
        said = [f"semgrep ended with {item.code}"] if data is None else complaints(data)
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
    parse=parse,
    complaint=complaint,
    reach=reach,
    learn=learn,
    learned=learned,
    by_file=True,
)
