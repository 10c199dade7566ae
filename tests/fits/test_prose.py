"""How documentation and comments are written: wordings and pairs that make a check, and look-alikes that make none."""

import pytest

from rulec.fits.prose import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action


def _said(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)]


STYLES = [
    ("Every sentence of the docs gets its own line.", ["one-sentence-per-line"]),
    ("one sentence per line in markdown please", ["one-sentence-per-line"]),
    ("each sentence of a guide gets a new line", ["one-sentence-per-line"]),
    ("use semantic line breaks in md files", ["one-sentence-per-line"]),
    ("line break after every sentence, I diff these", ["one-sentence-per-line"]),
    ("stop putting several sentences on one line in the README", ["one-sentence-per-line"]),
    ("Begin bullets with a dash", ["dash-bullets"]),
    ("use dashes for bullets, not asterisks", ["dash-bullets"]),
    ("use `-` instead of `*` for lists", ["dash-bullets"]),
    ("no asterisks for bullet points in markdown", ["dash-bullets"]),
    ("bullets are `*` here, never `-`", ["star-bullets"]),
    ("Dashes for bullets, with one blank behind the dash", ["dash-bullets", "one-space-bullets"]),
    ("exactly one blank after a bullet", ["one-space-bullets"]),
    ("sentence case in headings pls", ["sentence-case-headings"]),
    ("don't use title case for headings", ["sentence-case-headings"]),
    ("never number the headings", ["no-numbered-headings"]),
    ("no colons at the end of headings", ["no-heading-punctuation"]),
    ("no setext headings", ["hash-headings"]),
    ("no trailing spaces in markdown files", ["no-trailing-spaces"]),
    ("don't use tables in the docs", ["no-tables"]),
    ("no bold text in the readme", ["no-bold"]),
    ("No checkboxes in docs", ["no-task-lists"]),
    ("no bullet points in the changelog", ["no-bullets"]),
]


@pytest.mark.parametrize(("said", "wanted"), STYLES)
def test_words_about_markdown_choose_its_style(said: str, wanted: list[str]) -> None:
    assert [draft.checks[0].parameters for draft in _said(said)] == [{"style": wanted}]


WIDTHS = [
    ("Numbers of ordered lists, blanks included, are always four characters wide.", {"number_width": 4}),
    ("numbered lists: the number is always five characters wide", {"number_width": 5}),
    ("two spaces after the number in numbered lists", {"number_width": 4}),
    ("wrap markdown at 80 columns", {"width": 80}),
    ("lines in the docs must not be longer than 100 characters", {"width": 100}),
]


@pytest.mark.parametrize(("said", "given"), WIDTHS)
def test_widths_are_read_as_numbers(said: str, given: dict[str, int]) -> None:
    assert [draft.checks[0].parameters for draft in _said(said)] == [given]


SPELLINGS = [
    ("use British spelling", "british"),
    ("could the docs have Australian or British spelling?", "british"),
    ("please use UK spelling in docs and comments", "british"),
    ("write American spelling, not British", "american"),
    ("US spelling everywhere", "american"),
    ("no american spelling", "british"),
    ("we spell things the Australian way", "british"),
]


@pytest.mark.parametrize(("said", "variety"), SPELLINGS)
def test_a_variety_of_spelling_is_named(said: str, variety: str) -> None:
    (draft,) = _said(said)
    assert {(check.kind, check.template) for check in draft.checks} == {("guard", "spelling"), ("shell", "spelling")}
    assert all(check.parameters == {"variety": variety} for check in draft.checks)


COMMENTS = [
    ("don't put requirement IDs or sprint numbers into comments", "// as R12 says", True),
    ("don't put requirement IDs or sprint numbers into comments", "// sprint 3 does", True),
    ("no comments with requirement IDs in them", "// 12 requirements", False),
    ("keep comments without ticket numbers", "// ABC-123: round up", True),
    ("keep comments without ticket numbers", "// reads UTF-8", False),
    ("don't reference issue numbers in the code", "// see #123", True),
    ("stop putting phase numbers in comments", "// phase 2", True),
    ("no PR numbers in comments", "// from #41", True),
    ("do not mention commit hashes in comments", "// since 1a2b3c4", True),
    ("no commented-out code", "// total = price * 2;", True),
    ("no commented-out code", "// the total is twice the price", False),
    ("don't leave banner comments like that", "// ===== Setup", True),
    ("todos need a ticket number", "// TODO later", True),
    ("todos need a ticket number", "// TODO(ABC-1) later", False),
]


@pytest.mark.parametrize(("said", "line", "caught"), COMMENTS)
def test_what_comments_may_not_hold_is_a_pattern(said: str, line: str, caught: bool) -> None:
    import re  # noqa: PLC0415 - only this test looks into patterns

    (draft,) = _said(said)
    assert draft.checks[0].template == "forbid-comment"
    assert any(re.search(pattern, line) for pattern in draft.checks[0].parameters["patterns"]) == caught


@pytest.mark.parametrize(
    "said", ["no comments in the code", "don't add comments", "stop writing comments please", "zero comments"]
)
def test_no_comments_at_all_needs_no_pattern(said: str) -> None:
    assert [(draft.checks[0].template, draft.checks[0].parameters) for draft in _said(said)] == [("forbid-comment", {})]


