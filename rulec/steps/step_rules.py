"""Which rules a step of a plan has to heed, at which level, and which substeps they imply (ZORO, Enrich).

A rule comes to a step by the paths that the step names, by the words that both have, weighted by how rare they are in
this rulebook, and by kinds of work. What the scope of a rule excludes never comes.
"""

import math
import re

from rulec.domain.enforcement import SEVERITIES
from rulec.domain.files import file_kinds, languages
from rulec.reminders import selection
from rulec.reminders.rule_records import level_at_step, level_of
from rulec.reminders.words import plain_stem, task_words
from rulec.reminders.work_kinds import ACTIVITIES, MAKING, MARK, kinds_of_stem
from rulec.steps import leading_terms
from rulec.steps.scope_and_paths import (
    EVERYTHING,
    EVERYWHERE,
    bounds_of,
    holds_any,
    inside,
    narrowness,
    places_in,
    without_paths,
)
from rulec.steps.step import names_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from rulec.steps.scope_and_paths import Bounds
    from rulec.steps.step import Plan, Step

    Pairs = list[tuple[str, str]]  # name of a rule, and its level


MOST = 10  # rules of one step, and of the plan as a whole (ZORO, Enrich)
MOST_SUBSTEPS = 5  # of one step
LONGEST_SUBSTEP = 160  # characters
ENOUGH = 2.0  # evidence from which on a rule comes to a step; what each place gives is in leading_terms
NEAR = 0.25  # of the best rule's evidence: what has less is left out
THING = 0.9  # what a thing gives that both name in different words, as a share of a common word
RARE_ACTIVITY = 0.8  # how rare an activity is at least: however many rules are about it, all of them are
RARE_THING = 0.5  # how rare a thing is at least: many rules may be about it
PATH_WORD = 0.6  # what a word of a path in the step gives, as a share of any other
DETAIL = 0.6  # what a word of the details below a step gives, as a share of any other
SHORT = 3  # words and kinds of a step that is a mere heading: its details say what it does
IN_SCOPE = 2.4  # a path of the step lies in a scope that does not hold everything
FEW_IN_SCOPE = 5  # rules with as narrow a scope for which that is enough; of more each needs a word besides
CROWDED = 0.6  # what is left of it for these
OF_CODE = 1.5  # the step writes code, and the rule is about all code: one word more brings it
MET = 0.5  # more, where the step does what a rule has as its condition
UNMET = 0.4  # what is left where a rule has a condition of which the step says nothing
BESIDE = 0.4  # what is left of a rule about code where the step writes none, or in another language
LOOKING = 0.5  # what is left of all evidence where the step only looks or asks
PROSE = 0.5  # what is left of the words of a step that writes texts: they say what it writes about
COMMON = 0.6  # what is left of a word that most steps of the plan have
FEWEST = 20  # rules from which on it is judged how rare a word is
TELLING = 0.15  # rarity from which on a word says something: about 350 of 1,000 rules may have it
WIDELY = 0.5  # a rule that comes to more than this share of the steps, and more than two, is said once above
EVERY_STEP = ("communication", "scope")  # categories of rules about how an agent works, whatever the step is about

_NO_CODE = frozenset(
    MARK + name
    for name in (
        *("commit", "push", "pull-request", "branch", "release", "deploy"),
        *("document", "review", "delete", "inspect", "verify", "measure"),
    )
)
_OTHER_WORK = frozenset(
    MARK + name for name in ("document", "test", "install", "upgrade", "infrastructure", "container", "pipeline")
)
_LOOKING = frozenset(
    plain_stem(word)
    for word in (
        *("read", "look", "understand", "inspect", "investigate", "explore", "review", "analyse", "analyze", "find"),
        *("locate", "identify", "audit", "study", "compare", "research", "reproduce", "discuss", "think", "ask"),
    )
)
_TELLING_VERBS = frozenset(
    plain_stem(word) for word in ("document", "describe", "explain", "state", "say", "tell", "announce", "mention")
)
_IS_CODE = task_words(
    "function class method module endpoint handler component hook model logic parser helper service route"
    " implement refactor extract rewrite port wire expose fetch parse compute calculation"
)


