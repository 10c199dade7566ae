"""Lines in pull requests that say which agent wrote them."""

import pytest

from rulec.fits.posts import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action

# A statement, and whether it speaks of commit messages as well.
SAID = (
    ("Don't add Generated with Claude Code to PR descriptions.", False),
    ("never mention Claude in pull requests", False),
    ("no AI attribution in PRs", False),
    ("remove the Claude footer from pull requests", False),
    ("don't credit yourself in PR bodies", False),
    ("PRs must not say generated with AI", False),
    ("no AI attribution in commits or PRs", True),
    ("no Claude attribution anywhere", True),
    ("never add Claude as co-author in commits or merge requests", True),
    ("no co-author lines in commits and PRs", True),
)
QUIET = (
    "don't merge PRs",
    "no emojis in PRs",
    "don't mention issues in PRs",
    "why is there no attribution in the PR?",
    "no AI attribution in commits",
    "mention the ticket in the PR",
    "sign the PR off as Claude",
    "if the PR is a draft don't mention Claude",
    "generated files do not belong in PRs",
    "never use yarn anywhere",
)
SIGNED = "\U0001f916 Generated with [Claude Code](https://example.com)"
WRONG = Action(kind="command", command=f"gh pr create --body \"$(cat <<'EOF'\nIt reads.\n\n{SIGNED}\nEOF\n)\"")
RIGHT = Action(kind="command", command="gh pr create --body 'It reads.'")


def _first(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> Draft | None:
    return next((draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)), None)


@pytest.mark.parametrize(("text", "commits"), SAID)
def test_words_turn_such_lines_down(text: str, commits: bool) -> None:
    draft = _first(text)
    assert draft is not None
    assert [check.template for check in draft.checks] == ["forbid-command", *["commit-message"] * commits]
    assert len(draft.invalid) == len(draft.checks)


@pytest.mark.parametrize("text", QUIET)
def test_other_talk_of_pull_requests_asks_for_nothing(text: str) -> None:
    assert _first(text) is None


def test_the_pair_shows_what_was_posted() -> None:
    draft = _first("no AI attribution in PRs", (WRONG,), (RIGHT,))
    assert draft is not None
    assert draft.invalid[0].text == WRONG.command
    assert RIGHT.command in [example.text for example in draft.valid]
    assert _first("no AI attribution in PRs", (RIGHT,), ()) is None
    assert _first("no AI attribution in PRs", (WRONG,), (WRONG,)) is None
