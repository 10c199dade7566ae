"""A model that writes the checks of instructions of which rulec reads none."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rulec.domain.candidate import Candidate
from rulec.domain.outcome import Progress
from rulec.errors import RulecError
from rulec.infra.git import git_session
from rulec.rulebook.rulebook import Rulebook
from rulec.services.asking import exchange_run, reader_drafts
from rulec.services.audit.instructions import Draft
from rulec.services.proposals.candidate_decision import DecisionOptions
from rulec.services.proposals.proposal_builder import resolve_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate


def model_drafts(top: Path, backend: str, echo: Callable[[str], None], progress: Progress) -> Draft:
    """A function that asks the model about candidates without a check; what it costs is said before and after.

    Answers are kept in the git directory, so that no question is paid for twice.
    """
    try:
        git_session.work_tree_root(top)
    except RulecError:
        raise RulecError("--backend needs a git repository, in which answers are kept", where=str(top)) from None
    options = DecisionOptions(answer=lambda _: "later", progress=progress, backend=backend)
    chat = exchange_run.open_conversation(top, Rulebook(), options, echo)
    if chat.waits:
        hint = "name a model that answers at once, such as claude-cli"
        raise RulecError(f"{backend} waits for answers in files", where="--backend", hint=hint)

    def draft(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        items = [WaitingCandidate(candidate=one) for one in candidates]
        found = reader_drafts.draft_checks(top, Rulebook(), items, chat, resolve_candidate)
        for line in filter(None, (*found.notes, chat.spent(), chat.over.line if chat.over else "")):
            echo(line)
        drafted = {item.candidate.digest: item.candidate for item in (*found.items, *found.held)}
        return [replace(drafted.get(one.digest, one), source=one.source) for one in candidates]

    return draft
