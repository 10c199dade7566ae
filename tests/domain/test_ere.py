"""Scripts read globs and patterns as Python does."""

import re
import subprocess

import pytest

from rulec.domain.files import globs
from rulec.domain.patterns.posix import glob_to_ere, regex_to_ere

GLOBS = [
    "**",
    "*.py",
    "src/**",
    "src/",
    ".env",
    "a/**/b.{js,ts}",
    "[!a-c]?.txt",
    "a+b (c).md",
    "docs/*",
    "$x^|y",
    "é*",
    "*.[ch]",
]
PATHS = [
    "a.py", "src/a.py", "x/src/a", "src", ".env", "x.env", ".env.example", "a/b.js", "a/x/y/b.ts", "a/b.jsx", "d1.txt",
    "a1.txt", "a+b (c).md", "aab (c).md", "docs/a", "docs/a/b", "$x^|y", "x", "él/a", "a.c", "x/b.h", "a.cpp", "d/.txt",
]  # fmt: skip
PATTERNS = [
    r"\bfoo\b", r"a\.b", r"\d{2,3}x", r"(?:a|b)+?c", r"[^\n]x", r"[\w.-]+@", r"[\]x]", r"[]y]", r"[^]-]z", r"\$\(",
    r"[\^a]", r"x\-y\ z", r"\Aq", r"[\u2600-\u27bf]", r"\x41", r"^\s*$", r"[\s,]+end", r"\tb", r"[a-z-]=",
    r"[\[]", r"a{2}",
]  # fmt: skip
LINES = [
    "foo", "food", "a.b", "axb", "12x", "1x", "ac", "abc", "x", "qx", "me-1@", "]", "y", "wz", "-z", "]z", "$(", "^",
    "x-y z", "q", "aq", "\u2615", "\u00e9", "A", "", "  ", ",  end", "\tb", "a-=", "[", "aa",
]  # fmt: skip


def grep(pattern: str, lines: list[str]) -> list[str]:
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(
        ["grep", "-E", "-e", pattern], input=text, capture_output=True, text=True, check=False, env={"LANG": "C.UTF-8"}
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize("glob", GLOBS)
def test_a_glob_means_the_same_in_a_script(glob: str) -> None:
    assert grep(glob_to_ere(glob), PATHS) == [path for path in PATHS if globs.match([glob], path)]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_means_the_same_in_a_script(pattern: str) -> None:
    assert grep(regex_to_ere(pattern), LINES) == [line for line in LINES if re.search(pattern, line)]


@pytest.mark.parametrize("pattern", ["(?=a)", "(?i)a", r"(a)\1", "(?P<n>a)", r"a\nb", r"[\u0100-\U0001ffff]", r"[]-a]"])
def test_what_posix_cannot_say_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="no POSIX form"):
        regex_to_ere(pattern)
