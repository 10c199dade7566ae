"""An agent's command line asked as a model: one request is one process without tools; what such backends share."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from rulec.domain.change import Change
from rulec.domain.plugs import Backend, Job, JobOutput
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings, estimate_tokens
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import jobs, processes
from rulec.llm import model_settings
from rulec.llm.clients.answer_text import find_json_object
from rulec.llm.clients.hosted_models import LOOK_UP

SYSTEM_FILE, PROMPT_FILE = "system.txt", "prompt.txt"  # the files of a request
PROCESSES_BESIDE = 4
OTHER = "another model may do better: models.model"
_SHOWN = 200  # characters of a complaint
# Variables that look like a secret. Of these a program gets its own alone: no tool runs, but it need not have them.
_SECRET = re.compile(r"TOKEN|SECRET|PASSW|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|(?:^|_)(?:PAT|PWD)$")
_NO_SECRET = ("PWD", "OLDPWD")
# Complaints after which asking anything else is in vain: nobody logged in, nothing left to pay with, no network.
_IN_VAIN = re.compile(
    r"not logged in|authenticat|unauthori[sz]ed|auth method|api[ _]key|/login|credit balance|quota|usage limit"
    r"|hit your .{0,20}limit|unable to connect|failed to lookup address|ECONNREFUSED|ENOTFOUND",
    re.IGNORECASE,
)
# Complaints that the words of a request bring about: the model refuses, or takes no more.
_THEIRS = re.compile(
    r"legal/aup|usage policy|content filter|(?:prompt|input|request) (?:is )?too (?:long|large)|context.{0,9} window",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CliAnswer:
    """What a program printed, taken apart."""

    text: str = ""  # the model's answer
    model: str = ""
    sent: int = 0  # tokens; 0 where it does not say
    received: int = 0
    dollars: float | None = None
    fault: str = ""  # its complaint, "" where it has none
    over: bool = False  # it says with a status that asking anything else is in vain
    theirs: bool = False  # it says with a reason that the model refused
    cut: bool = False  # the answer ends where its limit is
    tool: str = ""  # a tool that was wanted or used in spite of all, and how that was told


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCli:
    """One program: how it is started so that it only answers, and how its output is read.

    ``{scratch}`` in arguments and variables is the folder with the files of the request.
    """

    name: str  # of the backend
    program: str
    install: str
    log_in: str
    argv: tuple[str, ...]  # without its name: answer once, machine-readable, without tools, hooks and a stored session
    read: Callable[[JobOutput], CliAnswer | None]  # None where the output is of another form
    environment: Mapping[str, str] = field(default_factory=dict)
    keys: tuple[str, ...] = ()  # beginnings of the names of variables whose secrets it needs
    parents: tuple[str, ...] = ()  # variables by which it knows that an agent runs it
    system: bool = False  # it takes instructions from a file of their own; else they stand before the data
    files: Callable[[], Mapping[str, str]] = dict  # settings of ours that it reads
    links: Callable[[], Mapping[str, str]] = dict  # name in the request's folder -> the person's file of credentials
    most: str = ""  # the variable with the tokens that an answer may take
    address: str = ""  # the variable with the address of its API
    own_address: str = ""  # what stands there for the API's own

    def backend(self) -> Backend:
        """The backend that asks this program."""
        return Backend(
            name=self.name,
            ask=partial(_ask, self),
            missing=partial(_missing, self),
            beside=PROCESSES_BESIDE,
            elsewhere=partial(_elsewhere, self),
            program=self.program,
        )


def _ask(cli: AgentCli, requests: Sequence[ModelRequest], models: ModelSettings) -> Iterator[ModelReply]:
    """Send each request to a process, several at a time."""
    lacking = _missing(cli, models)
    if lacking:
        yield from (ModelFailure(what=lacking, over=True) for _ in requests)
        return
    pool = ThreadPoolExecutor(PROCESSES_BESIDE)
    try:
        yield from _results_in_order([pool.submit(_ask_one, cli, models, request) for request in requests])
    finally:  # Ctrl-C does not reach them: each runs in a session of its own
        pool.shutdown(wait=False, cancel_futures=True)
        processes.stop_program(cli.program)
        pool.shutdown()


def _results_in_order(futures: Sequence[Future[ModelReply]]) -> Iterator[ModelReply]:
    """The results of futures, as soon as all before them are there.

    It looks up now and then: a signal that comes just before a wait without a limit would be handled after it.
    """
    done: SimpleQueue[Future[ModelReply]] = SimpleQueue()
    for future in futures:
        future.add_done_callback(done.put)
    finished = set[Future[ModelReply]]()
    for future in futures:
        while future not in finished:
            with suppress(Empty):
                finished.add(done.get(timeout=LOOK_UP))
        yield future.result()


def _missing(cli: AgentCli, models: ModelSettings) -> str:
    """What is missing: the program; or that rulec was started by a model that it asked itself. "" for nothing."""
    if models.base_url and not cli.address:
        return f"models.base_url is not for {cli.program}: leave it out, or choose another backend"
    return model_settings.lacking_top_level() or (
        "" if shutil.which(cli.program) else f"{cli.program} is not installed: {cli.install}"
    )


def _elsewhere(cli: AgentCli, models: ModelSettings) -> str:
    """The address that is asked where it is not the API's: answers from there prove nothing about the model."""
    given = models.base_url or (os.environ.get(cli.address, "") if cli.address else "")
    address = given.strip().rstrip("/")
    return "" if address.casefold() == cli.own_address else address


