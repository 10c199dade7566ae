"""rulec retire and rulec supersede: move a rule to the archive."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading
from rulec.rulebook import file_paths, rulebook
from rulec.services import change_target, rulebook_commit
from rulec.services.change_target import ChangeTarget
from rulec.services.rulebook_commit import archive_files, supersession_files


def retire_rule(top: Path, slug: str, onto: ChangeTarget, *, because: str) -> Outcome:
    """Archive a rule; its compiled files go, its evidence stays, and ``rulec rollback`` restores it."""
    reason = rulebook_commit.clean_reason(because)
    if not reason:
        raise RulecError("the reason is empty", hint='say why: rulec retire SLUG --because "we left npm"')
    with change_target.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        gone = replace(rule, retired=reason, revision=rule.revision + 1)
        changes = archive_files(gone, change_target.target_file_text(top, onto, file_paths.rule_path(slug)))
        message = rulebook_commit.rule_commit_message(f"Retire {slug}", gone, f"RETIRE {slug}", because=reason)
        commit = rulebook_commit.write_rulebook_change(top, changes, message, onto)
    return rulebook_commit.closing_outcome(top, onto, commit, f"retired {slug}")


def supersede_rule(top: Path, old_slug: str, new_slug: str, onto: ChangeTarget, *, because: str = "") -> Outcome:
    """Archive the old rule and link it with the new one, in one commit."""
    if old_slug == new_slug:
        raise RulecError(f"{old_slug} cannot replace itself", hint="name the old rule, then the new one")
    with change_target.open_rulebook(top, onto) as book:
        old, new = rulebook.require_team_rule(book, old_slug), rulebook.require_team_rule(book, new_slug)
        texts = change_target.target_rulebook_texts(top, onto)
        _refuse_circle(old, new_slug, texts)
        old, new = (replace(rule, revision=rule.revision + 1) for rule in (old, new))
        changes = supersession_files(
            old, new, *(change_target.target_file_text(top, onto, file_paths.rule_path(r.slug)) for r in (old, new))
        )
        reason = rulebook_commit.clean_reason(because) or f"a person replaced it by {new_slug}"
        message = rulebook_commit.rule_commit_message(
            f"Supersede {old_slug} by {new_slug}", new, f"SUPERSEDE {old_slug}", because=reason, others=[old]
        )
        commit = rulebook_commit.write_rulebook_change(top, changes, message, onto)
    return rulebook_commit.closing_outcome(top, onto, commit, f"{new_slug} took the place of {old_slug}")


def _refuse_circle(old: Rule, new_slug: str, texts: Mapping[str, str]) -> None:
    """Refuse a new rule that was itself replaced by the old one, directly or not."""
    seen, waiting = {old.slug}, list(old.supersedes)
    while waiting:
        slug = waiting.pop()
        if slug == new_slug:
            hint = f"take {new_slug} out of what it supersedes (rulec edit {old.slug}), or rulec rollback {old.slug}"
            raise RulecError(f"{old.slug} took the place of {new_slug} itself", where=old.source, hint=hint)
        path = file_paths.archive_path(slug)
        if slug not in seen and path in texts:
            seen.add(slug)
            waiting += rule_reading.read_rule(texts[path], source=path).supersedes
