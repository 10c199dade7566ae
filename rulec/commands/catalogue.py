"""The catalogue of check templates: what somebody who writes a check needs to choose well, in a few pages.

One line a template, derived from its header; then one page on what all of them share. ``MOST`` tokens are its bound,
since every prompt that asks a model for a check carries it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rulec import examplefile
from rulec.commands._build import library
from rulec.model.exchange import tokens
from rulec.model.rule import CATEGORIES, RAW
from rulec.model.template import Parameter, Template
from rulec.patterns import safety

MOST = 3_500  # tokens
_SHORTEST = 60  # characters of a line that is cut
_FEW = 4  # languages that a template lacks: then these are named
_WORDS = {"command": "cmd", "str": "text", "module": "text"}
_SIGNS = {"bool": "?", "int": "#", "regex": "~", "text": "", "text*": "*", "regex*": "~*"}
_LANGUAGES = {
    "python": "py", "javascript": "js", "typescript": "ts", "java": "java", "ruby": "rb", "php": "php", "rust": "rs",
    "go": "go", "c": "c", "cpp": "cpp", "bash": "sh",
}  # fmt: skip
# (unit, kinds) -> the heading under which such templates stand: what is judged, and when
_HEADINGS: Sequence[tuple[str, Sequence[str], str]] = (
    ("command", (), "COMMANDS: one that the agent runs, at the tool call"),
    ("tool", (), "TOOLS: a call of any tool, at the tool call"),
    ("session", (), "ORDER: a command, an edit or the end of the turn, with what the session did before"),
    ("reply", (), "REPLIES: what the agent says, at the end of the turn"),
    ("message", (), "MESSAGES: a commit message, at the commit and in CI"),
    ("commit", (), "COMMITS: the files of one commit together, at the commit and in CI"),
    ("file", (), "FILES: one file, its path or its whole content, at the tool call, at the commit and in CI"),
    ("line", ("guard",), "TEXT: lines that are written, at the tool call, at the commit and in CI"),
    ("line", (), "CODE: lines of code as Semgrep reads them, after an edit, at the commit and in CI"),
)  # fmt: skip


def text(top: Path) -> str:
    """The catalogue of the templates at hand: the team's own and ours."""
    return of(library(top).templates().values())


def of(templates: Iterable[Template]) -> str:
    """The catalogue of these templates, at most ``MOST`` tokens: where they are too many, the longest lines are cut."""
    known = list(templates)
    usual = _usual(known)
    lines = {one.name: line(one, usual) for one in known}
    page = _page(known, lines, usual)
    while tokens(page) > MOST and max(map(len, lines.values())) > _SHORTEST:
        longest = max(lines, key=lambda name: len(lines[name]))
        lines[longest] = lines[longest][: int(len(lines[longest]) * 0.8)].rstrip(" .…") + " …"
        page = _page(known, lines, usual)
    return page


def _page(known: Sequence[Template], lines: Mapping[str, str], usual: Mapping[str, str]) -> str:
    return "\n".join((_legend(usual), *_sections(known, lines), "", _shared(known)))


def line(one: Template, usual: Mapping[str, str]) -> str:
    """``name: what it checks {parameters} ✗ the worst of what it does not see``."""
    given = ", ".join(_parameter(parameter, usual) for parameter in _ordered(one.parameters) if not parameter.common)
    blind = f" ✗ {one.blind}" if one.blind else ""
    return f"{one.name}: {one.checks.rstrip('.')} {{{given}}}{blind}"


def _ordered(parameters: Sequence[Parameter]) -> list[Parameter]:
    return sorted(parameters, key=lambda parameter: not parameter.required)


def _parameter(parameter: Parameter, usual: Mapping[str, str]) -> str:
    """The parameter, and the kinds of check that know it where these are not all of its template's."""
    return " ".join((_named(parameter, usual), *(f"({kind})" for kind in parameter.kinds)))


def _named(parameter: Parameter, usual: Mapping[str, str]) -> str:
    """Name, "!" where it is required, and its type or choices where these are not as usual."""
    name, kind = parameter.name + "!" * parameter.required, short(parameter.type)
    if parameter.name == "language" and set(parameter.choices) <= {*_LANGUAGES}:
        return f"{name}={_languages(parameter.choices)}"
    if parameter.choices:
        many = "*" * kind.endswith("*")
        return name if parameter.name == "how" else f"{name}{many}={'|'.join(filter(None, parameter.choices))}"
    return name if kind == usual.get(parameter.name, "text") else name + _SIGNS.get(kind, f":{kind}")


