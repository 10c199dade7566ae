"""Judge artifacts + change -> verdicts: what is known is not asked, and what could not be asked is counted."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulec.checkers._large import grew
from rulec.checkers.judge import docket, looks_at, read
from rulec.commands import _build, _words
from rulec.commands._ask import Talk
from rulec.commands._asking import Asking, Judged
from rulec.commands._judge import in_our_block
from rulec.commands._observe import standing
from rulec.commands._part import WHOLE, Part
from rulec.errors import RulecError
from rulec.host import verdicts as kept
from rulec.model.artifact import Artifact
from rulec.model.change import Change, FileChange
from rulec.model.exchange import Answer, Awaited, Heard, Trouble
from rulec.model.finding import Fault, Finding, Verdict
from rulec.model.judge import Asked, Judge, Pair, Piece, Word
from rulec.model.plan import Facts
from rulec.stages import judge as stage
from rulec.stages.gate import gate
from rulec.stages.hunks import cut, hunks
from rulec.stages.plan import KEYED

_SHOWN = 5  # rules that are named
_OFF = "no backend is configured"
Left = Mapping[Heard | None, Sequence[Judge]]  # why they were not heard; None is that nobody is there to be asked


def judged(
    artifacts: Sequence[Artifact], change: Change, asking: Asking, part: Part = WHOLE,
    messages: Mapping[str, str] | None = None,
) -> Judged:  # fmt: skip
    """The verdicts of the judges that look at the change, and at the messages of commits by their names."""
    artifacts = standing(artifacts, change.environment)
    judges = [read(artifact) for artifact in artifacts]
    here = _looked_at(judges, part.of_change(change))
    if asking.off:
        slugs = {one.facts.slug for one in judges for file in here.files if looks_at(one, file.path, here.environment)}
        return Judged(counts={"judges_unasked": len(slugs)} if slugs else {}, unheard=frozenset(slugs))
    pieces, unsent = cut(here)
    said = {name: piece for name, text in (messages or {}).items() for piece in hunks(Change(message=text))}
    pairs = docket(artifacts, [*pieces, *dict.fromkeys(said.values())], change.environment)
    talk = _talk(asking)
    words, left = _heard(pairs, asking, talk) if pairs else ([], {})
    facts = {judge.facts.slug: _held(judge.facts, talk) for judge in judges}
    seen = [*stage.told([word for word in words if word.piece.path or not said]), *_of_messages(words, said)]
    seen = [finding for finding in seen if not in_our_block(finding, change)]
    large = gate(_too_large(judges, unsent, change.environment), facts, change)
    holding = [verdict for verdict in large if verdict.outcome == "block"]  # the rest is only counted
    counts = Counter({"judges_unsent": len(unsent)})
    for why, some in left.items():
        counts[_counted(why)] += len({judge.facts.slug for judge in some})
    told = [verdict for why, some in left.items() for verdict in _not_judged(why, some)]
    doubted = {word.judge.facts.slug for word in words if word.ruling == "unsure"}
    return Judged(
        verdicts=[*gate(seen, facts, change), *holding, *told],
        counts={key: many for key, many in counts.items() if many},
        unheard=frozenset(doubted.union(judge.facts.slug for some in left.values() for judge in some)),
    )


def of_message(artifact: Artifact) -> bool:
    """Whether it judges what commits say."""
    return read(artifact).of == "message"


def _talk(asking: Asking) -> Talk | Trouble:
    """The backend; one that nobody knows is trouble, and refuses nothing by itself."""
    try:
        return Talk(asking.top, asking.models, _build.library(asking.top).render, asking.say, asking.progress)
    except RulecError as error:
        return Trouble(what=error.message, hint=error.hint)


def _held(facts: Facts, talk: Talk | Trouble) -> Facts:
    """A rule as it may act by the word of this model: what was measured was another's."""
    model = "" if isinstance(talk, Trouble) or talk.off else talk.who.partition(" ")[2]
    unlike = facts.enforcement == "block" and facts.measured != model
    return replace(facts, enforcement="warn") if unlike else facts


