"""A compiled guard as a hook judges by it, read once from JSON: its rule's facts, its check, and what it finds."""

from __future__ import annotations

from rulec.domain.files import globs
from rulec.domain.record import Record, read_object, read_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


EVERYWHERE = ("**",)


class Places(Record):
    """Places by globs; none at all is everywhere."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def holds(self, path: str) -> bool:
        """Whether a path lies within."""
        include = self.include or EVERYWHERE
        return (include == EVERYWHERE or globs.match(include, path)) and not globs.match(self.exclude, path)


class RuleException(Places):
    """What an exception of a rule leaves alone: places, forms of commands and what these are given."""

    commands: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()


class RuleScope(Places):
    """Where a rule applies; empty is everywhere."""

    agents: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    spared: tuple[RuleException, ...] = ()  # what its exceptions leave alone of the very event that is judged


class Facts(Record):
    """What an artifact says of its rule, and what the hook adds to it."""

    slug: str
    statement: str = ""
    do: str = ""
    quote: str = ""
    said: str = ""
    severity: str = "should"
    enforcement: str = "audit"
    on_error: str = "warn"
    on_unsure: str = ""  # "" where the rule says nothing of it
    layer: str = "team"
    scope: RuleScope = RuleScope()
    exceptions: tuple[RuleException, ...] = ()
    whose: str = ""  # the tree or commit that has the rule, where that is not the tree at hand
    home: str = ""  # the personal rulebook that has it


class GuardCheck(Record):
    """A check; each kind has a class of its own, whose names are the members that ``guard_schema`` lists."""

    on: str = ""


class CommandCheck(GuardCheck):
    """Commands that are not to be run, or only in some way."""

    patterns: tuple[str, ...]
    under: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    checkout: str = ""
    arguments: str = ""
    operands: str = ""
    code: str = ""
    files: str = ""
    says: str = ""
    value: str = ""
    each: str = ""
    must: str = ""
    new_branch: str = ""
    also: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    on_branch: tuple[str, ...] = ()
    pushes: tuple[str, ...] = ()
    instead: str = ""
    rewrite: Mapping[str, str] = {}
    aliases: Mapping[str, str] = {}
    by_path: bool = False


class PathCheck(GuardCheck):
    """Files that are not to be created, changed or deleted."""

    globs: tuple[str, ...]
    except_: tuple[str, ...] = ()
    how: tuple[str, ...] = ()
    left: bool = False
    existing: bool = False
    ignored: bool = True
    generated_by: tuple[str, ...] = ()
    checkout: str = ""


class TextCheck(GuardCheck):
    """Text that is not to be put into files, or that these must have."""

    forbid: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    except_: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    header: str | None = None
    ignore_case: bool = False
    names: bool = True
    fresh: bool = False
    across: bool = False
    scripts: bool = False
    hide: bool = False
    ignored: bool = True  # also files that git ignores


class DependencyCheck(GuardCheck):
    """Packages that are not to be brought in, or not without a version."""

    forbid: tuple[str, ...] = ()
    except_: tuple[str, ...] = ()
    pin: tuple[str, ...] = ()
    digest: bool = False
    instead: str = ""


class ReplyCheck(GuardCheck):
    """What the agent is to say, or not to say."""

    forbid: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    when: str = ""
    unless: str = ""
    max_words: int = 0
    max_lines: int = 0
    most: int = 0
    language: str = ""
    after_edits: tuple[str, ...] = ()
    after_commands: tuple[str, ...] = ()
    ignore_case: bool = False
    code: bool = False
    every: bool = False
    instead: str = ""


class ToolCheck(GuardCheck):
    """Tools that are not to be called."""

    tools: tuple[str, ...]
    unless: tuple[str, ...] = ()
    arguments: Mapping[str, str] = {}
    instead: str = ""


class SessionCheck(GuardCheck):
    """What has to come before something is done, or be asked of a person."""

    before_commands: tuple[str, ...] = ()
    before_tools: tuple[str, ...] = ()
    before_packages: tuple[str, ...] = ()
    before_edits: tuple[str, ...] = ()
    before_claims: tuple[str, ...] = ()
    before_stop: bool = False
    first_commands: tuple[str, ...] = ()
    first_reads: tuple[str, ...] = ()
    first_edits: tuple[str, ...] = ()
    first_tools: tuple[str, ...] = ()
    first_all: bool = False
    first: str = ""
    since: tuple[str, ...] = ()
    since_except: tuple[str, ...] = ()
    since_commands: tuple[str, ...] = ()
    also_commands: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    except_: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    on_branch: tuple[str, ...] = ()
    admissions: tuple[str, ...] = ()
    pattern: str = ""
    how: tuple[str, ...] = ()
    may_fail: bool = False
    unmasked: bool = False
    whole: bool = False
    asks: bool = False
    proved_by: str = ""
    forms: tuple[
        tuple[str, ...], ...
    ] = ()  # of one file: each first command with its group numbers, then what they bind


class ChangeCheck(GuardCheck):
    """Files that one change must bring along together."""

    needs: tuple[str, ...] = ()
    mirrors: tuple[str, ...] = ()
    source: str = ""
    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    pattern: str = ""
    added: str = ""
    how: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    holds: str = ""
    part: bool = False
    names: bool = False
    exist: bool = False
    defines: bool = False
    comments: bool = False


CHECKS: dict[str, type[GuardCheck]] = {
    "command": CommandCheck,
    "path": PathCheck,
    "text": TextCheck,
    "dependency": DependencyCheck,
    "reply": ReplyCheck,
    "tool": ToolCheck,
    "session": SessionCheck,
    "change": ChangeCheck,
}


class CompiledRule(Record):
    """A rule with one of its checks."""

    facts: Facts
    check: GuardCheck


class EventFinding(Record):
    """A finding on an event; what is not known is empty."""

    facts: Facts  # of the rule
    path: str = ""
    line: int = 0  # 0 is the whole file
    last: int = 0
    text: str = ""
    program: str = ""
    cure: str = ""
    unsure: bool | str = False  # why it is not certain, where that is known
    fault: str = ""  # what broke: then nothing was found
    held: bool = False  # nobody can know whether the rule is kept: one that must be kept then stops
    told: bool = False  # it refuses nothing
    by_hand: bool = False  # a file that only its generator may write
    allowable: bool = False  # a person may allow it once
    asks: bool = False  # a person is to be asked
    unasked: bool = False  # no tool call showed it, so that nobody was asked
    of_others: bool = False  # it is no work of the session's
    unproved_at: str = ""  # the work tree in which a recorded run lacks
    excepted: str = ""  # until when and why
    overruled_by: str = ""  # which rule asks for the very thing, and why it goes before

    @property
    def slug(self) -> str:
        """The name of the rule."""
        return self.facts.slug

    def __eq__(self, other: object) -> bool:
        """Whether two findings say the same."""
        if not isinstance(other, EventFinding):
            return NotImplemented
        names = [name for name in EventFinding.__annotations__ if name != "facts"]
        return self.slug == other.slug and all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        """By what two findings that say the same share."""
        return hash((self.slug, self.path, self.line, self.text))


def read_rule(data: object) -> CompiledRule:
    """The rule in an artifact's JSON; ValueError where it is none."""
    told = read_object(data, "artifact")
    return CompiledRule(facts=read_facts(told.get("facts")), check=read_check(told.get("check")))


def read_check(data: object) -> GuardCheck:
    """The check in JSON; ValueError where it is none."""
    told = read_object(data, "check")
    kind = CHECKS.get(str(told.get("on")))
    if kind is None:
        raise ValueError(f"unknown check on {told.get('on')!r}")
    return read_record(kind, told)


def read_facts(data: object) -> Facts:
    """The facts in JSON; ValueError where they are none."""
    told = read_object(data, "facts")
    facts, listed = read_record(Facts, told), told.get("exceptions")
    facts.whose = facts.home = ""  # no artifact says these itself
    facts.scope = read_record(RuleScope, told.get("scope") or {})
    facts.exceptions = tuple(read_record(RuleException, one) for one in listed) if isinstance(listed, list) else ()
    return facts