def rules_for_step(
    records: "list[dict[str, Any]]",
    step_text: str,
    paths: "Sequence[str]" = (),
    *,
    agent: str = "",
    projects: "Sequence[str]" = (),
    plan_texts: "Sequence[str]" = (),
) -> "Pairs":
    """The rules that a step has to heed, each with its level, the most relevant first."""
    index = StepRuleRanking(records, agent=agent, projects=projects, plan_texts=plan_texts)
    return [index.pair(at) for at in index.nearest(step_text, paths)]


def always_rules(
    records: "list[dict[str, Any]]", steps: "Sequence[Step]", *, agent: str = "", projects: "Sequence[str]" = ()
) -> "Pairs":
    """The rules of every step, which are said once above them."""
    return attached_rules(records, steps, agent=agent, projects=projects)[0]


def attach_rules(
    plan: "Plan", records: "list[dict[str, Any]]", *, agent: str = "", projects: "Sequence[str]" = ()
) -> "Plan":
    """Give each step of the plan its rules, those first that it names itself, and the plan those of every step."""
    index = StepRuleRanking(records, plan.steps, agent=agent, projects=projects)
    found = rules_by_step(index, plan.steps)
    plan.always = [list(pair) for pair in found.always]
    for step, pairs in zip(plan.steps, found.by_step):  # noqa: B905 (Python 3.9)
        named = [pair for pair in index.named_pairs(step) if pair not in found.always]
        slugs = [slug for slug, _ in dict.fromkeys([*named, *pairs])][:MOST]
        step.rules = [[slug, index.level(slug, named=names_rule(plan, step, slug))] for slug in slugs]
    return plan


def attached_rules(
    records: "list[dict[str, Any]]", steps: "Sequence[Step]", *, agent: str = "", projects: "Sequence[str]" = ()
) -> "tuple[Pairs, list[Pairs]]":
    """The rules of every step, and those of each, with their levels."""
    found = rules_by_step(StepRuleRanking(records, steps, agent=agent, projects=projects), steps)
    return found.always, found.by_step


class Attached:
    """The rules of every step, those of each with their levels, and the substeps that rules ask for: slug and text."""

    __slots__ = ("always", "by_step", "substeps")

    def __init__(self, always: "Pairs", by_step: "list[Pairs]", substeps: "list[Pairs]") -> None:
        self.always, self.by_step, self.substeps = always, by_step, substeps


def rules_by_step(index: "StepRuleRanking", steps: "Sequence[Step]", details: "Sequence[str]" = ()) -> Attached:
    """The rules of every step, those of each, and the substeps that these imply.

    A rule of every step is one about how the agent works and speaks, or about commits where no step is one, without a
    condition and for all files; and one to which most steps lead. That a rule is grave does not put it there: a rule
    above asks for a proof in every step.
    """
    below = details or [""] * len(steps)
    found = [index.nearest(step.text, step.paths, one) for step, one in zip(steps, below)]  # noqa: B905 (Python 3.9)
    counts = [0] * len(index.rules)
    for one in found:
        for at in one:
            counts[at] += 1
    most = max(2, WIDELY * len(steps))
    above = [at for at, led in enumerate(counts) if index.is_of_every_step(at, led, most)]
    once = [at for at in above if all(index.holds_at(at, step.paths) for step in steps)]
    once = sorted(once, key=lambda at: (index.rank(at), -counts[at], at))[:MOST]
    some = [at for at in above if at not in once and counts[at] == 0]  # they hold at those steps that they can
    by_step: "list[Pairs]" = []
    substeps: "list[Pairs]" = []
    for one, step in zip(found, steps):  # noqa: B905 (Python 3.9)
        own = [at for at in one if at not in once]
        own += [at for at in some if step.paths and index.holds_at(at, step.paths)][: MOST - len(own)]
        by_step.append([index.pair(at) for at in own])
        substeps.append(_named_substeps(step, [index.rules[at] for at in own]))
    return Attached([index.pair_above(at) for at in once], by_step, substeps)


