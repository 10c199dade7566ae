"""One gate: checks a change with trusted checks, reports the verdicts and notes them in the ledger."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec import registry
from rulec.checkout import ledger
from rulec.domain.artifact import Artifact, is_judge_check, protects_paths, slug_of_artifact
from rulec.domain.change import Change
from rulec.domain.enforcement import is_shown, refuses
from rulec.domain.finding import ProofRow, Verdict, gravest_first
from rulec.domain.outcome import FINDINGS, Outcome, Progress, no_progress
from rulec.gates import gate_ledger, personal_rules
from rulec.gates.findings.check_runs import file_cost
from rulec.gates.findings.verdicts import commit_checks, facts_by_slug, verdicts_on, without_rulebook
from rulec.gates.judging.judge_settings import JudgeOutcome, JudgeSettings
from rulec.gates.trusted_checks import TrustedChecks


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRun:
    """One run of a gate: report format, personal rules, judges and further verdicts."""

    form: str
    quiet: bool = False  # what found nothing needs no line: another program says so
    environment: str = "local"
    whole: bool = True  # files that are no whole change lack what they came with
    only_message: bool = False
    progress: Progress = no_progress
    noted: Path | None = None  # the repository that remembers what was seen
    at_hand: Path | None = None  # the work tree that the files stand in
    own: personal_rules.PersonalChecks = personal_rules.NO_PERSONAL_CHECKS
    extra_verdicts: Sequence[Verdict] = ()
    ask: Callable[[], JudgeSettings | None] = lambda: None  # whether judges are asked here, and of whom
    commit_messages: Callable[[], Mapping[str, str]] = dict  # by the ids of commits
    steps: Callable[[Sequence[Verdict]], tuple[Sequence[Verdict], Collection[str]]] = lambda _: ((), ())  # what the
    # steps of open plans lack, by all other verdicts, and the rules that they were judged by
    rows: Callable[[Sequence[Verdict], frozenset[str]], Sequence[ProofRow]] = lambda _, __: ()  # of strict and
    # testable rules, from all verdicts and the rules that a machine or a model judged here

    def judge(self, trusted: TrustedChecks, change: Change) -> Outcome:
        """Check a change and report the verdicts."""
        every = [*trusted.artifacts(), *self.own.artifacts]
        artifacts, judges = commit_checks(every, whole=self.whole), [one for one in every if is_judge_check(one)]
        asking = self.ask() if judges else None
        change = replace(without_rulebook(change), environment=self.environment)
        protecting = [one for one in every if protects_paths(one)] if self.whole else []  # judged by ``extra_verdicts``
        with self.progress("checking", sum(map(file_cost, change.files))) as tick:
            verdicts = verdicts_on(artifacts, change, only_message=self.only_message, tick=tick)
        asked = self._asked(judges, change, asking) if asking else JudgeOutcome()
        if asking:
            artifacts, verdicts = [*artifacts, *judges], [*verdicts, *asked.verdicts]
        if verdicts:
            from rulec.gates.findings import excepted  # noqa: PLC0415 - most changes have no finding, and pay for none

            verdicts = excepted.mark_excepted(verdicts, change, trusted.texts, self.at_hand, self.extra_verdicts)
        lacking, at_steps = self.steps([*self.extra_verdicts, *verdicts])
        verdicts = [*self.extra_verdicts, *verdicts, *lacking]
        if verdicts:
            verdicts = gravest_first(verdicts)
        judged = {slug_of_artifact(artifact.path) for artifact in [*artifacts, *protecting]} - asked.unheard
        if self.noted and (verdicts or ledger.has_recent(str(self.noted))):
            verdicts = self._note(self.noted, verdicts, change, judged.union(at_steps))
        unread = sum(f.content is None and f.status != "D" for f in change.files)
        counts = {
            "files": len(change.files),
            "rules": len({slug_of_artifact(artifact.path) for artifact in [*artifacts, *protecting]}),
            "unread": unread,
            **asked.counts,
        }
        rows = self.rows(verdicts, frozenset(judged))
        silent = self.quiet and has_nothing_to_say(verdicts, counts)
        text = "" if silent else registry.reporter(self.form).report(verdicts, counts, rows)
        code = FINDINGS if any(refuses(verdict.outcome) for verdict in verdicts) else 0
        return Outcome(text, code, (verdicts, counts, rows))

    def _asked(self, judges: Sequence[Artifact], change: Change, asking: JudgeSettings) -> JudgeOutcome:
        """The verdicts of judges, and how many judges could not be asked."""
        from rulec.gates.judging import judge_change  # noqa: PLC0415 - hardly a commit asks a model

        facts_by_slug(judges)  # a damaged one is told before anything is paid for
        messages = self.commit_messages() if any(map(judge_change.judges_messages, judges)) else {}
        change = replace(change, files=()) if self.only_message else change
        return judge_change.judge_change(judges, change, asking, messages)

    def _note(self, top: Path, verdicts: Sequence[Verdict], change: Change, slugs: set[str]) -> list[Verdict]:
        """Note the verdicts of the team's rules; returns all verdicts with those of personal rules marked."""
        paths = [f.path for f in change.files if f.content is not None or f.status == "D"]
        team = [verdict for verdict in verdicts if verdict.facts.slug not in self.own.slugs]
        gate_ledger.record_verdicts(
            top, "commit", team, paths=[""] if self.only_message else paths, slugs=slugs - self.own.slugs
        )
        return self.own.marked(verdicts) if self.own.slugs else [*verdicts]


def has_nothing_to_say(verdicts: Sequence[Verdict], counts: Mapping[str, int]) -> bool:
    """Whether all was checked, and nothing was found that people are told of one by one."""
    told = any(is_shown(one.outcome) or one.lost or one.fault for one in verdicts)
    return not told and not any(number for what, number in counts.items() if what not in ("files", "rules"))
