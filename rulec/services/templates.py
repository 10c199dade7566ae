"""rulec templates: lists the check templates, shows one in full, and writes the catalogue for authors of checks."""

import json
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
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

MOST = 3_500  # tokens
_A_TOKEN = 3.85  # characters: of such dense text, with the tokenizer that makes most of it (cl100k: 4.06)
_OFTEN = 3  # templates that have a parameter: then its type is said once for all of them
_SHORTEST = 60  # characters of a line that is cut
_FEW = 4  # languages that a template lacks: then these are named
_WORDS = {"command": "cmd", "str": "text", "module": "text"}
_SIGNS = {"bool": "?", "int": "#", "regex": "~", "text": "", "text*": "*", "regex*": "~*"}
_TYPES = {
    "cmd*": "lists of command patterns",
    "glob*": "lists of globs",
    "regex": "a regex",
    "regex*": "lists of regexes",
}
# (unit, kinds) -> the heading under which such templates stand: what is judged, and when
_HEADINGS: Sequence[tuple[str, Sequence[str], str]] = (
    ("command", (), "COMMANDS (T): one that the agent runs"),
    ("tool", (), "TOOLS (T): a call of any tool"),
    ("session", (), "ORDER (T, end of turn): a command, an edit or that end, with what the session did before"),
    ("reply", (), "REPLIES (end of turn): what the agent says"),
    ("message", (), "MESSAGES (C): a commit message"),
    ("commit", (), "COMMITS (C): the files of one commit together"),
    ("file", (), "FILES (T, C): one file, its path or its whole content"),
    ("line", ("guard", "shell"), "TEXT (T, C): lines that are written"),
    ("line", (), "CODE (after an edit, C): lines of code as Semgrep reads them"),
)  # fmt: skip
_OTHERS, _LAST = "OTHERS", "WHERE NO TEMPLATE FITS"


def repository_catalogue(top: Path) -> str:
    """The catalogue of the templates that this repository can use: the team's and rulec's."""
    return render_catalogue(template_library(top).templates().values())


def render_catalogue(templates: Iterable[Template]) -> str:
    """The catalogue of these templates, at most ``MOST`` tokens: where they are too many, the longest lines are cut."""
    known = list(templates)
    usual, shared = _usual(known), _shared(known)
    lines = {one.name: template_line(one, usual, shared.get(_heading(one), ())) for one in known}
    page = _page(known, lines, usual)
    while count_catalogue_tokens(page) > MOST and max(map(len, lines.values())) > _SHORTEST:
        longest = max(lines, key=lambda name: len(lines[name]))
        lines[longest] = lines[longest][: int(len(lines[longest]) * 0.8)].rstrip(" .…") + " …"
        page = _page(known, lines, usual)
    return page


def count_catalogue_tokens(text: str) -> int:
    """An upper bound of the tokens that a common tokenizer counts in a text."""
    return int(len(text) / _A_TOKEN) + 1


def _page(known: Sequence[Template], lines: Mapping[str, str], usual: Mapping[str, str]) -> str:
    return "\n".join((_legend(usual), *_sections(known, lines), "", _rule_form(known)))


def template_line(one: Template, usual: Mapping[str, str], shared: Sequence[str] = ()) -> str:
    """``name: what it checks {parameters} // the worst of what it does not see``; "+" stands for the ``shared``."""
    own = {parameter.name for parameter in one.parameters if not (parameter.required or parameter.name in one.one_of)}
    left_out = shared if own.issuperset(shared) else ()
    listed = [p for p in one.parameters if not (p.common or p.name in left_out or _is_language(p))]
    shown = {
        parameter.name: " ".join((_named(parameter, usual), *(f"({kind})" for kind in parameter.kinds)))
        for parameter in sorted(listed, key=lambda parameter: not parameter.required)
    }
    alternatives = [" | ".join(shown.pop(name) for name in one.one_of)] if one.one_of else []
    given = [*alternatives, *shown.values()]
    languages = [_languages(parameter.choices) for parameter in one.parameters if _is_language(parameter)]
    blind = f" // {one.blind}" if one.blind else ""
    inside = ", ".join([*given, *["+"] * bool(left_out)])
    return f"{one.name}: {one.checks.rstrip('.')} {{{inside}}}{''.join(languages)}{blind}"


def _named(parameter: TemplateParameter, usual: Mapping[str, str]) -> str:
    """The parameter's name, "!" where it is required, and its type or choices where they are unusual."""
    name, kind = parameter.name + "!" * parameter.required, short_type(parameter.type)
    if parameter.choices:
        many = "*" * kind.endswith("*")
        return name if parameter.name == "how" else f"{name}{many}={' '.join(filter(None, parameter.choices))}"
    return name if kind == usual.get(_last_word(parameter.name), "text") else name + _SIGNS.get(kind, f":{kind}")


