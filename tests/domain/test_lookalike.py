"""A secret in an example is replaced by a look-alike: of its kind, plainly none, and the same every time."""

import random
import string

import pytest

from rulec.domain.text.redaction import redact, replace_redacted, replace_secrets

DRAWN = random.Random(7)


def _drawn(length: int, signs: str = string.ascii_letters + string.digits) -> str:
    return "".join(DRAWN.choice(signs) for _ in range(length))


UPPER, HEX = string.ascii_uppercase + string.digits, "0123456789abcdef"
BODY = "\n".join(_drawn(64) for _ in range(4))
# what stands before a secret and tells its kind, what of it nobody may see, what stands behind it
SECRETS = [
    ("AKIA", _drawn(16, UPPER), ""),
    ("ghp_", _drawn(36), ""),
    ("github_pat_", _drawn(22) + "_" + _drawn(50), ""),
    ("xoxb-", "482915736021-" + _drawn(24), ""),
    ("sk-ant-api03-", _drawn(80), ""),
    ("sk_live_", _drawn(24), ""),
    ("eyJ", f"{_drawn(20)}.{_drawn(30)}.{_drawn(40)}", ""),
    ("SK", _drawn(32, HEX), ""),
    ("AGE-SECRET-KEY-1", _drawn(50, UPPER), ""),
    ("-----BEGIN RSA PRIVATE KEY-----\n", BODY, "\n-----END RSA PRIVATE KEY-----"),
    ("db_password = '", "tr0ub4dor&3x", "'"),
    ("password = '", "g\u00f6ld9kl\u00fcx77", "'"),
    ("api_key = '", _drawn(24), "'"),
    ("Authorization: Bearer ", _drawn(40), ""),
    ("curl -u bob:", "secret99", " http://x.test"),
    ("postgres://", "app:hunt3r2xyz9", "@db.internal/main"),
]


@pytest.mark.parametrize(("start", "secret", "end"), SECRETS)
def test_a_secret_keeps_its_form_and_nothing_of_what_is_secret(start: str, secret: str, end: str) -> None:
    text = f"{start}{secret}{end}"
    assert "[redacted:" in redact(text), "else the case shows nothing"
    like = replace_secrets(text)
    assert like.startswith(start)
    assert like.endswith(end)
    assert len(like) == len(text)
    assert [secret[at : at + 4] for at in range(len(secret) - 3) if secret[at : at + 4] in like[len(start) :]] == []


@pytest.mark.parametrize(("start", "secret", "end"), SECRETS)
def test_a_lookalike_stays_as_it_is_and_is_no_secret(start: str, secret: str, end: str) -> None:
    like = replace_secrets(f"{start}{secret}{end}")
    assert replace_secrets(like) == like
    assert redact(like) == like


def test_nobody_stands_for_people_and_their_folders() -> None:
    text = "mail bob@corp.test; ls /home/bob-x/y C:\\Users\\Bob\\z ~/.claude/projects/-Users-bob-app"
    like = replace_secrets(text)
    assert like == (
        "mail someone@example.com; ls /home/someone/y C:\\Users\\someone\\z ~/.claude/projects/-Users-someone-app"
    )
    assert redact(like) == replace_secrets(like) == like


def test_of_a_redaction_a_lookalike_of_its_kind_is_made_where_it_is_to_be_caught() -> None:
    assert replace_redacted("k = '[redacted:github]'").startswith("k = 'ghp_")
    assert replace_redacted("[redacted:pem]").startswith("-----BEGIN PRIVATE KEY-----\n")
    assert replace_redacted("[redacted:cookie]") == "[redacted:cookie]", "of no form that could be made"
    assert replace_secrets("We print [redacted:github].") == "We print [redacted:github]."
