"""Whoever sends a change decides how large it is: its size is no way around a judge that must hold."""

from pathlib import Path

import pytest

from rulec.checks import template_library
from rulec.checks.judge import judge_questions
from rulec.checks.judge.rulings import Judge, Piece, PieceLine
from rulec.domain.artifact import RuleFacts
from rulec.domain.prompt import ModelFailure, ModelRequest, ModelSettings, Prompt
from rulec.gates.judging import judge_change
from rulec.llm.budget import Budget
from tests.gates.test_judged import CONFIG, _commit, _since
from tests.services.test_judged_silenced import blocking
from tests.support.messages_server import MessagesServer

OVER = Budget(ModelSettings(tokens=1), "claude", free=False).used_up(
    ModelRequest(key="k", step="judge", system="", text="x", schema={})
)
AWAY = ModelFailure(what="the API is overloaded")


@pytest.mark.parametrize("severity", ["must", "should"])
def test_a_change_that_uses_up_the_budget_does_not_pass_a_rule_that_must_hold(
    repo: Path, messages: MessagesServer, severity: str
) -> None:
    blocking(repo, messages, severity=severity, config=CONFIG.replace("judges:", "tokens: 12000, judges:"))
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
    why: ModelFailure, severity: str, enforcement: str, outcome: str
) -> None:
    facts = RuleFacts(slug="a", revision=1, statement="A.", severity=severity, enforcement=enforcement)
    judge = Judge(facts=facts, of="diff", text="A.")
    (verdict,) = judge_change._not_judged(judge_change._summarize_reason(why), [judge], {"a": facts})
    assert verdict.outcome == outcome


class _Listener:
    def __init__(self) -> None:
        self.heard: list[Prompt] = []

    def ask(self, prompts: list[Prompt]) -> list[ModelFailure]:
        self.heard += prompts
        return [AWAY for _ in prompts]


def test_a_name_does_not_decide_what_is_asked_first() -> None:
    judge = Judge(facts=RuleFacts(slug="a", revision=1, statement="A."), of="diff", text="A.")
    dull = tuple(PieceLine(number, "total = amount * rate + 1", new=True) for number in range(1200))
    pairs = [(judge, Piece(path=f"src/a{number}.py", lines=dull)) for number in range(6)]
    orders = []
    for seed in "abcd":
        asked, listener = (
            judge_questions.write_judge_prompts(pairs, seed, template_library.open_library().render),
            _Listener(),
        )
        keys = [one.prompt.key for one in asked]
        assert judge_change._answers(asked, listener) == dict.fromkeys(keys, AWAY)
        orders.append([keys.index(prompt.key) for prompt in listener.heard])
    assert len(orders[0]) > 2
    assert len(set(map(tuple, orders))) > 1
