"""Commit messages: what people ask of them."""

import pytest

from rulec.fits import messages
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action

TRAILER = "A\n\nCo-Authored-By: Claude <noreply@example.com>"
HUMAN = "A\n\nCo-Authored-By: Ann <ann@example.com>"
LONG, SHORT = "x" * 80, "x" * 40

# What was said, a message that breaks it, one that keeps it.
SAID = (
    ("Use conventional commits.", "Add x", "fix: x"),
    ("commit messages must follow conventional commits", "Add x", "feat(a): x"),
    ("use semantic commits like feat: and fix:", "Add x", "fix: x"),
    ("Don't add Co-Authored-By to commits.", TRAILER, "A"),
    ("never add Claude as a co-author in commits", TRAILER, HUMAN),
    ("remove the Generated with Claude Code footer from commits", "A\n\nGenerated with Claude Code", "A"),
    ("no AI attribution in commit messages", TRAILER, "A"),
    ("don't mention Claude in commits", "Claude did it", "A"),
    ("don't credit yourself in the commit message", "A\n\nGenerated with [Claude Code](x)", "A"),
    ("Use the imperative mood in commit messages.", "Added x", "Add x"),
    ("Use the imperative mood in commit messages.", "Fixes y", "Add x"),
    ("commit messages in present tense, not past tense", "Added x", "Add x"),
    ("Keep commit subjects under 50 characters.", LONG, SHORT),
    ("commit titles: 72 chars max", LONG, SHORT),
    ("commit messages should not exceed 72 characters", LONG, SHORT),
    ("one-line commit messages please", "A\n\nbody", "A"),
    ("no body in commit messages", "A\n\nbody", "A"),
    ("single line commits", "A\n\nbody", "A"),
    ("Start commit messages with the ticket, e.g. APP-123", "Add", "APP-9 Add"),
    ("every commit message needs the ticket number like PROJ-123", "Add", "PROJ-1 Add"),
    ("no period at the end of commit messages", "Add x.", "Add x"),
    ("commit messages must be lowercase", "Add x", "add x"),
    ("capitalize the commit subject", "add x", "Add x"),
    ("write commit messages in English", "Правка", "Fix"),
    ("only use feat, fix and chore as commit types", "docs: x", "chore: x"),
    ("commit types are feat, fix or docs", "perf: x", "docs: x"),
    ("always include a scope in commit messages", "fix: x", "fix(api): x"),
    ("no scopes in commit messages", "fix(api): x", "fix: x"),
    ("commit messages need a body that says why", "Add x", "Add x\n\nIt was missing."),
    ("wrap the commit body at 72 characters", "Add x\n\n" + LONG, "Add x\n\n" + SHORT),
    ("leave a blank line between the commit subject and the body", "Add x\nbody", "Add x\n\nbody"),
    ("use gitmoji for commits", "Add x", "\U0001f41b Fix x"),
    ("start commit messages with an emoji", "Add x", "\u2728 Add x"),
    ("prefix commit messages with `[web]`", "Add", "[web] Add"),
)

QUIET = (
    "commit this with a better message",
    "the commit message looks good",
    "read the commit messages first",
    "commit the changes",
    "Don't commit the title image.",
    "start the commit",
    "the message says commit failed",
    "no, commit it without the test file",
)


def _first(text: str, *pair: tuple[Action, ...]) -> Draft | None:
    before, after = pair or ((), ())
    found = (draft for clause in clauses(text) for draft in messages.fit(clause, before, after))
    return next(found, None)


@pytest.mark.parametrize(("text", "bad", "good"), SAID)
def test_a_wish_about_messages_refuses_and_passes(text: str, bad: str, good: str) -> None:
    draft = _first(text)
    assert draft is not None
    given = dict(draft.checks[0].parameters)
    assert messages.breaks(given, bad)
    assert not messages.breaks(given, good)
    assert messages.breaks(given, draft.invalid[0].text)
    assert not messages.breaks(given, draft.valid[0].text)


@pytest.mark.parametrize("text", QUIET)
def test_talk_about_commits_asks_nothing_of_messages(text: str) -> None:
    assert _first(text) is None


def test_the_pair_shows_which_key_the_tickets_have() -> None:
    before = (Action(kind="command", command="git commit -m 'Add x'"),)
    after = (Action(kind="command", command="git commit -m 'WEB-12: add x'"),)
    draft = _first("start commit messages with the ticket number", before, after)
    assert draft is not None
    assert draft.checks[0].parameters == {"require": [r"^\W*WEB-\d+\b"]}
