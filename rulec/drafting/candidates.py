"""Corrections and typed sentences into candidates, with the checks that their words support."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulec.domain.candidate import Candidate, Correction, Draft
from rulec.domain.enforcement import Severity
from rulec.domain.rule import Check, Rule, Scope
from rulec.domain.transcript import Action
from rulec.drafting.drafter import Drafter
from rulec.drafting.forms.sentence_shape import clause_runs, split_at_joints, split_sentences, without_marks
from rulec.errors import RulecError
from rulec.language.clause import Clause, slug_of, wanted_instead
from rulec.language.clauses import clauses
from rulec.language.durability import durable_wishes, is_momentary, only_asks_why
from rulec.language.terms import terms
from rulec.language.time_limit import reading_limit
from rulec.language.words import ALLOWING, EXCEPTING, any_of

LONGEST_STATEMENT = (
    400  # characters of a statement; what is longer is no sentence, and cutting it would make it another
)
NOT_CHECKABLE = "nothing in the words or in the actions says how a machine could check it"

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


def candidates_of(correction: Correction, drafter: Drafter) -> tuple[Candidate, ...]:
    """One candidate for each wish of the quote; none where no sentence of it can stand alone as a rule.

    ReadingTooLongError where that takes too long.
    """
    with reading_limit():
        return tuple(_candidates_in_quote(correction, drafter))


def _candidates_in_quote(correction: Correction, drafter: Drafter) -> Iterator[Candidate]:
    before, after = correction.before, correction.after
    found = list(_wishes_in_quote(correction, drafter))
    for number, (text, shown) in enumerate(found):
        drafts = shown
        read = _clause(text)
        named = replace(read, slug=correction.slug if number == 0 else "", marked=correction.marked)
        if correction.marked or not (before and after):
            drafts = (
                *drafts,
                *(draft for draft in drafter.of_words(text) if draft.checks not in [d.checks for d in drafts]),
            )
        own = replace(correction, quote=text) if len(found) > 1 and text in correction.quote else correction
        rule = _rule(named, _statement(text), drafts, marked=correction.marked)
        part = (number + 1, len(found))
        yield Candidate(rule=rule, drafts=drafts, correction=own, part=part, near=() if drafts else drafter.near(text))


def _wishes_in_quote(correction: Correction, drafter: Drafter) -> Iterator[tuple[str, tuple[Draft, ...]]]:
    """The sentences of a quote that ask for something, or all of it where only that is what the session shows."""
    quote = correction.quote.strip()
    whole = drafter.of_pair(quote, correction.before, correction.after) if len(quote) <= LONGEST_STATEMENT else ()
    if whole:
        yield quote, whole
        return
    asked = [one for one in split_sentences(quote) if len(one) <= LONGEST_STATEMENT]
    drafts = {one: drafter.of_pair(one, correction.before, correction.after) for one in asked} if len(asked) > 1 else {}
    wanted = [
        one for one in asked if drafts.get(one) or durable_wishes([replace(c, marked=False) for c in clauses(one)])
    ]
    for one in wanted or (asked[:1] if correction.marked else []):
        yield one, drafts.get(one, ())


def supports_check(
    read: Sequence[Clause], before: tuple[Action, ...], after: tuple[Action, ...], drafter: Drafter
) -> bool:
    """Whether a check can be drafted from these clauses that the actions on both sides of them show."""
    wishes = durable_wishes(tuple(read))
    asked = [clause for clause in read if clause.polarity == "none" or clause in wishes]
    return bool(before and after) and any(drafter.of_pair(clause.text, before, after) for clause in asked)


def split_typed(text: str) -> tuple[str, ...]:
    """A typed text in its sentences, word for word; most texts are one."""
    return tuple(split_sentences(text))


def typed_candidates(text: str, drafter: Drafter) -> tuple[Candidate, ...]:
    """A candidate for each sentence of a typed text that is a wish; a text that one form explains is one candidate.

    ReadingTooLongError where that takes too long.
    """
    with reading_limit():
        return _candidates_in_text(text, drafter)


def _candidates_in_text(text: str, drafter: Drafter) -> tuple[Candidate, ...]:
    pieces = split_typed(text)
    if len(pieces) > 1 and not drafter.of_words(text):
        said = [piece for piece in pieces if drafter.of_words(piece) or not _is_no_wish(_clause(piece))]
        found = [one for piece in said for one in _candidates_in_text(piece, drafter)] or [
            typed_candidate(text, drafter)
        ]
        bounds = any(_ALLOWS.search(piece) and not drafter.of_words(piece) for piece in pieces)
        return tuple(_without_check(one, drafter) for one in found) if bounds else tuple(found)
    if drafter.of_words(text):
        return (typed_candidate(text, drafter),)
    for first, second in split_at_joints(text):
        both = drafter.of_words(first), drafter.of_words(second)
        if all(both):
            return typed_candidate(first, drafter), typed_candidate(second, drafter)
    return (typed_candidate(text, drafter),)


# What one sentence allows of what another forbids: nobody knows of which.
_ALLOWS = re.compile(
    rf"\b(?:(?<!not )(?:{any_of(ALLOWING)})|{any_of(EXCEPTING)}|excepted|excluded|"
    r"may(?! (?:not|never|only)\b)|you can|only (?:place|case)|"
    r"(?:not|n't) (?:need(?:ed)?|count|apply|necessary|required))\b",
    re.IGNORECASE,
)


def _without_check(one: Candidate, drafter: Drafter) -> Candidate:
    """The candidate without a check, where another sentence may bound what it says."""
    return replace(one, drafts=(), near=one.near or drafter.near(one.rule.statement))


def typed_candidate(text: str, drafter: Drafter) -> Candidate:
    """The candidate for a statement that a person typed: its examples are made from what it names."""
    drafts = drafter.of_words(text) or _drafts_of_part(text, drafter)
    clause = replace(_clause(text), marked=True)  # who types a rule means it
    if not drafts and _is_no_wish(clause):
        raise RulecError("says no wish", hint='say what to do or not to do: rulec add "Use pnpm, not npm"')
    rule = _rule(clause, _statement(text), drafts, marked=True)
    return Candidate(rule=rule, drafts=drafts, near=() if drafts else drafter.near(text))


def _drafts_of_part(text: str, drafter: Drafter) -> tuple[Draft, ...]:
    """Drafts of the longest part that a form explains whole, the others listed as what nothing checks.

    A part that bounds the wish, as a condition or an exception does, leaves none of it to be checked.
    """
    for seen, unseen in clause_runs(text):
        if (
            not _LEANS_ON_BEFORE.match(seen)
            and not any(map(_BOUNDS_OTHER_HALF.search, unseen))
            and (drafts := drafter.of_words(seen))
        ):
            listed = tuple(one.strip(" .,;") for one in unseen)
            return tuple(replace(draft, not_checked=(*draft.not_checked, *listed)) for draft in drafts)
    return ()


_LEANS_ON_BEFORE = re.compile(
    r"(?:not|nor|neither|than)\b", re.IGNORECASE
)  # it says nothing without what stands before it
# What makes of the other half a condition, a limit or the contrary.
_BOUNDS_OTHER_HALF = re.compile(
    rf"\b(?:{any_of(EXCEPTING, ALLOWING)}|only|until|without|but|although|though|may|can|could|might|"
    r"appl(?:y|ies) (?:only|to)|excluding|elsewhere|where|which|instead[ -]of|rather|sometimes|usually|as long as)\b"
    r"|^(?:if|when|whenever|while|in|for|on|before|after|not|than)\b"
    r"|\b(?:commit messages?|replies|answers|branch names|pull requests?)\b"  # it is about these, and not about files
    r"|\b(?:in|on|at|from) (?:the|your|our|my|this) [\w-]+\s*[.;,]?$"
    r"|\b(?:in|on|under|inside|within|outside|below|of)\s+[^\s/`]*[/`]\S*\s*[.;,]?$",  # a place behind both halves
    re.IGNORECASE,
)


def _clause(text: str) -> Clause:
    """What a sentence asks for, of its first wish, with the sentence itself for its text."""
    said = without_marks(text)
    read = clauses(said)
    first = next((one for one in read if one.polarity != "none"), read[0] if read else Clause(text=said))
    return replace(first, text=said)


_LEAST_WORDS = 3  # of a sentence that has none of the forms of a wish
_NARRATES = re.compile(
    r"\W*(?:(?:but|and|so|no|yes|ok(?:ay)?|well|wait)\b\W*)*(?!you (?:may|need not|don'?t need to)\b)"
    r"(?:i|it|this|that|thats|that's|he|she|they|you|do ?n[o']?t|"
    r"let'?s not|no|wait|undo|thanks?|thank you|hello|hi|hey|sorry|"
    r"looks?|sounds?|works?|great|nice|perfect|good|cool)\b",
    re.IGNORECASE,
)


def _is_no_wish(clause: Clause) -> bool:
    """Whether the words are a greeting, a question, an account of what happened, or of this moment alone."""
    if clause.polarity != "none":
        return only_asks_why(clause) or is_momentary(clause)
    words = re.findall(r"[^\W_]+", clause.text)
    return len(words) < _LEAST_WORDS or bool(_NARRATES.match(clause.text)) or clause.text.endswith("?")


_LEADS_IN = re.compile(
    r"^(?:(?:no+|nope|stop|hey|ok(?:ay)?|yes|yeah|well|actually|please|wait|again|and|but|so|also|oh|hm+|ugh)\b[,.:!\u2014-]*\s+)+(?=\S)",
    re.IGNORECASE,
)


def _statement(text: str) -> str:
    """The person's sentence, whole, without marks and without what it only begins with."""
    said = without_marks(text)
    said = _LEADS_IN.sub("", said) if not re.match(r"no \S|stop \w+ing|please don", said, re.IGNORECASE) else said
    said = f"{said[:1].upper()}{said[1:]}" if re.match(r"[a-z]+(?:\s|$)", said) else said
    return said if not said or said.endswith((".", "!", "?")) else f"{said}."


