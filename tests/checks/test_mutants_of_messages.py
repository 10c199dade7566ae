"""A message is the same however it is handed over."""

from rulec.domain.rule import Example
from tests.checks.growing import rule, texts


def test_a_message_gets_a_body_only_where_none_is_forbidden() -> None:
    message = Example(kind="message", text="Fixed it\n")
    free = rule("shell", "commit-message", {"forbid": ["^Fixed"]}, message)
    bound = rule("shell", "commit-message", {"forbid": ["^Fixed"], "no_body": True}, message)
    assert texts(free, invalid=True)["body behind"] == "Fixed it\n\nIt was asked for\n"
    assert "body behind" not in texts(bound, invalid=True)
    assert texts(bound, invalid=True)["git commit -m"] == "git commit -m 'Fixed it'"