def substeps_for(step: "Step", rules: "Iterable[Mapping[str, Any]]") -> "list[str]":
    """What the rules of a step want to be done first, in a line each, without what the step says itself."""
    return [text for _, text in _named_substeps(step, rules)]


def _named_substeps(step: "Step", rules: "Iterable[Mapping[str, Any]]") -> "Pairs":
    found: "dict[str, str]" = {}
    for rule in rules:
        for text in leading_terms.first_of(rule):
            if text.lower() not in step.text.lower():
                found.setdefault(text[:LONGEST_SUBSTEP], rule["slug"])
    return [(slug, text) for text, slug in found.items()][:MOST_SUBSTEPS]


class StepRuleRanking:
    """The rules that hold for an agent and a repository, by the words, kinds of work and scopes that lead to them."""

    def __init__(
        self,
        records: "list[dict[str, Any]]",
        steps: "Sequence[Step]" = (),
        *,
        agent: str = "",
        projects: "Sequence[str]" = (),
        plan_texts: "Sequence[str]" = (),
    ) -> None:
        self.rules = selection.applicable_rules(records, selection.Audience(agent=agent, projects=projects))
        self._places = {rule["slug"]: at for at, rule in enumerate(self.rules)}
        self._conditions: "dict[int, set[str]]" = {}
        self._bounds = [bounds_of(rule) for rule in self.rules]
        self._scopes: "dict[Bounds, list[int]]" = {}
        # rules about code: the languages that they name, and whether they are about all code
        self._code: "dict[int, tuple[frozenset[str], bool]]" = {}
        held: "dict[str, list[tuple[int, float]]]" = {}
        for at, rule in enumerate(self.rules):
            for term, weight in leading_terms.terms_of(rule).items():
                held.setdefault(term, []).append((at, weight))
            if rule.get("when"):
                self._conditions[at] = leading_terms.telling_terms(str(rule["when"]))
            self._scopes.setdefault(self._bounds[at], []).append(at)
            if rule.get("category") == "code-style":
                self._code[at] = leading_terms.languages_of(rule), _is_unconditional(rule)
        rarity = {term: self._rarity(term, len(some)) for term, some in held.items()}
        self._terms = {
            term: {at: weight * rarity[term] for at, weight in some}
            for term, some in held.items()
            if rarity[term] > TELLING
        }
        self._usual = _usual_terms(plan_texts or [step.text for step in steps])

    def _rarity(self, term: str, many: int) -> float:
        """How much a term tells that so many rules have: 1 is one rule's alone."""
        rare = 1 - math.log(many) / math.log(max(FEWEST, len(self.rules)) + 1)
        if term in ACTIVITIES:
            return max(rare, RARE_ACTIVITY)
        return max(rare, RARE_THING) * THING if term.startswith(MARK) else rare

    def pair(self, at: int) -> "tuple[str, str]":
        """The name of a rule, and its level."""
        return self.rules[at]["slug"], level_of(self.rules[at])

    def pair_above(self, at: int) -> "tuple[str, str]":
        """The same of a rule that is said once above all steps."""
        return self.rules[at]["slug"], level_at_step(self.rules[at], named=False)

    def level(self, slug: str, *, named: bool) -> str:
        """The level of a rule at a step of a plan that names it there, or does not."""
        return level_at_step(self.rules[self._places[slug]], named=named)

    def named_pairs(self, step: "Step") -> "Pairs":
        """The rules that the step names, and whose scope lets them hold there."""
        found = [self._places[slug] for slug in step.named if slug in self._places]
        return [self.pair(at) for at in found if self.holds_at(at, step.paths)]

    def rank(self, at: int) -> int:
        """How grave a rule is: 0 is the gravest."""
        return SEVERITIES.index(selection.severity_of(self.rules[at]))

    def is_of_every_step(self, at: int, led: int, most: float) -> bool:
        """Whether the rule holds whatever a step is about; ``led`` steps lead to it in particular."""
        rule = self.rules[at]
        if led > most and EVERYTHING in self._bounds[at][0]:
            return True
        if not _is_unconditional(rule):
            return False
        if rule.get("category") in EVERY_STEP:
            return not (led and leading_terms.is_bound(rule))
        return not led and leading_terms.about_commits(rule)

    def holds_at(self, at: int, paths: "Sequence[str]") -> bool:
        """Whether the rule's scope lets it hold at a step that names these paths."""
        bounds = self._bounds[at]
        return bounds == EVERYWHERE or holds_any(bounds, inside(paths)) is not False

    def may_hold(self, at: int, steps: "Sequence[Step]") -> bool:
        """Whether the scope lets the rule hold at one of the steps."""
        return any(self.holds_at(at, step.paths) for step in steps)

    def nearest(self, text: str, paths: "Sequence[str]", details: str = "") -> "list[int]":
        """The rules with enough evidence, the most relevant first; ``details`` is what stands below the step."""
        found = self.evidence(text, paths, details)
        enough = max(ENOUGH, NEAR * max(found.values(), default=0.0))
        near = [at for at, weight in found.items() if weight >= enough]
        return sorted(near, key=lambda at: (-found[at], self.rank(at), at))[:MOST]

    def evidence(self, text: str, paths: "Sequence[str]", details: str = "") -> "dict[int, float]":
        """How much leads from a step to each rule; what the scope excludes has nothing."""
        step = _Signs(text, paths, self._usual, details)
        found: "dict[int, float]" = {}
        for term, share in step.terms.items():
            same = [self._terms[kind] for kind in step.spoken.get(term, ()) if kind in self._terms]
            for at, weight in self._terms.get(term, {}).items():
                more = weight - sum(kinds.get(at, 0.0) for kinds in same)  # a kind is told by the same word
                if more > 0:
                    found[at] = found.get(at, 0.0) + more * share
        self._weigh_code(found, step)
        self._weigh_scopes(found, step)
        for at in found if step.looks else ():
            found[at] *= LOOKING
        for at in found:
            condition = self._conditions.get(at)
            met = condition & step.terms.keys() if condition else ()
            if condition:
                found[at] = found[at] + (MET if ACTIVITIES.intersection(met) else 0.0) if met else found[at] * UNMET
        return found

    def _weigh_code(self, found: "dict[int, float]", step: "_Signs") -> None:
        """Rules about code: those about all of it have to do with every step that writes some in their language."""
        spoken = frozenset(filter(None, map(languages.language_of_file, step.paths)))
        for at, (known, everywhere) in self._code.items():
            apart = bool(known and spoken) and not known & spoken
            if step.writes and everywhere and not apart:
                found[at] = found.get(at, 0.0) + OF_CODE
            elif at in found and (apart or step.writes is False):
                found[at] *= BESIDE

    def _weigh_scopes(self, found: "dict[int, float]", step: "_Signs") -> None:
        """Scopes: what they exclude goes; what they hold in particular has to do with the step, unless many do."""
        narrow: "list[tuple[int, int]]" = []
        for bounds, rules in self._scopes.items():
            holds = holds_any(bounds, step.paths) if step.paths else holds_any(bounds, step.places) or None
            if holds:
                depth = narrowness(bounds, step.paths or step.places)
                narrow += [(depth, at) for at in rules]
            elif holds is False:
                for at in rules:
                    found.pop(at, None)
        counts: "dict[int, int]" = {}
        for depth, _ in narrow:
            counts[depth] = counts.get(depth, 0) + 1
        before = 0
        for depth in sorted(counts, reverse=True):
            before += counts[depth]
            counts[depth] = before  # rules with a scope at least as narrow
        for depth, at in narrow:
            share = 1.0 if counts[depth] <= FEW_IN_SCOPE else CROWDED
            if step.looks or (step.writes is False and (at in self._code or step.on_code)):
                share *= BESIDE
            found[at] = found.get(at, 0.0) + IN_SCOPE * share


