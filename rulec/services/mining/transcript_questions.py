"""Asks a model about transcripts, and reads its answers."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rulec.domain.prompt import AwaitedAnswer, DataBlock, ModelAnswer, ModelFailure, ModelReply, Prompt
from rulec.domain.transcript import TranscriptFormat
from rulec.errors import RulecError
from rulec.infra.rulebooks import rulebook_files
from rulec.llm.conversation import Conversation
from rulec.mining.mining_questions import (
    SESSION_LETTERS,
    SMALL_SESSION,
    MinedWish,
    TurnBundle,
    bundle_blocks,
    bundle_turns,
    read_mining_answer,
    turns_asked_about,
    write_mining_prompt,
)
from rulec.mining.moments import ShownMoments, moments_of
from rulec.rulebook.rulebook import Rulebook
from rulec.services import session_transcripts
from rulec.services.asking import exchange_run
from rulec.services.mining import earlier_runs
from rulec.services.mining.earlier_runs import BundlePlace, SmallBundle, TranscriptEnds, transcript_ends
from rulec.services.proposals.candidate_decision import DecisionOptions, Echo

READ_OFFLINE = (
    "read offline; a model also finds what people say without words like always or never, and the agent that you run "
    "can be it: rulec ingest --backend exchange"
)
NOTHING_COUNTS = (
    "no wish in an answer of {who} counts: its turns were read offline, and the model is asked again next time"
)
OTHERWISE = "without --backend it is read as the settings say"
TOGETHER = 50  # prompts that are held at once


@dataclass(slots=True)
class ReaderAnswers:
    """A model's answers about one transcript."""

    wishes: dict[int, tuple[MinedWish, ...]] = field(default_factory=dict)  # by the index of their turn
    read: set[int] = field(default_factory=set)  # turns on which it spoke, whether it found a wish or not
    left: set[int] = field(default_factory=set)  # turns that somebody is still to speak on
    notes: list[str] = field(default_factory=list)
    failed: bool = False  # some turns have to be read without it
    void: list[str] = field(default_factory=list)  # keys of what was answered with nothing that counts

    def add_reply(self, asked: ShownMoments, reply: ModelReply | None, key: str, *, waits: bool) -> None:
        """Add a reply; whoever answers a run that ``waits`` may still mend what is wrong with it."""
        turns = {index for moment in asked.moments for index in (moment.turn.index, *moment.twice)}
        if isinstance(reply, ModelAnswer):
            answer = read_mining_answer(reply.data, asked)
            self.notes += answer.told
            if answer.told and not answer.wishes:  # of another session, of other turns: it was not read
                self.void.append(key)
                self.failed = True
                return
            self.read |= turns
            for one in answer.wishes:
                for moment in (one.moment, *one.again):
                    index = moment.turn.index
                    self.wishes[index] = (*self.wishes.get(index, ()), one)
        elif isinstance(reply, ModelFailure) and not reply.over and not waits:
            self.failed = True
        else:
            self.left |= turns


@contextmanager
def open_mining(
    top: Path,
    run: exchange_run.ExchangeRun,
    options: DecisionOptions,
    echo: Echo,
    alone: AbstractContextManager[object],
) -> Iterator["TranscriptQuestions | None"]:
    """Who reads the transcripts of a run with us; None where nobody is asked.

    A run by files is ``alone`` here from before its first question to its last word: one that is refused has changed
    nothing of another's.
    """
    book = rulebook_files.load_rulebook(top) if rulebook_files.has_rulebook(top) and not options.offline else Rulebook()
    chat = None if options.offline else exchange_run.open_conversation(top, book, options, echo)
    if chat is None or chat.off:
        yield None
    elif chat.waits:
        with alone:
            exchange_run.begin_run(top, run, echo)
            yield TranscriptQuestions(top, chat, transcript_ends(top))
    else:
        yield TranscriptQuestions(top, chat, transcript_ends(top))


class _TranscriptEnd(NamedTuple):
    """The end of a transcript, and the place of its last bundle."""

    path: Path
    moments: int
    actions: int
    place: BundlePlace


