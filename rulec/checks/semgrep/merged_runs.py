"""Many calls of Semgrep's core as one, and from its report what each would have printed alone."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulec.domain.plugs import Job, JobOutput, Merging

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
    return [_printed(parts[number]) if number in parts else None for number in range(count)]


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


def _printed(results: Sequence[Any]) -> JobOutput:
    return JobOutput(code=0, out=json.dumps({"results": results, "errors": []}))


MERGING = Merging(merge=merge_calls, split=split_report, nothing=_printed([]))
