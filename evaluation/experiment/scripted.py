"""A scripted agent with a stated compliance to what it is told, and the person who corrects it."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.experiment.players import PlayedAct
from evaluation.experiment.plays import GATES, STEPS, TaskPlays, Told
from evaluation.experiment.tasks import Task
from rulec.domain.prompt import estimate_tokens

NONE, DOCUMENT, SNAPSHOT = "none", "instruction document", "snapshot"
CONDITIONS = (NONE, DOCUMENT, SNAPSHOT, GATES, STEPS)
DRAWS = 20  # sessions that each occasion stands for: the plays are the same, only what the agent heeds differs
MOST_CORRECTIONS = 2  # after that the person does it themselves (TRACE 5: the cap on a person's turns)
UNDISTURBED = PlayedAct()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """What a scripted agent does with what it hears; shares of the occasions at which it heeds it."""

    compliance: float  # of what it is told before it acts
    heeds: float = 1.0  # of a correction in the same session
    obeys: bool = True  # after a refusal it does what is right; else it gives the task up


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How one occasion ended."""

    repeat: bool  # the corrected act was done again
    passed: bool  # what is right was done, and nobody had to correct anything
    refusals: int  # acts of the agent that a gate refused, whichever
    corrections: int
    tokens: int  # that the agent was told, refusals among them

    @property
    def turns(self) -> int:
        """How often the person spoke."""
        return 1 + self.corrections


@dataclass(frozen=True, slots=True)
class World:
    """What is known of all occasions: the plays, and what is told before them."""

    plays: Sequence[TaskPlays]
    told: Mapping[tuple[str, int], Told]
    seed: int
    document: str  # the text of the instruction document

    def endings(self, condition: str, agent: Agent) -> Iterator[tuple[Task, list[list[Ending]]]]:
        """How the occasions of every task end, once for each draw."""
        for one in self.plays:
            ats = [at for at in range(len(one.task.occasions)) if one.possible(f"bad {at}")]
            yield one.task, [[self._ending(one, at, condition, agent, draw) for at in ats] for draw in range(DRAWS)]

    def _ending(self, one: TaskPlays, at: int, condition: str, agent: Agent, draw: int) -> Ending:
        text, names_rule = self._told(one.task, at, condition)
        verdicts = one.judged.get(condition, {})
        wrong, right = (verdicts.get(f"{kind} {at}", UNDISTURBED) for kind in ("bad", "good"))
        can = one.task.occasions[at].good is None or one.possible(f"good {at}")
        heeds = names_rule and self._draw(one.task, at, condition, f"told {draw}") < agent.compliance
        stopped = not heeds and bool(wrong.where) and wrong.by_rule
        repeat = not heeds and not stopped
        passed = not repeat and (heeds or agent.obeys) and can and not right.where
        corrections = self._corrections(one.task, at, condition, agent, draw) if repeat else int(not passed)
        turns_right = heeds or (agent.obeys if stopped else corrections < MOST_CORRECTIONS)
        tried = [wrong] * (not heeds) + [right] * turns_right
        return Ending(
            repeat=repeat,
            passed=passed,
            refusals=sum(bool(act.where) for act in tried),
            corrections=corrections,
            tokens=(estimate_tokens(text) if text else 0) + sum(act.tokens for act in tried),
        )

    def _told(self, task: Task, at: int, condition: str) -> tuple[str, bool]:
        """What the agent reads before it acts, and whether the rule is in it."""
        if condition == NONE:
            return "", False
        if condition == DOCUMENT:
            return self.document, True
        told = self.told[task.id, at]
        return (f"{told.text}\n{told.step}", told.at_step) if condition == STEPS else (told.text, told.rule)

    def _corrections(self, task: Task, at: int, condition: str, agent: Agent, draw: int) -> int:
        """How often the person corrects the agent, until it heeds them or they have enough."""
        for number in range(1, MOST_CORRECTIONS):
            if self._draw(task, at, condition, f"correction {number} {draw}") < agent.heeds:
                return number
        return MOST_CORRECTIONS

    def _draw(self, task: Task, at: int, condition: str, what: str) -> float:
        """A number from 0 to 1 that depends on the seed and the occasion, and on no other draw."""
        words = f"{self.seed}\n{task.id}\n{at}\n{condition}\n{what}"
        return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big") / 2**64


def instruction_document(tasks: Sequence[Task]) -> str:
    """What a person would write by hand: the statement of every correction."""
    return "# Rules\n\n" + "".join(f"- {task.statement}\n" for task in tasks)
