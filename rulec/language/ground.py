"""Headings and items above a sentence -> what may be said there: norms, work, descriptions, steps of a task."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rulec.language._instruction_words import ABOUT, AGAINST, FOR, NORMS, STEPS, WORK

Zone = Literal["norms", "work", "plain", "about"]


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a sentence stands."""

    zone: Zone = "plain"
    against: bool = False  # in a list of what not to do
    steps: bool = False  # in the steps of a task


def ground(headings: Sequence[str], over: Sequence[str], *, numbered: bool, whole: Zone = "plain") -> Ground:
    """What headings and the items above say of what stands under them; ``whole`` is what the file is by itself."""
    above = [title.strip().rstrip(":") for title in (*headings, *over)]
    against = next((bool(AGAINST.match(_bare(title))) for title in reversed(above) if _decides(_bare(title))), False)
    zone = next((found for title in reversed(headings) if (found := _zone(_bare(title)))), whole)
    if over and _decides(_bare(over[0].strip().rstrip(":"))):
        zone = "norms"
    near = (*headings[-1:], *over)
    steps = numbered and any(STEPS.search(title) for title in near) and not any(NORMS.search(t) for t in headings[-1:])
    return Ground(zone, against, steps)


def _decides(title: str) -> bool:
    return bool(AGAINST.match(title) or FOR.match(title))


def _zone(title: str) -> Zone | None:
    if NORMS.search(title) or _decides(title):
        return "norms"
    if ABOUT.search(title):
        return "about"
    return "work" if WORK.search(title) else None


def _bare(title: str) -> str:
    return re.sub(r"^[^\w`]+|[^\w`.)'\"]+$|^\d+(?:\.\d+)*[.)]?\s+", "", title).strip()
