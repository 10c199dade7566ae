"""A candidate and its resolution into the rule and the evidence to be written, without secrets."""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulec.checks.proving.proof import Proof
from rulec.domain.candidate import Candidate, Correction, Draft
from rulec.domain.enforcement import PinnedEnforcement
from rulec.domain.evidence import Evidence
from rulec.domain.rule import Example, Exemption, Rule
from rulec.domain.text.redaction import replace_redacted, replace_secrets
from rulec.domain.transcript import Action
from rulec.resolving.resolver import Resolution

ACCEPTED_WEIGHT = 3.0  # a person's yes, or words marked as a rule
UNREVIEWED_WEIGHT = 1.0
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?")
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.-]{0,63}")
LONGEST_ACTION = 500  # characters of an action that evidence keeps


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What a resolution writes: a rule (None for a NOOP) and observations."""

    rule: Rule | None
    evidence: tuple[Evidence, ...]


def rule_of(
    candidate: Candidate, resolution: Resolution, draft: Draft | None, pinned: PinnedEnforcement = "auto"
) -> Rule:
    """The rule that a candidate would become with one of its drafts, or as a reminder without a check."""
    follows = (resolution.slug,) if resolution.decision == "SUPERSEDE" else ()
    slug = resolution.new_slug if follows else resolution.slug
    rule = replace(candidate.rule, slug=slug, enforcement=pinned, supersedes=follows)
    return with_draft(rule, draft) if draft else rule


def with_draft(rule: Rule, draft: Draft) -> Rule:
    """The rule with the check, examples and scope of a draft."""
    do = draft.do or rule.do
    return replace(
        rule, checks=draft.checks, invalid=draft.invalid, valid=draft.valid, scope=draft.scope, do=do,
        not_checked=draft.not_checked,
    )  # fmt: skip


def revise(
    rule: Rule, candidate: Candidate, resolution: Resolution, proof: Proof | None, *, reviewed: bool, at: str,
    redact: Callable[[str], str], identify: Callable[[Evidence], str],
) -> Revision:  # fmt: skip
    """The redacted rule with its evidence, the evidence alone for NOOP.

    A person's yes stands with the first time that it was said; each repeat is an observation of its own.
    """
    evidence = [_evidence_of(candidate, rule.slug, reviewed=reviewed, at=at, redact=redact)]
    evidence += [
        _evidence_of(one, rule.slug, reviewed=False, at=at, redact=redact)
        for one in candidate.repeats
        if one.correction
    ]
    if resolution.decision == "NOOP":
        return Revision(rule=None, evidence=tuple(evidence))
    if resolution.manner == "looser":
        evidence = [_as_counterexample(item, rule) for item in evidence]
    origin = rule.origin or identify(evidence[0])
    if proof is not None and proof.holds and proof.digest:
        evidence.append(proof.as_evidence())
    return Revision(rule=replace(rule, origin=origin), evidence=tuple(evidence))


def _as_counterexample(item: Evidence, rule: Rule) -> Evidence:
    """Evidence of what the rule leaves alone from now on: it does not count against the rest."""
    path = rule.scope.exclude[-1] if rule.scope.exclude else ""
    about = item.offence or item.accepted
    return replace(item, kind="counterexample", weight=0.0, offence="", accepted=about, path=path)


def redact_rule(rule: Rule, redact: Callable[[str], str]) -> Rule:
    """The rule without secrets in anything that came from a transcript; its examples hold look-alikes instead.

    So what is proved is what is written, and still shows the offence when it is proved again.
    """

    def exemption(one: Exemption) -> Exemption:
        valid = tuple(redact_example(example, replace_secrets) for example in one.valid)
        return replace(one, because=redact(one.because), when=redact(one.when), valid=valid)

    return replace(
        rule,
        statement=redact(rule.statement),
        rationale=redact(rule.rationale),
        when=redact(rule.when),
        do=redact(rule.do),
        checks=tuple(replace(check, parameters=_redact_values(check.parameters, redact)) for check in rule.checks),
        invalid=tuple(redact_example(one, replace_redacted) for one in rule.invalid),
        valid=tuple(redact_example(one, replace_secrets) for one in rule.valid),
        exceptions=tuple(map(exemption, rule.exceptions)),
    )


def redact_example(item: Example, put: Callable[[str], str]) -> Example:
    """The example with each of its texts as ``put`` makes it."""
    return replace(
        item,
        text=put(item.text),
        old=put(item.old),
        path=put(item.path),
        args=put(item.args),
        files=tuple((put(path), put(text)) for path, text in item.files),
        gone=tuple(map(put, item.gone)),
        moved=tuple((put(old), put(new)) for old, new in item.moved),
        steps=tuple(redact_example(step, put) for step in item.steps),
    )


def _redact_values(value: Any, redact: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: _redact_values(item, redact) for key, item in value.items()}
    return [_redact_values(item, redact) for item in value] if isinstance(value, list | tuple) else value


def _evidence_of(candidate: Candidate, slug: str, *, reviewed: bool, at: str, redact: Callable[[str], str]) -> Evidence:
    correction, source = candidate.correction, candidate.source
    if source:
        return Evidence(
            slug=slug, kind="accepted", weight=ACCEPTED_WEIGHT * reviewed, at=source.at, quote=redact(source.quote),
            transcript=source.path, turn=source.line, digest=candidate.digest,
        )  # fmt: skip
    if correction is None:
        quote = "" if candidate.by_agent else redact(candidate.rule.statement)
        return Evidence(slug=slug, kind="accepted", weight=ACCEPTED_WEIGHT * reviewed, at=at, quote=quote)
    offence, accepted = offence_and_fix_lines(candidate, correction)
    return Evidence(
        slug=slug,
        kind="correction",
        weight=ACCEPTED_WEIGHT if reviewed or correction.marked else UNREVIEWED_WEIGHT,
        at=correction.turn.at if _TIME.fullmatch(correction.turn.at) else "",  # now would differ on every branch
        quote=redact(correction.quote),
        agent=correction.turn.agent,
        transcript=session_name(correction.turn.session),
        turn=correction.turn.index,
        offence=redact(offence),
        accepted=redact(accepted),
    )


def session_name(session: str) -> str:
    """A session's id as it is, where it is an id; else a name for it that holds nothing of its text."""
    return session if _ID.fullmatch(session) else hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:16]


