"""Code inside files of another kind: the scripts and styles of pages and components, the cells of notebooks."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES = {  # suffix -> the languages of code that such a file may hold
    **dict.fromkeys(("html", "htm", "vue", "svelte", "astro"), ("javascript", "typescript", "css")),
    "ipynb": ("python",),
}
_ELEMENT = re.compile(
    r"<!--.*?(?:-->|\Z)|"  # what is in a comment is not run
    r"<(?P<tag>script|style)\b(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>(?P<code>.*?)(?=</(?P=tag)\s*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_FRONT = re.compile(r"\A\s*---[ \t]*\n(?P<code>.*?)(?=^---)", re.DOTALL | re.MULTILINE)  # the script of an Astro file
_TYPE = re.compile(r"\b(?:type|lang)\s*=\s*[\"']?([\w./+-]+)")
_SCRIPT = re.compile(r"(?:text/|application/)?(?:(?P<typed>tsx?|typescript)|jsx?|javascript|ecmascript|babel|module)")
_CELL = re.compile(r'\s*"cell_type"\s*:\s*"(\w+)"')
_SOURCE = re.compile(r'\s*"source"\s*:\s*(?:\[\s*$|(?P<whole>"(?:[^"\\]|\\.)*"))')
_BLANK = " "  # a line with no code: one sign, since nothing is no line where it is the last
_MAGIC = re.compile(r"\s*(?:[%!]|.*\?$)")  # a command of the notebook itself, which is no code of its language


def embedded_languages(path: str) -> tuple[str, ...]:
    """The languages of code that a file may hold inside, by its name."""
    return LANGUAGES.get(path.rpartition(".")[2].lower(), ())


def embedded_code(path: str, text: str) -> dict[str, str]:
    """The code inside a file by its language, each on the lines on which it stands in the file."""
    if not embedded_languages(path):
        return {}
    if path.lower().endswith(".ipynb"):
        return {"python": "\n".join(_cells(text.splitlines()))}
    found: dict[str, list[tuple[int, int]]] = {}
    for language, span in _spans(path, text):
        found.setdefault(language, []).append(span)
    return {language: _alone(text, spans) for language, spans in found.items()}


def around_code(path: str, text: str) -> str:
    """The text of a file with blanks for the code inside it."""
    if not embedded_languages(path):
        return text
    if path.lower().endswith(".ipynb"):
        return _blank(text)
    spans = [span for _, span in _spans(path, text)]
    between = zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=False)
    return _alone(text, list(between))


def _spans(path: str, text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    front = _FRONT.match(text) if path.lower().endswith(".astro") else None
    if front:
        yield "typescript", front.span("code")
    for match in _ELEMENT.finditer(text, front.end() if front else 0):
        language = _language(match["tag"].lower(), match["attributes"]) if match["tag"] else ""
        if language:
            yield language, match.span("code")


def _language(tag: str, attributes: str) -> str:
    said = _TYPE.search(attributes)
    if tag == "style":
        return "css"
    known = _SCRIPT.fullmatch(said[1].lower()) if said else None
    if said and not known:
        return ""  # data, a template
    return "typescript" if known and known["typed"] else "javascript"


def _alone(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with blanks for all but some parts."""
    kept: list[str] = []
    at = 0
    for start, end in spans:
        kept += [_blank(text[at:start]), text[start:end]]
        at = end
    return "".join([*kept, _blank(text[at:])])


def _blank(text: str) -> str:
    return re.sub(r"[^\s]", " ", text)


def _cells(lines: list[str]) -> Iterator[str]:
    """Each line's code in a cell of code; a text that is no notebook is the source of one cell."""
    if not "".join(lines[:20]).lstrip().startswith("{"):
        yield from (_plain(line) for line in lines)
        return
    code = within = False
    for line in lines:
        cell, source = _CELL.match(line), _SOURCE.match(line)
        if within:
            within = not line.lstrip().startswith("]")
            yield _decoded(line) if within and code else _BLANK
            continue
        code = cell[1] == "code" if cell else code
        within = bool(source and not source["whole"])
        yield _decoded(source["whole"]) if source and source["whole"] and code else _BLANK


def _decoded(line: str) -> str:
    import json  # noqa: PLC0415 (a commit without notebooks loads none of it)

    try:
        text = json.loads(line.strip().rstrip(","))
    except ValueError:
        return _BLANK
    return _plain(" ".join(text.splitlines())) if isinstance(text, str) else _BLANK


def _plain(line: str) -> str:
    return _BLANK if not line or _MAGIC.match(line) else line
