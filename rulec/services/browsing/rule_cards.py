"""All rules as cards, with the words by which one is found."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from rulec.checkout import record_cache
from rulec.checkout.worktree import shared_state_directory
from rulec.compiling import effective_enforcement
from rulec.compiling.artifacts import blind_spots
from rulec.domain.artifact import Artifact, RuleFacts, compiled_checks, slug_of_artifact
from rulec.domain.enforcement import in_words, refuses
from rulec.domain.evidence import VOICED, Evidence
from rulec.domain.files import globs
from rulec.domain.rule import Rule, Scope
from rulec.gates import gate_ledger, personal_rules
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra import clock
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.reports.ledger_counts import FIRED_OUTCOMES, RuleActivity
from rulec.reports.rule_lines import check_words, scope_words
from rulec.rulebook.rulebook import Rulebook
from rulec.services import gates_here
from rulec.services.history import activity

LONGEST = 2_000  # characters of a statement that a card has
WEEKS = 12  # that a card looks back
REMINDS = "remind"  # what a rule without a check does


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekCount:
    """What a rule did in one week."""

    first: str  # its Monday
    found: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCard:
    """One rule, as far as a card shows it and a search looks at it."""

    slug: str
    statement: str
    revision: int = 1
    category: str = ""
    severity: str = ""
    pinned: str = "auto"
    acts: str = REMINDS
    layer: str = "team"
    scope: Scope = field(default_factory=Scope)
    where: str = ""
    audiences: tuple[tuple[str, str], ...] = ()  # whom it holds for, and where it is checked
    checked: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    state: str = "fresh"
    confidence: float = 0.0
    arithmetic: str = ""
    spoken_for: int = 0
    spoken_against: int = 0
    remarks: tuple[str, ...] = ()  # why it does less than one might think, and until when
    weeks: tuple[WeekCount, ...] = ()

    @property
    def does(self) -> str:
        """What it does on a finding, in a word."""
        return in_words(self.acts)

    @property
    def found(self) -> int:
        """How often it found something in these weeks."""
        return sum(week.found for week in self.weeks)

    @property
    def refused(self) -> int:
        """How often it refused something in these weeks."""
        return sum(week.refused for week in self.weeks)


def rulebook_mark(top: Path) -> tuple[int, ...]:
    """A value that changes when a rule, its evidence, what is compiled or the day does."""
    here = personal_rulebook.personal_for(top)
    books = [rulebook_files.rulebook_stamp(one).value for one in (top, here) if one]
    compiled = (top / ".rules/compiled" / kind for kind in ("", "guard", "semgrep", "shell", "judge"))
    more = record_cache.stamp_of(list(map(str, compiled))).value
    return (*books, more, date.fromisoformat(clock.now()[:10]).toordinal())


def ledger_mark(top: Path) -> int:
    """A value that changes when the ledger does."""
    return record_cache.stamp_of([str(Path(shared_state_directory(str(top))) / "ledger.jsonl")]).value


def rule_cards(top: Path) -> tuple[RuleCard, ...]:
    """Every rule in force, by name: the team's, then the person's own."""
    book = rulebook_files.load_rulebook(top)
    own = personal_rules.load_personal_layer(top, book)
    team = list(_cards(top, book))
    return (*team, *(_cards(own.here, own.book) if own else ()))


def rule_card(top: Path, book: Rulebook, rule: Rule) -> RuleCard:
    """The card of one rule in force."""
    compiled = rulebook_files.compiled_texts(top, [rule.slug])
    account = activity.rule_account(top, rule.slug, book.observed(rule.slug))
    (card,) = _cards_of(top, book, [rule], compiled, [account])
    return card


def _cards(top: Path, book: Rulebook) -> Iterator[RuleCard]:
    return _cards_of(top, book, book.rules, rulebook_files.compiled_in_work_tree(top), activity.rule_accounts(top))


def _cards_of(
    top: Path, book: Rulebook, rules: Iterable[Rule], compiled: Mapping[str, str], done: Iterable[RuleActivity]
) -> Iterator[RuleCard]:
    """The cards of some rules; what is compiled says what gates do, as they are asked it."""
    artifacts = compiled_checks(compiled)
    by_rule: dict[str, list[Artifact]] = {}
    for one in artifacts:
        by_rule.setdefault(slug_of_artifact(one.path), []).append(one)
    here = gates_here.gates_of_layer(top, book)
    facts, now, fired = facts_by_slug(artifacts), clock.now(), gate_ledger.last_fired(top)
    accounts = {one.slug: one for one in done}
    for rule in rules:
        own, known = by_rule.get(rule.slug, []), facts.get(rule.slug)
        moments = gates_here.moments_of_checks(own)
        sure = book.sure(rule, at=now, mattered=fired.get(rule.slug, ""))
        acts = known.enforcement if known else REMINDS
        yield RuleCard(
            slug=rule.slug, statement=_cut(" ".join(rule.statement.split())), revision=rule.revision,
            category=rule.category, severity=rule.severity, pinned=rule.enforcement, acts=acts,
            layer=rule.layer, scope=rule.scope, where=scope_words(rule.scope),
            audiences=tuple(gates_here.audience_rows(here, moments, rule)),
            checked=tuple(dict.fromkeys(map(check_words, rule.checks))),
            not_checked=(*rule.not_checked, *blind_spots(rule, top)),
            state=sure.state, confidence=sure.mean, arithmetic=sure.arithmetic,
            **_spoken(book.observed(rule.slug)),
            remarks=tuple(_remarks(book, rule, known)),
            weeks=count_weeks(accounts.get(rule.slug), now),
        )  # fmt: skip


def _cut(text: str) -> str:
    """A text that every page which shows the card can afford; the rule's own page has all of it."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _spoken(observed: Sequence[Evidence]) -> Mapping[str, int]:
    kinds = [item.kind for item in observed]
    return {"spoken_for": sum(kind in VOICED for kind in kinds), "spoken_against": kinds.count("counterexample")}


