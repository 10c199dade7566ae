"""Measures how accurate a rule's judge is: asks it about the rule's examples several times, in prompts that differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checks.judge import judge_questions
from rulec.checks.judge.checker import pair_judges
from rulec.checks.judge.diff_pieces import pieces_of
from rulec.checks.judge.rulings import JudgedPair, JudgeRequest, Ruling, measure_judge, why_too_few, wrong_rulings
from rulec.checks.proving.example_changes import change_of
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import Artifact, is_judge_check, judge_digest
from rulec.domain.evidence import JudgeBar, JudgeMeasure
from rulec.domain.prompt import AwaitedAnswer, ModelAnswer, ModelReply
from rulec.domain.rule import Example, Rule
from rulec.gates.judging import judge_standing
from rulec.llm import answer_caches
from rulec.llm.conversation import Conversation
from rulec.rulebook.rulebook import Rulebook

REPEATS = 3
NO_BACKEND = "no backend"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedExample:
    """An example that a judge did not decide as it should."""

    example: Example
    invalid: bool
    times: int
    unsure: int  # of these


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredJudge:
    """What became of measuring the judges of one rule."""

    rule: Rule
    digest: str  # see judge_digest
    bar: JudgeBar
    found: JudgeMeasure | None = None
    why: str = ""  # there is none
    missed: tuple[MissedExample, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the judges may block."""
        return self.found is not None and self.found.reaches(self.bar)


@dataclass(frozen=True, slots=True)
class _JudgedRule:
    """A rule's judges and the examples that they read, each with all its pieces."""

    rule: Rule
    digest: str
    examples: tuple[tuple[Example, bool, tuple[JudgedPair, ...]], ...]

    @property
    def invalid(self) -> list[bool]:
        return [invalid for _, invalid, _ in self.examples]


def measure_judges(
    book: Rulebook, rules: Sequence[Rule], top: Path, talk: Conversation, repeats: int = REPEATS
) -> list[MeasuredJudge]:
    """How accurate the judges of each rule are, by their answers about its examples, asked ``repeats`` times."""
    cases = [_case(book, rule, top) for rule in rules if judge_standing.has_judge(rule)]
    due = [case for case in cases if not why_too_few(case.invalid)] if not talk.off else []
    rounds = [_asked(due, number, talk, top) for number in range(repeats)] if due else []
    heard = iter(talk.ask([one.prompt for some in rounds for one in some]))
    rulings = [_rulings([(one, next(heard)) for one in some], talk) for some in rounds]
    return [_measured_of(case, rulings, book.config.bar, talk) for case in cases]


def _case(book: Rulebook, rule: Rule, top: Path) -> _JudgedRule:
    artifacts = [artifact for artifact in compile_rule(book, rule, top) if is_judge_check(artifact)]
    digest = judge_digest(rule, [artifact.digest for artifact in artifacts])
    told = [*((example, True) for example in rule.invalid), *((example, False) for example in rule.valid)]
    read = ((example, invalid, _read(artifacts, example)) for example, invalid in told)
    return _JudgedRule(rule, digest, tuple(one for one in read if one[2]))


def _read(artifacts: Sequence[Artifact], example: Example) -> tuple[JudgedPair, ...]:
    """What judges read of an example; what is measured on the rule's examples must not be shown them."""
    pairs = pair_judges(artifacts, list(pieces_of(change_of(example))), "")
    return tuple((one.bare, piece) for one, piece in pairs)


def _asked(cases: Sequence[_JudgedRule], number: int, talk: Conversation, top: Path) -> list[JudgeRequest]:
    """One round of questions; the order of the pieces differs from the round before, and so does the decoy."""
    pairs = list(dict.fromkeys(pair for case in cases for _, _, some in case.examples for pair in some))
    cut = number * len(pairs) // (number + 1)
    return judge_questions.write_judge_prompts(
        [*pairs[cut:], *pairs[:cut]], f"{answer_caches.decoy_seed(top)} {number}", talk.render
    )


Rulings = Mapping[JudgedPair, Ruling]


def _rulings(round_: Sequence[tuple[JudgeRequest, ModelReply]], talk: Conversation) -> Rulings | ModelReply:
    """What was ruled on each pair, or the first that is no answer."""
    found: dict[JudgedPair, Ruling] = {}
    for asked, heard in round_:
        if not isinstance(heard, ModelAnswer):
            return heard
        words = judge_questions.read_judge_answer(heard.data, asked)
        if not all(word.keep for word in words):
            talk.forget([asked.prompt.key])
        found |= {(word.judge, word.piece): word.ruling for word in words}
    return found


def _measured_of(
    case: _JudgedRule, rounds: Sequence[Rulings | ModelReply], bar: JudgeBar, talk: Conversation
) -> MeasuredJudge:
    made = MeasuredJudge(rule=case.rule, digest=case.digest, bar=bar)
    few, lacks = why_too_few(case.invalid), [one for one in rounds if not isinstance(one, Mapping)]
    if few or talk.off or lacks:
        return replace(made, why=few or (NO_BACKEND if talk.off else _lack(lacks[0])))
    said = [[_ruling(pairs, one) for _, _, pairs in case.examples] for one in rounds if isinstance(one, Mapping)]
    found = measure_judge(case.invalid, said, model=talk.model, wording=judge_questions.VERSION)
    missed = [MissedExample(example=case.examples[n][0], invalid=case.invalid[n], times=times, unsure=unsure)
              for n, times, unsure in wrong_rulings(case.invalid, said)]  # fmt: skip
    return replace(made, found=found, missed=tuple(missed))


def _lack(heard: ModelReply) -> str:
    if isinstance(heard, AwaitedAnswer):
        place = heard.place.rpartition("/")[0]
        return f"its questions wait in {place}: answer them as its README says, then run the same command again"
    return "" if isinstance(heard, ModelAnswer) else heard.line


def _ruling(pairs: Sequence[JudgedPair], said: Rulings) -> Ruling:
    """What an example is, of which several pieces or judges speak: the gravest."""
    rulings = [said.get(pair, "unsure") for pair in pairs]
    return "fail" if "fail" in rulings else "unsure" if "unsure" in rulings else "pass"