@dataclass(slots=True)
class TranscriptQuestions:
    """The questions of one run about transcripts, and their answers by prompt."""

    top: Path
    chat: Conversation
    ends: TranscriptEnds
    keys: dict[BundlePlace, tuple[str, str]] = field(default_factory=dict)  # of a bundle's prompt, and its letter in it
    replies: dict[str, ModelReply] = field(default_factory=dict)
    reached: list[_TranscriptEnd] = field(default_factory=list)
    void: dict[str, str] = field(default_factory=dict)  # a line for each answer of which nothing is borne out

    def ask(self, paths: Sequence[Path], reader_name: str) -> None:
        """Ask about some transcripts in parallel; unreadable ones are reported elsewhere."""
        prompts = self._prompts(paths, reader_name)
        some: list[Prompt] = []
        try:
            while some := list(islice(prompts, TOGETHER)):
                for prompt, reply in zip(some, self.chat.ask(some), strict=True):
                    self.replies[prompt.key] = reply
        finally:  # also of a run that was stopped: what was answered by then is not asked again
            self._note(some)
        self._hold()

    def _prompts(self, paths: Sequence[Path], reader_name: str) -> Iterator[Prompt]:
        """The prompts about all transcripts; one bundle at a time is held in memory."""
        small: dict[BundlePlace, SmallBundle] = {}
        for path in paths:
            for bundle in self._bundles(path, reader_name):
                place = (str(path), bundle.start)
                if bundle.size > SMALL_SESSION or (
                    len(paths) == 1 and place not in earlier_runs.batched_places(self.top)
                ):
                    yield self._prompt([place], [bundle_blocks(bundle)])
                else:
                    small[place] = SmallBundle(bundle_blocks(bundle), bundle.size, len(bundle.moments))
        for group in earlier_runs.group_bundles(self.top, small, lambda place: self._small(place, reader_name)):
            yield self._prompt(list(group), [one.blocks for one in group.values()])

    def _prompt(self, places: Sequence[BundlePlace], bundled: Sequence[Sequence[DataBlock]]) -> Prompt:
        prompt = write_mining_prompt(bundled, self.chat.render)
        self.keys |= {place: (prompt.key, letter) for place, letter in zip(places, SESSION_LETTERS, strict=False)}
        return prompt

    def _small(self, place: BundlePlace, reader_name: str) -> SmallBundle | None:
        """A small bundle that shares a prompt with others, of a transcript that this run does not read."""
        found = (one for one in self._bundles(Path(place[0]), reader_name, note=False) if one.start == place[1])
        return next((SmallBundle(bundle_blocks(one), one.size, len(one.moments)) for one in found), None)

    def _bundles(self, path: Path, reader_name: str, *, note: bool = True) -> Iterator[TurnBundle]:
        """The bundles of one transcript; its end is noted."""
        found: TurnBundle | None = None
        try:
            for found in self._read(path, session_transcripts.find_reader(path, reader_name)):
                yield found
        except RulecError:
            return
        if found and note:
            moments = found.start + len(found.moments)
            self.reached.append(_TranscriptEnd(path, moments, len(found.moments[-1].after), (str(path), found.start)))

    def _read(self, path: Path, reader: TranscriptFormat) -> Iterator[TurnBundle]:
        return bundle_turns(moments_of(session_transcripts.read_turns(path, reader)), self.ends.of(path))

    def _note(self, some: Sequence[Prompt]) -> None:
        """The ends that hold: an answer is there or awaited to which whatever follows later does not belong.

        Where there is none the next run asks about the same turns and those that have come since, in one prompt.
        """
        known = {prompt.key for prompt in some if self.chat.knows(prompt)}
        held: dict[str, list[BundlePlace]] = {}
        for place, (key, _) in self.keys.items():
            if key in known or self._counts(self.replies.get(key)):
                held.setdefault(key, []).append(place)
        for end in self.reached:
            if self.keys.get(end.place, ("", ""))[0] in held:
                self.ends.note(end.path, end.moments, end.actions)
        self.ends.keep()
        earlier_runs.remember_groups(self.top, held.values())

    def _counts(self, reply: ModelReply | None) -> bool:
        mends = self.chat.waits and isinstance(reply, ModelFailure) and not reply.over  # in the file where it stands
        return mends or isinstance(reply, ModelAnswer | AwaitedAnswer)

    def _hold(self) -> None:
        """End a run before it decides anything, where a backend was named and gives no answer."""
        troubles = [one for one in self.replies.values() if isinstance(one, ModelFailure)]
        if self.chat.models.named != "option" or not troubles or len(troubles) < len(self.replies):
            return
        why = self.chat.over or (None if self.chat.waits else troubles[0])
        if why:
            hint = "; ".join(filter(None, [why.hint, OTHERWISE, self.chat.spent()]))
            raise RulecError(f"nothing was read, because {self.chat.who} gives no answer: {why.what}", hint=hint)

    def closing(self) -> list[str]:
        """What failed, what it cost, and what to do next."""
        troubles = [self._line(one) for one in self.replies.values() if isinstance(one, ModelFailure)]
        ending = [self.chat.spent(), exchange_run.closing_line(self.top, self.chat)]
        return list(dict.fromkeys([*troubles, *self.void.values(), *ending]))

    def _line(self, one: ModelFailure) -> str:
        """What failed, and whether the turns were read offline instead."""
        waits = one.over or self.chat.waits
        return one.line if waits else replace(one, what=f"{one.what}; read offline instead").line

    def said(self, path: Path, reader: TranscriptFormat) -> ReaderAnswers:
        """The answers about one transcript, checked against it."""
        found = ReaderAnswers()
        for bundle in self._read(path, reader):
            key, letter = self.keys.get((str(path), bundle.start), ("", ""))
            found.add_reply(turns_asked_about(bundle, letter), self.replies.get(key), key, waits=self.chat.waits)
        self.void |= dict.fromkeys(found.void, NOTHING_COUNTS.format(who=self.chat.who))
        self.chat.forget(found.void)
        return found