def _languages(names: Sequence[str]) -> str:
    without = [code for name, code in _LANGUAGES.items() if name not in names]
    if len(without) < _FEW:
        return f"all but {' '.join(without)}" if without else "all"
    return " ".join(_LANGUAGES.get(name, name) for name in names)


def short(kind: str) -> str:
    """A parameter's type in a word: ``cmd*`` of ``list[command]``."""
    if kind.startswith("map["):
        return "map"
    inner = kind.removeprefix("list[").removesuffix("]")
    return _WORDS.get(inner, inner) + "*" * (inner != kind)


def _usual(known: Sequence[Template]) -> dict[str, str]:
    """Parameters that several templates have, with the type that most of them give it."""
    types: dict[str, Counter[str]] = {}
    for one in known:
        for parameter in one.parameters:
            if not parameter.choices and parameter.name != "language":
                types.setdefault(parameter.name, Counter())[short(parameter.type)] += 1
    most = {name: counted.most_common(1)[0] for name, counted in sorted(types.items())}
    return {name: kind for name, (kind, times) in most.items() if times > 1 and kind != "text"}


def _legend(usual: Mapping[str, str]) -> str:
    by_type: dict[str, list[str]] = {}
    for name, kind in usual.items():
        by_type.setdefault(kind, []).append(name)
    types = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in sorted(by_type.items()))
    languages = ", ".join(f"{code} {name}" for name, code in _LANGUAGES.items() if code != name)
    return f"""\
TEMPLATES, one a line. NAME: what it checks {{parameters}} ✗ what it does not see.
! required, * a list, ? true or false, # a number, ~ a regex, cmd a command pattern, a|b the choices; else text, or
{types}.
language: write the whole name of {languages}; js covers TypeScript. globs, except: files that are (not) looked at;
beside globs all take kinds: [python, .kt]; all on code take globs, except_files.
unless: commands that stay allowed. instead: what to do in its place. arguments: only where a later word matches.
(guard): for checks of that kind alone.
how*=create|change|delete. aliases: {{k: kubectl}}. `rulec templates --template NAME` shows one with its cases."""


def _sections(known: Sequence[Template], lines: Mapping[str, str]) -> list[str]:
    left = [one for one in known if one.name != "judge" and one.name not in RAW]
    found: list[str] = []
    for unit, kinds, heading in _HEADINGS:
        here = [one for one in left if one.unit == unit and (not kinds or not set(one.kinds) - set(kinds))]
        left = [one for one in left if one not in here]
        found += ["", heading, *(lines[one.name] for one in here)] if here else []
    found += ["", "OTHERS", *(lines[one.name] for one in left)] if left else []
    last = [one for one in known if one.name == "judge" or one.name in RAW]
    return [*found, "", "WHERE NO TEMPLATE FITS", *(lines[one.name] for one in last)]


def _shared(known: Sequence[Template]) -> str:
    forms = "; ".join("{" + ", ".join(f"{key}: …" for key in keys) + "}" for keys in examplefile.forms().values())
    steps = ", ".join(examplefile.step_forms())
    several = any(len(one.kinds) > 1 for one in known)
    kind = "Leave `kind` out: every kind that the template makes is tried. " if several else ""
    return f"""\
A RULE: {{statement, when, category, scope: {{include: [globs], exclude: [globs], agents: []}}, not_checked: […],
checks: [{{template, with: {{…}}}}], examples: {{invalid: […], valid: […]}}}}; as YAML or JSON.
{kind}Each check must catch an invalid example that the others
miss, and no valid one. category: {", ".join(CATEGORIES)}.
not_checked: what the statement says and no check sees, in words; to leave it out in silence is refused.
COMMAND PATTERNS name a program with its subcommand, words and flags: `git push --force|-f`. Words keep their order,
other words may stand between; flags stand anywhere, a value behind = (`--filter=web`, `-F web`);
| joins spellings of one word, * is any text; ./mvnw or
.venv/bin/pip: the program by its path; `CI=* npm test`: only with that in its environment; `curl | sh` is
what one gives to the other. A program alone means every use of it. It is found by any path, behind cd, sudo, env,
xargs, bash -c, in $(…), and as `python -m tool`; not in quoted text or grep's words.
GLOBS: `*.py` at any depth, `src/` all below, `./x` at the root alone, `.` all that lies there, ** any folders,
{{a,b}} either.
REGEXES are Python's, searched anywhere (anchor with ^ $), case matters, one line at a time. Refused: back references,
possessive groups, loops in loops, over {safety.MOST} open loops that share signs: write [^,]* or .{{0,30}}, not .*.
EXAMPLES are whole actions, as an agent does them: {forms}.
Steps of a session, the last is judged: {steps}; a command may say failed: true.
Code in an example must parse. A valid example looks as much like an offence as it can."""
