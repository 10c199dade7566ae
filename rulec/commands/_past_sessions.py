"""Rules + transcripts -> hindsight: what the hooks would have refused of what agents did here."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rulec import registry
from rulec.commands import _seen, _session
from rulec.commands._around import aside, ending, said
from rulec.commands._lines import short
from rulec.commands._past import Ruled
from rulec.errors import RulecError
from rulec.host import transcripts
from rulec.model.artifact import Artifact
from rulec.model.change import Change
from rulec.model.finding import Fault, Finding
from rulec.model.transcript import Action, Damage, Turn
from rulec.redact import redact
from rulec.stages.backtest import Hindsight, Past, backtest
from rulec.stages.verify import EARLIER

Say = Callable[[str], None]


def look(
    top: Path, wanted: Sequence[Ruled], left: Callable[[], float], complain: Say, *, keep: bool = True
) -> tuple[list[Past], list[Hindsight]]:
    """The transcripts of this repository, newest first, and each rule held against as many as the time allows."""
    acting = [one for one in wanted if one.actions]
    for one in acting:
        one.seen = one.seen or _seen.load(top, one.key)
    pasts = []
    for path in _session.kept(top):
        past = Past(id=f"{path}:{transcripts.stamp(path)}", at=transcripts.day(path), what=path.name)
        pasts.append(past)
        if left() > 0:
            try:
                _judge(past, path, [one for one in acting if past.id not in one.seen], left)
            except RulecError as error:
                complain(f"{path}: {error.message}, passed over")
    for one in (one for one in acting if one.new and keep):
        _seen.store(top, one.key, one.seen, [past.id for past in pasts])
    return pasts, [backtest(one.slug, pasts, one.seen, one.broken) for one in wanted]


def _judge(past: Past, path: Path, rules: Sequence[Ruled], left: Callable[[], float]) -> None:
    """What the rules say of one session; nothing is kept of one that was not read to its end."""
    if not rules:
        return
    artifacts = [artifact for rule in rules for artifact in rule.actions]
    found: dict[str, list[Finding]] = {rule.slug: [] for rule in rules}
    broken: dict[str, str] = {}
    for turn, change in _moments(_session.turns(path, _session.reader_of(path)), _remember(artifacts)):
        if left() <= 0:
            return
        for item in registry.checker("guard").findings(artifacts, change, ()):
            if isinstance(item, Fault):
                broken[item.slug] = item.what
            else:
                found[item.slug].append(_told(path, turn, change.actions[0], item))
    for rule in rules:
        if rule.slug in broken:
            rule.broken.append(broken[rule.slug])
        else:
            rule.seen[past.id], rule.new = _seen.told(found[rule.slug]), True


def _remember(artifacts: Iterable[Artifact]) -> int:
    """How many earlier actions the checks look back at."""
    looking_back = ('"on": "session"', '"on": "reply"')
    return EARLIER if any(mark in (artifact.text or "") for artifact in artifacts for mark in looking_back) else 0


def _moments(told: Iterable[Turn | Damage], most: int) -> Iterator[tuple[Turn, Change]]:
    """Each action of a session in its order, with what the session had done before it."""
    past: deque[Action] = deque(maxlen=most)
    words: str | None = None  # the agent's, since a person spoke last
    for turn in told:
        if isinstance(turn, Damage):
            continue
        actions = turn.actions if turn.role == "agent" else ending(turn, words)
        if turn.role == "agent" and turn.text and actions:  # said before them, and no end of the turn
            past.append(Action(kind="reply", new=turn.text, aside=True))
        for action in actions:
            yield turn, Change(actions=(action,), earlier=tuple(past))
            past.append(aside(action))
        words = turn.text if turn.role == "agent" else None
        if turn.role == "human":
            past.append(said(turn))


def _told(path: Path, turn: Turn, action: Action, finding: Finding) -> Finding:
    """The finding at the place of the transcript where the action stands."""
    deed = action.command or f"{action.kind} {action.path}".rstrip()
    return Finding(slug=finding.slug, path=path.name, line=turn.line, text=short(redact(deed)))
