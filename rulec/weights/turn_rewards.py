"""What a turn showed of one rule -> the reward of having told it or not, and how far to trust that; from facts alone.

VARS (section 3.4) reads a reward off the person's words and a gate off the likeness of topics. Here both come from what
happened. What the issue leaves open is decided so:

==================================  ======  ====  =================================================================
what happened                       reward  gate  why
==================================  ======  ====  =================================================================
a person notes that it was wrong        -1    .9  it was wrong here, and a person said so
a person corrects again what was
told                                    -1    .5  telling it did not help (VARS: .5 where neither side is sure)
a gate stopped the action             none  none  the gate did it, not the telling
told, and broken                        +1    .2  the agent's failure: the rule did matter, and is not blamed
not told, and broken or corrected       +1    .9  retrieval's failure: the rule is raised
told, looked at where it counts, kept   +1    .6  it was told where it mattered, and it was kept
anything else                         none  none  the turn never put the rule to the test
==================================  ======  ====  =================================================================
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Reward = tuple[float, float]  # reward and gate


GOOD, BAD = 1.0, -1.0
NOTED, CORRECTED = (BAD, 0.9), (BAD, 0.5)
AGENT_FAILED, NOT_TOLD, KEPT = (GOOD, 0.2), (GOOD, 0.9), (GOOD, 0.6)


class TurnFacts:
    """What a turn showed of one rule."""

    __slots__ = ("blocked", "broken", "corrected", "kept", "noted", "told")

    def __init__(
        self,
        *,
        told: bool = False,
        broken: bool = False,
        kept: bool = False,
        corrected: bool = False,
        noted: bool = False,
        blocked: bool = False,
    ) -> None:
        self.told = told  # the agent had been told the rule in this session
        self.broken = broken  # its check found something that was neither stopped nor put right
        self.kept = kept  # its check was evaluated on an action or a change of its scope, and found nothing
        self.corrected = corrected  # a person corrected the same thing again
        self.noted = noted  # a person noted that it was wrong
        self.blocked = blocked  # a gate stopped the action


def reward_of(facts: TurnFacts) -> Reward | None:
    """Reward and gate of one rule after a turn; None where the turn teaches nothing about it."""
    if facts.noted:
        return NOTED
    if facts.corrected:
        return CORRECTED if facts.told else NOT_TOLD
    if facts.blocked:
        return None
    if facts.broken:
        return AGENT_FAILED if facts.told else NOT_TOLD
    return KEPT if facts.told and facts.kept else None


def rewards_of(facts: dict[str, TurnFacts]) -> dict[str, Reward]:
    """The rewards of the rules that a turn taught something about, by name."""
    rewarded = ((slug, reward_of(one)) for slug, one in facts.items())
    return {slug: reward for slug, reward in rewarded if reward is not None}
