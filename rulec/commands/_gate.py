"""One gate: the artifacts it trusts + a change -> what a person reads, and what is noted of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec import registry
from rulec.commands import _personal
from rulec.commands._asking import Asking, Judged
from rulec.commands._observe import weight
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.commands._part import WHOLE, Part
from rulec.commands._progress import Progress, unwatched
from rulec.commands._ready import Trusted
from rulec.commands._verdicts import at_commit, facts_of, judge, theirs
from rulec.host import ledger
from rulec.model.artifact import Artifact, compiled_from, of_judge
from rulec.model.change import Change
from rulec.model.finding import Verdict, gravest_first


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Where a change is looked at, and what has a say in it beside the rules."""

    form: str
    environment: str = "local"
    whole: bool = True  # files that are no whole change lack what they came with
    only_message: bool = False
    part: Part = WHOLE
    progress: Progress = unwatched
    noted: Path | None = None  # the repository that remembers what was seen
    at_hand: Path | None = None  # the work tree that the files stand in
    own: _personal.Checks = _personal.NONE
    beside: Sequence[Verdict] = ()
    ask: Callable[[], Asking | None] = lambda: None  # whether judges are asked here, and of whom
    said: Callable[[], Mapping[str, str]] = dict  # the messages of commits, by their names

    def judge(self, trusted: Trusted, change: Change) -> Outcome:
        """The verdicts as a person reads them."""
        every = [*trusted.artifacts(), *self.own.artifacts]
        artifacts, judges = at_commit(every, whole=self.whole), [one for one in every if of_judge(one)]
        asking = self.ask() if judges else None
        change = replace(theirs(change), environment=self.environment)
        here = self.part.of_change(change)
        with self.progress("checking", sum(map(weight, here.files))) as tick:
            verdicts = judge(artifacts, change, only_message=self.only_message, part=self.part, tick=tick)
        asked = self._asked(judges, change, asking) if asking else Judged()
        if asking:
            artifacts, verdicts = [*artifacts, *judges], [*verdicts, *asked.verdicts]
        if verdicts:
            from rulec.commands import _suppressed  # noqa: PLC0415 - most changes have no finding, and pay for none

            verdicts = _suppressed.heeded(verdicts, change, trusted.texts, self.at_hand, self.beside)
        verdicts = gravest_first([*self.beside, *verdicts])
        if self.noted:
            slugs = {compiled_from(artifact.path) for artifact in artifacts} - asked.unheard
            verdicts = self._note(self.noted, verdicts, change, slugs)
        unread = sum(f.content is None and f.status != "D" for f in here.files)
        counts = {"files": len(here.files), "rules": len(facts_of(artifacts)), "unread": unread, **asked.counts}
        text = registry.reporter(self.form).report(verdicts, counts)
        code = FINDINGS if any(verdict.outcome == "block" for verdict in verdicts) else 0
        return Outcome(text, code, (verdicts, counts))

    def _asked(self, judges: Sequence[Artifact], change: Change, asking: Asking) -> Judged:
        """What judges say of a change, and how many were not heard."""
        from rulec.commands import _judged  # noqa: PLC0415 - hardly a commit asks a model

        facts_of(judges)  # a damaged one is told before anything is paid for
        messages = self.said() if self.part.number == 1 and any(map(_judged.of_message, judges)) else {}
        change = replace(change, files=()) if self.only_message else change
        return _judged.judged(judges, change, asking, self.part, messages)

    def _note(self, top: Path, verdicts: Sequence[Verdict], change: Change, slugs: set[str]) -> list[Verdict]:
        """Remember what the team's rules made of the change; the verdicts with the person's own rules marked."""
        paths = [f.path for f in change.files if f.content is not None or f.status == "D"]
        team = [verdict for verdict in verdicts if verdict.facts.slug not in self.own.slugs]
        ledger.note(top, "commit", team, paths=[""] if self.only_message else paths, slugs=slugs - self.own.slugs)
        return self.own.marked(verdicts)
