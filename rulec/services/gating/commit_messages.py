"""Judges the messages of the commits that a range is made of."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rulec.domain.artifact import Artifact
from rulec.domain.change import Change
from rulec.domain.finding import Fault, Verdict
from rulec.gates.findings.verdicts import facts_by_slug, message_checks, verdicts_on_each
from rulec.infra.git import commit_changes, git_session

MOST = 1_000  # commits, the newest ones
_MESSAGE = re.compile(r"\$\{?RULEC_MESSAGE")  # the usage of a script names it, too


def message_verdicts_since(top: Path, base: str, artifacts: Sequence[Artifact], environment: str) -> list[Verdict]:
    """What the rules say of each message since a base; those of merges are git's and the forge's own."""
    speaking = [artifact for artifact in message_checks(artifacts) if _MESSAGE.search(artifact.text or "")]
    if not speaking:
        return []
    names = _names(top, base)
    made = commit_changes.commits_by_id(top, names[:MOST])
    judged = verdicts_on_each(speaking, [Change(message=one.message, environment=environment) for one in made])
    found = [told for one, verdicts in zip(made, judged, strict=True) for told in _told(one.id, verdicts)]
    return [*dict.fromkeys(found), *_unseen(speaking, len(names))]


def messages_since(top: Path, base: str) -> dict[str, str]:
    """The newest of them by the names of their commits."""
    return {one.id: one.message for one in commit_changes.commits_by_id(top, _names(top, base)[:MOST])}


def _names(top: Path, base: str) -> list[str]:
    return git_session.git_output(top, "rev-list", "--no-merges", f"-n{MOST + 1}", "HEAD", f"^{base}").split()


def _told(name: str, verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    for verdict in verdicts:
        finding = verdict.finding and replace(verdict.finding, text=f"{name[:10]} {verdict.finding.text}".rstrip())
        yield replace(verdict, finding=finding)


def _unseen(speaking: Sequence[Artifact], many: int) -> Iterator[Verdict]:
    if many > MOST:
        facts = next(iter(facts_by_slug(speaking).values()))
        what = f"of the messages of all commits only the newest {MOST} were looked at"
        yield Verdict(outcome="warn", facts=facts, fault=Fault(slug=facts.slug, what=what))
