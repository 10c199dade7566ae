"""What an agent offers as a rule: one JSON object, held to its form to the letter."""

import json
from dataclasses import dataclass
from typing import Any

from rulec import examplefile
from rulec.errors import RulecError
from rulec.language import clauses
from rulec.model.rule import Example
from rulec.redact import redact
from rulec.yamltext import Node

LARGEST = 200_000  # bytes of an offer
MOST_STEPS = 50  # of a session
_LONGEST = {"statement": 300, "when": 200, "quote": 2_000}  # characters
_EXAMPLES = ("offence", "fix")
_FORM = (
    'write {"statement": "Use pnpm, never npm", "when": "…", "quote": "…", '
    '"offence": {"command": "npm install x"}, "fix": {"command": "pnpm add x"}}'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A wish in an agent's words, and the deeds that it says were wrong and right."""

    statement: str
    when: str = ""
    quote: str = ""
    offence: Example | None = None
    fix: Example | None = None


def offered(raw: bytes, source: str) -> Offer:
    """The offer in a text, its words redacted; RulecError that names what is wrong in it."""
    if len(raw) > LARGEST:
        raise RulecError(f"is larger than {LARGEST:,} bytes", where=source, hint="leave out what the example can spare")
    node = Node(_object(raw, source), source)
    node.known((*_LONGEST, *_EXAMPLES))
    words = {key: _words(node, key, most) for key, most in _LONGEST.items()}
    if not words["statement"]:
        raise node.error("statement", "is missing or empty", "say in one sentence what must hold")
    if any(clause.marked or clause.slug for clause in clauses(words["statement"])):
        raise node.error("statement", "is marked as a person's own rule", "write the sentence alone")
    offence, fix = (_example(node, key) for key in _EXAMPLES)
    if offence and offence == fix:
        raise node.error("fix", "is the offence itself", "give the action that was right instead, or leave it out")
    return Offer(**words, offence=offence, fix=fix)


def _object(raw: bytes, source: str) -> dict[str, Any]:
    try:
        data = json.loads(raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        what = str(error) or type(error).__name__
        raise RulecError(f"is no JSON that could be read: {what}", where=source, hint=_FORM) from None
    if not isinstance(data, dict):
        raise RulecError("is no JSON object", where=source, hint=_FORM)
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands in it twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _words(node: Node, key: str, most: int) -> str:
    text = " ".join(redact(node.text(key)).split())
    if len(text) > most:
        raise node.error(key, f"is longer than {most} characters", "say it shorter")
    return text


def _example(node: Node, key: str) -> Example | None:
    """One example in the form of rule files; None where there is none."""
    if not node.has(key):
        return None
    one = node.mapping(key)
    files = one.mapping("files").data if one.has("files") else {}
    if not all(isinstance(text, str) for text in files.values()):
        raise one.error("files", "must map paths to texts", "quote them")
    found = examplefile.example(one)
    if len(found.steps) > MOST_STEPS:
        raise one.error("session", f"has more than {MOST_STEPS} steps", "the last ones are enough")
    if not any(step.text.strip() or step.path.strip() or step.files for step in (found, *found.steps)):
        raise one.error("", "is empty", "write the action as it was done")
    return found
