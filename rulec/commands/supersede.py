"""``rulec supersede``: one rule in force takes the place of another."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rulec.commands import _onto, _verb, _write
from rulec.commands._onto import Onto
from rulec.commands._outcome import Outcome
from rulec.commands._supersession import superseded
from rulec.errors import RulecError
from rulec.host import rulefiles, worktree
from rulec.model.rule import Rule


def run(top: Path, old_slug: str, new_slug: str, onto: Onto, *, because: str = "") -> Outcome:
    """Archive the old rule with a pointer to the new one, which says whose place it took; one commit."""
    if old_slug == new_slug:
        raise RulecError(f"{old_slug} cannot take its own place", hint="name the old rule, then the new one")
    with _onto.changing(top, onto) as book:
        old, new = _onto.standing(book, old_slug), _onto.standing(book, new_slug)
        texts = _onto.texts(top, onto)
        _no_circle(old, new_slug, texts)
        old, new = (replace(rule, revision=rule.revision + 1) for rule in (old, new))
        changes = superseded(old, new, *(_onto.text(top, onto, worktree.rule_path(r.slug)) for r in (old, new)))
        reason = _verb.reason(because) or f"a person put {new_slug} in its place"
        message = _verb.message(
            f"Supersede {old_slug} by {new_slug}", new, f"SUPERSEDE {old_slug}", because=reason, others=[old]
        )
        commit = _write.put(top, changes, message, onto)
    return _verb.done(top, onto, commit, f"{new_slug} took the place of {old_slug}")


def _no_circle(old: Rule, new_slug: str, texts: Mapping[str, str]) -> None:
    """Refuse a rule that the old one, or one before it, had taken the place of."""
    seen, waiting = {old.slug}, list(old.supersedes)
    while waiting:
        slug = waiting.pop()
        if slug == new_slug:
            hint = f"take {new_slug} out of what it supersedes (rulec edit {old.slug}), or rulec rollback {old.slug}"
            raise RulecError(f"{old.slug} took the place of {new_slug} itself", where=old.source, hint=hint)
        path = worktree.archive_path(slug)
        if slug not in seen and path in texts:
            seen.add(slug)
            waiting += rulefiles.loads(texts[path], source=path).supersedes
