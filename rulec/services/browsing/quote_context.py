"""The turns around a quote, where its transcript is on this machine; else what its evidence kept."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.evidence import Evidence
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.errors import RulecError
from rulec.infra import transcript_files
from rulec.resolving.revisions import session_name
from rulec.rulebook import evidence_file
from rulec.services import session_transcripts
from rulec.services.browsing.one_rule import find_rule

BEFORE, AFTER = 2, 2  # turns
LONGEST = 1_200  # characters of a turn or an action that are shown
MOST_ACTIONS = 6  # of a turn
MOST_FILES = 400  # transcripts that are looked through
MOST_BYTES = 200 << 20  # of one transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn:
    """One turn as it is shown: redacted and cut."""

    speaker: str
    text: str
    at: str = ""
    actions: tuple[str, ...] = ()
    more: int = 0  # actions that are not shown
    quoted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteContext:
    """What is known of how a quote came about; ``missing`` says why there are no turns."""

    quote: str
    at: str = ""
    agent: str = ""
    offence: str = ""
    accepted: str = ""
    file: str = ""  # the transcript's name
    turns: tuple[ShownTurn, ...] = ()
    missing: str = ""


def quote_context(top: Path, slug: str, name: str) -> QuoteContext | None:
    """The turns around the quote of one evidence, named by its id; None where there is none of that name."""
    _, book, _ = find_rule(top, slug)
    item = next((one for one in book.observed(slug) if evidence_file.evidence_id(one) == name), None)
    if item is None or not item.quote:
        return None
    path: Path | None = None
    turns: tuple[ShownTurn, ...] = ()
    missing = ""
    if item.kind != "correction" or not item.transcript:
        missing = "this was said in no transcript: what follows is all that the evidence keeps"
    else:
        path, turns = _around(top, item)
        if not turns:
            missing = "its transcript is not on this machine any more: what follows is what the evidence keeps"
    return QuoteContext(
        quote=redact(item.quote), at=item.at, agent=item.agent, offence=redact(item.offence),
        accepted=redact(item.accepted), file=path.name if path else "", turns=turns, missing=missing,
    )  # fmt: skip


def _around(top: Path, item: Evidence) -> tuple[Path | None, tuple[ShownTurn, ...]]:
    """The transcript that holds the turn, and the turns around it; those whose name is the session's first."""
    paths = session_transcripts.repository_transcripts(top)[:MOST_FILES]
    for path in sorted(paths, key=lambda path: item.transcript not in path.name):
        try:
            changed_size = transcript_files.transcript_stamp(path)[1]
            if changed_size > MOST_BYTES or not (_names_session(path, item.transcript)):
                continue
            turns = tuple(_window(path, item))
        except (RulecError, OSError):
            continue
        if turns:
            return path, turns
    return None, ()


def _names_session(path: Path, session: str) -> bool:
    """Whether a transcript may be that session's: its name or its beginning has the id, or no id could stand there."""
    looks_hashed = len(session) == _HASHED and all(sign in "0123456789abcdef" for sign in session)
    made = session.startswith("head-") or looks_hashed
    return made or session in path.name or session.encode() in transcript_files.read_head(path)


_HASHED = 16  # signs of a name that session_name makes


def _window(path: Path, item: Evidence) -> Iterator[ShownTurn]:
    """The turns around the one of the evidence, of that session alone."""
    reader = session_transcripts.find_reader(path)
    before: deque[Turn] = deque(maxlen=BEFORE)
    left = -1
    for turn in session_transcripts.read_turns(path, reader):
        if isinstance(turn, UnreadableLine) or session_name(turn.session) != item.transcript:
            continue
        if left < 0 and turn.index == item.turn:
            yield from (_shown(one) for one in before)
            yield _shown(turn, quoted=True)
            left = AFTER
        elif left < 0:
            before.append(turn)
        elif left:
            yield _shown(turn)
            left -= 1
        if not left:
            return


def _shown(turn: Turn, *, quoted: bool = False) -> ShownTurn:
    speaker = {"human": "person", "agent": turn.agent or "agent"}.get(turn.role, turn.role)
    actions = [text for one in turn.actions if (text := _action(one))]
    return ShownTurn(
        speaker=speaker, text=_cut(redact(turn.text)), at=turn.at, actions=tuple(actions[:MOST_ACTIONS]),
        more=len(actions[MOST_ACTIONS:]), quoted=quoted,
    )  # fmt: skip


def _action(one: Action) -> str:
    if one.kind == "command":
        return _cut(redact(f"$ {one.command}"))
    if one.kind in ("write", "edit", "delete", "read"):
        return _cut(redact(f"{one.kind} {one.path}"))
    return _cut(redact(f"{one.tool} {one.args}".strip())) if one.tool else ""


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
