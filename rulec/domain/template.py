"""A check template: typed parameters and documentation, then the Jinja text that renders a check's body."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rulec.domain.rule import CheckKind

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
    common: bool = False  # no template declares it itself: all of its sort have it


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
    wanted: tuple[str, ...] = ()  # what is to be used in its place
    choice: str = ""  # one value of several that exclude each other, or a limit
    family: str = ""  # what other templates are compared with this one; "" for none


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Template:
    """One file under ``templates/checks``."""

    name: str
    kind: CheckKind  # of check that it makes
    parameters: tuple[TemplateParameter, ...]
    checks: str  # what it checks, in a sentence
    avoid: str
    prefer: str
    limits: str
    unit: str = ""  # one of UNITS
    blind: str = ""  # the worst of what it does not see, in a few words
    source: str = ""
    compares: ComparedParameters = ComparedParameters()
    one_of: tuple[str, ...] = ()  # parameters of which a check gives one, and no two
