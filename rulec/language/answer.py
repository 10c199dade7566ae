"""Words and what was done about them: whether the agent, told so, then did otherwise."""

import re
from collections.abc import Sequence

from rulec.language.clause import Clause
from rulec.language.lasting import wishes_in
from rulec.language.terms import table
from rulec.model.transcript import Action

NEAR = 8  # actions on either side that a few words may speak of
READ = 2_000  # characters of a file's new text that are looked at

SPOKEN_OF = "speaks of what the agent just did, and it did otherwise afterwards"
PUSHED_BACK = "pushes back, and the agent did otherwise afterwards"

_PUSHBACK = re.compile(
    r"^\W*(?:no+|nope|stop|wait|don'?t|do not|dude|wtf|why|actually|please don'?t|that'?s not|not like|instead)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]{3,}")
_COMMON = table(
    "the and you your for not don dont with that this are was can use using just never "
    "always stop please make sure all any our file files code instead of one it"
    " when before after from into should must now still why have has let lets add run want"
)


def changed(before: Sequence[Action], after: Sequence[Action]) -> bool:
    """Whether anything was done afterwards that had not been done before."""
    return any(action not in before for action in after)


def answer_of(text: str, read: Sequence[Clause], before: Sequence[Action], after: Sequence[Action]) -> str:
    """How the words were heeded, or "": they speak of what the agent just did, and it then did otherwise."""
    wishes = wishes_in(read)
    if not before or not changed(before, after):
        return ""
    last, next_ = before[-NEAR:], after[:NEAR]
    if not wishes:
        return ""
    if _switched(wishes, last, next_) or _refused(wishes, last, next_):
        return SPOKEN_OF
    return PUSHED_BACK if _PUSHBACK.match(text) else ""


def _switched(wishes: Sequence[Clause], before: Sequence[Action], after: Sequence[Action]) -> bool:
    named = {word for clause in wishes for thing in clause.preferred for word in thing.lower().split()[:1]}
    return bool(named & {program.lower() for program in _programs(after) - _programs(before)})


def _refused(wishes: Sequence[Clause], before: Sequence[Action], after: Sequence[Action]) -> bool:
    if not any(clause.polarity in ("forbid", "prefer") or clause.lasting for clause in wishes):
        return False
    if any(clause.polarity == "forbid" for clause in wishes) and _programs(before) & _programs(after):
        return True
    return bool(_named(wishes) & (_words_of(before) | _words_of(after)))


def _named(wishes: Sequence[Clause]) -> set[str]:
    return {word.lower() for clause in wishes for word in _WORD.findall(clause.text)} - _COMMON


def _words_of(actions: Sequence[Action]) -> set[str]:
    text = " ".join(f"{action.command} {action.path} {action.new[:READ]}" for action in actions)
    return {word.lower() for word in _WORD.findall(text)}


def _programs(actions: Sequence[Action]) -> set[str]:
    return {action.command.split()[0] for action in actions if action.command.strip()}
