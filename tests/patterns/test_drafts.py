"""What is drafted from people's words is held to the same measure, so that no draft is lost to it."""

from collections.abc import Iterator

from rulec import registry
from rulec.host.templates import library
from rulec.model.rule import Check
from rulec.stages.extract import drafted
from tests.fits.wordings import SAID

MORE = (
    "Never use print() in Python",
    "No TODO comments",
    "Never say simply or just in the docs",
    "Run the tests before you commit",
    "Always ask before you push",
    "Use logging, never console.log",
    "When you change the API, update the changelog",
    "Every Python file starts with an SPDX line",
    "Branch names start with feat/ or fix/",
    "Do not mention ticket numbers in comments",
    "Never add a dependency without asking",
)


def _checks() -> Iterator[Check]:
    for text in (*(said for said, _, _ in SAID), *MORE):
        for draft in drafted(text, registry.fits()).drafts:
            yield from draft.checks


def test_no_draft_holds_a_pattern_that_would_be_refused() -> None:
    shelf = library()
    checks = list(_checks())
    assert len(checks) > 100
    for check in checks:
        shelf.parameters(check)  # refuses what may hang
