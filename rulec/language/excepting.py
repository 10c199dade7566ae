"""An exception in a person's words -> a sentence that says it, and the places that it is about."""

import re

from rulec.language.clause import Clause
from rulec.language.place import where

_OPENS = re.compile(r"(?:except(?: for)?|unless|but|other than|outside(?: of)?)\b,?\s*", re.IGNORECASE)
_PLACED = re.compile(r"(?:in|inside|under|below|within|from|for) ", re.IGNORECASE)
_FOLDER = re.compile(
    r"(?:\w+ )?(?:the |our )?`?(?P<name>[\w.-]+)/?`? (?:folder|director(?:y|ies)|dir|folders)", re.IGNORECASE
)
_KIND = re.compile(r"(?:\w+ )?(?:the |our |any |all )?(?P<kind>[\w#]+)(?: files?| code)", re.IGNORECASE)
_ENDINGS = {
    "yaml": "*.{yaml,yml}",
    "markdown": "*.md",
    "json": "*.json",
    "toml": "*.toml",
    "python": "*.py",
    "javascript": "*.{js,jsx,mjs,cjs}",
    "typescript": "*.{ts,tsx,mts,cts}",
    "go": "*.go",
    "rust": "*.rs",
    "java": "*.java",
    "ruby": "*.rb",
    "shell": "*.sh",
    "sql": "*.sql",
    "css": "*.css",
    "html": "*.html",
}
_BY_NAME = re.compile(r"(?:\*\*/)?\*\w+\*(?:/\*\*)?")  # files that only happen to be called by the word


def excepted(statement: str, words: str) -> str:
    """The sentence with its exception."""
    body, said = statement.rstrip().rstrip("."), words.strip().rstrip(".")
    if not said or said.casefold() in body.casefold():
        return statement
    return f"{body}, {said if _OPENS.match(said) else f'except {said}'}."


def bare(words: str) -> str:
    """The place or the case alone, without the word that makes an exception of it."""
    return _OPENS.sub("", words.strip().rstrip("."), count=1)


def places(words: str) -> tuple[str, ...]:
    """Globs of what the words name, () where no path shows it."""
    said = bare(words)
    kind, folder = _KIND.fullmatch(said), _FOLDER.fullmatch(said)
    if kind and kind["kind"].casefold() in _ENDINGS:
        return (_ENDINGS[kind["kind"].casefold()],)
    if folder:
        return (f"{folder['name']}/",)
    found = where(Clause(text=words, when=said if _PLACED.match(said) else f"in {said}")) if said else None
    globs = found.include if found else ()
    return () if any(map(_BY_NAME.fullmatch, globs)) else globs
