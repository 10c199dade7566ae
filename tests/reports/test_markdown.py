import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rulec.reports.formats.markdown import LARGEST, SHOWN, report
from rulec.reports.wording import code_span
from tests.reports.support import COUNTS, EVERY, HOSTILE, STYLE, found, hostile

GFM = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = {"h2", "h3", "p", "ul", "li", "code"}


class Tags(HTMLParser):
    """The tags of a page, and its text outside of code."""

    def __init__(self):
        super().__init__()
        self.tags, self.bare, self.inside = set(), "", 0

    def handle_starttag(self, tag, _):
        self.tags.add(tag)
        self.inside += tag == "code"

    def handle_endtag(self, tag):
        self.inside -= tag == "code"

    def handle_data(self, data):
        self.bare += data * (not self.inside)


def tags(text):
    found_tags = Tags()
    found_tags.feed(GFM.render(text))
    return found_tags


def test_each_rule_has_its_places_its_cure_and_whose_words_it_is():
    text = report(EVERY, COUNTS)
    assert text.startswith("## rulec: refused\n")
    assert "### Refused by `use-pnpm`\n" in text
    assert "- `src/a.py:3` · `npm i`\n" in text
    assert "Instead: ``run `pnpm add` ``" in text or "Instead: `` run `pnpm add` ``" in text
    assert "### Excepted: `use-pnpm`" in text
    assert "`until 2026-12-31 by Dev: the old client`" in text
    assert text.rstrip().endswith("1 audited, 1 pre-existing, 2 excepted, 2 broken checks, 1 file not read")


def test_where_nothing_is_refused_it_says_so():
    assert report([found("warn", STYLE)], COUNTS).startswith("## rulec: nothing is refused\n")


def test_words_of_strangers_are_nothing_but_code():
    page = tags(report(hostile(), COUNTS))
    assert page.tags <= OURS
    assert not re.search(r"@|evil|https?:|alert|#12", page.bare)


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=60), min_size=1, max_size=4))
def test_any_text_is_one_code_span(words):
    page = tags("\n".join(f"- {code_span(word)} · x" for word in words))
    assert page.tags <= {"ul", "li", "code"}
    assert set(page.bare) <= set("· x\n")


@pytest.mark.parametrize("word", HOSTILE)
def test_a_span_shows_the_text_on_one_line(word):
    assert "\n" not in code_span(word)
    assert code_span(word).encode()


def test_a_summary_has_its_bounds():
    many = [found(line=n + 1) for n in range(SHOWN + 4)]
    assert "- … and 4 more\n" in report(many, COUNTS)
    rules = [found(facts=STYLE.__class__(slug=f"rule-{n}", revision=1, statement="x" * 150)) for n in range(2_000)]
    text = report(rules, COUNTS)
    assert len(text.encode()) < LARGEST + 1_000
    assert re.search(r"… and \d+ more rules; the log has them all\.", text)
    assert "2000 refused" in text
