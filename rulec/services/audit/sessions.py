"""Sessions of agents held against rules: what broke each, what kept it, and what a person had asked for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.checks.proving.example_changes import change_of_action
from rulec.checks.proving.replay import SessionActions, remembered_actions
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.text.one_line import shorten, to_one_line
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.gates.findings.rule_proof import new_findings
from rulec.sentences.names import Names
from rulec.sentences.reading import read_sentence
from rulec.services.audit.instructions import AuditedRule
from rulec.services.audit.occasions import occasion_of
from rulec.shell.parsing.parser import parse_shell

_MOST_HELD = 4 << 20  # bytes of edits that wait for a tool which is started once for all of them
_LEAST_WORDS = 2  # of a command that a person asks for; one word may be any


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One action of an agent that a rule refuses."""

    session: Path
    line: int  # in the transcript
    at: str  # the day, "" where the format has no time
    text: str  # the command, the agent's words, or the file and the line in it
    asked: bool = False  # the person had typed this very command
    early: bool = False  # the sentence was not yet written


@dataclass(slots=True)
class RuleRecord:
    """What sessions show of one rule."""

    rule: AuditedRule
    deeds: list[Deed] = field(default_factory=list)
    kept: set[Path] = field(default_factory=set)  # sessions with an occasion for it
    fault: str = ""  # what its check could not be run on; then nothing is known

    @property
    def breaches(self) -> list[Deed]:
        """What the agents did on their own account, against what was written."""
        return [deed for deed in self.deeds if not (deed.asked or deed.early)]

    @property
    def innocents(self) -> list[Deed]:
        """What its check would have refused although nobody had forbidden it then, or the person asked for it."""
        return [deed for deed in self.deeds if deed.asked or deed.early]

    def verdict_in(self, session: Path) -> str:
        """Whether the rule was broken or kept in a session, or had no occasion there, as far as that is known."""
        if self.fault:
            return "not judged"
        if any(deed.session == session for deed in self.breaches):
            return "broken"
        return "kept" if session in self.kept else "no occasion"


class SessionJudge:
    """Holds the actions of sessions, one after the other, against rules."""

    def __init__(self, rules: Sequence[AuditedRule], names: Names) -> None:
        self.records = [RuleRecord(rule) for rule in rules if not rule.unjudged]
        self._names = names
        self._of_slug = {record.rule.rule.slug: record for record in self.records}
        artifacts = [artifact for record in self.records for artifact in record.rule.artifacts]
        self._guards = [one for one in artifacts if one.kind == "guard"]
        self._others = [one for one in artifacts if one.kind != "guard"]
        self._occasions = [occasion_of(record.rule.rule) for record in self.records]
        self._held: list[tuple[Change, _Moment]] = []
        self._size = 0

    def turns_seen(self, session: Path, turns: Iterable[Turn | UnreadableLine]) -> Iterator[Turn | UnreadableLine]:
        """Pass the turns of a session on, and judge the actions in them."""
        actions = SessionActions(remembered_actions(self._guards))
        said = ""
        for turn in turns:
            yield turn
            if isinstance(turn, UnreadableLine):
                continue
            for change in actions.of_turn(turn):
                self._judge(change, _Moment(session, turn, change.actions[0], said))
            said = turn.text if turn.role == "human" else said

    def finish(self) -> None:
        """Judge what still waits for its tool."""
        if self._held:
            held, self._held, self._size = self._held, [], 0
            found = new_findings(self._others, [change for change, _ in held])
            for (_, moment), items in zip(held, found, strict=True):
                self._note(items, moment)

    def _judge(self, change: Change, moment: "_Moment") -> None:
        self._see_occasions(moment)
        if self._guards:
            self._note(new_findings(self._guards, [change])[0], moment)
        if self._others:
            self._hold(moment)

    def _see_occasions(self, moment: "_Moment") -> None:
        pairs = zip(self.records, self._occasions, strict=True)
        wanting = [pair for pair in pairs if moment.session not in pair[0].kept]
        command = moment.action.command if moment.action.kind == "command" else ""
        is_read = any(occasion.names_program_of(command) for _, occasion in wanting)
        calls = parse_shell(command).calls if is_read else ()
        for record, occasion in wanting:
            if occasion.is_met(moment.action, calls):
                record.kept.add(moment.session)

    def _hold(self, moment: "_Moment") -> None:
        """Keep an action for the tools that are started once for many."""
        action = moment.action
        whole = change_of_action(action)
        if action.kind == "edit" and whole.files:
            whole = replace(whole, files=tuple(_with_base(file, action) for file in whole.files))
        if whole.files or whole.message:
            self._held.append((whole, moment))
            self._size += len(action.new) + len(action.old)
            if self._size > _MOST_HELD:
                self.finish()

    def _note(self, found: Sequence[Finding | Fault], moment: "_Moment") -> None:
        for slug, item in {item.slug: item for item in reversed(found)}.items():
            record = self._of_slug[slug]
            if isinstance(item, Fault):
                record.fault = item.what
            else:
                record.deeds.append(moment.deed(record.rule.written, self._names))


@dataclass(frozen=True, slots=True)
class _Moment:
    """An action where it stands in its session."""

    session: Path
    turn: Turn
    action: Action
    said: str  # the person's last words before it

    def deed(self, written: str, names: Names) -> Deed:
        """The action as one that a rule refuses, of a sentence that was written on a day."""
        action, at = self.action, self.turn.at[:10]
        return Deed(
            session=self.session,
            line=self.turn.line,
            at=at,
            text=shorten(to_one_line(redact(_words_of(action)))),
            asked=action.kind == "command" and _is_asked(action.command, self.said, names),
            early=bool(written and at and at < written),
        )


def _with_base(file: FileChange, action: Action) -> FileChange:
    """The edited lines with what stood there before, so that only what is new counts."""
    return replace(file, base=action.old.encode("utf-8", "replace"))


def _is_asked(command: str, said: str, names: Names) -> bool:
    """Whether the person's last words hold the command word for word, in a line that says nothing against it."""
    if len(command.split()) < _LEAST_WORDS or command not in said:
        return False
    return any(command in line and read_sentence(line.strip(), names) is None for line in said.splitlines())


def _words_of(action: Action) -> str:
    """What an action says of itself: its command, the words of a reply, or what is done to which file."""
    if action.command:
        return action.command
    return action.new if action.kind in ("stop", "reply") else f"{action.kind} {action.path}".rstrip()
