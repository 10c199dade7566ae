"""An offence and its fix into instantiated templates that the correction's words explain."""

import re
from collections.abc import Iterator, Sequence

from rulec.domain.rule import Example
from rulec.domain.template import Template
from rulec.domain.transcript import Action
from rulec.drafting.draft_examples import does_what_is_named
from rulec.drafting.forms.form_matching import words_of_template
from rulec.drafting.forms.instantiations import Instantiation
from rulec.drafting.forms.sentence_shape import LEMMAS, Sentence
from rulec.drafting.pair_differences import DIFFERENCES, LONGEST, ActionPair, Parameters
from rulec.guard.session.session_check import check_session
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
    """Each template whose parameters tell what was done before from what was done after, and that the words name."""
    shape = read.shape.casefold()
    if not before or not after or shape.endswith("?") or _LIMIT.search(shape):
        return
    pair = ActionPair(read, before[-MOST:], after[:MOST])
    for template in sorted(
        (one for one in templates if one.draws in DIFFERENCES), key=lambda one: (_FIRST.get(one.draws, 0), one.name)
    ):
        choices = next((one.choices for one in template.parameters if one.name == "language"), ())
        for given in DIFFERENCES[template.draws](pair):
            found = _in_language(given, choices)
            if found and _explains_all_words(pair, template, found):
                yield Instantiation(template=template, parameters=found, text=read.text)


def _in_language(given: Parameters, choices: Sequence[str]) -> Parameters:
    """The parameters with a language that the template knows, {} where it knows none that would do."""
    language = given.get("language")
    if not language or language in choices:
        return given
    return {**given, "language": "javascript"} if language == "typescript" and "javascript" in choices else {}


def _explains_all_words(pair: ActionPair, template: Template, given: Parameters) -> bool:
    """Whether every word of the sentence that means something speaks of the template or of its parameters."""
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
