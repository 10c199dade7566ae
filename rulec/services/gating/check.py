"""rulec check: checks staged changes, commits with their messages, files, one message, and the end of a turn."""

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.agents.protocol.agent_spec import agents_around
from rulec.domain.artifact import Artifact, asks_for_run, facts_data, is_judge_check, protects_paths, slug_of_artifact
from rulec.domain.change import Change
from rulec.domain.enforcement import refuses
from rulec.domain.finding import Fault, RunTests, Verdict, gravest_first
from rulec.domain.outcome import CLEAN, Outcome, Progress, no_progress
from rulec.domain.plugs import Reporter
from rulec.errors import RulecError
from rulec.gates import message_file, passed_changes, personal_rules, trusted_checks, unhooked_session
from rulec.gates.findings import excepted
from rulec.gates.findings.check_runs import WHOLE, Shard
from rulec.gates.findings.verdicts import facts_by_slug, facts_now, message_checks, verdicts_on_each, without_rulebook
from rulec.gates.gate import GateRun
from rulec.gates.gate_names import touches_gate
from rulec.gates.judging import judge_settings
from rulec.gates.judging.judge_settings import NO_CHOICE, JudgeChoice
from rulec.gates.trusted_checks import TrustedChecks
from rulec.infra import journal, state, text_files
from rulec.infra.git import commit_changes, git_changes, git_refs, git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.plans import plan_store
from rulec.reports.wording import has_nothing_to_say
from rulec.rulebook import file_paths

ReportFiles = Sequence[tuple[Reporter, str]]


def report_files(asked: Sequence[str]) -> ReportFiles:
    """The report formats and files of --report; RulecError before anything is checked where one is invalid."""
    return [_one(text) for text in asked]


def _one(text: str) -> tuple[Reporter, str]:
    form, _, path = text.partition("=")
    if not path:
        raise RulecError(f"no file in {text!r}", where="--report", hint="write FORMAT=FILE, such as sarif=rulec.sarif")
    return registry.reporter(form), path


def write_reports(reports: ReportFiles, outcome: Outcome) -> None:
    """Write the reports of an outcome into their files."""
    verdicts, counts, rows = outcome.data or ((), {}, ())
    for reporter, path in reports:
        text_files.write_report(path, reporter.report(verdicts, counts, rows))


MOST = 1_000  # commits, the newest ones
_MESSAGE = re.compile(r"\$\{?RULEC_MESSAGE")  # the usage of a script names it, too


def message_verdicts_since(top: Path, base: str, artifacts: Sequence[Artifact], environment: str) -> list[Verdict]:
    """The verdicts on each commit message since a base, merges left out."""
    speaking = [artifact for artifact in message_checks(artifacts) if _MESSAGE.search(artifact.text or "")]
    if not speaking:
        return []
    names = _names(top, base)
    made = commit_changes.commits_by_id(top, names[:MOST])
    judged = verdicts_on_each(speaking, [Change(message=one.message, environment=environment) for one in made])
    found = [verdict for one, verdicts in zip(made, judged, strict=True) for verdict in _with_commit(one.id, verdicts)]
    return [*dict.fromkeys(found), *_unseen(speaking, len(names))]


def messages_since(top: Path, base: str) -> dict[str, str]:
    """The newest commit messages since a base, by commit id."""
    return {one.id: one.message for one in commit_changes.commits_by_id(top, _names(top, base)[:MOST])}


def _names(top: Path, base: str) -> list[str]:
    return git_session.git_output(top, "rev-list", "--no-merges", f"-n{MOST + 1}", "HEAD", f"^{base}").split()


