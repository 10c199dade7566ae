"""A proposal in words: quote, what the agent did, rule, check, what it catches and passes, what a yes brings about."""

from collections.abc import Iterable, Iterator

from rulec.commands._changes import changes, excepted, placed
from rulec.commands._lines import example_line, short, told, whole
from rulec.commands._propose import Against, Proposal
from rulec.commands._waiting import heard_in, members
from rulec.commands._witness import told as told_witness
from rulec.model.candidate import Candidate
from rulec.model.correction import Correction
from rulec.model.proof import Edges, Proof
from rulec.model.resolution import Resolution
from rulec.model.rule import Example, Rule, Scope
from rulec.redact import redact
from rulec.stages.measure import too_few
from rulec.stages.mine import BY
from rulec.stages.revise import pair

AGAIN = 4  # further times that a preference was voiced which are quoted
SHOWN = 3  # examples of what passes
WORDS_ONLY = "it will only be put into words (AGENTS.md)"


def card(proposal: Proposal, does: str, origin: str = "", past: str = "", doubt: str = "") -> str:
    """The card that a person decides on, ending with what a yes brings about."""
    unseen = f"{doubt}: nothing is written unless a person says so" if doubt else ""
    lines = [("from", origin), *_lines(proposal), ("backtest", past), ("then it", does), ("in doubt", unseen)]
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
    elif candidate.source:
        yield "said", f'"{short(redact(candidate.source.quote))}"'
    elif proposal.old and not candidate.by_agent:
        yield "said", f'"{short(redact(candidate.rule.statement))}"'
    yield from _again(candidate.repeats)
    if (places := len(heard_in(candidate))) > 1:
        yield "in all", f"said in {places} sessions"
    yield from _beside(proposal)
    yield "rule", f"{rule.slug} ({rule.severity}, {rule.category}): {short(rule.statement)}"
    yield from (("worded", text) for text in filter(None, [_by_model(candidate, rule)]))
    yield "becomes", becomes(proposal.resolution)
    yield from _changed(proposal)
    yield from (("against", text) for one in proposal.against for text in against(one))
    if proposal.resolution.decision != "NOOP":
        yield from _checked(proposal, rule)


def worded(candidate: Candidate) -> bool:
    """Whether a model found the words of the rule in what a person said."""
    return candidate.rule.rationale == BY


def _by_model(candidate: Candidate, rule: Rule) -> str:
    """What of the proposal a model wrote, "" for nothing."""
    wrote = "a model wrote its check" * check_by_model(candidate, rule)
    words = "by a model; only the quote is the person's" * worded(candidate)
    return "; ".join(filter(None, (words, wrote)))


def check_by_model(candidate: Candidate, rule: Rule) -> bool:
    """Whether a check of the rule is a reader's or an agent's own; what rulec drafted says by what it did."""
    wrote = [one for one in members(candidate) if one.by_agent or (one.offered and one.offered.drafted)]
    theirs = [check for one in wrote for draft in one.drafts if not draft.because for check in draft.checks]
    return any(check.parameters == one.parameters for check in rule.checks for one in theirs)


def becomes(said: Resolution) -> str:
    """A resolution in a line, with how sure it is where that is in doubt."""
    own = f"; as a rule of its own it would be {said.new_slug}" * (said.decision != "NEW")
    unsure = f" ({said.score:.2f} sure{own})"
    return said.line() + unsure * (said.band == "review")


def _beside(proposal: Proposal) -> Iterator[tuple[str, str]]:
    """The rule as it stands, above what is to become of it."""
    old = proposal.old
    if old is None or proposal.resolution.decision == "NOOP":
        return
    yield "there is", f"{old.slug}@{old.revision} ({old.severity}, {old.category}): {short(old.statement)}"
    if proposal.resolution.decision == "SUPERSEDE":
        yield from (("it has", told(check)) for check in old.checks)


def _changed(proposal: Proposal) -> Iterator[tuple[str, str]]:
    old, decision = proposal.old, proposal.resolution.decision
    if old is None:
        return
    if decision != "NOOP" and old.layer != "team":
        yield (
            "changes",
            f"{old.slug} is of {old.layer}: what is written here goes before it, and nothing of theirs changes",
        )
    if decision == "UPDATE":
        yield from (("changes", short(text)) for text in changes(old, proposal.rule))
    if decision == "SUPERSEDE":
        yield "changes", f"{old.slug} goes to the archive{', and its checks with it' * bool(old.checks)}"
        yield "witness", short(told_witness(proposal.witness))


def against(one: Against) -> Iterator[str]:
    """What asks for the contrary, and the action that shows it."""
    where = "waits too" if one.waits else "a rule here"
    yield short(f"{one.slug}, {where}: {one.statement}")
    if not one.waits:
        yield short(told_witness(one.witness))


