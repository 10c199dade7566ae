"""Two states of a .gitattributes file: which gate files and code the later hides from reviews."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulec.domain.finding import Weakening
from rulec.integrations import code_owners
from rulec.tamper.guarded_files import SOURCE_SUFFIXES

_FIRST = re.compile(r'"((?:\\.|[^"\\])*)"|\S+')
_MACRO = "[attr]"
_EXTENSIONS = frozenset(SOURCE_SUFFIXES.split("|"))
_DRIVERS = frozenset(  # that git brings along, and that show lines
    [
        "ada", "bash", "bibtex", "cpp", "csharp", "css", "dts", "elixir", "fortran", "fountain", "golang", "html",
        "ini", "java", "kotlin", "markdown", "matlab", "objc", "pascal", "perl", "php", "python", "ruby", "rust",
        "scheme", "tex", "astextplain",
    ]
)  # fmt: skip
_MERGES = ("text", "union", "rulec")
_HIDING = ("diff", "linguist-generated", "gitlab-generated", "filter", "merge")
_MOST = 500  # lines that are about sight
_SIGHT = "keeps changes out of people's sight"
_FILTERED = "lets a program change its content"


@dataclass(frozen=True, slots=True)
class _AttributesLine:
    number: int
    pattern: str
    words: tuple[str, ...]  # as they are written


@dataclass(frozen=True, slots=True)
class _AttributesFile:
    lines: tuple[_AttributesLine, ...]
    macros: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _AttributeSource:
    """The value of one attribute of a path, and the word and line that set it."""

    value: str
    line: _AttributesLine
    word: str


def newly_hidden(
    path: str, texts: tuple[str, str], root: tuple[str, str], gate: Iterable[str], code: Callable[[], Iterable[str]]
) -> Iterator[Weakening]:
    """Lines that newly hide a gate file, all code of a language, or most of the code.

    ``root`` are the two states of the file at the top, which alone may name several attributes at once.
    """
    was, now = (_read(text, top) for text, top in zip(texts, root, strict=True))
    if len(now.lines) > _MOST:  # git asks them all for each path; to do so here would hold up the commit
        told_all = f"{path}: {len(now.lines)} lines of attributes are too many to compare"
        yield Weakening(subject=f"sight {path}", text=told_all, path=path)
        return
    below = f"{path.rpartition('/')[0]}/".lstrip("/")
    told: dict[tuple[str, str], tuple[_AttributeSource, str]] = {}
    for name in (one.removeprefix(below) for one in gate if one.startswith(below)):
        _note_first(told, _newly_hidden_in(was, now, name, gate=True))
    for extension in sorted(_EXTENSIONS):
        _note_first(told, _newly_hidden_in(was, now, f"a-folder/a-file.{extension}", gate=False))
    if any(key == "filter" for line in now.lines for word in line.words for key, _ in _expand_macros(word, now.macros)):
        for name in (one.removeprefix(below) for one in code() if _is_code(one) and one.startswith(below)):
            _note_first(told, (one for one in _newly_hidden_in(was, now, name, gate=True) if one[1] == _FILTERED))
    if not told and any(now.lines):
        _note_first(told, _hides_most_code(was, now, [one for one in code() if _is_code(one)], below))
    for (pattern, word), (given, why) in told.items():
        text = f"{path}: {pattern} {word} {why}"
        yield Weakening(subject=f"sight {pattern} {word}", text=text, path=path, line=given.line.number)


def _note_first(
    told: dict[tuple[str, str], tuple[_AttributeSource, str]], found: Iterable[tuple[_AttributeSource, str]]
) -> None:
    for given, why in found:
        told.setdefault((given.line.pattern, given.word), (given, why))


def _is_code(path: str) -> bool:
    return not path.startswith(".") and path.rpartition(".")[2] in _EXTENSIONS


def _hides_most_code(
    was: _AttributesFile, now: _AttributesFile, code: Sequence[str], below: str
) -> list[tuple[_AttributeSource, str]]:
    """Lines that together hide more than half of the code."""
    inside = [one.removeprefix(below) for one in code if one.startswith(below)]
    found = [told for one in inside if (told := list(_newly_hidden_in(was, now, one, gate=False)))]
    return [one for told in found for one in told] if len(found) * 2 > len(code) else []


def _newly_hidden_in(
    was: _AttributesFile, now: _AttributesFile, name: str, *, gate: bool
) -> Iterator[tuple[_AttributeSource, str]]:
    after = _hidden_by_attribute(now, name, gate=gate)
    before = _hidden_by_attribute(was, name, gate=gate) if after else {}
    return (found for key, found in after.items() if key not in before)


def _hidden_by_attribute(file: _AttributesFile, name: str, *, gate: bool) -> dict[str, tuple[_AttributeSource, str]]:
    """Which attributes hide a path, by attribute."""
    state: dict[str, _AttributeSource] = {}
    for line in file.lines:
        if code_owners.pattern_covers(line.pattern, name):
            for word in line.words:
                state |= {key: _AttributeSource(value, line, word) for key, value in _expand_macros(word, file.macros)}
    return {key: (given, why) for key, given in state.items() if (why := _why_hidden(key, given.value, gate=gate))}


def _why_hidden(key: str, value: str, *, gate: bool) -> str:
    if key == "diff" and (value == "-" or value not in {"", "!", *_DRIVERS}):
        return _SIGHT
    if key in ("linguist-generated", "gitlab-generated") and value in ("", "true"):
        return _SIGHT
    if gate and key == "filter" and value not in ("-", "!", ""):
        return _FILTERED
    if gate and key == "merge" and value not in ("", "!", *_MERGES):
        return "lets a merge drop what one side decided"
    return ""


def _expand_macros(word: str, macros: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Attribute and value: "-" for unset, "!" for unspecified, "" for set; what a macro names comes with it, once."""
    left, known = [word], set[str]()
    while left:
        one = left.pop(0)
        sign = one[:1] if one[:1] in "-!" else ""
        name, _, value = one.removeprefix(sign).partition("=")
        yield name, sign or value
        if not sign and not value and name not in known:
            known.add(name)
            left += macros.get(name, ())


def _read(text: str, top: str) -> _AttributesFile:
    macros = {"binary": ("-diff", "-merge", "-text")} | {line.pattern: line.words for line in _macros(top)}
    lines = (line for line in _lines(text) if not line.pattern.startswith(_MACRO))
    return _AttributesFile(
        tuple(line for line in lines if any(_hides_anything(word, macros) for word in line.words)), macros
    )


def _hides_anything(word: str, macros: Mapping[str, tuple[str, ...]]) -> bool:
    return any(key in _HIDING for key, _ in _expand_macros(word, macros))


def _macros(text: str) -> Iterator[_AttributesLine]:
    for line in _lines(text):
        if line.pattern.startswith(_MACRO):
            words = (line.pattern.removeprefix(_MACRO), *line.words)
            name, *rest = [word for word in words if word]
            yield _AttributesLine(line.number, name, tuple(rest))


def _lines(text: str) -> Iterator[_AttributesLine]:
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        first = _FIRST.match(bare)
        if first and not bare.startswith("#"):
            pattern = re.sub(r"\\(.)", r"\1", first[1]) if first[1] is not None else first[0]
            yield _AttributesLine(number, pattern, tuple(bare[first.end() :].split()))
