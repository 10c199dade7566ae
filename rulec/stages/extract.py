"""Corrections -> candidates: the wish as one sentence, and the checks that its evidence supports."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from rulec.errors import RulecError
from rulec.fits._bundle import breadth, bundled, same
from rulec.fits._limits import heeded
from rulec.fits._redone import redone
from rulec.fits._spared import spared
from rulec.fits._where import situated
from rulec.language import Clause, clauses, do_of, slug_of, statement_of
from rulec.language.lasting import asking, momentary, wishes_in
from rulec.language.plainer import at_its_place, plainer
from rulec.language.statement import LONGEST
from rulec.model.candidate import Candidate, Draft
from rulec.model.correction import Correction
from rulec.model.rule import Rule, Scope, Severity
from rulec.model.transcript import Action
from rulec.ports import Fit

MOST_DRAFTS = 12
REMINDER = "nothing in the words or in the actions says how a machine could check it"

# Which family speaks first when several have a draft: the one whose checks are the narrowest.
_FIRST = (
    "emojis",
    "leftovers",
    "literals",
    "secrets",
    "posts",
    "messages",
    "prefixes",
    "order",
    "companions",
    "partners",
    "records",
    "placement",
    "paths",
    "branches",
    "dependencies",
    "flags",
    "acts",
    "commands",
    "switches",
    "docstrings",
    "annotations",
    "decorators",
    "naming",
    "imports",
    "calls",
    "jargon",
    "shapes",
    "licences",
    "headers",
    "prose",
    "contrasts",
    "texts",
)
_RANK = {name: at for at, name in enumerate(_FIRST)}
_CATEGORY: tuple[tuple[str, str], ...] = (
    ("security", r"\b(?:secrets?|tokens?|passwords?|credentials?|keys?|\.env|pii|sudo|vulnerab\w*|private)\b"),
    (
        "git",
        r"\b(?:git|commits?|committing|branch(?:es)?|push(?:ing)?|rebase|merge|stash|amend|pull request|prs?|tags?)\b",
    ),
    ("testing", r"\b(?:tests?|testing|tdd|mocks?|fixtures?|coverage|pytest|jest|vitest|assert\w*)\b"),
    ("docs", r"\b(?:docs?|readme|changelog|markdown|documentation|\w+\.md)\b"),
    (
        "tooling",
        (
            r"\b(?:npm|pnpm|yarn|bun|pip|uv|poetry|docker|make|lint\w*|formatter|eslint|ruff|prettier|"
            r"package manager|dependenc\w+|install)\b"
        ),
    ),
    (
        "communication",
        r"\b(?:repl(?:y|ies)|answers?|summar\w+|explain|tell|discuss|respond|emojis? in (?:your|replies))\b",
    ),
    (
        "scope",
        (
            r"\b(?:touch|(?<!never )(?<!not )(?<!n't )leave|only change|hands off|out of scope|generated)\b"
            r"|(?:^|\s)[\w.-]+/"
        ),
    ),
    (
        "code-style",
        (
            r"\b(?:imports?|functions?|class(?:es)?|types?|any|comments?|naming|names?|format|style|"
            r"indent\w*|spaces|tabs|quotes|print|console\.\w+|log(?:ger|ging)?"
            r"|dry|duplicat\w+|exports?|variables?|const|switch|return|emojis?|spelling|code)\b"
        ),
    ),
)
_TASTE = re.compile(
    r"\b(?:spelling|indent\w*|tabs|spaces|quotes|emojis?|naming|format(?:ting)?|wording|style|british|american)\b",
    re.IGNORECASE,
)
_LASTING = {"always", "never", "from now on", "every time"}


def extract(correction: Correction, fits: Sequence[Fit]) -> Iterator[Candidate]:
    """One candidate for each wish of the quote."""

    @cache
    def drafts_of(clause: Clause) -> tuple[Draft, ...]:
        return _drafts(clause, correction.before, correction.after, fits)

    read = clauses(correction.quote)
    wishes = wishes_in(read)
    if not any(map(drafts_of, wishes)):
        others = [clause for clause in (_beside(correction) or read) if clause not in wishes]
        found = _checkable(others, drafts_of)
        correction = replace(correction, quote=found[0].text) if found else correction
        wishes = found or wishes or list(read[:1])
    for number, clause in enumerate(wishes):
        slug = correction.slug if number == 0 else ""
        named = replace(clause, slug=slug or clause.slug)
        drafts = drafts_of(named)
        # Each wish of a bundle is evidence of its own, with its own words of the quote.
        own = replace(correction, quote=clause.text) if len(wishes) > 1 else correction
        part = (number + 1, len(wishes))
        yield Candidate(rule=_rule(named, drafts, correction.marked), drafts=drafts, correction=own, part=part)


def supports(
    read: Sequence[Clause], before: tuple[Action, ...], after: tuple[Action, ...], fits: Sequence[Fit]
) -> bool:
    """Whether a check can be drafted from these clauses and the actions on both sides of them."""
    wishes = wishes_in(tuple(read))
    asked = [clause for clause in read if clause.polarity == "none" or clause in wishes]
    return any(_drafts(clause, before, after, fits) for clause in asked)


MOST_BESIDE = 600  # characters of a turn whose other sentences may tell what its wish is about


def _beside(correction: Correction) -> tuple[Clause, ...]:
    """The sentences of the whole turn."""
    return clauses(correction.turn.text) if len(correction.turn.text) <= MOST_BESIDE else ()


def _checkable(read: Sequence[Clause], drafts_of: Callable[[Clause], tuple[Draft, ...]]) -> list[Clause]:
    """Where no clause has the form of a wish: those that a fit understands nevertheless, each meaning once."""
    found: dict[str, Clause] = {}
    for clause in read:
        for draft in drafts_of(clause)[:1]:
            found.setdefault(repr(draft.checks), clause)
    return list(found.values())


def split(text: str) -> tuple[str, ...]:
    """A typed text in pieces that hold one wish each, word for word; most texts are one piece."""
    wishes = [clause for clause in clauses(text) if clause.polarity != "none"]
    starts = _starts(text, wishes[1:])
    pieces = [text[a:b] for a, b in zip([0, *starts], [*starts, len(text)], strict=True)]
    return tuple(piece for one in pieces if (piece := _JOINT.sub("", one).strip(" \t\n,;")))


_JOINT = re.compile(
    r"^\s*(?:[-*\u2022]|\d+[.)])\s+|[\s,;]+(?:(?:and|but|so|also)\s*)?(?:(?:[-*\u2022]|\d+[.)])\s*)?$", re.IGNORECASE
)


def _starts(text: str, wishes: Sequence[Clause]) -> list[int]:
    found: list[int] = []
    for wish in wishes:
        start = text.find(wish.text, found[-1] + 1 if found else 1)
        found += [start] if start > 0 else []
    return found


def typed(text: str, fits: Sequence[Fit]) -> tuple[Candidate, ...]:
    """A candidate for each wish of a typed text; two halves of a sentence, one of which no check can see, are one."""
    pieces = [piece for piece in split(text) if not _says_nothing(_first(clauses(piece), piece))]
    if len(pieces) < _TWO:
        return (drafted(text, fits),)
    made = [drafted(piece, fits) for piece in pieces]
    if all(one.drafts for one in made) and same([one.drafts[0] for one in made]):
        one = min(made, key=lambda one: breadth(one.drafts[0]))
        return (replace(one, rule=replace(one.rule, statement=_as_typed(text))),)
    checked = [(one, number) for number, one in enumerate(made) if one.drafts]
    whole = _as_typed(text)
    if len(checked) != 1 or _SENTENCES.search(whole[:-1]) or len(whole) > LONGEST:
        return tuple(made)
    (one, number) = checked[0]
    others = "; ".join(piece for place, piece in enumerate(pieces) if place != number)
    return (replace(one, rule=replace(one.rule, statement=whole, do=one.rule.do or others)),)


_TWO = 2
_SENTENCES = re.compile(r"[.!?]\s|\n")


def drafted(text: str, fits: Sequence[Fit]) -> Candidate:
    """The candidate for a statement that a person typed: its examples are made from what it names."""
    read = [replace(one, marked=True) for one in clauses(text)]  # who types a rule means it
    clause = _first(read, text)
    if _says_nothing(clause):
        raise RulecError("says no wish", hint='say what to do or not to do: rulec add "Use pnpm, not npm"')
    drafts = _drafts(clause, (), (), fits)
    for other in (one for one in read if not drafts and one is not clause and not _says_nothing(one)):
        if drafts := _drafts(other, (), (), fits):
            clause = other
    drafts = spared(clause, drafts)
    rule = _rule(clause, drafts, marked=True)
    return Candidate(rule=replace(rule, statement=_as_typed(text) or rule.statement), drafts=drafts)


def _first(read: Sequence[Clause], text: str) -> Clause:
    """The first wish of a text, or what it begins with."""
    return next((one for one in read if one.polarity != "none"), read[0] if read else Clause(text=text.strip()))


_LEAST_WORDS = 3  # of a sentence that has none of the forms of a wish
_ACCOUNT = re.compile(
    r"\W*(?:(?:but|and|so|no|yes|ok(?:ay)?|well|wait)\b\W*)*(?!you (?:may|need not|don'?t need to)\b)"
    r"(?:i|it|this|that|thats|that's|he|she|they|you|do ?n[o']?t|"
    r"let'?s not|no|wait|undo|thanks?|thank you|hello|hi|hey|sorry|"
    r"looks?|sounds?|works?|great|nice|perfect|good|cool)\b",
    re.IGNORECASE,
)


def _says_nothing(clause: Clause) -> bool:
    """Whether the words are a greeting, a question, an account of what happened, or of this moment alone."""
    if clause.polarity != "none":
        return asking(clause) or momentary(clause)
    words = re.findall(r"[^\W_]+", clause.text)
    return len(words) < _LEAST_WORDS or bool(_ACCOUNT.match(clause.text)) or clause.text.endswith("?")


def _as_typed(text: str) -> str:
    sentence = " ".join(re.sub(r"^\s*(?:CORRECT\[[\w-]*\]|rule)\s*:\s*|^\s*#\s", "", text, flags=re.IGNORECASE).split())
    return sentence if not sentence or sentence.endswith((".", "!", "?")) else f"{sentence}."


def _drafts(
    clause: Clause, before: tuple[Action, ...], after: tuple[Action, ...], fits: Sequence[Fit]
) -> tuple[Draft, ...]:
    if momentary(clause):
        return ()
    clause = at_its_place(clause)
    found = _offered(clause, before, after, fits)
    made = heeded(clause, found, lambda other: _drafts(other, before, after, fits), shown=bool(before))
    if found and not made:
        return ()
    if not found and (clause.polarity != "none" or clause.marked):
        return next((drafts for one in plainer(clause) if (drafts := _drafts(one, before, after, fits))), ())
    return made if before else tuple(bundled(clause, made))


def _offered(
    clause: Clause, before: tuple[Action, ...], after: tuple[Action, ...], fits: Sequence[Fit]
) -> tuple[Draft, ...]:
    found: dict[tuple[str, str], Draft] = {}
    able = [fit for fit in fits if fit.any_clause or clause.polarity != "none"]
    for fit in sorted(able, key=lambda fit: _RANK.get(fit.name, len(_RANK))):
        for offered in fit.fit(clause, before, after):
            draft = situated(clause, before, offered)
            if draft is None or (asking(clause) and not redone(draft, after)):
                continue
            found.setdefault((repr(draft.checks), repr(draft.invalid[:1])), draft)
            if len(found) == MOST_DRAFTS:
                return tuple(found.values())
    return tuple(found.values())


def _rule(clause: Clause, drafts: tuple[Draft, ...], marked: bool) -> Rule:  # noqa: FBT001 - one of three facts
    statement = statement_of(clause)
    return Rule(
        slug=slug_of(clause, statement),
        statement=statement,
        rationale="" if drafts else REMINDER,
        category=next((name for name, cue in _CATEGORY if re.search(cue, statement, re.IGNORECASE)), "process"),
        severity=_severity(clause, statement, marked=marked),
        when="" if clause.when.lower() in statement.lower() else clause.when,
        do=do_of(clause),
        scope=Scope(),
    )


def _severity(clause: Clause, statement: str, *, marked: bool) -> Severity:
    if _TASTE.search(statement):
        return "style"
    return (
        "must"
        if clause.forceful or _LASTING & set(clause.cues) or (marked and clause.polarity == "forbid")
        else "should"
    )
