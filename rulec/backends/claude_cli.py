"""claude-cli: the installed `claude -p`, in an empty folder, without tools, settings, hooks or memory."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from rulec.backends._address import elsewhere
from rulec.backends._found import found
from rulec.errors import RulecError
from rulec.host import below, process
from rulec.model.artifact import one_line
from rulec.model.change import Change
from rulec.model.exchange import Answer, Heard, Models, Request, Trouble
from rulec.ports import Backend, Job, Output
from rulec.redact import redact

PROGRAM = "claude"
INSTALL = "npm install -g @anthropic-ai/claude-code, then claude once to log in"
LOG_IN = "log in with `claude`, or set ANTHROPIC_API_KEY; what Claude's own settings.json says is not taken in"
OTHER = "another model may do better: models.model"
_BESIDE = 4
_SHOWN = 200  # signs of a complaint
# Files that the data names with an @ are read into the prompt even where there are no tools, unless reading is denied.
_SETTINGS = {"permissions": {"deny": ["Read(//**)"]}, "disableAllHooks": True}
_ARGV = (
    *(PROGRAM, "-p", "--output-format", "json", "--tools", "", "--max-turns", "1"),
    *("--setting-sources", "", "--settings", json.dumps(_SETTINGS), "--strict-mcp-config", "--disable-slash-commands"),
    *("--no-session-persistence", "--name", "rulec"),  # no transcript to mine; a name spares a request that finds one
    *("--system-prompt-file", "{scratch}/system.txt"),
)
_ENVIRONMENT = {
    below.NAME: "1",
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",  # nor what the data names with an @
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_MAX_RETRIES": "3",
    "CLAUDE_CODE_DISABLE_THINKING": "1",  # it would count against what the answer may take
    "MAX_THINKING_TOKENS": "0",  # as older ones know it
}
_PARENTS = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT")  # of an agent that runs us
_IN_VAIN = re.compile(
    r"not logged in|authenticat|api key|/login|credit balance|usage limit|hit your .{0,20}limit|unable to connect",
    re.IGNORECASE,
)
# what it says where the model refuses, or takes no more: what was asked about brings that about
_THEIRS = re.compile(r"legal/aup|usage policy|content filter|prompt is too long|request too large", re.IGNORECASE)
_CUT_OFF = "output token maximum"
_NO_TURN = "error_max_turns"
_STATUS_IN_VAIN = (401, 402, 403)


def ask(requests: Sequence[Request], models: Models) -> Iterator[Heard]:
    """Each request to a process of its own, some beside each other."""
    lacking = missing(models)
    if lacking:
        yield from (Trouble(what=lacking, over=True) for _ in requests)
        return
    pool = ThreadPoolExecutor(_BESIDE)
    try:
        yield from pool.map(partial(_asked, models=models), requests)
    finally:  # Ctrl-C does not reach them: each runs in a session of its own
        pool.shutdown(wait=False, cancel_futures=True)
        process.stop(PROGRAM)
        pool.shutdown()


def missing(_: Models) -> str:
    """What lacks, "" where claude is installed and we do not run below it ourselves."""
    return below.below() or ("" if shutil.which(PROGRAM) else f"claude is not installed: {INSTALL}")


def _asked(request: Request, models: Models) -> Heard:
    try:
        output = process.run(_job(request, models), Change())
    except RulecError as error:
        return Trouble(what=str(error), hint=error.hint, over=True)
    return heard(output, models.seconds)


def _job(request: Request, models: Models) -> Job:
    mine = {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.most)}
    if models.base_url:
        mine["ANTHROPIC_BASE_URL"] = models.base_url
    form = f"The JSON Schema of your answer:\n{json.dumps(request.schema, sort_keys=True)}\n"
    return Job(
        argv=(*_ARGV, *(("--model", models.model) if models.model else ())),
        inputs={"system.txt": f"{request.system}\n\n{form}", "prompt.txt": request.text},
        environment={**{k: v for k, v in os.environ.items() if k not in _PARENTS}, **_ENVIRONMENT, **mine},
        seconds=models.seconds,
        stdin="prompt.txt",
    )


def heard(output: Output, seconds: float) -> Answer | Trouble:
    """What claude's JSON says."""
    if output.spilled:
        return Trouble(what="claude printed too much", hint="see what `claude -p hello` prints")
    if output.code is None:
        return Trouble(what=f"claude took more than {seconds:g} seconds", hint="raise models.seconds in your config")
    said = _result(output.out)
    if said is None:
        return Trouble(what=f"claude gave no JSON: {_last(output)}", hint="`claude update` may help", over=True)
    model, sent, received, dollars = _used(said)
    text = str(said.get("result") or "")
    if said.get("is_error") or output.code or said.get("subtype") != "success":
        return replace(_trouble(said, text), sent=sent, received=received, dollars=dollars)
    data = found(text)
    if data is None:
        what = f"claude answered with no JSON object, or with several: {_short(text) or 'nothing'}"
        return Trouble(what=what, misfit=True, theirs=True, sent=sent, received=received, dollars=dollars)
    return Answer(data=data, model=model, sent=sent, received=received, dollars=dollars)


