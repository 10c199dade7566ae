"""What Semgrep printed -> findings and faults; the core and its command line nearly agree on the form."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulec.checks.semgrep import scan_targets
from rulec.checks.semgrep.rule_artifact import LoadedRule
from rulec.checks.skipped_files import is_heavy
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import JobOutput

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
    reports: Sequence[Mapping[str, Any]], rules: Mapping[int, LoadedRule], change: Change
) -> Iterator[Finding | Fault]:
    """Each finding once, of rules that look at such paths at all."""
    files = {_printed(path): file for file in change.files for path in scan_targets.copies_of(file)}
    lines: dict[str, list[str]] = {}
    seen: dict[Finding | Fault, None] = {}
    for result in (result for data in reports for result in data["results"]):
        rule, path = rules.get(_number(result.get("check_id"))), str(result.get("path", "")).removeprefix("./")
        file = files.get(path)
        if rule is None or file is None or not rule.covers(file.path, change.environment):
            continue
        if path != _printed(scan_targets.copy_for_rule(rule, file)):
            continue
        number = int(result["start"]["line"])
        if path not in lines:
            lines[path] = (file.content or b"").decode("utf-8", "replace").split("\n")
        text = _shown(lines[path][number - 1]) if 0 < number <= len(lines[path]) else ""
        end = int(result["end"]["line"])
        last = end if end > number else 0
        finding = Finding(slug=rule.facts.slug, path=file.place, line=number, last=last, text=text, cure=rule.cure)
        seen[finding] = None
    for error in (error for data in reports for error in data.get("errors", ())):
        seen |= dict.fromkeys(_faults(error, rules, files.get(_path(error))))
    yield from seen


def _shown(line: str) -> str:
    """The line as reports may repeat it: a finding of a key must not spread the key."""
    from rulec.domain.secrets.redaction import without_keys  # noqa: PLC0415 - 20 ms of patterns that a change without findings spares

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
