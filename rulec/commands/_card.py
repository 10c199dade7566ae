"""A proposal in words: quote, what the agent did, rule, check, proof."""

import json
from collections.abc import Iterator

from rulec.commands._propose import Proposal
from rulec.model.correction import Correction
from rulec.model.rule import Check, Scope
from rulec.redact import redact
from rulec.stages.revise import pair

WIDTH = 100


def card(proposal: Proposal, does: str) -> str:
    """The card that a person decides on, ending with what a yes brings about."""
    return "\n".join(f"{name + ':':9} {text}" for name, text in (*_lines(proposal), ("then it", does)))


def _lines(proposal: Proposal) -> Iterator[tuple[str, str]]:
    rule, correction = proposal.rule, proposal.candidate.correction
    if correction:
        yield "said", f'"{_short(redact(correction.quote))}"{_when(correction)}'
        offence, accepted = pair(proposal.candidate, correction)
        if offence:
            yield "it did", _short(redact(offence))
        if accepted:
            yield "then", _short(redact(accepted))
    yield "rule", f"{rule.slug} ({rule.severity}, {rule.category}): {_short(rule.statement)}"
    yield "becomes", proposal.resolution.line()
    if proposal.resolution.decision == "NOOP":
        return
    for failure in proposal.failed:
        yield "not used", failure
    for check in rule.checks:
        yield "check", told(check)
    if rule.scope != Scope():
        yield (
            "where",
            f"{', '.join(rule.scope.include)}{' but not ' * bool(rule.scope.exclude)}{', '.join(rule.scope.exclude)}",
        )
    if proposal.proof:
        stages = "; ".join(f"{s.name} {s.detail or 'ok'}" for s in proposal.proof.stages)
        yield "proof", stages
    else:
        because = "no draft held its proof" if proposal.failed else "nothing in it can be checked mechanically yet"
        yield "check", f"none, the rule can only remind: {because}"
    if rule.do:
        yield "instead", _short(rule.do)


def told(check: Check) -> str:
    """A check in a line: kind, template and what it was given."""
    given = " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in check.parameters.items())
    return f"{check.kind} {check.template} {given}".rstrip()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def _when(correction: Correction) -> str:
    at, agent = correction.turn.at[:10], correction.turn.agent
    return f"  ({', '.join(filter(None, (at, agent, f'turn {correction.turn.index}')))})"
