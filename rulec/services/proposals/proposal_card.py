"""The card that a person decides on: quote, what the agent did, rule, check, what it catches and passes, what a yes brings about."""

from collections.abc import Iterable, Iterator

from rulec.checks.judge.rulings import why_too_few
from rulec.checks.proving.proof import Proof, VariantOutcome
from rulec.domain.candidate import Candidate, Correction
from rulec.domain.one_line import shorten
from rulec.domain.redaction import redact
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.mining.mining_questions import WORDED_BY_MODEL
from rulec.reports.rule_lines import check_in_full, check_line, example_line
from rulec.resolving.resolver import Resolution
from rulec.resolving.revisions import offence_and_fix_lines
from rulec.services.proposals.candidate_identity import occurrences, sessions_heard_in
from rulec.services.proposals.proposal_builder import OpposingRule, Proposal
from rulec.services.proposals.rule_conflicts import describe_witness


def change_lines(old: Rule, new: Rule) -> Iterator[str]:
    """Words, checks, places, exceptions and examples; nothing of what stays as it is."""
    if old.statement != new.statement:
        yield f'"{old.statement}" becomes "{new.statement}"'
    yield from (f"{name}: {getattr(new, name)}" for name in ("when", "do") if getattr(old, name) != getattr(new, name))
    kinds = [(check.kind, check.template) for check in new.checks]
    yield from (f"no more: {check_line(check)}" for check in old.checks if (check.kind, check.template) not in kinds)
    yield from (f"checks: {check_line(check)}" for check in new.checks if check not in old.checks)
    yield from (f"not checked: {text}" for text in new.not_checked if text not in old.not_checked)
    yield from (f"no longer listed as not checked: {text}" for text in old.not_checked if text not in new.not_checked)
    if old.scope != new.scope:
        yield f"where: {scope_words(new.scope)} (it was {scope_words(old.scope)})"
    yield from (f"not {exemption_words(one)} any more" for one in new.exceptions if one not in old.exceptions)
    yield from _example_changes(old, new)
    if old.checks == new.checks and old.checks and (old.scope, old.exceptions) == (new.scope, new.exceptions):
        yield "the check stays as it is" + "; what is new is only put into words" * (old.statement != new.statement)


def _example_changes(old: Rule, new: Rule) -> Iterator[str]:
    more = [
        (len(set(new.invalid) - set(old.invalid)), "to be caught"),
        (len(set(new.valid) - set(old.valid)), "to pass"),
    ]
    counted = [f"{count} more example{'s' * (count > 1)} {what}" for count, what in more if count]
    if counted:
        yield " and ".join(counted)
    gone = [one for one in (*old.invalid, *old.valid) if one not in (*new.invalid, *new.valid)]
    if gone:
        yield f"{len(gone)} example{'s' * (len(gone) > 1)} of what passed before go{'es' * (len(gone) == 1)}"


def scope_words(scope: Scope) -> str:
    """A scope in words."""
    if scope == Scope():
        return "everywhere"
    but = f" but not {', '.join(scope.exclude)}" if scope.exclude else ""
    whose = ", where agents act alone" if scope.who else ""
    return f"{', '.join(scope.include)}{but}{whose}"


def exemption_words(one: Exemption) -> str:
    """An exception in words."""
    bounds = [*one.scope.include * (one.scope.include != ("**",)), *one.commands, *one.scope.agents]
    bounds += one.scope.environments
    return one.when or ", ".join(bounds)


AGAIN = 4  # further times that a preference was voiced which are quoted
SHOWN = 3  # examples of what passes
WORDS_ONLY = "it will only be put into words (AGENTS.md)"


def render_card(proposal: Proposal, does: str, origin: str = "", past: str = "", doubt: str = "") -> str:
    """The card that a person decides on, ending with what a yes brings about."""
    unseen = f"{doubt}: nothing is written unless a person says so" if doubt else ""
    lines = [("from", origin), *_card_rows(proposal), ("backtest", past), ("then it", does), ("in doubt", unseen)]
    return "\n".join(f"{name + ':':9} {text}" for name, text in lines if text)


