"""A session's plan as the hook follows it: native lists and plans, edits that begin steps, and rules told once."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulec.agents.protocol import agent_spec
from rulec.compiling.agent_briefing import words_artifact
from rulec.domain.rule import Rule, Scope
from rulec.hook.dispatch import respond
from rulec.plans import plan_store
from rulec.plans.plan import Plan
from tests.hook.test_hook import repository
from tests.support import payloads as agents
from tests.support.world import at_home, copy, run

SHARED = [folder / "shared/data/transcripts" for folder in Path(__file__).parents[3:]]
RULES = (
    Rule(slug="use-pnpm", statement="Use pnpm, never npm.", severity="must", when="installing packages", do="pnpm add",
         level="strict"),
    Rule(slug="migrate", statement="Write a migration with each change of the schema.", severity="should",
         scope=Scope(include=("db/**",))),
    Rule(slug="back-up", statement="Back up the schema before it changes.", severity="must",
         scope=Scope(include=("db/**",))),
)  # fmt: skip
PLAN = "# Plan: a loader\n\n## Steps\n\n1. Install left-pad by use-pnpm\n2. Change db/schema.sql\n"
TODO = [
    {"content": "Install left-pad by use-pnpm", "status": "in_progress", "activeForm": "Installing"},
    {"content": "Change the schema in db/schema.sql", "status": "pending", "activeForm": "Changing"},
]


@pytest.fixture(scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    with at_home(folder):
        top = Path(repository(folder / "repo"))
        for rule in RULES:
            artifact = words_artifact(rule)
            (top / artifact.path).parent.mkdir(exist_ok=True)
            (top / artifact.path).write_text(artifact.text)
        run(top, "add", "-A")
        run(top, "commit", "-qm", "x")
    return top


@pytest.fixture
def top(_made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    return copy(_made, tmp_path / "repo")


def asked(top: Path, agent: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The answer, which must be one that the agent takes."""
    answer = respond(agent, json.dumps(payload).encode(), str(top / ".rules/compiled"))
    spec = agent_spec.find_agent(agent)
    assert spec is not None
    assert agents.refused(agent, spec.read(payload).event, answer.out) == ""
    assert (answer.code, answer.error) == (0, "")
    return answer.out


def claude(top: Path, event: str, tool: str = "", given: Any = None, **more: Any) -> dict[str, Any]:
    """One call of Claude Code's hook."""
    called = {"tool_name": tool, "tool_input": given, "tool_use_id": "u1"} if tool else {}
    base = {"session_id": "s1", "transcript_path": "", "cwd": str(top), "hook_event_name": event}
    return asked(top, "claude-code", {**base, **called, **more})


def done(top: Path, tool: str, given: Any, result: Any = None, **more: Any) -> dict[str, Any]:
    """What is said after a tool ran."""
    return claude(top, "PostToolUse", tool, given, tool_response={} if result is None else result, **more)


def edits(top: Path, path: str, **more: Any) -> dict[str, Any]:
    """What is said after a file was written."""
    (top / path).parent.mkdir(parents=True, exist_ok=True)
    (top / path).write_text("x\n")
    return done(top, "Write", {"file_path": str(top / path), "content": "x\n"}, **more)


def told(out: dict[str, Any]) -> str:
    return str(out.get("hookSpecificOutput", {}).get("additionalContext", ""))


def denial(out: dict[str, Any]) -> str:
    said = out.get("hookSpecificOutput", {})
    return said["permissionDecisionReason"] if said.get("permissionDecision") == "deny" else ""


def plan_of(top: Path, session: str = "s1") -> Plan:
    plan = plan_store.load_plan(str(top), session)
    assert plan is not None
    return plan


def shown(top: Path) -> list[tuple[str, str, list[str]]]:
    return [(step.status, step.by, sorted(step.edits)) for step in plan_of(top).steps]


def test_a_todo_list_makes_the_plan_and_the_rules_of_the_first_step_are_told_once(top: Path) -> None:
    out = done(top, "TodoWrite", {"todos": TODO})
    assert "- strict: Use pnpm, never npm. When: installing packages. Do: pnpm add. (`use-pnpm`)" in told(out)
    assert "migrate" not in told(out)
    plan = plan_of(top)
    assert [(step.status, step.by) for step in plan.steps] == [("active", "status"), ("pending", "")]
    assert ["migrate", "remind"] in plan.steps[1].rules
    assert (plan.agent, plan.source) == ("claude-code", "todo")
    assert told(done(top, "TodoWrite", {"todos": TODO})) == ""


