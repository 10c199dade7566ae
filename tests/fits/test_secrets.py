"""Secrets: how people turn them down, and how a pair shows one that was written."""

import pytest

from rulec.fits.secrets import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action

SAID = (
    "don't commit secrets",
    "Never commit API keys.",
    "Never hardcode credentials.",
    "no hardcoded secrets",
    "No API keys in the code.",
    "don't put passwords in config files",
    "do not check in tokens or private keys",
    "secrets belong in environment variables",
    "API keys must be loaded from env",
    "never paste tokens into the docs",
    "use environment variables for secrets",
    "stop hardcoding the api key",
    "passwords must never be committed",
    "read credentials from the environment, never from code",
)
QUIET = (
    "never log passwords",
    "don't print the token",
    "no design tokens in components",
    "rotate the api key",
    "the password field is missing",
    "don't use session tokens here",
    "where do we store secrets?",
    "don't read the secrets file",
    "the token limit is too low",
    "commit the changes",
    "if the token is expired don't store the token",
    "keep the key order",
)
KEY = "ghp_" + "aB3dE5gH1jK2mN4pQ6rS8tU0vW9xY7zA"  # put together here, so that no scanner takes it for a leak
WRONG = Action(kind="write", path="src/a.py", new=f"TOKEN = '{KEY}'\n")
RIGHT = Action(kind="write", path="src/a.py", new="TOKEN = os.environ['TOKEN']\n")


def _first(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> Draft | None:
    return next((draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)), None)


@pytest.mark.parametrize("text", SAID)
def test_words_turn_secrets_down(text: str) -> None:
    draft = _first(text)
    assert draft is not None
    assert [check.kind for check in draft.checks[:2]] == ["semgrep", "guard"]
    committed = "commit" in text or "check in" in text
    assert [check.template for check in draft.checks[2:]] == ["forbid-path"] * committed


@pytest.mark.parametrize("text", QUIET)
def test_other_talk_of_keys_and_tokens_asks_for_nothing(text: str) -> None:
    assert _first(text) is None


def test_the_pair_shows_a_key_that_was_written() -> None:
    draft = _first("don't hardcode tokens", (WRONG,), (RIGHT,))
    assert draft is not None
    assert draft.invalid[0].text == WRONG.new
    assert draft.valid[0].text == RIGHT.new


def test_nothing_is_drafted_without_a_key_or_against_what_was_accepted() -> None:
    assert _first("don't hardcode tokens", (RIGHT,), ()) is None
    assert _first("don't hardcode tokens", (WRONG,), (WRONG,)) is None
