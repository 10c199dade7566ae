"""rulec check: checks staged changes, commits with their messages, files, one message, and the end of a turn."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.agents.protocol import agent_tables
from rulec.checkout import rules_layout, worktree
from rulec.domain.artifact import (
    Artifact,
    asks_for_run,
    compiled_checks,
    facts_data,
    is_judge_check,
    protects_paths,
    slug_of_artifact,
)
from rulec.domain.change import Change
from rulec.domain.enforcement import refuses
from rulec.domain.finding import Fault, RunTests, Verdict, gravest_first
from rulec.domain.outcome import CLEAN, Outcome, Progress, no_progress
from rulec.domain.plugs import Reporter
from rulec.errors import RulecError
from rulec.gates import message_file, passed_changes, personal_rules, trusted_checks, unhooked_session
from rulec.gates.findings import excepted
from rulec.gates.findings.verdicts import facts_by_slug, message_checks, verdicts_on_each, without_rulebook
from rulec.gates.gate import GateRun
from rulec.gates.gate_names import touches_gate
from rulec.gates.judging import judge_settings
from rulec.gates.judging.judge_settings import NO_CHOICE, JudgeChoice
from rulec.gates.trusted_checks import TrustedChecks
from rulec.infra import journal, state, text_files
from rulec.infra.git import commit_changes, git_changes, git_refs, git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.plans.plan import Plan
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


def message_verdicts_since(top: Path, base: str, artifacts: Sequence[Artifact], environment: str) -> list[Verdict]:
    """The verdicts on each commit message since a base, merges left out."""
    speaking = message_checks(artifacts)
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
    if not _is_by_agent():
        return Outcome("")
    trusted, change = trusted_checks.staged_change(top)
    if passed_changes.has_passed(top, change.mark, trusted.tree):
        return Outcome("")
    # a commit that is made anew was compiled by the rulec of its day
    compiled = bool(git_session.merge_heads(top))
    outcome = _judge_staged(top, trusted, change, "text", complain, compiled=compiled)
    return outcome if outcome.code else replace(outcome, text="")


def _is_by_agent() -> bool:
    """Whether the program of an agent runs this."""
    return any(map(os.environ.get, agent_tables.RUNS_WITH))


def check_staged(top: Path, form: str, complain: Callable[[str], None]) -> Outcome:
    """The index, judged by the rules of HEAD: a commit cannot weaken the gate it has to pass.

    What belongs together came with the commits that a merge joins. The person's own rules are asked, too.
    """
    return _judge_staged(top, *trusted_checks.staged_change(top), form, complain)


def _require_settled(top: Path) -> None:
    """RulecError where the index may hold the rules of before: this commit would take the new ones back."""
    if state.has_state(top, journal.NOTE):
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
    """Judge what is staged; whether its rules are ``compiled`` as this rulec does it is asked of it, too."""
    _require_settled(top)
    if _is_by_agent():
        unhooked_session.tell_once(top, complain)
    touched = {path for file in change.files for path in (file.path, file.old_path)}
    if compiled and any(path.startswith(f"{file_paths.RULES}/") for path in touched):
        from rulec.services import rulebook_commit  # noqa: PLC0415 - 50 ms of rule files and templates

        rulebook_commit.require_compiled(top, change)
    extra = [*_weakened(top, change), *_unfinished_turns(top, trusted, change), *_protected(top, trusted, change)]
    extra += _runs(top, trusted, change)
    ask = partial(judge_settings.judges_at_commit, top, say=complain)
    gate = GateRun(
        form=form,
        quiet=form == "text" and _framework_reports(message=False),
        whole=not git_session.merge_heads(top),
        noted=top,
        own=_personal(top, trusted, complain),
        extra_verdicts=extra,
        ask=ask,
    )
    plans = _open_plans(top)
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


def _personal(top: Path, trusted: TrustedChecks, complain: Callable[[str], None]) -> personal_rules.PersonalChecks:
    """The person's own rules; most people have none."""
    if not rules_layout.has_personal_rulebook():
        return personal_rules.NO_PERSONAL_CHECKS
    return personal_rules.personal_checks(top, trusted.artifacts(), complain)


def _framework_reports(*, message: bool) -> bool:
    """Whether a hook that found nothing needs no line: pre-commit has its own, and for a message its files have."""
    return "PRE_COMMIT" in os.environ or (message and "GIT_INDEX_FILE" in os.environ)


