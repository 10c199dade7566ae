"""Asks for a challenge of each wish before anybody writes a check: examples of somebody who sees none."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rulec.domain.candidate import Candidate
from rulec.domain.prompt import AwaitedAnswer, ModelAnswer, ModelFailure, ModelReply
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.drafting.challenge_questions import (
    ChallengeAnswer,
    ChallengeRequest,
    group_challenges,
    read_challenge_answer,
    write_challenge_prompts,
)
from rulec.llm.conversation import Conversation

_LONGEST_REASON = 200  # characters of why there is none


@dataclass(slots=True)
class ChallengeRun:
    """The challenges of some wishes, by their number; where there is none the check is drafted all the same."""

    chat: Conversation
    profile: str  # of the repository
    found: dict[int, Candidate] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # a line for each wish without one
    awaited: bool = False  # an answer may still come, in a file

    def ask(self, wanted: Mapping[int, Candidate]) -> None:
        """Ask about all of them, and once more about those of which the answer cannot be used."""
        left = self._round({number: ChallengeRequest(candidate) for number, candidate in wanted.items()}, last=False)
        self._round(left, last=True)

    def _round(self, wanted: Mapping[int, ChallengeRequest], *, last: bool) -> dict[int, ChallengeRequest]:
        """Returns what is to be asked once more."""
        again: dict[int, ChallengeRequest] = {}
        if not wanted:
            return again
        numbers = iter(wanted)
        requests = list(wanted.values())
        replies = self.chat.ask(write_challenge_prompts(requests, self.chat.render, self.profile))
        for group, reply in zip(group_challenges(requests), replies, strict=True):
            own = {next(numbers): request for request in group}
            if not isinstance(reply, ModelAnswer):
                self._unanswered(own, reply)
                continue
            answers = read_challenge_answer(reply.data, group)
            for (number, request), answer in zip(own.items(), answers, strict=True):
                if answer.complete or last:
                    self._take(number, request.candidate, answer)
                else:
                    again[number] = replace(request, unread=answer.unread)
        return again

    def _take(self, number: int, candidate: Candidate, answer: ChallengeAnswer) -> None:
        self.found[number] = replace(candidate, challenge=answer.challenge)
        if not answer.complete:
            self._tell(candidate, "; ".join(answer.unread))

    def _unanswered(self, wanted: Mapping[int, ChallengeRequest], reply: ModelReply) -> None:
        """Who answers in files may still do so; of a run that has to end whoever drafts the checks says why."""
        if isinstance(reply, AwaitedAnswer) or self.chat.waits:
            self.awaited = True
            self.notes += [reply.line] if isinstance(reply, ModelFailure) else []
        elif isinstance(reply, ModelFailure) and not reply.over:
            for one in wanted.values():
                self._tell(one.candidate, reply.what)

    def _tell(self, candidate: Candidate, why: str) -> None:
        what = to_one_line(redact(why))[:_LONGEST_REASON]
        self.notes.append(f"{redact(candidate.rule.slug)}: its check is drafted without a challenge: {what}")