def test_an_edit_begins_the_step_that_names_its_path(top: Path) -> None:
    done(top, "TodoWrite", {"todos": [{**one, "status": "pending"} for one in TODO]})
    assert told(edits(top, "src/other.py")) == ""
    assert shown(top) == [("pending", "", []), ("pending", "", [])]
    assert "`migrate`" in told(edits(top, "db/schema.sql"))
    assert told(edits(top, "db/schema.sql")) == ""
    assert shown(top) == [("pending", "", []), ("active", "edit", ["db/schema.sql"])]
    assert told(edits(top, "src/other.py")) == ""


def test_a_sub_agents_edit_counts_and_its_own_list_does_not(top: Path) -> None:
    done(top, "TodoWrite", {"todos": TODO})
    done(top, "TodoWrite", {"todos": [{"content": "Look around", "status": "in_progress"}]}, agent_id="a1")
    edits(top, "db/schema.sql", agent_id="a1")
    assert shown(top) == [("active", "status", []), ("active", "edit", ["db/schema.sql"])]


def test_what_a_command_surely_writes_begins_a_step_once_it_ran(top: Path) -> None:
    done(top, "TodoWrite", {"todos": [{**one, "status": "pending"} for one in TODO]})
    (top / "db").mkdir()
    claude(top, "PreToolUse", "Bash", {"command": "echo x > db/schema.sql"})
    assert shown(top) == [("pending", "", []), ("pending", "", [])], "a person may have refused it"
    (top / "db/schema.sql").write_text("x\n")
    done(top, "Bash", {"command": "echo x > db/schema.sql"})
    assert shown(top) == [("pending", "", []), ("active", "edit", ["db/schema.sql"])]


def test_tasks_are_followed_and_a_failed_call_changes_nothing(top: Path) -> None:
    for number, one in enumerate(TODO, 1):
        given = {"subject": one["content"], "description": "x"}
        done(top, "TaskCreate", given, {"task": {"id": str(number), "subject": one["content"]}})
    assert shown(top) == [("pending", "", []), ("pending", "", [])]
    failed = {"success": False, "taskId": "1", "updatedFields": [], "error": "Task not found"}
    assert told(done(top, "TaskUpdate", {"taskId": "1", "status": "in_progress"}, failed)) == ""
    assert "`use-pnpm`" in told(done(top, "TaskUpdate", {"taskId": "1", "status": "in_progress"}, {"success": True}))
    done(top, "TaskUpdate", {"taskId": "1", "status": "completed"}, {"success": True})
    assert shown(top) == [("done", "status", []), ("pending", "", [])]


def _ends(top: Path) -> dict[str, Any]:
    return claude(top, "Stop", stop_hook_active=False, prompt_id="p1")


def test_a_turns_end_says_once_what_a_step_that_is_done_lacks(top: Path) -> None:
    working = [TODO[0], {**TODO[1], "status": "in_progress"}]
    done(top, "TodoWrite", {"todos": working})
    edits(top, "db/schema.sql")
    assert _ends(top) == {}, "the step goes on"
    done(top, "TodoWrite", {"todos": [{**one, "status": "completed"} for one in working]})
    reason = _ends(top)["reason"]
    for part in ("rulec rule back-up: Back up the schema", "Step 2,", "(strict)", "rulec approve"):
        assert part in reason
    assert "migrate" not in reason, "a rule that is merely said"
    assert "Step 1" not in reason, "nothing was changed in it"
    assert _ends(top) == {}


def test_a_turns_end_is_not_held_where_nothing_changed(top: Path) -> None:
    done(top, "TodoWrite", {"todos": [{**one, "status": "completed"} for one in TODO]})
    assert _ends(top) == {}
    edits(top, "db/schema.sql")
    run(top, "add", "-A")
    run(top, "commit", "-qm", "x")
    assert _ends(top) == {}


def exits(top: Path, plan: str, **more: Any) -> dict[str, Any]:
    return claude(top, "PreToolUse", "ExitPlanMode", {"plan": plan, **more})


