"""Rules with judges -> how these decide the rules' own examples, asked several times in prompts that differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checkers.judge import docket
from rulec.commands import _build, _judges
from rulec.commands._ask import Talk
from rulec.host import verdicts
from rulec.model.artifact import Artifact, judge_digest, of_judge
from rulec.model.evidence import Bar, Measure
from rulec.model.exchange import Answer, Awaited, Heard
from rulec.model.judge import Asked, Pair, Ruling
from rulec.model.rule import Example, Rule
from rulec.model.rulebook import Rulebook
from rulec.stages import judge
from rulec.stages.hunks import hunks
from rulec.stages.measure import measure, too_few, wrong
from rulec.stages.verify import change_of

REPEATS = 3
NO_BACKEND = "no backend"


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """An example that a judge did not decide as it should."""

    example: Example
    invalid: bool
    times: int
    unsure: int  # of these


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What became of measuring the judges of one rule."""

    rule: Rule
    digest: str  # see judge_digest
    bar: Bar
    found: Measure | None = None
    why: str = ""  # there is none
    missed: tuple[Missed, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the judges may block."""
        return self.found is not None and self.found.reaches(self.bar)


@dataclass(frozen=True, slots=True)
class _Case:
    """A rule's judges, and those of its examples that they read, each with all that they read of it."""

    rule: Rule
    digest: str
    examples: tuple[tuple[Example, bool, tuple[Pair, ...]], ...]

    @property
    def invalid(self) -> list[bool]:
        return [invalid for _, invalid, _ in self.examples]


def measured(book: Rulebook, rules: Sequence[Rule], top: Path, talk: Talk, repeats: int = REPEATS) -> list[Measured]:
    """The judges of all rules in as few requests as their examples fit into, times the repeats."""
    cases = [_case(book, rule, top) for rule in rules if _judges.has(rule)]
    due = [case for case in cases if not too_few(case.invalid)] if not talk.off else []
    rounds = [_asked(due, number, talk, top) for number in range(repeats)] if due else []
    heard = iter(talk.ask([one.prompt for some in rounds for one in some]))
    rulings = [_rulings([(one, next(heard)) for one in some], talk) for some in rounds]
    return [_measured_of(case, rulings, book.config.bar, talk) for case in cases]


def _case(book: Rulebook, rule: Rule, top: Path) -> _Case:
    artifacts = [artifact for artifact in _build.of_rule(book, rule, top) if of_judge(artifact)]
    digest = judge_digest(rule, [artifact.digest for artifact in artifacts])
    told = [*((example, True) for example in rule.invalid), *((example, False) for example in rule.valid)]
    read = ((example, invalid, _read(artifacts, example)) for example, invalid in told)
    return _Case(rule, digest, tuple(one for one in read if one[2]))


def _read(artifacts: Sequence[Artifact], example: Example) -> tuple[Pair, ...]:
    """What judges read of an example; what is measured on the rule's examples must not be shown them."""
    pairs = docket(artifacts, list(hunks(change_of(example))), "")
    return tuple((one.bare, piece) for one, piece in pairs)


def _asked(cases: Sequence[_Case], number: int, talk: Talk, top: Path) -> list[Asked]:
    """One round; its pieces stand in another order than in the one before, and so does what of ours is among them."""
    pairs = list(dict.fromkeys(pair for case in cases for _, _, some in case.examples for pair in some))
    cut = number * len(pairs) // (number + 1)
    return judge.ask([*pairs[cut:], *pairs[:cut]], f"{verdicts.seed(top)} {number}", talk.render)


Rulings = Mapping[Pair, Ruling]


def _rulings(round_: Sequence[tuple[Asked, Heard]], talk: Talk) -> Rulings | Heard:
    """What was ruled on each pair, or the first that is no answer."""
    found: dict[Pair, Ruling] = {}
    for asked, heard in round_:
        if not isinstance(heard, Answer):
            return heard
        words = judge.hear(heard.data, asked)
        if not all(word.keep for word in words):
            talk.forget([asked.prompt.key])
        found |= {(word.judge, word.piece): word.ruling for word in words}
    return found


def _measured_of(case: _Case, rounds: Sequence[Rulings | Heard], bar: Bar, talk: Talk) -> Measured:
    made = Measured(rule=case.rule, digest=case.digest, bar=bar)
    few, lacks = too_few(case.invalid), [one for one in rounds if not isinstance(one, Mapping)]
    if few or talk.off or lacks:
        return replace(made, why=few or (NO_BACKEND if talk.off else _lack(lacks[0])))
    said = [[_ruling(pairs, one) for _, _, pairs in case.examples] for one in rounds if isinstance(one, Mapping)]
    found = measure(case.invalid, said, model=talk.model, wording=judge.VERSION)
    missed = [Missed(example=case.examples[n][0], invalid=case.invalid[n], times=times, unsure=unsure)
              for n, times, unsure in wrong(case.invalid, said)]  # fmt: skip
    return replace(made, found=found, missed=tuple(missed))


def _lack(heard: Heard) -> str:
    if isinstance(heard, Awaited):
        place = heard.place.rpartition("/")[0]
        return f"its questions wait in {place}: answer them as its README says, then run the same command again"
    return "" if isinstance(heard, Answer) else heard.line


def _ruling(pairs: Sequence[Pair], said: Rulings) -> Ruling:
    """What an example is, of which several pieces or judges speak: the gravest."""
    rulings = [said.get(pair, "unsure") for pair in pairs]
    return "fail" if "fail" in rulings else "unsure" if "unsure" in rulings else "pass"
