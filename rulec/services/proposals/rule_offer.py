"""A whole rule as JSON, YAML or command-line options, and which kinds its checks stand for."""

import ast
import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from rulec.checks.proving.example_changes import change_of
from rulec.checks.proving.proof import Proof
from rulec.checks.proving.replay import ProofSession
from rulec.compiling.artifacts import template_library
from rulec.domain.candidate import Candidate, Draft
from rulec.domain.rule import CheckKind, Example, Rule, Scope
from rulec.domain.template import Template, TemplateParameter
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action, relative_to_folder
from rulec.drafting import draft_json
from rulec.errors import RulecError
from rulec.resolving.revisions import redact_rule
from rulec.rulebook import example_file, rule_file
from rulec.rulebook.yaml_text import YamlNode, load_yaml
from rulec.sentences.candidates import rule_in_words
from rulec.sentences.literals import is_marked

_WITHOUT_COMMAS = ("list[command]", "list[glob]")
_GROUPED = re.compile(r"[\"'{}()\[\]]")


# what a template is about -> kinds of example in which it finds nothing, whatever they hold
_BLIND = {
    "command": ("file", "edit", "message", "reply", "read"),
    "reply": ("command", "file", "edit", "message", "commit", "tool", "delete", "rename", "read"),
    "message": ("file", "edit", "reply", "tool", "delete", "rename", "read"),
    "file": ("reply", "message"),
    "line": ("reply",),
}


def why_unseen(rule: Rule, proof: Proof, top: Path) -> list[str]:
    """Why no check of the rule could see what it missed; nothing where the checks themselves have to tell."""
    missed = [one.example for stage in proof.stages for one in stage.failures if one.expected == "caught"]
    return list(dict.fromkeys(why for example in missed if example for why in why_blind(rule, example, top)))


def why_blind(rule: Rule, example: Example, top: Path) -> Iterator[str]:
    """Why no check of the rule could see an example: they look at other kinds of it, or its code does not parse."""
    library = template_library(top)
    units = {library.template(check.template).unit for check in rule.checks}
    if units and all(example.kind in _BLIND.get(unit, ()) for unit in units):
        yield f"a check of one {' or '.join(sorted(units))} never sees an example {{{example.kind}: …}}"
    else:
        yield from islice(_unparsed(example), 1)