def _card_rows(proposal: Proposal) -> Iterator[tuple[str, str]]:
    rule, candidate = proposal.rule, proposal.candidate
    if candidate.correction:
        yield "said", _quoted(candidate, candidate.correction)
        offence, accepted = offence_and_fix_lines(candidate, candidate.correction)
        if offence:
            yield "it did", shorten(redact(offence))
        if accepted:
            yield "then", shorten(redact(accepted))
    elif candidate.source:
        yield "said", f'"{shorten(redact(candidate.source.quote))}"'
    elif proposal.old and not candidate.by_agent:
        yield "said", f'"{shorten(redact(candidate.rule.statement))}"'
    yield from _repeat_rows(candidate.repeats)
    if (places := len(sessions_heard_in(candidate))) > 1:
        yield "in all", f"said in {places} sessions"
    yield from _current_rule_rows(proposal)
    yield "rule", f"{rule.slug} ({rule.severity}, {rule.category}): {shorten(rule.statement)}"
    yield from (("worded", text) for text in filter(None, [_model_part(candidate, rule)]))
    yield "becomes", resolution_line(proposal.resolution)
    yield from _change_rows(proposal)
    yield from (("against", text) for one in proposal.against for text in opposing_lines(one))
    if proposal.resolution.decision != "NOOP":
        yield from _check_rows(proposal, rule)


def worded_by_model(candidate: Candidate) -> bool:
    """Whether a model found the words of the rule in what a person said."""
    return candidate.rule.rationale == WORDED_BY_MODEL


def _model_part(candidate: Candidate, rule: Rule) -> str:
    """What of the proposal a model wrote, "" for nothing."""
    wrote = "a model wrote its check" * check_by_model(candidate, rule)
    words = "by a model; only the quote is the person's" * worded_by_model(candidate)
    return "; ".join(filter(None, (words, wrote)))


def check_by_model(candidate: Candidate, rule: Rule) -> bool:
    """Whether a check of the rule is a reader's or an agent's own; what rulec drafted says by what it did."""
    wrote = [one for one in occurrences(candidate) if one.by_agent or (one.offered and one.offered.drafted)]
    theirs = [check for one in wrote for draft in one.drafts if not draft.because for check in draft.checks]
    return any(check.parameters == one.parameters for check in rule.checks for one in theirs)


def resolution_line(said: Resolution) -> str:
    """A resolution in a line, with how sure it is where that is in doubt."""
    own = f"; as a rule of its own it would be {said.new_slug}" * (said.decision != "NEW")
    unsure = f" ({said.score:.2f} sure{own})"
    return said.line() + unsure * (said.band == "review")


def _current_rule_rows(proposal: Proposal) -> Iterator[tuple[str, str]]:
    """The rule as it stands, above what is to become of it."""
    old = proposal.old
    if old is None or proposal.resolution.decision == "NOOP":
        return
    yield "there is", f"{old.slug}@{old.revision} ({old.severity}, {old.category}): {shorten(old.statement)}"
    if proposal.resolution.decision == "SUPERSEDE":
        yield from (("it has", check_line(check)) for check in old.checks)


def _change_rows(proposal: Proposal) -> Iterator[tuple[str, str]]:
    old, decision = proposal.old, proposal.resolution.decision
    if old is None:
        return
    if decision != "NOOP" and old.layer != "team":
        yield (
            "changes",
            f"{old.slug} is of {old.layer}: what is written here goes before it, and nothing of theirs changes",
        )
    if decision == "UPDATE":
        yield from (("changes", shorten(text)) for text in change_lines(old, proposal.rule))
    if decision == "SUPERSEDE":
        yield "changes", f"{old.slug} goes to the archive{', and its checks with it' * bool(old.checks)}"
        yield "witness", shorten(describe_witness(proposal.witness))


def opposing_lines(one: OpposingRule) -> Iterator[str]:
    """What asks for the contrary, and the action that shows it."""
    where = "waits too" if one.waits else "a rule here"
    yield shorten(f"{one.slug}, {where}: {one.statement}")
    if not one.waits:
        yield shorten(describe_witness(one.witness))


def _repeat_rows(repeats: Iterable[Candidate]) -> Iterator[tuple[str, str]]:
    quotes = [_quoted(one, one.correction) for one in repeats if one.correction]
    yield from (("again", text) for text in quotes[:AGAIN])
    if len(quotes) > AGAIN:
        yield "again", f"and {len(quotes) - AGAIN} times more"


