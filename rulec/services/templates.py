"""rulec templates: lists the check templates, shows one in full, and writes the catalogue for authors of checks."""

import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rulec.checks.guard import guard_schema
from rulec.compiling.artifacts import template_library
from rulec.domain.files.languages import CHECKED
from rulec.domain.outcome import Outcome
from rulec.domain.patterns import safety
from rulec.domain.rule import CATEGORIES, RAW_TEMPLATES
from rulec.domain.template import Template, TemplateParameter
from rulec.drafting.draft_json import MOST_CHECKS, example_forms

_A_TOKEN = 3.85  # characters: of such dense text, with the tokenizer that makes most of it (cl100k: 4.06)
_FEW = 4  # languages that a template lacks: then these are named
_SIGNS = {  # what stands behind a parameter's name for its type
    "str": "", "module": "", "bool": "?", "int": "#", "regex": "~", "command": ":cmd", "glob": ":glob",
}  # fmt: skip
# (unit, kind) -> the heading under which such templates stand: what is judged, and when
_HEADINGS: Sequence[tuple[str, str, str]] = (
    ("command", "", "COMMANDS (T): one that the agent runs"),
    ("tool", "", "TOOLS (T): a call of any tool"),
    ("session", "", "ORDER (T, end of turn): a command, an edit or that end, with what the session did before"),
    ("reply", "", "REPLIES (end of turn): what the agent says"),
    ("message", "", "MESSAGES (C): a commit message"),
    ("commit", "", "COMMITS (C): the files of one commit together"),
    ("file", "", "FILES (T, C): one file, its path or its whole content"),
    ("line", "guard", "TEXT (T, C): lines that are written"),
    ("line", "", "CODE (after an edit, C): lines of code as Semgrep reads them"),
)  # fmt: skip
_OTHERS, _LAST = "OTHERS", "WHERE NO TEMPLATE FITS"


def repository_catalogue(top: Path) -> str:
    """The catalogue of the templates that this repository can use: the team's and rulec's."""
    return render_catalogue(template_library(top).templates().values())


def render_catalogue(templates: Iterable[Template]) -> str:
    """The catalogue of these templates."""
    known = list(templates)
    return "\n".join((_LEGEND, *_sections(known), "", _rule_form()))


def count_catalogue_tokens(text: str) -> int:
    """An upper bound of the tokens that a common tokenizer counts in a text."""
    return int(len(text) / _A_TOKEN) + 1


def template_line(one: Template) -> str:
    """``name: what it checks {parameters} // the worst of what it does not see``."""
    listed = [p for p in one.parameters if not (p.common or _is_language(p))]
    shown = {
        parameter.name: _named(parameter) for parameter in sorted(listed, key=lambda parameter: not parameter.required)
    }
    alternatives = [" | ".join(shown.pop(name) for name in one.one_of)] if one.one_of else []
    given = [*alternatives, *shown.values()]
    languages = [_languages(parameter.choices) for parameter in one.parameters if _is_language(parameter)]
    blind = f" // {one.blind}" if one.blind else ""
    return f"{one.name}: {one.checks.rstrip('.')} {{{', '.join(given)}}}{''.join(languages)}{blind}"


def _named(parameter: TemplateParameter) -> str:
    """The parameter's name, "!" where it is required, and its type or choices."""
    name, many = parameter.name + "!" * parameter.required, "*" * parameter.type.startswith("list[")
    if parameter.name == "how":
        return name
    if parameter.choices:
        return f"{name}{many}={' '.join(filter(None, parameter.choices))}"
    kind = "map" if parameter.type.startswith("map[") else parameter.type.removeprefix("list[").removesuffix("]")
    return f"{name}{_SIGNS.get(kind, f':{kind}')}{many}"


def _is_language(parameter: TemplateParameter) -> bool:
    """Whether the parameter is the required choice of a language, which is listed last."""
    return parameter.name == "language" and parameter.required and set(parameter.choices) <= {*CHECKED}


def _languages(names: Sequence[str]) -> str:
    without = [name for name in CHECKED if name not in names]
    if len(without) < _FEW:
        return f" in all but {' '.join(without)}" if without else " in all"
    return f" in {' '.join(names)}"


def _heading(one: Template) -> str:
    if one.name == "judge" or one.name in RAW_TEMPLATES:
        return _LAST
    of_unit = ((kind, text) for unit, kind, text in _HEADINGS if unit == one.unit)
    return next((text for kind, text in of_unit if kind in ("", one.kind)), _OTHERS)


_LEGEND = f"""\
TEMPLATES, one a line. NAME: what it checks {{parameters}} // what it does not see.
T: judged at the tool call, C: at the commit and in CI.
Behind a parameter: ! required, ? true or false, # number, ~ regex, :cmd command pattern, :glob, :map, nothing: text;
* a list of these; = one of these words, *= some of them; a | b | c: exactly one of these is given.
in: what language! may be; all: {" ".join(CHECKED)}; javascript covers TypeScript.
globs, except: files (not) looked at; what takes globs takes kinds: [python, .kt], too; all on code take globs,
except_files.
unless: commands that stay allowed. instead: what to do in its place. arguments: only where a later word
matches, options too; operands: only where one matches that is no option and no option's value.
how*=create change delete. aliases: {{k: kubectl}}. `rulec templates --template NAME`: one in full."""


def _sections(known: Sequence[Template]) -> list[str]:
    found: list[str] = []
    for heading in (*(text for _, _, text in _HEADINGS), _OTHERS, _LAST):
        here = [template_line(one) for one in known if _heading(one) == heading]
        found += ["", heading, *here] if here else []
    return found


