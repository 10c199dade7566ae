"""Asks a rule's judge about the rule's own examples: which of them it decides otherwise than they should be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.checks.judge import judge_questions
from rulec.checks.judge.checker import pair_judges
from rulec.checks.judge.diff_pieces import pieces_of
from rulec.checks.judge.rulings import JudgedPair, Ruling
from rulec.checks.proving.example_changes import change_of
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import Artifact, is_judge_check
from rulec.domain.prompt import AwaitedAnswer, ModelAnswer, ModelReply
from rulec.domain.rule import Example, Rule
from rulec.gates.judging.judge_standing import has_judge
from rulec.llm import answer_caches
from rulec.llm.conversation import Conversation
from rulec.rulebook.rulebook import Rulebook

NO_BACKEND = "no backend"


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedJudge:
    """What became of asking the judges of one rule about its examples."""

    rule: Rule
    asked: int = 0  # examples
    wrong: tuple[tuple[Example, Ruling], ...] = ()  # those decided otherwise, with the ruling
    why: str = ""  # it could not be asked


def try_judges(book: Rulebook, rules: Sequence[Rule], top: Path, talk: Conversation) -> list[TriedJudge]:
    """What the judges of each rule say of its examples; all rules are asked about together."""
    judged = [rule for rule in rules if has_judge(rule)]
    if talk.off:
        return [TriedJudge(rule=rule, why=NO_BACKEND) for rule in judged]
    read = {rule.slug: _examples(book, rule, top) for rule in judged}
    pairs = list(dict.fromkeys(pair for own in read.values() for _, _, some in own for pair in some))
    rulings = _rulings(pairs, top, talk)
    if not isinstance(rulings, Mapping):
        return [TriedJudge(rule=rule, why=_lack(rulings)) for rule in judged]
    return [_tried(rule, read[rule.slug], rulings) for rule in judged]


_ReadExample = tuple[Example, bool, tuple[JudgedPair, ...]]  # an example, whether it is an offence, its pieces


def _examples(book: Rulebook, rule: Rule, top: Path) -> list[_ReadExample]:
    """The examples that the rule's judges read, each with its pieces."""
    artifacts = [artifact for artifact in compile_rule(book, rule, top) if is_judge_check(artifact)]
    told = [*((example, True) for example in rule.invalid), *((example, False) for example in rule.valid)]
    read = [(example, invalid, _pairs(artifacts, example)) for example, invalid in told]
    return [one for one in read if one[2]]


def _pairs(artifacts: Sequence[Artifact], example: Example) -> tuple[JudgedPair, ...]:
    """The judges with what they read of an example; they must not be shown the rule's examples."""
    pairs = pair_judges(artifacts, pieces_of(change_of(example)), "")
    return tuple((judge.bare, piece) for judge, piece in pairs)


def _rulings(pairs: Sequence[JudgedPair], top: Path, talk: Conversation) -> Mapping[JudgedPair, Ruling] | ModelReply:
    """What was ruled on each pair, or the first reply that is no answer."""
    asked = judge_questions.write_judge_prompts(pairs, answer_caches.decoy_seed(top), talk.render)
    found: dict[JudgedPair, Ruling] = {}
    for one, heard in zip(asked, talk.ask([one.prompt for one in asked]), strict=True):
        if not isinstance(heard, ModelAnswer):
            return heard
        words = judge_questions.read_judge_answer(heard.data, one)
        if not all(word.keep for word in words):
            talk.forget([one.prompt.key])
        found |= {(word.judge, word.piece): word.ruling for word in words}
    return found


def _tried(rule: Rule, examples: Sequence[_ReadExample], rulings: Mapping[JudgedPair, Ruling]) -> TriedJudge:
    decided = [(example, invalid, _gravest(pairs, rulings)) for example, invalid, pairs in examples]
    wrong = [(example, ruling) for example, invalid, ruling in decided if ruling != ("fail" if invalid else "pass")]
    return TriedJudge(rule=rule, asked=len(decided), wrong=tuple(wrong))


def _gravest(pairs: Sequence[JudgedPair], rulings: Mapping[JudgedPair, Ruling]) -> Ruling:
    """What an example is, of which several pieces or judges speak."""
    said = [rulings.get(pair, "unsure") for pair in pairs]
    return "fail" if "fail" in said else "unsure" if "unsure" in said else "pass"


def _lack(heard: ModelReply) -> str:
    if isinstance(heard, AwaitedAnswer):
        place = heard.place.rpartition("/")[0]
        return f"its questions wait in {place}: answer them as its README says, then run the same command again"
    return "" if isinstance(heard, ModelAnswer) else heard.line
