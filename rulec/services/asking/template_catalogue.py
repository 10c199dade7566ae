"""The catalogue of check templates: what somebody who writes a check needs to choose one, in a few pages."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from rulec.compiling.artifacts import template_library
from rulec.domain.files.languages import CHECKED
from rulec.domain.patterns import safety
from rulec.domain.rule import CATEGORIES, RAW_TEMPLATES
from rulec.domain.template import Template, TemplateParameter
from rulec.rulebook import example_file

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
    return "\n".join((_legend(usual), *_sections(known, lines), "", _rest(known)))


def template_line(one: Template, usual: Mapping[str, str], shared: Sequence[str] = ()) -> str:
    """``name: what it checks {parameters} // the worst of what it does not see``; "+" stands for the ``shared``."""
    own = {parameter.name for parameter in one.parameters if not parameter.required}
    left_out = shared if own.issuperset(shared) else ()
    given = [
        _parameter(parameter, usual)
        for parameter in _ordered(one.parameters)
        if not (parameter.common or parameter.name in left_out or _is_language(parameter))
    ]
    languages = [_languages(parameter.choices) for parameter in one.parameters if _is_language(parameter)]
    blind = f" // {one.blind}" if one.blind else ""
    inside = ", ".join([*given, *["+"] * bool(left_out)])
    return f"{one.name}: {one.checks.rstrip('.')} {{{inside}}}{''.join(languages)}{blind}"


def _ordered(parameters: Sequence[TemplateParameter]) -> list[TemplateParameter]:
    return sorted(parameters, key=lambda parameter: not parameter.required)


def _parameter(parameter: TemplateParameter, usual: Mapping[str, str]) -> str:
    """A parameter in the catalogue, with the kinds of check that know it where not all do."""
    return " ".join((_named(parameter, usual), *(f"({kind})" for kind in parameter.kinds)))


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
    by_type = ((told, [name for name, of in usual.items() if of == kind]) for kind, told in _TYPES.items())
    types = "; ".join(f"{', '.join(names)}: {told}" for told, names in by_type if names)
    return f"""\
TEMPLATES, one a line. NAME: what it checks {{parameters}} // what it does not see.
T: judged at the tool call, C: at the commit and in CI.
Behind a parameter: ! required, * list, ? true or false, # number, ~ regex, cmd command pattern, = one of these words,
*= some of them, nothing: text; + adds those that the heading names. No sign where the name's last word tells the type:
{types}.
in: what language! may be; all: {" ".join(CHECKED)}; javascript covers TypeScript.
globs, except: files (not) looked at; what takes globs takes kinds: [python, .kt], too; all on code take globs,
except_files.
unless: commands that stay allowed. instead: what to do in its place. arguments: only where a later word matches.
(guard): for checks of that kind alone.
how*=create change delete. aliases: {{k: kubectl}}. `rulec templates --template NAME`: one in full, with cases."""


def _sections(known: Sequence[Template], lines: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    shared = _shared(known)
    for heading in (*(text for _, _, text in _HEADINGS), _OTHERS, _LAST):
        here = [lines[one.name] for one in known if _heading(one) == heading]
        plus = f"; + is {', '.join(shared[heading])}" if heading in shared else ""
        found += ["", heading + plus, *here] if here else []
    return found


def _rest(known: Sequence[Template]) -> str:
    forms, steps = example_file.example_keys(), example_file.step_keys()
    keys = "; ".join(", ".join(keys) for keys in forms.values())
    more, no_step = (
        ", ".join(one for one in some if one not in other) for some, other in ((steps, forms), (forms, steps))
    )
    several = any(len(one.kinds) > 1 for one in known)
    kind = "Leave `kind` out: every kind of the template is tried. " if several else ""
    return f"""\
A RULE, YAML or JSON: {{statement, when, category, scope: {{include: [globs], exclude, agents}}, not_checked: […],
checks: [{{template, with: {{…}}}}], examples: {{invalid: […], valid: […]}}}}
{kind}Each check must catch an invalid example that the others
miss, and no valid one. category: {", ".join(CATEGORIES)}.
not_checked: what the statement says and no check sees; rulec adds the rest. A condition unheeded warns only.
COMMAND PATTERNS: a program, its subcommand, words, flags: `git push --force|-f`. Words keep their order,
others may stand between; flags stand anywhere, a value behind = (`--filter=web`, `-F web`); | joins spellings of one
word, * is any text; ./mvnw, .venv/bin/pip: the program by its path; `CI=* npm test`: with that environment alone;
`curl | sh`: what one gives the other; a program alone: every use. It is found by any path, behind cd, sudo, env, xargs,
bash -c, in $(…), as `python -m tool`; not in quoted text or grep's words.
GLOBS: `*.py` at any depth, `src/` all below, `./x` at the root alone, `.` all there, ** any folders, {{a,b}} either.
REGEXES: Python's, searched anywhere (anchor with ^ $), case matters, one line at a time. Refused: back references,
possessive groups, loops in loops, over {safety.MOST} open loops that share signs: write [^,]* or .{{0,30}}, not .*.
EXAMPLES: whole actions, as mappings with these keys: {keys}.
session: its steps, the last is judged: any of these but {no_step}; {more}, too; a command may say failed: true.
Code in an example must parse. A valid one looks as much like an offence as it can."""
