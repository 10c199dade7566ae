"""Durable wishes and a reader's checks for them: what it is asked of each, and what becomes of its answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rulec.domain.candidate import Candidate, Challenge, Draft, LeftOutExample, ReaderOpinion
from rulec.domain.prompt import DataBlock, Prompt, estimate_tokens
from rulec.domain.rule import Example, Scope
from rulec.domain.template import Render
from rulec.domain.text import excerpts
from rulec.domain.transcript import Action
from rulec.drafting import draft_json
from rulec.drafting.challenge_questions import challenge_data, named_example
from rulec.drafting.draft_json import (
    as_json,
    check_data,
    entries_by_wish,
    plain_example,
    redact_all,
    schema_by_wish,
    wish_data,
)
from rulec.drafting.session_examples import example_of, not_in_session, unique_examples

VERSION = 1
MOST, BUDGET = 4, 9_000  # wishes of one prompt (more may cost more than a run may), and tokens of what is told
ALTERNATIVES = 3
LEAST_EXAMPLES = 3  # further offences, and near misses, that are asked for
LONGEST_STATEMENT = 300  # characters
_ANSWER, _EACH = 1_500, 2_500  # tokens of an answer, and for each wish
LONGEST_REASON = 160  # characters of why an example of the challenge is left out


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """A wish that a reader is to draft checks for."""

    candidate: Candidate
    tried: tuple[Draft, ...] = ()  # of its last answer: none of them holds
    failed: tuple[Mapping[str, Any], ...] = ()  # for each of these what its proof failed on
    unread: tuple[str, ...] = ()  # what of that answer has none of our forms


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """What a reader said of one wish."""

    candidate: Candidate  # with its examples, its words and the pair as they are now
    drafts: tuple[Draft, ...] = ()  # its alternatives, without examples
    not_checked: tuple[str, ...] = ()  # why there is none, or what none of them sees
    unread: tuple[str, ...] = ()
    silent: str = ""  # why nothing of it counts


def write_draft_prompts(wanted: Sequence[DraftRequest], render: Render, catalogue: str, profile: str) -> list[Prompt]:
    """The first question about each: in as few prompts as their size allows, block n of each is wish n."""
    words = render(
        "ask/draft.md.j2", {"alternatives": ALTERNATIVES, "least": LEAST_EXAMPLES, "catalogue": catalogue.strip()}
    )
    return [_build_prompt("draft", words, group, profile) for group in group_by_size(wanted)]


def write_mend_prompts(wanted: Sequence[DraftRequest], render: Render, catalogue: str, profile: str) -> list[Prompt]:
    """Prompts for the drafts whose proof failed, with the stages that failed and what on."""
    words = render("ask/mend.md.j2", {"alternatives": ALTERNATIVES, "catalogue": catalogue.strip()})
    return [_build_prompt("mend", words, group, profile) for group in group_by_size(wanted)]


def _build_prompt(step: str, words: str, wanted: Sequence[DraftRequest], profile: str) -> Prompt:
    data = [DataBlock(name="wish", text=as_json(_request_data(one))) for one in wanted]
    # what proofs say depends on the repository as it is now: the question about one answer stays the same question
    data += [
        DataBlock(name=f"what failed of wish {number}", text=as_json(_failure_data(one)), beside=True)
        for number, one in enumerate(wanted, 1)
        if one.failed or one.unread
    ]
    data += [DataBlock(name="repository", text=profile, beside=True)] if profile else []
    return Prompt(
        step=step, version=VERSION, instructions=words, data=tuple(data), schema=SCHEMA,
        most=_ANSWER + _EACH * len(wanted),
    )  # fmt: skip


def group_by_size(wanted: Sequence[DraftRequest]) -> list[list[DraftRequest]]:
    """Those of one prompt."""
    found: list[list[DraftRequest]] = []
    size = 0
    for one in wanted:
        size += estimate_tokens(as_json(_request_data(one)))
        if not found or len(found[-1]) == MOST or size > BUDGET:
            found.append([])
            size = estimate_tokens(as_json(_request_data(one)))
        found[-1].append(one)
    return found


def _request_data(one: DraftRequest) -> dict[str, Any]:
    """The wish, and what its reader answered about it."""
    offered = one.candidate.offered or ReaderOpinion()
    told = wish_data(one.candidate)
    if one.candidate.challenge:
        told["challenge"] = challenge_data(one.candidate.challenge)
    if one.tried:
        told["your examples"] = {
            "invalid": [plain_example(example) for example in offered.invalid],
            "valid": [plain_example(example) for example in offered.valid],
        }
        told["your alternatives"] = [_draft_data(draft) for draft in one.tried]
    return {key: redact_all(value) for key, value in told.items() if value}


def _draft_data(draft: Draft) -> dict[str, Any]:
    """An alternative as its reader wrote it."""
    checks = [check_data(check) for check in draft.checks]
    scope = {
        key: list(getattr(draft.scope, key))
        for key in ("include", "exclude")
        if getattr(draft.scope, key) != getattr(Scope(), key)
    }
    told = {
        "checks": [check for at, check in enumerate(checks) if check not in checks[:at]],
        "scope": scope, "not_checked": list(draft.not_checked), "statement": draft.statement,
    }  # fmt: skip
    return {key: value for key, value in told.items() if value}


def _failure_data(one: DraftRequest) -> dict[str, Any]:
    told = {f"alternative {number}": redact_all(failed) for number, failed in enumerate(one.failed, 1)}
    return {**told, **({"could not be read": redact_all(list(one.unread))} if one.unread else {})}


_ID = {"type": ["string", "null"]}
_WISH: Mapping[str, Any] = {
    "examples": draft_json.EXAMPLES_SCHEMA,
    "alternatives": {
        "type": "array",
        "maxItems": 20,
        "items": {
            "type": "object",
            "properties": {
                "checks": draft_json.CHECKS_SCHEMA,
                "scope": draft_json.SCOPE_SCHEMA,
                "not_checked": draft_json.NOT_CHECKED_SCHEMA,
                "statement": {"type": "string"},
            },
        },
    },
    "not_checked": draft_json.NOT_CHECKED_SCHEMA,
    "statement": {"type": "string"},
    "offence": _ID,
    "fix": _ID,
    "left_out": {
        "type": "array",
        "maxItems": 40,
        "items": {
            "type": "object",
            "required": ["example", "because", "why"],
            "properties": {
                "example": {"type": "string"},
                "because": {"enum": ["wrong", "unseen"]},
                "why": {"type": "string"},
            },
        },
    },
}
SCHEMA = schema_by_wish(_WISH)


def read_draft_answer(
    data: Mapping[str, Any], wanted: Sequence[DraftRequest], kind_of: draft_json.KindOf
) -> tuple[DraftAnswer, ...]:
    """The answer for each wish; two answers about one wish count as none."""
    entries = entries_by_wish(data, len(wanted))
    return tuple(_answer_on_wish(items, one, kind_of) for items, one in zip(entries, wanted, strict=True))


@dataclass(slots=True)
class _AnswerReading:
    item: Mapping[str, Any]
    kind_of: draft_json.KindOf
    unread: list[str] = field(default_factory=list)

    def examples(self, before: ReaderOpinion) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
        """The examples that the answer gives, or the draft's where it leaves them out."""
        sides = self.item.get("examples")
        if not isinstance(sides, Mapping):
            return before.invalid, before.valid
        found = draft_json.read_draft({"examples": sides}, "reader", self.kind_of)
        self.unread += found.unread
        return (
            found.draft.invalid if "invalid" in sides else before.invalid,
            found.draft.valid if "valid" in sides else before.valid,
        )

    def challenge(self, before: Challenge | None) -> Challenge | None:
        """The challenge without what the answer leaves out for a reason, or as it was where it says nothing of it."""
        if before is None or "left_out" not in self.item:
            return before
        found = [one for item in self.item["left_out"] if (one := self._left_out(item, before))]
        return replace(before, left_out=tuple({one.example: one for one in found}.values()))

    def _left_out(self, item: Mapping[str, Any], challenge: Challenge) -> LeftOutExample | None:
        example = named_example(item["example"], challenge)
        why = excerpts.line_by_model(item["why"], LONGEST_REASON)
        if example is None or not why:
            said = "has no reason in a few words" if example else "is no id of the challenge"
            self.unread.append(f"left_out: {item['example'][:20]!r} {said}")
            return None
        return LeftOutExample(
            example=example, invalid=example in challenge.invalid, why=why, wrong=item["because"] == "wrong"
        )

    def drafts(self) -> Iterator[Draft]:
        for number, one in enumerate(self.item.get("alternatives", [])[:ALTERNATIVES], 1):
            found = draft_json.read_draft(one, "reader", self.kind_of, f"alternative {number}")
            self.unread += [f"alternative {number}, {line}" for line in found.unread]
            if found.draft.checks and not any("check" in line.split(":")[0] for line in found.unread):
                yield replace(found.draft, statement=_checked_statement(one.get("statement")))


