"""Rules for agents alone: they hold where an agent is known to act, and in examples, which are an agent's."""

from tests.support import guard_rules as rules

SCOPE = {"include": ["**"], "exclude": [], "agents": [], "tags": [], "who": ["agents"]}
SEEN = [  # what is known of who acts, and whether the rule holds
    ({"agent": "claude-code", "environment": "local"}, True),
    ({"agent": "", "environment": "local"}, False),
    ({"environment": "ci"}, False),
    ({}, True),
]


def test_a_rule_for_agents_leaves_alone_what_people_commit():
    rule = rules.text("no-todo", "TODO")
    rule["facts"]["scope"] = SCOPE
    write = {"kind": "write", "path": "a.py", "new": "TODO\n", "content": "TODO\n"}
    wrong = [known for known, holds in SEEN if bool(rules.findings([rule], {**write, **known})) is not holds]
    assert wrong == []
