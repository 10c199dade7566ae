"""Tools by their names: how agents write them, and the hook that is asked about them."""

import pytest

from rulec.guard import tool_check
from tests.hook.test_hook import asks, bash, denied, hook, repository
from tests.support import guard_rules as rules
from tests.support.session import ClaudeSession

NAMES = [  # pattern, name, whether the one names the other
    ("WebFetch", "web_fetch", True),
    ("WebFetch", "webfetch", True),
    ("web_fetch", "WebFetch", True),
    ("WebFetch", "WebFetcher", False),
    ("WebFetch", "mcp__x__WebFetch", False),
    ("Task", "Agent", True),
    ("Task", "TaskCreate", False),
    ("Task*", "TaskCreate", True),
    ("mcp__git__*", "mcp__git__commit", True),
    ("mcp__git__*", "mcp__github__commit", False),
    ("mcp__git__*", "mcp_git_commit", True),
    ("mcp__git__*", "git_commit", True),
    ("mcp__git__commit", "MCP:git:commit", True),
    ("*", "anything", True),
    ("a+b", "a.b", True),
]


def test_names_are_compared_as_agents_write_them():
    assert [row for row in NAMES if tool_check.is_named([row[0]], row[1]) is not row[2]] == []


def rule(slug, *names, **more):
    return {"facts": rules.facts(slug), "check": {"on": "tool", "tools": list(names), **more}}


@pytest.fixture
def repo(tmp_path):
    web = rule("no-web", "WebFetch", arguments={"url": "^http:"}, instead="curl")
    docs = rules.session("docs-first", before_tools=["WebSearch"], first_tools=["mcp__docs__*"])
    return repository(tmp_path / "repo", web, rule("no-notebooks", "NotebookEdit", "mcp__github__create_*"), docs)


def test_the_hook_denies_a_tool_by_its_name_and_arguments(repo):
    reason = denied(hook(repo, asks(repo, "WebFetch", url="http://x.org")))
    assert "rulec rule no-web:" in reason
    assert "use curl instead of WebFetch" in reason
    seen = {
        "WebFetch": denied(hook(repo, asks(repo, "WebFetch", url="https://x.org"))),
        "NotebookEdit": denied(hook(repo, asks(repo, "NotebookEdit", notebook_path="a.ipynb", new_source="x"))),
        "create": denied(hook(repo, asks(repo, "mcp__github__create_issue", title="x"))),
        "get": denied(hook(repo, asks(repo, "mcp__github__get_issue", number=1))),
        "bash": denied(hook(repo, bash(repo, "echo WebFetch"))),
        "npm": denied(hook(repo, bash(repo, "npm install x"))),
    }
    assert {name for name, reason in seen.items() if reason} == {"NotebookEdit", "create", "npm"}


def test_a_step_that_must_come_first_may_be_a_tool(repo):
    def asked(session):
        path = session.save(repo.parent / "t.jsonl")
        return denied(
            hook(repo, {**asks(repo, "WebSearch", query="x"), "transcript_path": str(path), "tool_use_id": "n"})
        )

    session = ClaudeSession(repo).person("look it up")
    assert "docs-first" in asked(session)
    assert asked(session.call("mcp__docs__search", {"q": "x"}, "found")) == ""
