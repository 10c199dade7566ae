"""rulec evolve: revisions of rules by what is known about them, merges of similar rules, and a person's decisions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rulec.checks import template_library
from rulec.domain.outcome import Outcome, no_progress
from rulec.domain.prompt import ModelSettings
from rulec.errors import RulecError
from rulec.infra import journal
from rulec.llm import model_settings
from rulec.llm.conversation import Conversation
from rulec.reports.rule_lines import example_line
from rulec.resolving.rule_pairs import Opinions
from rulec.rulebook import rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.asking import doubtful_resolutions
from rulec.services.asking.doubtful_resolutions import ask_about_pairs
from rulec.services.evolving import open_cases, similar_rules
from rulec.services.evolving.change_card import ChangeCard, TargetRulebook
from rulec.services.evolving.merge import propose_merge
from rulec.services.evolving.open_cases import RuleCases
from rulec.services.evolving.revision import propose_revision
from rulec.services.evolving.similar_rules import RulePair
from rulec.services.proposals.decision import Asking, Decided, Echo, decide, decide_as_shown, require_as_shown
from rulec.services.rulebook_commit import HEAD

NOTHING = "nothing is noted about a rule that waits for a decision"
HOW = "to decide: rulec evolve in a terminal, or with --accept NAME or --reject NAME"


@dataclass(slots=True)
class _Evolution:
    """What all decisions of one command share. A merge is named KEPT+OTHER, a revision as its rule."""

    top: Path
    options: Asking
    chat: Conversation
    echo: Echo
    _opinions: Opinions | None = field(default=None)

    @property
    def opinions(self) -> Opinions:
        """What a model says of the rules, asked once."""
        if self._opinions is None:
            book = rulebook_commit.load_target_rulebook(self.top, self.options.onto)
            self._opinions = ask_about_pairs(book, self.chat, self.echo)
        return self._opinions

    def waiting(self, book: Rulebook, names: Sequence[str]) -> list[str]:
        """The changes that wait, or those named of them; a merge that is named needs nothing that speaks for it."""
        slugs = [name for name in names if "+" not in name]
        for slug in slugs:
            rulebook.require_team_rule(book, slug)
        merges = ["+".join(_two(book, name)) for name in names if "+" in name]
        if merges and not slugs:
            return merges
        return [*merges, *(one.rule.slug for one in open_cases.open_rules(self.top, book, slugs))]

    def propose(self, name: str, book: Rulebook) -> ChangeCard | None:
        """The change of this name; None where nothing about the rule waits."""
        target = TargetRulebook(top=self.top, book=book, onto=self.options.onto)
        if "+" in name:
            return propose_merge(target, self._pair(book, name))
        about = next(iter(open_cases.open_rules(self.top, book, [name])), None)
        return propose_revision(target, about, self.chat) if about else None

    def _pair(self, book: Rulebook, name: str) -> RulePair:
        """The two rules, the first named one kept; RulecError where they contradict each other."""
        kept, other = (rulebook.require_team_rule(book, slug) for slug in _two(book, name))
        said = similar_rules.relate_pairs(self.top, book, [(kept, other)], self.opinions)[0].relation
        if said.kind == "contrary" and not said.by_model:
            witness = f": `{' '.join(example_line(said.witness).split())}`" if said.witness else ""
            what = f"{kept.slug} and {other.slug} contradict each other: {said.because}{witness}"
            raise RulecError(what, hint="rulec retire OLD --for NEW settles it")
        contained = said.contained if said.contained in (kept.slug, other.slug) else ""
        return RulePair(first=kept, second=other, relation=replace(said, contained=contained))


def _two(book: Rulebook, name: str) -> tuple[str, str]:
    slugs = name.split("+")
    if len(slugs) != 2 or not all(slugs):
        raise RulecError(f"{name} names no two rules", hint="a merge is named KEPT+OTHER")
    kept, other = (rulebook.require_team_rule(book, slug).slug for slug in slugs)
    if kept == other:
        raise RulecError(f"{kept} cannot be merged with itself", hint="name two rules")
    return kept, other


@contextmanager
def _evolution(top: Path, book: Rulebook, options: Asking, echo: Echo) -> Iterator[_Evolution]:
    """One command; what a model cost is said at its end."""
    models = ModelSettings() if options.offline else model_settings.choose_models(top, book, options.backend)
    chat = Conversation(top, models, template_library.open_library().render, echo, no_progress)
    yield _Evolution(top, options, chat, echo)
    doubtful_resolutions.close_conversation(top, chat, echo)


def list_changes(top: Path, names: Sequence[str], options: Asking, echo: Echo) -> Outcome:
    """The proposed changes, each as its card."""
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    with _evolution(top, book, options, echo) as run:
        found = [one for name in run.waiting(book, names) if (one := run.propose(name, book))]
    if not found:
        return Outcome(NOTHING, data=[])
    lines = [line for one in found for line in (*one.lines(), "")]
    return Outcome("\n".join([*lines, HOW]), data=[one.data() for one in found])


def list_similar(top: Path, slugs: Sequence[str], options: Asking, echo: Echo) -> Outcome:
    """The pairs of rules that may be one, are similar or contradict each other, with what speaks for it."""
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    with _evolution(top, book, options, echo) as run:
        shown, apart = _similar(run, book, slugs)
    lines = [line for one in shown for line in one.lines()]
    if not any(one.mergeable for one in shown):
        lines.insert(0, "no two rules say the same" + _apart_words(apart))
    elif apart:
        lines.append(f"{apart} more kept apart by you, until one of the rules changes")
    return Outcome("\n".join(lines), data=[one.data() for one in shown])


def _similar(run: _Evolution, book: Rulebook, slugs: Sequence[str]) -> tuple[list[RulePair], int]:
    """The pairs to show, and how many a person keeps apart."""
    for slug in slugs:
        rulebook.require_team_rule(book, slug)
    found = similar_rules.related_pairs(run.top, book, run.opinions)
    found = [one for one in found if not slugs or {one.first.slug, one.second.slug} & set(slugs)]
    apart = similar_rules.kept_apart(run.top, [one for one in found if one.relation.kind != "contrary"])
    return [one for one in found if one not in apart], len(apart)


def _apart_words(count: int) -> str:
    return f"; {count} kept apart by you" * bool(count)


def evolve_rules(top: Path, names: Sequence[str], options: Asking, echo: Echo, *, similar: bool = False) -> Outcome:
    """Ask about each proposed change, and write what is accepted."""
    with journal.write_lock(top):
        book = rulebook_commit.load_target_rulebook(top, options.onto)
        rulebook_commit.require_ready_to_write(top, options.onto)
        done = list[str]()
        with _evolution(top, book, options, echo) as run:
            if similar:
                shown, apart = _similar(run, book, names)
                for one in shown:
                    if not one.mergeable:
                        echo("\n".join(one.lines()))
                waiting, nothing = [one.name for one in shown if one.mergeable], "no two rules say the same"
                nothing += _apart_words(apart)
            else:
                waiting, nothing = run.waiting(book, names), NOTHING
            for name in waiting:
                if not options.rest.deferred:
                    done.append(decide(top, partial(run.propose, name), options, echo).answer)
        return _counted(top, done, options) if waiting else Outcome(nothing, data={})


def decide_by_name(top: Path, answers: Sequence[tuple[str, str]], options: Asking, echo: Echo) -> Outcome:
    """Decide on named changes: pairs of a name and accept or reject."""
    twice = next((name for name, times in Counter(name for name, _ in answers).items() if times > 1), "")
    if twice:
        raise RulecError(f"{twice} is named more than once", hint="name it in one option only")
    with rulebook_commit.open_rulebook(top, options.onto) as book, _evolution(top, book, options, echo) as run:
        known = run.waiting(book, [name for name, _ in answers])
        lacking = next((name for name, _ in answers if name not in known), "")
        if lacking:
            raise RulecError(f"no revision of {lacking} waits", hint="rulec evolve lists what waits")
        done = []
        for name, answer in answers:
            own = replace(options, answer=partial(_always, answer))
            done.append(decide(top, partial(run.propose, name), own, echo).answer)
            if done[-1] != answer:
                raise RulecError(f"{name} cannot be accepted as it is", hint=f"see rulec evolve {name}")
        return _counted(top, done, options)


def _always(answer: str, _: ChangeCard) -> str:
    return answer


def _counted(top: Path, done: Sequence[str], options: Asking) -> Outcome:
    tally = Counter(done)
    words = {"accept": "accepted", "reject": "rejected", "later": "left for later", "known": "known already"}
    counted = ", ".join(f"{tally[key]} {word}" for key, word in words.items() if tally[key])
    left = len(open_cases.undecided_rules(top, rulebook_commit.load_target_rulebook(top, options.onto)))
    lines = [f"{counted}; {left} left to decide", rulebook_commit.push_hint(top, options.onto)]
    return Outcome("\n".join(filter(None, lines)), data=dict(tally))


# for the page, where a person decides on just what was shown to them

_OFFLINE = Asking(offline=True)  # a page that is only looked at must not spend a person's money


def waiting_rules(top: Path) -> list[RuleCases]:
    """The rules of the work tree of which a revision can be decided on, with what is known about each."""
    return open_cases.open_rules(top, rulebook_commit.load_target_rulebook(top, HEAD))


def show_revision(top: Path, slug: str) -> ChangeCard | None:
    """The proposed revision of a rule; None where nothing about it waits."""
    book = rulebook_commit.load_target_rulebook(top, HEAD)
    with _evolution(top, book, _OFFLINE, _unheard) as run:
        return run.propose(slug, book) if book.rule(slug) else None


def try_revision(top: Path, slug: str, shown: str, typed: str) -> ChangeCard:
    """What a typed text makes of the revision that was shown; RulecError with what is wrong. Nothing is written."""
    return require_as_shown(show_revision(top, slug), shown).edited(typed)


def decide_revision(top: Path, slug: str, shown: str, answer: str, typed: str) -> Decided:
    """Accept or reject just the revision that was shown, or what a typed text makes of it."""
    with rulebook_commit.open_rulebook(top, HEAD) as book, _evolution(top, book, _OFFLINE, _unheard) as run:
        if slug not in run.waiting(book, [slug]):
            raise RulecError(f"no revision of {slug} waits", hint="rulec evolve lists what waits")
        return decide_as_shown(top, partial(run.propose, slug), shown, answer, _OFFLINE, typed=typed)


def _unheard(_: str) -> None:
    pass
