"""Rules with ``proved_by`` at an agent's commit: what it takes along must be what a green run by rulec has seen."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulec import registry
from rulec.agents.protocol.agent_spec import agents_around
from rulec.domain.artifact import Artifact, asks_for_run
from rulec.domain.change import Change
from rulec.domain.compiled_rule import SessionCheck, read_rule
from rulec.domain.files import globs
from rulec.domain.finding import Finding, Verdict
from rulec.guard import earlier_steps, session_check
from rulec.infra.git import git_session
from rulec.plans.proofs import suite_records
from rulec.shell.command_matching import matches
from rulec.shell.git import branches
from rulec.shell.parsing.parser import parse_shell

_COMMIT = parse_shell("git commit").calls[0]


def run_verdicts(top: Path, artifacts: Sequence[Artifact], change: Change) -> list[Verdict]:
    """A verdict for each rule whose run lacks; none where no agent's program runs this, and none in a merge.

    A person's commit is not judged: the rule is about what an agent does.
    """
    asking = [artifact for artifact in artifacts if asks_for_run(artifact)]
    agents = agents_around(os.environ) if asking else []
    if not agents or git_session.merge_heads(top):
        return []
    paths = sorted({path for file in change.files for path in (file.path, file.old_path) if path})
    return [verdict for artifact in asking for verdict in _verdicts(top, artifact, agents, paths)]


def _verdicts(top: Path, artifact: Artifact, agents: Sequence[str], paths: Sequence[str]) -> Iterator[Verdict]:
    facts = registry.checker("guard").facts(artifact.text or "")
    rule = read_rule(json.loads(artifact.text or ""))
    check, scope = rule.check, rule.facts.scope
    if not isinstance(check, SessionCheck) or not _is_about_commits(check) or not _is_on_branch(top, check):
        return
    if scope.agents and not set(scope.agents).intersection(agents):
        return

    def matters(path: str) -> bool:
        named = not check.since or globs.names_path(check.since, path, deletes=False) is not None
        return named and earlier_steps.concerns_path(check.since_except, scope, path)

    if not any(map(matters, paths)) or suite_records.is_waived(str(top), facts.slug):
        return
    if why := suite_records.why_unproved(str(top), check.proved_by, matters):
        lacks, cure = session_check.wording(check, why, suite_records.failing_test(str(top), check.proved_by))
        finding = Finding(slug=facts.slug, text=f"git commit, without {lacks}", cure=cure)
        yield Verdict(outcome=facts.enforcement, facts=facts, finding=finding)


def _is_about_commits(check: SessionCheck) -> bool:
    return any(matches(pattern, _COMMIT) for pattern in check.before_commands) and not check.inside


def _is_on_branch(top: Path, check: SessionCheck) -> bool:
    wanted = check.on_branch
    return not wanted or branches.is_one_of_branches(wanted, git_session.current_branch(top))
