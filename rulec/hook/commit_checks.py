"""Checks that the commit runs, Semgrep's rules and scripts, over files that an agent changed: by asking rulec."""

from __future__ import annotations

import json
import os

from rulec.checkout import installation, learned_needs, record_cache
from rulec.domain.compiled_rule import EventFinding, Facts, read_facts
from rulec.domain.enforcement import refuses
from rulec.domain.files.languages import SEMGREP_SUFFIXES
from rulec.domain.record import Record, read_record
from rulec.guard import forbidden_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


class LeftFinding(Record):
    """What `rulec hook left` tells of a finding."""

    slug: str
    path: str = ""
    line: int = 0
    last: int = 0
    text: str = ""
    cure: str = ""


class AskedFile:
    """What is asked of one file: the rules that may have something against it, and its lines that are new."""

    def __init__(self, file: Event, semgrep: dict[str, Facts]) -> None:
        self.rules = semgrep
        self.lines = {number for number, _ in forbidden_text.added_lines(file)} if file.content is not None else set()

    def holds(self, finding: LeftFinding) -> bool:
        """Whether the finding is of one of the rules, and on the whole file or a line that is new."""
        place = range(finding.line, max(finding.line, finding.last) + 1)
        return finding.slug in self.rules and (not finding.line or any(line in self.lines for line in place))


def judge_as_commit(
    files: Sequence[Event],
    world: Worktree,
    seconds: float,
    source_of: Callable[[str], MovedFile | None] = lambda _: None,
    scripts: Sequence[Facts] = (),
) -> list[EventFinding]:
    """Findings of Semgrep's rules, and of those with these scripts, that block, on what the changes put there.

    rulec tells which of them are new, as at the commit; ``source_of`` knows which file was moved here from where.
    """
    asked = _asked_of_semgrep(files, world.root)
    if scripts:  # a script sees all that changed
        asked = {file.path: asked.get(file.path) or AskedFile(file, {}) for file in files}
        for file in files:
            asked[file.path].rules.update({one.slug: one for one in scripts if one.scope.holds(file.path)})
    if not asked or len(asked) > MOST_FILES:
        return []
    sources = {path: source_of(path) for path in asked}
    given = json.dumps({path: source.path if source else "" for path, source in sources.items()}).encode()
    told = installation.ask_rulec(world.root, ["hook", "left"], seconds, given, codes=FINDINGS)
    owners = {one.slug: one for one in scripts}
    try:
        verdicts = json.loads(told or b"{}").get("verdicts", [])
        blocking = [one["finding"] for one in verdicts if one["finding"] and refuses(one["outcome"])]
        left = [read_record(LeftFinding, one) for one in blocking]
        broken = [one["fault"] for one in verdicts if one["fault"] and one["fault"]["slug"] in owners]
        faults = [EventFinding(facts=owners[one["slug"]], fault=str(one["what"])) for one in broken]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []
    held = [one for one in left if one.path in asked and asked[one.path].holds(one)]
    return [*(_finding(one, asked[one.path].rules[one.slug]) for one in held), *faults]


def _asked_of_semgrep(files: Sequence[Event], root: str) -> dict[str, AskedFile]:
    """The files that a Semgrep rule may have something against, by path."""
    if not os.path.isdir(os.path.join(root, FOLDER)):
        return {}
    needs, rules = learned_needs.load_needs(root), _rules(root)
    asked: dict[str, AskedFile] = {}
    for file in files:
        known = [
            one.facts
            for one in rules
            if file.content is not None
            and _reads(one, file)
            and learned_needs.may_match(needs.get(one.digest, True), file.content)
        ]
        one = AskedFile(file, {facts.slug: facts for facts in known}) if known else None
        if one and one.lines:
            asked[file.path] = one
    return asked


def _finding(one: LeftFinding, facts: Facts) -> EventFinding:
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
