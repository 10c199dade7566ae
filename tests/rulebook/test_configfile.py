"""The team's settings: who approves, what is protected, how firmly a weaker gate is met."""

import pytest

from rulec.domain.prompt import ModelSettings
from rulec.errors import RulecError
from rulec.rulebook.config import Config, dump_config, parse_config

TRUST = """\
schema: 1
emitters: [codeowners]
owners: ["@acme/leads", ann@acme.test, "@@maintainer"]
protected: ["migrations/**"]  # ask first
weakened: block
"""


def test_they_survive_the_round_trip() -> None:
    config = parse_config(TRUST, source="c")
    assert config.owners == ("@acme/leads", "ann@acme.test", "@@maintainer")
    assert (config.protected, config.weakened) == (("migrations/**",), "block")
    assert parse_config(dump_config(config, TRUST), source="c") == config
    assert "# ask first" in dump_config(config, TRUST)


def test_weights_are_on_unless_the_settings_say_otherwise() -> None:
    assert parse_config("schema: 1\n", source="c").weights
    off = parse_config("schema: 1\nweights: false\n", source="c")
    assert not off.weights
    assert "weights: false" in dump_config(off)
    assert parse_config(dump_config(off), source="c") == off


def test_what_is_at_its_default_is_not_written() -> None:
    assert dump_config(Config()).splitlines() == ["schema: 1"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("owners: [acme]\n", "owners names 'acme', which is no owner"),
        ("owners: ['@a b']\n", "which is no owner"),
        ("owners: ['@a\\n* @evil']\n", "which is no owner"),
        ("owners: '@a'\n", "owners must be a list"),
        ("protected: migrations\n", "protected must be a list"),
        ("weights: sometimes\n", "weights must be true or false"),
        ("weakened: maybe\n", "'maybe' is not one of warn, block"),
        (f"protected: ['{'**/' * 30}a']\n", "too many stars"),
        ("models: {key: sk-1}\n", "models.key is not a known key"),
        ("models: {judges: [push]}\n", "'push', which is no gate"),
        ("models: {tokens: -1}\n", "must be 0 or more"),
        ("models: {money: .nan}\n", "must be from 0 to 1,000,000"),
        ("models: {seconds: 0}\n", "must be from 1 to 3,600"),
        ("models: {seconds: 9000}\n", "must be from 1 to 3,600"),
        ("models: {backend: 'a b'}\n", "is no name"),
        ("weights: maybe\n", "true or false"),
        ("models: {base_url: 'https://ann:key@x.test'}\n", "no address that a key may be sent to"),
        ("models: {base_url: 'http://x.test'}\n", "no address that a key may be sent to"),
        ("models: []\n", "models must be a mapping"),
    ],
)
def test_a_wrong_one_is_refused_in_its_line(text: str, told: str) -> None:
    with pytest.raises(RulecError, match=told) as refused:
        parse_config(f"schema: 1\n{text}", source="c", own=True)
    assert refused.value.where == "c:2"


ASKED = """\
schema: 1
models:
  backend: anthropic  # the team's key
  money: 5
  judges: [ci, commit]
"""


def test_who_is_asked_survives_the_round_trip() -> None:
    config = parse_config(ASKED, source="c", own=True)
    assert config.models == ModelSettings(backend="anthropic", money=5.0, judges=("commit", "ci"))
    assert config.models_told == ("backend", "money", "judges")
    assert parse_config(dump_config(config, ASKED), source="c", own=True) == config
    assert "# the team's key" in dump_config(config, ASKED)


def test_what_is_said_stays_said_although_it_is_the_default() -> None:
    config = parse_config("models: {money: 2.0, judges: []}\n", source="c")
    assert config.models == ModelSettings(judges=())
    assert parse_config(dump_config(config), source="c") == config


def test_a_repository_does_not_say_where_a_key_is_sent() -> None:
    text = "schema: 1\nmodels:\n  base_url: https://x.test\n"
    assert parse_config(text, source="c", own=True).models.base_url == "https://x.test"
    with pytest.raises(RulecError, match="may not stand in a repository") as refused:
        parse_config(text, source="c")
    assert refused.value.where == "c:3"


def test_a_repository_spends_only_so_much() -> None:
    text = "models: {money: 20, tokens: 20000001}\n"
    assert parse_config(text, source="c", own=True).models.tokens == 20_000_001
    with pytest.raises(RulecError, match=r"models.tokens may be at most 20,000,000 in a repository"):
        parse_config(text, source="c")


def test_of_a_past_commit_settings_of_another_version_are_left_out() -> None:
    text = "schema: 1\nprofile: default\nweakened: block\n"
    with pytest.raises(RulecError, match="profile is not a known key"):
        parse_config(text, source="config.yaml")
    assert parse_config(text, source="config.yaml", past=True).weakened == "block"
