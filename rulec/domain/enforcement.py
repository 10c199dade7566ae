"""What a finding of a rule does, from the loosest to the strictest, how grave a rule is, and its level at a step."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # as a type checker has to see it; at run time the same follows from the table (see __getattr__)
    from typing import Any, Literal, TypeVar

    Name = TypeVar("Name", bound=str)
    Severity = Literal["must", "should", "style"]
    Enforcement = Literal["audit", "warn", "block"]
    PinnedEnforcement = Literal["auto", Enforcement]
    OnError = Literal["warn", "block"]
    OnUnsure = Enforcement  # what a finding that is not certain may do at most

    PinnedLevel = Literal["auto", "remind", "strict", "testable"]

SEVERITIES = ("must", "should", "style")  # the gravest first
LEVELS = ("remind", "strict", "testable")  # of a rule at a step of a plan, the mildest first (ZORO, Enrich)
PINNED_LEVELS: tuple[PinnedLevel, ...] = ("auto", "remind", "strict", "testable")  # auto follows from the severity


class Mode:
    """What a finding does in one mode, and the words for it."""

    __slots__ = ("did", "does", "heading", "level", "name", "refuses", "shown")

    def __init__(
        self, name: Enforcement, *, shown: bool, refuses: bool, level: str, does: str, did: str, heading: str
    ) -> None:
        self.name = name
        self.shown = shown  # to whoever made the change; else only counted
        self.refuses = refuses  # the change, the command or the end of the turn
        self.level = level  # error, warning or note, as SARIF and GitHub call it
        self.does, self.did = does, did  # the rule "blocks", the finding was "blocked"
        self.heading = heading  # before the rule's name


MODES: dict[str, Mode] = {  # from the loosest: every order, choice and list of words follows from this table
    mode.name: mode
    for mode in (
        Mode("audit", shown=False, refuses=False, level="note", does="audits", did="audited", heading="audited for"),
        Mode("warn", shown=True, refuses=False, level="warning", does="warns", did="warned", heading="warning from"),
        Mode("block", shown=True, refuses=True, level="error", does="blocks", did="blocked", heading="refused by"),
    )
}
ENFORCEMENTS = tuple(mode.name for mode in MODES.values())
PINS: tuple[PinnedEnforcement, ...] = ("auto", *ENFORCEMENTS)  # what a person may set; auto leaves it to the evidence
LOOSEST, STRICTEST = ENFORCEMENTS[0], ENFORCEMENTS[-1]
SHOWN = tuple(mode.name for mode in MODES.values() if mode.shown)


_TYPES = {
    "Severity": SEVERITIES,
    "Enforcement": ENFORCEMENTS,
    "PinnedEnforcement": PINS,
    "OnError": SHOWN,
    "OnUnsure": ENFORCEMENTS,
    "PinnedLevel": PINNED_LEVELS,
}


def __getattr__(name: str) -> Any:
    """The types above, made where they are imported: the hook needs none, and typing would cost it a millisecond."""
    if name not in _TYPES:
        raise AttributeError(name)
    from typing import Literal  # noqa: PLC0415 (as the docstring says)

    return Literal[_TYPES[name]]


def level_to_note(level: PinnedLevel, severity: str, pinned: str) -> PinnedLevel:
    """What compiled files say of a rule's level: "auto" where it follows from the severity alone.

    A rule that people pinned to less than block only reminds at a step, unless they set its level as well.
    """
    mild = severity == SEVERITIES[0] and pinned in MODES and not MODES[pinned].refuses
    return "remind" if level == "auto" and mild else level


def level_at_steps(noted: object, severity: object) -> str:
    """The level of a rule at a step, from what its compiled files note and its severity."""
    if isinstance(noted, str) and noted in LEVELS:
        return noted
    return LEVELS[1] if severity == SEVERITIES[0] else LEVELS[0]


def strictness(mode: str) -> int:
    """The place of a mode in the order, the higher the stricter; -1 of what is none, such as "pass"."""
    return ENFORCEMENTS.index(mode) if mode in MODES else -1


def at_most(mode: Name, limit: Name) -> Name:
    """The mode, or the limit where that is looser."""
    return mode if strictness(mode) <= max(strictness(limit), 0) else limit


def in_words(mode: str) -> str:
    """What a rule does in the mode: it "blocks"; without a check it "reminds"."""
    return MODES[mode].does if mode in MODES else "reminds"


def refuses(outcome: object) -> bool:
    """Whether something with this outcome does not go through; False for what is no mode."""
    return isinstance(outcome, str) and outcome in MODES and MODES[outcome].refuses


def is_shown(outcome: object) -> bool:
    """Whether whoever made the change is told of it; False for what is no mode."""
    return isinstance(outcome, str) and outcome in MODES and MODES[outcome].shown
