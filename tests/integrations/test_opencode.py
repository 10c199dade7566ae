"""OpenCode's plugin in a real node, its hooks called as OpenCode calls them, over the real gate."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.integrations.targets.agents import PLUGIN_MARK as MARK
from rulec.plans import plan_store
from tests.support.agents import RULE
from tests.support.world import act, at_home, run

from .support import emitted, integration, owes_nothing, removed

PLUG = integration("opencode")
PATH = PLUG.files[0]

PLAY = """
import plugin from %s
const said = []
const note = (kind) => (what) => (said.push([kind, what]), Promise.resolve())
const client = { tui: { showToast: note("toast") }, session: { prompt: note("prompt") } }
const top = %s
const hooks = await plugin.server({ client, directory: top, worktree: top })
const tried = async (work) => {
  try { return (await work()) ?? null } catch (error) { return { refused: error.message } }
}
const call = (tool, args) => tried(() => hooks["tool.execute.before"]({ tool, sessionID: "s", callID: "c" }, { args }))
const after = async (tool, args) => {
  const output = { title: "", output: "done", metadata: {} }
  await hooks["tool.execute.after"]({ tool, sessionID: "s", callID: "c", args }, output)
  return output.output
}
const message = async (text, sessionID = "s") => {
  const parts = [{ id: "prt_1", messageID: "m", sessionID, type: "text", text }]
  await hooks["chat.message"]({ sessionID }, { message: { id: "m" }, parts })
  return parts
}
const second = async () => { // OpenCode 2, as the types of @opencode/plugin 2.0.9 have it
  const known = {}
  const session = { get: async () => ({ location: { directory: top } }) }
  await plugin.setup({ session, tool: { hook: async (name, does) => { known[name] = does } } })
  const base = { sessionID: "s2", agent: "build", messageID: "m", id: "c2" }
  return {
    before: (tool, input) => tried(() => known["execute.before"]({ ...base, tool, input })),
    after: async (tool, input, content) => {
      const event = { ...base, tool, input, status: "completed", result: { content } }
      await known["execute.after"](event)
      return event.result.content
    },
  }
}
const event = (type, properties) => tried(() => hooks.event({ event: { type, properties } }))
const result = await (async () => { %s })()
console.log(JSON.stringify({ result, said }))
"""


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with at_home(tmp_path_factory.mktemp("home")):
        repo = tmp_path_factory.mktemp("opencode") / "repo"
        repo.mkdir()
        run(repo, "init", "-q", "-b", "main", "--template=")
        run(repo, "commit", "-q", "--allow-empty", "-m", "Start")
        act(repo, "init", "--yes", "--no-ci", "--agent", "opencode")
        (repo / ".rules/no-fixme.yaml").write_text(RULE)
        act(repo, "compile")
        run(repo, "add", "-A")
        run(repo, "commit", "-q", "--no-verify", "-m", "Put up the gates")
        act(repo, "add", "Use pnpm, never npm", "--yes", "--enforcement", "block")
        return repo


def play(top: Path, script: str) -> dict[str, object]:
    """What a script with the plugin's hooks gives; older nodes know no .ts."""
    module = top / ".opencode/plugins/rulec.mjs"
    shutil.copy(top / PATH, module)
    try:
        text = PLAY % (json.dumps(str(module)), json.dumps(str(top)), script)
        argv = ["node", "--input-type=module", "-"]
        done = subprocess.run(argv, input=text, cwd=top, capture_output=True, text=True, check=False)
    finally:
        module.unlink()
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_bad_command_throws_and_a_good_one_does_not(top: Path) -> None:
    script = 'return [await call("bash", {command: "npm ci"}), await call("bash", {command: "git status"})]'
    played = play(top, script)
    bad, good = played["result"]
    assert "use-pnpm" in bad["refused"]
    assert good is None
    assert played["said"] == []


def test_a_bad_file_is_refused_and_reading_is_not_asked_about(top: Path) -> None:
    script = """
      const bad = await call("write", {filePath: top + "/a.py", content: "x  # FIXME"})
      const good = await call("write", {filePath: top + "/a.py", content: "x"})
      return [bad, good, await call("read", {filePath: top + "/.rules/config.yaml"})]
    """
    bad, good, read = play(top, script)["result"]
    assert "no-fixme" in bad["refused"]
    assert (good, read) == (None, None)


def test_opencode_2_is_refused_by_what_a_hook_throws(top: Path) -> None:
    script = """
      const { before } = await second()
      return [
        plugin.id, await before("shell", {command: "npm ci"}), await before("shell", {command: "git status"}),
        await before("write", {path: top + "/a.py", content: "x  # FIXME"}),
        await before("read", {path: top + "/a.py"}),
      ]
    """
    name, bad, good, file, read = play(top, script)["result"]
    assert name == "rulec"
    assert "use-pnpm" in bad["refused"]
    assert "no-fixme" in file["refused"]
    assert (good, read) == (None, None)