PHRASES = [
    ("no AI speak in docs", ["docs"]),
    ("don't write AI slop into the README", ["docs"]),
    ("the docs must not sound like ChatGPT", ["docs"]),
    ("avoid buzzwords", ["docs"]),
    ("no flowery language in comments", ["comments"]),
    ("no marketing speak in the readme", ["docs"]),
    ("no exclamation marks in the docs", ["docs"]),
    ("Please drop the remarks on the 0.9 beta from the docs", ["docs", "comments"]),
    ("don't mention `OldClient` in the docs", ["docs"]),
    ("no references to Acme in comments", ["comments"]),
    ("never write 'simply' or 'just' in the docs", ["docs"]),
]


@pytest.mark.parametrize(("said", "where"), PHRASES)
def test_what_is_not_to_be_said_and_where(said: str, where: list[str]) -> None:
    (draft,) = _said(said)
    assert (draft.checks[0].template, draft.checks[0].parameters["where"]) == ("forbid-phrase", where)


def test_placeholder_text_is_looked_for_in_all_files() -> None:
    (draft,) = _said("no lorem ipsum please")
    assert draft.checks[0].template == "forbid-text"


LOOK_ALIKES = [
    "one sentence per commit message",
    "answer in one sentence",
    "each test on its own line of the report",
    "one import per line",
    "use a list instead of a dict",
    "sort the list by name",
    "the list should use dashes in the UI and asterisks in the app, I think",
    "no tables in the database without a primary key",
    "no bold buttons",
    "keep lines of Python under 100 characters",
    "drop the tabs in the settings page",
    "answer in English",
    "let us use the American server",
    "fix the spelling mistakes",
    "check spelling before you push",
    "comment on the pull request",
    "no obvious comments",
    "no comments that repeat the code",
    "reply to the review comments",
    "don't resolve review comments yourself",
    "mention the ticket number in the commit message",
    "reference the issue in the PR title",
    "why is there a comment here?",
    "put the ticket number in the comment",
    "update the docs",
    "the docs are great, thanks",
    "we have no docs about this",
    "it already uses British spelling",
    "run the linter on the markdown",
    "don't use just one worker",
]


@pytest.mark.parametrize("said", LOOK_ALIKES)
def test_what_only_sounds_like_it_makes_no_check(said: str) -> None:
    assert [(draft.checks[0].template, dict(draft.checks[0].parameters)) for draft in _said(said)] == []


def _write(path: str, text: str) -> Action:
    return Action(kind="write", path=path, new=text)


STARS, DASHES = _write("docs/a.md", "* one\n* two\n"), _write("docs/a.md", "- one\n- two\n")


def test_a_pair_gives_the_rule_its_own_examples() -> None:
    (draft,) = _said("bullets are dashes", (STARS,), (DASHES,))
    assert draft.invalid[0].path == "docs/a.md"
    assert [example.text for example in draft.valid][:1] == ["- one\n- two\n"]


def test_a_command_that_writes_a_file_counts_as_the_offence() -> None:
    command = Action(kind="command", command="cat >> docs/a.md <<'EOF'\n* one\nEOF")
    (draft,) = _said("bullets are dashes", (command,), ())
    assert draft.invalid[0].kind == "command"


@pytest.mark.parametrize(
    "before", [(DASHES,), (_write("src/a.py", "x = 1\n"),), (Action(kind="command", command="ls"),)]
)
def test_no_draft_where_nothing_before_showed_the_fault(before: tuple[Action, ...]) -> None:
    assert _said("bullets are dashes", before, ()) == []


def test_a_named_folder_is_where_the_wish_holds() -> None:
    (draft,) = _said("one sentence per line in guides/")
    assert draft.scope.include == ("guides/**",)
    assert draft.invalid[0].path == "guides/sample.md"


LABELLED = _write("src/a.go", "package a\n\n// Callers never use this on their own.\nfunc F() {}\n")
BARE = _write("src/a.go", "package a\n\nfunc F() {}\n")


@pytest.mark.parametrize(
    "said",
    [
        "quit restoring a comment after I deleted it",
        "don't add that comment again",
        "don't bring my removed comments back",
        "do not put back comments that I deleted",
    ],
)
def test_a_comment_that_was_taken_out_stays_out(said: str) -> None:
    drafts = _said(said, (LABELLED,), (BARE,))
    assert [draft.checks[0].parameters for draft in drafts[:1]] == [
        {"patterns": [r"Callers\s+never\s+use\s+this\s+on\s+their\s+own\."], "globs": ["src/a.go"]}
    ]


def test_a_comment_that_is_still_there_is_not_forbidden() -> None:
    assert _said("quit restoring a comment after I deleted it", (LABELLED,), (LABELLED,)) == []


def test_a_phrase_of_plain_words_has_to_stand_in_what_was_written() -> None:
    note = _write("docs/a.md", "The old import path still works.\n")
    (draft,) = _said("don't mention the old import path in the docs", (note,), ())
    assert draft.checks[0].parameters["patterns"] == [r"\bold\ import\ path\b"]
    assert _said("don't mention the old import path in the docs", (DASHES,), ()) == []
