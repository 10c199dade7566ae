"""Semgrep's rules over the files that an agent changed: after an edit, and at the end of the turn."""

from __future__ import annotations

import json
import os

from rulec.checkout import installation, learned_needs, record_cache
from rulec.domain.compiled_rule import EventFinding, Facts, read_facts
from rulec.domain.enforcement import refuses
from rulec.domain.files.languages import SEMGREP_SUFFIXES
from rulec.domain.record import Record, read_record
from rulec.guard.content import forbidden_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulec.checkout.worktree import Worktree
    from rulec.shell.action_events import Event, MovedFile


FOLDER = os.path.join(".rules", "compiled", "semgrep")
KEPT = "semgrep"  # in the folder of local state: what each artifact says of its rule
MOST_FILES = 200  # that one run looks at; the commit looks at the rest
SECONDS_AFTER_EDIT = 2.0  # that an agent waits for it; what takes longer is left to the end of the turn
SECONDS_AT_END = 20.0  # what takes longer is left to the commit
FACTS, METADATA = "# rulec: ", "  metadata: "
FINDINGS = (0, 1)  # how rulec ends: without and with something that blocks
ANY_LANGUAGE = ("generic", "regex")


class SemgrepRule(Record):
    """What an artifact says of its rule: its facts, languages, and the digest by which its needs are known."""

    facts: Facts
    languages: list[str]
    digest: str


class SemgrepFinding(Record):
    """What `rulec hook left` tells of a finding."""

    slug: str
    path: str = ""
    line: int = 0
    last: int = 0
    text: str = ""
    cure: str = ""


def judge_by_semgrep(
    files: Iterable[Event],
    world: Worktree,
    seconds: float,
    source_of: Callable[[str], MovedFile | None] = lambda _: None,
) -> list[EventFinding]:
    """Findings of Semgrep's rules that block, on the lines that the changes put there.

    rulec tells which of them are new, as at the commit; ``source_of`` knows which file was moved here from where.
    """
    if not os.path.isdir(os.path.join(world.root, FOLDER)):
        return []
    needs, rules = learned_needs.load_needs(world.root), _rules(world.root)
    asked: dict[str, tuple[dict[str, Facts], set[int]]] = {}  # path -> the facts of rules by slug, and the new lines
    for file in files:
        known = {
            one.facts.slug: one.facts
            for one in rules
            if _reads(one, file) and learned_needs.may_match(needs.get(one.digest, True), file.content or "")
        }
        lines = {number for number, _ in forbidden_text.added_lines(file)} if known else set()
        if lines:
            asked[file.path] = known, lines
    if not asked or len(asked) > MOST_FILES:
        return []
    sources = {path: source_of(path) for path in asked}
    given = json.dumps({path: source.path if source else "" for path, source in sources.items()}).encode()
    told = installation.ask_rulec(world.root, ["hook", "left"], seconds, given, codes=FINDINGS)
    try:
        verdicts = json.loads(told or b"{}").get("verdicts", [])
        found = [read_record(SemgrepFinding, one["finding"]) for one in verdicts if refuses(one["outcome"])]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []
    return [_finding(one, asked[one.path][0][one.slug]) for one in found if _counts(one, asked)]


def _counts(finding: SemgrepFinding, asked: dict[str, tuple[dict[str, Facts], set[int]]]) -> bool:
    known, lines = asked.get(finding.path, ({}, set[int]()))
    last = max(finding.line, finding.last)
    return finding.slug in known and any(finding.line <= line <= last for line in lines)


def _finding(one: SemgrepFinding, facts: Facts) -> EventFinding:
    place = EventFinding(facts=facts, path=one.path, line=one.line, last=one.last)
    return place.but(text=one.text, cure=one.cure)


def _reads(rule: SemgrepRule, event: Event) -> bool:
    """Whether the rule may have something to say about the file."""
    scope, suffix = rule.facts.scope, event.path.rpartition(".")[2].lower()
    if not refuses(rule.facts.enforcement) or (scope.agents and event.agent not in scope.agents):
        return False
    if not any(one in ANY_LANGUAGE or suffix in SEMGREP_SUFFIXES.get(one, (suffix,)) for one in rule.languages):
        return False
    return scope.holds(event.path)


def _rules(root: str) -> list[SemgrepRule]:
    """What the artifacts say of their rules and languages, read once for as long as they stay."""
    folder = os.path.join(root, FOLDER)
    stamp = record_cache.stamp_of([folder])
    known = record_cache.load_records(root, KEPT, stamp)
    if known is None:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".yaml"))
        known = [one for one in (_rule(os.path.join(folder, name)) for name in names) if one]
        record_cache.save_records(root, KEPT, stamp, known)
    return [
        SemgrepRule(facts=read_facts(facts), languages=languages, digest=digest) for facts, languages, digest in known
    ]


def _rule(path: str) -> list[object]:
    """The facts, languages and digest of an artifact; [] of one that cannot be used."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        lines = text[:200_000].split("\n")
        facts = next(json.loads(line[len(FACTS) :]) for line in lines[:4] if line.startswith(FACTS))
        said = next(json.loads(line[len(METADATA) :])["languages"] for line in lines if line.startswith(METADATA))
        read_facts(facts)
        return [facts, [str(one) for one in said], learned_needs.digest_of(text)]
    except (OSError, ValueError, KeyError, TypeError, StopIteration, RecursionError):
        return []
