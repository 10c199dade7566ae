"""The rules that have a level at the steps of a change in CI: those of the base, whatever the change says of them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec.checks.semgrep import semgrep_languages
from rulec.checks.skipped_files import is_excepted
from rulec.compiling.agent_briefing import WORDS_FOLDER
from rulec.compiling.compile_planning import rule_facts
from rulec.domain.artifact import Artifact, RuleFacts, acts_at_commit, is_judge_check, slug_of_artifact
from rulec.domain.change import Change, FileChange
from rulec.domain.enforcement import level_at_steps
from rulec.domain.files import globs
from rulec.domain.files.embedded_code import embedded_languages
from rulec.domain.rule import Scope
from rulec.gates.findings.check_runs import by_checker
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.weakening.gate_states import GateState
from rulec.infra.git import git_contents
from rulec.rulebook import file_paths
from rulec.steps.step import REMIND, TESTABLE

HERE = "ci"


@dataclass(frozen=True, slots=True, kw_only=True)
class CiRule:
    """A strict or testable rule, and the changed files that it is about."""

    facts: RuleFacts
    level: str
    files: tuple[FileChange, ...]
    seen: frozenset[str] | None  # paths that its checks at a commit look at; None where it has no such check
    judged: bool = False  # a model is all that checks it there
    for_some: bool = False  # it holds for some agents alone, and nobody knows who made this change


def rules_of_change(
    top: Path, base: str, texts: Mapping[str, str], artifacts: Sequence[Artifact], change: Change
) -> list[CiRule]:
    """The strict and testable rules of a base that a change touches; ``texts`` are the base's compiled files."""
    levels = dict(_levels(texts, change))
    if not levels:
        return []
    known, compiled = facts_by_slug(artifacts), _by_slug(artifacts)
    unknown = [slug for slug, level in levels.items() if level == TESTABLE or slug not in known]
    facts = {**known, **_facts_of(top, base, unknown)}
    found = []
    for slug, level in sorted(levels.items()):
        if slug not in facts:
            continue
        own = facts[slug]
        files = tuple(file for file in change.files if _is_about(own, file))
        if files:
            checks = [one for one in compiled.get(slug, ()) if acts_at_commit(one) or is_judge_check(one)]
            seen = frozenset(_seen(checks, files)) if checks else None
            some = bool(own.scope.agents or own.scope.who)
            judged = bool(checks) and all(map(is_judge_check, checks))
            found.append(CiRule(facts=own, level=level, files=files, seen=seen, judged=judged, for_some=some))
    return found


def _levels(texts: Mapping[str, str], change: Change) -> Iterator[tuple[str, str]]:
    """The strict and testable rules whose scope may hold a changed file, with their level."""
    paths = [path for file in change.files for path in (file.path, file.old_path) if path]
    for path, text in texts.items():
        if path.startswith(f"{WORDS_FOLDER}/"):
            rule = _record(text)
            level, scope = level_at_steps(rule.get("level"), rule.get("severity")), _scope(rule.get("scope"))
            if level != REMIND and any(_holds(scope, one) for one in paths):
                yield slug_of_artifact(path), level


def _record(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    rule = data.get("rule") if isinstance(data, dict) else None
    return rule if isinstance(rule, dict) else {}


def _scope(data: object) -> Scope:
    told = data if isinstance(data, dict) else {}
    lists = {key: tuple(map(str, told[key])) for key in Scope.__dataclass_fields__ if isinstance(told.get(key), list)}
    return Scope(**lists)


def _by_slug(artifacts: Sequence[Artifact]) -> dict[str, list[Artifact]]:
    found: dict[str, list[Artifact]] = {}
    for artifact in artifacts:
        found.setdefault(slug_of_artifact(artifact.path), []).append(artifact)
    return found


def _facts_of(top: Path, base: str, slugs: Iterable[str]) -> dict[str, RuleFacts]:
    """The facts of some rules from the base's rule files; what people pinned to less refuses nothing here, either."""
    wanted = frozenset(slugs)
    if not wanted:
        return {}
    book = GateState(top=top, files=git_contents.files_at_commit(top, base, file_paths.RULES)).book(wanted)
    rules = [rule for rule in book.rules if rule.slug in wanted]
    return {
        rule.slug: replace(
            rule_facts(replace(rule, formerly=book.former_names(rule)), book.observed(rule.slug)),
            enforcement="block" if rule.enforcement == "auto" else rule.enforcement,
        )
        for rule in rules
    }


def _is_about(facts: RuleFacts, file: FileChange) -> bool:
    """Whether the rule is about the file, where it stands or stood."""
    return any(holds(facts, path) for path in (file.path, file.old_path) if path)


def holds(facts: RuleFacts, path: str) -> bool:
    """Whether the rule holds for a path in CI, and no exception spares it."""
    return _holds(facts.scope, path) and not is_excepted(facts, path, HERE)


def _holds(scope: Scope, path: str) -> bool:
    if scope.environments and HERE not in scope.environments:
        return False
    return globs.match(scope.include or ("**",), path) and not globs.match(scope.exclude, path)


def _seen(checks: Sequence[Artifact], files: Sequence[FileChange]) -> Iterator[str]:
    """The files that some of the checks look at."""
    for checker, own in by_checker(checks):
        for artifact in own:
            reach = checker.reach(artifact)
            for file in files:
                if globs.match(reach.globs, file.path) and _is_read_as(reach.languages, file):
                    yield file.path


def _is_read_as(wanted: Sequence[str], file: FileChange) -> bool:
    read = semgrep_languages.languages_of_file(file.path, file.content or b"")
    return not wanted or not {*read, *embedded_languages(file.path)}.isdisjoint(wanted)
