"""Files that are to be changed together: tests with code, a changelog with features, one place with another."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulec.fits import _asked_files as files
from rulec.fits._beside import beside
from rulec.fits._callers import ADDS, callers, named_alike
from rulec.fits._changes import committed
from rulec.fits._file_samples import caller, need, sample, text_of
from rulec.fits._mirrors import mirrored, sample_texts
from rulec.fits._together import Together, together
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.change import Change, FileChange, event_of
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime import companions, filekinds, mirrors

LONGEST = 4_000  # of a file's text in an example
_HABIT = re.compile(
    r"\b(?:always|every (?:time|change|commit|feature|pr)|never|(?:don'?t|do not) forget|remember|make sure|be sure|"
    r"from now on|keep)\b",
    re.IGNORECASE,
)
_ONE_TEST = re.compile(
    r"\b(?:an?|the|this|that|some|one|another|missing|more|few|those|these) (?:[\w-]+ ){0,3}?test\b"
    r"(?! (?:case|cover))|\b(?:some|more|missing) (?:[\w-]+ ){0,2}?test coverage\b"
    r"|\b(?:some|more|missing|those|these|few|couple of) (?:\w+ )?tests\b"
    r"|\b(?:updat|adjust|chang|edit|bump|sync|refresh|regenerat|rewrit)\w* (?:\w+ )?tests\b"
    r"|\btests? (?:for|of|to|that|in|around) "
    r"(?!(?:all |any |each |every |your |our )*(?:new|change|code|feature|fix|bug))",
    re.IGNORECASE,
)
# No commit shows that it repairs something; where there is a pair, it tells which files are meant.
_REPAIRS = re.compile(r"\b(?:bug ?fix(?:es)?|hot ?fix(?:es)?|fix(?:es|ed)?|bugs?)\b", re.IGNORECASE)
_EACH = re.compile(r"(?:every|each|any|all|new)\b", re.IGNORECASE)
_OWN = re.compile(r"\b(?:matching|corresponding|own|same[- ]named?|equivalent|sibling|counterpart)\b", re.IGNORECASE)
_PLACED = re.compile(r"\b(?:to|in|into|on|onto|from|with|about|of|for|that|saying)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pair:
    """What the agent changed before the person spoke, and what it changed afterwards."""

    past: tuple[Change, ...] = ()
    later: tuple[Change, ...] = ()
    offence: tuple[str, ...] = field(default=())
    fixed: tuple[str, ...] = field(default=())
    created: bool = False  # all that the offence touched was new


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of require-companion."""
    wish = together(clause)
    if wish is None or (not before and _REPAIRS.search(wish.calls)):
        return
    pair = _pair(before, after)
    if before and not pair.past:
        return
    for every in _rules(clause, wish, pair):
        yield from _draft(every, pair, stated=not before)


def _pair(before: Sequence[Action], after: Sequence[Action]) -> Pair:
    past, later = committed(before, after)
    touched = {file.path for change in later for file in change.files if file.status != "D"}
    coded = [one for one in past if any(filekinds.among(["@code"], file.path) for file in one.files)]
    last = (coded or past or [Change()])[-1].files
    created = bool(last) and all(file.status == "A" for file in last)
    return Pair(tuple(past), tuple(later), tuple(file.path for file in last), tuple(sorted(touched)), created)


def _rules(clause: Clause, wish: Together, pair: Pair) -> Iterator[list[dict[str, Any]]]:
    """The parameters of one check or, where two files call for each other, of two; the most specific first."""
    if not _lasting(clause, wish, pair):
        return
    yield from ([given] for given in mirrored(clause.text, wish, pair.past, pair.later))
    if wish.both:
        yield from _mirrored(files.named(wish.calls), files.named(wish.needs), stated=not pair.past)
        wish = wish.turned() if files.needed(wish.calls, ()) and files.general(wish.needs) else wish
    if _OWN.search(wish.needs):
        yield from ([given] for given in named_alike(pair.offence, pair.fixed))
    if not pair.past:
        yield from ([given] for given in beside(wish.calls, wish.needs))
    for calls in callers(wish.calls, wish.needs, pair.offence, created=pair.created):
        when = calls["when"]
        needs = files.needed(wish.needs, pair.fixed)
        if not needs and files.points(wish.needs):
            needs = [path for path in pair.fixed if not filekinds.among(when, path)][: files.MOST]
        needs = [one for one in needs if one not in when]
        listed = all(filekinds.among(["@manifest"], sample(one)) for one in needs)
        if needs and (listed or not calls.get("imports")) and _clear(wish, [*needs, *when], pair):
            if needs == ["@tests"] and when == ["@code"] and (wish.bare or ADDS.search(wish.calls)):
                calls["defines"] = True
            if wish.each and when != ["@code"]:
                calls["how"] = ["create"]
            yield [{**calls, "needs": needs}]


