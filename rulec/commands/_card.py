"""A proposal in words: quote, what the agent did, rule, check, what it catches and passes, what a yes brings about."""

import json
from collections.abc import Iterable, Iterator

from rulec.commands._propose import Proposal
from rulec.model.candidate import Candidate
from rulec.model.correction import Correction
from rulec.model.proof import Edges
from rulec.model.rule import Check, Example, Rule, Scope
from rulec.redact import redact
from rulec.stages.revise import pair

WIDTH = 100
AGAIN = 4  # further times that a preference was voiced which are quoted
SHOWN = 3  # examples of what passes
WORDS_ONLY = "it will only be put into words (AGENTS.md)"


def card(proposal: Proposal, does: str, origin: str = "", past: str = "") -> str:
    """The card that a person decides on, ending with what a yes brings about."""
    lines = [("from", origin), *_lines(proposal), ("backtest", past), ("then it", does)]
    return "\n".join(f"{name + ':':9} {text}" for name, text in lines if text)


def _lines(proposal: Proposal) -> Iterator[tuple[str, str]]:
    rule, candidate = proposal.rule, proposal.candidate
    if candidate.correction:
        yield "said", _quoted(candidate, candidate.correction)
        offence, accepted = pair(candidate, candidate.correction)
        if offence:
            yield "it did", short(redact(offence))
        if accepted:
            yield "then", short(redact(accepted))
    yield from _again(candidate.repeats)
    yield "rule", f"{rule.slug} ({rule.severity}, {rule.category}): {short(rule.statement)}"
    yield "becomes", proposal.resolution.line()
    yield from (("against", short(text)) for text in proposal.against)
    if proposal.resolution.decision != "NOOP":
        yield from _checked(proposal, rule)


def _again(repeats: Iterable[Candidate]) -> Iterator[tuple[str, str]]:
    quotes = [_quoted(one, one.correction) for one in repeats if one.correction]
    yield from (("again", text) for text in quotes[:AGAIN])
    if len(quotes) > AGAIN:
        yield "again", f"and {len(quotes) - AGAIN} times more"


def _checked(proposal: Proposal, rule: Rule) -> Iterator[tuple[str, str]]:
    yield from (("not used", failure) for failure in proposal.failed)
    yield from (("check", told(check)) for check in rule.checks)
    if rule.scope != Scope():
        but = " but not " * bool(rule.scope.exclude)
        yield "where", f"{', '.join(rule.scope.include)}{but}{', '.join(rule.scope.exclude)}"
    if proposal.proof:
        yield from (("catches", short(example_line(example))) for example in rule.invalid[:SHOWN])
        yield from (("passes", short(example_line(example))) for example in rule.valid[:SHOWN])
        yield "proof", "; ".join(f"{s.name} {s.detail or 'ok'}" for s in proposal.proof.stages)
        yield from _edges(proposal.proof.edges)
    else:
        reason = "no check of it held its proof" if proposal.failed else "this cannot be checked by a machine"
        yield "check", f"none; {reason}: {WORDS_ONLY}"
    if rule.do:
        yield "instead", short(rule.do)


def _edges(edges: Edges | None) -> Iterator[tuple[str, str]]:
    """How many variants were decided right, and of the others the first two of each kind."""
    if edges is None or not edges.invalid + edges.valid:
        return
    let = [example_line(mutant.example) for mutant in edges.missed if mutant.invalid]
    hit = [example_line(mutant.example) for mutant in edges.missed if not mutant.invalid]
    counted = f"of variants {edges.caught}/{edges.invalid} caught, {edges.passed}/{edges.valid} passed"
    some = [f"{verb} {' and '.join(texts[:2])}" for verb, texts in (("misses", let), ("catches", hit)) if texts]
    yield "edges", short("; ".join([counted, *some]))


def told(check: Check) -> str:
    """A check in a line: kind, template and what it was given."""
    given = " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in check.parameters.items())
    return f"{check.kind} {check.template} {given}".rstrip()


def example_line(example: Example) -> str:
    """An example in a line."""
    if example.kind == "session":
        return ", then ".join(map(example_line, example.steps))
    if example.kind == "commit":
        return f"a commit of {', '.join(path for path, _ in example.files)}"
    words = {"read": "reads", "says": "the person says", "stop": "ends the turn", "message": "the message"}
    text = " ".join(filter(None, (f"{example.path}:" if example.path and example.text else example.path, example.text)))
    failed = ", which fails" if example.failed else ""
    return " ".join(filter(None, (words.get(example.kind, ""), text))) + failed


def short(text: str) -> str:
    """A text in one line that fits a screen."""
    line = " ".join(text.split())
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def _quoted(candidate: Candidate, correction: Correction) -> str:
    number, of = candidate.part
    at, agent, turn = correction.turn.at[:10], correction.turn.agent, f"turn {correction.turn.index}"
    wish = f"wish {number} of {of}" if of > 1 else ""
    return f'"{short(redact(correction.quote))}"  ({", ".join(filter(None, (at, agent, turn, wish)))})'
