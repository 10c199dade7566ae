"""The offline drafter: a sentence, with or without what was done around it, into drafts of checks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulec.domain.candidate import Draft
from rulec.domain.rule import RAW_TEMPLATES, Check
from rulec.domain.template import Template
from rulec.domain.transcript import Action
from rulec.drafting import pair_synthesis
from rulec.drafting.draft_examples import examples_from_session, sample_examples, strongest_of_each
from rulec.drafting.forms.form_matching import lemmas_of, match_forms
from rulec.drafting.forms.instantiations import Instantiation, RepositoryProfile
from rulec.drafting.forms.sentence_shape import LEMMAS, Sentence, read_sentence
from rulec.language.coverage.gaps import find_gaps
from rulec.language.words import word_table

MOST_DRAFTS = 6  # drafts of one sentence
MOST_NEAR = 3  # templates that are named where no draft is sure
MOST_UNREAD = 16  # words of a sentence that may be left away to see what the rest says
BY_WORDS = "the sentence names it in so many words"
BY_PAIR = "its words name what changed between the offence and its fix"


@dataclass(frozen=True, slots=True)
class Drafter:
    """The templates at hand, and what is known of the repository they are for."""

    templates: tuple[Template, ...]
    profile: RepositoryProfile = field(default_factory=RepositoryProfile)

    def of_words(self, text: str) -> tuple[Draft, ...]:
        """Drafts of what a person says in a sentence, all of whose literals they explain."""
        read = read_sentence(text)
        return tuple(_without_gaps(read, (draft for one in self._said(read) for draft in _draft(one))))[:MOST_DRAFTS]

    def of_pair(self, text: str, before: Sequence[Action], after: Sequence[Action]) -> tuple[Draft, ...]:
        """Drafts that the session shows: forms of the sentence that the offence breaks, and what its words point at."""
        read = read_sentence(text)
        found: list[Draft] = []
        for one in [*self._said(read), *pair_synthesis.synthesize(read, before, after, self.templates)]:
            bad, good = examples_from_session(one, before, after)
            bad = bad or pair_synthesis.steps_too_early(one, before)
            if bad and not pair_synthesis.caught_later(one, after):
                for draft in _draft(one):
                    sides = strongest_of_each((*bad, *draft.invalid)), strongest_of_each((*good, *draft.valid))
                    found.append(replace(draft, invalid=sides[0], valid=sides[1], because=BY_PAIR))
        kept = {repr(draft.checks): draft for draft in reversed(list(_without_gaps(read, found)))}
        return tuple(reversed(kept.values()))[:MOST_DRAFTS]

    def near(self, text: str) -> tuple[str, ...]:
        """Templates that speak of what a sentence speaks of, the nearest first."""
        words = _words(read_sentence(text).shape)
        able = [template for template in self.templates if template.name not in (*RAW_TEMPLATES, "judge")]
        ranked = sorted((-_overlap(words, template), template.name) for template in able)
        return tuple(name for score, name in ranked if score < 0)[:MOST_NEAR]

    def unread(self, text: str) -> tuple[str, str]:
        """The fewest words at either end without which a form explains the sentence, and its template; "" for none."""
        words = read_sentence(text).text.split()
        for many in range(1, min(len(words) - 1, MOST_UNREAD)):
            for left, kept in ((words[-many:], words[:-many]), (words[:many], words[many:])):
                if found := self._said(read_sentence(" ".join(kept))):
                    return " ".join(left).strip(" ,;.:"), found[0].template.name
        return "", ""

    def _said(self, read: Sentence) -> list[Instantiation]:
        return match_forms(read, self.templates, self.profile)


def _draft(one: Instantiation) -> Iterator[Draft]:
    """The draft of a template with its parameters, with a check of each kind that it makes."""
    spoken = [one, *(replace(one, parameters={**one.parameters, "language": other}) for other in one.others)]
    made = [sample_examples(each) for each in spoken]
    spoken = [each for each, (invalid, _) in zip(spoken, made, strict=True) if invalid] or [one]
    invalid = strongest_of_each(example for some, _ in made for example in some)
    valid = strongest_of_each(example for _, some in made for example in some)
    parts = [each.parameters for each in spoken]
    if one.each:
        parts = [{**one.parameters, one.each: [value]} for value in one.parameters[one.each]]
    kinds = one.template.kinds
    checks = tuple(
        Check(kind=kind, template=one.template.name, parameters=part, implied=len(kinds) > 1)
        for part in parts
        for kind in kinds
    )
    if one.each:
        valid = ()  # one step of several is not enough
    yield Draft(
        checks=checks, invalid=invalid, valid=valid, do=one.do, scope=one.scope, because=BY_WORDS,
        not_checked=one.not_checked,
    )  # fmt: skip


def _without_gaps(read: Sentence, drafts: Iterator[Draft] | Sequence[Draft]) -> Iterator[Draft]:
    """Those that leave no literal of the sentence unseen and unlisted."""
    for draft in drafts:
        open_ = find_gaps(
            read.text,
            draft.checks,
            scope=draft.scope,
            invalid=draft.invalid,
            valid=draft.valid,
            not_checked=draft.not_checked,
            shown=(draft.do,),
        )
        # what a form has words for is no gap of the sentence, but nobody else can know that: it is listed
        if not any(_literal(text, read) for text in open_):
            yield replace(draft, not_checked=(*draft.not_checked, *open_))


def _literal(text: str, read: Sentence) -> bool:
    bare = text.strip("`'\"")
    return any(bare in one.text or one.text in text.split() for one in read.literals)


def _words(text: str) -> set[str]:
    return {word for word in lemmas_of(text) if len(word) > 2}


_COMMON = word_table("use never not with all when new run write file files code must")


def _overlap(words: set[str], template: Template) -> float:
    """How much a template speaks of what a sentence speaks of; words that most templates know count little."""
    speaks = {LEMMAS.get(word, word) for word in template.speaks}
    return sum(0.2 if word in _COMMON else 1.0 for word in words & speaks)
