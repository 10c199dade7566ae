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


KEY = "token = 'abc123'"
FILE = {"path": "a.py", "content": KEY}
SERVER = {"owner": "o", "repo": "r"}
WRITING = [  # tools of MCP servers that put the key into a file, by whatever names their arguments have
    ("fs__write_file", FILE),
    ("fs__create_file", {"file": "a.py", "body": KEY}),
    ("fs__write_file", {"path": "a.py", "lines": ["x = 1", KEY]}),
    ("fs__write_files", {"files": [FILE]}),
    ("fs__write_files", {"files": {"b.py": "", "a.py": KEY}}),
    ("fs__save_file", {"name": "a.py", "source_code": KEY}),
    ("fs__update_many", {"operations": [{"path": "b.py", "content": ""}, FILE]}),
    ("fs__edit_file", {"path": "a.py", "edits": [{"find": "x", "with": KEY}]}),
    ("fs__apply_patch", {"patch": f"*** Begin Patch\n*** Add File: a.py\n+{KEY}\n*** End Patch\n"}),
    ("ide__replace_text_by_path", {"pathInProject": "a.py", "text": KEY}),
    ("code__replace_regex", {"relative_path": "a.py", "regex": "x", "repl": KEY}),
    ("code__insert_after_symbol", {"relative_path": "a.py", "name_path": "f", "body": KEY}),
    ("book__insert_cell", {"notebook_path": "a.ipynb", "cell_source": KEY}),
    ("github__create_or_update_file", {**SERVER, **FILE}),
    ("github__push_files", {**SERVER, "branch": "topic", "files": [FILE]}),
    ("gitlab__create_commit", {"project_id": "1", "branch": "topic", "actions": [{"action": "update", **FILE}]}),
]
NOT_WRITING = [
    ("fs__read_file", {"path": "a.py", "note": KEY}),
    ("fs__search_files", {"path": "a.py", "text": KEY}),
    ("fs__edit_file", {"path": "a.py", "edits": [{"oldText": KEY, "newText": "x"}]}),
    ("fs__replace", {"path": "a.py", "old_str": KEY, "new_str": ""}),
    ("fs__update_file", {"path": "a.py", "body": "x = 1", "reason": f"{KEY} was wrong", "commit_message": KEY}),
    ("fs__create_directory", {"path": "gen", "mode": "0755"}),
    ("github__create_issue", {**SERVER, "title": "a.py", "body": KEY}),
    ("github__create_review", {**SERVER, "comments": [{"path": "a.py", "body": KEY}]}),
    ("gitlab__create_commit", {"project_id": "1", "branch": "x", "actions": [{"action": "delete", "path": "a.py"}]}),
    ("db__insert_rows", {"table": "t", "rows": [{"name": "a.py", "value": KEY}]}),
]


def test_what_a_tool_of_another_server_writes_is_judged(tmp_path):
    repo = repository(tmp_path / "repo", rules.text("no-keys", "token = '\\w+'"))
    asked = [(rows is WRITING, tool, given) for rows in (WRITING, NOT_WRITING) for tool, given in rows]
    wrong = [
        one
        for one in asked
        if one[0] is not bool(denied(hook(repo, {**asks(repo, f"mcp__{one[1]}"), "tool_input": one[2]})))
    ]
    assert wrong == []
