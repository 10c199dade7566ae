"""Code and headings of a document: the examples of a wish, and the files that it speaks of."""

import re
from collections.abc import Iterator

from rulec.domain.rule import Example
from rulec.mining.documents.markdown_passages import CodeBlock


def examples_in_code(fence: CodeBlock, side: str) -> Iterator[tuple[str, Example]]:
    """The code as examples: of the side that its words say, else as comments in it divide it."""
    for kind, text in [(side, fence.text)] if side else _divided_by_comments(fence.text):
        if not text.strip():
            continue
        if fence.language in _SHELLS:
            lines = (line.strip().removeprefix("$ ") for line in text.splitlines())
            yield from ((kind, Example(kind="command", text=line)) for line in lines if line and line[0] != "#")
        elif ending := _LANGUAGE_SUFFIXES.get(fence.language):
            yield kind, Example(kind="file", path=f"src/example.{ending}", text=text)


_MARKED = re.compile(
    r"\s*(?://|#|--|/\*)\s*\W{0,3}(?:(?P<bad>bad|wrong|avoid|don'?t|incorrect)|(?:good|right|correct|do))\b",
    re.IGNORECASE,
)


def _divided_by_comments(code: str) -> list[tuple[str, str]]:
    parts: list[tuple[str, str]] = []
    for line in code.splitlines(keepends=True):
        if found := _MARKED.match(line):
            parts.append(("bad" if found["bad"] else "good", ""))
        elif parts:
            parts[-1] = (parts[-1][0], parts[-1][1] + line)
    return parts


_SHELLS = frozenset({"sh", "bash", "shell", "zsh", "console"})
_LANGUAGE_SUFFIXES = {
    "python": "py", "py": "py", "typescript": "ts", "ts": "ts", "tsx": "tsx",
    "javascript": "js", "js": "js", "jsx": "jsx",
    "go": "go", "rust": "rs", "rs": "rs", "java": "java", "ruby": "rb", "kotlin": "kt", "swift": "swift", "css": "css",
    "sql": "sql", "php": "php", "c": "c", "cpp": "cpp", "csharp": "cs",
}  # fmt: skip
_LANGUAGE = re.compile(
    r"^\W*(python|typescript|javascript|go|golang|rust|java|kotlin|ruby|swift|php|css|sql)"
    r"(?: (?:code|style|rules|conventions|files|guidelines|standards|code style|coding style|best practices))*\W*$",
    re.IGNORECASE,
)
_GLOBS = {
    "python": ("*.py", "*.pyi"), "typescript": ("*.ts", "*.tsx", "*.mts", "*.cts"),
    "javascript": ("*.js", "*.jsx", "*.mjs", "*.cjs"), "go": ("*.go",), "golang": ("*.go",), "rust": ("*.rs",),
    "java": ("*.java",), "kotlin": ("*.kt", "*.kts"), "ruby": ("*.rb",), "swift": ("*.swift",), "php": ("*.php",),
    "css": ("*.css", "*.scss", "*.less"), "sql": ("*.sql",),
}  # fmt: skip


def globs_of_heading(headings: tuple[str, ...]) -> tuple[str, ...]:
    """Globs of the files that the nearest heading with a language's name speaks of."""
    found = next((match for title in reversed(headings) if (match := _LANGUAGE.match(title))), None)
    return _GLOBS[found[1].lower()] if found else ()