def _remarks(book: Rulebook, rule: Rule, known: RuleFacts | None) -> Iterator[str]:
    if not rule.checks:
        yield "no check: this rule is a reminder"
    elif known is None or known.revision != rule.revision:
        yield "what is compiled is not of this revision: run rulec compile"
    yield from filter(None, (book.why_unheld(rule), effective_enforcement.why_only_audits(rule)))
    if rule.refines:
        yield f"refines {rule.refines}"


def count_weeks(account: RuleActivity | None, now: str) -> tuple[WeekCount, ...]:
    """What a rule found and refused in each of the last weeks, the oldest first."""
    today = date.fromisoformat(now[:10])
    monday = today - timedelta(days=today.weekday())
    firsts = [monday - timedelta(weeks=back) for back in reversed(range(WEEKS))]
    found, refused = Counter[str](), Counter[str]()
    for count in account.counts if account else ():
        day = date.fromisoformat(count.day)
        week = (day - timedelta(days=day.weekday())).isoformat()
        found[week] += count.times * (count.outcome in FIRED_OUTCOMES)
        refused[week] += count.times * refuses(count.outcome)
    return tuple(
        WeekCount(first=first.isoformat(), found=found[first.isoformat()], refused=refused[first.isoformat()])
        for first in firsts
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFilter:
    """What is looked for; "" is no condition."""

    words: str = ""  # each of them stands in the slug, the statement or the category
    category: str = ""
    file: str = ""  # a path to which the rule applies
    acts: str = ""
    state: str = ""

    def __bool__(self) -> bool:
        """Whether there is any condition."""
        return self != CardFilter()


@dataclass(frozen=True, slots=True)
class CardIndex:
    """The cards with the text in which words are looked for."""

    cards: tuple[RuleCard, ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, cards: Sequence[RuleCard]) -> "CardIndex":
        """The index of some cards."""
        return cls(tuple(cards), tuple(f"{one.slug} {one.statement} {one.category}".casefold() for one in cards))

    def find(self, wanted: CardFilter) -> list[RuleCard]:
        """The cards for which every condition holds, those whose name has all the words first."""
        words = wanted.words.casefold().split()
        found = [
            card
            for card, text in zip(self.cards, self.texts, strict=True)
            if all(word in text for word in words) and _meets(card, wanted)
        ]
        return sorted(found, key=lambda card: not all(word in card.slug for word in words)) if words else found

    def values(self, name: str) -> list[str]:
        """The different values of a field, as choices of a filter."""
        return sorted({str(getattr(card, name)) for card in self.cards})


def _meets(card: RuleCard, wanted: CardFilter) -> bool:
    named = all(
        getattr(card, name) == value for name in ("category", "acts", "state") if (value := getattr(wanted, name))
    )
    return named and (not wanted.file or applies_to(card.scope, wanted.file))


def applies_to(scope: Scope, path: str) -> bool:
    """Whether a path lies within a scope."""
    path = path.strip().removeprefix("./")
    return globs.match(scope.include, path) and not globs.match(scope.exclude, path)
