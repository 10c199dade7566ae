"""The one module that knows Jinja: finds check templates, reads their parameters, renders in a sandbox."""

import difflib
import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulec.checks import template_file
from rulec.domain.patterns.posix import glob_to_ere, regex_to_ere
from rulec.domain.rule import RAW_TEMPLATES, Check
from rulec.domain.template import Template
from rulec.errors import RulecError

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

CLICHES = {
    "marketing": (
        r"\b(?:blazing(?:ly)?[ -]fast|seamless(?:ly)?|cutting[ -]edge|state[ -]of[ -]the[ -]art|revolutionary"
        r"|effortless(?:ly)?|game[ -]chang(?:er|ing)|supercharged?|next[ -]gen(?:eration)?|best[ -]in[ -]class"
        r"|world[ -]class|delightful"
        r"|lightning[ -]fast|turbocharged?|unleash(?:es)?|elevate your|unlock the power|hassle[ -]free"
        r"|enterprise[ -]grade|industry[ -]leading|unparalleled|one[ -]stop)\b"
    ),
    "ai": (
        r"\b(?:delv(?:e|es|ed|ing)|tapestry|plethora|pivotal|meticulous(?:ly)?|seamless(?:ly)?|holistic(?:ally)?"
        r"|synerg\w+|paradigm shift|game[ -]chang(?:er|ing)|cutting[ -]edge|leverag(?:e|es|ed|ing)"
        r"|supercharged?|effortless(?:ly)?"
        r"|(?:it is|it's) (?:important|worth|crucial|essential)"
        r" (?:to note|noting|to understand|to remember|to mention)"
        r"|in today's (?:[\w-]+ ){1,3}(?:world|landscape|age|era)|ever[ -](?:evolving|changing)"
        r"|navigat(?:e|es|ing) the (?:complexit\w+|landscape|intricac\w+|world)|(?:is|stands as|as) a testament to"
        r"|harness(?:es|ing)? the (?:power|potential)"
        r"|unlock(?:s|ing)? (?:the|its|your|their) (?:full )?(?:power|potential)"
        r"|(?:deep dive|dive deep|dive) into|let's dive in|a myriad of|in the realm of|embark(?:s|ing)? on"
        r"|underscor(?:e|es|ing) the|elevat(?:e|es|ing) your|empower(?:s|ing)? (?:you|users|developers|teams)"
        r"|whether you're an? |not just [\w -]{1,40}, (?:it's|but)|as an ai(?: language)? model|i hope this helps"
        r"|in conclusion,|look no further)"
    ),
}
CLICHE_SAMPLES = {"marketing": "A seamless, blazing fast tool.", "ai": "Let's delve into the plethora of options."}

# Python's escapes, so that an artifact shows which signs it means; skin tones and flags' letters are parts, not emojis.
EMOJI_PICTURES = (
    r"\u231A\u231B\u23E9-\u23EC\u23F0\u23F3\u25FD\u25FE\u2614\u2615\u2648-\u2653\u267F\u2693\u26A1\u26AA\u26AB\u26BD"
    r"\u26BE\u26C4\u26C5\u26CE\u26D4\u26EA\u26F2\u26F3\u26F5\u26FA\u26FD\u2705\u270A\u270B\u2728\u274C\u274E"
    r"\u2753-\u2755\u2757\u2795-\u2797\u27B0\u27BF\u2B1B\u2B1C\u2B50\u2B55"
    r"\U0001F004\U0001F0CF\U0001F18E\U0001F191-\U0001F19A\U0001F201\U0001F21A\U0001F22F\U0001F232-\U0001F236"
    r"\U0001F238-\U0001F23A\U0001F250\U0001F251\U0001F300-\U0001F3FA\U0001F400-\U0001F53D\U0001F546-\U0001F64F"
    r"\U0001F680-\U0001F6FF\U0001F7E0-\U0001F7EB\U0001F7F0\U0001F90C-\U0001F93A\U0001F93C-\U0001F945"
    r"\U0001F947-\U0001F9FF\U0001FA70-\U0001FAFF"
)
EMOJI = rf"(?:[{EMOJI_PICTURES}]|.\uFE0F|[\U0001F1E6-\U0001F1FF][\U0001F1E6-\U0001F1FF]|[0-9#*]\uFE0F?\u20E3)"
_ESCAPE = re.compile(r"\\(?:u([0-9A-F]{4})|U([0-9A-F]{8})|x([0-9A-F]{2}))")


def pcre_pattern(pattern: str) -> str:
    """A pattern with Python's escapes for signs in the form that PCRE reads."""
    return _ESCAPE.sub(lambda found: f"\\x{{{int(found[1] or found[2] or found[3], 16):X}}}", pattern)


_CODE = "{py,js,mjs,cjs,ts,tsx,jsx,sh,rb,go,php,pl,rs,java,c,cpp,sql,html,txt,json,csv,log,png,patch,diff}"
_NEAR = "{/,scripts/,script/,test/,tests/,tools/}"  # among the sources, debug and temp are also words of the trade

