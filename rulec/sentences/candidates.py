"""Typed sentences and corrections -> candidates, with the checks that their words name."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulec.domain.candidate import Candidate, Correction, Draft
from rulec.domain.enforcement import Severity
from rulec.domain.rule import LONGEST_SLUG, Rule
from rulec.errors import RulecError
from rulec.sentences.drafts import draft_of
from rulec.sentences.literals import is_marked, without_marks, word_table
from rulec.sentences.names import Names
from rulec.sentences.reading import Reading, read_sentence
from rulec.sentences.shown import draft_with_session
from rulec.sentences.splitting import split_sentences

NO_CHECK = "no check was read from its words"
_LEAST_WORDS = 2
_MOST_SLUG_WORDS = 5
_LEAVES_OUT = word_table("a an the that this these those it is are be been our your my we you i please")
_JOINS = word_table("to of in on at for from by with and or but before after when if")  # ends no slug
_LASTING = re.compile(r"\b(?:never|always|from now on|every time|in future|must)\b", re.IGNORECASE)
_STRICT = re.compile(
    r"\b(?:never|always|must|do not|don'?t|no|avoid|stop|forbidden|not allowed|banned)\b", re.IGNORECASE
)
# What another sentence may take back of one that was understood.
_TAKES_BACK = re.compile(
    r"\b(?:except\w*|unless|only|fine|ok|okay|allowed|may|exempt\w*|excluded|permitted|acceptable|you can|"
    r"appl(?:y|ies))\b",
    re.IGNORECASE,
)
_CATEGORIES = {
    "edit": "scope", "delete": "scope", "commit": "security", "commit-on": "git", "push": "git", "import": "code-style",
    "write": "code-style", "comment": "code-style", "message": "git", "trailer": "git", "depend": "tooling",
    "before": "process", "after": "process",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence, what it says for certain, and the check of that."""

    text: str
    read: Reading | None
    draft: Draft | None


def _said(text: str, names: Names) -> _Said:
    read = read_sentence(text, names)
    draft = draft_of(read, names) if read else None
    return _Said(text, read if draft else None, draft)


def typed_candidates(text: str, names: Names) -> tuple[Candidate, ...]:
    """A candidate for each wish of a typed text; RulecError where it says none.

    What is understood is a candidate with its check, and the sentences behind it on the line are listed as what nothing
    checks. A line of which nothing is understood is one candidate.
    """
    lines = [line for line in text.splitlines() if re.search(r"\w", line)]
    found = [one for line in lines for one in _candidates_of_line(line.strip(), names)]
    if not found:
        raise RulecError("says no wish", hint='say what to do or not to do: rulec add "Use pnpm, not npm"')
    return tuple(found)


def typed_candidate(text: str, names: Names) -> Candidate:
    """The one candidate of a text that is one wish, whatever its sentences."""
    found = typed_candidates(text, names)
    if len(found) == 1:
        return found[0]
    return _candidate(_Said(" ".join(text.split()), None, None))


def _candidates_of_line(line: str, names: Names) -> Iterator[Candidate]:
    whole = _said(line, names)
    sentences = split_sentences(line)
    if whole.draft or len(sentences) <= 1:
        if whole.draft or _is_wish(line):
            yield _candidate(whole)
        return
    parts = [_said(one, names) for one in sentences]
    if not any(one.draft for one in parts) or any(_TAKES_BACK.search(one.text) for one in parts if not one.draft):
        yield _candidate(replace(whole, draft=None, read=None))
        return
    groups: list[list[_Said]] = [[]]
    for part in parts:
        if part.draft and any(one.draft for one in groups[-1]):
            groups.append([])
        groups[-1].append(part)
    for group in groups:
        yield _candidate_of_group(group)


def _candidate_of_group(group: Sequence[_Said]) -> Candidate:
    (known,) = (one for one in group if one.draft)
    rest = tuple(without_marks(one.text).rstrip(" .") for one in group if one is not known)
    made = _candidate(known)
    drafts = tuple(replace(draft, not_checked=(*draft.not_checked, *rest)) for draft in made.drafts)
    statement = statement_of(" ".join(one.text for one in group))
    return replace(made, rule=replace(made.rule, statement=statement), drafts=drafts)


def _is_wish(text: str) -> bool:
    return not text.rstrip().endswith("?") and len(re.findall(r"[^\W_]+", text)) >= _LEAST_WORDS


def _candidate(said: _Said) -> Candidate:
    rationale = "" if said.draft else NO_CHECK
    rule = replace(_rule(statement_of(said.text), said.read), rationale=rationale)
    return Candidate(rule=rule, drafts=(said.draft,) if said.draft else ())


def rule_in_words(statement: str) -> Rule:
    """The rule of a statement without a check: its slug, category and severity, as far as its words tell."""
    return _rule(statement, _said(statement, Names()).read)


