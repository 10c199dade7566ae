"""One Semgrep artifact: from a rendered body to its text, and back to what a run has to know of it."""

import json
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulec.checkers import _semgrep_languages as languages
from rulec.checkers._semgrep_regex import regexes, runs_away
from rulec.errors import RulecError
from rulec.model.artifact import Artifact, facts_comment, facts_in, json_line
from rulec.model.plan import Facts, Step
from rulec.rulefile import load_yaml
from rulec.runtime import globs

_PATTERNS = ("pattern", "patterns", "pattern-either", "pattern-regex", "match")
_TAINT = ("pattern-sources", "pattern-sinks", "pattern-sanitizers", "pattern-propagators", "taint")
_KEYS = ("languages", "mode", "paths", "options", *_PATTERNS, *_TAINT)
_OURS = ("id", "message", "severity", "metadata")
_MODES = ("search", "taint")
_LEVELS = {"must": "ERROR", "should": "WARNING", "style": "INFO"}
_PATHS = re.compile(r"^paths:.*\n?(?:^(?:[ \t].*)?\n)*", re.MULTILINE)
_RETURN = re.compile(r"\\(?:r|R|x0[dD]|x\{0*[dD]\}|015|cM)|\r")
_OPENING = re.compile(r"\A(?:#.*\n)*rules:\n- id: (\S+)\n(?P<rest>(?:(?: {2}.*)?\n)*)\Z")


@dataclass(frozen=True, slots=True)
class Loaded:
    """An artifact as a run needs it: ``rest`` is the rule's text below its id, without its paths."""

    facts: Facts
    name: str
    languages: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    rest: str
    raw: bool  # whether it speaks of carriage returns, which other rules do not get to see at a line's end

    def covers(self, path: str) -> bool:
        """Whether the rule looks at a file of this path at all."""
        scope = self.facts.scope
        inside = globs.match(scope.include, path) and (not self.include or globs.match(self.include, path))
        return inside and not globs.match((*scope.exclude, *self.exclude), path)


def build(step: Step, body: str) -> str:
    """The text of the artifact: a file of one rule that Semgrep can also be given as it is."""
    where = f"{step.rule.source or step.facts.slug}: template {step.template}"
    body = textwrap.dedent(body).strip("\n") + "\n"
    data = load_yaml(body, where)
    read, paths = _checked(data, where)
    scope = step.facts.scope
    include = paths["include"] or [glob for glob in scope.include if scope.include != ("**",)]
    named = {"include": include, "exclude": [*scope.exclude, *paths["exclude"]]}
    stated = {key: value for key, value in named.items() if value}
    facts = step.facts
    message = f"{facts.statement} Instead: {facts.do}" if facts.do else facts.statement
    lines = [
        f"{facts_comment(facts)}rules:\n- id: {step.name}\n",
        f"  message: {json_line(message)}\n  severity: {_LEVELS[facts.severity]}\n",
        f"  metadata: {json_line({'languages': read, 'paths': paths})}\n",
        f"  paths: {json_line(stated)}\n" if stated else "",
        re.sub(r"(?m)^(?=.)", "  ", _PATHS.sub("", body)),
    ]
    return "".join(lines)


def _checked(data: Any, where: str) -> tuple[list[str], dict[str, list[str]]]:
    """The languages and paths of a body; RulecError where it is no rule that Semgrep here can run."""
    if not isinstance(data, Mapping):
        raise RulecError("renders no mapping", where=where, hint="write languages: [...] and a pattern")
    for key in data:
        if key in _OURS:
            raise RulecError(f"{key} is written by rulec", where=where, hint=f"leave {key} out")
        if key not in _KEYS:
            raise RulecError(f"{key!r} is no key of a Semgrep rule", where=where, hint=f"known are {', '.join(_KEYS)}")
    mode = data.get("mode", "search")
    if mode not in _MODES:
        raise RulecError(f"mode {mode!r} cannot be run", where=where, hint=f"use {' or '.join(_MODES)}")
    needed = ("pattern-sources", "taint") if mode == "taint" else _PATTERNS
    if not any(data.get(key) for key in needed):
        raise RulecError("has no pattern", where=where, hint=f"add one of {', '.join(needed)}")
    for pattern in regexes(data):
        _ends_in_time(pattern, where)
    return _languages(data.get("languages"), where), _paths(data.get("paths", {}), where)


def _ends_in_time(pattern: str, where: str) -> None:
    try:
        away = runs_away(pattern)
    except ValueError as error:
        hint = "write it so that Python's re can read it, too"
        raise RulecError(f"the pattern {pattern!r} cannot be judged: {error}", where=where, hint=hint) from None
    if away:
        hint = "let a repeated group match each text in one way only, such as (\\w+,)* and not (\\w+,?)*"
        raise RulecError(f"the pattern {pattern!r} runs away on long lines", where=where, hint=hint)


def _languages(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not value:
        raise RulecError("names no languages", where=where, hint="add languages: [python], or [regex] for any text")
    for name in value:
        if not isinstance(name, str) or not languages.canonical(name):
            hint = f"known are {', '.join(languages.known())}"
            raise RulecError(f"language {name!r} is not known", where=where, hint=hint)
    return sorted({languages.canonical(name) for name in value})


def _paths(value: Any, where: str) -> dict[str, list[str]]:
    wrong = RulecError("paths is no mapping of include and exclude to globs", where=where, hint="paths: {include: [a]}")
    if not isinstance(value, Mapping) or not set(value) <= {"include", "exclude"}:
        raise wrong
    found = {key: value.get(key) or [] for key in ("include", "exclude")}
    if not all(isinstance(item, list) and all(isinstance(glob, str) for glob in item) for item in found.values()):
        raise wrong
    return found


def load(artifact: Artifact) -> Loaded:
    """The artifact back; ValueError where a person changed its frame."""
    text = artifact.text or ""
    frame = _OPENING.match(text)
    if frame is None:
        raise ValueError("is not as rulec wrote it; run rulec compile")
    lines = frame["rest"].splitlines(keepends=True)
    stated = next((line for line in lines[:4] if line.startswith("  metadata: ")), "")
    data = json.loads(stated.removeprefix("  metadata: ") or "{}")
    rest = "".join(line for number, line in enumerate(lines) if number > 3 or not line.startswith("  paths: "))
    return Loaded(
        facts=facts_in(text),
        name=frame[1],
        languages=tuple(data["languages"]),
        include=tuple(data["paths"]["include"]),
        exclude=tuple(data["paths"]["exclude"]),
        rest=rest,
        raw=_RETURN.search(rest) is not None,
    )
