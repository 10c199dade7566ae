"""What the labelled pair shows of an order: what was run, read and edited before and after the person spoke."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rulec.fits._order_tools import languages_of
from rulec.fits._pair import NEAREST, calls_of
from rulec.fits.paths import paths_of
from rulec.model.transcript import Action
from rulec.runtime.shell import Call


@dataclass(frozen=True)
class Pair:
    """The actions on both sides of a person's words; both empty where there were none."""

    before: tuple[Action, ...] = ()
    after: tuple[Action, ...] = ()

    @cached_property
    def ran(self) -> list[Call]:
        """Commands before the person spoke, the latest first."""
        return [call for action in self.before[::-1] for call in calls_of(action)[::-1] if action.ok is not False]

    @cached_property
    def runs(self) -> list[Call]:
        """Commands afterwards."""
        return [call for action in self.after for call in calls_of(action)]

    def calls(self, action: Action) -> list[Call]:
        """The commands that one action ran."""
        return calls_of(action)

    @cached_property
    def edited(self) -> list[str]:
        """Files changed before the person spoke, the latest first."""
        return list(dict.fromkeys(path for action in self.before[::-1] for path in paths_of(action)))

    @cached_property
    def edits(self) -> list[str]:
        """Files changed afterwards."""
        return list(dict.fromkeys(path for action in self.after for path in paths_of(action)))

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Of the code that the agent was working on."""
        return languages_of(self.edited) or languages_of(self.edits)


def pair_of(before: Sequence[Action], after: Sequence[Action]) -> Pair:
    """The nearest actions on both sides."""
    return Pair(tuple(before[-NEAREST:]), tuple(after[:NEAREST]))
