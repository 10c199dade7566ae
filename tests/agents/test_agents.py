"""Every agent's hook: asked in its own JSON, answered in the exact form that it takes."""

import json
import shutil

import pytest

from rulec.agents.protocol import agent_spec
from rulec.compiling.agent_briefing import words_artifact
from rulec.domain.rule import Rule
from rulec.hook.dispatch import respond
from tests.hook.test_hook import put, repository
from tests.support import guard_rules as rules
from tests.support import payloads as agents
from tests.support.asking import ask_hook
from tests.support.payloads import NAMES
from tests.support.world import at_home, copy, run

DENIALS = {
    "claude-code": lambda out: out["hookSpecificOutput"]["permissionDecisionReason"],
    "codex": lambda out: out["hookSpecificOutput"]["permissionDecisionReason"],
    "cursor": lambda out: out["agent_message"],
    "gemini": lambda out: out["reason"],
    "copilot": lambda out: out["permissionDecisionReason"],
    "opencode": lambda out: out["deny"],
}
HOLDS = {**DENIALS, **dict.fromkeys(("claude-code", "codex", "copilot"), lambda out: out["reason"])}
HOLDS["cursor"] = lambda out: out["followup_message"]


@pytest.fixture(autouse=True)
def nobody_elses_project(monkeypatch):
    for name in ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def _committed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    with at_home(folder):
        repo = repository(folder / "repo")
        run(repo, "add", "-A")
        run(repo, "commit", "-qm", "x")
    return repo


@pytest.fixture
def repo(_committed, tmp_path):
    return copy(_committed, tmp_path / "repo")


def event_of(agent, payload):
    return agent_spec.find_agent(agent).read(payload).event


