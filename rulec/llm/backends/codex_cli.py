"""codex-cli: the installed Codex, `codex exec`.

The instructions stand before the data: with a ChatGPT login the service takes no others in the place of Codex's own.
"""

from rulec.agents.codex import AGENT
from rulec.domain.plugs import JobOutput
from rulec.llm.clients.agent_cli import AgentCli, CliAnswer, json_lines, json_part, sum_counts

# Every feature that gives the model a tool, starts a process or takes in something else of the person's.
_OFF = (
    *("shell_tool", "unified_exec", "shell_snapshot", "view_image", "image_generation", "multi_agent", "goals"),
    *("apps", "plugins", "tool_suggest", "skill_search", "browser_use", "computer_use", "memories", "hooks"),
)
_SETTINGS = (
    *(f"features.{name}=false" for name in _OFF),
    'web_search="disabled"',
    "project_doc_max_bytes=0",
    "skills.include_instructions=false",
    "include_environment_context=false",
    'approval_policy="never"',
)
_HARMLESS = ("agent_message", "reasoning", "error", "todo_list")  # items that no tool made


def read(output: JobOutput) -> CliAnswer | None:
    """The last message of the agent among the events; other items are work of tools."""
    events = json_lines(output)
    items = [json_part(one, "item") for one in events if one.get("type") in ("item.started", "item.completed")]
    ends = [one for one in events if one.get("type") in ("turn.completed", "turn.failed")]
    faults = [json_part(one, "error") or one for one in events if one.get("type") in ("turn.failed", "error")]
    if not ends and not faults:
        return None
    answers = [str(item.get("text") or "") for item in items if item.get("type") == "agent_message"]
    tools = [str(item.get("type")) for item in items if item.get("type") not in _HARMLESS]
    use = json_part(ends[-1], "usage") if ends else {}
    failed = bool(output.code) or not ends or ends[-1].get("type") == "turn.failed"
    return CliAnswer(
        text=answers[-1] if answers else "",
        sent=sum_counts(use, "input_tokens"),
        received=sum_counts(use, "output_tokens"),
        fault=str(faults[-1].get("message") or "an error") if failed and faults else "",
        tool=tools[0] if tools else "",
    )


CLI = AgentCli(
    name="codex-cli",
    program="codex",
    install="npm install -g @openai/codex, then codex once to log in",
    log_in="log in with `codex login`; your config.toml is not read",
    argv=(
        *("exec", "--json", "--ephemeral", "--ignore-user-config", "--ignore-rules", "--skip-git-repo-check"),
        *("--sandbox", "read-only", "--color", "never"),
        *(word for setting in _SETTINGS for word in ("-c", setting)),
    ),
    read=read,
    keys=("OPENAI_", "CODEX_"),
    parents=AGENT.runs_with,
)
PLUG = CLI.backend()
