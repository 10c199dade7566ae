"""One Semgrep artifact: from a rendered body to its text, and back to what a run has to know of it."""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulec.checks import skipped_files
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts, facts_comment, facts_in_comment
from rulec.domain.enforcement import SEVERITIES
from rulec.domain.files import globs, languages
from rulec.domain.files.languages import PROGRAMS, SEMGREP_NAMES, SEMGREP_SUFFIXES, language_of
from rulec.domain.patterns.safety import refuse_pattern, semgrep_regex_problem
from rulec.domain.text.one_line import to_json_line
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import load_yaml

ANY_LANGUAGE = ("regex", "generic")  # read any file
_BY_SUFFIX: dict[str, list[str]] = {}
for _language, _suffixes in SEMGREP_SUFFIXES.items():
    for _suffix in _suffixes:
        _BY_SUFFIX.setdefault(_suffix, []).append(_language)
_SHEBANG = rb"#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?([^-\s]\S*))?"


_REGEX_KEYS = ("pattern-regex", "pattern-not-regex", "regex")


def regexes_of_body(data: Any) -> Iterator[str]:
    """Every regular expression of a rule's body."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key in _REGEX_KEYS and isinstance(value, str):
                yield value
            else:
                yield from regexes_of_body(value)
    elif isinstance(data, list):
        for item in data:
            yield from regexes_of_body(item)


_PATTERNS = ("pattern", "patterns", "pattern-either", "pattern-regex", "match")
_TAINT = ("pattern-sources", "pattern-sinks", "pattern-sanitizers", "pattern-propagators", "taint")
_KEYS = ("languages", "mode", "paths", "options", "instead", *_PATTERNS, *_TAINT)
_OURS = ("id", "message", "severity", "metadata")
_MODES = ("search", "taint")
_LEVELS = dict(zip(SEVERITIES, ("ERROR", "WARNING", "INFO"), strict=True))
_PATHS = re.compile(r"^(?:paths|instead):.*\n?(?:^(?:[ \t].*)?\n)*", re.MULTILINE)
_RETURN = re.compile(r"\\(?:r|R|x0[dD]|x\{0*[dD]\}|015|cM)|\r")
_USAGE = "# usage: semgrep scan --config THIS FILES, or with the folder of this file for all rules\n"
_OPENING = re.compile(r"\A(?:#.*\n)*rules:\n- id: (\S+)\n(?P<rest>(?:(?: {2}.*)?\n)*)\Z")


@dataclass(frozen=True, slots=True)
class LoadedRule:
    """An artifact as a run needs it: ``rest`` is the rule's text below its id, without its paths.

    ``cure`` is what the template's ``instead: ...`` says: what to write in place of the very thing that was found.
    """

    facts: RuleFacts
    name: str
    languages: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    cure: str
    rest: str
    raw: bool  # whether it speaks of carriage returns, which other rules do not get to see at a line's end

    def covers(self, path: str, environment: str = "") -> bool:
        """Whether the rule looks at a file of this path at all."""
        if self.facts.exceptions and skipped_files.is_excepted(self.facts, path, environment):
            return False
        scope = self.facts.scope
        inside = globs.match(scope.include, path) and (not self.include or globs.match(self.include, path))
        return inside and not globs.match((*scope.exclude, *self.exclude), path)


def build_artifact(step: PlannedCheck, body: str) -> str:
    """The text of the artifact: a file of one rule that Semgrep can also be given as it is."""
    where = f"{step.place}: template {step.template}"
    body = textwrap.dedent(body).strip("\n") + "\n"
    data = load_yaml(body, where)
    read, paths = _checked(data, where)
    paths = _bounded(paths, step.parameters)
    scope = step.facts.scope
    include = paths["include"] or [glob for glob in scope.include if scope.include != ("**",)]
    spared = skipped_files.excepted_globs(skipped_files.exceptions_for_files(step.facts))
    named = {"include": include, "exclude": [*scope.exclude, *paths["exclude"], *spared]}
    stated = {key: [one for glob in value for one in _anchored(glob)] for key, value in named.items() if value}
    facts = step.facts
    cure = str(data.get("instead") or "")
    instead = cure or facts.do
    message = f"{facts.statement} Instead: {instead}" if instead else facts.statement
    known = {"languages": read, "paths": paths, **({"instead": cure} if cure else {})}
    lines = [
        f"{facts_comment(facts)}{_USAGE}rules:\n- id: {step.name}\n",
        f"  message: {to_json_line(message)}\n  severity: {_LEVELS[facts.severity]}\n",
        f"  metadata: {to_json_line(known)}\n",
        f"  paths: {to_json_line(stated)}\n" if stated else "",
        re.sub(r"(?m)^(?=.)", "  ", _PATHS.sub("", body)),
    ]
    return "".join(lines)


def _bounded(paths: dict[str, list[str]], given: Mapping[str, Any]) -> dict[str, list[str]]:
    """The paths of a body within those that its check names; every check of code takes such parameters."""
    named = languages.globs_within(list(given.get("globs") or ()), list(given.get("kinds") or ()))
    spared = [glob for glob in given.get("except_files") or () if glob not in paths["exclude"]]
    return {"include": paths["include"] or named, "exclude": [*paths["exclude"], *spared]}


def _anchored(glob: str) -> list[str]:
    """The glob as Semgrep reads such: it knows no braces, and a path from the top begins with a slash."""
    if glob in globs.ROOT:
        return ["/*"]
    floats = ("/", "**/")
    options = ["/" + option[2:] if option.startswith("./") else option for option in globs.expand_braces(glob)]
    return [o if o.startswith(floats) or "/" not in o.rstrip("/") else f"/{o}" for o in options]


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
    for pattern in regexes_of_body(data):
        refuse_pattern(semgrep_regex_problem(pattern), pattern, "the pattern", where)
    return _languages(data.get("languages"), where), _paths(data.get("paths", {}), where)


def _languages(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not value:
        raise RulecError("names no languages", where=where, hint="add languages: [python], or [regex] for any text")
    for name in value:
        if not isinstance(name, str) or not canonical_language(name):
            hint = f"known are {', '.join(known_languages())}"
            raise RulecError(f"language {name!r} is not known", where=where, hint=hint)
    return sorted({canonical_language(name) for name in value})


def _paths(value: Any, where: str) -> dict[str, list[str]]:
    wrong = RulecError("paths is no mapping of include and exclude to globs", where=where, hint="paths: {include: [a]}")
    if not isinstance(value, Mapping) or not set(value) <= {"include", "exclude"}:
        raise wrong
    found = {key: value.get(key) or [] for key in ("include", "exclude")}
    if not all(isinstance(item, list) and all(isinstance(glob, str) for glob in item) for item in found.values()):
        raise wrong
    return found


def in_each_language(artifact: Artifact) -> str:
    """The rule as one rule for each of its languages."""
    text = artifact.text or ""
    if len(load_artifact(artifact).languages) == 1:
        return text
    body = load_yaml(text, artifact.path)["rules"][0]
    del body["id"]
    rules = ({**body, "languages": [one]} for one in body["languages"])
    return "rules:\n" + "".join(f"- id: r{number}\n{_mapping(one)}" for number, one in enumerate(rules))


def _mapping(body: Mapping[str, Any]) -> str:
    return "".join(f"  {to_json_line(key)}: {to_json_line(value)}\n" for key, value in body.items())


def load_artifact(artifact: Artifact) -> LoadedRule:
    """The artifact back; ValueError where a person changed its frame."""
    text = artifact.text or ""
    frame = _OPENING.match(text)
    if frame is None:
        raise ValueError("is not as rulec wrote it; run rulec compile")
    lines = frame["rest"].splitlines(keepends=True)
    stated = next((line for line in lines[:4] if line.startswith("  metadata: ")), "")
    data = json.loads(stated.removeprefix("  metadata: ") or "{}")
    rest = "".join(line for number, line in enumerate(lines) if number > 3 or not line.startswith("  paths: "))
    return LoadedRule(
        facts=facts_in_comment(text),
        name=frame[1],
        languages=tuple(data["languages"]),
        include=tuple(data["paths"]["include"]),
        exclude=tuple(data["paths"]["exclude"]),
        cure=data.get("instead", ""),
        rest=rest,
        raw=_RETURN.search(rest) is not None,
    )


def known_languages() -> list[str]:
    """Every language a rule may name, aliases left out."""
    return sorted((*SEMGREP_SUFFIXES, *ANY_LANGUAGE))


def canonical_language(name: str) -> str:
    """Semgrep's one name of a language, "" where Semgrep here cannot read it."""
    if name in SEMGREP_SUFFIXES or name in ANY_LANGUAGE:
        return name
    known = language_of(name)
    known = SEMGREP_NAMES.get(known, known)
    return known if known in SEMGREP_SUFFIXES else ""


def languages_of_file(path: str, content: bytes) -> list[str]:
    """The languages a file may be read as, by its name or else by the program its first line calls."""
    name = path.rpartition("/")[2]
    if name in ("Dockerfile", "dockerfile"):
        return ["dockerfile"]
    _, dot, suffix = name.rpartition(".")
    if dot and suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    return _of_program(content[:256]) if content.startswith(b"#!") else []


def _of_program(head: bytes) -> list[str]:
    import re  # noqa: PLC0415 - 4 ms that a commit without programs spares

    line = re.match(_SHEBANG, head)
    if line is None:
        return []
    program = line[1].rpartition(b"/")[2]
    if program == b"env":
        program = line[2] or b""
    word = program.decode("ascii", "replace")
    language = PROGRAMS.get(word) or PROGRAMS.get(re.sub(r"[0-9.]+$", "", word), "")
    return [language] if language in SEMGREP_SUFFIXES else []