def _ask_one(cli: AgentCli, models: ModelSettings, request: ModelRequest) -> ModelReply:
    try:
        output = jobs.run_job(request_job(cli, request, models), Change())
    except RulecError as error:
        return ModelFailure(what=str(error), hint=error.hint, over=True)
    one = read_cli_output(cli, output, models.seconds)
    return _with_counts(one, request) if isinstance(one, ModelAnswer) else one


def _with_counts(one: ModelAnswer, request: ModelRequest) -> ModelAnswer:
    """The reply with estimated token counts where the program gives none, so that a budget still limits it."""
    return replace(one, sent=one.sent or request.tokens, received=one.received or estimate_tokens(json.dumps(one.data)))


def request_job(cli: AgentCli, request: ModelRequest, models: ModelSettings) -> Job:
    """The process that answers one request."""
    form = f"The JSON Schema of your answer:\n{json.dumps(request.schema, sort_keys=True)}\n"
    system = f"{request.system}\n\n{form}"
    own = {SYSTEM_FILE: system, PROMPT_FILE: request.text} if cli.system else {PROMPT_FILE: f"{system}\n{request.text}"}
    return Job(
        argv=(cli.program, *cli.argv, *(("--model", models.model) if models.model else ())),
        inputs={**own, **cli.files()},
        links=cli.links(),
        environment=_environment(cli, request, models),
        seconds=models.seconds,
        stdin=PROMPT_FILE,
    )


def _environment(cli: AgentCli, request: ModelRequest, models: ModelSettings) -> dict[str, str]:
    """The person's environment without secrets of other programs and without variables of an agent that runs rulec."""
    kept = {
        k: v for k, v in os.environ.items() if k not in cli.parents and (not _is_secret(k) or k.startswith(cli.keys))
    }
    mine = {cli.most: str(request.most)} if cli.most else {}
    if models.base_url and cli.address:
        mine[cli.address] = models.base_url
    # programs that take PWD for where they are would see the repository
    here = {"PWD": "{tree}", model_settings.NESTED_VARIABLE: "1"}
    return {**kept, **here, **cli.environment, **mine}


def _is_secret(name: str) -> bool:
    return name not in _NO_SECRET and bool(_SECRET.search(name.upper()))


def read_cli_output(cli: AgentCli, output: JobOutput, seconds: float) -> ModelAnswer | ModelFailure:
    """The reply that a program's output means."""
    who = cli.program
    if output.spilled:
        return ModelFailure(what=f"{who} printed too much", hint=f"see what `{who}` prints to a short question")
    if output.code is None:
        return ModelFailure(
            what=f"{who} took more than {seconds:g} seconds", hint="raise models.seconds in your config"
        )
    said = cli.read(output)
    if said is None:
        hint = f"see that {who} runs here, and that it is a new one"
        last = _last(output)
        login = bool(_IN_VAIN.search(last))
        return ModelFailure(what=f"{who} gave no JSON: {last}", hint=cli.log_in if login else hint, over=True)
    if output.code and not said.fault:
        said = replace(said, fault=said.text or _last(output))
    spent: dict[str, Any] = {"sent": said.sent, "received": said.received, "dollars": said.dollars}
    if said.cut:
        return ModelFailure(
            what=f"{who}'s answer was cut off: it is longer than it may be", hint=OTHER, theirs=True, **spent
        )
    if said.tool:  # whatever it did with it: an answer that took a tool is not one to what was asked alone
        return ModelFailure(
            what=f"{who} wanted a tool instead of answering ({_short(said.tool)})", hint=OTHER, theirs=True, **spent
        )
    if said.fault:
        over = said.over or bool(_IN_VAIN.search(said.fault))
        theirs = not over and (said.theirs or bool(_THEIRS.search(said.fault)))
        hint = cli.log_in if over else ""
        return ModelFailure(what=f"{who} says: {_short(said.fault)}", hint=hint, over=over, theirs=theirs, **spent)
    data = find_json_object(said.text)
    if data is None:
        what = f"{who} answered with no JSON object, or with several: {_short(said.text) or 'nothing'}"
        return ModelFailure(what=what, misfit=True, theirs=True, **spent)
    return ModelAnswer(data=data, model=said.model, **spent)


def json_lines(output: JobOutput) -> list[Mapping[str, Any]]:
    """The JSON objects in an output with one on each line; other lines are notices."""
    parsed = [parse_json(line) for line in output.out.splitlines() if line.lstrip().startswith("{")]
    return [one for one in parsed if isinstance(one, dict)]


def parse_json(text: str) -> Any:
    """JSON, None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def json_part(value: object, *names: str) -> Mapping[str, Any]:
    """The object at a path of keys, empty where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def sum_counts(use: Mapping[str, Any], *names: str) -> int:
    """The sum of some numbers."""
    return sum(value for name in names if isinstance(value := use.get(name), int))


def _last(output: JobOutput) -> str:
    all_of_them = (output.err.strip() or output.out.strip()).splitlines()
    return _short(all_of_them[-1]) if all_of_them else f"exit {output.code}"


def _short(text: str) -> str:
    """A text on one line, without keys, to be shown."""
    line = to_one_line(redact(text[: 20 * _SHOWN]))
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
