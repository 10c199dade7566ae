"""Emojis: what people say of them, where they look for them, and which may stay."""

from typing import Any

import pytest

from rulec.fits import _emoji_said
from rulec.fits.emojis import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.runtime.globs import match

DOCS, CODE, MESSAGE, COMMIT, POST = "docs", "code", "message", "commit", "post"
EVERYWHERE = {DOCS, CODE, MESSAGE, COMMIT, POST}

SAID: tuple[tuple[str, set[str]], ...] = (
    ("no emojis", EVERYWHERE),
    ("No emojis, ever.", EVERYWHERE),
    ("Please never use emoji anywhere in this repo.", EVERYWHERE),
    ("stop putting emojis everywhere", EVERYWHERE),
    ("keine Emojis bitte", EVERYWHERE),
    ("emojis are unprofessional, avoid them", EVERYWHERE),
    ("No emojis please \U0001f64f", EVERYWHERE),
    ("don't put emojis in commit messages", {MESSAGE, COMMIT}),
    ("no gitmoji", {MESSAGE, COMMIT}),
    ("Commit without emojis.", {MESSAGE, COMMIT}),
    ("no emojis in PR descriptions", {POST}),
    ("no emoji in commits or PRs", {MESSAGE, COMMIT, POST}),
    ("Don't use emojis in the docs.", {DOCS}),
    ("keep READMEs emoji-free", {DOCS}),
    ("don't use emojis in code or log output", {CODE}),
    ("remove the emojis from the scripts", {CODE}),
    ("use icons instead of emojis in the UI", {CODE}),
    ("No emoji in code or docs", {CODE, DOCS}),
)
QUIET = (
    "add an emoji picker",
    "why are there no emojis in the list?",
    "no emojis unless I ask for them",
    "don't use emojis in your replies",
    "the emoji regex does not match flags",
    "don't remove the emojis from the docs",
    "only use emojis in headings",
    "I don't mind emojis",
    "no images in the docs",
    "stop the server",
    "don't touch the emoji map",
    "the emojis are not rendered correctly",
    "I don't see the emojis",
    "there are no emojis in the picker",
    "not all emojis work",
    "the parser crashes without emojis",
    "it doesn't show emojis on Windows",
)


def _first(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> Draft | None:
    return next((draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)), None)


def _places(draft: Draft) -> set[str]:
    found: set[str] = set()
    for check in draft.checks:
        given: dict[str, Any] = dict(check.parameters)
        globs, commands = given.get("globs", ["*.md", "*.py"]), given.get("commands", ["git commit", "gh pr"])
        if check.kind == "shell":
            found.add(MESSAGE)
        elif given.get("where") == "commands":
            found |= {COMMIT} if any(one.startswith("git commit") for one in commands) else set()
            found |= {POST} if any(one.startswith("gh pr") for one in commands) else set()
        else:
            found |= ({DOCS} if {"*.md", "README*"} & set(globs) else set()) | ({CODE} if "*.py" in globs else set())
    return found


@pytest.mark.parametrize(("text", "places"), SAID)
def test_words_tell_where_emojis_are_not_wanted(text: str, places: set[str]) -> None:
    draft = _first(text)
    assert draft is not None
    assert {check.template for check in draft.checks} == {"forbid-emoji"}
    assert _places(draft) == places


@pytest.mark.parametrize("text", QUIET)
def test_other_talk_of_emojis_asks_for_nothing(text: str) -> None:
    assert _first(text) is None


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("no emojis except \u2705 and \u274c in docs", {"allowed": ["\u2705", "\u274c"]}),
        ("don't use \U0001f680 or \u2728 in docs", {"only": ["\U0001f680", "\u2728"]}),
        ("never put the \U0001f680 emoji in the readme", {"only": ["\U0001f680"]}),
        ("no emojis like \U0001f680 in docs", {}),
        ("\U0001f6ab no emojis in docs", {}),
    ],
)
def test_emojis_in_the_words_are_examples_exceptions_or_all_that_is_meant(text: str, given: dict[str, Any]) -> None:
    draft = _first(text)
    assert draft is not None
    told = {key: value for key, value in draft.checks[0].parameters.items() if key in ("allowed", "only")}
    assert told == given


WRONG = Action(kind="write", path="docs/a.md", new="# \u2728 Setup\n\n\u2714 first\n")
RIGHT = Action(kind="write", path="docs/a.md", new="# Setup\n\nfirst\n")
POSTED = Action(kind="command", command="gh pr create --title x --body \"$(cat <<'EOF'\n\U0001f680 done\nEOF\n)\"")


def test_the_pair_shows_which_signs_beside_emojis_are_meant() -> None:
    draft = _first("no emojis", (WRONG,), (RIGHT,))
    assert draft is not None
    assert draft.invalid[0].path == "docs/a.md"
    assert draft.checks[0].parameters == {"also": ["\u2714"]}
    marks = _first("no emojis", (Action(kind="write", path="a.md", new="\u2714 a\n"),), (RIGHT,))
    assert marks is not None
    assert marks.checks[0].parameters == {"also": ["\u2714"]}


def test_what_the_agent_posted_counts_as_well() -> None:
    draft = _first("no emojis in PRs", (POSTED,), ())
    assert draft is not None
    assert draft.invalid[0].text == POSTED.command


def test_nothing_is_drafted_against_what_was_accepted() -> None:
    assert _first("no emojis", (WRONG,), (WRONG,)) is None
    assert _first("no emojis", (RIGHT,), ()) is None
    assert _first("no emojis in code", (WRONG,), ()) is None


@pytest.mark.parametrize(
    ("text", "include", "path"),
    [
        ("no emoji in docs/", ("docs/",), "docs/sample.md"),
        ("never use emojis in CHANGELOG.md", ("CHANGELOG.md",), "CHANGELOG.md"),
        ("no emojis in the docs", ("**",), "docs/sample.md"),
    ],
)
def test_paths_in_the_words_narrow_it(text: str, include: tuple[str, ...], path: str) -> None:
    draft = _first(text)
    assert draft is not None
    assert (draft.scope.include, draft.invalid[0].path) == (include, path)


@pytest.mark.parametrize(
    ("text", "globs"),
    [
        ("Don't use emojis in the README.", ["README*"]),
        ("no emojis in the changelog or the readme", ["CHANGELOG*", "README*"]),
        ("no emojis in the readme and other docs", _emoji_said.DOCS),
    ],
)
def test_a_document_that_is_named_alone_is_meant_alone(text: str, globs: list[str]) -> None:
    draft = _first(text)
    assert draft is not None
    assert draft.checks[0].parameters == {"globs": globs}
    assert match(globs, draft.invalid[0].path)
