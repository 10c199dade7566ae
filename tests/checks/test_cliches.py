"""Manners of speaking: each list knows its own sample and no plain words."""

import re

import pytest

from rulec.checks.template_words import CLICHES

SAMPLES = {"marketing": "A seamless, blazing fast tool.", "ai": "Let's delve into the plethora of options."}

PLAIN = "It runs fast. Note that the lever moves; today's build is in the docs, not just here. In conclusion it works."


@pytest.mark.parametrize("name", CLICHES)
def test_a_list_knows_its_sample_and_passes_plain_words(name: str) -> None:
    assert re.search(CLICHES[name], SAMPLES[name], re.IGNORECASE)
    assert not re.search(CLICHES[name], PLAIN, re.IGNORECASE)
