"""The kinds of plug, as frozen values of functions; a plug is one file whose last line is ``PLUG = ...``."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rulec.domain.artifact import Artifact, CompilePlan, PlannedCheck, RuleFacts
from rulec.domain.change import Change
from rulec.domain.finding import Fault, Finding, ProofRow, Verdict
from rulec.domain.prompt import ModelReply, ModelRequest, ModelSettings
from rulec.domain.template import Render


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One process that the host is asked to run in a scratch folder that holds the change's files."""

    argv: tuple[str, ...]  # {scratch}: the folder of the inputs, {tree}: the change's files; {python}, {semgrep-core}
    inputs: Mapping[str, str] = field(default_factory=dict)  # written into the scratch folder first
    links: Mapping[str, str] = field(default_factory=dict)  # there -> a file of the person's that it stands for, if any
    environment: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 120.0
    folder: str = "{tree}"  # where it runs; the change's files are laid out only for those that name {tree}
    stdin: str = ""  # the one of its inputs that it reads there, "" for nothing
    merging: "Merging | None" = None  # how one process does the work of many such jobs with the same argv, if it can


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOutput:
    """What a job left behind; ``code`` is None where it was killed at its limit."""

    code: int | None
    out: str
    err: str = ""
    spilled: bool = False  # it was killed for all that it printed
    disturbed: bool = False  # it changed the files it was given, so that nothing it says can be relied on


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """How jobs that read no files of the change become one, whose output tells what each would have left behind."""

    merge: Callable[[Sequence[Job]], Job]
    split: Callable[[JobOutput, int], Sequence[JobOutput | None]]  # and their number; None: that one has to run alone
    nothing: JobOutput  # of a job that found nothing


@dataclass(frozen=True, slots=True)
class FileReach:
    """Which files an artifact may look at: at no others."""

    globs: tuple[str, ...] = ("**",)
    languages: tuple[str, ...] = ()  # () is any


@dataclass(frozen=True, slots=True, kw_only=True)
class Checker:
    """A kind of check: builds artifacts and turns them and a change into findings.

    ``jobs`` lists what to run: normally one; a checker that judges in-process lists none and ``findings`` gets no
    outputs. ``retry`` gives the jobs to run after a job failed as a whole (a hang, a missing tool), or none; their
    outputs are added to the first ones. ``learn`` asks the real tool what a file must hold for each artifact to see
    anything in it, for the ``needs`` of artifacts: whoever knows them has less to run and finds the same.
    """

    name: str
    suffix: str
    build: Callable[[PlannedCheck, str], str]  # step and rendered body -> text of the artifact
    facts: Callable[[str], RuleFacts]  # text of an artifact -> what it says of its rule
    jobs: Callable[[Sequence[Artifact], Change], Sequence[Job]]
    findings: Callable[[Sequence[Artifact], Change, Sequence[JobOutput]], Iterator[Finding | Fault]]
    retry: Callable[[Sequence[Artifact], Change, Sequence[JobOutput]], Sequence[Job]] = lambda *_: ()
    parse: Callable[[Artifact], Sequence[Job]] = lambda _: ()  # ask the real tool whether it can read the artifact
    complaint: Callable[[Sequence[JobOutput]], str] = lambda _: ""  # what it said against it, or ""
    reach: Callable[[Artifact], FileReach] = lambda _: FileReach()
    learn: Callable[[Sequence[Artifact]], Sequence[Job]] = lambda _: ()
    learned: Callable[[Sequence[Artifact], Sequence[JobOutput]], Sequence[Artifact]] = lambda artifacts, _: artifacts
    by_file: bool = False  # what it finds in a file depends on no other file, but for checks of a whole change