LEFTOVER_NAMES = {
    "temporary": (
        "*.{tmp,temp}",
        "tmp[-_0-9]*",
        f"{_NEAR}tmp.*",
        "*[-_.]tmp.*",
        f"{_NEAR}temp[-_]*.{_CODE}",
        f"{_NEAR}temp.{_CODE}",
        f"{_NEAR}temporary[-_.]*",
    ),
    "debug": (f"{_NEAR}debug[-_]*.{_CODE}", f"{_NEAR}debug.{_CODE}", f"{_NEAR}*[-_]debug.{_CODE}"),
    "scratch": ("scratch[-_.]*", "*[-_]scratch.*", "/scratch/", "throwaway[-_.]*", f"/playground.{_CODE}"),
    "backup": ("*.{orig,rej,bak,bkp,backup,old}", "*~", "*[_.]{backup,bak,orig}.*"),
    "log": ("*.log", "nohup.out", "{npm,yarn,pnpm}-debug.log*"),
    "editor": ("*.{swp,swo,swn}", ".#*", "#*#", ".DS_Store", "Thumbs.db", "desktop.ini"),
    "output": (
        "/test[-_]{output,results,result}*.{txt,log,json,xml}",
        "/{out,output,result,results,stdout,stderr}.{txt,log}",
        "/*[-_]output.{txt,log}",
        ".coverage",
        "/core.[0-9]*",
    ),
}
LEFTOVER_SPARED = (
    "**/{fixtures,fixture,testdata,golden,goldens,__snapshots__}/**",
    "test[-_]debug.*",
    "tmp_path*",
    "{db,database,pg,mysql,s3,cloud,system,data}[-_]backup.*",
    "{create,run,make,do,perform,restore,test,auto,full,daily,weekly,enable,schedule}[-_]backup.*",
)

_BEFORE = (
    r"^(?:[a-z]+(?:\([^()]*\))?!?: |:[a-z0-9_+-]+: |[A-Z][A-Z0-9]{1,9}-[0-9]+:? |#[0-9]+:? |\[[^][]*\] |[A-Za-z/]+: )*"
)
_THIRD = (
    "[Aa]dds|[Ff]ixes|[Uu]pdates|[Cc]hanges|[Rr]emoves|[Rr]efactors|[Ii]mproves|[Ii]mplements|[Cc]reates|[Mm]oves"
    "|[Rr]enames|[Mm]akes|[Uu]ses|[Aa]llows|[Ii]ntroduces|[Ee]nables|[Dd]isables|[Dd]eletes|[Rr]eplaces|[Ss]implifies"
    "|[Cc]leans|[Ee]xtracts|[Hh]andles|[Ss]upports|[Ee]nsures|[Pp]revents|[Cc]orrects|[Aa]djusts|[Cc]onverts|[Ww]rites"
    "|[Mm]erges|[Ss]plits|[Ss]ets|[Rr]eturns|[Ss]hows|[Hh]ides|[Dd]rops|[Bb]umps|[Uu]pgrades|[Dd]ocuments|[Rr]esolves"
)
_PAST = (
    "[Mm]ade|[Bb]uilt|[Ww]rote|[Rr]ewrote|[Rr]an|[Kk]ept|[Ss]ent|[Dd]id|[Gg]ot|[Gg]ave|[Tt]ook|[Bb]rought|[Bb]roke"
    "|[Cc]hose|[Hh]eld|[Bb]egan|[Ww]ent|[Hh]id|[Tt]hrew|[Ss]ped"
)
PAST_SUBJECTS = rf"{_BEFORE}(?:{_THIRD}|{_PAST}|[A-Za-z]+(?:ed|ing))(?:[ :,.]|$)"
# Orders that only look like it.
IMPERATIVE_SUBJECTS = (
    rf"{_BEFORE}(?:[A-Za-z]*(?:[Ee]mbed|[Ss]eed|[Ff]eed|[Ss]peed|[Ss]hred|[Pp]roceed|[Ee]xceed|[Ss]ucceed|[Bb]leed)"
    "|[Nn]eed|[Ss]hed|[Ww]eed|[Hh]eed|[Bb]reed|[Bb]ring|[Pp]ing|[Rr]ing|[Ss]tring|[Ss]wing|[Ss]ling|[Ss]ing)"
    "(?:[ :,.]|$)"
)


def packaged_templates() -> Path:
    """The folder of the packaged templates: inside the package in a wheel, one level up in a checkout."""
    here = Path(__file__).resolve().parent.parent
    return next((p for p in (here / "templates", here.parent / "templates") if p.is_dir()), here / "templates")


def open_library(team: Path | None = None) -> "TemplateLibrary":
    """All templates; those in the team's folder (``.rules/templates``) come before the packaged ones."""
    return TemplateLibrary(
        tuple(folder for folder in (team, packaged_templates()) if folder is not None and folder.is_dir())
    )