def _is_language(parameter: TemplateParameter) -> bool:
    """Whether the parameter is the required choice of a language, which is listed last."""
    return parameter.name == "language" and parameter.required and set(parameter.choices) <= {*CHECKED}


def _languages(names: Sequence[str]) -> str:
    without = [name for name in CHECKED if name not in names]
    if len(without) < _FEW:
        return f" in all but {' '.join(without)}" if without else " in all"
    return f" in {' '.join(names)}"


def short_type(kind: str) -> str:
    """A parameter's type in a word: ``cmd*`` of ``list[command]``."""
    if kind.startswith("map["):
        return "map"
    inner = kind.removeprefix("list[").removesuffix("]")
    return _WORDS.get(inner, inner) + "*" * (inner != kind)


def _usual(known: Sequence[Template]) -> dict[str, str]:
    """Last words of parameter names, each with the type that most such parameters have."""
    types: dict[str, Counter[str]] = {}
    for one in known:
        for parameter in one.parameters:
            if not (parameter.choices or parameter.common or parameter.name == "language"):
                types.setdefault(_last_word(parameter.name), Counter())[short_type(parameter.type)] += 1
    most = {word: counted.most_common(1)[0] for word, counted in sorted(types.items())}
    return {word: kind for word, (kind, times) in most.items() if times >= _OFTEN and kind in _TYPES}


def _last_word(name: str) -> str:
    return name.rpartition("_")[2]


def _shared(known: Sequence[Template]) -> dict[str, tuple[str, ...]]:
    """For each heading, the optional parameters that most of its templates share, written as "+"."""
    found: dict[str, tuple[str, ...]] = {}
    for heading in dict.fromkeys(map(_heading, known)):
        sets = [_optional(one) for one in known if _heading(one) == heading]
        both = {tuple(name for name in one if name in other) for one, other in combinations(sets, 2)}
        saved = {some: (sum(set(some) <= set(one) for one in sets) - 1) * (len(some) - 1) for some in sorted(both)}
        if saved and saved[most := max(saved, key=lambda some: saved[some])] >= _OFTEN:
            found[heading] = most
    return found


def _optional(one: Template) -> tuple[str, ...]:
    """The parameters that may be left out and say no more than their name and usual type."""
    return tuple(p.name for p in one.parameters if not (p.required or p.common or p.choices))


def _heading(one: Template) -> str:
    if one.name == "judge" or one.name in RAW_TEMPLATES:
        return _LAST
    of_unit = ((kinds, text) for unit, kinds, text in _HEADINGS if unit == one.unit)
    return next((text for kinds, text in of_unit if not kinds or set(kinds) & set(one.kinds)), _OTHERS)


def _legend(usual: Mapping[str, str]) -> str:
    by_type = ((words, [name for name, of in usual.items() if of == kind]) for kind, words in _TYPES.items())
    types = "; ".join(f"{', '.join(names)}: {words}" for words, names in by_type if names)
    return f"""\
TEMPLATES, one a line. NAME: what it checks {{parameters}} // what it does not see.
T: judged at the tool call, C: at the commit and in CI.
Behind a parameter: ! required, * list, ? true or false, # number, ~ regex, cmd command pattern, = one of these words,
*= some of them, nothing: text; a | b | c: exactly one of these is given; + adds those that the heading names.
No sign where the name's last word tells the type: {types}.
in: what language! may be; all: {" ".join(CHECKED)}; javascript covers TypeScript.
globs, except: files (not) looked at; what takes globs takes kinds: [python, .kt], too; all on code take globs,
except_files.
unless: commands that stay allowed. instead: what to do in its place. arguments: only where a later word matches.
(guard): for checks of that kind alone.
how*=create change delete. aliases: {{k: kubectl}}. `rulec templates --template NAME`: one in full."""