def _check_rows(proposal: Proposal, rule: Rule) -> Iterator[tuple[str, str]]:
    yield from (("not used", failure) for failure in proposal.failed)
    if proposal.stuck:
        return
    yield from (("check", check_in_full(check, 11)) for check in rule.checks)
    yield from (("unseen", f"not checked: {shorten(text)}") for text in rule.not_checked)
    yield from (("disputed", shorten(example_line(one))) for one in proposal.disputed)
    if rule.scope != Scope():
        yield "where", scope_words(rule.scope)
    yield from (("but not", exemption_words(one)) for one in rule.exceptions)
    if proposal.proof and not proposal.proof.digest:
        yield from (("to fail", shorten(example_line(one))) for one in _new_examples_first(rule.invalid, proposal.old))
        yield from (("to hold", shorten(example_line(one))) for one in _new_examples_first(rule.valid, proposal.old))
        yield "judged", _measurable(rule)
    elif proposal.proof:
        spared = [example for one in rule.exceptions for example in one.valid]
        yield from (("catches", shorten(example_line(one))) for one in _new_examples_first(rule.invalid, proposal.old))
        yield from (
            ("passes", shorten(example_line(one))) for one in _new_examples_first([*spared, *rule.valid], proposal.old)
        )
        yield from (("acts", text) for text in filter(None, [_only_at_tool_call(rule, proposal.proof)]))
        yield "proof", "; ".join(f"{s.name} {s.detail or 'ok'}" for s in proposal.proof.stages)
        yield from _variant_rows(proposal.proof.edges)
    else:
        reason = "no check of it held its proof" if proposal.failed else "this cannot be checked by a machine"
        yield "check", f"none; {reason}: {WORDS_ONLY}"
    if rule.do:
        yield "instead", shorten(rule.do)


def _only_at_tool_call(rule: Rule, proof: Proof) -> str:
    """That a rule acts at the tool call alone, where its template acts at commits, too, and no example showed that."""
    gone = [check for check in proof.dead if check.kind != "guard"]
    if not gone or any(check.kind != "guard" for check in rule.checks):
        return ""
    return f"at the tool call alone: the {gone[0].kind} check of {gone[0].template} is left out"


def _measurable(rule: Rule) -> str:
    """How far the rule's examples reach for measuring whoever judges it."""
    few = why_too_few([*(True for _ in rule.invalid), *(False for _ in rule.valid)])
    return f"by a model, which nothing proves; {f'{few}: rulec edit adds some' if few else 'its examples measure it'}"


def shown_examples(proposal: Proposal) -> list[Example]:
    """The examples of the rule that its card shows."""
    rule, old = proposal.rule, proposal.old
    spared = [example for one in rule.exceptions for example in one.valid]
    return [*_new_examples_first(rule.invalid, old), *_new_examples_first([*spared, *rule.valid], old)]


def _new_examples_first(examples: Iterable[Example], old: Rule | None) -> list[Example]:
    """Some of the examples, first those that the rule did not have before."""
    known = (*old.invalid, *old.valid) if old else ()
    return sorted(examples, key=lambda example: example in known)[:SHOWN]


def _variant_rows(edges: VariantOutcome | None) -> Iterator[tuple[str, str]]:
    """How many variants were decided right, and of the others the first two of each kind."""
    if edges is None:
        return
    if edges.wider:
        yield "wider", shorten(f"it catches {' and '.join(example_line(one.example) for one in edges.wider[:2])}, too")
    if not edges.invalid + edges.valid:
        return
    let = [example_line(mutant.example) for mutant in edges.missed if mutant.invalid]
    hit = [example_line(mutant.example) for mutant in edges.missed if not mutant.invalid]
    counted = f"of variants {edges.caught}/{edges.invalid} caught, {edges.passed}/{edges.valid} passed"
    some = [f"{verb} {' and '.join(texts[:2])}" for verb, texts in (("misses", let), ("catches", hit)) if texts]
    yield "edges", shorten("; ".join([counted, *some]))


def _quoted(candidate: Candidate, correction: Correction) -> str:
    number, of = candidate.part
    at, agent, turn = correction.turn.at[:10], correction.turn.agent, f"turn {correction.turn.index}"
    wish = f"wish {number} of {of}" if of > 1 else ""
    quote = redact(correction.quote)  # of what a model picked out all that is kept of it, for the rest may deny it
    shown = " ".join(quote.split()) if candidate.offered else shorten(quote)
    return f'"{shown}"  ({", ".join(filter(None, (at, agent, turn, wish)))})'
