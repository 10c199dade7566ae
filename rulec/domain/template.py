"""A check template: typed parameters, documentation and cases, then the Jinja text that renders a check's body."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulec.domain.rule import CheckKind, Example

Render = Callable[[str, Mapping[str, Any]], str]  # template name and context -> text


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateParameter:
    """One declared parameter; ``type`` is str, int, bool, regex, glob, command or list[...] of these."""

    name: str
    type: str
    doc: str
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    kinds: tuple[CheckKind, ...] = ()  # the kinds of check that know it; () means all of the template's
    common: bool = False  # no template declares it itself: all of its sort have it


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCase:
    """The template's own examples under one set of parameters."""

    parameters: Mapping[str, Any]
    invalid: tuple[Example, ...]
    valid: tuple[Example, ...]
    kinds: tuple[CheckKind, ...] = ()  # the kinds this case is for; () means all of the template's


FINDING_UNITS = (
    "command",
    "tool",
    "session",
    "file",
    "line",
    "commit",
    "message",
    "reply",
)  # what one finding is about


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedParameters:
    """The parameters by whose values two rules are compared, each by its name; "" where the template has none."""

    forbidden: str = ""  # what is refused
    wanted: str = ""  # what is to be used in its place
    choice: str = ""  # one value of several that exclude each other, or a limit
    family: str = ""  # what other templates are compared with this one; "" for none


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Template:
    """One file under ``templates/checks``; its cases, most of the file, are read when they are first asked for."""

    name: str
    kinds: tuple[CheckKind, ...]
    parameters: tuple[TemplateParameter, ...]
    checks: str  # what it checks, in a sentence
    avoid: str
    prefer: str
    limits: str
    unit: str = ""  # one of UNITS
    blind: str = ""  # the worst of what it does not see, in a few words
    source: str = ""
    speaks: tuple[str, ...] = ()  # words by which a note speaks of what it checks
    compares: ComparedParameters = ComparedParameters()
    read_cases: Callable[[], tuple[TemplateCase, ...]] = field(default=tuple, compare=False, repr=False)

    @property
    def cases(self) -> tuple[TemplateCase, ...]:
        """The template's examples."""
        return self.read_cases()
