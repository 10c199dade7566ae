"""Whoever sends a change decides how large it is: its size is no way around a judge that must hold."""

from pathlib import Path

import pytest

from rulec.commands import _judged
from rulec.commands import compile as compiling
from rulec.commands import test as testing
from rulec.commands._ask_spent import Spent
from rulec.commands._onto import Onto
from rulec.host import templates
from rulec.model.exchange import Models, Prompt, Request, Trouble
from rulec.model.judge import Judge, Line, Piece
from rulec.model.plan import Facts
from rulec.stages import judge as stage
from tests.commands.test_judged import CONFIG, _careful, _commit, _git, _since, _unheard
from tests.support.judging import rule, write
from tests.support.messages_server import MessagesServer

EXAMPLES = """examples:
  invalid: [{file: a.py, content: 'foo = 1'}, {file: b.py, content: 'foo = 2'}]
  valid: [{file: a.py, content: 'x = 1'}, {file: b.py, content: 'y = 1'}]
"""
OVER = Spent(Models(tokens=1), "claude", free=False).used_up(
    Request(key="k", step="judge", system="", text="x", schema={})
)
AWAY = Trouble(what="the API is overloaded")


def _measured(top: Path, severity: str) -> None:
    """A rule whose judge blocks, for it was measured; then little money is left for judges."""
    text = rule("no-foo", "foo").replace("severity: should", f"severity: {severity}")
    text = text.replace("enforcement: warn", "enforcement: block").partition("examples:")[0] + EXAMPLES
    write(top, {"no-foo": text}, CONFIG)
    _git(top, "add", "-A")
    _git(top, "commit", "-qm", "Write down the rule")
    testing.run(top, "", testing.Measuring(onto=Onto()))
    write(top, {}, CONFIG.replace("judges:", "tokens: 12000, judges:"))
    assert compiling.run(top, _unheard).code == 0
    _git(top, "add", "-A")
    _git(top, "commit", "-qm", "Compile")
    _git(top, "checkout", "-qb", "work")


@pytest.mark.parametrize("severity", ["must", "should"])
def test_a_change_that_uses_up_the_budget_does_not_pass_a_rule_that_must_hold(
    repo: Path, messages: MessagesServer, severity: str
) -> None:
    _careful(messages)
    _measured(repo, severity)
    _commit(repo, {"src/a.py": "x = 1\n"})
    assert _since(repo).code == 0
    dull = "".join(f"def total_{n}(amount, rate): return amount * rate + {n}\n" for n in range(900))
    _commit(repo, {f"src/a{n}.py": dull.replace("total", f"total_{n}") for n in range(3)} | {"src/z.py": "foo = 1\n"})
    outcome = _since(repo)
    assert "the budget of this run is reached" in outcome.text
    assert outcome.code == (severity == "must")


@pytest.mark.parametrize(
    ("why", "severity", "enforcement", "outcome"),
    [
        (OVER, "must", "block", "block"),
        (OVER, "must", "warn", "warn"),
        (OVER, "should", "block", "warn"),
        (AWAY, "must", "block", "warn"),
    ],
)
def test_what_nobody_could_judge_for_another_reason_than_its_size_does_as_the_rule_says(
    why: Trouble, severity: str, enforcement: str, outcome: str
) -> None:
    facts = Facts(slug="a", revision=1, statement="A.", severity=severity, enforcement=enforcement)
    judge = Judge(facts=facts, of="diff", text="A.")
    (verdict,) = _judged._not_judged(_judged._plain(why), [judge], {"a": facts})
    assert verdict.outcome == outcome


class _Listener:
    def __init__(self) -> None:
        self.heard: list[Prompt] = []

    def ask(self, prompts: list[Prompt]) -> list[Trouble]:
        self.heard += prompts
        return [AWAY for _ in prompts]


def test_a_name_does_not_decide_what_is_asked_first() -> None:
    judge = Judge(facts=Facts(slug="a", revision=1, statement="A."), of="diff", text="A.")
    dull = tuple(Line(number, "total = amount * rate + 1", new=True) for number in range(1200))
    pairs = [(judge, Piece(path=f"src/a{number}.py", lines=dull)) for number in range(6)]
    orders = []
    for seed in "abcd":
        asked, listener = stage.ask(pairs, seed, templates.library().render), _Listener()
        keys = [one.prompt.key for one in asked]
        assert _judged._answers(asked, listener) == dict.fromkeys(keys, AWAY)
        orders.append([keys.index(prompt.key) for prompt in listener.heard])
    assert len(orders[0]) > 2
    assert len(set(map(tuple, orders))) > 1
