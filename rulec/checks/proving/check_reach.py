"""What the compiled checks of a rule look at, as far as a variant has to know it to be right by construction."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulec.agents.protocol.agent_tables import NAMES
from rulec.checks.semgrep.rule_artifact import regexes_of_body
from rulec.domain.artifact import Artifact, acts_at_commit
from rulec.domain.files import globs
from rulec.domain.patterns.command_patterns import pattern_programs
from rulec.domain.rule import Rule
from rulec.guard.earlier_steps import AND
from rulec.rulebook.yaml_text import load_yaml

_COMMANDS = ("patterns", "before_commands", "first_commands", "since_commands", "also_commands")
_READ = ("forbid", "require", "before_claims", "arguments", "operands", "files", "each", "must", "value")
TEXTS = ("regex", "generic")  # what Semgrep calls files of no language


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReach:
    """The checks of one rule, taken apart."""

    guards: tuple[Mapping[str, Any], ...] = ()  # the bodies of guard checks
    languages: frozenset[str] = frozenset()  # that Semgrep reads the files in
    scripts: bool = False  # whether there is a shell check
    demands: bool = False  # whether something must stand there, and not only what may not
    patterns: tuple[str, ...] = ()  # that texts are matched with
    given: tuple[str, ...] = ()  # every text among the rule's parameters and globs

    def on(self, *kinds: str) -> list[Mapping[str, Any]]:
        """The guard checks of these kinds."""
        return [check for check in self.guards if check["on"] in kinds]

    @property
    def code(self) -> bool:
        """Whether the only checks on what files hold read them as code."""
        read = self.languages.difference(TEXTS)
        return (
            bool(read) and read == self.languages and not self.scripts and not self.on("text", "change", "dependency")
        )

    def programs(self) -> "frozenset[str] | None":
        """The programs that the checks speak of; None where that may be any."""
        found: set[str] = set()
        for check in self.guards:
            for pattern in (part for key in _COMMANDS for one in check.get(key) or () for part in one.split(AND)):
                names = pattern_programs(pattern)
                if names is None:
                    return None
                found.update(names)
        return frozenset(found)

    def free(self, program: str) -> bool:
        """Whether no check speaks of a program."""
        known = self.programs()
        return known is not None and program not in known

    def same_place(self, one: str, other: str) -> bool:
        """Whether no glob tells the two paths apart."""
        return all(globs.match([text], one) == globs.match([text], other) for text in self.given)


def find_pattern(pattern: str, text: str) -> "re.Match[str] | None":
    """The pattern in the text, where Python can read it; one that it cannot read finds nothing."""
    try:
        return re.search(pattern, text, re.MULTILINE)
    except re.error:
        return None


def reach_of_checks(rule: Rule, artifacts: Sequence[Artifact]) -> CheckReach:
    """What the artifacts of the rule look at."""
    guards = tuple(json.loads(a.text or "")["check"] for a in artifacts if "/guard/" in a.path)
    bodies = [load_yaml(a.text or "", a.path)["rules"][0] for a in artifacts if "/semgrep/" in a.path]
    shells = [a for a in artifacts if "/shell/" in a.path]
    parameters = [text for check in rule.checks for text in _texts(dict(check.parameters))]
    places = (rule.scope, *(one.scope for one in rule.exceptions))
    scope = [glob for one in places for glob in (*one.include, *one.exclude)]
    stated = [text for body in bodies for text in _texts(body.get("paths", {}))]
    stated += [text for check in guards for text in _texts({k: v for k, v in check.items() if k not in _READ})]
    patterns = [text for check in guards for key in _READ for text in _texts(check.get(key))]
    patterns += [text for body in bodies for text in regexes_of_body(body)] + (parameters if shells else [])
    return CheckReach(
        guards=guards,
        languages=frozenset(name for body in bodies for name in body["languages"]),
        scripts=bool(shells),
        demands=any(map(_demands, guards)) or any("require" in check.template for check in rule.checks),
        patterns=tuple(dict.fromkeys(patterns)),
        given=tuple(dict.fromkeys([*scope, *stated, *parameters])),
    )


def demands_presence(artifact: Artifact, template: str) -> bool:
    """Whether a check demands something that must be present or come first, as far as its text shows."""
    text = artifact.text or ""
    if "/guard/" not in artifact.path or '"check"' not in text:
        return "require" in template or "RULEC_MESSAGE" in text  # one message may lack several things
    check = json.loads(text)["check"]
    return check["on"] in ("session", "change") or _demands(check)


def judges_whole_change(artifact: Artifact) -> bool:
    """Whether a check looks at the files of one commit together."""
    text = artifact.text or ""
    return "/guard/" in artifact.path and '"check"' in text and json.loads(text)["check"]["on"] == "change"


def why_no_gate(rule: Rule, machines: Sequence[Artifact]) -> str:
    """Why a check acts at no gate; "" where each does."""
    scope = rule.scope
    why = ""
    if scope.environments and "local" not in scope.environments:
        why = f"environments: {list(scope.environments)}"
    elif scope.agents and not set(scope.agents) & set(NAMES):
        why = f"agents: {list(scope.agents)}, none of {', '.join(NAMES)}"
    if not why:
        return ""
    checks = [check for check in rule.checks if check.kind != "judge"]
    if len(checks) != len(machines):
        return ""
    idle = next((one for one, artifact in zip(checks, machines, strict=True) if not acts_at_commit(artifact)), None)
    where = "at the tool call alone, by the hooks of agents on a person's machine"
    return f"its scope ({why}) leaves {idle.template} no gate: it acts {where}" if idle else ""


def _demands(check: Mapping[str, Any]) -> bool:
    return bool(check.get("require")) or (check["on"] == "text" and not check.get("forbid"))


def _texts(value: Any) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
