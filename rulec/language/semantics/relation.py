"""How two statements stand to each other: the same, alike, more, less, an exception, the contrary, strangers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from rulec.language.semantics.meaning import Meaning, meaning_of, wider_sense
from rulec.language.semantics.vocabulary import TOPICS, Topic
from rulec.language.words import word_table

CHOICE = 2.0  # what the value of a choice weighs: it is the point of a statement
_WEIGHTS = dict.fromkeys(
    word_table("repo repository project local file code folder entry clause block statement name time first"), 0.15
) | dict.fromkeys(
    word_table(
        "say new show separate plain end line call begin verify step existing implement at-most at-least plan done"
    ),
    0.4,
)
# Where both name one of these and they differ, it counts; else hardly.
_VERBS = {"write": "make", "edit": "make", "update": "make", "run": "run", "read": "read", "format": "format"}
_VERB, _OTHER_VERB = 0.15, 0.8
_ORDER = 0.6  # at least: what something must come before is said on purpose


def sense_weight(sense: str) -> float:
    """How telling a sense is: rare ones weigh more."""
    bare = sense.lstrip("<!")
    found = CHOICE if bare in TOPICS else _VERB if bare in _VERBS else _WEIGHTS.get(bare, 1.0)
    return found if bare == sense else max(found, _ORDER)


def total_weight(senses: Iterable[str]) -> float:
    """The weight of several senses together."""
    return sum(map(sense_weight, senses))


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two meanings share and what only one of them has; of a kind and its wider kind a half is shared."""

    shared: frozenset[str]
    mine: frozenset[str]
    theirs: frozenset[str]
    kin: frozenset[str]  # senses of the second that are kinds, or wider kinds, of senses of the first

    def alike(self) -> float:
        """The common share of the weight, 0 to 1."""
        same = total_weight(self.shared) + 0.5 * total_weight(self.kin)
        apart = total_weight(self.mine) + total_weight(self.theirs) + 0.5 * total_weight(self.kin)
        return same / (same + apart) if same else 0.0


def overlap_of(one: frozenset[str], other: frozenset[str]) -> Overlap:
    """The shared senses, those of one side alone, and those of one kind."""
    shared = one & other
    mine, theirs = (frozenset(sense for sense in alone if sense[0] != "!") for alone in (one - other, other - one))
    kin = frozenset(sense for sense in theirs if any(is_wider_or_narrower(sense, each) for each in mine))
    parents = frozenset(sense for sense in mine if any(is_wider_or_narrower(sense, each) for each in kin))
    return Overlap(shared, mine - parents, theirs - kin, kin)


def is_wider_or_narrower(one: str, other: str) -> bool:
    """Whether one is a kind of the other."""
    return other in wider_sense(one) or one in wider_sense(other)


def apart_in_act(found: Overlap) -> float:
    """What it weighs that the one wants something written which the other wants run."""
    mine, theirs, both = (
        {_VERBS[sense] for sense in senses if sense in _VERBS} for senses in (found.mine, found.theirs, found.shared)
    )
    return _OTHER_VERB if mine and theirs and not both and not mine & theirs else 0.0


