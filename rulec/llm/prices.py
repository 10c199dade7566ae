"""What models cost, in US dollars per million tokens, as their makers' price lists said on a day."""

import re
from dataclasses import dataclass

LOOKED_UP = "2026-11-22"  # https://platform.claude.com/docs/en/about-claude/pricing
BATCH = 0.5  # of the price, for what is answered within a day
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """One model's; a prompt above ``long`` tokens costs ``times`` as much in all its parts."""

    sent: float
    received: float
    read: float  # from the cache
    long: int = 0
    times: float = 1.0

    @property
    def written(self) -> float:
        """Into the cache, for five minutes."""
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
    """That of a model by any of its names, dated or as clouds call it; of an unknown one the dearest there is."""
    found = _NAME.search(model)
    return PRICES.get(found[0], _DEAREST) if found else _DEAREST


def cost_of(model: str, sent: int, received: int, *, read: int = 0, written: int = 0, batch: bool = False) -> float:
    """US dollars; ``read`` and ``written`` are those of the tokens sent that came out of the cache and went into it."""
    its = price_of(model)
    plain = max(sent - read - written, 0)
    dollars = plain * its.sent + read * its.read + written * its.written + received * its.received
    times = its.times if its.long and sent > its.long else 1.0
    return dollars * times * (BATCH if batch else 1.0) / _MILLION