def _rule(clause: Clause, statement: str, drafts: tuple[Draft, ...], *, marked: bool) -> Rule:
    return Rule(
        slug=slug_of(clause, statement),
        statement=statement,
        rationale="" if drafts else NOT_CHECKABLE,
        category=next((name for name, cue in _CATEGORY if re.search(cue, statement, re.IGNORECASE)), "process"),
        severity=_severity(clause, statement, marked=marked),
        do=wanted_instead(clause),
        scope=Scope(),
    )


def _severity(clause: Clause, statement: str, *, marked: bool) -> Severity:
    if _TASTE.search(statement):
        return "style"
    return "must" if clause.forceful or clause.lasting or (marked and clause.polarity == "forbid") else "should"


WANTED_BY_PERSON = "a person wants it to be judged"
_MESSAGE = re.compile(r"\b(?:commit|git)\s+(?:messages?|subjects?|bod(?:y|ies)|titles?|logs?)\b", re.IGNORECASE)
_READS = {"diff": ("file", "edit", "commit"), "message": ("message", "commit")}


def with_judge_alone(candidate: Candidate) -> Candidate:
    """The candidate to be judged, with those examples of its drafts that a judge can read, and where these hold."""
    statement = candidate.rule.statement
    first = candidate.drafts[0] if candidate.drafts else None
    if first is None:
        scope = _scope_in_words(statement) if _what_judge_reads(statement) == "diff" else Scope()
        first = Draft(checks=(), scope=scope)
    draft = add_judge(statement, replace(first, because=WANTED_BY_PERSON))
    return replace(candidate, rule=replace(candidate.rule, rationale=""), drafts=(draft,))


def add_judge(statement: str, draft: Draft) -> Draft:
    """The draft with a judge for its check, and the examples that such a judge can read."""
    of = _what_judge_reads(statement)
    invalid, valid = (
        tuple(example for example in side if example.kind in _READS[of]) for side in (draft.invalid, draft.valid)
    )
    check = Check(kind="judge", template="judge", parameters={"of": of})
    return replace(draft, checks=(check,), invalid=invalid, valid=valid)


def _what_judge_reads(statement: str) -> str:
    return "message" if _MESSAGE.search(statement) else "diff"


def _scope_in_words(statement: str) -> Scope:
    """Where the words say that it holds, everywhere where no path shows that place."""
    found = _PLACE.search(statement)
    paths = tuple(term.text for term in terms(found[2]) if term.kind == "path") if found else ()
    if not found or not paths:
        return Scope()
    return Scope(exclude=paths) if found[1].casefold().startswith(("out", "exc")) else Scope(include=paths)


_PLACE = re.compile(r"\b(in|inside|under|within|outside(?: of)?|except in) ([^,;]+?)[.!]?$", re.IGNORECASE)
