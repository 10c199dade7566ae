"""What checks found in commits and sessions, kept in the git directory by the digest of the checks."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rulec.compiling import hook_sources
from rulec.domain.artifact import Artifact
from rulec.domain.finding import Finding
from rulec.infra import state

FOLDER = "backtest"
MOST_RULES = 300  # files that are kept, the last written ones
MOST_COMMITS = 5_000  # of one rule
FIRST = 20  # findings of one commit that are kept; the others are counted
SeenBefore = dict[str, tuple[int, tuple[Finding, ...]] | None]


def checks_key(artifacts: Sequence[Artifact]) -> str:
    """What decides the verdicts of a rule's checks: they themselves, and what of ours runs them."""
    own = sorted(artifact.digest or artifact.text or "" for artifact in artifacts)  # one that was read has no digest
    return state.digest_of_values([*own, _judges()])


@cache
def _judges() -> str:
    return state.digest_of_values(
        [version("rulec"), version("semgrep"), *(a.text for a in hook_sources.hook_artifacts())]
    )


def summarize_findings(findings: Iterable[Finding]) -> tuple[int, tuple[Finding, ...]]:
    """What is kept of the findings in one commit; two checks of a rule may see the same line."""
    found = list({(finding.path, finding.line, finding.text): finding for finding in findings}.values())
    return len(found), tuple(replace(f, path=_plain(f.path), text=_plain(f.text), cure="") for f in found[:FIRST])


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def load_seen(top: Path, name: str) -> SeenBefore:
    """What these checks saw before; nothing of a file that is damaged."""
    data = state.read_state(top, f"{FOLDER}/{name}")
    try:
        return {commit: _entry(entry) for commit, entry in data.items()}
    except (AttributeError, TypeError, ValueError, KeyError):
        return {}


def _entry(entry: Any) -> tuple[int, tuple[Finding, ...]] | None:
    if entry is None:
        return None
    many, first = entry
    findings = tuple(
        Finding(slug=str(s), path=str(p), line=int(n), last=int(m), text=str(t)) for s, p, n, m, t in first
    )
    if int(many) < len(findings) or bool(many) != bool(findings):
        raise ValueError("the numbers do not agree")
    return int(many), findings


def store_seen(top: Path, name: str, seen: SeenBefore, newest: Iterable[str]) -> None:
    """Keep what they saw, of the newest commits first."""
    order = [commit for commit in dict.fromkeys((*newest, *seen)) if commit in seen][:MOST_COMMITS]
    data = {commit: _listed(seen[commit]) for commit in order}
    state.write_state(top, f"{FOLDER}/{name}", data)
    state.prune_state(top, FOLDER, MOST_RULES)


def _listed(entry: tuple[int, tuple[Finding, ...]] | None) -> Any:
    return entry and [entry[0], [[f.slug, f.path, f.line, f.last, f.text] for f in entry[1]]]