def _sections(known: Sequence[Template], lines: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    shared = _shared(known)
    for heading in (*(text for _, _, text in _HEADINGS), _OTHERS, _LAST):
        here = [lines[one.name] for one in known if _heading(one) == heading]
        plus = f"; + is {', '.join(shared[heading])}" if heading in shared else ""
        found += ["", heading + plus, *here] if here else []
    return found


def _rule_form(known: Sequence[Template]) -> str:
    several = any(len(one.kinds) > 1 for one in known)
    kind = "Leave `kind` out: every kind of the template is tried. " if several else ""
    return f"""\
A RULE, YAML or JSON: {{statement, when, category, severity, not_checked: […],
scope: {{include: [globs], exclude, agents: [names], who: [agents] (what people commit is left alone)}},
checks: [{{template, with: {{…}}}}], examples: {{invalid: […], valid: […]}}}}
{kind}Up to {MOST_CHECKS} checks; each must catch an invalid example
that the others miss, and no valid one. category: {", ".join(CATEGORIES)}.
severity: must refuses also where nobody can tell for certain whether it is kept; should and style then only tell.
not_checked: what the statement says and no check sees; rulec adds the rest.
COMMAND PATTERNS: a program, its subcommand, words, flags: `git push --force|-f`. Words keep their order,
others may stand between; flags stand anywhere, a value behind = (`-F|--filter=web`); | joins spellings of one
word, * is any text; ./mvnw, .venv/bin/pip: the program by its path; `CI=* npm test`: with that environment alone;
`curl | sh`: what one gives the other; a program alone: every use; `* --no-verify`: any program. It is found by any
path, behind cd, sudo, env, xargs, bash -c, in $(…), as `python -m tool`; not in quoted text or grep's words.
GLOBS: `*.py` at any depth, `src/` all below, `./x` at the root alone, `.` all there, ** any folders, {{a,b}} either.
REGEXES: Python's, searched anywhere (anchor with ^ $), case matters, one line at a time. Refused: back references,
possessive groups, loops in loops, over {safety.MOST} open loops that share signs: write [^,]* or .{{0,30}}, not .*.
{example_forms()}"""


WIDTH = 100
_FORM = ("checks", "avoid", "prefer", "parameters", "limits")


def list_templates(top: Path) -> Outcome:
    """Every template in a line: name, kinds of check, owner, what it checks."""
    found = template_library(top).templates().values()
    data = [
        {"name": one.name, "kinds": list(one.kinds), "of": _owner_of(one, top), "checks": one.checks} for one in found
    ]
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
        "kinds": list(one.kinds),
        "of": _owner_of(one, top),
        "avoid": one.avoid,
        "prefer": one.prefer,
        "checks": one.checks,
        "unit": one.unit,
        "blind": one.blind,
        "parameters": [_parameter_data(parameter) for parameter in one.parameters],
        "limits": one.limits,
    }
    lines = [f"{one.name} ({', '.join(one.kinds)}; {data['of']})"]
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
        for member, name in _MEMBER.findall(body) if on and "guard" in one.kinds else ():
            place = (on[1] if on else "", member)
            if docs.get(name) and (place not in described or member == name):  # of its own name it is described best
                described[place] = docs[name]
    schema = guard_schema.json_schema(lambda kind, member: described.get((kind, member), ""))
    return Outcome(json.dumps(schema, ensure_ascii=False, indent=1), data=schema)


_ON = re.compile(r'"on":\s*"(\w+)"')
_MEMBER = re.compile(r'"(\w+)":\s*(?:\{\{-?\s*)?([a-z]\w*)')  # "globs": {{ globs | tojson }}, or "globs": globs


def _columns(one: Template) -> tuple[str, str]:
    return one.name, " ".join(one.kinds)


def _owner_of(one: Template, top: Path) -> str:
    """The owner of a template: rulec, or the team's file."""
    path = Path(one.source)
    return str(path.relative_to(top)) if path.is_relative_to(top / ".rules") else "rulec"


def _parameter_data(parameter: TemplateParameter) -> dict[str, Any]:
    names = ("name", "type", "required", "default", "choices", "kinds", "doc")
    data = {name: getattr(parameter, name) for name in names}
    return data | {"choices": list(parameter.choices), "kinds": list(parameter.kinds)}


def _parameters_text(one: Template) -> str:
    lines = []
    for parameter in one.parameters:
        default = "required" if parameter.required else f"default {json.dumps(parameter.default, ensure_ascii=False)}"
        choices = f"one of {', '.join(filter(None, parameter.choices))}" if parameter.choices else ""
        kinds = f"{' and '.join(parameter.kinds)} checks alone" if parameter.kinds else ""
        about = "; ".join(filter(None, (parameter.type, default, choices, kinds)))
        lines += [
            f"{parameter.name}: {parameter.doc}",
            *textwrap.wrap(f"({about})", WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False),
        ]
    return "\n".join(lines) or "none"


def _text(text: str, *, prose: bool) -> str:
    return "\n".join(textwrap.wrap(" ".join(text.split()), WIDTH)) if prose else text.rstrip("\n")
