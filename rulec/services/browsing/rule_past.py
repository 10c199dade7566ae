"""The past of a rule: the commits that changed it, each with what it changed in the file and in verdicts."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.gates import personal_rules
from rulec.infra.git import git_contents, git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook.rulebook import Rulebook
from rulec.services.history import diff, rule_history, why
from rulec.services.rules.refinements import refinement_lines

AROUND = 3  # lines of context in a diff
MOST = 200  # commits that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRevision:
    """One commit that changed a rule."""

    commit: str
    at: str
    author: str
    resolution: str
    did: tuple[str, ...] = ()
    slug: str = ""  # the name that the rule had then


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDiff:
    """What one commit changed of a rule."""

    change: RuleRevision
    message: str
    diff: str
    lines: tuple[str, ...] = ()  # what became of checks and verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePast:
    """What a rule did, how sure it is and beside which others it stands, in lines, and the commits that changed it."""

    lines: tuple[str, ...]
    changes: tuple[RuleRevision, ...]


def rule_past(top: Path, slug: str) -> RulePast:
    """The past of a rule in force or archived, newest first."""
    here = personal_rules.holding_repository(top, slug)
    book = rulebook_files.load_rulebook(here)
    rule = book.rule(slug)
    return RulePast(lines=tuple(_lines(here, book, rule)) if rule else (), changes=past_changes(top, slug))


def _lines(top: Path, book: Rulebook, rule: Rule) -> Iterator[str]:
    yield from refinement_lines(book, rule)
    yield from why.contradiction_lines(top, rule)
    yield from why.caught_lines(top, rule, book.observed(rule.slug))
    yield from why.confidence_lines(top, book, rule)


def past_changes(top: Path, slug: str) -> tuple[RuleRevision, ...]:
    """The commits that changed the rule and those that it replaced, newest first."""
    here = personal_rules.holding_repository(top, slug)
    files = rulebook_files.rulebook_texts(here)
    names = (slug, *rule_history.predecessors(slug, files))
    return tuple(
        RuleRevision(
            commit=one.id, at=one.at, author=one.author, resolution=rule_history.commit_resolution(one),
            did=tuple(rule_history.commit_effects(one)), slug=name,
        )
        for name in names for one in rule_history.rule_commits(here, name)
    )[:MOST]  # fmt: skip


def change_diff(top: Path, slug: str, commit: str) -> ChangeDiff | None:
    """What a commit of the rule's past changed; None where it is none of them."""
    here = personal_rules.holding_repository(top, slug)
    name = git_session.find_commit(here, commit)
    change = next((one for one in past_changes(top, slug) if one.commit == name), None)
    if name is None or change is None:
        return None
    known = next(one for one in rule_history.rule_commits(here, change.slug) if one.id == name)
    parent = known.parents[0] if known.parents else ""
    paths = sorted({path for _, path in known.touched})
    before = git_contents.files_at_commit(here, parent, *paths) if parent else {}
    after = git_contents.files_at_commit(here, name, *paths)
    text = "\n".join(line for path in paths for line in _file_diff(path, before.get(path), after.get(path)))
    message = f"{known.subject}\n\n{known.body}".strip()
    return ChangeDiff(
        change=change, message=redact(message), diff=redact(text),
        lines=tuple(_verdict_lines(here, change.slug, parent, name)) if parent else (),
    )  # fmt: skip


def _file_diff(path: str, before: str | None, after: str | None) -> Iterator[str]:
    if before == after:
        return
    old, new = (path if text is not None else "/dev/null" for text in (before, after))
    yield from difflib.unified_diff(
        (before or "").splitlines(), (after or "").splitlines(), old, new, lineterm="", n=AROUND
    )


def _verdict_lines(top: Path, slug: str, before: str, after: str) -> Iterator[str]:
    """What became of the rule between two commits, in the words of rulec diff."""
    try:
        found: list[dict[str, Any]] = diff.diff_rules(top, f"{before}..{after}").data
    except RulecError as error:  # an old state may hold what nobody can read any more
        yield f"its checks cannot be compared: {error}"
        return
    for one in found:
        if one["slug"] == slug:
            acts = [side["acts"] for side in (one["before"], one["after"]) if side]
            yield f"{one['kind']}: {' -> '.join(dict.fromkeys(acts))}"
            yield from (f"{each['example']}: {each['before']} -> {each['after']}" for each in one["examples"])
