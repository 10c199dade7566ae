"""claude-cli: the installed Claude Code, `claude -p`."""

import json
from collections.abc import Mapping
from typing import Any

from rulec.agents.claude_code import AGENT
from rulec.domain.plugs import JobOutput
from rulec.llm.clients.agent_cli import SYSTEM_FILE, AgentCli, CliAnswer, json_part, parse_json, sum_counts

# Files that the data names with an @ are read into the prompt even where there are no tools, unless reading is denied.
_SETTINGS = {"permissions": {"deny": ["Read(//**)"]}, "disableAllHooks": True}
_CUT_OFF = "output token maximum"
_NO_TURN = "error_max_turns"
_STATUS_IN_VAIN = (401, 402, 403)


def read(output: JobOutput) -> CliAnswer | None:
    """The last record of its kind: with `verbose` output is a list of them, and notices may precede it."""
    value = parse_json(output.out)
    if value is None and output.out.strip():
        value = parse_json(output.out.strip().splitlines()[-1])
    records = value if isinstance(value, list) else [value]
    results = [record for record in records if isinstance(record, dict) and record.get("type") == "result"]
    return _text_of(results[-1], failed=bool(output.code)) if results else None


def _text_of(record: Mapping[str, Any], *, failed: bool) -> CliAnswer:
    text = str(record.get("result") or "")
    kind = str(record.get("subtype") or "an error")
    fault = (text or kind) if failed or record.get("is_error") or kind != "success" else ""
    model, sent, received = _used(record)
    price = record.get("total_cost_usd")
    return CliAnswer(
        text=text,
        model=model,
        sent=sent,
        received=received,
        dollars=float(price) if isinstance(price, int | float) else None,
        fault=fault,
        over=record.get("api_error_status") in _STATUS_IN_VAIN,
        theirs=record.get("stop_reason") == "refusal",
        cut=bool(fault) and _CUT_OFF in text,
        tool=kind if fault and kind == _NO_TURN else "",
    )


def _used(record: Mapping[str, Any]) -> tuple[str, int, int]:
    """The model that answered, and the tokens of all requests: claude may make several."""
    models = {str(name): use for name, use in json_part(record, "modelUsage").items() if isinstance(use, dict)}
    if not models:
        use = json_part(record, "usage")
        sent = sum_counts(use, "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        return "", sent, sum_counts(use, "output_tokens")
    sent = sum(
        sum_counts(use, "inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens") for use in models.values()
    )
    received = {name: sum_counts(use, "outputTokens") for name, use in models.items()}
    name = max(received, key=lambda name: received[name])
    return name.partition("[")[0], sent, sum(received.values())


CLI = AgentCli(
    name="claude-cli",
    program="claude",
    install="npm install -g @anthropic-ai/claude-code, then claude once to log in",
    log_in="log in with `claude`, or set ANTHROPIC_API_KEY; Claude's settings.json is not read",
    argv=(
        *("-p", "--output-format", "json", "--tools", "", "--max-turns", "1"),
        *("--setting-sources", "", "--settings", json.dumps(_SETTINGS), "--strict-mcp-config"),
        "--disable-slash-commands",
        *("--no-session-persistence", "--name", "rulec"),  # no transcript; a name spares a request that finds one
        *("--system-prompt-file", f"{{scratch}}/{SYSTEM_FILE}"),
    ),
    read=read,
    environment={
        "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",  # nor what the data names with an @
        "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
        "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "3",
        "CLAUDE_CODE_DISABLE_THINKING": "1",  # it would count against what the answer may take
        "MAX_THINKING_TOKENS": "0",  # as older ones know it
    },
    keys=("ANTHROPIC_", "CLAUDE_", "AWS_", "GOOGLE_", "AZURE_"),  # the clouds that it also asks through
    parents=AGENT.runs_with,
    system=True,
    most="CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    address="ANTHROPIC_BASE_URL",
    own_address="https://api.anthropic.com",
)
PLUG = CLI.backend()