class _Signs:
    """A step as rules see it."""

    __slots__ = ("looks", "on_code", "paths", "places", "spoken", "terms", "writes")

    def __init__(self, text: str, paths: "Sequence[str]", usual: "frozenset[str]", details: str = "") -> None:
        self.paths = inside(paths)
        self.places = [] if self.paths else places_in(text)  # may be paths: they bring rules, and exclude none
        named = [*self.paths, *self.places]
        bare = without_paths(text, named)
        said = leading_terms.telling_terms(bare)
        verb = _first_word(bare)
        if MAKING in leading_terms.telling_terms(
            verb
        ):  # to build a screen has nothing to do with the number of a build
            said.discard(plain_stem(verb))
        self.looks = _only_looks(bare)
        self.writes = False if self.looks else _writes_code(said, self.paths)
        self.on_code = any(map(file_kinds.is_code, self.paths))
        more = leading_terms.telling_terms(without_paths(details, named))
        # the words and kinds of work, each with the share of its weight that counts
        self.terms = dict.fromkeys(more, DETAIL if len(said) > SHORT else 1.0)
        self.terms.update({term: PATH_WORD for path in named for term in leading_terms.terms_of_path(path)})
        self.terms.update({kind: 1.0 for path in named for kind in leading_terms.kinds_of_file(path)})
        self.terms.update(dict.fromkeys(said, 1.0))
        if not named:
            self.terms.update({leading_terms.IN_PLACE + term: 1.0 for term in said})
        if f"{MARK}verify" in said and MAKING not in said:  # tests are run, not written
            for term in (f"{MARK}test", "test"):
                self.terms.pop(term, None)
        # the words that speak of a kind of work: word and kind are one sign, not two
        self.spoken = {term: kinds for term in self.terms if (kinds := kinds_of_stem(term)) and term[0] != MARK}
        if _writes_prose(bare, self.paths):
            for term in self.terms:
                self.terms[term] *= 1.0 if term == f"{MARK}document" else PROSE
        for term in (self.terms.keys() & usual) - ACTIVITIES:
            self.terms[term] *= COMMON


