"""The revisions of a rule that followed from notes about it, in lines: what they took up, caught before and after."""

from collections.abc import Iterable, Iterator

from rulec.domain.evidence import Evidence
from rulec.domain.text.one_line import shorten, to_one_line
from rulec.reports.wording import count_of


def revisions_of(evidence: Iterable[Evidence]) -> list[Evidence]:
    """The revisions among the evidence of a rule, oldest first."""
    return sorted((item for item in evidence if item.kind == "revised"), key=lambda item: (item.at, item.revision))


def revision_lines(item: Evidence) -> Iterator[str]:
    """One revision: why it was made, and what the rule caught and let pass before and after it."""
    took = count_of(len(item.answers), "case")
    left = f", {len(item.unmet)} of them not met" if item.unmet else ""
    yield f"revision {item.revision} ({item.at[:10]}): {shorten(to_one_line(item.quote))}; it took up {took}{left}"
    yield from (f"  {to_one_line(line)}" for line in item.told)
