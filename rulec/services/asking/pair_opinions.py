"""Asks a model which rules of a rulebook are one wish."""

from collections.abc import Callable

from rulec.domain.prompt import AwaitedAnswer, ModelAnswer
from rulec.llm.conversation import Conversation
from rulec.resolving.pair_questions import Opinions, PairOpinion, read_pair_answer, write_pair_prompts
from rulec.rulebook.rulebook import Rulebook


def ask_about_pairs(book: Rulebook, chat: Conversation, echo: Callable[[str], None]) -> Opinions:
    """What a model says of the team's rules; nothing where none is configured, and a line where it did not answer."""
    if chat.off:
        return {}
    prompts = write_pair_prompts([rule for rule in book.rules if rule.layer == "team"], chat.render)
    found: dict[frozenset[str], PairOpinion] = {}
    for prompt, answer in zip(prompts, chat.ask(prompts), strict=True):
        if isinstance(answer, ModelAnswer):
            found |= read_pair_answer(answer.data, prompt)
        elif isinstance(answer, AwaitedAnswer):
            echo(f"a model has to answer first: answer {answer.place}, then run this again")
        else:
            echo(f"no model was asked: {answer.line}")
    return found
