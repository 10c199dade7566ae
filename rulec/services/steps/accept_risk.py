"""rulec accept-risk: a person decides that a rule at a step needs no proof until a day."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from rulec.domain.outcome import CLEAN, FINDINGS, Outcome
from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError
from rulec.infra import clock
from rulec.infra.git import git_session
from rulec.rulebook import suppression_file
from rulec.services import rulebook_commit
from rulec.services.steps.find_step import find_rule_at_step
from rulec.steps.proofs import proof_store

MOST_DAYS = 90


def accept_risk(top: Path, step: str, slug: str, confirm: Callable[[str], bool], *, reason: str, until: str) -> Outcome:
    """Ask the person, and note their decision; RulecError where the reason or the day is none."""
    why = rulebook_commit.require_reason(reason, 'such as --reason "the vendor has no test system"')
    today = clock.now()[:10]
    last = (date.fromisoformat(today) + timedelta(days=MOST_DAYS)).isoformat()
    day = suppression_file.checked_day(until, "--until")
    if not today <= day <= last:
        what = f"{day} is over" if day < today else f"{day} is more than {MOST_DAYS} days away"
        raise RulecError(what, where="--until", hint=f"name a day up to {last}")
    named = find_rule_at_step(top, step, slug)
    told = f'step {named.number} "{to_one_line(named.step.text)}"'
    question = [
        f"{slug}: {to_one_line(named.terms.record['says'])}",
        f"This rule would need no proof at {told} until {day}: {why}",
    ]
    if not confirm("\n".join(question)):
        return Outcome("nothing accepted", FINDINGS)
    who = git_session.run_git(top, "var", "GIT_COMMITTER_IDENT").text.partition(" <")[0] or "a person"
    decision = {
        "kind": "risk", "session": named.plan.session, "step": named.step.id, "rule": slug,
        "revision": named.terms.revision, "reason": why, "by": who, "until": day,
    }  # fmt: skip
    if not proof_store.add_decision(str(top), decision):
        raise RulecError("the decision cannot be kept", where=str(top), hint="see ~/.config/rulec and the git folder")
    return Outcome(f"the risk of {slug} at {told} is accepted by {who} until {day}", CLEAN, decision)