def draft_in_words(statement: str) -> Draft | None:
    """The check that a statement names in so many words, whatever the repository; None where it names none."""
    return _said(statement, Names()).draft


def _rule(statement: str, read: Reading | None) -> Rule:
    return Rule(
        slug=slug_of(statement, read),
        statement=statement,
        category=_category(read),
        severity=severity_of(statement),
        do=_instead(read),
    )


def candidates_of(correction: Correction, names: Names) -> tuple[Candidate, ...]:
    """A candidate for each sentence of a correction that says something for certain, or all of it without a check.

    What does not hold for next time by its words must be shown by the session: something done before it is caught, and
    nothing that was accepted after it.
    """
    found: list[Candidate] = []
    sentences = [correction.quote, *split_sentences(correction.quote)]
    parts = list(dict.fromkeys(sentences))
    said = [_said(one, names) for one in parts]
    if said[0].draft:
        said = said[:1]
    elif any(_TAKES_BACK.search(one.text) for one in said[1:] if not one.draft):
        said = []
    for one in said:
        if one.draft is None or one.read is None:
            continue
        draft = draft_with_session(
            one.draft, correction.before, correction.after, shown=not holds_by_words(one.text, correction)
        )
        if draft:
            made = _candidate(replace(one, draft=draft))
            own = replace(correction, quote=one.text) if one.text in correction.quote else correction
            found.append(replace(made, correction=own))
    if not found:
        found = [replace(_candidate(_Said(correction.quote, None, None)), correction=correction)]
    if found and correction.slug:
        found[0] = replace(found[0], rule=replace(found[0].rule, slug=correction.slug))
    return tuple(replace(one, part=(number, len(found))) for number, one in enumerate(found, 1))


def holds_by_words(text: str, correction: Correction) -> bool:
    """Whether the person says that it holds for next time."""
    return correction.marked or is_marked(text) or bool(_LASTING.search(text))


def statement_of(text: str) -> str:
    """The person's sentence, whole, without marks, as a sentence."""
    said = re.sub(
        r"^(?:no|nope|hey|ok|okay|please|wait|actually)\b[,.:!]\s+(?=\S)", "", without_marks(text), flags=re.IGNORECASE
    )
    said = " ".join(said.split())
    said = f"{said[:1].upper()}{said[1:]}" if re.match(r"[a-z]+(?:\s|$)", said) else said
    return said if not said or said.endswith((".", "!", "?")) else f"{said}."


def severity_of(statement: str) -> Severity:
    """How much the words insist."""
    return "must" if _STRICT.search(statement) else "should"


def _category(read: Reading | None) -> str:
    if read is None:
        return "process"
    kind = read.things[0].kind
    if read.act == "use":
        text = read.things[0].text
        return "git" if text.startswith("git ") else "tooling" if kind == "command" else "code-style"
    return _CATEGORIES[read.act]


def _instead(read: Reading | None) -> str:
    if read is None:
        return ""
    return read.do or (f"use {read.wanted.text}" if read.wanted else "")


def slug_of(statement: str, read: Reading | None = None) -> str:
    """A short name in ASCII, five words at most: use-pnpm, no-print, dont-edit-gen."""
    words = _named_words(read) if read else []
    words = words or [
        word
        for word in _words(re.sub(r"\b(do) (not)\b", "dont", statement, flags=re.IGNORECASE))
        if word not in _LEAVES_OUT
    ]
    words = words[:_MOST_SLUG_WORDS]
    while words and words[-1] in _JOINS:
        words.pop()
    slug = "-".join(words)[:LONGEST_SLUG].strip("-")
    known = re.search("[a-z]{2}", slug) and slug not in ("null", "true", "false", "yes", "config")
    return slug if known else f"rule-{hashlib.sha256(statement.encode()).hexdigest()[:8]}"


_NAMING = ("edit", "import", "delete", "commit", "push", "commit-on")  # acts that name themselves in a slug


def _named_words(read: Reading) -> list[str]:
    named = _words(" ".join(one.text.partition("|")[0] for one in read.things))
    where = _words(" ".join((*read.place.include, read.place.language)))
    if read.wanted or read.do:
        wanted = read.wanted.text if read.wanted else read.do.removeprefix("use ")
        return ["use", *(word for word in _words(wanted) if word not in _LEAVES_OUT), *where]
    if read.act in ("before", "after"):
        rest = _words(" ".join(one.text for one in read.behind).removeprefix("git ")) or ["end"]
        return ["run", *named, read.act, *rest]
    verb = read.verb or ("add" if read.act == "depend" else read.act if read.act in _NAMING else "")
    kind = ["comments"] if read.act == "comment" else []
    return ["dont", *verb.split("-"), *named] if verb else ["no", *named, *kind, *where]


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'")).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z0-9]+", plain.replace("'", ""))
