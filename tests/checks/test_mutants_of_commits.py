"""A commit is the same in other words and in another order."""

from rulec.domain.rule import Example
from tests.checks.growing import grown, rule

FILES = (("src/price.py", "x = load()\n"), ("src/tax.py", "y = load()\n"))


def test_a_commit_gets_other_words_another_order_and_a_picture() -> None:
    commit = Example(kind="commit", text="Add both", files=FILES)
    made = rule("guard", "require-companion", {"when": ["@code"], "needs": ["@tests"]}, commit)
    found = {mutant.name: mutant.example for mutant in grown(made)}
    assert found["other words"].files == FILES
    assert found["files in another order"].files == FILES[::-1]
    assert found["a picture as well"].files[:2] == FILES


def test_a_rule_of_messages_keeps_the_words() -> None:
    commit = Example(kind="commit", text="Broken", files=FILES)
    made = rule("shell", "commit-message", {"style": "conventional"}, commit)
    assert "other words" not in {mutant.name for mutant in grown(made)}
