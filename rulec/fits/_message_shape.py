"""Words about the build of a commit message: its types and scopes, its body and the lines of that, its emoji."""

import re
from collections.abc import Iterator
from typing import Any

Form = tuple[dict[str, Any], str, str]  # as in _message_forms
_PLAIN = "Read the settings once"
_KNOWN = "feat|feature|fix|hotfix|docs?|chore|refactor|tests?|perf|style|ci|build|revert|deps|release|security"
_TYPE = re.compile(rf"(?<![\w/-])`?(?P<type>{_KNOWN})`?(?=\W*(?:[,:;/|]|and\b|or\b|as\b|$))", re.IGNORECASE)
_TYPES = re.compile(
    r"\b(?:only|just|one of|allowed|limited to|restrict\w*)\b.*\b(?:types?|prefix\w*|commits?)\b"
    r"|\btypes? (?:are|is|must be|may be|can be|should be|allowed|limited)\b|\btypes?:",
    re.IGNORECASE,
)
_SCOPE = re.compile(r"\bscopes?\b", re.IGNORECASE)
_WITH = (
    r"\b(?:need\w*|must|always|add|includ\w*|writ\w*|explain\w*|describ\w*|with|ha(?:ve|s)|require\w*|put|want"
    r"|give)\b"
)
_BODY = re.compile(
    rf"{_WITH}[^.;]{{0,40}}?\b(?:body|bodies|description)\b"
    r"|\b(?:body|description) (?:is )?(?:required|mandatory|must)\b",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\b(?:blank|empty) line\b[^.;]{0,30}\b(?:after|between|below|behind|under)\b", re.IGNORECASE)
_WRAP = re.compile(
    r"\bwrap\w*\b[^.;]{0,40}?\b(?P<n>\d{2,3})\b"
    r"|\b(?:body|lines?)\b(?![^.;]*\b(?:subject|title|first line)\b)[^.;]{0,40}?\b(?P<m>\d{2,3})\b",
    re.IGNORECASE,
)
_ABOUT_LINES = re.compile(r"\b(?:body|bodies|lines|wrap\w*)\b", re.IGNORECASE)
_SUBJECT = re.compile(r"\b(?:subjects?|titles?|first lines?|headlines?)\b", re.IGNORECASE)
_EMOJI = re.compile(
    r"\b(?:us\w+|with|start\w*|prefix\w*|begin\w*|follow\w*|add)\b[^.;]{0,30}?\b(?:gitmojis?|emojis?)\b", re.IGNORECASE
)


def shapes(text: str, *, no: bool) -> Iterator[Form]:
    """What the words ask of the build."""
    given: dict[str, Any]
    types = list(dict.fromkeys(found["type"].lower() for found in _TYPE.finditer(text)))
    if len(types) > 1 and _TYPES.search(text):
        given = {"style": "conventional", "types": types}
        yield given, f"other: {_PLAIN.lower()}", f"{types[0]}: {_PLAIN.lower()}"
    if _SCOPE.search(text) and no:
        yield {"forbid_subject": [r"^[a-z]+\("]}, f"fix(api): {_PLAIN.lower()}", f"fix: {_PLAIN.lower()}"
    elif _SCOPE.search(text) and re.search(_WITH, text, re.IGNORECASE):
        given = {"style": "conventional", "need_scope": True}
        yield given, f"fix: {_PLAIN.lower()}", f"fix(api): {_PLAIN.lower()}"
    if _BODY.search(text) and not no:
        yield {"need_body": True}, _PLAIN, f"{_PLAIN}\n\nThey were read twice."
    if _BLANK.search(text):
        yield {"blank_line": True}, f"{_PLAIN}\nThey were read twice.", f"{_PLAIN}\n\nThey were read twice."
    if of_lines(text) and (found := _WRAP.search(text)):
        most = int(found["n"] or found["m"])
        yield {"max_line": most}, f"{_PLAIN}\n\n{'word ' * most}", f"{_PLAIN}\n\nThey were read twice."
    if _EMOJI.search(text) and not no:
        yield {"style": "gitmoji"}, _PLAIN, f"\u2728 {_PLAIN}"


def of_lines(text: str) -> bool:
    """Whether a length is one of the body's lines and not of the subject."""
    return bool(_ABOUT_LINES.search(text)) and not _SUBJECT.search(text)
