"""rulec try: proves a rule without writing it, and says what to fix."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from rulec.checks.proving.example_changes import change_of
from rulec.checks.proving.proof import Proof
from rulec.checks.proving.replay import Seen
from rulec.checks.proving.verification import look_alone
from rulec.compiling.artifacts import compile_rule
from rulec.compiling.effective_enforcement import why_only_audits
from rulec.domain.artifact import is_judge_check
from rulec.domain.finding import Fault, Finding
from rulec.domain.outcome import Outcome
from rulec.domain.rule import RAW_TEMPLATES, Example, Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.gates.findings import rule_proof
from rulec.infra.rulebooks import rulebook_files
from rulec.resolving.revisions import with_draft
from rulec.rulebook import example_file
from rulec.rulebook.rulebook import Rulebook
from rulec.services.backtest import existing_findings, past_runs
from rulec.services.proposals import rule_offer
from rulec.services.proposals.rule_offer import RuleOffer, offered_rule, parse_offer, session_of_offer

SECONDS = 0.3  # for sessions, and as many for commits: a trial takes less than one
SLUG = "rule-on-trial"  # of a rule that was given none
# of a proof, what checks and examples tell in full, and what is told in its own place or not at all
_TOLD_ELSEWHERE = {"caught", "passed_valid", "replayed", "dead", "later"} | {
    "stages", "edges", "slug", "revision", "digest", "unexplained",
}  # fmt: skip


def try_rule(top: Path, file: BinaryIO, source: str) -> Outcome:
    """Prove one rule and return everything its author may want to fix; exit 1 where it is not proved."""
    offer = parse_offer(file, source, top, whole=True)
    book = rulebook_files.load_rulebook(top) if rulebook_files.has_rulebook(top) else Rulebook()
    data = proof_data(offer, book, top)
    return Outcome(_json(data), data=data, code=0 if data["proved"] else 1)


def _json(data: Mapping[str, Any]) -> str:
    """Compact JSON: one line for each key and list item."""
    lines = []
    for key, value in data.items():
        many = isinstance(value, list) and len(value) > 1
        text = ",\n  ".join(_line(item) for item in value) if many else _line(value)
        lines.append(f" {_line(key)}: " + (f"[\n  {text}\n ]" if many else text))
    return "{\n" + ",\n".join(lines) + "\n}"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def proof_data(offer: RuleOffer, book: Rulebook, top: Path) -> dict[str, Any]:
    """The proof of a rule as plain data."""
    rule = with_draft(replace(offered_rule(offer), slug=offer.rule.slug or SLUG), offer.full)
    proof = None
    if rule.checks:
        proof = rule_proof.prove_with_tools(book, rule, top, session_of_offer(offer, top), edges=True, strict=True)
        rule = rule_proof.list_unchecked(rule, proof)
    seen = _seen(book, rule, top) if proof else []
    proved = bool(proof and proof.holds and proof.digest and not offer.unread)
    return {
        "proved": proved,
        "why": redact(_why(offer, proof, rule, top)),
        "stages": [_plain(stage) for stage in proof.stages] if proof else [],
        "checks": [_check(rule, number, found) for number, found in enumerate(seen)],
        "examples": list(_examples(rule, seen)),
        "unread": list(offer.unread),
        **({"examples_changed": list(offer.changed)} if offer.changed else {}),
        "not_checked": list(rule.not_checked),
        **_added(proof),
        **_more(proof),
        **_there(book, rule, top, proved=proved),
        "enforcement": _enforcement(rule, proved=proved),
    }


def _there(book: Rulebook, rule: Rule, top: Path, *, proved: bool) -> dict[str, str]:
    """What the rule finds in files at HEAD, the last commits and other sessions."""
    if not proved:
        return {}
    if any(check.kind == "semgrep" for check in rule.checks):
        return {"not_looked_at": "files at HEAD and the last commits (rulec add looks at them)"}
    there = existing_findings.find_existing(top, book, rule, seconds=SECONDS)
    past = past_runs.commit_backtest(top, seconds=SECONDS)(book, rule)
    refused = past if past_runs.would_have_refused(past, rule) else ""
    held_back = "; ".join(filter(None, (there.held_back, refused)))
    data = {"already_there": there.line, "last_commits": past, "held_back": held_back}
    return {key: redact(text) for key, text in data.items() if text}


def _why(offer: RuleOffer, proof: Proof | None, rule: Rule, top: Path) -> str:
    """Why the rule is not proved, "" where it is; with the reason why no check sees a missed example."""
    if not rule.checks:
        return "; ".join(offer.unread) or "no check is given; `rulec templates --catalogue` lists the templates"
    if proof and not proof.holds:
        return "; ".join([*offer.unread, proof.failures, *rule_offer.why_unseen(rule, proof, top)])
    if proof and not proof.digest:
        return "a judge alone cannot be proved; `rulec test` asks it about its examples"
    return "; ".join(offer.unread)


def _seen(book: Rulebook, rule: Rule, top: Path) -> list[list[Seen]]:
    """For each check its verdict on each example; nothing where a check cannot be built."""
    tree = rule_proof.tree_for_examples(rule, top)
    changes = [change_of(example, tree) for example in (*rule.invalid, *rule.valid)]
    try:
        artifacts = compile_rule(book, rule, top)
    except RulecError:  # the proof says so
        return []
    machines = [one for one in artifacts if not is_judge_check(one)]
    seen: list[list[Seen]] = [list(rule_proof.new_findings([one], changes)) for one in machines]
    if tree is not None:
        look_alone(enumerate(rule.invalid), changes, machines, seen, rule_proof.new_findings, strict=True)
    told = iter(seen)
    return [[] if is_judge_check(one) else next(told) for one in artifacts]


def _check(rule: Rule, number: int, seen: Sequence[Sequence[Finding | Fault]]) -> dict[str, Any]:
    check, invalid = rule.checks[number], len(rule.invalid)
    caught = [bool(found) for found in seen]
    data: dict[str, Any] = {"kind": check.kind, "template": check.template, "with": dict(check.parameters)}
    if check.kind == "judge":
        return {**data, "judged": "by a model, with `rulec test`"}
    return {
        **data,
        "catches": sum(caught[:invalid]),
        "of": invalid,
        "dead": not any(caught[:invalid]),
        "catches_valid": sum(caught[invalid:]),
        "broke": [redact(one.what) for found in seen for one in found if isinstance(one, Fault)][:1],
    }


def _examples(rule: Rule, seen: Sequence[Sequence[Sequence[Finding | Fault]]]) -> Iterator[dict[str, Any]]:
    """Each example with the expected and the actual verdict, wrong ones first."""
    found: list[dict[str, Any]] = []
    for place, example in enumerate((*rule.invalid, *rule.valid)):
        here = [one[place] for one in seen if one]
        expected = "caught" if place < len(rule.invalid) else "passes"
        got = "caught" if any(map(_caught, here)) else "passes"
        found.append(
            {
                "example": example_file.example_data(replace(example, source="")),
                "expected": expected,
                "got": got,
                "right": expected == got,
                "by": [number for number, one in enumerate(seen) if one and _caught(one[place])],
                "findings": list(_words(here)),
            }
        )
    if any(seen):
        yield from sorted(found, key=lambda one: bool(one["right"]))


def _caught(seen: Sequence[Finding | Fault]) -> bool:
    """Whether there is a finding, not just a failure of the check."""
    return any(isinstance(item, Finding) for item in seen)


def _words(here: Sequence[Sequence[Finding | Fault]]) -> Iterator[str]:
    for item in dict.fromkeys(item for some in here for item in some):
        if isinstance(item, Fault):
            yield redact(item.what)
        else:
            yield redact(" ".join(filter(None, (item.path + f":{item.line}" * bool(item.line), item.text))).strip(":"))


def _more(proof: Proof | None) -> dict[str, Any]:
    """Further results of the proof, such as variants that were decided wrongly."""
    if proof is None:
        return {}
    left = {one.name: getattr(proof, one.name) for one in fields(proof) if one.name not in _TOLD_ELSEWHERE}
    data = {name: _plain(value) for name, value in left.items() if value}
    if proof.edges:
        data["variants_decided_otherwise"] = [
            {"example": _plain(one.example), "should_be": "caught" if one.invalid else "passes", "made": one.name}
            for one in proof.edges.missed
        ]
        data["catches_this_too"] = [
            {"example": example_file.example_data(one.example), "made": one.name} for one in proof.edges.wider
        ]
    return data


def _added(proof: Proof | None) -> dict[str, str]:
    """One line about each part that rulec added to not_checked itself."""
    said = ", ".join(map(repr, proof.unexplained)) if proof else ""
    return {"note": f"no check sees {said}: listed under not_checked; check it instead where it can be"} if said else {}


def _plain(value: Any) -> Any:
    """Any part of a proof as plain data."""
    if isinstance(value, Example):
        return example_file.example_data(replace(value, source=""))
    if is_dataclass(value) and not isinstance(value, type):
        data = {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
        return {name: item for name, item in data.items() if item or item is False}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | frozenset | set):
        return [_plain(item) for item in value]
    return redact(value) if isinstance(value, str) else value


def _enforcement(rule: Rule, *, proved: bool) -> dict[str, str]:
    """The strictest enforcement that the rule could get once a person accepts it."""
    if not rule.checks:
        return {"most": "none", "why": "without a check it is a reminder"}
    if not proved:
        return {"most": "audit", "why": "an unproved check can only audit"}
    if why := why_only_audits(rule):
        return {"most": "audit", "why": why}
    if any(check.template in RAW_TEMPLATES for check in rule.checks):
        return {"most": "block", "why": "once a person has read and accepted the check"}
    return {"most": "block", "why": "once a person has accepted it"}
