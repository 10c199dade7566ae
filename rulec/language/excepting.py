"""An exception in a person's words -> a sentence that says it, and the places that it is about."""

import re

from rulec.language.terms import table, terms

_OPENS = re.compile(r"(?:except(?: for)?|unless|but|other than|outside(?: of)?)\b,?\s*", re.IGNORECASE)
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
    paths = tuple(term.text for term in terms(said) if term.kind == "path")
    word = re.fullmatch(r"(?:(?:in|inside|under|below|within|from|for) )?(?:the |our )?`?([\w.-]+)/?`?", said)
    return paths or ((f"{word[1]}/",) if word and word[1].casefold() in _FOLDERS else ())


# Folders that are called so nearly everywhere.
_FOLDERS = table(
    "src lib app tests test docs web frontend backend server client api scripts packages examples tools vendor"
)
