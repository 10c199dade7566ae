"""One rule in the place of another -> the files that say so: the old one in the archive, the new one in force."""

from dataclasses import replace

from rulec.host import rulefiles, worktree
from rulec.model.rule import Rule


def superseded(old: Rule, new: Rule, old_text: str = "", new_text: str = "") -> dict[str, str | None]:
    """The changes of SUPERSEDE; the texts are those of the two files, whose comments people want to keep.

    The evidence of the old rule stays where it is, and its artifacts go because no rule in force has them.
    """
    return {**archived(replace(old, superseded_by=new.slug), old_text), **_in_force(old, new, new_text)}


def archived(rule: Rule, text: str = "") -> dict[str, str | None]:
    """The changes that take a rule out of force."""
    return {worktree.rule_path(rule.slug): None, worktree.archive_path(rule.slug): rulefiles.dumps(rule, text)}


def _in_force(old: Rule, new: Rule, text: str) -> dict[str, str | None]:
    follows = tuple(dict.fromkeys((*new.supersedes, old.slug)))
    return {worktree.rule_path(new.slug): rulefiles.dumps(replace(new, supersedes=follows), text)}
