"""Which signs count as emojis, to Python, to PCRE and to grep."""

import re
import subprocess

import pytest

from rulec.checks.template_library import pcre_pattern
from rulec.checks.template_words import EMOJI
from rulec.domain.patterns.posix import regex_to_ere

PICTURES = (
    *("\U0001f680", "\u2728", "\u2705", "\u274c", "\u2b50", "\u26a0\ufe0f", "\u27a1\ufe0f", "\u2139\ufe0f"),
    *("1\ufe0f\u20e3", "#\u20e3", "\U0001f1e9\U0001f1ea", "\U0001f468\u200d\U0001f469", "\U0001f44d\U0001f3fd"),
)
TEXT = (
    *("\u2192", "\u21d2", "\u2500\u2502\u250c", "\u00a9", "\u2122", "\u2713", "\u2714", "\u2605", "\u25cf", "\u26a0"),
    *("\u65e5\u672c\u8a9e", "\ud55c", "\u0639", "\u00e9\u00df", "\u2014\u2026\u201c", "1 # *", "\u2318", "\U0001f3fd"),
)


@pytest.mark.parametrize(("text", "shown"), [(t, True) for t in PICTURES] + [(t, False) for t in TEXT])
def test_pictures_are_emojis_and_signs_of_text_are_none(text: str, shown: bool) -> None:
    assert bool(re.search(EMOJI, text)) == shown
    done = subprocess.run(["grep", "-qE", "-e", regex_to_ere(EMOJI)], input=text.encode(), check=False)
    assert (done.returncode == 0) == shown


def test_pcre_is_told_the_same_signs_by_their_numbers() -> None:
    assert pcre_pattern(r"[\u231A-\U0001F3FA]\x7F\d") == r"[\x{231A}-\x{1F3FA}]\x{7F}\d"
    assert "\\u" not in pcre_pattern(EMOJI).lower()