def _with_commit(name: str, verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    for verdict in verdicts:
        finding = verdict.finding and replace(verdict.finding, text=f"{name[:10]} {verdict.finding.text}".rstrip())
        yield replace(verdict, finding=finding)


def _unseen(speaking: Sequence[Artifact], many: int) -> Iterator[Verdict]:
    if many > MOST:
        facts = next(iter(facts_by_slug(speaking).values()))
        what = f"only the messages of the newest {MOST} commits were checked"
        yield Verdict(outcome="warn", facts=facts, fault=Fault(slug=facts.slug, what=what))


def check_prepared(top: Path, complain: Callable[[str], None]) -> Outcome:
    """The commit that an agent is about to make, where no gate has judged it: git was told to ask none, or asks none.

    git runs prepare-commit-msg whatever ``--no-verify`` says, and for what is picked, reverted or rebased, too.
    """
    if not agents_around(os.environ):
        return Outcome("")
    change = git_changes.staged_change(top)
    if passed_changes.has_passed(top, change.mark, trusted_checks.trusted_checks(top).tree):
        return Outcome("")
    # a commit that is made anew was compiled by the rulec of its day
    outcome = check_staged(top, "text", complain, compiled=bool(git_session.merge_heads(top)))
    return outcome if outcome.code else replace(outcome, text="")


def check_staged(top: Path, form: str, complain: Callable[[str], None], *, compiled: bool = True) -> Outcome:
    """The index, judged by the rules of HEAD: a commit cannot weaken the gate it has to pass.

    What belongs together came with the commits that a merge joins. The person's own rules are asked beside them.
    Staged rules have to be ``compiled`` as this rulec does it.
    """
    _require_settled(top)
    unhooked_session.tell_once(top, complain)
    trusted, change = trusted_checks.staged_change(top)
    outcome = _judge_staged(top, trusted, change, form, complain, compiled=compiled)
    return _without_summary(outcome, form, message=False)


def _require_settled(top: Path) -> None:
    """RulecError where the index may hold the rules of before: this commit would take the new ones back."""
    if journal.is_unfinished(top):
        what = "a rulec process was stopped while it wrote"
        raise RulecError(what, where=str(top), hint="run rulec, then commit again")


def _judge_staged(
    top: Path,
    trusted: TrustedChecks,
    change: Change,
    form: str,
    complain: Callable[[str], None],
    *,
    compiled: bool = True,
) -> Outcome:
    touched = {path for file in change.files for path in (file.path, file.old_path)}
    if compiled and any(path.startswith(f"{file_paths.RULES}/") for path in touched):
        from rulec.services import rulebook_commit  # noqa: PLC0415 - 50 ms of rule files and templates

        rulebook_commit.require_compiled(top, change)
    own = personal_rules.personal_checks(top, rulebook_files.compiled_checks(trusted.texts), complain)
    beside = [*_weakened(top, change), *_unfinished_turns(top, trusted, change), *_protected(top, trusted, change)]
    beside += _runs(top, trusted, change)
    ask = partial(judge_settings.judges_at_commit, top, say=complain)
    gate = GateRun(form=form, whole=not git_session.merge_heads(top), noted=top, own=own, beside=beside, ask=ask)
    plans = plan_store.open_plans(str(top))
    if plans:
        from rulec.gates.plans.commit_proofs import StepGate  # noqa: PLC0415 - few commits are of a plan's steps

        of_plans = StepGate(top=top, trusted=trusted, change=without_rulebook(change), plans=plans, complain=complain)
        gate = replace(gate, steps=of_plans.verdicts)
    outcome = gate.judge(trusted, change)
    if outcome.code == CLEAN:
        passed_changes.note_passed(top, [change.mark], trusted.tree)
        if plans:
            of_plans.note_passed()
    return outcome


def _without_summary(outcome: Outcome, form: str, *, message: bool) -> Outcome:
    """The outcome without its text, where that only counts and another line does for it."""
    quiet = form == "text" and _framework_reports(message=message) and has_nothing_to_say(*outcome.data[:2])
    return replace(outcome, text="") if quiet else outcome


def _framework_reports(*, message: bool) -> bool:
    """Whether a hook that found nothing needs no line: pre-commit has its own, and for a message its files have."""
    return "PRE_COMMIT" in os.environ or (message and "GIT_INDEX_FILE" in os.environ)


def _unfinished_turns(top: Path, trusted: TrustedChecks, change: Change) -> list[Verdict]:
    """Findings that an agent's turn left open; usually none."""
    if not state.state_path(top, "waived").exists():
        return []
    from rulec.gates import open_findings  # noqa: PLC0415 - as above

    return open_findings.debt_verdicts(top, trusted.artifacts(), change)


def _runs(top: Path, trusted: TrustedChecks, change: Change) -> list[Verdict]:
    """What an agent's commit lacks of runs that rules ask for; imported only where one does."""
    artifacts = [artifact for artifact in trusted.artifacts() if asks_for_run(artifact)]
    if not artifacts:
        return []
    from rulec.gates.plans import run_verdicts  # noqa: PLC0415 - as above

    return run_verdicts.run_verdicts(top, artifacts, change)


def _protected(top: Path, trusted: TrustedChecks, change: Change, base: str = "") -> list[Verdict]:
    """What the change does to protected paths; imported only where a rule protects any."""
    artifacts = [artifact for artifact in trusted.artifacts() if protects_paths(artifact)]
    if not artifacts:
        return []
    from rulec.gates.weakening import protected_paths  # noqa: PLC0415 - as above

    if base:
        return protected_paths.path_verdicts_in_ci(top, base, artifacts, change, trusted.texts)
    merging = bool(git_session.merge_heads(top))
    return protected_paths.path_verdicts(top, artifacts, change, trusted.texts, merging=merging)


def check_since(
    top: Path,
    base: str,
    form: str,
    part: Shard = WHOLE,
    progress: Progress = no_progress,
    *,
    choice: JudgeChoice = NO_CHOICE,
    runs: RunTests = "here",
) -> Outcome:
    """Check the commits since a base by the rules of the base; ``runs`` says where its suites of tests are run."""
    from rulec.gates.plans import ci_proofs  # noqa: PLC0415 - 100 ms of rule files that a commit does not pay

    span = git_refs.resolve_range(top, base)
    trusted = TrustedChecks(trusted_checks.texts_at_commit(top, span.base))
    change = git_changes.change_since(top, span)

    beside: list[Verdict] = []
    weakened = _weakened(top, change, span) if part.number == 1 else []
    if part.number == 1 and runs != "alone":
        beside = [
            *weakened,
            *_protected(top, trusted, change, span.base),
            *message_verdicts_since(top, span.base, trusted.artifacts(), "ci"),
        ]
    proofs = ci_proofs.prove_since(
        top, span.base, trusted, change, runs=runs, part=part, let_in=weakened, progress=progress
    )
    beside += proofs.verdicts
    ask = partial(judge_settings.judges_in_ci, top, span.base, choice=choice, progress=progress)
    said = partial(messages_since, top, span.base)
    gate = GateRun(
        form=form, environment="ci", part=part, progress=progress, beside=beside, ask=ask, said=said, rows=proofs.rows
    )
    outcome = gate.judge(ci_proofs.of_tests_alone(trusted) if runs == "alone" else trusted, change)
    if outcome.code == CLEAN and part == WHOLE and runs == "here":
        passed_changes.note_passed_since(top, span.base)
    return outcome


def _weakened(top: Path, change: Change, span: git_refs.Range | None = None) -> list[Verdict]:
    """What the change weakens in the gates themselves; imported only where a change touches them."""
    if not touches_gate(change):
        return []
    from rulec.gates.weakening import weakening_verdicts  # noqa: PLC0415 - 100 ms of rule files and templates

    return (
        weakening_verdicts.weakened_since(top, span, change)
        if span
        else weakening_verdicts.weakened_by_index(top, change)
    )


def check_files(
    top: Path, paths: Sequence[str], form: str, part: Shard = WHOLE, progress: Progress = no_progress,
    *, choice: JudgeChoice = NO_CHOICE,
) -> Outcome:  # fmt: skip
    """Check files of the work tree by its rules; judges are asked only about files that are named."""
    rulebook_files.require_checked_out(top, compiled=True)
    texts, change = trusted_checks.texts_in_work_tree(top), git_changes.whole_files_change(top, paths)
    trusted = TrustedChecks(texts, trusted_checks.needs_of_checks(top, texts))
    folders = any(Path(path).is_dir() for path in paths) and not choice.backend
    ask = partial(judge_settings.judges_on_files, top, choice=choice, progress=progress, folders=folders)
    return GateRun(form=form, whole=False, part=part, progress=progress, at_hand=top, ask=ask).judge(trusted, change)


def check_left(top: Path, given: str) -> Outcome:
    """Check what files hold now against the last commit, as the gate of the commit would; the verdicts as JSON.

    ``given`` is a JSON object: each path with the one that it was moved from, or "".
    """
    moved = _parse_moves(given)
    paths = [path for pair in moved.items() for path in pair if path]
    change = _with_moves(git_changes.uncommitted_change(top, paths), moved) if paths else Change()
    texts = trusted_checks.texts_in_work_tree(top)
    trusted = TrustedChecks(texts, trusted_checks.needs_of_checks(top, texts))
    return GateRun(form="json", whole=False, at_hand=top).judge(trusted, change)


def _parse_moves(given: str) -> dict[str, str]:
    try:
        named = json.loads(given)
    except (ValueError, RecursionError):
        return {}
    known = named.items() if isinstance(named, dict) else ()
    return {path: source for path, source in known if isinstance(source, str)}


def _with_moves(change: Change, moved: dict[str, str]) -> Change:
    """The change with moves in place of deletions and new files, where git has not seen yet that they are moves."""
    gone = {file.path: file for file in change.files if file.status == "D"}
    sources = {f.path: gone[moved[f.path]] for f in change.files if f.status == "A" and moved.get(f.path) in gone}
    left = [file for file in change.files if file.status != "D"]
    return replace(
        change,
        files=tuple(
            replace(file, status="R", old_path=source.path, base=source.base)
            if (source := sources.get(file.path))
            else file
            for file in left
        ),
    )


def check_message(top: Path, path: str, form: str, complain: Callable[[str], None]) -> Outcome:
    """Check a commit message by the rules of HEAD, and the change, too, where no gate has checked it yet.

    Without a path it is the message of the commit under way.

    Where the check of the change has told of it just before, one without findings says nothing.
    """
    trusted, change = trusted_checks.staged_change(top)
    warned: list[Verdict] = []
    # a merge without conflicts runs no pre-commit, and another hook may restage
    told = passed_changes.has_passed(top, change.mark, trusted.tree)
    if not told:
        _require_settled(top)
        before = _judge_staged(top, trusted, change, form, complain)
        if before.code:
            return before
        warned = [one for one in before.data[0] if one.outcome == "warn"]
    place = Path(path) if path else message_file.find_message(top)
    change = replace(change, message=message_file.read_message(top, place))
    own = personal_rules.personal_checks(top, rulebook_files.compiled_checks(trusted.texts), complain)
    ask = partial(judge_settings.judges_at_commit, top, say=complain)
    outcome = GateRun(form=form, only_message=True, noted=top, own=own, ask=ask).judge(trusted, change)
    if warned:
        verdicts, counts, rows = outcome.data
        verdicts = gravest_first([*warned, *verdicts])
        return Outcome(registry.reporter(form).report(verdicts, counts, rows), outcome.code, (verdicts, counts, rows))
    return _without_summary(outcome, form, message=told)


_LEFT = ("judges_failed", "judges_awaited")  # counts of what nobody answered


def judge_turn_end(top: Path, given: str) -> Outcome:
    """The findings with their rules as one JSON object, and whether some judge did not answer in time."""
    files = rulebook_files.compiled_in_work_tree(top)
    judges = [artifact for artifact in rulebook_files.compiled_checks(files) if is_judge_check(artifact)]
    blocking = {slug for slug, facts in facts_now(judges).items() if refuses(facts.enforcement)}
    judges = [artifact for artifact in judges if slug_of_artifact(artifact.path) in blocking]
    found, left = _judge_paths(top, judges, _parse_paths(given), files) if judges else ([], False)
    return Outcome(json.dumps({"found": found, "left": left}))


def _parse_paths(given: str) -> list[str]:
    try:
        named = json.loads(given)
    except (ValueError, RecursionError):
        return []
    return [path for path in named if isinstance(path, str)] if isinstance(named, list) else []


def _judge_paths(
    top: Path, judges: Sequence[Artifact], paths: Sequence[str], files: dict[str, str]
) -> tuple[list[dict[str, Any]], bool]:
    asking = judge_settings.judges_at_stop(top)
    change = (
        replace(without_rulebook(git_changes.uncommitted_change(top, paths)), environment="local")
        if asking and paths
        else None
    )
    if asking is None or change is None or not change.files:
        return [], False
    from rulec.gates.judging import judge_change  # noqa: PLC0415 - hardly a turn asks a model

    answers = judge_change.judge_change(judges, change, asking)
    verdicts = excepted.mark_excepted(answers.verdicts, change, files, top)
    return [_plain_finding(one) for one in verdicts if one.finding], any(answers.counts.get(name) for name in _LEFT)


def _plain_finding(verdict: Verdict) -> dict[str, Any]:
    """A finding and its rule in the form that the hook reads."""
    found = verdict.finding
    place = {"path": found.path, "line": found.line, "text": found.text, "cure": found.cure} if found else {}
    doubt = "a model could not tell" if found and found.by else "it is not certain"
    unsure = doubt if found and not found.sure else False
    more = {"excepted": True} if verdict.outcome in ("excepted", "old") else {}
    return {
        "finding": {"slug": verdict.facts.slug, "unsure": unsure, **place, **more},
        "facts": facts_data(verdict.facts),
    }
