"""What the session before this one left to learn: counted in the background, or read by a model where that is wanted.

Nothing acts before a person accepts: a count is only told, and what a model proposes waits for ``rulec review``.
"""

from pathlib import Path

from rulec.checkout import private_files
from rulec.checkout.rules_layout import LAST_SESSION
from rulec.errors import RulecError
from rulec.infra import state, transcript_files
from rulec.infra.rulebooks import rulebook_files
from rulec.llm import model_settings
from rulec.reports.wording import count_of
from rulec.services.asking import exchange_run
from rulec.services.asking.repository_profile import names_in
from rulec.services.mining import candidate_search, ingest
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.candidate_decision import DecisionOptions
from rulec.shell.parsing.call import quote_word


def look_at_session(top: Path, transcript: Path) -> None:
    """Note for the hook what to tell the person of a transcript; with ``learn: auto`` a model reads it first."""
    wanted = model_settings.personal_settings().learn
    if wanted == "off" or not rulebook_files.has_rulebook(top) or _is_read(top, transcript):
        return
    words = _read_by_model(top, transcript) if wanted == "auto" else ""
    if not words and (corrections := count_corrections(top, transcript)):
        said = count_of(corrections, "correction")
        made = "a rule of it" if corrections == 1 else "rules of them"
        words = f"rulec: you gave the agent {said} in your last session here; to make {made}, run: "
        words += f"rulec ingest {quote_word(str(transcript))}"
    place = str(state.state_dir(top) / LAST_SESSION)
    private_files.update_json(place, lambda known: {**known, "words": words} if words else known)


def count_corrections(top: Path, transcript: Path) -> int:
    """How many of a session's turns correct an agent for good and were not decided on, as far as rulec reads it."""
    found = candidate_search.FoundCandidates()
    how = candidate_search.SearchContext(
        book=rulebook_files.load_rulebook(top),
        refused=waiting_candidates.rejection_test(top),
        read_by_model=waiting_candidates.read_by_model(top),
        reader_name="",
        mining=None,
        names=names_in(top),
    )
    candidate_search.search_transcript(found, transcript, how, lambda _: None)
    new = [one.candidate for one in found.items if not waiting_candidates.queue_files(top, one.candidate).names]
    said = [candidate.correction for candidate in new]
    return len({(one.turn.session, one.turn.index) for one in said if one})


def _is_read(top: Path, transcript: Path) -> bool:
    """Whether ``rulec ingest`` has read it as it is now."""
    stamp = transcript_files.transcript_stamp(transcript)
    read = state.read_state(top, ingest.READ) or {}
    return bool(read.get(str(transcript), [])[: len(stamp)] == stamp)


def _read_by_model(top: Path, transcript: Path) -> str:
    """The proposals that the model at hand makes of it wait for a person: how many, "" where it made none."""
    before = waiting_candidates.count_waiting(top)
    models = model_settings.choose_models(top, rulebook_files.load_rulebook(top))
    by_files = models.backend == exchange_run.EXCHANGE  # then an agent has to be there, who answers
    options = DecisionOptions(answer=lambda _: "later", asks=False, offline=by_files)
    try:
        ingest.ingest_transcript(top, str(transcript), "", options, lambda _: None)
    except RulecError:
        return ""
    more = waiting_candidates.count_waiting(top) - before
    waits = "waits" if more == 1 else "wait"
    return f"rulec: {count_of(more, 'proposal')} from your last session here {waits} for you: rulec review" * (more > 0)