class TemplateLibrary:
    """Templates by name."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders

    @functools.cached_property
    def _environment(self) -> "SandboxedEnvironment":
        import jinja2  # noqa: PLC0415 - 50 ms that only a compile needs
        from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415 - as above

        from rulec.domain.text.redaction import key_patterns  # noqa: PLC0415 - as above: its patterns

        environment = ImmutableSandboxedEnvironment(
            loader=jinja2.FunctionLoader(self._source),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            # a page escapes everything; all else is YAML, JSON and sh, where strings enter through tojson and shquote
            autoescape=lambda name: bool(name) and str(name).endswith(".html.j2"),
        )
        environment.filters["tojson"] = lambda value: json.dumps(
            value, ensure_ascii=False
        )  # Jinja's own escapes < for HTML
        environment.filters["shquote"] = lambda text: "'" + str(text).replace("'", "'\\''") + "'"
        environment.filters["ere"] = glob_to_ere
        environment.filters["posix"] = _posix
        environment.filters["pcre"] = pcre_pattern
        environment.globals |= {
            "EMOJI": EMOJI,
            "LEFTOVER": LEFTOVER_NAMES,
            "SPARED": LEFTOVER_SPARED,
        }
        environment.globals |= {
            "KEYS": key_patterns(),
            "CLICHES": CLICHES,
            "TOLD": PAST_SUBJECTS,
            "ORDERED": IMPERATIVE_SUBJECTS,
        }
        return environment

    def _source(self, name: str) -> str | None:
        """A template's text: a team's only for checks, so that a gate's launcher is always rulec's; never a link."""
        stem = name.removeprefix("checks/").removesuffix(".j2")
        folders = self._homes(stem) if name.startswith("checks/") else (packaged_templates(),)
        for folder in folders:
            path = folder / name
            if path.is_file() and path.resolve() == folder.resolve() / name:
                return path.read_text("utf-8")
        return None

    def _homes(self, name: str) -> tuple[Path, ...]:
        """Where a check template may be: the raw ones, which vet an author's text, are the packaged ones alone."""
        return (packaged_templates(),) if name in RAW_TEMPLATES else self.folders

    def render(self, name: str, context: Mapping[str, Any]) -> str:
        """The text of one template; RulecError where it does not exist or does not render."""
        import jinja2  # noqa: PLC0415 - as above

        try:
            return self._environment.get_template(name).render(**context)
        except jinja2.TemplateNotFound as error:
            if error.name == name:
                raise RulecError(f"no template {name!r}", hint=self._near(name)) from None
            hint = "a check template cannot include files: write their text into it"
            raise RulecError(f"template {name} includes {error.name!r}, which does not exist", hint=hint) from None
        except (jinja2.TemplateError, ArithmeticError, TypeError, ValueError, LookupError, MemoryError) as error:
            what = str(error) or type(error).__name__
            line = f", line {error.lineno}" if isinstance(error, jinja2.TemplateSyntaxError) else ""
            raise RulecError(f"template {name}{line} does not render: {what}", hint="fix the template") from None

    def templates(self) -> dict[str, Template]:
        """Every check template by name, sorted."""
        return dict(sorted(self._found.items()))

    @functools.cached_property
    def _found(self) -> dict[str, Template]:
        found: dict[str, Template] = {}
        for folder in reversed(self.folders):
            for path in sorted((folder / "checks").glob("*.j2")):
                if folder not in self._homes(path.stem):
                    continue
                found[path.stem] = _loaded(path, path.stat().st_mtime_ns)
        return found

    def template(self, name: str, where: str = "") -> Template:
        """One check template, or a refusal that lists the others; only this one is read."""
        path = self._path(name)
        if path is None:
            raise RulecError(f"no template {name!r}", where=where, hint=self._near(name))
        return _loaded(path, path.stat().st_mtime_ns)

    def has(self, name: str) -> bool:
        """Whether there is a check template of this name."""
        return self._path(name) is not None

    def is_packaged(self, name: str) -> bool:
        """Whether the check template is rulec's own."""
        path = self._path(name)
        return path is not None and path.is_relative_to(packaged_templates())

    def _path(self, name: str) -> Path | None:
        paths = (folder / "checks" / f"{name}.j2" for folder in self._homes(name))
        return next((path for path in paths if path.is_file()), None) if Path(name).name == name else None

    def _near(self, name: str) -> str:
        """What may have been meant by a name that no template has; no template is read for it."""
        known = sorted({path.stem for folder in self.folders for path in (folder / "checks").glob("*.j2")})
        near = difflib.get_close_matches(name, known, cutoff=0.7)
        return f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(known)}"

    def parameters(self, check: Check, where: str = "") -> dict[str, Any]:
        """A check's parameters held to its template's declaration, defaults filled in."""
        return template_file.checked_parameters(self.template(check.template, where), check, where)


def _posix(pattern: str) -> str:
    """A pattern as grep -E reads it; RulecError where it cannot."""
    try:
        return regex_to_ere(pattern)
    except ValueError as error:
        hint = "write it without lookarounds, flags and back references"
        raise RulecError(f"the pattern {pattern!r} cannot be used in a shell check: {error}", hint=hint) from None


@functools.lru_cache(maxsize=256)
def _loaded(path: Path, _stamp: int) -> Template:
    return template_file.parse_template(path.read_text("utf-8"), source=str(path))