def _again(repeats: Iterable[Candidate]) -> Iterator[tuple[str, str]]:
    quotes = [_quoted(one, one.correction) for one in repeats if one.correction]
    yield from (("again", text) for text in quotes[:AGAIN])
    if len(quotes) > AGAIN:
        yield "again", f"and {len(quotes) - AGAIN} times more"


def _checked(proposal: Proposal, rule: Rule) -> Iterator[tuple[str, str]]:
    yield from (("not used", failure) for failure in proposal.failed)
    if proposal.stuck:
        return
    yield from (("check", whole(check, 11)) for check in rule.checks)
    yield from (("unseen", f"not checked: {short(text)}") for text in rule.not_checked)
    yield from (("disputed", short(example_line(one))) for one in proposal.disputed)
    if rule.scope != Scope():
        yield "where", placed(rule.scope)
    yield from (("but not", excepted(one)) for one in rule.exceptions)
    if proposal.proof and not proposal.proof.digest:
        yield from (("to fail", short(example_line(one))) for one in _new(rule.invalid, proposal.old))
        yield from (("to hold", short(example_line(one))) for one in _new(rule.valid, proposal.old))
        yield "judged", _measurable(rule)
    elif proposal.proof:
        spared = [example for one in rule.exceptions for example in one.valid]
        yield from (("catches", short(example_line(one))) for one in _new(rule.invalid, proposal.old))
        yield from (("passes", short(example_line(one))) for one in _new([*spared, *rule.valid], proposal.old))
        yield from (("acts", text) for text in filter(None, [_alone(rule, proposal.proof)]))
        yield "proof", "; ".join(f"{s.name} {s.detail or 'ok'}" for s in proposal.proof.stages)
        yield from _edges(proposal.proof.edges)
    else:
        reason = "no check of it held its proof" if proposal.failed else "this cannot be checked by a machine"
        yield "check", f"none; {reason}: {WORDS_ONLY}"
    if rule.do:
        yield "instead", short(rule.do)


def _alone(rule: Rule, proof: Proof) -> str:
    """That a rule acts at the tool call alone, where its template acts at commits, too, and no example showed that."""
    gone = [check for check in proof.dead if check.kind != "guard"]
    if not gone or any(check.kind != "guard" for check in rule.checks):
        return ""
    return f"at the tool call alone: the {gone[0].kind} check of {gone[0].template} is left out"


def _measurable(rule: Rule) -> str:
    """How far the rule's examples reach for measuring whoever judges it."""
    few = too_few([*(True for _ in rule.invalid), *(False for _ in rule.valid)])
    return f"by a model, which nothing proves; {f'{few}: rulec edit adds some' if few else 'its examples measure it'}"


def shown(proposal: Proposal) -> list[Example]:
    """The examples of the rule that its card shows."""
    rule, old = proposal.rule, proposal.old
    spared = [example for one in rule.exceptions for example in one.valid]
    return [*_new(rule.invalid, old), *_new([*spared, *rule.valid], old)]


def _new(examples: Iterable[Example], old: Rule | None) -> list[Example]:
    """Some of the examples, first those that the rule did not have before."""
    known = (*old.invalid, *old.valid) if old else ()
    return sorted(examples, key=lambda example: example in known)[:SHOWN]


def _edges(edges: Edges | None) -> Iterator[tuple[str, str]]:
    """How many variants were decided right, and of the others the first two of each kind."""
    if edges is None:
        return
    if edges.wider:
        yield "wider", short(f"it catches {' and '.join(example_line(one.example) for one in edges.wider[:2])}, too")
    if not edges.invalid + edges.valid:
        return
    let = [example_line(mutant.example) for mutant in edges.missed if mutant.invalid]
    hit = [example_line(mutant.example) for mutant in edges.missed if not mutant.invalid]
    counted = f"of variants {edges.caught}/{edges.invalid} caught, {edges.passed}/{edges.valid} passed"
    some = [f"{verb} {' and '.join(texts[:2])}" for verb, texts in (("misses", let), ("catches", hit)) if texts]
    yield "edges", short("; ".join([counted, *some]))


def _quoted(candidate: Candidate, correction: Correction) -> str:
    number, of = candidate.part
    at, agent, turn = correction.turn.at[:10], correction.turn.agent, f"turn {correction.turn.index}"
    wish = f"wish {number} of {of}" if of > 1 else ""
    quote = redact(correction.quote)  # of what a model picked out all that is kept of it, for the rest may deny it
    shown = " ".join(quote.split()) if candidate.offered else short(quote)
    return f'"{shown}"  ({", ".join(filter(None, (at, agent, turn, wish)))})'
