"""A suppression: a person said "not here", with a reason and an end."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulec.runtime import globs


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """What one rule's findings are left alone, why, and until which day."""

    slug: str
    until: str  # the last day on which it counts, YYYY-MM-DD
    reason: str
    paths: tuple[str, ...] = ()  # globs; none means wherever the rule finds something
    source: str = ""  # the file it was read from

    def ended(self, today: str) -> bool:
        """Whether its last day is over."""
        return self.until < today

    def covers(self, slug: str, path: str) -> bool:
        """Whether it speaks of a rule's finding there."""
        return slug == self.slug and (not self.paths or (bool(path) and globs.match(self.paths, path)))

    @property
    def told(self) -> str:
        """Until when and why, in words."""
        return f"until {self.until}: {self.reason}"


def counting(some: Sequence[Suppression], slug: str, path: str, today: str) -> Suppression | None:
    """The suppression that counts for a finding, the one with the latest end."""
    fit = [one for one in some if one.covers(slug, path) and not one.ended(today)]
    return max(fit, key=lambda one: one.until, default=None)
