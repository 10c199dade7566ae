"""What stands in files: the same code otherwise laid out and named, and the same words where they are no code."""

import re
from collections.abc import Iterator

from rulec.checks.proving.check_reach import CheckReach, find_pattern

Named = Iterator[tuple[str, str]]  # how it was made, and the content
_ENDINGS = {
    "py": "python", "pyi": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript",
    "ts": "javascript", "tsx": "javascript", "go": "go", "java": "java", "rb": "ruby", "php": "php", "rs": "rust",
    "c": "c", "h": "c", "cc": "c", "cpp": "c", "hpp": "c", "sh": "bash", "bash": "bash",
}  # fmt: skip
_MARKS = {"python": "#", "ruby": "#", "bash": "#"}
_BLOCKS = {
    "python": ("if ready:\n", "    ", ""),
    "javascript": ("if (ready) {\n", "  ", "}\n"),
    "ruby": ("if ready\n", "  ", "end\n"),
    "bash": ("if ready; then\n", "  ", "fi\n"),
}
_FIXED = re.compile(r"'''|\"\"\"|`|<<|\\\n|=begin|__future__|^#!", re.MULTILINE)  # where blanks or order mean something
_TOP = re.compile(r"^\s*(?:import|export|from|require)\b|^\s*['\"]", re.MULTILINE)
_NAME = re.compile(r"(?<![\w.$@'\"])[a-z](?![\w'\"(:])")
_TEXT = re.compile(r"(?<![\w'\"\\])(['\"])([\w ./:,-]*)\1(?!['\"])")
_OTHER = {"a": "box", "b": "crate", "c": "drum", "d": "flask", "e": "grate", "x": "item", "y": "other", "z": "third"}


def comment_style(path: str) -> str:
    """The family of languages that a file is written in, "" where it is none that is known here."""
    name = path.rpartition("/")[2]
    return _ENDINGS.get(name.rpartition(".")[2], "") if "." in name else ""


def vary_code(content: str, path: str, reach: CheckReach, *, invalid: bool) -> Named:
    """The same content, otherwise laid out; what is about text alone keeps its words."""
    spoken = comment_style(path)
    if _by_lines(reach):
        yield from _ends(content, spoken, reach)
    if not reach.code or not spoken or not content.strip():
        return
    yield from _renamed(content, spoken, reach)
    yield from _requoted(content, spoken, reach)
    if spoken in _BLOCKS and invalid and not reach.patterns and not _FIXED.search(content) and not _TOP.search(content):
        before, indent, after = _BLOCKS[spoken]
        inner = re.sub(r"(?m)^(?=.)", indent, content.rstrip("\n"))
        yield "inside a condition", f"{before}{inner}\n{after}"


def _by_lines(reach: CheckReach) -> bool:
    """Whether no check minds where in the file a line stands or how many there are."""
    spots = any(sign in text for text in reach.patterns for sign in (r"\A", r"\Z", r"\n", r"\r", "(?s", "\n"))
    return not spots and not reach.scripts and not reach.demands and not find_any(reach, "\n\n\n")


def find_any(reach: CheckReach, text: str) -> bool:
    """Whether some pattern of the checks stands in the text."""
    return any(find_pattern(pattern, text) for pattern in reach.patterns)


def _ends(content: str, spoken: str, reach: CheckReach) -> Named:
    if "\r" not in content and spoken != "bash" and "`" not in content:
        yield "CRLF", content.replace("\n", "\r\n")
    if content.endswith("\n") and content.strip():
        yield "no last line end", content.rstrip("\n")
    if spoken != "php" and not content.startswith(("#!", "---", "<?")):
        yield "blank lines before", f"\n\n{content}"
    yield "blank lines behind", content.rstrip("\n") + "\n\n\n"
    if reach.code and spoken and spoken != "php":
        yield "comment before", f"{_MARKS.get(spoken, '//')} Note\n{content}"


def _renamed(content: str, spoken: str, reach: CheckReach) -> Named:
    """Names of one letter by others, where no check speaks of them and all places of them can be told."""
    if re.search(r"\b(?:import|from|require|use|include|export|package)\b", content):
        return
    plain = {name for name in _NAME.findall(content) if name in _OTHER and _may_change(name, content, reach)}
    if plain and spoken not in ("php", "bash"):
        yield "renamed names", _NAME.sub(lambda one: _OTHER[one[0]] if one[0] in plain else one[0], content)


def _may_change(name: str, content: str, reach: CheckReach) -> bool:
    """Whether a letter is a name wherever it stands alone, its new name is free, and no check speaks of either."""
    everywhere = len(re.findall(rf"(?<!\w){name}(?!\w)", content)) == _NAME.findall(content).count(name)
    free = re.search(rf"\b{_OTHER[name]}\b", content) is None
    return everywhere and free and name not in reach.names and reach.decides_alike(name, _OTHER[name])


def _requoted(content: str, spoken: str, reach: CheckReach) -> Named:
    """The other quotes, where the language has no mind of them and no check has."""
    about = "".join(reach.patterns)
    minds = (about.count("'") > 0) != (about.count('"') > 0)
    if spoken in ("python", "javascript") and not minds and not _FIXED.search(content):
        other = _TEXT.sub(lambda one: one[0].replace(one[1], '"' if one[1] == "'" else "'"), content)
        if other != content:
            yield "other quotes", other


def mention_outside_code(content: str, path: str, reach: CheckReach) -> Named:
    """What must not stand in code, in a comment or in a file of words."""
    spoken = comment_style(path)
    if not reach.code or not spoken or spoken == "php" or reach.demands or find_any(reach, "# //"):
        return
    mark = _MARKS.get(spoken, "//")
    lines = [f"{mark} {line}".rstrip() for line in content.splitlines()]
    head = "package main\n\n" if spoken == "go" else ""
    if not content.startswith("#!"):
        yield "only in a comment", f"{head}{chr(10).join(lines)}\n"
