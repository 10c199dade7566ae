"""The count of tokens: never below what agents' own tokenizers say of a whole snapshot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.reminders.rule_text import count_tokens

# What the larger of two public tokenizers (Anthropic's of 2023, OpenAI's o200k) counts, noted on 2026-11-22.
COUNTED = {
    "MUST: Tests use the real git, Semgrep, pre-commit and files; no mocks. (`no-mocks` in tests/**)": 31,
    "SHOULD: A test never sleeps. (`no-sleeping-tests` in tests/**)": 21,
    "src/app/**/[id]/page.tsx{a,b}": 16,
    "使用 pnpm,不要使用 npm。提交前运行测试": 14,
    "استخدم pnpm دائما": 15,
    "🚀🔥✨ no emoji 🎉 ever": 12,
}


@pytest.mark.parametrize("text", COUNTED)
def test_it_counts_no_fewer_than_agents_do(text):
    assert count_tokens(text) >= COUNTED[text]
    assert count_tokens(text) <= 2.5 * COUNTED[text], "and not so many that nothing would fit"


@given(st.text(), st.text())
def test_what_is_said_in_two_lines_costs_what_each_of_them_costs(one, other):
    assert count_tokens(f"{one}\n{other}") == count_tokens(one) + count_tokens(other)


def test_nothing_costs_nothing():
    assert count_tokens("") == count_tokens(" \n\t ") == 0
