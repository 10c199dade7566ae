"""How people speak of emojis: that they are not wanted, where, and which may stay."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulec.fits._text_said import ANY_CODE
from rulec.fits._words import conditional
from rulec.known.emoji import EMOJI
from rulec.language import Clause

ONE = re.compile(EMOJI)
DOCS = ["*.md", "*.mdx", "*.rst", "*.adoc", "*.txt"]
CODE = [*ANY_CODE, "*.html", "*.css", "*.scss", "*.sql", "*.astro", "*.zsh", "*.ps1"]
_NAMED = r"(?:emoji(?:s|es)?|emoticons?|smil(?:eys?|ies)|gitmojis?)"
_NO = (
    r"(?:\b(?:no|zero|never|without|avoid\w*|stop|quit|drop|remov\w+|don'?t|do not|not|skip|lose|ban\w*|kill|less|hate"
    r"|omit\w*|strip|cut|instead of|rather than|free of|hold off|kein\w*|nix|sans|sin)\b|\bpas d)"
)
_UNWANTED = re.compile(
    rf"{_NO}[^.;!?\n]{{0,60}}?\b{_NAMED}\b|\b{_NAMED}[- ]?(?:free|less)\b"
    rf"|\b{_NAMED}\b[^.;!?\n]{{0,40}}?(?:{_NO}|\b(?:forbidden|prohibited|unprofessional|unwanted|verboten)\b)",
    re.IGNORECASE,
)
_WANTED = re.compile(
    rf"\b(?:only|just) (?:use )?{_NAMED}|\b(?:don'?t|do not) (?:mind|care)"
    r"|\b(?:don'?t|do not|never|stop) (?:\w+ )?(?:remov|delet|strip|drop|touch|replac)\w*"
    rf"[^.;]{{0,30}}\b{_NAMED}|\b{_NAMED} (?:picker|font|parser|support|shortcode|keyboard"
    r"|regex|data|library|list|map|column|field|reaction)s?\b",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(
    r"\bthere (?:is|are|was|were)\b|\bnot (?:all|every|rendered|shown|displayed|supported|showing|working|visible)\b"
    r"|\b(?:does|did|do|is|are|was|were|can|could|will|would)(?:n'?t| not) (?:\w+ )?(?:render|show|display|work|support"
    r"|see|load|match|appear|handle|parse|find|get)\w*|\bi (?:see|saw|get|got)\b|\b(?:fail|crash|break)\w*\b",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\b(?:except|other than|apart from|besides|but not|aside from|only allowed?|excluding)\b", re.IGNORECASE
)
_THESE = re.compile(
    rf"{_NO}(?P<between>[^.;!?\n]{{0,40}}?)(?P<signs>{EMOJI}(?:[\s,/&`'\"]{{0,5}}(?:(?:and|or|nor)\s)?[`'\"]?{EMOJI}){{0,20}})",
    re.IGNORECASE,
)
_MESSAGES = re.compile(r"\bcommit(?:s|ting)?\b|\bgitmojis?\b|\btag messages?\b", re.IGNORECASE)
_POSTS = re.compile(r"\b(?:prs?|pull requests?|merge requests?|mrs?|issues?|release notes)\b", re.IGNORECASE)
_IN_DOCS = re.compile(
    r"\b(?:docs?|documentation|readmes?|markdown|changelogs?|prose|guides?|wiki|specs?|headings?|headers?|\w+\.md)\b",
    re.IGNORECASE,
)
_IN_CODE = re.compile(
    r"\b(?:code|source|comments?|docstrings?|logs?|logging|prints?|outputs?|scripts?|console|ui|interfaces?|buttons?"
    r"|front-?end|html|strings?|tests?|terminal|cli|errors?|components?|templates?|app)\b",
    re.IGNORECASE,
)
_FILES = re.compile(r"\b(?:files?|repo(?:sitory)?|project|codebase|anywhere|everywhere|ever|written)\b", re.IGNORECASE)
_SPOKEN = re.compile(
    r"\b(?:repl(?:y|ies)|answers?|responses?|chat|conversations?|summar(?:y|ies)|talk(?:ing)?|reports?|explanations?"
    r"|respond(?:ing)?|answering|replying|speech|to me)\b",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"(?:when(?:ever)?|while) (?:you )?(?:\w+ )?(?:commit|writ|document|log|print|creat)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where emojis are not wanted; ``globs`` empty means in every file."""

    files: bool
    globs: Sequence[str]
    docs: bool
    messages: bool
    posts: bool
    everything: bool


def _docs(text: str) -> Sequence[str]:
    """The documents that are meant: all, or those of the names that stand there alone."""
    said = {found.lower().rstrip("s") for found in _IN_DOCS.findall(text)}
    return [f"{name.upper()}*" for name in sorted(said)] if said <= ALONE else DOCS


ALONE = {"readme", "changelog"}


def unwanted(clause: Clause) -> bool:
    """Whether the clause turns emojis down, whatever happens."""
    text = clause.text
    if not (_UNWANTED.search(text) or _THESE.search(text)) or _WANTED.search(text) or _ACCOUNT.search(text):
        return False
    if text.rstrip().endswith("?"):
        return False
    return not conditional(clause) or bool(_MANNER.match(clause.when))


def exempt(text: str) -> dict[str, list[str]]:
    """Emojis that the words show: those that are allowed, or those that only are meant."""
    free, these = _EXCEPT.search(text), _THESE.search(text)
    if free:
        signs, name = _signs(text[free.end() :]), "allowed"
    else:
        told = these is not None and not re.search(_NAMED, these["between"], re.IGNORECASE)
        signs, name = _signs(these["signs"]) if these and told else [], "only"
    return {name: signs} if signs else {}


def _signs(text: str) -> list[str]:
    return list(dict.fromkeys(found[0] for found in ONE.finditer(text)))


def place_of(clause: Clause) -> Place | None:
    """The place that the clause names; all where it names none, and None where it speaks of replies alone."""
    text = clause.text
    paths = any(term.kind == "path" for term in clause.terms)
    messages, posts = bool(_MESSAGES.search(text)), bool(_POSTS.search(text))
    docs, code = bool(_IN_DOCS.search(text)), bool(_IN_CODE.search(text))
    nowhere = not (messages or posts or docs or code or paths)
    if nowhere and _SPOKEN.search(text) and not _FILES.search(text):
        return None
    everything = nowhere or (bool(_FILES.search(text)) and not (docs or code or paths))
    narrow = not (everything or paths)
    return Place(
        files=everything or docs or code or paths,
        globs=[*(_docs(text) if docs else []), *(CODE if code else [])] if narrow else [],
        docs=docs and not code,
        messages=messages or everything,
        posts=posts or everything,
        everything=everything,
    )
