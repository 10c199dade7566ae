"""A session is the same with steps between that say nothing."""

from rulec.domain.rule import Example
from tests.checks.growing import command, grown, rule


def test_innocent_steps_stand_in_a_session_where_they_say_nothing() -> None:
    steps = (Example(kind="says", text="fix it"), command("git commit -am x"))
    session = Example(kind="session", text="", steps=steps)
    found = {m.name: m.example for m in grown(rule("guard", "ask-before", {"commands": ["git commit"]}, session))}
    assert [step.kind for step in found["a read between"].steps] == ["says", "read", "command"]
    assert found["last: carrier: sudo"].steps[-1].text == "sudo git commit -am x"
    assert [step.kind for step in found["a word between"].steps] == ["says", "says", "command"]
    assert found["only named: echo"].steps[-1].text == "echo 'git commit -am x'"
