"""What becomes of a candidate in a rulebook, and why: NOOP, UPDATE, SUPERSEDE, SPLIT or NEW."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from rulec.domain.candidate import Candidate, Draft, ReaderOpinion
from rulec.domain.rule import Rule
from rulec.language.clause import Clause
from rulec.language.clauses import clauses
from rulec.language.durability import is_momentary, only_asks_why
from rulec.language.excerpts import sentences_around
from rulec.language.semantics.meaning import LEAVE, meaning_of
from rulec.language.semantics.relation import STRANGERS, Relation, relate
from rulec.language.semantics.senses import LONGEST_READ
from rulec.language.words import CONDITIONAL, EXCEPTING, TIMING, any_of
from rulec.resolving.sense_index import SenseIndex, compare_values, index_rules, meaning_of_rule, nearest_rules
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.candidates import slug_of

Decision = Literal["NOOP", "UPDATE", "SUPERSEDE", "SPLIT", "NEW"]
MatchBand = Literal["auto", "review"]
Manner = Literal["", "wider", "narrower", "exception", "when"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """One of the five lifecycle decisions (TRACE 4.2); nothing is written without one."""

    decision: Decision
    slug: str  # the rule it speaks to; of NEW and SPLIT the free one that it would create
    because: str
    score: float = 0.0  # how sure it is that candidate and rule have to do with each other, 0 to 1
    band: MatchBand = "auto"  # review: too unsure to act on, a person says whether it is so or a rule of its own
    new_slug: str = ""  # a free one: of SUPERSEDE what takes the rule's place, in review what NEW would create
    manner: Manner = ""  # of UPDATE: how the candidate changes the rule
    where: str = ""  # of an exception or a when: the place in the person's words
    added: tuple[str, ...] = ()  # of wider: what the rule did not name before
    parts: tuple[Candidate, ...] = ()  # of SPLIT: the wishes, each to be resolved again
    by_model: bool = False  # a model's word, which takes no rule's place or force unless a person says so

    def line(self) -> str:
        """The trailer that a commit message carries."""
        return f"{self.decision} {self.slug} -- {' '.join(self.because.split())}"


# LexSona 4.3: from AUTO on it is acted upon, from REVIEW on a person is asked. evaluation/bench/resolve.py tells
AUTO, REVIEW = 0.85, 0.7
_DECISIONS: dict[str, Decision] = {"same": "NOOP", "contrary": "SUPERSEDE"}  # every other kind is an UPDATE
_MANNERS: dict[str, Manner] = {"wider": "wider", "narrower": "narrower", "exception": "exception", "when": "when"}
_RANK = {"same": 3, "contrary": 2, "exception": 1, "wider": 1, "narrower": 1, "when": 1}


def resolve(candidate: Candidate, book: Rulebook) -> Resolution:
    """What becomes of the candidate in this rulebook, and why."""
    free = _free_slug(candidate.rule.slug, book)
    name = candidate.correction.slug if candidate.correction else ""
    if name and (named := book.named(name)):
        return _resolve_named(candidate, named, free)
    if not candidate.offered and (several := split_wishes(candidate)):  # its reader names each wish on its own
        because = f"it asks for {len(several)} things that have nothing to do with each other"
        return Resolution(decision="SPLIT", slug=free, because=because, score=1.0, new_slug=free, parts=several)
    index = index_rules(book)
    found = [(rule, _match_rule(candidate, rule)) for rule in _comparable_rules(candidate, index)]
    rule, stands = max(found, key=lambda one: _order_of_match(one[1]), default=(None, STRANGERS))
    if rule is None or stands.kind == "strangers" or stands.score < REVIEW:
        return _resolve_as_new(free, rule, stands)
    return _resolution(candidate, rule, stands, free)


def _comparable_rules(candidate: Candidate, index: SenseIndex) -> Iterator[Rule]:
    """The rules most like the candidate, among those that bind its agents."""
    agents = set(candidate.rule.scope.agents)
    checks = [check for draft in candidate.drafts for check in draft.checks]
    for rule in nearest_rules(index, meaning_of(candidate.rule.statement, candidate.rule.when), checks):
        if not agents or not rule.scope.agents or agents & set(rule.scope.agents):
            yield rule


def _order_of_match(stands: Relation) -> tuple[bool, int, float]:
    """The order of matches: certain ones before suspected ones, the same wish first."""
    acted = stands.score >= AUTO
    return acted, _RANK.get(stands.kind, 0) if acted else 0, stands.score if stands.kind != "strangers" else 0.0


def _match_rule(candidate: Candidate, rule: Rule) -> Relation:
    """How the candidate relates to a rule, by its words and its checks."""
    said = relate(meaning_of_rule(rule), meaning_of(candidate.rule.statement, candidate.rule.when))
    checked = max(
        (_match_by_check(draft, rule, candidate.rule.statement) for draft in candidate.drafts),
        key=lambda one: one.score,
        default=STRANGERS,
    )
    refined = said.kind in ("exception", "when", "narrower") and said.score >= REVIEW
    if checked.kind == "strangers" or refined:
        return _doubt_by_scope(said, candidate, rule)
    if checked.kind == "wider" and said.kind == "same":
        return checked  # it names what no word of it tells
    heard = said.score >= _ALIKE_ENOUGH or said.within >= _CONTAINED_ENOUGH
    if checked.kind == said.kind and (heard or said.kind != "same"):
        if said.score < REVIEW and (said.kind == "contrary" or _lists_more(rule, candidate)):
            return replace(said, score=_UNSURE)  # of another part of the work, or of more than a check can tell
        return replace(said, score=max(said.score, checked.score), differing=said.differing or checked.differing)
    if said.score >= REVIEW and said.kind != "strangers":
        opposed = "contrary" in (checked.kind, said.kind)
        return replace(said, kind="contrary", score=min(said.score, _UNSURE)) if opposed else said
    return checked if heard else replace(checked, score=min(checked.score, _UNSURE))


_ALIKE_ENOUGH = 0.5  # so alike are the words of two wishes, at least, that the same check makes one of them
_CONTAINED_ENOUGH = 0.75  # or so much of the one stands in the other
_UNSURE = 0.8  # words and checks say different things: for a person to decide


def _lists_more(rule: Rule, candidate: Candidate) -> bool:
    said = meaning_of(candidate.rule.statement, candidate.rule.when)
    return bool(said.listed - meaning_of_rule(rule).words)


def _doubt_by_scope(said: Relation, candidate: Candidate, rule: Rule) -> Relation:
    """A rule for some files alone does not say all of a wish for all, nor does one of a wish too long to be read."""
    narrow = rule.scope.include != ("**",) and not meaning_of(rule.statement).place
    wide = not meaning_of(candidate.rule.statement, candidate.rule.when).place
    unread = len(candidate.rule.statement) > LONGEST_READ  # the rest of it may say anything
    doubtful = said.kind == "same" and ((narrow and wide) or unread)
    return replace(said, score=min(said.score, _UNSURE)) if doubtful else said


def _match_by_check(draft: Draft, rule: Rule, statement: str) -> Relation:
    """The match by checks; a wish is wider only by what the person named, not by what a draft adds."""
    if not draft.checks or not rule.checks or draft.scope != rule.scope:
        return STRANGERS
    if any(check.kind == "judge" for check in draft.checks):  # all of them are alike: their words are what is judged
        return STRANGERS
    if draft.checks == rule.checks:
        return Relation(kind="same", score=1.0, shared=("check",))
    found = [compare_values(mine, theirs) for mine in rule.checks for theirs in draft.checks]
    for kind, score in (("contrary", 0.95), ("wider", 0.86), ("same", 0.9)):
        one = next((each for each in found if each.kind == kind), None)
        if one and (kind != "wider" or all(value.lower() in statement.lower() for value in one.values)):
            return Relation(kind=one.kind, score=score, shared=("check",), differing=one.values)
    return STRANGERS


def resolve_into(candidate: Candidate, rule: Rule, book: Rulebook) -> Resolution:
    """The resolution of a person who says that the candidate belongs to this rule."""
    said = _resolve_named(candidate, rule, _free_slug(candidate.rule.slug, book))
    because = said.because if said.band == "auto" else f"a person says that it belongs to {rule.slug}"
    return replace(said, band="auto", because=because)


def _resolve_named(candidate: Candidate, rule: Rule, free: str) -> Resolution:
    """The resolution for a rule that the person named: only what they want of it is open."""
    stands = _match_rule(candidate, rule)
    heard = stands.score >= REVIEW or stands.within >= _CONTAINED_ENOUGH
    if (stands.kind == "same" and heard) or (stands.kind == "strangers" and _nothing_new(candidate)):
        return Resolution(decision="NOOP", slug=rule.slug, because="the person named this rule", score=1.0)
    if stands.kind == "strangers" or stands.score < REVIEW:
        return Resolution(
            decision="UPDATE", slug=rule.slug, band="review", new_slug=free, manner="wider", score=REVIEW,
            because="the person named this rule, but what they say does not stand in it",
        )  # fmt: skip
    if stands.kind in _OPEN:
        stands = replace(stands, score=max(stands.score, AUTO))
    return _resolution(candidate, rule, stands, free)


_OPEN = ("wider", "exception", "when")  # what a person may well mean who names the rule


def _nothing_new(candidate: Candidate) -> bool:
    return not meaning_of(candidate.rule.statement, candidate.rule.when).words


def _resolution(candidate: Candidate, rule: Rule, stands: Relation, free: str) -> Resolution:
    band: MatchBand = "auto" if stands.score >= AUTO else "review"
    decision = _DECISIONS.get(stands.kind, "UPDATE")
    manner = _MANNERS.get(stands.kind, "")
    where = _place_in_words(candidate, stands) if manner in ("exception", "when") else ""
    return Resolution(
        decision=decision,
        slug=rule.slug,
        because=("" if band == "auto" else "perhaps ") + _because(stands, where),
        score=stands.score,
        band=band,
        new_slug="" if decision == "NOOP" and band == "auto" else free,
        manner=manner,
        where=where,
        added=stands.differing if manner == "wider" else (),
    )


def _because(stands: Relation, where: str) -> str:
    by = _list_senses(stands.shared)
    against = _list_senses(stands.differing)
    match stands.kind:
        case "same" if stands.shared == ("check",):
            return "it is checked in the same way"
        case "same":
            return f"it says the same, of {by}" if by else "it says the same"
        case "contrary":
            return f"it asks for the contrary{f', {against}' if against else ''}"
        case "wider":
            return f"it says the same and adds {against}" if against else "it says the same and more"
        case "narrower":
            return f"it says the same, only of {against}"
        case "when":
            return f"it says the same and when it holds: {where}"
        case _:
            return f"it says the same with an exception: {where}"


def _list_senses(senses: tuple[str, ...]) -> str:
    bare = [sense.lstrip("<!").removeprefix("quoted_") for sense in senses]
    plain = [sense if sense.startswith("-") else sense.replace("-", " ") for sense in bare]
    return ", ".join(dict.fromkeys(plain))


_INNER_DOT = r"\.(?=\w)"  # of a file's name, where no sentence ends
_EXCEPT = re.compile(rf"\b(?:{any_of(EXCEPTING)}|but)\b(?:[^.;!?]|{_INNER_DOT})*", re.IGNORECASE)
_HOLDS = re.compile(
    rf"\b(?:{any_of(CONDITIONAL, TIMING)}|in|inside|under|for|each time|every time)\s(?:[^,.;!?]|{_INNER_DOT})+?"
    r"(?=\s(?:you|we) (?:can|may)\b|[,;!?]|\.(?!\w)|$)",
    re.IGNORECASE,
)  # fmt: skip


def _place_in_words(candidate: Candidate, stands: Relation) -> str:
    """Where it holds, or does not, in the person's words."""
    text = candidate.rule.statement
    found = (_EXCEPT.search(text) if stands.kind == "exception" else None) or _HOLDS.search(text)
    if found is None:
        return candidate.rule.when or _list_senses(stands.differing)
    said = found[0].strip()
    return said[:1].lower() + said[1:] if text.startswith(said) else said