def _answer_on_wish(items: Sequence[Mapping[str, Any]], one: DraftRequest, kind_of: draft_json.KindOf) -> DraftAnswer:
    candidate = one.candidate
    if len(items) != 1:
        return DraftAnswer(candidate, silent="two answers speak of it" if items else "the answer leaves it out")
    item, offered = items[0], candidate.offered or ReaderOpinion()
    reading = _AnswerReading(item, kind_of)
    invalid, valid = reading.examples(offered)
    drafts = tuple(reading.drafts())
    said = candidate.correction
    offence, fix = offered.offence, offered.fix
    if said:
        offence = _named_action(item, "offence", "b", said.before, offence)
        fix = _named_action(item, "fix", "f", said.after, fix)
    fix = fix if fix != offence else None
    taken = [example for action in (offence, fix) if action and (example := example_of(action))]
    offered = replace(
        offered, offence=offence, fix=fix, drafted=True,
        invalid=unique_examples(tuple(not_in_session(invalid, taken))), valid=unique_examples(tuple(not_in_session(valid, taken))),
    )  # fmt: skip
    challenge = reading.challenge(candidate.challenge)
    rule = candidate.rule
    rule = replace(rule, statement=_checked_statement(item.get("statement")) or rule.statement)
    told = draft_json.read_draft({"not_checked": item.get("not_checked")}, "reader", kind_of).draft.not_checked
    unseen = [each.why for each in challenge.left_out if each.unseen] if challenge else []
    told = tuple(dict.fromkeys((*told, *unseen)))
    # what it says of the wish as a whole holds of each alternative, beside what it says of that one
    drafts = tuple(replace(each, not_checked=tuple(dict.fromkeys((*each.not_checked, *told)))) for each in drafts)
    return DraftAnswer(
        replace(candidate, rule=rule, offered=offered, challenge=challenge),
        drafts,
        told,
        tuple(dict.fromkeys(reading.unread)),
    )


def _named_action(
    item: Mapping[str, Any], key: str, letter: str, actions: Sequence[Action], before: Action | None
) -> Action | None:
    """The action that the answer names, none where it says so, and as it was where it says nothing that we know."""
    if key not in item:
        return before
    name = item[key]
    if name is None:
        return None
    place = name[1:] if isinstance(name, str) and name.startswith(letter) else ""
    number = int(place) if place.isascii() and place.isdecimal() and len(place) < len("10000") else 0
    return actions[number - 1] if 0 < number <= len(actions) else before


def _checked_statement(value: Any) -> str:
    text = excerpts.line_by_model(value, LONGEST_STATEMENT)
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."