def test_a_plan_is_given_back_once_with_its_rules_and_opens_once_a_person_approved(top: Path) -> None:
    reason = denial(exits(top, PLAN))
    assert reason.startswith("rulec: ")
    for part in ("ExitPlanMode again", "rule use-pnpm (strict)", "rule back-up (strict)", "1. Install left-pad"):
        assert part in reason
    assert exits(top, PLAN) == {}
    assert exits(top, f"{PLAN}3. Write its docs\n") == {}
    assert not plan_store.has_plan(str(top), "s1"), "nobody approved it yet"
    done(top, "ExitPlanMode", {"plan": PLAN}, {"plan": PLAN, "isAgent": False, "filePath": "/x/y.md"})
    assert [(step.text, step.status) for step in plan_of(top).steps] == [
        ("Install left-pad by use-pnpm", "pending"),
        ("Change db/schema.sql", "pending"),
    ]
    edits(top, "db/schema.sql")
    assert shown(top)[1] == ("active", "edit", ["db/schema.sql"])
    assert exits(top, PLAN) == {}, "this text was given back before"
    assert denial(exits(top, PLAN.replace("left-pad", "right-pad"))), "another plan after an approved one"


def test_a_plan_that_names_its_rules_or_has_none_is_not_given_back(top: Path) -> None:
    named = PLAN.replace("schema.sql", "schema.sql by back-up and migrate")
    assert exits(top, named) == {}
    assert exits(top, "") == {}
    assert exits(top, "Just a word.") == {}
    for path in (top / ".rules/compiled/words").iterdir():
        path.unlink()
    assert exits(top, PLAN) == {}


def test_a_plan_is_not_given_back_where_that_cannot_be_noted(top: Path) -> None:
    (top / ".git/rulec/sessions").write_text("")
    assert exits(top, PLAN) == {}