def offence_and_fix_lines(candidate: Candidate, correction: Correction) -> tuple[str, str]:
    """What was wrong and what was accepted, in a line each: as a model named them, where one read the session.

    Else from the first draft, else the neighbouring actions.
    """
    if candidate.offered:
        return _action_line(candidate.offered.offence), _action_line(candidate.offered.fix)
    draft = candidate.drafts[0] if candidate.drafts else None
    if draft and draft.invalid and _is_of_session(draft.invalid[0], correction.before):
        return _example_line(draft.invalid[0]), _example_line(
            draft.valid[0]
        ) if draft.valid and correction.after else ""
    if correction.marked:  # that may be said at any time: the actions next to it need not be what it is about
        return "", ""
    before, after = correction.before[-1:], correction.after[:1]
    return "".join(map(_action_line, before)), "".join(map(_action_line, after))


def _is_of_session(example: Example, before: tuple[Action, ...]) -> bool:
    """Whether the example was taken from the session, and not made from words alone."""
    if example.kind == "command":
        return any(a.command and (example.text in a.command or a.command in example.text) for a in before)
    if example.path:
        return any(a.path == example.path or a.path.endswith(f"/{example.path}") for a in before)
    return bool(before)


def _example_line(example: Example) -> str:
    if example.kind == "session":
        return "; ".join(_example_line(step) for step in example.steps if step.kind != "says")[-LONGEST_ACTION:]
    text = example.text if example.kind in ("command", "message", "stop") else f"{example.path}: {example.text}"
    return text[:LONGEST_ACTION]


def _action_line(action: Action | None) -> str:
    if action is None:
        return ""
    what = "says" if action.kind == "stop" else f"{action.kind} {action.path}"
    return (action.command or f"{what}: {action.new}")[:LONGEST_ACTION]
