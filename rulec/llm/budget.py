"""What a run may cost and how long it may take; prices of models in US dollars per million tokens."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from rulec.domain.prompt import AwaitedAnswer, ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings

# Prices as of 2026-11-22: https://platform.claude.com/docs/en/about-claude/pricing
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one model; a prompt above ``long`` tokens costs ``times`` as much."""

    sent: float
    received: float
    read: float  # from the cache
    long: int = 0
    times: float = 1.0

    @property
    def written(self) -> float:
        """The price of tokens written to the cache for five minutes."""
        return self.sent * 1.25


_FABLE, _OPUS, _SONNET = Price(10, 50, 1), Price(5, 25, 0.5), Price(3, 15, 0.3)
_FIRST_OPUS = Price(15, 75, 1.5)
PRICES = {
    "claude-mythos-preview": Price(25, 125, 2.5),
    "claude-fable-5-2": Price(8, 40, 0.2),
    "claude-fable-5-1": Price(10, 50, 0.25),
    "claude-mythos-5-1": Price(10, 50, 0.25),
    "claude-fable-5": _FABLE,
    "claude-mythos-5": _FABLE,
    "claude-opus-5-5": Price(4, 20, 0.2),
    "claude-opus-5": _OPUS,
    "claude-opus-4-8": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-5": _OPUS,
    "claude-opus-4-1": _FIRST_OPUS,
    "claude-opus-4": _FIRST_OPUS,
    "claude-sonnet-5-5": Price(2, 10, 0.1),
    "claude-sonnet-5": Price(2, 10, 0.2),
    "claude-sonnet-4-6": _SONNET,
    "claude-sonnet-4-5": _SONNET,
    "claude-sonnet-4": _SONNET,
    "claude-haiku-5-5": Price(0.1, 0.5, 0.01, long=100_000, times=5),
    "claude-haiku-4-5": Price(1, 5, 0.1),
}
_DEAREST = max(PRICES.values(), key=lambda price: price.sent + price.received)
_NAME = re.compile(r"claude-[a-z0-9-]+?(?=(?:-\d{8})?(?:-v\d+(?::\d+)?)?(?:@[\w-]+)?(?:\[\w+\])?$)")


def price_of(model: str) -> Price:
    """The price of a model by any of its names, dated or as clouds spell it; for an unknown one the highest."""
    found = _NAME.search(model)
    return PRICES.get(found[0], _DEAREST) if found else _DEAREST


def cost_of(model: str, sent: int, received: int, *, read: int = 0, written: int = 0) -> float:
    """The cost in US dollars; ``read`` and ``written`` are sent tokens that came from the cache or went into it."""
    its = price_of(model)
    plain = max(sent - read - written, 0)
    dollars = plain * its.sent + read * its.read + written * its.written + received * its.received
    times = its.times if its.long and sent > its.long else 1.0
    return dollars * times / _MILLION


_ROUGH = 1.3  # our own count of tokens is one; and what enters a cache costs a quarter more


@dataclass(slots=True)
class Budget:
    """What a run has spent, and what it may spend; ``model`` gives the price."""

    models: ModelSettings
    model: str
    free: bool
    beyond: int = 0  # tokens that it may take to think, beyond those of an answer
    waits: bool = False  # nobody is asked a second time: what is there is an answer that somebody wrote meanwhile
    requests: int = 0
    sent: int = 0
    received: int = 0
    dollars: float = 0.0
    known: int = 0  # answers that were there already
    awaited: int = 0

    def worst(self, requests: Sequence[ModelRequest]) -> tuple[int, float]:
        """The tokens and dollars that requests cost at most."""
        pairs = [(int(one.tokens * _ROUGH), one.most + self.beyond) for one in requests]
        dollars = 0.0 if self.free else sum(cost_of(self.model, sent, received) for sent, received in pairs)
        return sum(map(sum, pairs)), dollars

    def fits(self, requests: Sequence[ModelRequest]) -> bool:
        """Whether the budget allows all requests at their highest cost."""
        if self.free:
            return True
        tokens, dollars = self.worst(requests)
        used = self.sent + self.received
        return used + tokens <= self.models.tokens and self.dollars + dollars <= self.models.money

    def bears(self, requests: Sequence[ModelRequest]) -> int:
        """How many of the requests, from the first on, the budget allows at once; at least one."""
        counts = range(1, len(requests) + 1)
        return max(1, bisect_left(counts, 1, key=lambda many: int(not self.fits(requests[:many]))))

    def used_up(self, request: ModelRequest) -> ModelFailure:
        """The failure of a request that the budget does not allow."""
        tokens, dollars = self.worst([request])
        used = self.sent + self.received
        if used + tokens > self.models.tokens:
            what, key = f"{used:,} of {self.models.tokens:,} tokens, and the next request may take {tokens:,}", "tokens"
        else:
            what = f"${self.dollars:.2f} of ${self.models.money:.2f}, and the next request may cost ${dollars:.2f}"
            key = "money"
        return ModelFailure(
            what=f"the budget of this run is reached: {what}",
            hint=f"what is done is kept; run it again, or raise models.{key} in the settings",
            over=True,
            used_up=True,
        )

    def count(self, heard: ModelReply) -> None:
        """Count the cost of an answer, or of a failure."""
        if isinstance(heard, AwaitedAnswer):
            self.awaited += 1
            return
        if self.waits and isinstance(heard, ModelFailure):
            return
        self.requests += 1
        self.sent += heard.sent
        self.received += heard.received
        if self.free:
            return
        if isinstance(heard, ModelAnswer):  # whoever names no model asks one of its own, and it is asked again
            self.model = self.model or heard.model
        model = heard.model if isinstance(heard, ModelAnswer) and heard.model else self.model
        by_list = cost_of(model, heard.sent, heard.received)
        self.dollars += by_list if heard.dollars is None else heard.dollars

    def told(self) -> str:
        """One line with what was spent, "" where nothing was sent."""
        parts = []
        if self.waits and self.requests:
            parts.append(f"{self.requests} answered")
        elif self.requests:
            many = "1 request" if self.requests == 1 else f"{self.requests} requests"
            parts.append(many)
            if self.sent or self.received:
                parts.append(f"{self.sent:,} tokens sent, {self.received:,} received")
            if not self.free:
                parts.append(f"about ${self.dollars:.2f}")
        if self.known:
            parts.append(f"{self.known} answered before")
        if self.awaited:
            parts.append(f"{self.awaited} awaited")
        return ", ".join(parts)
