"""What the emitters' tests share: a plan, the real templates, and the round trip that every emitter owes."""

from rulec import registry
from rulec.checks import template_library
from rulec.domain.artifact import CompilePlan
from rulec.domain.plugs import Integration
from rulec.domain.rule import Rule

RULES = (
    Rule(
        slug="use-pnpm",
        statement="Use pnpm, never npm",
        severity="must",
        when="installing packages",
        do="run `pnpm add NAME`",
    ),
    Rule(slug="no-print", statement="No print in library code.", severity="should"),
    Rule(slug="short-names", statement="Short names for short lives", severity="style"),
)
PLAN = CompilePlan(rules=RULES)
render = template_library.open_library().render


def integration(name: str) -> Integration:
    """The integration of that name."""
    return registry.emitters()[name]


def emitted(plug: Integration, text: str | None, plan: CompilePlan = PLAN) -> str:
    """The whole new text of the emitter's one file."""
    (path,) = plug.files
    (artifact,) = plug.emit(plan, render, {} if text is None else {path: text})
    assert artifact.path == path
    assert artifact.text is not None
    return artifact.text


def removed(plug: Integration, text: str) -> str | None:
    """What is left without our part."""
    return plug.remove(plug.files[0], text)


def owes_nothing(plug: Integration, text: str | None, plan: CompilePlan = PLAN) -> str:
    """Emit twice is emit once, and remove gives the very text back; returns what was emitted."""
    once = emitted(plug, text, plan)
    assert emitted(plug, once, plan) == once
    assert removed(plug, once) == text
    return once
