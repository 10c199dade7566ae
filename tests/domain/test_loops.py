"""A loop that reads one text in two ways is known before it meets that text."""

import pytest

from rulec.domain.patterns.search_time import UnreadablePatternError, has_ambiguous_loop

AWAY = [
    "(?:a?){30}a{30}",
    "(?:a?b?){12}",
    "(?:(?:a?){10}c)*",
    "(a+)+",
    "(?:a*)*b",
    "(x+x+)+y",
    r"([a-z]+\s*)*",
    "(b|a+)*",
    "((a+))+",
    r"(\w+){2,}",
    "(?P<n>a*){3,}",
    "(?<n>a*){3,}",
    "(a?b*)+",
    r"^(\w|\d|_)+foo\b",
    "(a|a)*b",
    "(a|ab|b)*c",
    "(a{1,2})*b",
    "(?:a|aa)+$",
    r"(\s|\n)*x",
    r"(.|\s)*x",
    r"(?s)(.|\n)*x",
    "(?i)(?:a|A)*b",
    r"(\w|\d){50}",
    r"(.*,){11}P",
    r"([[:alpha:]]|x)+y",
    r"([a-z]|\p{L})+x",
    r"(\x{41}|A)+x",
    "(é|é)+x",
    "x(?=(a+)+b)",
    "(?>(a+)+b)",
    r"(\d+,?)+$",
    r"(?:\$\{[^}]*\}|[^$]|\$)*x",
    "(?:(?:a|b)*c?)*d",
]
STAYS = [
    "(?:a?)*b",
    "(?:a?){5}",
    "a+b*",
    r"(\w+,\s*)+",
    r"(?:[^\n]*\n)*x",
    "(a+)?",
    "(a+){3}",
    "(ab)+",
    r"(-\w+)*",
    "[(a+)+]",
    r"\(a+\)+",
    "(a+)++",
    "(?>a+)+b",
    "(?i)x+",
    "(?:a|A)*b",
    r"(.|\n)*x",
    r"(?:\w+\W+)*x",
    r"(?:\w{1,3}\.)*x",
    "(?:[a-f0-9]{40})*z",
    r'"(?:[^"\\]|\\.)*"',
    r"(?:(?!END)[\s\S])*END",
    r"(?<q>['\x{22}])(?:(?!\1).)*\1",
    r"\b(?:TODO|FIXME|XXX)\b",
    r"(?:\d{1,3}[.,])*\d+",
    r"^(?:[^,\n]*,){11}P",
    r"([[:alpha:]]|_)+x",
    r"(?:\s*[ab]\s*,)*",
    "(?:foo|bar|baz)+",
    r"(?:ab|a)(?:bc|c)+",
    r"^\s*(?:async )?(?:def|class) \w*(?:one|two)",
    r"^[^/\"\n]*\"x(/[^\"\n]*)?\"",
    r"^['\"]?(one|two)(/.*)?['\"]?$",
    r"(?-i)\R\h+\K\p{Lu}\z",
    r"[\U0001F300-\U0001FAFF]+",
]
UNREADABLE = [
    "a(b",
    "(?R)",
    "(" * 3000 + ")" * 3000,
    "(" * 300 + "a" + ")*" * 300,
    "(" * 12 + "a" + "{9})" * 12 + "*",
    "(" * 12 + "(?:)" + "{9})" * 12 + "*",
    "a{99999999999}",
]


@pytest.mark.parametrize("pattern", AWAY)
def test_a_pattern_that_runs_away_is_known(pattern: str) -> None:
    assert has_ambiguous_loop(pattern)


@pytest.mark.parametrize("pattern", STAYS)
def test_a_pattern_that_ends_in_time_is_left_alone(pattern: str) -> None:
    assert not has_ambiguous_loop(pattern)


@pytest.mark.parametrize("pattern", UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_pattern_that_nobody_can_judge_says_so(pattern: str) -> None:
    with pytest.raises(UnreadablePatternError):
        has_ambiguous_loop(pattern)
