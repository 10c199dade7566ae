"""Parts of a file: its header comment, its comments, strings, documentation and code."""

import re

from rulec.domain.files.embedded_code import around_code, embedded_code
from rulec.domain.files.languages import COMMENT_STYLES, SUFFIXES, SUFFIXES_BY_KIND, comment_style

MOST_LINES = 80
LONGEST_LINE = 1_000
_LINE = ("#", "//", "--", ";", "%", "*")
_BLOCKS = (
    ("/*", "*/"),
    ("<!--", "-->"),
    ('"""', '"""'),
    ("'''", "'''"),
    ("=begin", "=end"),
    ("{-", "-}"),
    ("(*", "*)"),
)
# What stands before a header by the rules of its language: <?php, <?xml, "use strict", declare(strict_types=1).
_BEFORE = re.compile(r"<\?(?:php|xml)?|['\"]use \w+['\"];?$|declare\s*\(|@charset|<!doctype", re.IGNORECASE)
_SIGNS = re.compile(r"^(?:[\s#/*;%!<>-]|\(\*|\{-)+|\"\"\"|'''|=begin|=end")
_CLOSING = " \t*/>)}-"
_YEAR = r"(?:(?:19|20)\d\d|\{year\}|<year>|\[year\]|yyyy|present)"
_YEARS = re.compile(rf"{_YEAR}(?:\s*[-,\u2013]\s*{_YEAR})*,?", re.IGNORECASE)
_NOTICE = re.compile(
    r"copyright|\(c\) |\u00a9|spdx-license-identifier|@licen[cs]e|licen[cs]ed under|all rights reserved|public domain"
)


def has_header(text: str, wanted: str) -> bool:
    """Whether the first comment holds the wanted words, or any notice of a licence where none are given."""
    said = normalised_text(first_comment(text))
    return normalised_text(wanted.splitlines()) in said if wanted.strip() else is_licence_notice(said)


def first_comment(text: str) -> "list[str]":
    """The lines of the comment that the text begins with."""
    found: list[str] = []
    closing = ""
    for line in text.lstrip("\ufeff").splitlines()[:MOST_LINES]:
        bare = line[:LONGEST_LINE].strip()
        if closing:
            closing = "" if closing in bare else closing
        elif bare and (before := _BEFORE.match(bare)):
            bare = bare[before.end() :].strip()
            closing = _opened(bare)
        elif bare:
            closing = _opened(bare)
            if not closing and not bare.startswith(_LINE) and not any(bare.startswith(start) for start, _ in _BLOCKS):
                break
        found.append(bare)
    return found


def _opened(bare: str) -> str:
    """What ends the comment that the line opens and does not close."""
    for start, end in _BLOCKS:
        if bare.startswith(start):
            return "" if end in bare[len(start) :] else end
    return ""


def is_licence_notice(text: str) -> bool:
    """Whether the text speaks of a licence or of whose work it is."""
    return bool(_NOTICE.search(text.lower()))


def comment_text(lines: "list[str]") -> str:
    """Lines as one text without signs of comments."""
    return " ".join(" ".join(_SIGNS.sub("", line.rstrip(_CLOSING)) for line in lines).split())


def normalised_text(lines: "list[str]") -> str:
    """The same in small letters, without years."""
    return " ".join(_YEARS.sub(" ", comment_text(lines)).lower().split())