def _heard(pairs: Sequence[Pair], asking: Asking, talk: Talk | Trouble) -> tuple[list[Word], Left]:
    """What is known or answered, and the judges that were not heard on everything, by the reason."""
    if isinstance(talk, Trouble) or talk.off:
        return [], {talk if isinstance(talk, Trouble) else None: [judge for judge, _ in pairs]}
    shelf = kept.shelf(asking.top, asking.cache, sealed=asking.models.backend == KEYED)
    known = _words.known(shelf, pairs, talk.who)
    due = [pair for pair, word in zip(pairs, known, strict=True) if word is None]
    asked = stage.ask(due, kept.seed(asking.top), talk.render) if due else []
    words, left = list[Word](), dict[Heard | None, list[Judge]]()
    for one, heard in zip(asked, talk.ask([one.prompt for one in asked]), strict=True):
        if isinstance(heard, Answer):
            words += _believed(one, heard, talk)
        else:
            left.setdefault(_plain(heard), []).extend(one.judges[judge] for judge, _ in one.pairs)
    if complaint := _words.keep(shelf, words, talk.who):
        asking.say(f"verdicts are not kept for the next run: {complaint}")
    if waiting := next((one for one in left if isinstance(one, Awaited)), None):
        asking.say(f"questions wait in {waiting.place}: answer them as its README says, then run this again")
    if spent := talk.spent():
        asking.say(spent)
    return [*filter(None, known), *words], left


def _plain(heard: Trouble | Awaited) -> Heard:
    """The reason by which several requests are told as one."""
    if isinstance(heard, Trouble):
        return Trouble(what=heard.what, hint=heard.hint)
    return Awaited(place=heard.place.rpartition("/")[0] or heard.place)


def _believed(asked: Asked, answer: Answer, talk: Talk) -> list[Word]:
    """The words of an answer; one that cannot be kept is asked for anew the next time."""
    words = stage.hear(answer.data, asked)
    if not all(word.keep for word in words):
        talk.forget([asked.prompt])
    return words


def _of_messages(words: Sequence[Word], said: Mapping[str, Piece]) -> Iterator[Finding]:
    """What is wrong with the messages of commits, each by the name of its commit."""
    of: dict[str, list[Word]] = {}
    for word in words if said else ():
        of.setdefault(word.piece.digest if not word.piece.path else "", []).append(word)
    for name, piece in said.items():
        for finding in stage.told(of.get(piece.digest, [])):
            yield replace(finding, text=f"{name[:10]} {finding.text}")


def _looked_at(judges: Sequence[Judge], change: Change) -> Change:
    """The change without the files that no judge is asked about."""
    files = (f for f in change.files if any(looks_at(one, f.path, change.environment) for one in judges))
    return replace(change, files=tuple(files))


def _too_large(judges: Sequence[Judge], unsent: Sequence[FileChange], environment: str) -> Iterator[Fault]:
    """Code that grew so large that nothing of it was sent: for a rule that must hold no way around it."""
    cure = "split the file, or let a person leave it out by scope.exclude of the rule"
    large = [file for file in unsent if file.status != "D" and grew(file)]
    for judge in judges:
        for file in (file for file in large if looks_at(judge, file.path, environment)):
            what = f"{file.path} is too large to be sent to a judge; {cure}"
            yield Fault(slug=judge.facts.slug, what=what, path=file.place, overrun=True)


def _counted(why: Heard | None) -> str:
    return "judges_off" if why is None else "judges_awaited" if isinstance(why, Awaited) else "judges_failed"


def _not_judged(why: Heard | None, judges: Sequence[Judge]) -> Iterator[Verdict]:
    """One verdict for all rules that block where they break, and one for the others but where nobody could answer."""
    of: dict[str, dict[str, Facts]] = {}
    for judge in judges:
        of.setdefault(judge.facts.on_error, {})[judge.facts.slug] = judge.facts
    for outcome, facts in sorted(of.items()):
        if outcome == "block" or isinstance(why, Trouble):
            first = facts[min(facts)]
            fault = Fault(slug=first.slug, what=f"{_reason(why)}{_others(sorted(facts)[1:])}", overrun=True)
            yield Verdict(outcome=first.on_error, facts=first, fault=fault)


def _reason(why: Heard | None) -> str:
    if isinstance(why, Awaited):
        return f"its questions are in {why.place} and wait for answers; then run this again"
    if isinstance(why, Trouble):
        return why.what + f"; {why.hint}" * bool(why.hint)
    return _OFF


def _others(slugs: Sequence[str]) -> str:
    if not slugs:
        return ""
    more = f" and {len(slugs) - _SHOWN} more" if len(slugs) > _SHOWN else ""
    return f" (nor were {', '.join(slugs[:_SHOWN])}{more})" if len(slugs) > 1 else f" (nor was {slugs[0]})"