def _mirrored(ones: list[str], others: list[str], *, stated: bool) -> Iterator[list[dict[str, Any]]]:
    """Either file calls for the other; where the pair does not bear both, one of them alone does.

    Without a pair the first alone calls: who forgot the other puts it right in a commit of its own.
    """
    if ones and others and stated:
        yield [{"when": ones, "needs": others}]
    elif ones and others:
        both = [{"when": ones, "needs": others}, {"when": others, "needs": ones}]
        yield from (both, both[:1], both[1:])


def _clear(wish: Together, named: list[str], pair: Pair) -> bool:
    """Whether words alone may name the files: without a pair only beside a kind or a path, and where they say when."""
    vague = [glob for glob in named if glob.startswith("{") and not glob.startswith("{@")]
    return bool(pair.past) or not vague or (wish.sure and not named[0].startswith("{"))


def _lasting(clause: Clause, wish: Together, pair: Pair) -> bool:
    """Whether words that say no time hold for next time too, and not for this one thing."""
    kinds = files.needed(wish.needs, ())
    habit = bool(_HABIT.search(clause.text))
    if kinds == ["@tests"] and _ONE_TEST.search(clause.text):
        return not wish.bare and (habit or wish.sure or files.general(wish.calls) or bool(_EACH.match(wish.calls)))
    if kinds == ["@tests"] or not wish.bare:
        return True
    if _PLACED.search(wish.needs):
        return False
    return habit or (kinds == ["@changelog"] and bool(pair.past))


def _draft(every: list[dict[str, Any]], pair: Pair, *, stated: bool) -> Iterator[Draft]:
    checks = tuple(Check(kind="guard", template=_template(given), parameters=given) for given in every)

    def open_in(change: Change) -> bool:
        seen = event_of(change)["files"]
        return any(_lacks(given, seen) for given in every)

    made = [_made(given) for given in every]
    lone = tuple(invalid for invalid, _ in made)
    if stated:
        invalid, valid = lone, tuple(one for _, many in made for one in many)
        because = "the statement says what belongs together"
    else:
        guilty = [change for change in pair.past if open_in(change)]
        if not guilty or any(open_in(change) for change in pair.later):
            return
        whole = {file.path: file for change in (guilty[-1], *pair.later) for file in change.files}
        passed = (*pair.later[:2], Change(files=tuple(whole.values())))
        invalid, valid = (_example(guilty[-1]), *lone[1:]), tuple(map(_example, passed))
        because = "the change before lacked them, and the one afterwards brought them"
    valid = tuple(one for one in dict.fromkeys(valid) if one.files and not open_in(_again(one)))
    if valid and all(open_in(_again(one)) for one in invalid):
        yield Draft(checks=checks, invalid=invalid, valid=valid, because=because)


def _template(given: dict[str, Any]) -> str:
    return "keep-equal" if "source" in given else "require-companion"


def _lacks(given: dict[str, Any], seen: list[dict[str, Any]]) -> bool:
    if "source" in given:
        return bool(mirrors.drifted({**given, "mirrors": given["copies"]}, seen))
    return bool(companions.unmet(given, seen, seen))


def _example(change: Change) -> Example:
    texts = {file.path: (file.content or b"").decode("utf-8", "replace") for file in change.files if file.status != "D"}
    kept = {path: text for path, text in texts.items() if len(text) <= LONGEST}
    return Example(kind="commit", text="Change it", files=tuple(kept.items()))


def _again(example: Example) -> Change:
    """The example as the proof will see it."""
    return Change(files=tuple(FileChange(path=path, content=text.encode()) for path, text in example.files), message="")


def _made(given: dict[str, Any]) -> tuple[Example, tuple[Example, ...]]:
    """Examples for a check: alone, and with its companions, the companions alone, something else alone."""
    if "source" in given:
        source, copy = sample(given["source"], "toml"), sample(given["copies"][0])
        said, same, other = sample_texts(part=given["part"])
        wrong, right = (
            Example(kind="commit", text="Change it", files=((source, said), (copy, text))) for text in (other, same)
        )
        return wrong, (right, Example(kind="commit", text="Change it", files=(("notes/other.txt", "x\n"),)))
    alone, others = [(caller(given), text_of(given))], [(need(one, given), "Changed.\n") for one in given["needs"]]
    invalid, *valid = (
        Example(kind="commit", text="Change it", files=tuple(dict(held).items()))
        for held in (alone, [*alone, *others], others, [("notes/other.txt", "x\n")])
    )
    return invalid, tuple(valid)


PLUG = Fit(name="companions", fit=fit, any_clause=True)