def _result(out: str) -> Mapping[str, Any] | None:
    """The last record of the kind; with a person's `verbose` there is a list of them, and notices may stand before."""
    value = _json(out)
    if value is None and out.strip():
        value = _json(out.strip().splitlines()[-1])
    records = value if isinstance(value, list) else [value]
    results = [record for record in records if isinstance(record, dict) and record.get("type") == "result"]
    return results[-1] if results else None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _trouble(said: Mapping[str, Any], text: str) -> Trouble:
    if _CUT_OFF in text:
        return Trouble(what="claude's answer was cut off: it is longer than it may be", hint=OTHER, theirs=True)
    if said.get("subtype") == _NO_TURN:
        return Trouble(what=f"claude wanted a tool instead of answering ({_NO_TURN})", hint=OTHER, theirs=True)
    what = _short(text) or one_line(str(said.get("subtype") or "an error"))
    over = said.get("api_error_status") in _STATUS_IN_VAIN or bool(_IN_VAIN.search(text))
    theirs = not over and (said.get("stop_reason") == "refusal" or bool(_THEIRS.search(text)))
    return Trouble(what=f"claude says: {what}", hint=LOG_IN if over else "", over=over, theirs=theirs)


def _used(said: Mapping[str, Any]) -> tuple[str, int, int, float | None]:
    """Who answered, the tokens sent and received, and the dollars: of all requests, claude may make several."""
    price = said.get("total_cost_usd")
    dollars = float(price) if isinstance(price, int | float) else None
    models = {str(name): use for name, use in _dict(said.get("modelUsage")).items() if isinstance(use, dict)}
    if not models:
        use = _dict(said.get("usage"))
        sent = _count(use, "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        return "", sent, _count(use, "output_tokens"), dollars
    sent = sum(
        _count(use, "inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens") for use in models.values()
    )
    received = {name: _count(use, "outputTokens") for name, use in models.items()}
    name = max(received, key=lambda name: received[name])
    return name.partition("[")[0], sent, sum(received.values()), dollars


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(use: Mapping[str, Any], *names: str) -> int:
    return sum(value for name in names if isinstance(value := use.get(name), int))


def _last(output: Output) -> str:
    lines = (output.err.strip() or output.out.strip()).splitlines()
    return _short(lines[-1]) if lines else f"exit {output.code}"


def _short(text: str) -> str:
    """In one line and without keys: it is shown."""
    line = one_line(redact(text[: 20 * _SHOWN]))
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


PLUG = Backend(name="claude-cli", ask=ask, missing=missing, beside=_BESIDE, elsewhere=elsewhere)