PARTS = ("docs", "comments", "docstrings", "strings", "code", "written")
PROSE = PARTS[:3]  # what is written for people
AS_WRITTEN = ("strings", "code", "written")  # with one of these nothing within the wanted parts becomes a blank
LARGEST = 1_000_000  # signs of a text that is read
CODE, URL = "x", "\x1a"  # what stands for code and for addresses within sentences
_PROSE = frozenset(SUFFIXES_BY_KIND["prose"])
_PLAIN_NAMES = ("readme", "changelog", "changes", "contributing", "authors", "notice", "todo", "news", "history")
_STRING = r'"(?:[^"\\\n]|\\.)*"?'
_CHAR = r"'(?:\\.[^'\n]{0,10}|[^'\\\n])'"  # a single sign: an apostrophe alone, as in 'a of Rust, begins nothing
_QUOTED = r"'(?:[^'\\\n]|\\.)*'?"
_LONG = r"`(?:[^`\\]|\\.)*`?"
_BLOCK = r"/\*(?:.*?\*/|.*)"
_TAGS = r"<!--(?:.*?-->|.*)"
_TRIPLE = r'"""(?:.*?"""|.*)' + r"|'''(?:.*?'''|.*)"
_OPENS = r"(?:(?<=\n)|(?<=\A))[ \t]*(?:[rR]?)"  # a text that begins a statement documents it
_SLASHES = r"(?<!:)//[^\n]*"
_HASHES = r"(?:(?<=\s)|(?<=\A))#[^\n]*"
_LINE_START = r"(?:(?<=\n)|(?<=\A))"
_RAW = r"\b[rR]\"\((?:.*?\)\"|.*)|\br(?P<hashes>#+)\"(?:.*?\"(?P=hashes)|.*)|@\"(?:[^\"]|\"\")*\"?"
_SLASHED = rf"{_RAW}|{_TRIPLE}|{_STRING}"
_MARKUP = (  # comments of pages, and of the templates that make them
    rf"{_TAGS}|\{{#(?:.*?#\}}|.*)|\{{\{{!(?:--.*?--\}}\}}|[^-].*?\}}\}})|<%(?:#.*?|--.*?--)%>|@\*.*?\*@"
    r"|\{%-?\s*comment\b.*?endcomment\s*-?%\}"
)
_SCANNERS = {
    "slash": rf"(?P<comment>{_SLASHES}|{_BLOCK}|{_TAGS})|{_SLASHED}|{_CHAR}|{_LONG}",
    "script": rf"(?P<comment>{_SLASHES}|{_BLOCK}|{_TAGS})|{_TRIPLE}|{_STRING}|{_QUOTED}|{_LONG}",
    "php": rf"(?P<comment>{_SLASHES}|{_BLOCK}|{_TAGS}|(?<!\S)#(?!\[)[^\n]*)|{_STRING}|{_QUOTED}|{_LONG}",
    "style": rf"(?P<comment>{_BLOCK})|{_STRING}|{_QUOTED}",
    "sheet": rf"url\([^()\n]*\)|(?P<comment>{_SLASHES}|{_BLOCK})|{_STRING}|{_QUOTED}",
    "hash": (
        rf"(?P<comment>{_HASHES}|<#(?:.*?#>|.*)|{_LINE_START}=(?:begin|pod|head\d|over|item|for)\b.*?(?:\n=(?:end|cut)\b|\Z))"
        rf"|{_STRING}|{_QUOTED}"
    ),
    "ini": rf"(?P<comment>(?:(?<=\s)|(?<=\A))[#;][^\n]*)|{_STRING}|{_QUOTED}",
    "python": rf"(?P<comment>#[^\n]*)|(?P<docstring>{_OPENS}(?:{_TRIPLE}))|{_TRIPLE}|{_STRING}|{_QUOTED}",
    "dash": rf"(?P<comment>--[^\n]*|{_BLOCK}|\{{-(?:.*?-\}}|.*))|{_STRING}|{_QUOTED}",
    "lua": rf"(?P<comment>--\[\[(?:.*?\]\]|.*)|--[^\n]*)|\[\[(?:.*?\]\]|.*)|{_STRING}|{_QUOTED}",
    "lisp": r'(?P<comment>;[^\n]*|#\|(?:.*?\|#|.*))|\\.|"(?:[^"\\]|\\.)*"?',
    "percent": rf"\\.|(?P<comment>%[^\n]*)|{_STRING}",
    "ml": rf"(?P<comment>\(\*(?:.*?\*\)|.*)|{_SLASHES})|{_SLASHED}|{_CHAR}",
    "bang": rf"(?P<comment>![^\n]*)|{_STRING}|{_QUOTED}",
    "quote": rf"(?P<comment>'[^\n]*)|{_STRING}",
    "rem": rf"(?P<comment>{_LINE_START}[ \t]*@?(?:[rR][eE][mM]\b|::)[^\n]*)",
    "markup": rf"(?P<comment>{_MARKUP})",
}
_FENCE = re.compile(r"[ \t>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")
_INDENTED = re.compile(r"(?: {4}|\t)")
_TICKS = re.compile(r"(`{1,9})(?!`)(?:[^\s]|[ \t]){1,400}?(?<!`)\1(?!`)")
_ADDRESS = re.compile(r"https?://[^\s<>\"']*[^\s<>\"').,;:!?\]`*_]|(?<=\]\()[^)\s]+")
_TAG = re.compile(r"<!--(?:.*?-->|.*)|</?[A-Za-z][^<>\n]{0,300}>", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w{2,}")
_known: "dict[str, re.Pattern[str]]" = {}


def part_of(path: str, text: str = "") -> str:
    """What a file's path or first line says that its words are: "docs", "comments" of code, or ""."""
    if comment_style(path, text):
        return "comments"
    name = path.rpartition("/")[2].lower()
    ending = name.rpartition(".")[2]
    return "docs" if ending in _PROSE or (ending == name and name in _PLAIN_NAMES) else ""


def lines_of_parts(path: str, text: str, wanted: "tuple[str, ...]" = PROSE, *, names: bool = True) -> "list[str]":
    """The lines of the text with blanks for all but the wanted parts.

    With ``names`` false, words that the code beside a comment uses as names are blanks, too.
    """
    text = text[:LARGEST]
    part = part_of(path, text)
    if part == "docs" and part in wanted:
        return _prose(text, path.lower().endswith((".md", ".mdx", ".markdown", ".mdown")))
    if part != "comments" or not {*AS_WRITTEN, part}.intersection(wanted):
        return [""] * len(text.splitlines())
    pieces = {
        language: (text, COMMENT_STYLES[SUFFIXES[language][0]]) for language, text in embedded_code(path, text).items()
    }
    whole = (around_code(path, text), comment_style(path, text))
    found = [_parts(style, piece, wanted, names=names) for piece, style in (whole, *pieces.values())]
    return [max(lines, key=lambda line: bool(line.strip())) for lines in zip(*found, strict=False)]


def _parts(style: str, text: str, wanted: "tuple[str, ...]", *, names: bool) -> "list[str]":
    if any(one in wanted for one in AS_WRITTEN):
        return _split(style, text, wanted)
    return _comments(style, text, names=names, docstrings="docstrings" in wanted)


def _split(style: str, text: str, wanted: "tuple[str, ...]") -> "list[str]":
    """The lines with comments, strings and code as they are written, or as blanks where they are not wanted."""
    kept, at = [], 0
    for match in _scanner(style).finditer(text):
        part = {"comment": "comments", "docstring": "docstrings"}.get(match.lastgroup or "", "strings")
        between = text[at : match.start()]
        kept += [between if "code" in wanted else _blank(between), match[0] if part in wanted else _blank(match[0])]
        at = match.end()
    rest = text[at:]
    return "".join([*kept, rest if "code" in wanted else _blank(rest)]).splitlines()


def _scanner(style: str) -> "re.Pattern[str]":
    if style not in _known:
        _known[style] = re.compile(_SCANNERS[style], re.DOTALL)
    return _known[style]


def _comments(style: str, text: str, *, names: bool, docstrings: bool) -> "list[str]":
    kept, at, code = [], 0, []
    for match in _scanner(style).finditer(text):
        if match.lastgroup == "comment" or (docstrings and match.lastgroup == "docstring"):
            code.append(text[at : match.start()])
            kept += [_blank(text[at : match.start()]), _words_of(match[0])]
            at = match.end()
    code.append(text[at:])
    found = "".join([*kept, _blank(text[at:])])
    if not names:
        used = set(_NAME.findall("".join(code)))
        found = _NAME.sub(lambda word: CODE * len(word[0]) if word[0] in used else word[0], found)
    return found.splitlines()


def _blank(text: str) -> str:
    return re.sub(r"[^\s]", " ", text)


def _words_of(text: str) -> str:
    """The text with signs of equal number for code between backticks and for addresses."""
    if "`" in text:
        text = _TICKS.sub(lambda code: "`" + CODE * (len(code[0]) - 2) + "`", text)
    if "/" in text:
        text = _ADDRESS.sub(lambda address: URL * len(address[0]), text)
    return text


def _prose(text: str, marked: bool) -> "list[str]":  # noqa: FBT001 (one of two forms)
    if not marked:
        return [_words_of(line) for line in text.splitlines()]
    given = text.splitlines()
    text = _TAG.sub(lambda tag: _blank(tag[0]), text) if "<" in text else text
    found: list[str] = []
    fence, listed, before = "", False, ""
    whole = text.splitlines()
    front = whole[:1] == ["---"] and "---" in whole[1:]
    for number, line in enumerate(whole):
        mark = _FENCE.match(line)
        if front:
            front = number == 0 or line != "---"
            found.append("")
            continue
        if fence:
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip("`~ \t"):
                fence = ""
            found.append("")
        elif mark:
            fence = mark[1]
            found.append("")
        elif _INDENTED.match(given[number]) and not listed and not before.strip():
            found.append("")
            continue  # a line of code does not make the next one a paragraph
        else:
            found.append(_words_of(line))
            listed = bool(_ITEM.match(line)) or (listed and (not line.strip() or line[:1] in " \t"))
        before = line
    return found