Kind = Literal["same", "wider", "narrower", "exception", "when", "contrary", "strangers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """What the second has to do with the first, how sure that is, and the senses by which one sees it."""

    kind: Kind
    score: float = 0.0  # 0 to 1
    shared: tuple[str, ...] = ()
    within: float = 0.0  # how much of the one that says less stands in the other
    differing: tuple[str, ...] = ()  # what the second adds, or wants against the first


STRANGERS = Relation(kind="strangers")
_SLIGHT = 0.45  # so much weight that one says more than the other makes no difference


def relate(one: Meaning, other: Meaning) -> Relation:
    """How the second, a new wish, stands to the first, a rule."""
    if one.senses.isdisjoint(other.senses):
        return STRANGERS
    if {one.leave, other.leave} == {"ask", "free"} and not (one.words and other.words):  # of everything
        score = _DOUBTFUL if one.words or other.words else 1.0
        return Relation(kind="contrary", score=score, shared=("ask",), differing=("ask",))
    if one.leave == other.leave == "ask" and not one.words and not other.words:
        return Relation(kind="same", score=1.0, shared=("ask",), within=1.0)
    overlap = overlap_of(one.words, other.words)
    if not overlap.shared and not overlap.kin and not _choices(one, other):
        return STRANGERS
    if _apart(one, other):
        return STRANGERS
    if _kin_opposed(one, other, overlap.kin):
        return STRANGERS
    if numbers := _numbers(overlap):
        return numbers
    against = _against(one, other, overlap)
    return _contrary(one, other, overlap, against) if against else _agreeing(one, other, overlap)


_NUMBER = re.compile(r"\d+(?:\.\d+)?%?")


def _numbers(overlap: Overlap) -> Relation | None:
    """Of two statements that differ in a number alone, the second wants another one."""
    both = (overlap.mine, overlap.theirs)
    found = [frozenset(sense for sense in senses if _NUMBER.fullmatch(sense)) for senses in both]
    if not all(found) or any(total_weight(senses - each) > _SLIGHT for senses, each in zip(both, found, strict=True)):
        return None
    limit = {"at-most", "at-least"} & overlap.shared and total_weight(overlap.shared) >= _HEARD
    shown = tuple(sorted(overlap.shared))
    score = 0.9 if limit else _DOUBTFUL
    return Relation(kind="contrary", score=score, shared=shown, differing=tuple(sorted(found[1])))


def _kin_opposed(one: Meaning, other: Meaning, kin: frozenset[str]) -> bool:
    """Whether the one refuses a kind of what the other wants."""
    refused = [sense for sense in kin & other.wanted if any(is_wider_or_narrower(sense, each) for each in one.unwanted)]
    return bool(refused) or any(
        is_wider_or_narrower(sense, each) for sense in kin & other.unwanted for each in one.wanted
    )


_ANYWHERE = word_table("code file repository repo project codebase")


def _apart(one: Meaning, other: Meaning) -> bool:
    """Whether they hold in different places, or come before different acts."""
    here, there = one.place - _ANYWHERE, other.place - _ANYWHERE
    wider = any(
        "/" in mine and theirs in wider_sense(mine) for mine in here for theirs in there
    )  # "in src" after "src/cli"
    places = bool(here and there) and (wider or not overlap_of(here, there).alike() >= 0.3)
    acts = bool(one.before and other.before) and not overlap_of(one.before, other.before).alike() >= 0.5
    return places or acts


def _choices(one: Meaning, other: Meaning) -> list[Topic]:
    """The choices about which both say something."""
    topics = {id(topic): topic for sense in one.core if (topic := TOPICS.get(sense))}
    return [topic for topic in topics.values() if topic.values & other.core]


def _against(one: Meaning, other: Meaning, overlap: Overlap) -> frozenset[str]:
    """What the second wants against the first."""
    for topic in _choices(one, other):
        if found := _rival(topic, one, other):
            return found
    if one.leave != other.leave and (found := _leave(one, other)):
        return found
    polar = overlap.shared & one.core & other.core
    opposite = (polar & one.wanted & other.unwanted) | (polar & one.unwanted & other.wanted)
    if {one.leave, other.leave} == {"", "ask"}:
        return frozenset()
    if total_weight(opposite) > max(total_weight(polar - opposite), _SLIGHT):
        return frozenset(opposite)
    return frozenset()


def _leave(one: Meaning, other: Meaning) -> frozenset[str]:
    """Of an act that one allows without a word and for which the other wants one."""
    if {one.leave, other.leave} == {"ask", "free"}:
        return other.core & one.core
    asking, doing = (one, other) if one.leave == "ask" else (other, one)
    if asking.leave == "ask" and doing.core == doing.wanted and _strong(doing.wanted) <= asking.core:
        return doing.wanted & asking.core
    if {one.leave, other.leave} == {"", "free"}:
        free, strict = (one, other) if one.leave == "free" else (other, one)
        return free.wanted & strict.unwanted
    return frozenset()


def _strong(senses: frozenset[str]) -> frozenset[str]:
    return frozenset(sense for sense in senses if sense_weight(sense) >= 1)


def _rival(topic: Topic, one: Meaning, other: Meaning) -> frozenset[str]:
    wants, refuses = topic.values & one.wanted, topic.values & one.unwanted
    theirs, against = topic.values & other.wanted, topic.values & other.unwanted
    if wants & theirs:
        return frozenset()
    if wants & against or refuses & theirs:
        return theirs or (wants & against)
    apart = wants and theirs and not any(is_wider_or_narrower(a, b) for a in wants for b in theirs)
    return theirs if apart else frozenset()


def _contrary(one: Meaning, other: Meaning, overlap: Overlap, against: frozenset[str]) -> Relation:
    """The contrary, or an exception where the second holds only in some places."""
    rivals = frozenset(sense for sense in (overlap.mine | overlap.theirs) if sense in TOPICS)
    same = total_weight(overlap.shared - rivals) + 0.5 * total_weight(overlap.kin) + (CHOICE if rivals & against else 0)
    same += 0.25 * total_weight(against & overlap.shared)
    mine, theirs = overlap.mine - rivals, overlap.theirs - rivals
    ban = bool(other.unwanted and not other.wanted)  # a ban that names no place is against every place
    broad = ban or other.leave == "ask"
    said = theirs | frozenset(sense for sense in overlap.kin if one.words & set(wider_sense(sense)))
    narrower = said & other.place if broad else said & (other.place | other.when)
    if other.leave == "free":
        narrower = theirs | (said & other.place)
        mine -= one.wanted if one.unwanted & against else frozenset()  # what it wants instead
    if one.leave == "ask":  # when a thing is done is no place where it may be done
        narrower, theirs = narrower - other.when, theirs - other.when
    if broad and not narrower:
        mine -= one.when | (one.place | one.around if ban else frozenset())
    choice, refusing = rivals & against, one.unwanted and one.wanted <= TOPICS.keys()
    purpose = theirs & other.around - narrower if (choice or refusing) and not broad else frozenset()
    theirs -= purpose  # "use it for output" is against a ban, perhaps for that alone
    other_act = total_weight(_strong(theirs - narrower) & other.unwanted)  # "never print it" is not against its use
    score = (
        same / (same + total_weight(mine) + total_weight(theirs - narrower) + other_act + apart_in_act(overlap))
        if same
        else 0.0
    )
    score = round(score, 2)
    shown = tuple(sorted(against))
    if same < _LEAST and (mine or theirs):
        score = min(score, _DOUBTFUL)
    if total_weight(purpose) > _SLIGHT and not narrower:
        score, narrower = min(score, _DOUBTFUL), purpose
    if narrower and narrower <= one.but:
        return Relation(kind="same", score=score, shared=shown)
    if total_weight(narrower) > _SLIGHT or (narrower and other.leave == "free"):
        return Relation(kind="exception", score=score, shared=shown, differing=tuple(sorted(narrower)))
    return Relation(kind="contrary", score=score, shared=tuple(sorted(overlap.shared)), differing=shown)


@dataclass(frozen=True, slots=True)
class _More:
    """What the second adds to the first, and how that changes it."""

    listed: frozenset[str]  # equals of what is named
    places: frozenset[str]
    times: frozenset[str]
    about: frozenset[str]
    rest: frozenset[str]  # anything else makes another wish of it


def _agreeing(one: Meaning, other: Meaning, overlap: Overlap) -> Relation:
    """Same wish, or one of them says more."""
    if one.leave != other.leave and "ask" in (one.leave, other.leave):
        return _asking(one, other, overlap)
    implied = {sense for sense in overlap.mine | overlap.theirs if sense in TOPICS and _chosen(sense, one, other)}
    more = _more(other, overlap.theirs, frozenset(implied))
    mine = overlap.mine - implied
    if total_weight(overlap.theirs - implied) <= _SLIGHT:
        mine -= one.listed & one.core  # the second names fewer things of a list, and nothing else
    same = total_weight(overlap.shared) + (1.0 if one.leave == other.leave == "ask" else 0.0)
    if same + 0.5 * total_weight(overlap.kin) < _SLIGHT or _of_two_minds(one, other, overlap):
        return STRANGERS
    apart = total_weight(mine) + apart_in_act(overlap) + 0.5 * total_weight(overlap.kin)
    score = same / (same + apart + total_weight(more.rest | more.about)) if same else 0.0
    kind, differing = _kind(one, other, more)
    little = (same < _LEAST and bool(overlap.mine or overlap.theirs)) or total_weight(more.listed) > _MANY * same
    if little or (kind in ("when", "narrower") and len(one.words) < _TELLING):
        score = min(score, _DOUBTFUL)
    if kind == "same" and overlap.kin:
        kind, differing = "narrower", overlap.kin
        score = (same + 0.8 * total_weight(differing)) / (
            same + total_weight(differing) + apart + total_weight(more.rest | more.about)
        )
    if kind == "same" and total_weight(more.about) > _SLIGHT and not more.rest:
        kind, differing = "narrower", more.about
        score = same / (same + apart + 0.3 * total_weight(more.about)) if same else 0.0
    if kind == "narrower":  # what is said of a part may well be meant for that part as well: a person knows
        score = min(score, _DOUBTFUL)
    least = min(total_weight(overlap.mine - implied), total_weight(overlap.theirs - implied))
    return Relation(
        kind=kind, score=round(score, 2), shared=tuple(sorted(overlap.shared)), differing=tuple(sorted(differing)),
        within=same / (same + least) if same >= _HEARD else 0.0,
    )  # fmt: skip


_LEAST, _HEARD = 1.0, 1.5  # weight of what two statements share before one may speak for the other
_MANY = 2  # so many times as much as is shared is no longer an addition to it
_TELLING = 2  # senses that a rule has before it is refined by saying when it holds
_DOUBTFUL = 0.8


def _of_two_minds(one: Meaning, other: Meaning, overlap: Overlap) -> bool:
    """Whether one only refuses and the other only wants, and what they share is but what they are about."""
    agreed = (one.wanted & other.wanted) | (one.unwanted & other.unwanted) | (overlap.kin & other.core)
    moods = {(bool(each.wanted), bool(each.unwanted)) for each in (one, other)}
    return moods == {(True, False), (False, True)} and total_weight(agreed) < _SLIGHT


def _more(other: Meaning, theirs: frozenset[str], implied: frozenset[str]) -> _More:
    added = frozenset(sense for sense in theirs & implied & other.unwanted if not TOPICS[sense].binary)
    left = theirs - implied
    listed = (left & other.listed) | added
    left -= listed
    times = frozenset(sense for sense in left if sense in other.when or sense.startswith("<"))
    places = left & other.place - times
    about = (left & other.around) - times - places
    return _More(listed, places, times, about, left - times - places - about)


def _kind(one: Meaning, other: Meaning, more: _More) -> tuple[Kind, frozenset[str]]:
    if other.but - one.but:
        return "exception", other.but
    found: tuple[tuple[Kind, frozenset[str]], ...] = (
        ("wider", more.listed), ("narrower", more.places), ("when", more.times)
    )  # fmt: skip
    return next(((kind, senses) for kind, senses in found if total_weight(senses) > _SLIGHT), ("same", frozenset()))


def _asking(one: Meaning, other: Meaning, overlap: Overlap) -> Relation:
    """Of an act that one refuses and the other only wants to be asked about."""
    refusing = other if one.leave == "ask" else one
    same = total_weight(overlap.shared)
    score = (
        round(same / (same + total_weight(overlap.mine | overlap.theirs) + apart_in_act(overlap)), 2) if same else 0.0
    )
    shown = tuple(sorted(overlap.shared))
    if not refusing.unwanted & overlap.shared:
        return Relation(kind="strangers", score=min(score, 0.5), shared=shown)
    if refusing is other:
        return Relation(kind="contrary", score=min(score, _DOUBTFUL), shared=shown, differing=shown)
    return Relation(kind="exception", score=score, shared=shown, differing=("ask",))


def _chosen(sense: str, one: Meaning, other: Meaning) -> bool:
    """Whether a value only states what a shared choice or refusal implies."""
    values = TOPICS[sense].values
    return bool(values & one.wanted & other.wanted) or bool(values & one.unwanted & other.unwanted)


SAME_WISH = 0.85  # LexSona 4.3: from here on the same preference, or its contrary
_TELLING_WEIGHT = 0.5  # what a sense weighs that two sentences must share before they are compared at all
_PART = 3  # of the telling senses of the shorter one they share at least one in so many


def how_alike(one: str, other: str) -> float:
    """How sure it is that both ask for the same and neither for more, 0 to 1."""
    if _are_strangers(one, other):
        return 0.0
    there = _agree(relate(meaning_of(one), meaning_of(other)))
    return min(there, _agree(relate(meaning_of(other), meaning_of(one)))) if there else 0.0


def contradicts(one: str, other: str) -> bool:
    """Whether one forbids what the other asks for, or prefers what the other avoids."""
    if _are_strangers(one, other):
        return False
    mine, theirs = meaning_of(one), meaning_of(other)
    return any(
        found.kind == "contrary" and found.score >= SAME_WISH for found in (relate(mine, theirs), relate(theirs, mine))
    )


def _agree(found: Relation) -> float:
    return found.score if found.kind == "same" else 0.0


class _ReadStatement(NamedTuple):
    senses: frozenset[str]
    few: int


@lru_cache(maxsize=4096)  # every candidate is compared with every other
def _read_statement(text: str) -> _ReadStatement:
    said: Meaning = meaning_of(text)
    telling = frozenset(sense for sense in said.senses if sense[0] == "~" or sense_weight(sense) >= _TELLING_WEIGHT)
    return _ReadStatement(telling or said.senses, max(1, len(telling) // _PART))


def _are_strangers(one: str, other: str) -> bool:
    """Whether they share so little that nothing more needs to be looked at."""
    mine, theirs = _read_statement(one), _read_statement(other)
    return len(mine.senses & theirs.senses) < min(mine.few, theirs.few)
