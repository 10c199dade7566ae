"""What all report formats share: places, counts, fingerprints, other people's words made safe to print."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulec.domain.enforcement import ENFORCEMENTS, LOOSEST, MODES, refuses
from rulec.domain.evidence import Evidence
from rulec.domain.finding import Finding, Verdict
from rulec.domain.text.one_line import json_escape, shorten, to_one_line

MOST = 400  # signs of a stranger's line


def to_utf8(text: str) -> str:
    r"""A text that can be written anywhere: bytes of a path that are not UTF-8 become ``\xff``."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def clip_line(text: str, most: int = MOST) -> str:
    """A text on one line, cut where it is long, with control and bidirectional characters escaped."""
    flat = " ".join(to_utf8(text).split())
    shown = "".join(sign if sign.isprintable() else json_escape(sign) for sign in flat[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def place_of(finding: Finding) -> str:
    """``path:line: text``, as far as they are known."""
    at = f":{finding.line}" if finding.line else ""
    return f"{path_of(finding.path)}{at}: {to_utf8(finding.text)}".rstrip(": ")


def path_of(name: str) -> str:
    """A path on one line, "commit message" for none; a path that begins with ``::`` GitHub would read as a command."""
    return "./" * name.startswith("::") + to_utf8(name).replace("\n", "\\n") or "commit message"


def describe_verdict(verdict: Verdict) -> str:
    """A verdict in a sentence or two: the rule, what was found, what to do."""
    facts, parts = verdict.facts, [verdict.facts.statement]
    if verdict.fault:
        parts = [f"{'not judged' if verdict.fault.unheard else 'its check broke'}: {verdict.fault.what}"]
    if verdict.finding:
        parts += [f"found: {verdict.finding.text}"] * bool(verdict.finding.text)
        cure = verdict.finding.cure or facts.do
        parts += [f"instead: {cure}"] * bool(cure)
        parts += [f"judged by {verdict.finding.by}"] * bool(verdict.finding.by)
    parts += filter(None, (verdict.because, verdict.lost))
    return " · ".join(clip_line(part) for part in parts)


def file_of(verdict: Verdict) -> str:
    """The file that a finding or fault is about, "" for none."""
    return verdict.finding.path if verdict.finding else verdict.fault.path if verdict.fault else ""


def fingerprints(verdicts: Sequence[Verdict]) -> list[str]:
    """A fingerprint for each verdict, unique in the list and stable when lines move."""
    seen: Counter[str] = Counter()
    found = []
    for verdict in verdicts:
        what = verdict.finding.text if verdict.finding else verdict.fault.what if verdict.fault else ""
        key = "\0".join((verdict.facts.slug, file_of(verdict), " ".join(what.split())))
        name = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        found.append(f"{name}:{seen[name] + 1}")
        seen[name] += 1
    return found


def summary(verdicts: Sequence[Verdict], counts: Mapping[str, int]) -> str:
    """What was checked and the outcomes, in one line that leaves nothing out."""
    heard = [verdict for verdict in verdicts if not (verdict.fault and verdict.fault.unheard)]
    refused = sum(refuses(verdict.outcome) for verdict in verdicts)
    of = Counter(verdict.outcome for verdict in heard)
    let_through = {MODES[name].did: of[name] for name in reversed(ENFORCEMENTS) if not refuses(name)}
    found = {"refused": refused, **let_through, "pre-existing": of["old"], "excepted": of["excepted"]}
    parts = [f"{number} {what}" for what, number in found.items() if number]
    broken = sum(verdict.fault is not None for verdict in heard)
    parts += [count_of(broken, "broken check")] * bool(broken)
    parts = parts or ["no findings"]
    lost = sum(bool(verdict.lost) for verdict in verdicts)
    parts += [f"{lost} of the audited lost to another rule"] * bool(lost)
    parts += [f"{count_of(counts[key], 'file')} {how}" for key, how in _UNSEEN.items() if counts.get(key)]
    parts += unjudged_lines(counts, _unable(verdicts))
    judged = f"{count_of(counts.get('files', 0), 'file')}, {count_of(counts.get('rules', 0), 'rule')}"
    return f"rulec: {judged}: {', '.join(parts)}"


_UNSEEN = {"unread": "not read", "unjudged": "not judged", "judges_unsent": "not sent to a judge"}
_UNJUDGED = {
    "judges_off": "no backend",
    "judges_unable": "no model can be asked",
    "judges_failed": "the backend did not answer",
    "judges_awaited": "answers are awaited",
    "judges_unasked": "name the files to ask of them",
}


def unjudged_lines(counts: Mapping[str, int], unable: str = "") -> list[str]:
    """How many rules a model was to judge and did not, and why; ``unable`` says why no model could be asked."""
    reasons = {**_UNJUDGED, **({"judges_unable": unable} if unable else {})}
    return [
        f"{count_of(counts[key], 'judge rule')} not judged: {why}" for key, why in reasons.items() if counts.get(key)
    ]


def _unable(verdicts: Sequence[Verdict]) -> str:
    """Why no model could be asked, where no verdict says so."""
    noted = (verdict.fault for verdict in verdicts if verdict.outcome == LOOSEST)
    return next((clip_line(fault.what) for fault in noted if fault and fault.unheard), "")


def count_of(number: int, what: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {what}{'s' * (number != 1)}"


_TICKS = re.compile(r"`+")
LONGEST = 200  # signs of one word of theirs


def code_span(text: str, most: int = LONGEST) -> str:
    """A code span that no backtick inside can end, on one line."""
    shown = clip_line(text, most)
    fence = "`" * (max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    space = " " if "`" in shown or shown[:1] == " " else ""
    return f"{fence}{space}{shown}{space}{fence}" if shown else ""


def as_many_as_fit(parts: list[str], most: int, rest: str) -> list[str]:
    """As many parts as fit into ``most`` bytes, then a line that counts the rest."""
    kept: list[str] = []
    room = most
    for number, part in enumerate(parts):
        room -= len(part.encode()) + 1
        if room < 0:
            return [*kept, rest.format(len(parts) - number)]
        kept.append(part)
    return kept


def revisions_of(evidence: Iterable[Evidence]) -> list[Evidence]:
    """The revisions among the evidence of a rule, oldest first."""
    return sorted((item for item in evidence if item.kind == "revised"), key=lambda item: (item.at, item.revision))


def revision_lines(item: Evidence) -> Iterator[str]:
    """One revision: why it was made, and what the rule caught and let pass before and after it."""
    took = count_of(len(item.answers), "case")
    left = f", {len(item.unmet)} of them not met" if item.unmet else ""
    yield f"revision {item.revision} ({item.at[:10]}): {shorten(to_one_line(item.quote))}; it took up {took}{left}"
    yield from (f"  {to_one_line(line)}" for line in item.told)