def _unparsed(example: Example) -> Iterator[str]:
    """Why Semgrep finds nothing: the code does not parse. Known for Python without running Semgrep."""
    files = example.files if example.kind == "commit" else ((example.path, example.text),) * (example.kind == "file")
    for path, text in files:
        try:
            if path.endswith((".py", ".pyi")):
                ast.parse(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            yield f"the code of {path} does not parse{f' (line {line})' if line else ''}, so nothing is found in it"


_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of ``rulec add``, as they were typed."""

    checks: Sequence[str] = ()
    parameters: Sequence[tuple[int, str]] = ()  # the number of the check that one stands behind, and NAME=VALUE
    invalid: Sequence[str] = ()
    valid: Sequence[str] = ()
    scope: Sequence[str] = ()
    not_checked: Sequence[str] = ()

    def __bool__(self) -> bool:
        """Whether any option beside the sentence was given."""
        return any((self.checks, self.parameters, self.invalid, self.valid, self.scope, self.not_checked))


def rule_from_options(statement: str, given: CheckOptions, template: Callable[[str], Template]) -> dict[str, Any]:
    """The rule that the options describe, with each value in the type that its template declares."""
    if not given.checks:
        raise RulecError("no check is named", hint="--check TEMPLATE says how; see rulec templates --catalogue")
    checks = []
    for number, name in enumerate(given.checks, 1):
        own = [text for place, text in given.parameters if place == number]
        checks.append({"template": name, "with": _parameters(own, template(name))})
    first = [text for place, text in given.parameters if not place]
    if first:
        raise RulecError(f"--with {first[0]} has no preceding --check", hint="write --check TEMPLATE --with k=v")
    return {
        "statement": statement,
        "checks": checks,
        "examples": {
            "invalid": list(map(_option_example, given.invalid)),
            "valid": list(map(_option_example, given.valid)),
        },
        "scope": _scope(given.scope),
        "not_checked": list(given.not_checked),
    }


def _parameters(texts: Iterable[str], template: Template) -> dict[str, Any]:
    declared = {parameter.name: parameter for parameter in template.parameters}
    found: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in declared:
            what = f"{template.name} has no parameter {name!r}" if sign else f"--with {text!r} is not NAME=VALUE"
            raise RulecError(what, hint=f"it takes {', '.join(declared) or 'none'}")
        one = declared[name]
        if name in found and not _several(one):
            raise RulecError(f"{template.name}.{name} is given twice", hint="it takes one value")
        read = _value(one, value, f"{template.name}.{name}")
        found[name] = _joined(found[name], read) if name in found else read
    return found


def _several(one: TemplateParameter) -> bool:
    return one.type.startswith(("list[", "map["))


def _joined(old: Any, new: Any) -> Any:
    return {**old, **new} if isinstance(old, dict) else [*old, *new]


def _value(one: TemplateParameter, text: str, name: str) -> Any:
    if one.type.startswith("map["):
        key, sign, value = text.partition("=")
        return dict(_flow(text, name, "{k: kubectl}")) if text.startswith("{") or not sign else {key: value}
    if one.type.startswith("list["):
        return _list(one, text, name)
    if one.type == "bool":
        if text.lower() not in (*_TRUE, *_FALSE):
            raise RulecError(f"{name} must be true or false, not {text!r}", hint=one.doc)
        return text.lower() in _TRUE
    if one.type == "int":
        try:
            return int(text)
        except ValueError:
            raise RulecError(f"{name} must be a whole number, not {text!r}", hint=one.doc) from None
    if one.type == "semgrep" and text.lstrip().startswith("{"):
        return _flow(text, name, "{...}")
    return _flow(text, name, "{...}") if one.type == "guard" else text


def _list(one: TemplateParameter, text: str, name: str) -> list[Any]:
    """The items of ``[a, b]``; of patterns only where they are quoted, because [ab] is a pattern, too.

    Where a comma cannot belong to an item, as in commands without quotes, ``a, b`` are two as well.
    """
    quoted = text[1:].lstrip()[:1] in ("'", '"')
    if text.startswith("[") and text.endswith("]") and (quoted or one.type != "list[regex]"):
        return [str(item) for item in _flow(text, name, "[a, b]")]
    plain = (one.choices or one.type in _WITHOUT_COMMAS) and not _GROUPED.search(text)
    return text.split(", ") if plain else [text]


def _flow(text: str, name: str, form: str) -> Any:
    try:
        value = load_yaml(text, name)
    except RulecError:
        example = '["*.md"]' if form.startswith("[") else '{k: "a*"}'
        bare = f", or one item alone: --with '{name.rpartition('.')[2]}=*.md'" if form.startswith("[") else ""
        hint = f"quote each item that begins with a sign: {example}{bare}"
        raise RulecError(f"{name}: {text!r} cannot be read as {form}", hint=hint) from None
    if not isinstance(value, dict if form.startswith("{") else list):
        raise RulecError(f"{name} must be written as {form}, not {text!r}")
    return value


def _option_example(text: str) -> Mapping[str, Any]:
    """A mapping as in rule files, or else a command."""
    if not text.lstrip().startswith("{"):
        return {"command": text}
    try:
        found = json.loads(text)
    except ValueError:
        found = load_yaml(text, "example")
    return YamlNode(found, "example").plain()


def _scope(globs: Sequence[str]) -> dict[str, Any]:
    include = [glob for glob in globs if not glob.startswith("!")]
    exclude = [glob[1:] for glob in globs if glob.startswith("!")]
    return {**({"include": include} if include else {}), **({"exclude": exclude} if exclude else {})}


LARGEST_OFFER = 200_000  # bytes of an offer
MOST_STEPS = 50  # of a session
MOST_EXAMPLES = 40  # of one side
_LONGEST = {"statement": 300, "when": 200, "quote": 2_000, "do": 300, "rationale": 600}  # characters
_EXAMPLES = {"offence": draft_json.REPLACE_SECRETS["invalid"], "fix": draft_json.REPLACE_SECRETS["valid"]}
_FREE = ("schema", "slug", "revision", "category", "severity")  # of a rule file's keys, what anybody may say
_FORM = (
    'write {"statement": "Use pnpm, never npm", "checks": [{"template": "forbid-command", "with": {…}}], '
    '"examples": {"invalid": [{"command": "npm install x"}], "valid": [{"command": "pnpm add x"}]}}'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOffer:
    """A rule that somebody offers: its sentence, checks, and the wrong and right action."""

    rule: Rule  # without checks and examples; its slug is "" where none was given
    draft: Draft
    given: frozenset[str] = frozenset()  # the keys of the rule that it says
    quote: str = ""
    offence: Example | None = None
    fix: Example | None = None
    unread: tuple[str, ...] = field(default=())  # a line for each part that has not the form
    changed: tuple[str, ...] = field(default=())  # a line for each example that holds look-alikes of secrets

    @property
    def statement(self) -> str:
        """The sentence of the rule."""
        return self.rule.statement

    @property
    def full(self) -> Draft:
        """The draft with the wrong and the right action among its examples."""
        pair = ((self.offence,) if self.offence else (), (self.fix,) if self.fix else ())
        invalid, valid = (
            (*own, *(one for one in side if one not in own))
            for own, side in zip(pair, (self.draft.invalid, self.draft.valid), strict=True)
        )
        return replace(self.draft, invalid=invalid, valid=valid)


def parse_offer(file: BinaryIO, source: str, top: Path, by: str = "agent", *, whole: bool = False) -> RuleOffer:
    """The offer in a file, its words redacted; RulecError that names what is wrong in it.

    ``by`` is the source of its examples. ``whole``: every key of a rule file may stand in it, also those that a person
    alone decides on.
    """
    raw = file.read(LARGEST_OFFER + 1)
    if len(raw) > LARGEST_OFFER:
        raise RulecError(f"is larger than {LARGEST_OFFER:,} bytes", where=source, hint="shorten the examples")
    return read_offer(_node(raw, source), top, by, whole=whole)


def read_offer(node: YamlNode, top: Path, by: str, *, whole: bool) -> RuleOffer:
    """The offer in data that is parsed already."""
    rule_keys = rule_file.RULE_KEYS if whole else (*_LONGEST, *_FREE)
    node.known(dict.fromkeys((*_LONGEST, *_EXAMPLES, *draft_json.DRAFT_KEYS, *rule_keys)))
    words = {key: _words(node, key, most) for key, most in _LONGEST.items()}
    if not words["statement"]:
        raise node.error("statement", "is missing or empty", "say in one sentence what must hold")
    if by != "person" and is_marked(words["statement"]):
        raise node.error("statement", "is marked as a person's own rule", "write the sentence alone")
    offence, fix = (_example(node, key, by) for key in _EXAMPLES)
    if offence and offence == fix:
        raise node.error("fix", "is the offence itself", "give the action that was right instead, or leave it out")

    def kinds(name: str) -> CheckKind:
        return template_library(top).template(name).kind

    found = draft_json.read_draft(node.plain(), by, kinds, node.source, MOST_EXAMPLES)
    rule = _rule(node, words, whole=whole)
    if sides := ({*found.draft.invalid} & {*found.draft.valid}):
        example = json.dumps(example_file.example_data(next(iter(sides))), ensure_ascii=False)
        raise node.error("examples", f"say of one action both: {example[:200]}", "leave one of the two out")
    return RuleOffer(
        rule=rule, given=frozenset(node.data), draft=found.draft, quote=words["quote"], offence=offence, fix=fix,
        unread=found.unread, changed=(*_actions_changed(node), *found.changed),
    )  # fmt: skip


def offered_rule(offer: RuleOffer) -> Rule:
    """The rule with a slug; category and severity follow its words where they are missing."""
    plain = rule_in_words(offer.statement)
    rule = offer.rule
    return replace(
        rule,
        slug=rule.slug or plain.slug,
        do=rule.do or plain.do,
        category=rule.category if "category" in offer.given else plain.category,
        severity=rule.severity if "severity" in offer.given else plain.severity,
    )


def session_of_offer(offer: RuleOffer, top: Path) -> ProofSession | None:
    """The wrong and the right action as a session to replay, None where neither is given."""
    if not (offer.offence or offer.fix):
        return None
    said = Action(kind="says", new=offer.quote or offer.statement, aside=True)
    before, after = (tuple(_actions(one, top)) if one else () for one in (offer.offence, offer.fix))
    return ProofSession(before=before, after=(said, *after))


def _actions(example: Example, top: Path) -> Iterator[Action]:
    change = change_of(example)
    for action in (*change.earlier, *change.actions):
        yield replace(action, path=relative_to_folder(action.path, str(top)))
    if example.kind in ("message", "commit"):
        yield Action(kind="command", command=f"git commit -m {shlex.quote(example.text)}")


def offered_candidate(offer: RuleOffer, rule: Rule) -> Candidate:
    """The candidate with the offer's own checks and no others."""
    draft = replace(offer.full, do=offer.rule.do)
    return Candidate(rule=rule, drafts=(draft,) if draft.checks else ())


def _rule(node: YamlNode, words: Mapping[str, str], *, whole: bool) -> Rule:
    """The rule without its checks and examples."""
    free = rule_file.RULE_KEYS if whole else _FREE
    kept = {key: node.data[key] for key in free if key in node.data and key not in (*draft_json.DRAFT_KEYS, *_LONGEST)}
    said = {key: text for key, text in words.items() if text and key != "quote"}
    rule = rule_file.rule_from_node(YamlNode({"slug": "x", **kept, **said}, node.source))
    return replace(redact_rule(rule, redact), slug=rule.slug if "slug" in kept else "", source="", scope=Scope())


def _node(raw: bytes, source: str) -> YamlNode:
    """One JSON object or YAML mapping, with the lines of its keys."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=source, hint="save it as UTF-8") from None
    if not text.strip():
        raise RulecError("is empty", where=source, hint=_FORM)
    try:
        data = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        return _yaml(text, source, error)
    except (ValueError, RecursionError) as error:
        what = str(error) or type(error).__name__
        raise RulecError(f"is no JSON that could be read: {what}", where=source, hint=_FORM) from None
    if not isinstance(data, dict):
        raise RulecError("is no JSON object", where=source, hint=_FORM)
    return YamlNode(data, source)


def _yaml(text: str, source: str, fault: json.JSONDecodeError) -> YamlNode:
    json_meant = text.lstrip()[:1] in "[{"
    try:
        return YamlNode.load(text, source)
    except RulecError as error:
        if json_meant:
            raise RulecError(f"is no JSON that could be read: {fault}", where=source, hint=_FORM) from None
        raise RulecError(f"is neither JSON nor YAML: {error.message}", where=error.where, hint=_FORM) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is in it twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _words(node: YamlNode, key: str, most: int) -> str:
    text = " ".join(redact(node.text(key)).split())
    if len(text) > most:
        raise node.error(key, f"is longer than {most} characters", "say it shorter")
    return text


def _actions_changed(node: YamlNode) -> Iterator[str]:
    for key, put in _EXAMPLES.items():
        if node.has(key) and draft_json.without_secrets(node.data[key], put) != node.data[key]:
            yield f"{key}: {draft_json.STANDIN_NOTE}"


def _example(node: YamlNode, key: str, by: str) -> Example | None:
    """One example as in rule files; None for none."""
    if not node.has(key):
        return None
    one = YamlNode(draft_json.without_secrets(node.mapping(key).data, _EXAMPLES[key]), node.source, node.line, key)
    files = one.mapping("files").data if one.has("files") else {}
    if not all(isinstance(text, str) for text in files.values()):
        raise one.error("files", "must map paths to texts", "quote them")
    found = example_file.read_example(one)
    if len(found.steps) > MOST_STEPS:
        raise one.error("session", f"has more than {MOST_STEPS} steps", "the last ones are enough")
    if not any(step.text.strip() or step.path.strip() or step.files for step in (found, *found.steps)):
        raise one.error("", "is empty", "write the action as it was done")
    return replace(found, source=by)