def _rule_form() -> str:
    return f"""\
A RULE, YAML or JSON: {{statement, when, category, severity, not_checked: […],
scope: {{include: [globs], exclude, agents: [names], who: [agents] (what people commit is left alone)}},
checks: [{{template, with: {{…}}}}], examples: {{invalid: […], valid: […]}}}}
Up to {MOST_CHECKS} checks; each must catch an invalid example
that the others miss, and no valid one. category: {", ".join(CATEGORIES)}.
severity: must refuses also where nobody can tell for certain whether it is kept; should and style then only tell.
not_checked: what the statement says and no check sees; rulec adds the rest.
COMMAND PATTERNS: a program, its subcommand, words, flags: `git push --force|-f`. Words keep their order,
others may stand between; flags stand anywhere, a value behind = (`-F|--filter=web`); | joins spellings of one
word, * is any text; ./mvnw, .venv/bin/pip: the program by its path; `CI=* npm test`: with that environment alone;
`curl | sh`: what one gives the other; a program alone: every use; `* --no-verify`: any program. It is found by any
path, behind cd, sudo, env, xargs, bash -c, in $(…), as `python -m tool`; not in quoted text or grep's words.
GLOBS: `*.py` and `src/` (all below it) at any depth, `a/b.json` and `./x` from the root, `.` the root's own files,
`**` every file, {{a,b}} either; no [1-3].
REGEXES: Python's, searched anywhere (anchor with ^ $), case matters, one line at a time. Refused: back references,
possessive groups, loops in loops, over {safety.MOST} open loops that share signs: write [^,]* or .{{0,30}}, not .*.
{example_forms()}"""


WIDTH = 100
_FORM = ("checks", "avoid", "prefer", "parameters", "limits")


def list_templates(top: Path) -> Outcome:
    """Every template in a line: name, kind of check, owner, what it checks."""
    found = template_library(top).templates().values()
    data = [{"name": one.name, "kind": one.kind, "of": _owner_of(one, top), "checks": one.checks} for one in found]
    width, kinds = (max(len(text) for text in texts) for texts in zip(*map(_columns, found), strict=True))
    lines = []
    for one, row in zip(found, data, strict=True):
        name, kind = _columns(one)
        ours = "" if row["of"] == "rulec" else "(yours) "
        lines.append(f"{name:{width}}  {kind:{kinds}}  {ours}{row['checks']}")
    return Outcome("\n".join(lines), data=data)


def show_template(top: Path, name: str) -> Outcome:
    """One template in full: Checks, Avoid, Prefer, Parameters, Limits."""
    one = template_library(top).template(name)
    data = {
        "name": one.name,
        "kind": one.kind,
        "of": _owner_of(one, top),
        "avoid": one.avoid,
        "prefer": one.prefer,
        "checks": one.checks,
        "unit": one.unit,
        "blind": one.blind,
        "parameters": [_parameter_data(parameter) for parameter in one.parameters],
        "limits": one.limits,
    }
    lines = [f"{one.name} ({one.kind}; {data['of']})"]
    for part in _FORM:
        text = (
            _parameters_text(one)
            if part == "parameters"
            else _text(getattr(one, part), prose=part in ("checks", "limits"))
        )
        lines += ["", part.capitalize(), textwrap.indent(text, "  ")]
    return Outcome("\n".join(lines), data=data)


def show_catalogue(top: Path) -> Outcome:
    """The catalogue for whoever writes a check."""
    text = repository_catalogue(top)
    return Outcome(text, data={"catalogue": text, "tokens": count_catalogue_tokens(text)})


def show_guard_schema(top: Path) -> Outcome:
    """The JSON Schema of raw-guard's parameter, with the descriptions of templates that use its parts."""
    described: dict[tuple[str, str], str] = {}
    for one in template_library(top).templates().values():
        body = Path(one.source).read_text("utf-8").partition("\n#}\n")[2]
        on = _ON.search(body)
        docs = {parameter.name: parameter.doc for parameter in one.parameters}
        for member, name in _MEMBER.findall(body) if on and one.kind == "guard" else ():
            place = (on[1] if on else "", member)
            if docs.get(name) and (place not in described or member == name):  # of its own name it is described best
                described[place] = docs[name]
    schema = guard_schema.json_schema(lambda kind, member: described.get((kind, member), ""))
    return Outcome(json.dumps(schema, ensure_ascii=False, indent=1), data=schema)


_ON = re.compile(r'"on":\s*"(\w+)"')
_MEMBER = re.compile(r'"(\w+)":\s*(?:\{\{-?\s*)?([a-z]\w*)')  # "globs": {{ globs | tojson }}, or "globs": globs


def _columns(one: Template) -> tuple[str, str]:
    return one.name, one.kind


def _owner_of(one: Template, top: Path) -> str:
    """The owner of a template: rulec, or the team's file."""
    path = Path(one.source)
    return str(path.relative_to(top)) if path.is_relative_to(top / ".rules") else "rulec"


def _parameter_data(parameter: TemplateParameter) -> dict[str, Any]:
    names = ("name", "type", "required", "default", "choices", "doc")
    data = {name: getattr(parameter, name) for name in names}
    return data | {"choices": list(parameter.choices)}


def _parameters_text(one: Template) -> str:
    lines = []
    for parameter in one.parameters:
        default = "required" if parameter.required else f"default {json.dumps(parameter.default, ensure_ascii=False)}"
        choices = f"one of {', '.join(filter(None, parameter.choices))}" if parameter.choices else ""
        about = "; ".join(filter(None, (parameter.type, default, choices)))
        lines += [
            f"{parameter.name}: {parameter.doc}",
            *textwrap.wrap(f"({about})", WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False),
        ]
    return "\n".join(lines) or "none"


def _text(text: str, *, prose: bool) -> str:
    return "\n".join(textwrap.wrap(" ".join(text.split()), WIDTH)) if prose else text.rstrip("\n")
