"""What rulec compiles: the planned checks, the files made of them, and the facts of its rule that open each file."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Literal, get_args

from rulec.domain.enforcement import Enforcement, OnError, OnUnsure, PinnedLevel, Severity
from rulec.domain.rule import CheckKind, Example, Exemption, Rule, Scope
from rulec.domain.text.one_line import to_json_line, to_one_line

COMPILED_FOLDER = ".rules/compiled"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFacts:
    """What every artifact says about its rule, so that a gate needs no rule file."""

    slug: str
    revision: int
    statement: str
    do: str = ""
    quote: str = ""
    said: str = ""  # when and to which agent: "2026-11-20, to claude-code"
    severity: Severity = "should"
    enforcement: Enforcement = "audit"
    on_error: OnError = "warn"
    on_unsure: OnUnsure = "warn"
    level: PinnedLevel = "auto"  # see level_to_note
    scope: Scope = field(default_factory=Scope)
    exceptions: tuple[Exemption, ...] = ()  # without their examples
    layer: str = "team"
    formerly: tuple[str, ...] = ()  # rules that were merged into it, whose names stand in exceptions still


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCheck:
    """One check to be compiled into one artifact."""

    facts: RuleFacts
    rule: Rule
    kind: CheckKind
    template: str
    parameters: Mapping[str, Any]
    line: int = 0  # where the check stands in its rule's file
    name: str  # stem of the artifact: the slug, then slug.2, slug.3
    active: bool = False  # enough evidence speaks for the rule

    @property
    def place(self) -> str:
        """The place of its check for messages: ``file:line``, or the rule's name without a file."""
        return (
            f"{self.rule.source}:{self.line}" if self.rule.source and self.line else self.rule.source or self.rule.slug
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompilePlan:
    """Every step, and the rules that hold, in order of precedence, for those who put them into words."""

    steps: tuple[PlannedCheck, ...] = ()
    rules: tuple[Rule, ...] = ()
    install: str = ""  # see Config
    budget: int = 1500  # see Config
    spelled_out: bool = False  # documents hold the rules themselves, and not only where they are
    owners: tuple[str, ...] = ()  # see Config
    proofs: Mapping[str, frozenset[str]] = field(default_factory=dict)  # slug -> what was proved, see proof_digest
    asks: bool = False  # CI asks a model: there are judges, and the settings name a backend that a key is enough for
    suites: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # of tests: name, folder, what CI runs to set it up


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """Path in the repository and content; ``text`` None asks for the file's removal."""

    path: str
    text: str | None
    kind: CheckKind | Literal[""] = field(init=False)  # of the compiled check that it is, "" where it is none
    executable: bool = False
    slug: str = ""  # the rule it was compiled from, "" where it serves all
    digest: str = ""  # what a proof is pinned to; see digest()
    needs: str = ""  # what a file must hold for the check to see anything there, as learned here; "" is not known

    def __post_init__(self) -> None:
        """Tell the kind from where it stands."""
        folder, _, name = self.path.rpartition("/")
        kind = _KIND_OF_FOLDER.get(folder, "") if name else ""
        object.__setattr__(self, "kind", kind)


_KIND_OF_FOLDER: dict[str, CheckKind] = {f"{COMPILED_FOLDER}/{kind}": kind for kind in get_args(CheckKind)}


def compiled_checks(files: Mapping[str, str]) -> list[Artifact]:
    """The compiled checks among some files, sorted by path."""
    return [one for path in sorted(files) if (one := Artifact(path=path, text=files[path])).kind]


def slug_of_artifact(path: str) -> str:
    """The slug of the rule whose compiled check stands in that file."""
    return path.rpartition("/")[2].partition(".")[0]


def check_digest(kind: str, body: str, scope: Scope, exceptions: Sequence[Exemption] = ()) -> str:
    """Twelve hex digits of what decides the check's verdicts: kind, body, scope and exceptions, not its enforcement."""
    bounds = [_exemption_data(one) for one in exceptions]
    what = json.dumps([kind, body, _scope_data(scope), *([bounds] if bounds else [])], sort_keys=True)
    return hashlib.sha256(what.encode()).hexdigest()[:12]


def _scope_data(scope: Scope) -> dict[str, Any]:
    """A scope as JSON has it; what came later stays out where it says nothing, so that digests stay what they are."""
    later = ("projects", "environments", "who")
    return {key: list(value) for key, value in _values(scope).items() if value or key not in later}


def _values(one: Scope | RuleFacts) -> dict[str, Any]:
    """The fields of a dataclass; asdict would copy what is in them, and a large rulebook has thousands."""
    return {each.name: getattr(one, each.name) for each in fields(one)}


def _exemption_data(one: Exemption) -> dict[str, Any]:
    """What decides whether something lies within an exception."""
    scope = {key: value for key, value in _values(one.scope).items() if value != getattr(Scope(), key)}
    forms = {"commands": one.commands, "arguments": one.arguments}
    return {**scope, **{key: value for key, value in forms.items() if value}}


def proof_digest(rule: Rule, digests: Sequence[str]) -> str:
    """What a proof of a rule is pinned to: its checks as compiled and the examples they decided."""
    examples = [_example_data(example) for example in (*rule.invalid, *rule.valid)]
    spared = [[_example_data(example) for example in one.valid] for one in rule.exceptions]
    what = json.dumps([sorted(digests), examples, len(rule.invalid), *([spared] if spared else [])])
    return hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()[:12]


_ALWAYS = ("kind", "text", "path", "old", "files")
_IF_GIVEN = tuple(one.name for one in fields(Example) if one.name not in (*_ALWAYS, "source", "steps"))


def _example_data(example: Example) -> dict[str, Any]:
    """What of an example a check decides: all but its source."""
    always = {key: getattr(example, key) for key in _ALWAYS}
    given = {key: value for key in _IF_GIVEN if (value := getattr(example, key))}
    steps = [_example_data(step) for step in example.steps]
    return {**always, **given, **({"steps": steps} if steps else {})}


def is_judge_check(artifact: Artifact) -> bool:
    """Whether the check is a question to a model: no machine can prove it."""
    return artifact.kind == "judge"


@lru_cache(maxsize=20_000)
def _guard_check(artifact: Artifact) -> Mapping[str, Any]:
    """What a guard checks; nothing of other kinds. A damaged one counts as a check of files, so that gates tell it."""
    if artifact.kind != "guard":
        return {}
    try:
        check = json.loads(artifact.text or "")["check"]
    except (ValueError, KeyError, TypeError):
        check = None
    return check if isinstance(check, dict) else {"on": "text"}


def judges_whole_changes(artifact: Artifact) -> bool:
    """Whether the check is of a whole change."""
    return _guard_check(artifact).get("on") == "change"


def judges_files(artifact: Artifact) -> bool:
    """Whether the check is a guard of what files hold or declare, or of new files."""
    check = _guard_check(artifact)
    return check.get("on") in ("text", "dependency") or (_is_of_some_paths(check) and _is_of_new_files(check))


def protects_paths(artifact: Artifact) -> bool:
    """Whether the check is a guard of files that nobody changes or deletes without a person's approval."""
    check = _guard_check(artifact)
    return _is_of_some_paths(check) and not _is_of_new_files(check)


def _is_of_some_paths(check: Mapping[str, Any]) -> bool:
    """A guard of everything but some folders says where an agent works, and not what a commit may hold."""
    return check.get("on") == "path" and "**" not in check.get("globs", ())


def _is_of_new_files(check: Mapping[str, Any]) -> bool:
    return check.get("how") == ["create"]


def asks_for_run(artifact: Artifact) -> bool:
    """Whether the check asks for a run of a suite by rulec before an agent's act."""
    return bool(_guard_check(artifact).get("proved_by"))


def acts_at_commit(artifact: Artifact) -> bool:
    """Whether a machine's check acts at commits and in CI; a guard does where it speaks of files."""
    if artifact.kind != "guard":
        return not is_judge_check(artifact)
    return judges_whole_changes(artifact) or judges_files(artifact) or protects_paths(artifact)


def acts_at_tool_call(artifact: Artifact) -> bool:
    """Whether it acts where an agent asks to act."""
    return artifact.kind == "guard" and not judges_whole_changes(artifact)


def generated_notice(facts: RuleFacts) -> str:
    """The sentence that opens every artifact of a rule."""
    return f"generated by rulec from {facts.slug}@{facts.revision}; edit the rule, not this file"


def facts_json(facts: RuleFacts) -> str:
    """The facts as one line of JSON, the same bytes for the same facts."""
    return to_json_line(facts_data(facts))


def facts_data(facts: RuleFacts) -> dict[str, Any]:
    """The facts as JSON has them; what most rules leave as it is stays out, so that their artifacts stay the same."""
    data = {**_values(facts), "scope": _scope_data(facts.scope), "formerly": list(facts.formerly)}
    data["exceptions"] = [{**_exemption_data(one), "because": one.because} for one in facts.exceptions]
    for key in ("exceptions", "layer", "on_unsure", "level", "formerly"):
        if getattr(facts, key) == RuleFacts.__dataclass_fields__[key].default:
            del data[key]
    return data


def facts_from_data(data: dict[str, Any]) -> RuleFacts:
    """Facts back from the JSON of an artifact."""
    scope = {key: tuple(value) for key, value in data.get("scope", {}).items()}
    known = {
        key: data[key]
        for key in RuleFacts.__dataclass_fields__
        if key in data and key not in ("scope", "exceptions", "formerly")
    }
    exceptions = tuple(_exemption(one) for one in data.get("exceptions", ()))
    return RuleFacts(**known, scope=Scope(**scope), exceptions=exceptions, formerly=tuple(data.get("formerly", ())))


def _exemption(data: dict[str, Any]) -> Exemption:
    scope = {key: tuple(data[key]) for key in Scope.__dataclass_fields__ if key in data}
    commands, arguments = (tuple(data.get(key, ())) for key in ("commands", "arguments"))
    because = str(data.get("because", ""))
    return Exemption(because=because, scope=Scope(**scope), commands=commands, arguments=arguments)


def facts_comment(facts: RuleFacts) -> str:
    """The comment lines that open artifacts in languages with ``#`` comments: for us, then for people."""
    said = (
        f"# said: {to_one_line(facts.quote)}" + f" ({to_one_line(facts.said)})" * bool(facts.said)
        if facts.quote
        else ""
    )
    lines = [
        f"# {generated_notice(facts)}",
        f"# rulec: {facts_json(facts)}",
        f"# rule: {to_one_line(facts.statement)}",
        said,
    ]
    return "".join(f"{line}\n" for line in lines if line)


@lru_cache(maxsize=20_000)  # a gate asks several times, of each of its artifacts
def facts_in_comment(text: str) -> RuleFacts:
    """Facts back from facts_comment; ValueError where the lines are not there."""
    for line in text.splitlines()[:4]:
        if line.startswith("# rulec: "):
            return facts_from_data(json.loads(line[len("# rulec: ") :]))
    raise ValueError("no '# rulec:' line")