def _resolve_as_new(free: str, rule: Rule | None, stands: Relation) -> Resolution:
    near_by = f"; the nearest is {rule.slug} ({stands.score:.2f})" if rule and stands.score else ""
    return Resolution(
        decision="NEW", slug=free, because=f"no rule says this{near_by}", score=stands.score, new_slug=free
    )


_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def split_wishes(candidate: Candidate, *, strangers: bool = True) -> tuple[Candidate, ...]:
    """The wishes of a candidate whose sentences have nothing to do with each other, or else of whatever sentences."""
    pieces = [piece.strip() for piece in _SENTENCE.split(candidate.rule.statement.strip()) if piece.strip()]
    if len(pieces) < _TWO or not all(_is_wish(piece) and _stands_in_quote(candidate, piece) for piece in pieces):
        return ()
    said = [meaning_of(piece) for piece in pieces]
    if strangers and any((one.senses & other.senses) - {LEAVE} for at, one in enumerate(said) for other in said[:at]):
        return ()
    return tuple(_candidate_of_part(candidate, piece, (number + 1, len(pieces))) for number, piece in enumerate(pieces))


_TWO = 2


def _is_wish(piece: str) -> bool:
    return bool(meaning_of(piece).core) and _clause(piece) is not None


def _stands_in_quote(candidate: Candidate, piece: str) -> bool:
    """Whether the piece may be a quote: of a model's wording only the person's words may."""
    said = candidate.correction
    return not (candidate.offered and said) or " ".join(piece.split()) in " ".join(said.quote.split())


