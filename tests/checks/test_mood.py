"""Orders and accounts, by the first word of a subject."""

import re

import pytest

from rulec.checks.template_words import IMPERATIVE_SUBJECTS, PAST_SUBJECTS
from rulec.domain.patterns.posix import regex_to_ere

ACCOUNTS = ("Added x", "fixes y", "feat(api): Implemented z", "[web] Updating it", "APP-1: Made it", "docs: rewrote it")
ORDERS = (
    "Add x",
    "Fix what was added",
    "Need x",
    "embed: Feed it",
    "fix: speed up",
    "Bring it back",
    "Process it",
    "Use",
)


@pytest.mark.parametrize(("subject", "told"), [(s, True) for s in ACCOUNTS] + [(s, False) for s in ORDERS])
def test_an_account_is_told_from_an_order(subject: str, told: bool) -> None:
    assert bool(re.search(PAST_SUBJECTS, subject) and not re.search(IMPERATIVE_SUBJECTS, subject)) == told


def test_scripts_can_read_both() -> None:
    assert "(?" not in regex_to_ere(PAST_SUBJECTS) + regex_to_ere(IMPERATIVE_SUBJECTS)
