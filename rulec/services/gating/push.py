"""Checks what is about to be pushed and was not checked before."""

from pathlib import Path

from rulec.domain.outcome import Outcome
from rulec.gates import passed_changes, pushed_refs


def judge_push(top: Path, remote: str, stdin: str | None) -> Outcome:
    """Check every ref that is pushed; no output where everything was checked before."""
    wanted = pushed_refs.pushed_refs_of_framework() if stdin is None else pushed_refs.parse_pushed_refs(remote, stdin)
    outcomes = [outcome for push in wanted if (outcome := _judged(top, push))]
    text = "\n".join(outcome.text for outcome in outcomes)
    return Outcome(text, max((outcome.code for outcome in outcomes), default=0))


def _judged(top: Path, push: pushed_refs.PushedRef) -> Outcome | None:
    tip = pushed_refs.pushed_commit(top, push.new)
    new = pushed_refs.new_commits(top, push, tip) if tip else []
    base = pushed_refs.push_base(top, push, tip, new) if new else ""
    unseen = (
        passed_changes.unseen_commits(top, new, passed_changes.rules_tree(top, base) if base else "") if new else {}
    )
    if not unseen:
        return None
    from rulec.gates import unseen_commits  # noqa: PLC0415 - 100 ms that most pushes need not pay

    return unseen_commits.judge_unseen(top, push.ref, (base, tip), unseen)
