"""AGENTS.md: the rules in words, in a marked block that leaves the rest of the file alone."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from rulec.emitters import _splice
from rulec.model.artifact import Artifact
from rulec.model.plan import Plan
from rulec.model.rule import Rule
from rulec.ports import Emitter, Render

PATH = "AGENTS.md"
_SHORT = 160
_TITLES = {"must": "MUST", "should": "SHOULD", "style": "STYLE"}


def emit(plan: Plan, render: Render, current: Mapping[str, str]) -> Iterator[Artifact]:
    """The file with our block in it: in its place where it stands already, else at the end."""
    by_severity = [(title, [_line(r) for r in plan.rules if r.severity == key]) for key, title in _TITLES.items()]
    groups = [(title, lines) for title, lines in by_severity if lines]
    block = render("emit/agents_md.md.j2", {"note": _splice.NOTE, "groups": groups})
    present = current.get(PATH)
    found = _splice.find(present or "", _splice.HTML, PATH)
    if present is not None:
        block = _splice.replace(found, block) if found else _splice.append(present, block)
    yield Artifact(path=PATH, text=block)


def remove(path: str, text: str) -> str | None:
    """The file without our block."""
    found = _splice.find(text, _splice.HTML, path)
    return _splice.cut(found, appended=True) if found else text


def _line(rule: Rule) -> str:
    """Statement, when and do of a rule in one line."""
    parts = [_sentence(_plain(rule.statement))]
    if rule.when.strip():
        parts.append(_sentence(f"When: {_plain(_clipped(rule.when))}"))
    if rule.do.strip():
        parts.append(_sentence(f"Do: {_plain(_clipped(rule.do))}"))
    return f"{_unopened(' '.join(parts))} (`{_words(rule.slug).replace('`', '')}`)"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _clipped(text: str) -> str:
    text = _words(text)
    if len(text) <= _SHORT:
        return text
    start = text[:_SHORT]
    return (start.rpartition(" ")[0] or start).rstrip(",;:") + " …"


def _words(text: str) -> str:
    """The text on one line without characters that steer rather than show; joiners are part of scripts and stay."""
    return " ".join("".join(map(_shown, text)).split())


def _shown(character: str) -> str:
    match unicodedata.category(character):
        case "Cc" | "Zl" | "Zp":
            return " "
        case "Cf" | "Cs" if character not in "\u200c\u200d":
            return ""
    return character


def _plain(text: str) -> str:
    """The text as words only: no HTML, no comment mark, no import of a file; balanced `code` stays code."""
    text = _words(text)
    spans = text.split("`")
    if len(spans) % 2 == 0 or "``" in text or "\\`" in text:
        spans = [text.replace("`", "'")]
    return "`".join(_code(part) if index % 2 else _prose(part) for index, part in enumerate(spans))


def _prose(text: str) -> str:
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    # agents read "@path" in such a file as: put that file here
    return re.sub(r"(?<!\S)@(?=\S)", r"\\@", text)


def _code(text: str) -> str:
    return text.replace("<!--", "<! --").replace("-->", "-- >")


def _unopened(text: str) -> str:
    """The text such that its first character opens no list, heading, fence, quote, table or link definition."""
    text = re.sub(r"^(\d+)([.)])", r"\1\\\2", text)
    return f"\\{text}" if text.startswith(("#", "-", "+", "*", "_", "~", "|", "[", "=")) else text


PLUG = Emitter(name="agents-md", files=(PATH,), emit=emit, remove=remove)
