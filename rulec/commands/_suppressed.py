"""Verdicts -> verdicts, with what the trusted rulebook and the files themselves suppress."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulec import suppressionfile
from rulec.commands._approved import SLUG
from rulec.host import changes, clock, git
from rulec.model.change import Change, FileChange
from rulec.model.finding import Verdict
from rulec.runtime import ignores
from rulec.stages.suppress import suppress


def heeded(
    verdicts: Sequence[Verdict],
    change: Change,
    trusted: Mapping[str, str],
    at_hand: Path | None = None,
    beside: Sequence[Verdict] = (),
) -> list[Verdict]:
    """What stands suppressed where the change begins; files ``at_hand`` of a work tree begin at its HEAD.

    Of the verdicts ``beside`` on what gets weaker those that a person approved let their suppressions in.
    """
    standing = suppressionfile.standing(trusted)
    if at_hand:
        change = _based(at_hand, change, verdicts)
    return list(suppress(verdicts, change, standing, clock.now()[:10], spared=(SLUG,), let_in=_let_in(beside)))


def _let_in(beside: Sequence[Verdict]) -> dict[tuple[str, int], str]:
    told = [(v.finding.path, v.finding.line, v) for v in beside if v.finding and v.finding.line]
    held = {(path, line) for path, line, verdict in told if verdict.outcome != "suppressed"}
    return {(path, line): verdict.because for path, line, verdict in told if (path, line) not in held}


def _based(top: Path, change: Change, verdicts: Sequence[Verdict]) -> Change:
    found = {verdict.finding.path for verdict in verdicts if verdict.finding}
    files = [file for file in change.files if file.path in found and ignores.MARK.encode() in (file.content or b"")]
    bases = git.blobs(top, [f"HEAD:{file.path}" for file in files], changes.LARGEST) if git.head(top) else []
    known: dict[str, FileChange] = {f.path: replace(f, base=b) for f, b in zip(files, bases, strict=False)}
    return replace(change, files=tuple(known.get(file.path, file) for file in change.files))
