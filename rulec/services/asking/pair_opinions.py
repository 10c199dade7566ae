"""Asks a model which rules of a rulebook are one wish."""

from collections.abc import Callable
from pathlib import Path

from rulec.checks import template_library
from rulec.domain.outcome import Progress
from rulec.domain.prompt import AwaitedAnswer, ModelAnswer
from rulec.domain.rule import Rule
from rulec.llm import model_settings
from rulec.llm.conversation import Conversation
from rulec.resolving.pair_questions import Opinions, PairOpinion, read_pair_answer, write_pair_prompts
from rulec.rulebook.rulebook import Rulebook

Echo = Callable[[str], None]


def ask_about_pairs(top: Path, book: Rulebook, backend: str, echo: Echo, progress: Progress) -> Opinions:
    """What a model says of the team's rules; nothing where none is configured, and a line where it did not answer."""
    models = model_settings.choose_models(top, book, backend)
    chat = Conversation(top, models, template_library.open_library().render, echo, progress)
    if chat.off:
        return {}
    rules: list[Rule] = [rule for rule in book.rules if rule.layer == "team"]
    prompts = write_pair_prompts(rules, chat.render)
    found: dict[frozenset[str], PairOpinion] = {}
    for prompt, answer in zip(prompts, chat.ask(prompts), strict=True):
        if isinstance(answer, ModelAnswer):
            found |= read_pair_answer(answer.data, prompt)
        elif isinstance(answer, AwaitedAnswer):
            echo(f"a model has to answer first: answer {answer.place}, then run this again")
        else:
            echo(f"no model was asked: {answer.line}")
    if spent := chat.spent():
        echo(spent)
    return found
