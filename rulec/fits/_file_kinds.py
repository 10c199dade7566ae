"""Kinds of files by the names that people have for them."""

import re

from rulec.language import Clause


def of_kind(clause: Clause, pattern: str) -> str:
    """A phrase like "new Kotlin files go there, not into app/": it is not about other files in that place."""
    said = _KIND_OF_FILE.search(" ".join(clause.preferred))
    endings = _ENDINGS.get(said["kind"].lower(), "") if said else ""
    return f"{pattern.removesuffix('**')}**/*.{endings}" if endings and pattern.endswith("/**") else pattern


def endings(phrase: str) -> str:
    """The endings of the kind of files that a phrase speaks of, as alternatives; "" where it names no kind."""
    said = _KIND_OF_FILE.search(phrase)
    return _ENDINGS.get(said["kind"].lower(), "").strip("{}").replace(",", "|") if said else ""


_KIND_OF_FILE = re.compile(
    r"(?<!\w)(?P<kind>[A-Za-z.+#]+) (?:(?:source|code) )?(?:files?|classes|code|sources?|components?|"
    r"modules?|tests?|scripts?)\b"
)
_ENDINGS = {
    "python": "py",
    "kotlin": "{kt,kts}",
    "java": "java",
    "swift": "swift",
    "go": "go",
    "rust": "rs",
    "ruby": "rb",
    "php": "php",
    "c#": "cs",
    "c++": "{cpp,cc,cxx,hpp,hh,h}",
    "typescript": "{ts,tsx}",
    "javascript": "{js,jsx,mjs,cjs}",
    "css": "{css,scss}",
    "sql": "sql",
    "markdown": "{md,mdx}",
    "yaml": "{yaml,yml}",
    "terraform": "tf",
    "shell": "{sh,bash}",
    "bash": "{sh,bash}",
}
