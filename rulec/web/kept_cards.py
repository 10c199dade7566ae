"""The cards of all rules, kept in memory until the rulebook, its evidence or the ledger changes."""

import asyncio
from contextlib import suppress
from pathlib import Path

import anyio

from rulec.errors import RulecError
from rulec.services.browsing import rule_cards
from rulec.services.browsing.rule_cards import CardIndex
from rulec.web import work


class KeptCards:
    """The index of one work tree; whoever asks while it is made waits for the same one."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._lock = anyio.Lock()
        self._rules: tuple[int, ...] = ()  # the rulebook that the index was made of
        self._ledger = 0  # and the ledger
        self._index = CardIndex.of(())
        self._renewal: asyncio.Task[None] | None = None

    async def current(self) -> CardIndex:
        """The index as the rulebook is now; RulecError where it cannot be read.

        What gates found since it was made it holds a moment later: they find things while a person types.
        """
        async with self._lock:
            # the marks are taken first: a change while the cards are made is seen the next time
            rules, ledger = await anyio.to_thread.run_sync(self._marks)
            if rules != self._rules:
                await self._make(rules, ledger)
            elif ledger != self._ledger and (self._renewal is None or self._renewal.done()):
                self._renewal = asyncio.create_task(self._renew(rules, ledger))
            return self._index

    def _marks(self) -> tuple[tuple[int, ...], int]:
        return rule_cards.rulebook_mark(self._top), rule_cards.ledger_mark(self._top)

    async def _renew(self, rules: tuple[int, ...], ledger: int) -> None:
        """Make the index anew beside those who use the old one; what cannot be read is said to who asks next."""
        with suppress(RulecError, work.WorkBug):
            await self._make(rules, ledger)

    async def _make(self, rules: tuple[int, ...], ledger: int) -> None:
        self._index = CardIndex.of(await work.read(rule_cards.rule_cards, self._top))
        self._rules, self._ledger = rules, ledger
