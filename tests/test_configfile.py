"""The team's settings: who approves, what is protected, how firmly a weaker gate is met."""

import pytest

from rulec import configfile
from rulec.errors import RulecError
from rulec.model.rulebook import Config

TRUST = """\
schema: 1
emitters: [codeowners]
owners: ["@acme/leads", ann@acme.test, "@@maintainer"]
protected: ["migrations/**"]  # ask first
weakened: block
"""


def test_they_survive_the_round_trip() -> None:
    config = configfile.loads(TRUST, source="c")
    assert config.owners == ("@acme/leads", "ann@acme.test", "@@maintainer")
    assert (config.protected, config.weakened) == (("migrations/**",), "block")
    assert configfile.loads(configfile.dumps(config, TRUST), source="c") == config
    assert "# ask first" in configfile.dumps(config, TRUST)


def test_what_is_at_its_default_is_not_written() -> None:
    assert configfile.dumps(Config()).splitlines() == ["schema: 1", "profile: default"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("owners: [acme]\n", "owners names 'acme', which is no owner"),
        ("owners: ['@a b']\n", "which is no owner"),
        ("owners: ['@a\\n* @evil']\n", "which is no owner"),
        ("owners: '@a'\n", "owners must be a list"),
        ("protected: migrations\n", "protected must be a list"),
        ("weakened: maybe\n", "'maybe' is not one of warn, block"),
        (f"protected: ['{'**/' * 30}a']\n", "too many stars"),
    ],
)
def test_a_wrong_one_is_refused_in_its_line(text: str, told: str) -> None:
    with pytest.raises(RulecError, match=told) as refused:
        configfile.loads(f"schema: 1\n{text}", source="c")
    assert refused.value.where == "c:2"