def _clause(piece: str) -> Clause | None:
    """What the piece asks for, of more than this moment."""
    read = (clause for clause in clauses(piece) if clause.polarity != "none")
    return next((clause for clause in read if not only_asks_why(clause) and not is_momentary(clause)), None)


def _candidate_of_part(candidate: Candidate, piece: str, part: tuple[int, int]) -> Candidate:
    """One wish, with the drafts that are about it and no other."""
    clause = _clause(piece) or Clause(text=piece)
    statement = piece if piece.endswith((".", "!", "?")) else f"{piece}."
    slug = clause.slug or slug_of(statement)
    heard = candidate.correction
    # a model may cut a sentence there, too
    quote = sentences_around(heard.quote, piece) if heard and candidate.offered else piece
    said = replace(heard, quote=quote, slug="") if heard else None
    drafts = tuple(draft for draft in candidate.drafts if _speaks_of(draft, piece))
    rule = replace(candidate.rule, slug=slug, statement=statement)
    known = candidate.offered
    # what else its reader wrote is about all of the wishes
    offered = ReaderOpinion(sure=known.sure, offence=known.offence, fix=known.fix) if known else None
    return replace(
        candidate, rule=rule, drafts=drafts, correction=said, part=part, repeats=(), offered=offered
    )  # fmt: skip


def _speaks_of(draft: Draft, piece: str) -> bool:
    """Whether the piece names something that the draft's checks name."""
    names = re.findall(r"[\w./-]{2,}", " ".join(str(list(check.parameters.values())) for check in draft.checks).lower())
    return any(name in piece.lower() for name in names)


def _free_slug(slug: str, book: Rulebook) -> str:
    """A name that no rule has or had."""
    number, free = 2, slug
    while book.rule(free) or free in book.archived:
        free, number = f"{slug}-{number}", number + 1
    return free