def asked(repo, agent, payload, *, speaks=""):
    """The answer, which must be one that the agent takes."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    answer = respond(agent, raw, str(repo / ".rules/compiled"))
    if isinstance(payload, dict):
        name = speaks or agent
        assert agents.refused(name, event_of(name, payload), answer.out) == ""
    return answer


@pytest.mark.parametrize("agent", NAMES)
def test_a_forbidden_command_is_denied_with_rule_words_and_cure_and_another_is_not_even_mentioned(repo, agent):
    answer = asked(repo, agent, agents.runs(agent, str(repo), "cd web && npm install left-pad"))
    reason = DENIALS[agent](answer.out)
    assert (answer.code, answer.error) == (0, "")
    assert reason.split("\n") == [
        "rulec rule pnpm: Keep to pnpm.",
        "Seen: npm install left-pad",
        'A person said (2026-11-20, to claude-code): "please"',
        "Instead: run `pnpm add left-pad`",
    ]
    quiet = asked(repo, agent, agents.runs(agent, str(repo), "git status"))
    assert (quiet.out, quiet.code, quiet.error) == ({}, 0, "")


@pytest.mark.parametrize("agent", NAMES)
def test_the_gate_is_no_agents_to_disarm(repo, agent):
    answer = asked(repo, agent, agents.runs(agent, str(repo), "git commit --no-verify -m x"))
    assert "protect-the-gate" in DENIALS[agent](answer.out)


@pytest.mark.parametrize("agent", NAMES)
def test_what_is_to_be_written_is_judged_by_path_and_by_text(repo, agent):
    for path, content, slug in (
        ("src/gen/b.py", "x\n", "gen"),
        ("b.py", "print(2)\n", "no-print"),
        ("b.py", "x\n", ""),
    ):
        out = asked(repo, agent, agents.writes(agent, str(repo), path, content)).out
        assert (f"rule {slug}:" in DENIALS[agent](out)) if slug else out == {}
    out = asked(repo, agent, agents.edits(agent, str(repo), "src/a.py", "x = 1", "print(3)")).out
    assert "src/a.py:2: print(3)" in DENIALS[agent](out)
    assert asked(repo, agent, agents.edits(agent, str(repo), "src/a.py", "x = 1", "x = 2")).out == {}


@pytest.mark.parametrize("agent", NAMES)
def test_after_an_edit_what_stands_there_is_told_to_the_agent(repo, agent):
    (repo / "src/a.py").write_text("print(1)\nprint(3)\n")
    answer = asked(repo, agent, agents.edits(agent, str(repo), "src/a.py", "x = 1", "print(3)", done=True))
    assert "no-print" in json.dumps(answer.out)
    assert (answer.code, answer.error) == (0, "")


@pytest.mark.parametrize("agent", NAMES)
def test_a_turn_that_leaves_something_is_held_three_times_then_the_person_is_told(repo, agent):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    asked(repo, agent, agents.edits(agent, str(repo), "src/gen/a.py", "x = 1", "x = 2", done=True))
    for count in range(3):
        held = asked(repo, agent, agents.stops(agent, str(repo), active=count > 0))
        assert "rule gen:" in HOLDS[agent](held.out)
    freed = asked(repo, agent, agents.stops(agent, str(repo), active=True))
    assert "3 reminders" in json.dumps(freed.out) + freed.error
    assert freed.code == 0
    assert not {"decision", "deny", "followup_message"} & set(freed.out)
    asked(repo, agent, agents.says(agent, str(repo), HOLDS[agent](held.out)))  # some programs send our words on
    again = asked(repo, agent, agents.stops(agent, str(repo), active=True))
    assert "3 reminders" in json.dumps(again.out) + again.error
    asked(repo, agent, agents.says(agent, str(repo), "And now the docs."))
    anew = {"turn_id": "t2"} if agent == "codex" else {}
    assert HOLDS[agent](asked(repo, agent, agents.stops(agent, str(repo), **anew)).out)


SUB_ENDS = {"claude-code": "SubagentStop", "codex": "SubagentStop", "cursor": "subagentStop", "copilot": "SubagentStop"}


@pytest.mark.parametrize("agent", SUB_ENDS)
def test_a_sub_agents_end_is_left_alone_for_others_may_still_be_at_work_on_what_stands_there(repo, agent):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    asked(repo, agent, agents.edits(agent, str(repo), "src/gen/a.py", "x = 1", "x = 2", done=True))
    ends = {**agents.stops(agent, str(repo)), "hook_event_name": SUB_ENDS[agent]}
    answer = asked(repo, agent, ends)
    assert (answer.out, answer.code, answer.error) == ({}, 0, "")
    assert HOLDS[agent](asked(repo, agent, agents.stops(agent, str(repo))).out)


@pytest.mark.parametrize("agent", NAMES)
def test_a_rule_that_warns_reaches_the_agent_or_else_the_person(repo, agent):
    rule = rules.command("warned", "warned")
    rule["facts"]["enforcement"] = "warn"
    put(repo, "warned", json.dumps(rule))
    answer = asked(repo, agent, agents.runs(agent, str(repo), "warned"))
    assert "rule warned" in json.dumps(answer.out) + answer.error
    assert "deny" not in json.dumps(answer.out)
    assert bool(answer.out) == (agent not in ("cursor", "copilot"))


@pytest.mark.parametrize("agent", NAMES)
def test_a_rule_for_other_agents_says_nothing(repo, agent):
    for slug, own in (("mine", [agent]), ("theirs", [name for name in NAMES if name != agent])):
        rule = rules.command(slug, slug)
        rule["facts"]["scope"]["agents"] = own
        put(repo, slug, json.dumps(rule))
    assert asked(repo, agent, agents.runs(agent, str(repo), "theirs")).out == {}
    assert asked(repo, agent, agents.runs(agent, str(repo), "mine")).out


@pytest.mark.parametrize("agent", NAMES)
def test_a_message_and_a_session_get_the_rules_where_the_agent_listens(repo, agent):
    artifact = words_artifact(
        Rule(slug="use-pnpm", statement="Use pnpm, never npm.", severity="must", when="installing packages")
    )
    (repo / artifact.path).parent.mkdir()
    (repo / artifact.path).write_text(artifact.text)
    told = asked(repo, agent, agents.says(agent, str(repo), "Install the packages with npm."))
    begun = asked(repo, agent, agents.begins(agent, str(repo)))
    assert (begun.error, told.error, begun.code, told.code) == ("", "", 0, 0)
    listens = agent_spec.find_agent(agent).hears
    assert ("Use pnpm, never npm." in json.dumps(begun.out)) == (agent_spec.SESSION_START in listens)
    assert ("Use pnpm, never npm." in json.dumps(told.out)) == (agent_spec.PROMPT in listens)


@pytest.mark.parametrize("agent", NAMES)
@pytest.mark.parametrize("form", [b"\xef\xbb\xbf%s", b"%s\r\n", b"\r\n  %s\n\n"])
def test_a_mark_or_line_ends_around_the_question_do_not_matter(repo, agent, form):
    payload = json.dumps(agents.runs(agent, str(repo), "npm ci"), indent=1).replace("\n", "\r\n").encode()
    assert DENIALS[agent](asked(repo, agent, form % payload).out)


@pytest.mark.parametrize("agent", NAMES)
def test_an_empty_folder_or_none_is_no_way_past(repo, agent, monkeypatch):
    monkeypatch.chdir("/")
    for cwd in ("", None, 3):
        payload = {**agents.runs(agent, str(repo), "npm ci"), "cwd": cwd}
        assert DENIALS[agent](asked(repo, agent, payload).out)


@pytest.mark.parametrize("agent", NAMES)
@pytest.mark.parametrize("below", ["web/.rules/compiled", "web/.rules/compiled/guard", "web/.rules/compiled/runtime"])
def test_a_rulebook_further_down_takes_no_place_of_the_hooks_own(repo, agent, below):
    (repo / below).mkdir(parents=True)
    for command in ("npm ci", "git commit --no-verify -m x", "rm ../.git/hooks/pre-commit"):
        payload = {**agents.runs(agent, str(repo), command), "cwd": str(repo / "web")}
        assert DENIALS[agent](asked(repo, agent, payload).out)


def strict(repo):
    rule = rules.command("strict", "x")
    rule["facts"]["on_error"] = "block"
    put(repo, "strict", json.dumps(rule, indent=2))


@pytest.mark.parametrize("agent", NAMES)
def test_what_is_no_question_is_told_and_stops_only_where_a_rule_asks(repo, agent):
    for raw in (b"", b"{", b"[]", b"[" * 100_000):
        answer = asked(repo, agent, raw)
        assert answer.code == 0
        assert "not checked" in json.dumps(answer.out) + answer.error
    strict(repo)
    answer = asked(repo, agent, b"{")
    assert "not checked" in answer.error
    assert answer.out.get("permissionDecision") == "deny" if agent == "copilot" else answer.code == 2


@pytest.mark.parametrize("agent", NAMES)
def test_a_broken_artifact_is_told_or_denies_as_its_rule_says(repo, agent):
    put(repo, "bad", "{")
    answer = asked(repo, agent, agents.runs(agent, str(repo), "ls"))
    assert "bad.json" in json.dumps(answer.out) + answer.error
    assert "deny" not in json.dumps(answer.out)
    put(repo, "bad", '{"facts": {"on_error": "block"')
    assert "bad.json" in DENIALS[agent](asked(repo, agent, agents.runs(agent, str(repo), "ls")).out)


def hook(repo, agent, payload, broken=""):
    done = ask_hook(repo, payload, agent, broken=broken)
    assert b"Traceback" not in done.stderr + done.stdout
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr.decode()


@pytest.mark.parametrize("agent", NAMES)
def test_a_module_that_breaks_is_said_in_the_agents_own_form_or_stops_it(repo, agent):
    broken, payload = "rulec.hook.outcomes", agents.runs(agent, str(repo), "npm ci")
    code, out, error = hook(repo, agent, payload, broken)
    assert code == 0
    assert agents.refused(agent, event_of(agent, payload), out) == ""
    assert "not checked" in json.dumps(out) + error
    strict(repo)
    code, out, error = hook(repo, agent, payload, broken)
    assert code == 2 or "not checked" in DENIALS[agent](out)
    assert hook(repo, agent, agents.says(agent, str(repo), "hello"), broken)[0] == 0


ODD = {"odd": ["kind"]}
FOREIGN = {
    "claude-code": [{"tool_name": ODD}, {"tool_input": {"command": ODD}}, {"hook_event_name": ODD}],
    "codex": [{"tool_name": ODD}, {"tool_input": {"command": ODD}}, {"hook_event_name": None}],
    "cursor": [{"command": ODD}, {"hook_event_name": ODD}],
    "gemini": [{"tool_name": ODD}, {"tool_input": ODD}],
    "copilot": [{"toolName": ODD}, {"toolArgs": ODD}, {"toolArgs": "npm ci"}],
    "opencode": [{"tool": ODD}, {"args": ODD}, {"event": ODD}],
}


@pytest.mark.parametrize("agent", NAMES)
def test_a_question_that_is_not_understood_is_said_aloud_and_stops_only_where_a_rule_asks(repo, agent):
    known = agents.runs(agent, str(repo), "ls")
    for payload in ({"hello": "world"}, *({**known, **other} for other in FOREIGN[agent])):
        code, out, error = hook(repo, agent, payload)
        assert (code, "not checked" in json.dumps(out) + error) == (0, True)
        assert not any(word in json.dumps(out) for word in ("deny", "block"))
    strict(repo)
    for payload in ({"hello": "world"}, *({**known, **other} for other in FOREIGN[agent])):
        code, out, error = hook(repo, agent, payload)
        assert code == 2 or "deny" in json.dumps(out)
        assert "not checked" in json.dumps(out) + error


@pytest.mark.parametrize("agent", NAMES)
def test_guards_that_git_knows_and_the_disk_lacks_are_missed_aloud_or_stop_the_agent(repo, agent):
    shutil.rmtree(repo / ".rules/compiled/guard")
    (repo / ".rules/config.yaml").write_text("")
    payload = agents.runs(agent, str(repo), "npm install left-pad")
    code, out, error = hook(repo, agent, payload)
    assert (code, "rulec compile" in json.dumps(out) + error) == (0, True)
    assert agents.refused(agent, event_of(agent, payload), out) == ""
    (repo / ".rules/use-pnpm.yaml").write_text("slug: use-pnpm\non_error: block\n")
    code, out, error = hook(repo, agent, payload)
    assert "rulec compile" in DENIALS[agent](out)
    assert hook(repo, agent, agents.says(agent, str(repo), "hello"))[0] == 0


def codex(repo, patch, *, tool="apply_patch", key="command", **more):
    given = {key: f"*** Begin Patch\n{patch}*** End Patch\n"} if tool == "apply_patch" else {key: patch}
    payload = {**agents.runs("codex", str(repo), ""), "tool_name": tool, "tool_input": given, **more}
    out = asked(repo, "codex", payload).out
    return DENIALS["codex"](out) if out else ""


PATCHES = [
    ("*** Add File: ok.py\n+x\n*** Add File: src/gen/b.py\n+x\n", ["gen"]),
    ("*** Update File: src/a.py\n@@\n-x = 1\n+x = 2\n", []),
    ("*** Update File: src/a.py\n@@ def f\n print(1)\n-x = 1\n+print(7)\n", ["no-print"]),
    ("*** Update File: src/a.py\n@@\n print(1)\n+y = 1\n", []),
    ("*** Delete File: src/gen/a.py\n", ["gen"]),
    ("*** Delete File: src/a.py\n", []),
    ("*** Update File: src/gen/a.py\n*** Move to: src/b.py\n", ["gen"]),
    ("*** Update File: src/a.py\n*** Move to: src/gen/c.py\n@@\n-x = 1\n+x = 2\n", ["gen"]),
    ("*** Update File: src/a.py\n*** Move to: src/b.py\n@@\n-x = 1\n+x = 2\n", []),
    ("*** Update File: src/a.py\n*** Move to: lib/b.py\n", ["licence"]),
    ("*** Add File: src/gen/b.py\n+x\n*** Add File: b.py\n+print(1)\n*** Add File: lib/a.py\n+x\n",
     ["gen", "no-print", "licence"]),
    ("*** Add File: ok.py\n+x\n   *** Add File: src/gen/b.py\n+x\n", ["gen"]),
    ("  *** Delete File:src/gen/a.py\n", ["gen"]),
    ("*** Update File: src/a.py\n@@\n-x = 1\n+x = 2\n *** Add File: src/gen/b.py\n", []),
    ("*** Add File: src/b.py\r\n+print(1)\r\n", ["no-print"]),
    ("", []),
    ("*** Add File: \n+x\n", []),
    ("*** Update File: .git/hooks/pre-commit\n@@\n-x\n+y\n", ["protect-the-gate"]),
    ("*** Update File: x\n*** Move to: .rules/compiled/guard/pnpm.json\n", ["protect-the-gate"]),
]  # fmt: skip


@pytest.mark.parametrize(("patch", "slugs"), PATCHES, ids=range(len(PATCHES)))
def test_every_file_of_a_patch_is_judged(repo, patch, slugs):
    reason = codex(repo, patch)
    assert [line.split()[2].rstrip(":") for line in reason.splitlines() if line.startswith("rulec rule ")] == slugs


def test_a_file_that_moves_is_new_under_its_name_and_its_lines_are_not(repo):
    rule = rules.path("lower", "[A-Z]*", how=["create"])
    put(repo, "lower", json.dumps(rule))
    move = "*** Update File: src/a.py\n*** Move to: B.py\n"
    assert "rule lower:" in codex(repo, move)
    assert codex(repo, move.replace("B.py", "b.py")) == ""
    (repo / "src/a.py").rename(repo / "b.py")
    done = {"hook_event_name": "PostToolUse", "tool_response": "Success."}
    patch = "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: b.py\n@@\n-x = 1\n+%s\n*** End Patch\n"
    for line, slug in (("x = 2", ""), ("print(5)", "no-print")):
        (repo / "b.py").write_text(f"print(1)\n{line}\n")
        payload = {**agents.runs("codex", str(repo), ""), "tool_name": "apply_patch", **done}
        out = asked(repo, "codex", {**payload, "tool_input": {"command": patch % line}}).out
        assert slug in out.get("reason", "") if slug else out == {}


def test_a_patch_that_a_command_carries_is_judged_as_one(repo):
    script = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: src/gen/b.py\n+x\n*** End Patch\nEOF"
    assert "rule gen:" in codex(repo, script, tool="Bash")
    assert "rule gen:" in codex(repo, ["bash", "-lc", script], tool="shell")
    assert "rule pnpm:" in codex(repo, ["npm", "ci"], tool="shell")
    assert codex(repo, ["echo", "npm ci; npm ci"], tool="shell") == ""
    assert codex(repo, "grep '*** Begin Patch' notes", tool="Bash") == ""


def test_a_command_is_seen_from_the_folder_it_is_run_in(repo):
    for place in ("src", str(repo / "src")):
        given = {"command": "rm gen/a.py", "directory": place}
        payload = {**agents.runs("gemini", str(repo), ""), "tool_input": given}
        assert "rule gen:" in asked(repo, "gemini", payload).out["reason"]


CURSOR = [
    ("preToolUse", {"tool_name": "Shell", "tool_input": {"command": "npm ci", "cwd": ""}}, "pnpm"),
    ("preToolUse", {"tool_name": "Shell", "tool_input": '{"command": "npm ci"}'}, "pnpm"),
    ("preToolUse", {"tool_name": "Write", "tool_input": {"path": "b.py", "contents": "print(1)"}}, "no-print"),
    ("preToolUse", {"tool_name": "Delete", "tool_input": {"path": "src/gen/a.py"}}, "gen"),
    ("preToolUse", {"tool_name": "Read", "tool_input": {"path": "src/gen/a.py"}}, ""),
    ("preToolUse", {"tool_name": "MCP:x", "tool_input": {"command": "npm ci"}}, ""),
    ("beforeMCPExecution", {"tool_name": "x", "tool_input": "{}", "command": "npm ci"}, ""),
    ("beforeReadFile", {"file_path": "src/gen/a.py", "content": "x"}, ""),
    ("afterShellExecution", {"command": "npm ci", "output": ""}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("event", "more", "slug"), CURSOR)
@pytest.mark.parametrize("name", ["cursor", "claude-code"])
def test_cursor_is_understood_also_where_it_runs_another_agents_hook(repo, name, event, more, slug):
    payload = {**agents.runs("cursor", str(repo), ""), "command": "", "hook_event_name": event, **more}
    raw = b"\xef\xbb\xbf" + json.dumps(payload).encode()
    out = respond(name, raw, "/").out
    assert agents.refused("cursor", event, out) == ""
    assert (f"rule {slug}:" in out["agent_message"]) if slug else out == {}


def test_a_turn_of_cursor_that_a_person_ended_is_over(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    for status in ("aborted", "error"):
        assert asked(repo, "cursor", {**agents.stops("cursor", str(repo)), "status": status}).out == {}


COPILOT = [
    {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "bash", "tool_input": {"command": "npm ci"}},
    {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "bash", "tool_input": '{"command": "npm ci"}'},
    {"sessionId": "s", "toolName": "bash", "toolArgs": {"command": "npm ci"}},
    {"toolName": "shell", "toolArgs": '{"command": "npm ci"}', "error": None},
    {"toolName": "str_replace_editor", "toolArgs": {"command": "create", "path": "src/gen/x", "file_text": "x"}},
    {"toolName": "str_replace_editor", "toolArgs": {"command": "insert", "path": "src/gen/x", "new_str": "x"}},
]


@pytest.mark.parametrize("payload", COPILOT, ids=range(len(COPILOT)))
def test_both_forms_of_copilot_are_understood(repo, payload):
    assert asked(repo, "copilot", {"timestamp": 0, "cwd": str(repo), **payload}).out["permissionDecision"] == "deny"


QUIET = [
    {"toolName": "str_replace_editor", "toolArgs": {"command": "view", "path": "src/gen/x"}},
    {"toolName": "view", "toolArgs": {"path": "src/gen/x"}},
    {"agentName": "x", "transcriptPath": ""},
    {"reason": "complete"},
]


@pytest.mark.parametrize("payload", QUIET, ids=range(len(QUIET)))
def test_what_no_rule_of_copilot_speaks_of_passes(repo, payload):
    answer = asked(repo, "copilot", {"timestamp": 0, "cwd": str(repo), **payload})
    assert (answer.out, answer.error, answer.code) == ({}, "", 0)


SERVERS = [
    ("codex", {"tool_name": "mcp__files__write_file", "tool_input": {"path": ".git/hooks/pre-commit", "content": "x"}}),
    ("gemini", {"tool_name": "mcp_files_write_file", "tool_input": {"path": ".git/hooks/pre-commit", "content": "x"}}),
    ("cursor", {"hook_event_name": "beforeMCPExecution", "command": "npx files", "tool_name": "write_file",
                "tool_input": '{"path": ".git/hooks/pre-commit", "content": "x"}'}),
]  # fmt: skip


@pytest.mark.parametrize(("agent", "more"), SERVERS)
def test_another_servers_tool_is_no_way_past_the_gate(repo, agent, more):
    payload = {**agents.runs(agent, str(repo), ""), **more}
    assert "protect-the-gate" in DENIALS[agent](asked(repo, agent, payload).out)