@pytest.mark.parametrize("content", ['"done"', '[{type: "text", text: "done"}]'])
def test_opencode_2_reads_after_an_edit_what_is_wrong_with_it(top: Path, content: str) -> None:
    (top / "b.py").write_text("x  # FIXME\n")
    given = '"write", {path: top + "/b.py", content: "x  # FIXME\\n"}'
    first, told = play(top, f"return await (await second()).after({given}, {content})")["result"]
    (top / "b.py").unlink()
    assert first == {"type": "text", "text": "done"}
    assert "no-fixme" in told["text"]


def test_after_an_edit_the_agent_reads_what_is_wrong_with_it(top: Path) -> None:
    (top / "b.py").write_text("x  # FIXME\n")
    script = 'return await after("write", {filePath: top + "/b.py", content: "x  # FIXME\\n"})'
    output = play(top, script)["result"]
    (top / "b.py").write_text("x\n")
    assert output.startswith("done\n\n")
    assert "no-fixme" in output
    assert play(top, script.replace("  # FIXME", ""))["result"] == "done"
    (top / "b.py").unlink()


def test_a_session_begins_with_the_rules_in_a_part_of_its_own(top: Path) -> None:
    first, again, inner = play(
        top,
        """
        const first = await message("Tidy up"), again = await message("And more")
        await event("session.created", {info: {id: "child", parentID: "s"}})
        return [first, again, await message("Look around", "child")]
        """,
    )["result"]
    own, ours = first
    assert own["text"] == "Tidy up"
    assert "use-pnpm" in ours["text"]
    assert ours["synthetic"] is True
    assert ours["id"].startswith("prt_")
    assert ours["id"] > own["id"]
    assert ours["messageID"] == "m"
    assert len(again) == len(inner) == 1


def test_a_todo_list_is_followed_and_a_sub_agents_edits_count_for_it(top: Path) -> None:
    play(
        top,
        """
        await event("session.created", {info: {id: "child", parentID: "listed"}})
        await event("session.created", {info: {id: "grandchild", parentID: "child"}})
        const todos = [{content: "Write c.py", status: "pending"}]
        const say = (tool, args, sessionID) =>
          hooks["tool.execute.after"]({ tool, sessionID, callID: "c", args }, { output: "" })
        await say("todowrite", {todos}, "listed")
        await say("write", {filePath: top + "/c.py", content: "x"}, "grandchild")
        """,
    )
    plan = plan_store.load_plan(str(top), "listed")
    assert plan is not None
    assert [(step.text, step.by, list(step.edits)) for step in plan.steps] == [("Write c.py", "edit", ["c.py"])]
    assert not plan_store.has_plan(str(top), "grandchild")


def test_a_turn_that_leaves_a_bad_file_goes_on_unless_a_person_stopped_it(top: Path) -> None:
    (top / "left.py").write_text("x  # FIXME\n")
    wrote = (
        'await after("write", {filePath: top + "/left.py", content: "x  # FIXME\\n"});'  # evidence: it is the agent's
    )
    idle = f'{wrote} await event("session.idle", {{sessionID: "s"}})'
    stopped = 'await event("session.error", {sessionID: "s", error: {name: "MessageAbortedError"}});'
    held, free = play(top, idle)["said"], play(top, stopped + idle)["said"]
    (top / "left.py").unlink()
    ((kind, what),) = held
    assert kind == "prompt"
    assert what["path"] == {"id": "s"}
    assert "no-fixme" in what["body"]["parts"][0]["text"]
    assert free == []


def test_a_gate_that_is_gone_stops_neither_tools_nor_messages(top: Path, tmp_path: Path) -> None:
    (tmp_path / ".opencode/plugins").mkdir(parents=True)
    shutil.copy(top / PATH, tmp_path / PATH)
    played = play(tmp_path, 'return [await call("bash", {command: "ls"}), (await message("Hello")).length]')
    passed, parts = played["result"]
    assert "refused" not in (passed or {})
    assert parts == 1


def test_the_plugin_is_whole_and_ours_alone() -> None:
    text = owes_nothing(PLUG, None)
    assert text.startswith(f"{MARK}\n")
    assert emitted(PLUG, f"{MARK}\nof before\n") == text


def test_a_plugin_of_somebody_else_is_refused_and_stays() -> None:
    theirs = "export const Rulec = async () => ({})\n"
    with pytest.raises(RulecError, match=r"rulec.ts:1: is not rulec's"):
        emitted(PLUG, theirs)
    assert removed(PLUG, theirs) == theirs