def _unfinished_turns(top: Path, trusted: TrustedChecks, change: Change) -> list[Verdict]:
    """Findings that an agent's turn left open; usually none."""
    if not state.has_state(top, "waived"):
        return []
    from rulec.gates import open_findings  # noqa: PLC0415 - as above

    return open_findings.debt_verdicts(top, trusted.artifacts(), change)


def _open_plans(top: Path) -> list[Plan]:
    """The plans that are worked on here; most work trees never had one."""
    if not Path(worktree.state_directory(str(top)), worktree.PLANS).is_dir():
        return []
    from rulec.plans import plan_store  # noqa: PLC0415 - as above

    return plan_store.open_plans(str(top))


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

    extra: list[Verdict] = []
    weakened = _weakened(top, change, span)
    if runs != "alone":
        extra = [
            *weakened,
            *_protected(top, trusted, change, span.base),
            *message_verdicts_since(top, span.base, trusted.artifacts(), "ci"),
        ]
    proofs = ci_proofs.prove_since(top, span, trusted, change, runs=runs, weakened=weakened, progress=progress)
    extra += proofs.verdicts
    ask = partial(judge_settings.judges_in_ci, top, span.base, choice=choice, progress=progress)
    messages = partial(messages_since, top, span.base)
    gate = GateRun(
        form=form,
        environment="ci",
        progress=progress,
        extra_verdicts=extra,
        ask=ask,
        commit_messages=messages,
        rows=proofs.rows,
    )
    outcome = gate.judge(ci_proofs.of_tests_alone(trusted) if runs == "alone" else trusted, change)
    if outcome.code == CLEAN and runs == "here":
        passed_changes.note_passed_since(top, span.base)
    return outcome


def _weakened(top: Path, change: Change, span: git_refs.Range | None = None) -> list[Verdict]:
    """What the change weakens in the gates themselves; imported only where a change touches them."""
    if not touches_gate(change):
        return []
    from rulec.gates.weakening import loosening  # noqa: PLC0415 - 100 ms of rule files and templates

    return loosening.weakened_since(top, span, change) if span else loosening.weakened_by_index(top, change)


def check_files(
    top: Path, paths: Sequence[str], form: str, progress: Progress = no_progress,
    *, choice: JudgeChoice = NO_CHOICE,
) -> Outcome:  # fmt: skip
    """Check files of the work tree by its rules; judges are asked only about files that are named."""
    rulebook_files.require_checked_out(top, compiled=True)
    texts, change = trusted_checks.texts_in_work_tree(top), git_changes.whole_files_change(top, paths)
    trusted = TrustedChecks(texts, trusted_checks.needs_of_checks(top, texts))
    folders = any(Path(path).is_dir() for path in paths) and not choice.backend
    ask = partial(judge_settings.judges_on_files, top, choice=choice, progress=progress, folders=folders)
    return GateRun(form=form, whole=False, progress=progress, at_hand=top, ask=ask).judge(trusted, change)


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
        before = _judge_staged(top, trusted, change, form, complain)
        if before.code:
            return before
        warned = [one for one in before.data[0] if one.outcome == "warn"]
    place = Path(path) if path else message_file.find_message(top)
    change = replace(change, message=message_file.read_message(top, place))
    own, ask = _personal(top, trusted, complain), partial(judge_settings.judges_at_commit, top, say=complain)
    quiet = form == "text" and not warned and _framework_reports(message=told)
    gate = GateRun(form=form, quiet=quiet, only_message=True, noted=top, own=own, ask=ask)
    outcome = gate.judge(trusted, change)
    if warned:
        verdicts, counts, rows = outcome.data
        verdicts = gravest_first([*warned, *verdicts])
        return Outcome(registry.reporter(form).report(verdicts, counts, rows), outcome.code, (verdicts, counts, rows))
    return outcome


_LEFT = ("judges_failed", "judges_awaited")  # counts of what nobody answered


def judge_turn_end(top: Path, given: str) -> Outcome:
    """The findings with their rules as one JSON object, and whether some judge did not answer in time."""
    files = rulebook_files.compiled_in_work_tree(top)
    judges = [artifact for artifact in compiled_checks(files) if is_judge_check(artifact)]
    blocking = {slug for slug, facts in facts_by_slug(judges).items() if refuses(facts.enforcement)}
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
