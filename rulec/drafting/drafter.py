"""The offline drafter: a sentence, or an offence with its fix, into templates and their parameters."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulec.domain.candidate import Draft
from rulec.domain.rule import RAW_TEMPLATES, Check, Example
from rulec.domain.template import Template
from rulec.domain.transcript import Action
from rulec.drafting.draft_examples import does_what_is_named, examples_from_session, sample_examples, strongest_of_each
from rulec.drafting.forms.form_matching import lemmas_of, match_forms, words_of_template
from rulec.drafting.forms.instantiations import Instantiation, RepositoryProfile
from rulec.drafting.forms.sentence_shape import LEMMAS, Sentence, read_sentence
from rulec.drafting.pair_differences import DIFFERENCES, LONGEST, ActionPair, Parameters
from rulec.guard.session.session_check import check_session
from rulec.language.coverage_gaps import find_gaps
from rulec.language.words import word_table

MOST = 60  # actions on either side that are looked at
MOST_STEPS = 14
CUT = 400  # characters of a file's text that a step keeps: what is in it decides nothing
_LIMIT = re.compile(r"\b(?:unless|except|only|if|until|while|sometimes|yet|maybe|perhaps|this time|once)\b")
_STOP = word_table(
    """
    a about again all already also always am an and any are as at be been but by can could did do done dont else
    ever everything for forget forgot forgot from go going got guy had has have he hello hey how i im in instead instead-of is it
    its keep let like look lot make may me mean more most much must my need never no nope not now of off ok on one
    or other our over please project repo repository codebase really rather right said say see seriously should
    since so some still stop such sure tell than that the their them then there these they thing this those time
    times to told too twice unless up us use using very want was way we well were what when where which who why will
    with work would wrong yes you your here that's it's we're you're i've don't doesn't isn't run running command
    instead
    """
)
_STEP = "step-missing"
_FIRST = {"command-swapped": -2, _STEP: -1}  # what tells more of the pair is tried before what tells less


def synthesize(
    read: Sentence, before: Sequence[Action], after: Sequence[Action], templates: Sequence[Template]
) -> Iterator[Instantiation]:
    """Each template that separates the offence from the fix by parameters which the correction's words explain."""
    shape = read.shape.casefold()
    if not before or not after or shape.endswith("?") or _LIMIT.search(shape):
        return
    pair = ActionPair(read, before[-MOST:], after[:MOST])
    for template in sorted(
        (one for one in templates if one.draws in DIFFERENCES), key=lambda one: (_FIRST.get(one.draws, 0), one.name)
    ):
        for given in DIFFERENCES[template.draws](pair):
            if _explains_all_words(pair, template, given):
                yield Instantiation(template=template, parameters=given, text=read.text)


def _explains_all_words(pair: ActionPair, template: Template, given: Parameters) -> bool:
    """Whether each meaningful word of the sentence is explained by the template or its parameters."""
    texts = [str(one) for value in given.values() for one in (value if isinstance(value, list) else [value])]
    known = {word for text in texts for word in re.findall(r"[a-z0-9]+", text.casefold())}
    known |= {LEMMAS.get(word, word) for word in known} | words_of_template(template)
    words = re.findall(r"[a-z][\w'-]*", pair.read.shape.casefold())
    return all(word in _STOP or word in known or all(part in known for part in word.split("-")) for word in words)


def steps_too_early(one: Instantiation, before: Sequence[Action]) -> tuple[Example, ...]:
    """For what must come first: the steps up to the first act that came too early."""
    if one.template.draws != _STEP:
        return ()
    seen = [action for action in before if action.kind in ("command", "write", "edit", "delete", "read")][-MOST:]
    events = [_event(action) for action in seen]
    for at, event in enumerate(events):
        if _came_too_early(one, event, events[:at]):
            return _session(seen[: at + 1], None)
    stop = Example(kind="stop", text="It is done.")
    if one.parameters.get("before_stop") and _came_too_early(one, {"kind": "stop", "text": stop.text}, events):
        return _session(seen, stop)
    return ()


def _event(action: Action) -> Parameters:
    known = {"kind": action.kind, "command": action.command[:LONGEST], "path": action.path}
    return {**known, "ok": False if action.rejected else action.ok, "exists": True if action.kind == "edit" else None}


def _came_too_early(one: Instantiation, event: Parameters, past: Sequence[Parameters]) -> bool:
    defaults = {parameter.name: parameter.default for parameter in one.template.parameters if parameter.default}
    rule = {"check": {**defaults, **one.parameters}, "facts": {"slug": "draft"}}
    return any(not found["unsure"] for found in check_session(rule, {**event, "history": list(past)}))


def _session(actions: Sequence[Action], stop: Example | None) -> tuple[Example, ...]:
    steps = [step for action in actions[-MOST_STEPS:] if (step := _step(action))]
    if not steps or (stop is None and _step(actions[-1]) is None):
        return ()
    return (Example(kind="session", text="", steps=(*steps, *([stop] if stop else [])), source="transcript"),)


def _step(action: Action) -> Example | None:
    if action.kind == "command":
        return Example(kind="command", text=action.command, failed=action.ok is False)
    if not action.path or action.path.startswith(("/", "~", "..")):
        return None
    if action.kind == "edit":
        return Example(kind="edit", path=action.path, old=action.old[:CUT] or "x\n", text=action.new[:CUT])
    if action.kind == "write":
        return Example(kind="file", path=action.path, text=action.new[:CUT])
    return Example(kind="read", path=action.path, text="") if action.kind == "read" else None


def caught_later(one: Instantiation, after: Sequence[Action]) -> bool:
    """Whether anything that was accepted would have been caught as well."""
    return one.template.draws != _STEP and any(
        does_what_is_named(one, action) for action in after if not action.rejected
    )


MOST_DRAFTS = 6  # drafts of one sentence
MOST_NEAR = 3  # templates that are named where no draft is sure
MOST_UNREAD = 16  # words of a sentence that may be left away to see what the rest says
BY_WORDS = "the sentence names it in so many words"
BY_PAIR = "its words name what changed between the offence and its fix"


@dataclass(frozen=True, slots=True)
class Drafter:
    """The known templates and the profile of the repository that drafts are for."""

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
        for one in [*self._said(read), *synthesize(read, before, after, self.templates)]:
            bad, good = examples_from_session(one, before, after)
            bad = bad or steps_too_early(one, before)
            if bad and not caught_later(one, after):
                for draft in _draft(one):
                    sides = strongest_of_each((*bad, *draft.invalid)), strongest_of_each((*good, *draft.valid))
                    found.append(replace(draft, invalid=sides[0], valid=sides[1], because=BY_PAIR))
        kept = {repr(draft.checks): draft for draft in reversed(list(_without_gaps(read, found)))}
        return tuple(reversed(kept.values()))[:MOST_DRAFTS]

    def near(self, text: str) -> tuple[str, ...]:
        """Templates whose words overlap with the sentence, the nearest first."""
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
    """How much of a sentence's words a template shares; words that most templates have count little."""
    speaks = {LEMMAS.get(word, word) for word in template.speaks}
    return sum(0.2 if word in _COMMON else 1.0 for word in words & speaks)
