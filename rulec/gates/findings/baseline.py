"""Findings that the change did not bring: the same check makes them of what stood there before."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rulec.domain.artifact import Artifact, judges_whole_changes, slug_of_artifact
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Finding, Verdict
from rulec.gates.findings.check_runs import Observed, run_checks_each

# Lines that a change touches are not always lines that it brings: a block is moved or indented, a file is renamed or
# gets other line ends. So what would be refused is looked for in the files as they were, its spaces left aside.
Key = tuple[str, str, str]  # slug, path before, the text that was found
_ACTS = ("block", "warn")


def findings_in_bases(
    artifacts: Sequence[Artifact], changes: Sequence[Change], verdicts: Sequence[Sequence[Verdict]]
) -> list[set[Finding]]:
    """Of each change those findings that stood there before as often as they do now."""
    files = [{file.path: file for file in change.files if file.base is not None} for change in changes]
    doubted = [_doubted(known, own) for known, own in zip(files, verdicts, strict=True)]
    slugs = {finding.slug for own in doubted for finding in own}
    if not slugs:
        return [set() for _ in changes]
    same = [a for a in artifacts if slug_of_artifact(a.path) in slugs and not judges_whole_changes(a)]
    asked = [number for number, own in enumerate(doubted) if own]
    befores = [_before(changes[n], (files[n][finding.path] for finding in doubted[n])) for n in asked]
    seen = dict(zip(asked, run_checks_each(same, befores), strict=True))
    return [
        _old(own, _findings(all_), known, seen.get(at, []))
        for at, (own, all_, known) in enumerate(zip(doubted, verdicts, files, strict=True))
    ]


def _doubted(files: Mapping[str, FileChange], verdicts: Sequence[Verdict]) -> list[Finding]:
    """What may have been there before: what acts on a line, and all that is said of a whole or renamed file."""
    return [
        finding
        for verdict in verdicts
        if (finding := verdict.finding) and verdict.outcome != "old" and (file := files.get(finding.path))
        if verdict.outcome in _ACTS or finding.line == 0 or file.status == "R"
    ]


def _before(change: Change, files: Iterable[FileChange]) -> Change:
    """The change that would have brought these files as they stood."""
    wanted = dict.fromkeys(files)
    before = (replace(f, path=f.old_path or f.path, content=f.base, status="A", added=None) for f in wanted)
    return Change(files=tuple(before), environment=change.environment)


def _findings(verdicts: Sequence[Verdict]) -> list[Finding]:
    return [verdict.finding for verdict in verdicts if verdict.finding]


def _old(
    doubted: Sequence[Finding], found: Sequence[Finding], files: Mapping[str, FileChange], seen: Observed
) -> set[Finding]:
    """The doubted, but for as many as there are more of now; which of several alike are new nobody can say."""
    bases = {file.old_path or file.path: file.base for file in files.values()}
    before = Counter(_key(item, item.path, bases.get(item.path)) for item in seen if isinstance(item, Finding))
    now = Counter(_now(item, files) for item in found if item.path in files)
    new = now - before
    old: set[Finding] = set()
    for finding in reversed(doubted):
        key = _now(finding, files)
        if new[key] > 0:
            new[key] -= 1
        else:
            old.add(finding)
    return old


def _now(finding: Finding, files: Mapping[str, FileChange]) -> Key:
    file = files[finding.path]
    return _key(finding, file.old_path or file.path, file.content)


def _key(finding: Finding, path: str, content: bytes | None) -> Key:
    if not finding.line or content is None:
        return finding.slug, path, finding.text
    lines = content.decode("utf-8", "replace").split("\n")[finding.line - 1 : max(finding.last, finding.line)]
    return finding.slug, path, "\n".join(" ".join(line.split()) for line in lines)