def _is_unconditional(rule: "Mapping[str, Any]") -> bool:
    """Whether a rule is for all files, at any time."""
    tags = (rule.get("scope") or {}).get("tags")
    return EVERYTHING in bounds_of(rule)[0] and not rule.get("when") and not tags


def _writes_code(said: "set[str]", paths: "Sequence[str]") -> "bool | None":
    """Whether a step writes code, by its activity, the files that it names and its words; None where it may."""
    makes = MAKING in said or bool(said & _IS_CODE)
    if not makes and said & _NO_CODE:
        return False
    if paths:
        return any(map(file_kinds.is_code, paths))
    if said & _OTHER_WORK:
        return False if f"{MARK}document" in said else None
    return True if makes else None


def _only_looks(text: str) -> bool:
    """Whether a step changes nothing: it begins with looking, and goes on with nothing that is made."""
    first = _first_word(text)
    return plain_stem(first) in _LOOKING and MAKING not in leading_terms.telling_terms(text.partition(first)[2])


def _writes_prose(text: str, paths: "Sequence[str]") -> bool:
    """Whether a step writes a text for people: what it names is what the text is about."""
    if paths:
        return all(file_kinds.is_among(["@docs", "@changelog"], path) for path in paths)
    return plain_stem(_first_word(text)) in _TELLING_VERBS


def _first_word(text: str) -> str:
    return next(iter(re.findall(r"[^\W\d_][\w-]*", text)), "")


def _usual_terms(texts: "Sequence[str]") -> "frozenset[str]":
    """The words and kinds that most steps of a plan have."""
    counts: "dict[str, int]" = {}
    for text in texts:
        for term in leading_terms.telling_terms(text):
            counts[term] = counts.get(term, 0) + 1
    return frozenset(term for term, many in counts.items() if many > max(2, len(texts) / 2))
