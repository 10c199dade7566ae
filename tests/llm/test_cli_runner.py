"""Agents' CLIs as readers: how each is started, what its output means, and what goes wrong, with a program on PATH."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from rulec import registry
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings
from rulec.infra import processes
from rulec.llm import model_settings
from rulec.llm.clients.agent_cli import PROCESSES_BESIDE, AgentCli
from tests.support.programs import Program, install

NAMES = ("claude-cli", "codex-cli", "copilot-cli", "gemini-cli", "opencode-cli")
CLIS: dict[str, AgentCli] = {
    name: importlib.import_module(f"rulec.llm.backends.{name.replace('-', '_')}").CLI for name in NAMES
}
REQUEST = ModelRequest(
    key="k", step="mine", system="Read with care.", text="Use pnpm, never npm.", schema={"type": "object"}
)
ANSWER = '```json\n{"wishes": []}\n```'


def _lines(*records: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def _gemini(text: str, calls: int = 0) -> str:
    tokens = {"prompt": 20, "candidates": 5, "thoughts": 2}
    tools = {"totalCalls": calls, "byName": {"read_file": {}} if calls else {}}
    return json.dumps({"response": text, "stats": {"models": {"g-pro": {"tokens": tokens}}, "tools": tools}}, indent=1)


SAID = {  # an answer, as each program prints it
    "claude-cli": lambda text: json.dumps(
        {"type": "result", "subtype": "success", "is_error": False, "result": text, "total_cost_usd": 0.5}
    ),
    "codex-cli": lambda text: _lines(
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.completed", "item": {"id": "1", "type": "error", "message": "a setting is ignored"}},
        {"type": "item.completed", "item": {"id": "2", "type": "reasoning", "text": "hm"}},
        {"type": "item.completed", "item": {"id": "3", "type": "agent_message", "text": text}},
        {"type": "turn.completed", "usage": {"input_tokens": 20, "cached_input_tokens": 9, "output_tokens": 7}},
    ),
    "copilot-cli": lambda text: _lines(
        {"type": "assistant.message", "data": {"content": text, "model": "g", "toolRequests": []}},
        {"type": "result", "exitCode": 0, "usage": {}},
    ),
    "gemini-cli": lambda text: f"A notice.\n{_gemini(text)}\n",
    "opencode-cli": lambda text: _lines(
        {"type": "step_start", "part": {}},
        {"type": "text", "part": {"text": text}},
        {"type": "step_finish", "part": {"cost": 0.25, "tokens": {"input": 10, "output": 7, "cache": {"read": 10}}}},
    ),
}
USED = {  # an answer after a tool was used
    "claude-cli": json.dumps({"type": "result", "subtype": "error_max_turns", "is_error": True}),
    "codex-cli": _lines({"type": "item.started", "item": {"type": "command_execution", "command": "ls"}})
    + SAID["codex-cli"](ANSWER),
    "copilot-cli": _lines({"type": "tool.execution_start", "data": {"toolName": "bash"}}) + SAID["copilot-cli"](ANSWER),
    "gemini-cli": _gemini(ANSWER, calls=1),
    "opencode-cli": _lines({"type": "tool_use", "part": {"tool": "bash"}}) + SAID["opencode-cli"](ANSWER),
}
LOGGED_OUT = {
    "claude-cli": (
        json.dumps({"type": "result", "subtype": "success", "is_error": True, "result": "Not logged in"}), "", 1
    ),
    "codex-cli": (
        _lines(
            {"type": "error", "message": "Reconnecting... 1/5"},
            {"type": "turn.failed", "error": {"message": "401 Unauthorized: Missing bearer"}},
        ),
        "",
        1,
    ),
    "copilot-cli": ("", "Error: none found.\n  - Run 'gh auth login' to authenticate", 1),
    "gemini-cli": ("", json.dumps({"error": {"message": "Please set an Auth method", "code": 41}}), 41),
    "opencode-cli": (
        _lines({"type": "error", "error": {"name": "ProviderAuthError", "data": {"message": "API key is missing"}}}),
        "",
        1,
    ),
}  # fmt: skip
# What each must be told so that it runs no tool and no hook, takes in no file of the person's and stores no session.
FLAGS = {
    "claude-cli": [
        "--tools ''", "--max-turns 1", '"disableAllHooks": true', "Read(//**)", "--setting-sources ''",
        "--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence",
    ],
    "codex-cli": [
        "exec", "--ephemeral", "--ignore-user-config", "--ignore-rules", "--sandbox read-only", "--json",
        *(f"features.{name}=false" for name in ("shell_tool", "unified_exec", "view_image", "hooks", "plugins")),
        'web_search="disabled"', "project_doc_max_bytes=0",
    ],
    "copilot-cli": [
        "--available-tools none", "--disable-builtin-mcps", "--no-custom-instructions", "--no-ask-user",
        '"disableAllHooks": true', "COPILOT_HOME=", "COPILOT_ALLOW_ALL=false",
    ],
    "gemini-cli": [
        '"core": []', '"hooksConfig": {"enabled": false}', 'decision = "deny"', "--policy", "--extensions none",
        '"skills": {"enabled": false}', "GEMINI_CLI_HOME=",
    ],
    "opencode-cli": [
        "--pure", '"permission": {"*": "deny"}', '"tools": {"*": false}', "OPENCODE_DB=:memory:", "XDG_CONFIG_HOME=",
        "OPENCODE_DISABLE_PROJECT_CONFIG=1", "--agent rulec",
    ],
}  # fmt: skip


@pytest.fixture(params=NAMES)
def cli(request: pytest.FixtureRequest) -> AgentCli:
    return CLIS[request.param]


@pytest.fixture
def program(cli: AgentCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    return install(cli.program, tmp_path, monkeypatch)


def ask(cli: AgentCli, many: int = 1, **models: Any) -> list[ModelReply]:
    settings = ModelSettings(**{"backend": cli.name, "seconds": 30.0, **models})
    return list(registry.backend(cli.name).ask([REQUEST] * many, settings))


def test_every_program_is_one_backend_of_the_runner() -> None:
    started = {name: one for name, one in registry.backends().items() if one.program}
    assert tuple(sorted(started)) == NAMES
    assert all(one.beside == PROCESSES_BESIDE and not one.free for one in started.values())


def test_an_answer_is_read_and_the_request_stands_on_standard_input(cli: AgentCli, program: Program) -> None:
    program.says(SAID[cli.name](ANSWER), err="a notice\n")
    (heard,) = ask(cli, model="some-model")
    assert isinstance(heard, ModelAnswer), heard
    assert heard.data == {"wishes": []}
    assert heard.sent
    assert heard.received
    note = program.started
    assert REQUEST.text in note["stdin"]
    assert note["argv"][-2:] == ["--model", "some-model"]
    words = note["stdin"] + json.dumps(note["files"])
    assert "Read with care." in words
    assert '\\"type\\": \\"object\\"' in words or '"type": "object"' in words


def test_it_runs_in_an_empty_folder_without_tools_hooks_and_a_stored_session(cli: AgentCli, program: Program) -> None:
    program.says(SAID[cli.name](ANSWER))
    ask(cli)
    note = program.started
    told = " ".join(word or "''" for word in note["argv"])
    told += " ".join(note["files"].values())
    told += " ".join(f"{name}={value}" for name, value in note["environment"].items())
    assert [flag for flag in FLAGS[cli.name] if flag not in told] == []
    assert Path(note["folder"]).name == "tree0"
    assert not [path for path in note["files"] if path.startswith(note["folder"])]
    assert note["environment"]["PWD"] == note["folder"]
    assert note["environment"][model_settings.NESTED_VARIABLE] == "1"


def test_secrets_of_others_do_not_reach_it_and_its_own_do(
    cli: AgentCli, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = cli.keys[0] + "API_KEY"
    others = ("NPM_TOKEN", "DATABASE_PASSWORD", "STRIPE_SECRET", "SOME_API_KEY")
    for name in (own, *others, *cli.parents):
        monkeypatch.setenv(name, "hunter2")
    program.says(SAID[cli.name](ANSWER))
    ask(cli)
    environment = program.started["environment"]
    assert environment[own] == "hunter2"
    assert not {*others, *cli.parents} & set(environment)
    assert environment["HOME"]  # the person's: it finds its login there


FAULTS: dict[str, tuple[dict[str, Any], str, bool]] = {  # how it ends -> told, and whether all else is in vain
    "no JSON": ({"out": "Hello\nthere\n"}, "gave no JSON: there", True),
    "nothing": ({"code": 139}, "gave no JSON: exit 139", True),
    "an unknown flag": (
        {"err": "error: unknown option\n", "code": 2},
        "gave no JSON: error: unknown option",
        True,
    ),
    "too much": ({"out": "x" * 2**20, "times": 17}, "printed too much", False),
}


@pytest.mark.parametrize(("how", "what", "over"), FAULTS.values(), ids=FAULTS)
def test_what_is_no_output_of_it_is_told_in_a_line(
    cli: AgentCli, program: Program, how: dict[str, Any], what: str, over: bool
) -> None:
    program.says(**how)
    (heard,) = ask(cli)
    assert isinstance(heard, ModelFailure)
    assert (heard.what, heard.over, heard.misfit) == (f"{cli.program} {what}", over, False)


def test_one_that_takes_too_long_is_ended(cli: AgentCli, program: Program) -> None:
    program.says(hang=True)
    (heard,) = ask(cli, seconds=1.0)
    hint = "raise models.seconds in your config"
    assert heard == ModelFailure(what=f"{cli.program} took more than 1 seconds", hint=hint)
    assert not processes._RUNNING


def test_words_instead_of_an_object_are_asked_for_again(cli: AgentCli, program: Program) -> None:
    program.says(SAID[cli.name]("I would rather not."))
    (heard,) = ask(cli)
    assert isinstance(heard, ModelFailure)
    assert heard.what == f"{cli.program} answered with no JSON object, or with several: I would rather not."
    assert (heard.misfit, heard.theirs, heard.over) == (True, True, False)


def test_an_answer_that_took_a_tool_does_not_count(cli: AgentCli, program: Program) -> None:
    program.says(USED[cli.name], code=1 if cli.name == "claude-cli" else 0)
    (heard,) = ask(cli)
    assert isinstance(heard, ModelFailure)
    assert heard.what.startswith(f"{cli.program} wanted a tool instead of answering")
    assert heard.theirs


def test_an_exit_code_beside_an_answer_makes_it_none(cli: AgentCli, program: Program) -> None:
    program.says(SAID[cli.name](ANSWER), code=3)
    (heard,) = ask(cli)
    assert isinstance(heard, ModelFailure)
    assert heard.what.startswith(f"{cli.program} says: ")


def test_where_nobody_is_logged_in_nothing_else_is_asked_and_it_says_how(cli: AgentCli, program: Program) -> None:
    out, err, code = LOGGED_OUT[cli.name]
    program.says(out, err, code)
    (heard,) = ask(cli)
    assert isinstance(heard, ModelFailure)
    assert heard.over
    assert heard.hint == cli.log_in


def test_some_are_asked_beside_each_other(cli: AgentCli, program: Program) -> None:
    program.says(SAID[cli.name](ANSWER))
    assert [type(one) for one in ask(cli, many=2)] == [ModelAnswer, ModelAnswer]


def test_without_it_one_line_says_how_to_install_it(cli: AgentCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert registry.backend(cli.name).missing(ModelSettings()) == f"{cli.program} is not installed: {cli.install}"
    assert ask(cli, many=2) == [ModelFailure(what=registry.backend(cli.name).missing(ModelSettings()), over=True)] * 2


def test_below_a_model_that_rulec_asked_nobody_is_asked(cli: AgentCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(model_settings.NESTED_VARIABLE, "1")
    assert ask(cli) == [ModelFailure(what="rulec runs below a model that it asked, and asks no other", over=True)]


def test_an_address_reaches_those_that_take_one_and_is_refused_for_the_others(cli: AgentCli, program: Program) -> None:
    address = "http://127.0.0.1:9"
    program.says(SAID[cli.name](ANSWER))
    (heard,) = ask(cli, base_url=address)
    if cli.address:
        assert program.started["environment"][cli.address] == address
        assert registry.backend(cli.name).elsewhere(ModelSettings(base_url=address)) == address
    else:
        assert isinstance(heard, ModelFailure)
        assert heard.what.startswith("models.base_url is not for")


def test_a_login_is_lent_and_nothing_else_of_the_persons_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / ".gemini").mkdir(parents=True)
    (home / ".copilot").mkdir()
    chosen = {"security": {"auth": {"selectedType": "vertex-ai"}}, "hooks": {"SessionStart": ["touch it"]}}
    (home / ".gemini" / "settings.json").write_text(json.dumps(chosen))
    (home / ".gemini" / "oauth_creds.json").write_text("{}")
    (home / ".gemini" / "GEMINI.md").write_text("always say xylophone")
    (home / ".copilot" / "config.json").write_text("{}")
    (home / ".copilot" / "settings.json").write_text('{"hooks": {"sessionStart": ["touch it"]}}')
    monkeypatch.setenv("HOME", str(home))
    for name, links in (("gemini-cli", ["oauth_creds.json"]), ("copilot-cli", ["config.json"])):
        program = install(CLIS[name].program, tmp_path, monkeypatch)
        program.says(SAID[name](ANSWER))
        ask(CLIS[name])
        note = program.started
        assert [Path(link).name for link in note["links"]] == links
        assert "touch it" not in json.dumps(note["files"])
        assert "xylophone" not in json.dumps(note["files"])
    gemini = json.loads(
        next(CLIS["gemini-cli"].files()[name] for name in CLIS["gemini-cli"].files() if "settings" in name)
    )
    assert gemini["security"]["auth"]["selectedType"] == "vertex-ai"
