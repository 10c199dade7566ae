"""Asks a model which rule a candidate is about, and which rules are one wish, where values do not tell."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.checks import template_library
from rulec.domain.candidate import Candidate
from rulec.domain.prompt import AwaitedAnswer, ModelAnswer, ModelFailure
from rulec.domain.rule import Rule
from rulec.llm import exchange_folder, model_settings
from rulec.llm.conversation import Conversation
from rulec.resolving.check_values import index_rules
from rulec.resolving.match_questions import (
    MOST_CANDIDATES,
    RULES_SHOWN,
    UnsureMatch,
    ignored_answers,
    read_match_answer,
    write_match_prompt,
)
from rulec.resolving.resolver import Resolution, resolve, split_wishes
from rulec.resolving.rule_pairs import Opinions, PairOpinion, read_pair_answer, write_pair_prompts
from rulec.rulebook.rulebook import Rulebook
from rulec.services.asking import exchange_run
from rulec.services.asking.exchange_run import dropped_line
from rulec.services.proposals.candidate_decision import DecisionOptions, Echo
from rulec.services.proposals.candidate_identity import candidate_id
from rulec.services.proposals.proposal_builder import resolve_candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtAnswers:
    """The model's answers about uncertain candidates, and what was not asked or not answered."""

    words: Mapping[str, tuple[Resolution, Rule | None]] = field(default_factory=dict)  # by mark, with the rule shown
    unasked: tuple[ModelFailure | AwaitedAnswer, ...] = ()  # of questions without an answer, which stay in doubt
    dropped: tuple[str, ...] = ()  # what of the answers did not count
    waits: bool = False  # answers come in files, perhaps later

    def ruling(self, candidate: Candidate, book: Rulebook) -> Resolution:
        """The resolution of a candidate; a model's answer counts where it is in doubt and the rule unchanged."""
        said = resolve_candidate(candidate, book)
        found = self.words.get(candidate_id(candidate))
        if found is None and said.in_doubt and self.waits and self.unasked:
            return replace(said, band="review")  # whoever answers in files has not said it yet
        if not said.in_doubt or found is None:
            return said
        answered, shown = found
        if answered.slug != answered.new_slug and book.rule(answered.slug) != shown:
            return said
        own = answered.slug == answered.new_slug  # of NEW and SPLIT the name that is free now
        return replace(answered, new_slug=said.new_slug, slug=said.new_slug if own else answered.slug)


def ask_about_doubts(book: Rulebook, candidates: Iterable[Candidate], chat: Conversation) -> DoubtAnswers:
    """Ask about all uncertain candidates, in as few prompts as possible."""
    unsure = [] if chat.off else list(_doubts(book, candidates))
    groups = [unsure[start : start + MOST_CANDIDATES] for start in range(0, len(unsure), MOST_CANDIDATES)]
    answers = chat.ask([write_match_prompt(group, chat.render) for group in groups]) if groups else []
    words: dict[str, tuple[Resolution, Rule | None]] = {}
    dropped: list[str] = []
    for group, answer in zip(groups, answers, strict=True):
        if isinstance(answer, ModelAnswer):
            answered = read_match_answer(answer.data, group)
            dropped += ignored_answers(answer.data, answered)
            for one, said in zip(group, answered, strict=True):
                if said.by_model:
                    words[candidate_id(one.candidate)] = said, book.rule(said.slug)
    unasked = tuple(one for one in answers if not isinstance(one, ModelAnswer))
    return DoubtAnswers(words=words, unasked=unasked, dropped=tuple(dropped), waits=bool(groups) and chat.waits)


def review_conversation(top: Path, book: Rulebook, options: DecisionOptions, echo: Echo) -> Conversation:
    """The conversation with a model for a verb that reads no transcripts (add, review)."""
    models, render = model_settings.choose_models(top, book, options.backend), template_library.open_library().render
    return Conversation(top, models, render, echo, options.progress)


def ask_and_report(book: Rulebook, candidates: Iterable[Candidate], chat: Conversation, echo: Echo) -> DoubtAnswers:
    """As ``ask_about_doubts``, and say in a line which candidates got no answer."""
    found = ask_about_doubts(book, candidates, chat)
    for line in filter(None, [*map(_unasked_line, dict.fromkeys(found.unasked)), dropped_line(found.dropped)]):
        echo(line)
    return found


def close_conversation(top: Path, chat: Conversation, echo: Echo) -> None:
    """End the conversation: say what it cost and remove the files that nobody waits for."""
    if spent := chat.spent():
        echo(spent)
    folder = exchange_run.exchange_folder(top)
    if chat.waits and not exchange_folder.prompt_keys(folder):
        exchange_folder.clear_exchange_folder(folder)


def _unasked_line(one: ModelFailure | AwaitedAnswer) -> str:
    if isinstance(one, AwaitedAnswer):
        return f"a model has to answer first: answer {one.place}, then run this again"
    return f"no model was asked about uncertain matches: {one.line}"


def _doubts(book: Rulebook, candidates: Iterable[Candidate]) -> Iterator[UnsureMatch]:
    for candidate in candidates:
        said = resolve_candidate(candidate, book)
        rules = _near_rules(candidate, said, book) if said.in_doubt else ()
        if rules:
            alone = {rule.slug: resolve(candidate, replace(book, rules=(rule,))) for rule in rules}
            several = () if candidate.repeats else split_wishes(candidate)
            yield UnsureMatch(candidate=candidate, said=said, rules=rules, alone=alone, parts=several)


def _near_rules(candidate: Candidate, said: Resolution, book: Rulebook) -> tuple[Rule, ...]:
    """The rules that a candidate may be about, the suspected one first; only that one where a name or path tells."""
    suspected = book.rule(said.slug)
    named = candidate.correction.slug if candidate.correction else ""
    was = candidate.source.was if candidate.source else ""
    if suspected and (suspected is book.named(named) or suspected.slug in (named, was)):
        return (suspected,)
    index, checks = index_rules(book), [check for draft in candidate.drafts for check in draft.checks]
    near = (*index.with_values(checks), *index.alike(candidate.rule.statement))
    found = {rule.slug: rule for rule in (*((suspected,) if suspected else ()), *near)}
    return tuple(found.values())[:RULES_SHOWN]


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
