"""A rule: one decision of the team, one YAML file, with its scope, checks, examples and exceptions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rulec.domain.enforcement import OnError, OnUnsure, PinnedEnforcement, PinnedLevel, Severity

CheckKind = Literal["semgrep", "shell", "guard", "judge"]
ExampleKind = Literal[
    "command",
    "edit",
    "file",
    "commit",
    "message",
    "tool",
    "read",
    "delete",
    "rename",
    "says",
    "stop",
    "reply",
    "session",
]

EXAMPLE_SOURCES = ("transcript", "person", "statement", "challenge", "reader", "agent", "template")
"""Where an example comes from (DESIGN 5), the strongest first.

transcript: the session shows it. person: somebody wrote or confirmed it, as whoever edits a rule file does. statement:
its telling part stands word for word in the sentence of a person. challenge: whoever wrote it saw the correction and
no check. reader, agent: a model wrote it beside the wish.
template: rulec made it from the check's own parameters, so that it proves the template and never the rule.
"""
INDEPENDENT_SOURCES = EXAMPLE_SOURCES[:-1]  # of these one invalid example at least is needed before a check may block

ENVIRONMENTS = ("local", "ci")  # where a gate stands: an agent's hook and a git hook are local

AUDIENCES = ("agents",)  # for whom a rule may hold alone: at the tool call and the end of a turn, no commit or CI

RAW_TEMPLATES = {"raw-guard": "check", "raw-semgrep": "rule", "raw-shell": "script"}
"""Templates whose check its author writes out -> the parameter that holds it. Teams cannot add such."""

CATEGORIES = ("tooling", "process", "code-style", "testing", "security", "communication", "scope", "docs", "git")
LONGEST_SLUG = 80  # characters: it is a file name too
LONGEST_STATEMENT = 240  # characters of one that rulec or a model puts together


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where a rule applies."""

    include: tuple[str, ...] = ("**",)
    exclude: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()  # globs over the name of a repository, where a rulebook serves several
    environments: tuple[str, ...] = ()  # some of ENVIRONMENTS
    who: tuple[str, ...] = ()  # ("agents",): what people commit is left alone; (): whoever does it


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """How a rule is verified: a template and its parameters."""

    kind: CheckKind
    template: str
    parameters: Mapping[str, Any] = field(default_factory=dict)  # the file's ``with``
    line: int = field(default=0, compare=False)  # where it stands in its file, for refusals


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One action with a known verdict.

    command: ``text`` is the command. file: ``path`` gets the content ``text``. edit: ``old`` becomes ``text`` in
    ``path``. message: ``text`` is a commit message. commit: ``files`` are committed with message ``text``;
    some may be ``gone`` or ``moved`` by it.
    tool: the tool named ``text`` is called with ``args``. delete: the file ``path`` is deleted; rename: ``old`` becomes
    ``path``. session: ``steps`` in their order, of which the last is judged; read (of ``path``), says (the person's
    ``text``) and stop (the end of the turn, with the agent's last ``text``) stand only among steps, and a command among
    them may have failed. reply: ``text`` is what the agent says at the end of its turn; as a step, before the next.
    """

    kind: ExampleKind
    text: str
    path: str = ""
    old: str = ""
    files: tuple[tuple[str, str], ...] = ()
    gone: tuple[str, ...] = ()  # files that a commit deletes
    moved: tuple[tuple[str, str], ...] = ()  # files that it renames, each with its new path
    args: str = ""  # of a tool: its arguments as JSON
    failed: bool = False  # of a step
    steps: tuple["Example", ...] = ()
    source: str = field(default="", compare=False)  # one of SOURCES; "" in a rule file is a person's


@dataclass(frozen=True, slots=True, kw_only=True)
class Exemption:
    """What a rule leaves alone: all that lies within each of the bounds that are given, and nothing without one.

    Of the scope it heeds include, exclude, agents and environments; ``commands`` are forms of a command. ``arguments``
    are globs: they hold a command whose every path, given to it or changed by it, is one of them.
    """

    because: str
    when: str = ""
    scope: Scope = field(default_factory=Scope)
    commands: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    valid: tuple[Example, ...] = ()

    @property
    def bounded(self) -> bool:
        """Whether it says at all what it is about."""
        return bool(self._elsewhere or self.scope.environments)

    def only_in(self, environment: str) -> bool:
        """Whether it speaks of that environment, and of all that is done there."""
        return not self._elsewhere and environment in self.scope.environments

    @property
    def of_commands(self) -> bool:
        """Whether it is for commands alone, and for no file that is changed otherwise."""
        return bool(self.commands or self.arguments)

    @property
    def bounds(self) -> tuple[Scope, tuple[str, ...], tuple[str, ...]]:
        """What decides whether something lies within it."""
        return self.scope, self.commands, self.arguments

    @property
    def _elsewhere(self) -> bool:
        scope = self.scope
        return bool(self.of_commands or scope.exclude or scope.agents or set(scope.include) - {"**"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule file."""

    slug: str
    statement: str
    revision: int = 1
    rationale: str = ""
    category: str = "process"
    severity: Severity = "should"
    enforcement: PinnedEnforcement = "auto"
    on_error: OnError = "warn"
    on_unsure: OnUnsure = "warn"
    level: PinnedLevel = "auto"  # what proof a step of a plan needs that the rule was kept
    when: str = ""
    do: str = ""
    scope: Scope = field(default_factory=Scope)
    checks: tuple[Check, ...] = ()
    not_checked: tuple[str, ...] = ()  # what the statement says and no check sees, in words
    invalid: tuple[Example, ...] = ()
    valid: tuple[Example, ...] = ()
    supersedes: tuple[str, ...] = ()
    formerly: tuple[str, ...] = ()  # rules that were merged into it: their names lead here
    refines: str = ""  # the rule that it makes more precise, and with which alone it holds
    exceptions: tuple[Exemption, ...] = ()
    superseded_by: str = ""  # in the archive alone: the rule that took its place
    retired: str = ""  # in the archive alone: why a person took it out of force, where nothing took its place
    origin: str = ""  # id of the first evidence
    source: str = ""  # the file it was read from, for refusals
    layer: str = "team"  # whose it is: "team", "extends NAME" or "personal"; where its file stands says so


WEAKENED = "rulebook-weakened"
WEAKENED_STATEMENT = "A change does not weaken the gate that it has to pass, unless a person approves just that."

PROTECTED_PATHS = "protected-paths"
PROTECTED_PATHS_STATEMENT = "These paths are the team's own: an agent proposes a change of them, a person makes it."
PROTECTED_PATHS_CURE = "leave the file as it is and tell the person what you would change"
