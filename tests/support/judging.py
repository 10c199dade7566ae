"""A careful reader of what judges are asked: it fails lines that hold a rule's word, and sees every decoy by itself."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.checks.judge import judge_questions

_FIELD = re.compile(r"\{(\w)\}")
RULE = """\
schema: 1
slug: {slug}
revision: 1
statement: Nobody writes the word {word}.
category: code-style
severity: should
enforcement: warn
{more}checks:
  - {{kind: judge, template: judge, with: {{of: {of}}}}}
examples:
  invalid: [{{{invalid}}}]
  valid: [{{{valid}}}]
"""


def rule(slug: str, word: str, more: str = "", of: str = "diff") -> str:
    """The file of a rule that a word is not written; ``more`` are lines of YAML."""
    bad, good = (f"{{file: a.py, content: '{text}'}}"[1:-1] for text in (f"{word} = 1", "x = 1"))
    if of == "message":
        bad, good = f"message: 'Add {word}'", "message: 'Add x'"
    return RULE.format(slug=slug, word=word, more=more, of=of, invalid=bad, valid=good)


def write(top: Path, rules: Mapping[str, str], config: str = "schema: 1\n") -> None:
    """A rulebook of such rules in a work tree, not compiled yet."""
    for slug, text in {**rules, "config": config}.items():
        path = top / ".rules" / f"{slug}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@dataclass(frozen=True)
class Read:
    """A request as whoever answers it can read it."""

    rules: Mapping[int, str]
    pieces: Mapping[int, tuple[str, Mapping[int, str]]]  # name, and its new lines by number


def read(text: str) -> Read:
    """The blocks of a request's text."""
    mark = text.partition("\n")[0].rsplit(" ", 1)[-1]
    found = re.findall(rf"^{mark} (\d+) (.*)\n((?:(?!{mark}).*\n)*)", text, re.MULTILINE)
    rules = {int(number): body for number, name, body in found if name == "rule"}
    pieces = {int(number): (name, _new(body)) for number, name, body in found if name != "rule"}
    return Read(rules, pieces)


def _new(body: str) -> dict[int, str]:
    return {int(n): line for n, line in re.findall(r"^ *(\d+) \+ ?(.*)$", body, re.MULTILINE)}


def answered(text: str) -> dict[str, Any]:
    """What the careful reader answers."""
    asked = read(text)
    verdicts = []
    for number, said in asked.rules.items():
        own = _own(said)
        fails = [fail for fail in _fails(said, asked) if fail["piece"] in own]
        verdicts += [{"rule": number, **fail} for fail in fails] or [{"rule": number, "verdict": "pass"}]
    return {"verdicts": verdicts}


def _own(said: str) -> set[int]:
    ranges = re.findall(r"(\d+)(?:-(\d+))?", said.rpartition("Judge by it: ")[2])
    return {n for first, last in ranges for n in range(int(first), int(last or first) + 1)}


def _fails(said: str, asked: Read) -> Iterator[dict[str, Any]]:
    word = re.search(r"^- Rule: Nobody writes the word (\w+)\.$", said, re.MULTILINE)
    for piece, (name, lines) in asked.pieces.items():
        for line, text in lines.items():
            if (word and word[1] in text) or (not word and _breaks(said, name, text)):
                yield {"verdict": "fail", "piece": piece, "line": line, "quote": text.strip()}


def _breaks(said: str, name: str, text: str) -> bool:
    for statement, ending, lines in judge_questions._FORMS:
        held = re.search(_pattern(statement, {}), said)
        bad = next(line for line in lines if line.startswith(">"))[1:]
        if held and name.endswith(f".{ending}"):
            words = {key.lower(): word.lower() for key, word in held.groupdict().items()}
            if re.fullmatch(_pattern(bad.strip(), words), text.strip()):
                return True
    return False


def _pattern(form: str, words: Mapping[str, str]) -> str:
    """What a form of a decoy may have become, where some of its words are known."""
    seen: set[str] = set()

    def one(found: re.Match[str]) -> str:
        name = found[1]
        if name.lower() in words:
            word = words[name.lower()]
            return re.escape(word.capitalize() if name.isupper() else word)
        again = name in seen
        seen.add(name)
        known = "|".join(judge_questions._VERBS) if name == "v" else "[A-Za-z0-9]+"  # a noun may follow a verb at once
        return f"(?P={name})" if again else f"(?P<{name}>{known})"

    plain = form.replace("{{", "\0").replace("}}", "\1")
    parts = _FIELD.split(plain)
    built = "".join(re.escape(part) if at % 2 == 0 else _once(part, one) for at, part in enumerate(parts))
    return built.replace("\0", re.escape("{")).replace("\1", re.escape("}"))


def _once(name: str, one: Any) -> str:
    found = _FIELD.fullmatch(f"{{{name}}}")
    assert found
    return str(one(found))