def test_an_empty_plan_is_in_the_file_that_is_named_or_newest_in_its_folder(
    top: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "claude/plans"
    folder.mkdir(parents=True)
    (folder / "old.md").write_text("# Old\n\n1. Delete the old parser\n")
    (folder / "new.md").write_text(PLAN)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    assert "1. Install left-pad" in denial(exits(top, "", planFilePath=str(folder / "new.md")))
    done(top, "ExitPlanMode", {})
    assert plan_of(top).steps[0].text == "Install left-pad by use-pnpm"


def test_a_plan_that_waits_for_a_leader_or_is_a_sub_agents_opens_nothing(top: Path) -> None:
    done(top, "ExitPlanMode", {"plan": PLAN}, {"plan": PLAN, "awaitingLeaderApproval": True})
    done(top, "ExitPlanMode", {"plan": PLAN}, {"plan": PLAN, "isAgent": True}, agent_id="a1")
    assert claude(top, "PreToolUse", "ExitPlanMode", {"plan": PLAN}, agent_id="a1") == {}
    assert not plan_store.has_plan(str(top), "s1")


def test_a_session_that_begins_with_an_approved_plan_has_it(top: Path) -> None:
    out = claude(top, "UserPromptSubmit", prompt=f"Implement the following plan:\n\n{PLAN}", source="system")
    assert "Install left-pad by use-pnpm" in told(out)
    assert "`use-pnpm`" in told(out)
    assert [step.status for step in plan_of(top).steps] == ["pending", "pending"]
    assert told(claude(top, "UserPromptSubmit", prompt="Go on please.")) == ""


def _lists(agent: str, top: Path, *, failed: bool = False) -> dict[str, Any]:
    """The call after an agent's own todo tool, as it sends it."""
    items = [{"content": one["content"], "status": one["status"], "id": str(at)} for at, one in enumerate(TODO)]
    described = [{"description": one["content"], "status": one["status"]} for one in TODO]
    listed = "\n".join(f"- [{' ' if at else '-'}] {one['content']}" for at, one in enumerate(TODO))
    after = agents.edits(agent, str(top), "x", "a", "b", done=True)
    wrong = {
        "gemini": {"tool_response": {"error": {"message": "x"}}},
        "copilot": {"toolResult": {"resultType": "failure"}},
    }
    called = {
        "cursor": {"tool_name": "TodoWrite", "tool_input": {"merge": False, "todos": items}},
        "gemini": {"tool_name": "write_todos", "tool_input": {"todos": described}},
        "copilot": {"toolName": "update_todo", "toolArgs": json.dumps({"todos": listed})},
        "opencode": {"tool": "todowrite", "args": {"todos": items}},
    }[agent]
    return {**after, **called, **(wrong.get(agent, {}) if failed else {})}


@pytest.mark.parametrize("agent", ["cursor", "gemini", "copilot", "opencode"])
def test_other_agents_lists_make_plans_and_their_edits_begin_steps(top: Path, agent: str) -> None:
    if agent in ("gemini", "copilot"):
        asked(top, agent, _lists(agent, top, failed=True))
        assert not plan_store.has_plan(str(top), "s1")
    out = asked(top, agent, _lists(agent, top))
    plan = plan_of(top)
    assert [step.text for step in plan.steps] == [one["content"] for one in TODO]
    assert ("use-pnpm" in json.dumps(out)) == (
        agent in ("gemini", "copilot", "opencode") and plan.steps[0].status == "active"
    )
    (top / "db").mkdir()
    (top / "db/schema.sql").write_text("x\n")
    asked(top, agent, agents.edits(agent, str(top), "db/schema.sql", "a", "b", done=True))
    assert shown(top)[1] == ("active", "edit", ["db/schema.sql"])


def test_a_sub_agents_session_of_its_own_belongs_to_the_one_that_started_it(top: Path) -> None:
    asked(top, "opencode", _lists("opencode", top))
    inner = {
        **agents.edits("opencode", str(top), "db/schema.sql", "a", "b", done=True),
        "session": "s2",
        "parent": "s1",
    }
    asked(top, "opencode", inner)
    assert shown(top)[1] == ("active", "edit", ["db/schema.sql"])
    assert not plan_store.has_plan(str(top), "s2")


def _rollout(path: Path, *calls: tuple[str, Any, str]) -> None:
    lines = []
    for number, (tool, given, output) in enumerate(calls):
        call = {"type": "function_call", "name": tool, "arguments": json.dumps(given), "call_id": f"c{number}"}
        ended = {"type": "function_call_output", "call_id": f"c{number}", "output": output}
        lines += [
            {"timestamp": "2026-11-20T10:00:00Z", "type": "response_item", "payload": one} for one in (call, ended)
        ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("when", ["prompt", "commit", "end"])
def test_codexs_plan_is_read_from_its_record(top: Path, tmp_path: Path, when: str) -> None:
    record = tmp_path / "rollout.jsonl"
    listed = [{"step": one["content"], "status": one["status"]} for one in TODO]
    _rollout(record, ("update_plan", {"plan": listed}, "Plan updated"))
    payload = {
        "prompt": agents.says("codex", str(top), "Go on."),
        "commit": agents.runs("codex", str(top), "git commit -m x"),
        "end": agents.stops("codex", str(top)),
    }[when]
    out = asked(top, "codex", {**payload, "transcript_path": str(record)})
    assert shown(top) == [("active", "status", []), ("pending", "", [])]
    assert ("`use-pnpm`" in told(out)) == (when == "prompt")
    after = agents.edits("codex", str(top), "db/schema.sql", "a", "b", done=True)
    asked(top, "codex", {**after, "transcript_path": str(record)})
    assert shown(top)[1] == ("active", "edit", ["db/schema.sql"])


def test_without_a_plan_no_call_leaves_one(top: Path) -> None:
    edits(top, "src/x.py")
    claude(top, "PreToolUse", "Bash", {"command": "echo x > y.txt"})
    claude(top, "UserPromptSubmit", prompt="Hello there.")
    claude(top, "Stop", stop_hook_active=False)
    assert not (top / ".git/rulec/plans").exists()


def test_a_plan_that_cannot_be_kept_changes_no_answer(top: Path) -> None:
    (top / ".git/rulec/plans").write_text("")
    assert done(top, "TodoWrite", {"todos": TODO}) == {}
    assert edits(top, "src/x.py") == {}


def test_no_plan_that_a_person_rejected_opens_a_step(top: Path) -> None:
    """Of the shared sessions: each plan was submitted, refused by the person, and none of them was approved."""
    folder = next((folder for folder in SHARED if folder.is_dir()), SHARED[0])
    files = sorted(folder.glob("claude_code/*.jsonl"))
    if not files:
        pytest.skip("../shared/data is absent")
    wrong, submitted = [], 0
    for path in files:
        calls: dict[str, Any] = {}
        for record in _records(path):
            content = record.get("message", {}).get("content")
            for block in content if isinstance(content, list) else ():
                if block.get("type") == "tool_use" and block["name"] == "ExitPlanMode":
                    calls[block["id"]] = block["input"]
                    submitted += 1
                    claude(top, "PreToolUse", "ExitPlanMode", block["input"], session_id=path.stem)
                elif block.get("tool_use_id") in calls and not block.get("is_error"):  # no hook runs after a refusal
                    done(top, "ExitPlanMode", calls[block["tool_use_id"]], session_id=path.stem)
        wrong += [path.name] if plan_store.has_plan(str(top), path.stem) else []
    assert (wrong, submitted) == ([], 6)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text().splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue
