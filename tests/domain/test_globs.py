"""One meaning of a glob."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.files import globs

MATCHES = [
    ("**", ["a", "a/b.py", ".x/y"], []),
    ("gen", ["gen", "gen/a", "src/gen", "src/gen/a/b"], ["generated", "a.gen", "regen/a"]),
    ("gen/", ["gen/a", "src/gen/a"], ["gena"]),
    ("/gen/", ["gen/a", "gen"], ["src/gen/a"]),
    ("src/gen", ["src/gen", "src/gen/a"], ["x/src/gen", "src/gen2"]),
    ("src/*.py", ["src/a.py", "src/.py"], ["src/a/b.py", "src/a.pyc", "a.py"]),
    ("src/**/*.py", ["src/a.py", "src/a/b/c.py"], ["src/a.ts", "lib/src/a.py"]),
    ("src/**", ["src/a", "src/a/b"], ["src", "srcs/a"]),
    ("**/a.py", ["a.py", "x/y/a.py"], ["ba.py"]),
    ("*.py", ["a.py", "x/y.py"], ["a.pyc", "a.py/x"]),
    ("a?.{ts,tsx}", ["ab.ts", "x/ac.tsx"], ["a.ts", "abc.ts"]),
    ("{src/a,lib}/x", ["src/a/x", "lib/x/y"], ["a/x", "src/lib/x"]),
    ("{a,{b,c}}x", ["ax", "bx", "d/cx"], ["x", "dx"]),
    ("{a}", ["{a}"], ["a"]),
    (r"\{a,b\}", ["{a,b}"], ["a"]),
    ("**/**", ["a", "a/b"], []),
    ("[ab]c", ["ac", "bc"], ["cc", "abc"]),
    ("[!a]c", ["bc"], ["ac", "/c"]),
    ("./web/x", ["web/x"], ["x"]),
    ("a.b", ["a.b"], ["axb"]),
    ("a+b(c)$^|d", ["a+b(c)$^|d"], ["aab"]),
    ("a[", ["a["], ["a"]),
    ("a{b", ["a{b"], ["ab"]),
    (r"a\*b", ["a*b"], ["axb"]),
]


@pytest.mark.parametrize(("glob", "inside", "outside"), MATCHES)
def test_a_glob_matches_what_a_person_means(glob, inside, outside):
    assert [path for path in inside if not globs.match([glob], path)] == []
    assert [path for path in outside if globs.match([glob], path)] == []


@given(st.text(alphabet="ab/*?[]{}!^\\-,.()|&~", max_size=20), st.text(alphabet="ab/.*", max_size=20))
def test_every_glob_is_an_expression(glob, path):
    re.compile(globs.regex(glob))
    globs.match([glob], path)


def test_a_glob_of_many_stars_ends():
    assert not globs.match(["**/" * 200 + "*" * 200 + "x"], "a/" * 200 + "y")


@given(
    st.lists(st.sampled_from(["a", "b/", "*", "{a,b}", "{.x,b*,}", "**/"]), max_size=5), st.text("ab./x", max_size=8)
)
def test_a_glob_without_its_braces_means_the_same(parts, path):
    glob = "".join(parts)
    if glob:
        assert globs.match(globs.expand_braces(glob), path) == globs.match([glob], path)
