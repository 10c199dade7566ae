"""The challenge: somebody who sees no check writes how a mistake would come back, and what honest agents do nearby."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from rulec.domain.candidate import Candidate, Challenge
from rulec.domain.prompt import DataBlock, Prompt, estimate_tokens
from rulec.domain.rule import Example
from rulec.domain.template import Render
from rulec.drafting import draft_json
from rulec.drafting.draft_json import as_json, entries_by_wish, plain_example, redact_all, schema_by_wish, wish_data
from rulec.drafting.session_examples import example_of, not_in_session, unique_examples

VERSION = 1
ASKED = 5  # ways back, and honest actions, that are asked for
_MOST, _BUDGET = 5, 12_000  # wishes of one prompt (more may cost more than a run may), and tokens of what is told
_ANSWER, _EACH = 1_000, 2_000  # tokens of an answer, and for each wish


@dataclass(frozen=True, slots=True)
class ChallengeRequest:
    """A wish that is to be challenged, and why its last answer cannot be used."""

    candidate: Candidate
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChallengeAnswer:
    """What was answered about one wish."""

    challenge: Challenge | None = None  # None: nothing of it can be used
    unread: tuple[str, ...] = ()  # what of the answer has none of our forms
    complete: bool = False  # there are examples of both sides, or it says that no action shows such a wish


def write_challenge_prompts(wanted: Sequence[ChallengeRequest], render: Render, profile: str) -> list[Prompt]:
    """The question about each, in as few prompts as their size allows: block n of each is wish n."""
    words = render("ask/challenge.md.j2", {"many": ASKED, "forms": draft_json.example_forms()})
    return [_build_prompt(words, group, profile) for group in group_challenges(wanted)]


def group_challenges(wanted: Sequence[ChallengeRequest]) -> list[list[ChallengeRequest]]:
    """The wishes of each prompt: all of them in one, as far as they have room."""
    found: list[list[ChallengeRequest]] = []
    size = 0
    for one in wanted:
        own = estimate_tokens(as_json(_request_data(one)))
        if not found or len(found[-1]) == _MOST or size + own > _BUDGET:
            found.append([])
            size = 0
        size += own
        found[-1].append(one)
    return found


def _build_prompt(words: str, wanted: Sequence[ChallengeRequest], profile: str) -> Prompt:
    data = [DataBlock(name="wish", text=as_json(_request_data(one))) for one in wanted]
    data += [DataBlock(name="repository", text=profile, beside=True)] if profile else []
    most = _ANSWER + _EACH * len(wanted)
    return Prompt(step="challenge", version=VERSION, instructions=words, data=tuple(data), schema=SCHEMA, most=most)


def _request_data(one: ChallengeRequest) -> dict[str, Any]:
    told = wish_data(one.candidate)
    if one.unread:
        told["could not be read in your last answer"] = redact_all(list(one.unread))
    return told


SCHEMA = schema_by_wish(
    {"invalid": draft_json.SIDE_SCHEMA, "valid": draft_json.SIDE_SCHEMA, "none": {"type": "string"}}
)


def read_challenge_answer(data: Mapping[str, Any], wanted: Sequence[ChallengeRequest]) -> tuple[ChallengeAnswer, ...]:
    """The answer for each wish; two answers about one wish count as none."""
    entries = entries_by_wish(data, len(wanted))
    return tuple(_answer_on_wish(items, one.candidate) for items, one in zip(entries, wanted, strict=True))


def _answer_on_wish(items: Sequence[Mapping[str, Any]], candidate: Candidate) -> ChallengeAnswer:
    if len(items) != 1:
        return ChallengeAnswer(unread=("two answers speak of it" if items else "the answer leaves it out",))
    item = items[0]
    if item.get("none") and not (item.get("invalid") or item.get("valid")):
        return ChallengeAnswer(Challenge(), complete=True)
    unread: list[str] = []
    invalid, valid = (tuple(_examples(item, side, candidate, unread)) for side in ("invalid", "valid"))
    unread += [f"no {side} example can be used" for side, some in (("invalid", invalid), ("valid", valid)) if not some]
    challenge = Challenge(invalid=invalid, valid=tuple(one for one in valid if one not in invalid))
    complete = bool(challenge.invalid and challenge.valid)
    return ChallengeAnswer(challenge if invalid or valid else None, tuple(unread), complete)


def _examples(item: Mapping[str, Any], side: str, candidate: Candidate, unread: list[str]) -> Iterator[Example]:
    """The examples of one side that are none of the session, as many as were asked for."""
    offered = candidate.offered
    done = [example_of(action) for action in (offered.offence, offered.fix) if action] if offered else []
    put = draft_json.REPLACE_SECRETS[side]
    found: list[Example] = []
    for one in draft_json.read_examples_by_model(item.get(side), where=side, put=put):
        if isinstance(one, str):
            unread.append(one)
        else:
            found.append(replace(one, source="challenge"))
    new = not_in_session(found, [example for example in done if example])
    return islice(unique_examples(tuple(new)), ASKED)


def challenge_data(challenge: Challenge) -> dict[str, Any]:
    """The examples as the author of the check is shown them, each with its id."""
    named = list(_named_examples(challenge))
    left_out = {one.example: one for one in challenge.left_out}
    told: dict[str, Any] = {
        side: [{"id": name, **plain_example(one)} for name, one in named if one in of and one not in left_out]
        for side, of in (("invalid", challenge.invalid), ("valid", challenge.valid))
    }
    told["left_out"] = [{"example": name, "why": left_out[one].why} for name, one in named if one in left_out]
    return {key: value for key, value in told.items() if value}


def example_name(example: Example, challenge: Challenge | None) -> str:
    """The id of an example of the challenge, "" of any other."""
    return next((name for name, one in _named_examples(challenge) if one == example), "") if challenge else ""


def named_example(name: str, challenge: Challenge) -> Example | None:
    """The example with that id."""
    return next((one for known, one in _named_examples(challenge) if known == name.strip()), None)


def _named_examples(challenge: Challenge) -> Iterator[tuple[str, Example]]:
    yield from ((f"c{number}", one) for number, one in enumerate((*challenge.invalid, *challenge.valid), 1))
