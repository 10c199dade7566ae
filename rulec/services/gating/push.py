"""Checks where a push goes, and what is about to be pushed and was not checked before."""

from pathlib import Path

from rulec.domain.artifact import COMPILED_FOLDER
from rulec.domain.outcome import Outcome
from rulec.gates import passed_changes, pushed_branches
from rulec.infra.git import git_session


def judge_push(top: Path, remote: str, stdin: str | None) -> Outcome:
    """Check every ref that is pushed; no output where no rule minds the branch and all commits were checked before."""
    wanted = (
        pushed_branches.pushed_refs_of_framework()
        if stdin is None
        else pushed_branches.parse_pushed_refs(remote, stdin)
    )
    judges = [pushed_branches.judge_branch, _judge_commits] if _has_rules_on_pushes(top) else [_judge_commits]
    outcomes = [outcome for push in wanted for judge in judges if (outcome := judge(top, push))]
    text = "\n".join(outcome.text for outcome in outcomes)
    return Outcome(text, max((outcome.code for outcome in outcomes), default=0))


def _has_rules_on_pushes(top: Path) -> bool:
    """Whether a guard of HEAD mentions pushes: git finds out in a few milliseconds, and most pushes need no more."""
    return git_session.run_git(top, "grep", "-qF", "push", "HEAD", "--", f"{COMPILED_FOLDER}/guard").code == 0


def _judge_commits(top: Path, push: pushed_branches.PushedRef) -> Outcome | None:
    tip = pushed_branches.pushed_commit(top, push.new) if push.new.strip("0") else ""
    new = pushed_branches.new_commits(top, push, tip) if tip else []
    base = pushed_branches.push_base(top, push, tip, new) if new else ""
    unseen = (
        passed_changes.unseen_commits(top, new, passed_changes.rules_tree(top, base) if base else "") if new else {}
    )
    if not unseen:
        return None
    from rulec.gates import unseen_commits  # noqa: PLC0415 - 100 ms that most pushes need not pay

    return unseen_commits.judge_unseen(top, push.ref, (base, tip), unseen)
