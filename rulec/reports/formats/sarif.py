"""Verdicts as SARIF 2.1.0, for code scanning and other readers of that format."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rulec import __version__
from rulec.domain.artifact import RuleFacts
from rulec.domain.enforcement import MODES, SEVERITIES
from rulec.domain.finding import ProofRow, Verdict, gravest_first
from rulec.domain.plugs import Reporter
from rulec.reports.wording import clip_line, describe_verdict, file_of, fingerprints, summary, to_utf8

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LISTED = 25_000  # results of one run that GitHub takes
_ROOT = "%SRCROOT%"
_PROBLEM = dict(zip(SEVERITIES, ("error", "warning", "recommendation"), strict=True))
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@")


def report(verdicts: Sequence[Verdict], counts: Mapping[str, int], _: Sequence[ProofRow] = ()) -> str:
    """One run: the rules with findings, the most severe findings first, broken checks as notifications."""
    ordered = gravest_first(verdicts)
    rules = {verdict.facts.slug: verdict.facts for verdict in ordered}
    index = {slug: number for number, slug in enumerate(rules)}
    results = [
        _result(verdict, index[verdict.facts.slug], mark)
        for verdict, mark in zip(ordered, fingerprints(ordered), strict=True)
        if verdict.finding
    ]
    faults = [_notification(verdict, index[verdict.facts.slug]) for verdict in ordered if verdict.fault]
    whole = not faults
    if len(results) > LISTED:
        faults.append(
            {"level": "warning", "message": {"text": f"{len(results) - LISTED} more findings are not listed"}}
        )
    driver = {"name": "rulec", "version": __version__, "rules": [_rule(facts) for facts in rules.values()]}
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "rulec/"},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The top of the repository."}}},
        "invocations": [{"executionSuccessful": whole, "toolExecutionNotifications": faults}],
        "results": results[:LISTED],
        "properties": {"summary": summary(verdicts, counts), "counts": dict(counts)},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False)


def _rule(facts: RuleFacts) -> dict[str, Any]:
    parts = [
        facts.statement,
        *[f"Instead: {facts.do}"] * bool(facts.do),
        *[f'Said: "{facts.quote}"'] * bool(facts.quote),
    ]
    told = "\n".join(clip_line(part, 1000) for part in parts)
    return {
        "id": facts.slug,
        "shortDescription": {"text": clip_line(facts.statement)},
        "fullDescription": {"text": clip_line(facts.statement, 1000)},
        "help": {"text": told},
        "defaultConfiguration": {"level": MODES[facts.enforcement].level},
        "properties": {"revision": facts.revision, "problem.severity": _PROBLEM[facts.severity]},
    }


def _result(verdict: Verdict, index: int, mark: str) -> dict[str, Any]:
    known = verdict.outcome == "old"
    result = {
        "ruleId": verdict.facts.slug,
        "ruleIndex": index,
        "level": "note" if known else _level(verdict.outcome, MODES[verdict.facts.enforcement].level),
        "message": {"text": describe_verdict(verdict)},
        "locations": _locations(verdict),
        "partialFingerprints": {"primaryLocationLineHash": mark},
        "baselineState": "unchanged" if known else "new",
    }
    if verdict.outcome == "excepted":
        # of a comment or a file of .rules: rulec let it count, not whoever reads this
        result["suppressions"] = [{"kind": "external", "justification": clip_line(verdict.because)}]
    return result


def _level(outcome: str, other: str) -> str:
    return MODES[outcome].level if outcome in MODES else other


def _locations(verdict: Verdict) -> list[dict[str, Any]]:
    path, finding = file_of(verdict), verdict.finding
    if not path:
        return []
    place: dict[str, Any] = {"artifactLocation": {"uri": relative_uri(path), "uriBaseId": _ROOT}}
    if finding and finding.line:
        place["region"] = {"startLine": finding.line, "endLine": max(finding.line, finding.last)}
    return [{"physicalLocation": place}]


def _notification(verdict: Verdict, index: int) -> dict[str, Any]:
    return {
        "level": _level(verdict.outcome, "warning"),
        "message": {"text": describe_verdict(verdict)},
        "associatedRule": {"id": to_utf8(verdict.facts.slug), "index": index},
        **({"locations": _locations(verdict)} if file_of(verdict) else {}),
    }


def relative_uri(path: str) -> str:
    """A path of the repository as a relative reference."""
    return "".join(chr(b) if b in _PLAIN else f"%{b:02X}" for b in path.encode("utf-8", "surrogateescape"))


PLUG = Reporter(name="sarif", report=report)
