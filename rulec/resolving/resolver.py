"""What becomes of a candidate in a rulebook, and why: NOOP, UPDATE, SUPERSEDE, SPLIT or NEW.

The values of checks decide, the very same sentence, and the rule that a person names. Words that are only alike decide
nothing: such rules are named as similar, for a person or a model to say what they have to do with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from rulec.domain.candidate import Candidate, Draft, ReaderOpinion
from rulec.domain.files import globs
from rulec.domain.rule import Rule, Scope
from rulec.resolving.check_values import ValueComparison, compare_checks, index_rules, plain_sentence
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.candidates import draft_in_words, slug_of
from rulec.sentences.splitting import sentences_around, split_sentences

Decision = Literal["NOOP", "UPDATE", "SUPERSEDE", "SPLIT", "NEW"]
MatchBand = Literal["auto", "review"]
Manner = Literal["", "wider", "looser"]
MOST_SIMILAR = 3  # rules that are named


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """One of the five lifecycle decisions (TRACE 4.2); nothing is written without one."""

    decision: Decision
    slug: str  # the rule it speaks to; of NEW and SPLIT the free one that it would create
    because: str
    band: MatchBand = "auto"  # review: a person says whether it is so or a rule of its own
    new_slug: str = ""  # a free one: of SUPERSEDE what takes the rule's place, in review what NEW would create
    manner: Manner = ""  # of UPDATE: how the candidate changes the rule
    added: tuple[str, ...] = ()  # of an UPDATE: what the rule did not name before
    similar: tuple[str, ...] = ()  # of NEW: rules in words that are alike
    parts: tuple[Candidate, ...] = ()  # of SPLIT: the wishes, each to be resolved again
    by_model: bool = False  # a model's word, which takes no rule's place or force unless a person says so

    @property
    def in_doubt(self) -> bool:
        """Whether a model that is at hand is asked."""
        return self.band == "review" or bool(self.similar)

    def line(self) -> str:
        """The trailer that a commit message carries."""
        return f"{self.decision} {self.slug} -- {' '.join(self.because.split())}"


MatchKind = Literal["same", "contrary", "wider", "looser"]
_RANK: tuple[MatchKind, ...] = ("same", "contrary", "wider", "looser")  # of several rules the first counts


@dataclass(frozen=True, slots=True)
class _Match:
    """What a candidate has to do with a rule, by what one sees it."""

    kind: MatchKind
    because: str
    values: tuple[str, ...] = ()


def resolve(candidate: Candidate, book: Rulebook) -> Resolution:
    """What becomes of the candidate in this rulebook, and why."""
    free = _free_slug(candidate.rule.slug, book)
    name = candidate.correction.slug if candidate.correction else ""
    if name and (named := book.named(name)):
        return _resolve_named(candidate, named, free)
    if several := _wishes_checked_apart(candidate):
        because = f"its {len(several)} sentences are checked each by itself"
        return Resolution(decision="SPLIT", slug=free, because=because, new_slug=free, parts=several)
    index = index_rules(book)
    statement = candidate.rule.statement
    checks = [check for draft in candidate.drafts or _read_drafts(candidate) for check in draft.checks]
    near = {rule.slug: rule for rule in (*index.with_sentence(statement), *index.with_values(checks))}
    found = [(rule, match) for rule in near.values() if (match := _match_rule(candidate, rule))]
    if found:
        rule, match = min(found, key=lambda one: _RANK.index(one[1].kind))
        return _resolution(rule, match, free)
    similar = tuple(rule.slug for rule in index.similar(statement) if _same_agents(candidate, rule))[:MOST_SIMILAR]
    because = (
        f"a new rule, for none says this yet; similar: {', '.join(similar)}"
        if similar
        else "a new rule, for none says this yet"
    )
    return Resolution(decision="NEW", slug=free, because=because, new_slug=free, similar=similar)


def _same_agents(candidate: Candidate, rule: Rule) -> bool:
    """Whether the rule binds an agent that the candidate is for."""
    mine, theirs = set(candidate.rule.scope.agents), set(rule.scope.agents)
    return not mine or not theirs or bool(mine & theirs)


def _match_rule(candidate: Candidate, rule: Rule) -> _Match | None:
    """How the candidate relates to a rule, None where nothing but words may tell."""
    if not _same_agents(candidate, rule):
        return None
    drafts = [draft for draft in candidate.drafts if not _is_judged(draft)]
    found = [match for draft in drafts if (match := _match_by_values(draft, rule))]
    if _same_sentence(candidate.rule, rule):
        if not rule.checks and any(draft.checks for draft in candidate.drafts):
            return _Match("wider", "it says the same sentence, with a check")
        if all(match.kind == "same" for match in found) and len(found) == len(drafts):
            return _Match("same", "it says the same sentence")
        return found[0] if found else _Match("wider", "it says the same sentence, with another check")
    if not found:
        read = (_match_by_values(draft, rule) for draft in _read_drafts(candidate)) if not candidate.drafts else ()
        return next((match for match in read if match and match.kind in ("same", "contrary")), None)
    if all(match.kind == "same" for match in found) and len(found) < len(drafts):
        return _Match("wider", "a check of it is the same, and it has another one")
    return next((match for match in found if match.kind != "same"), found[0])


def _read_drafts(candidate: Candidate) -> tuple[Draft, ...]:
    """What a candidate without a check names literally: it may be nothing new or the contrary, and changes no check."""
    draft = draft_in_words(candidate.rule.statement)
    return (draft,) if draft else ()


def _same_sentence(one: Rule, other: Rule) -> bool:
    return plain_sentence(one.statement) == plain_sentence(other.statement) and (one.when or "") == (other.when or "")


def _is_judged(draft: Draft) -> bool:
    """Whether its words are what is judged: the checks of all such drafts are alike."""
    return not draft.checks or any(check.kind == "judge" for check in draft.checks)


def _match_by_values(draft: Draft, rule: Rule) -> _Match | None:
    """The match of one draft by values, as far as both hold in the same place."""
    held = _scope_relation(rule.scope, draft.scope)
    if held == "apart":
        return None
    pairs = [[compare_checks(mine, theirs) for mine in rule.checks] for theirs in draft.checks]
    every = [one for some in pairs for one in some]
    if against := next((one for one in every if one.kind == "contrary"), None):
        named = f", {', '.join(against.values)}" if against.values else ""
        return _Match("contrary", f"it asks for the contrary{named}", against.values)
    if all(one.kind == "strangers" for one in every):
        return None
    if looser := next((one for one in every if one.kind == "looser"), None):
        spared = ", ".join(text.partition(" ")[2] for text in looser.values)
        return _Match("looser", f"it is checked in the same way and leaves alone {spared}", looser.values)
    if all(any(one.kind in ("same", "narrower") for one in some) for some in pairs):
        if held == "within":
            return _Match("same", "it is checked in the same way")
        if held == "looser":
            return _Match("looser", "it is checked in the same way, in fewer places")
        return _Match("wider", "it is checked in the same way, in more places")
    added = tuple(dict.fromkeys(value for some in pairs for value in _added_values(some)))
    return _Match("wider", f"it is checked in the same way and adds {', '.join(added) or 'a check'}", added)


def _added_values(found: list[ValueComparison]) -> tuple[str, ...]:
    """What one check of a draft refuses and no check of the rule does."""
    if any(one.kind in ("same", "narrower") for one in found):
        return ()
    return next((one.values for one in found if one.kind in ("wider", "overlap")), ())


def _scope_relation(rule: Scope, draft: Scope) -> Literal["within", "looser", "overlap", "apart"]:
    """Where a draft holds, beside a rule: within its files, there with more left alone, elsewhere too, or apart."""
    everywhere = "**" in rule.include
    if not everywhere and not any(
        globs.match([glob], other.replace("**", "x").replace("*", "x")) or glob == other
        for glob in rule.include
        for other in draft.include
    ):
        return "overlap" if "**" in draft.include else "apart"
    if not set(rule.exclude) <= set(draft.exclude):
        return "overlap"
    return "looser" if set(draft.exclude) - set(rule.exclude) else "within"


def resolve_into(candidate: Candidate, rule: Rule, book: Rulebook) -> Resolution:
    """The resolution of a person who says that the candidate belongs to this rule."""
    said = _resolve_named(candidate, rule, _free_slug(candidate.rule.slug, book))
    because = said.because if said.band == "auto" else f"a person says that it belongs to {rule.slug}"
    return replace(said, band="auto", because=because)


def _resolve_named(candidate: Candidate, rule: Rule, free: str) -> Resolution:
    """The resolution for a rule that the person named: only what they want of it is open."""
    match = _match_rule(candidate, rule)
    if match is None:
        return Resolution(
            decision="UPDATE", slug=rule.slug, band="review", new_slug=free, manner="wider",
            because="the person named this rule; no check says what they want of it",
        )  # fmt: skip
    return _resolution(rule, match, free)


def _resolution(rule: Rule, match: _Match, free: str) -> Resolution:
    match match.kind:
        case "same":
            return Resolution(decision="NOOP", slug=rule.slug, because=match.because)
        case "contrary":
            return Resolution(decision="SUPERSEDE", slug=rule.slug, because=match.because, new_slug=free)
        case kind:
            return Resolution(
                decision="UPDATE", slug=rule.slug, because=match.because, new_slug=free, manner=kind,
                added=match.values if kind == "wider" else (), band="review" if kind == "looser" else "auto",
            )  # fmt: skip


def split_wishes(candidate: Candidate) -> tuple[Candidate, ...]:
    """Each sentence of a candidate as a wish of its own, none left out; () where it has one sentence alone."""
    pieces = split_sentences(candidate.rule.statement)
    if len(pieces) < _TWO or not all(_stands_in_quote(candidate, piece) for piece in pieces):
        return ()
    drafts: list[list[Draft]] = [[] for _ in pieces]
    for draft in candidate.drafts:
        about = [at for at, piece in enumerate(pieces) if _speaks_of(draft, piece)]
        for at in about or [0]:
            drafts[at].append(draft)
    return tuple(_parts(candidate, pieces, drafts))


_TWO = 2


def _wishes_checked_apart(candidate: Candidate) -> tuple[Candidate, ...]:
    """The sentences of a candidate as wishes, where several of them have a draft that is about no other.

    The drafts of a model are several tries at one wish, and its reader names each wish on its own.
    """
    if candidate.offered or len(candidate.drafts) < _TWO:
        return ()
    parts = split_wishes(candidate)
    own = [part.drafts for part in parts if part.drafts]
    return parts if len(own) >= _TWO and sum(map(len, own)) == len(candidate.drafts) else ()


def _stands_in_quote(candidate: Candidate, piece: str) -> bool:
    """Whether the piece may be a quote: of a model's wording only the person's words may."""
    said = candidate.correction
    return not (candidate.offered and said) or " ".join(piece.split()) in " ".join(said.quote.split())


def _parts(candidate: Candidate, pieces: list[str], drafts: list[list[Draft]]) -> Iterator[Candidate]:
    heard, known = candidate.correction, candidate.offered
    # what else its reader wrote is about all of the wishes
    offered = ReaderOpinion(sure=known.sure, offence=known.offence, fix=known.fix) if known else None
    for number, (piece, own) in enumerate(zip(pieces, drafts, strict=True), 1):
        statement = piece if piece.endswith((".", "!", "?")) else f"{piece}."
        # a model may cut a sentence there, too
        quote = sentences_around(heard.quote, piece) if heard and candidate.offered else piece
        yield replace(
            candidate,
            rule=replace(candidate.rule, slug=slug_of(statement), statement=statement),
            drafts=tuple(own),
            correction=replace(heard, quote=quote, slug="") if heard else None,
            part=(number, len(pieces)),
            repeats=(),
            offered=offered,
        )


def _speaks_of(draft: Draft, piece: str) -> bool:
    """Whether the piece names something that the draft's checks name."""
    values = [value for check in draft.checks for given in check.parameters.values() for value in _items(given)]
    return any(str(value).casefold() in piece.casefold() for value in values if value)


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _free_slug(slug: str, book: Rulebook) -> str:
    """A name that no rule has or had."""
    number, free = 2, slug
    while book.rule(free) or free in book.archived:
        free, number = f"{slug}-{number}", number + 1
    return free
