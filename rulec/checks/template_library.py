"""The one module that knows Jinja: finds check templates, reads their parameters, renders in a sandbox."""

import difflib
import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from rulec.checks import template_file, template_words
from rulec.domain.patterns.posix import glob_to_ere, regex_to_ere
from rulec.domain.rule import RAW_TEMPLATES, Check
from rulec.domain.template import Template
from rulec.errors import RulecError

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

_ESCAPE = re.compile(r"\\(?:u([0-9A-F]{4})|U([0-9A-F]{8})|x([0-9A-F]{2}))")


def pcre_pattern(pattern: str) -> str:
    """A pattern with Python's escapes for signs in the form that PCRE reads."""
    return _ESCAPE.sub(lambda found: f"\\x{{{int(found[1] or found[2] or found[3], 16):X}}}", pattern)


@functools.cache
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
        environment.filters["given"] = lambda check: {key: value for key, value in check.items() if value}
        environment.filters["ere"] = glob_to_ere
        environment.filters["posix"] = _posix
        environment.filters["pcre"] = pcre_pattern
        environment.globals |= {"KEYS": key_patterns(), "refuse": _refuse, **template_words.GLOBALS}
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
        """The text of one template; RulecError where it does not exist or does not render.

        A repository's own renders in a process with limits, for anybody may have written it.
        """
        path = self._path(name.removeprefix("checks/").removesuffix(".j2")) if name.startswith("checks/") else None
        if path is None or path.is_relative_to(packaged_templates()):
            return self._render(name, context)
        from rulec.checks.bounded_work import bounded_text  # noqa: PLC0415 - few repositories have templates

        return bounded_text(lambda: self._render(name, context), f"template {name}")

    def _render(self, name: str, context: Mapping[str, Any]) -> str:
        import jinja2  # noqa: PLC0415 - as above

        try:
            return self._environment.get_template(name).render(**context)
        except jinja2.TemplateNotFound as error:
            if error.name == name:
                raise RulecError(f"no template {name!r}", hint=self._near(name)) from None
            hint = "a check template cannot include files: write their text into it"
            raise RulecError(f"template {name} includes {error.name!r}, which does not exist", hint=hint) from None
        except jinja2.UndefinedError as error:
            known = re.fullmatch(r"'dict object' has no attribute '(.{1,80})'", str(error))
            if not known:
                raise RulecError(f"template {name} does not render: {error}", hint="fix the template") from None
            hint = f"rulec templates --template {Path(name).stem} shows which values go together"
            raise RulecError(f"template {name} has nothing for {known[1]!r} with these values", hint=hint) from None
        except (jinja2.TemplateError, ArithmeticError, TypeError, ValueError, LookupError) as error:
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


def _refuse(what: str, hint: str) -> NoReturn:
    """What a template calls where its parameters make no check together."""
    raise RulecError(what, hint=hint)


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