@dataclass(frozen=True, slots=True, kw_only=True)
class HookShot:
    """One event that doctor fires at an agent's hook as that agent would.

    In the strings of ``payload`` {top}, {command}, {path} and {text} stand for what it is fired with. ``refusal`` is
    where the answer says no and the word that it has there, "" for any; None where nothing can be refused.
    """

    moment: str  # ask, done, stop, prompt or start, as the runtime has them
    event: str  # the name under which the agent's settings register it
    command: str  # the command line that stands there
    payload: Mapping[str, Any]
    refusal: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class NarrowedHook:
    """An event of which an agent's settings call rulec, but not for all the tools that rulec means."""

    event: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HookProbe:
    """What doctor tests of an agent: how its settings name its hooks, and sample events."""

    title: str  # as people call the agent
    lines: Callable[[str], Mapping[str, Sequence[str]]]  # text of its settings -> the command lines by event
    shots: tuple[HookShot, ...]
    project: str = ""  # the variable in which the agent names the project's folder
    beside: tuple[str, ...] = ()  # other settings that it takes hooks from; ~ is the person's home
    off: Mapping[str, str] = field(default_factory=dict)  # settings -> the pattern of a line that turns hooks off
    trust: str = ""  # what a person has to do once before it runs any hook
    broken: Callable[[str], str] = lambda _: ""  # text of its settings -> why the agent cannot read them, or ""
    left_out: Callable[[str], Sequence[NarrowedHook]] = lambda _: ()  # text of its settings -> events with fewer tools


@dataclass(frozen=True, slots=True, kw_only=True)
class Integration:
    """A gate or document that people already have: writes its part into files that may hold other people's text.

    ``files`` names what it may touch; ``emit`` gets the plan, a renderer and the present text of those files that
    exist, and yields each file whole. ``remove`` gets the present text and gives it without our part: None means that
    nothing else was in it and the file goes.
    """

    name: str
    files: tuple[str, ...]
    emit: Callable[[CompilePlan, Render, Mapping[str, str]], Iterator[Artifact]]
    remove: Callable[[str, str], str | None]  # path and present text
    agent: str = ""  # the agent whose hooks it writes, "" for none
    probe: HookProbe | None = None  # how that agent calls them
    document: bool = False  # it puts the rules into words
    tells: tuple[str, ...] = ()  # agents that it tells how to work with rulec: init wants it beside their hooks
    when_init: Callable[[Sequence[str]], bool] = lambda _: True  # paths in the repository -> wanted by default


class DrawReport(Protocol):
    """Verdicts, counts of what was looked at, and the rules by step, as one text."""

    def __call__(self, verdicts: Sequence[Verdict], counts: Mapping[str, int], rows: Sequence[ProofRow] = (), /) -> str:
        """Draw them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporter:
    """A form of output for verdicts."""

    name: str
    report: DrawReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """A way to ask a model; nothing of it, nor what it needs, is imported before somebody asks.

    ``ask`` takes requests that are sent beside each other and yields one of Answer, Trouble or Awaited for each, in
    their order and as they come; it raises nothing for what goes wrong outside of us. It never holds an answer to its
    schema, keeps nothing and counts nothing but tokens: the conversation does.
    """

    name: str
    ask: Callable[[Sequence[ModelRequest], ModelSettings], Iterator[ModelReply]]
    missing: Callable[[ModelSettings], str] = lambda _: ""  # what lacks for it to be asked at all, "" for nothing
    beside: int = 1  # requests that may be on their way at once
    model: str = ""  # what is asked where the settings name none
    beyond: Callable[[str], int] = lambda _: 0  # tokens that a model may take beyond those of an answer, to think
    free: bool = False  # nothing is paid for its answers, so that no budget holds it
    at_home: Callable[[ModelSettings], bool] = lambda _: False  # it answers from this machine: nothing is paid, either
    waits: bool = False  # it yields Awaited: questions lie until somebody answers, for a later run to hear
    program: str = ""  # the agent's CLI that it starts, "" where it starts none
    key: str = ""  # the variable with the key that it takes and that CI can hold, "" where it takes none
    elsewhere: Callable[[ModelSettings], str] = lambda _: ""  # the address asked, where it is not the service's own
    kept: Callable[[Collection[str], ModelSettings], None] = lambda _, __: None  # these answers are safe elsewhere
