"""rulec rollback: restores a rule with its archive, evidence and compiled files as of an earlier commit."""

import re
from collections.abc import Mapping
from pathlib import Path

from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.infra.git import git_contents, git_session
from rulec.rulebook import file_paths
from rulec.services import rulebook_commit
from rulec.services.history import rule_history
from rulec.services.rulebook_commit import HEAD, ChangeTarget

SUBJECT = "Roll back "
_REVISION = re.compile(r"@(\d{1,9})")


def roll_back(top: Path, slug: str, to: str, onto: ChangeTarget = HEAD, *, because: str = "") -> Outcome:
    """Restore the rule as of ``to``, by default as it was before its last change, in one commit.

    ``to`` is a commit, or ``@N`` for the rule's own revision N. What it had superseded comes back with it.
    """
    with rulebook_commit.open_rulebook(top, onto):
        now = rulebook_commit.target_rulebook_texts(top, onto)
        target = _target_commit(top, slug, to, now, rulebook_commit.base_commit(top, onto) or "")
        then = git_contents.files_at_commit(top, target, file_paths.RULES) if target else {}
        if to and rule_history.rule_in_files(then, slug) is None:
            raise RulecError(f"{slug} did not exist at {to}", where=str(top), hint=f"see rulec why {slug}")
        slugs = rule_history.linked_rules(slug, now, then)
        changes = _between(slugs, now, then)
        if not changes:
            return Outcome(f"{slug} already is as it was at {target[:10]}")
        _require_unedited(top, slugs, onto)
        name = target[:10] if any(path in then for path in rule_history.rule_paths(slug)[:2]) else "before it was made"
        others = [other for other in slugs if other != slug and _moved(other, changes)]
        gone = "" if file_paths.rule_path(slug) in then else "; the rule is gone"
        back = ", ".join(other for other in others if file_paths.rule_path(other) in {*then} - {*now})
        more = gone + f"; in force again: {back}" * bool(back)
        done = f"rolled back {slug} to {name}"
        reason = rulebook_commit.clean_reason(because) or f"a person rolled it back to {name}"
        message = _message(slug, name, others, reason)
        return rulebook_commit.commit_with_outcome(top, onto, changes, message, done, more=more)


def _require_unedited(top: Path, slugs: list[str], onto: ChangeTarget) -> None:
    """Refuse where files of the rules have uncommitted changes, which would be lost."""
    paths = [path for name in slugs for path in rule_history.rule_paths(name)]
    edited = [] if onto.branch else git_contents.edited_paths(top, *paths)
    if edited:
        raise RulecError("has uncommitted changes", where=edited[0], hint="commit or stash them first")


def _between(slugs: list[str], now: Mapping[str, str], then: Mapping[str, str]) -> dict[str, str | None]:
    """The files to write or remove so that these rules are as they were."""
    here, there = (
        {k: v for slug in slugs for k, v in rule_history.files_of_rule(files, slug).items()} for files in (now, then)
    )
    return {path: there.get(path) for path in {*here, *there} if there.get(path) != here.get(path)}


def _moved(slug: str, changes: Mapping[str, str | None]) -> bool:
    return any(path in changes for path in rule_history.rule_paths(slug)[:2])


def _message(slug: str, name: str, others: list[str], because: str) -> str:
    rules = "".join(f"Rule: {one}\n" for one in (slug, *others))
    return f"{SUBJECT}{slug} to {name}\n\nResolution: ROLLBACK {slug} -- {because}\n{rules}"


def _target_commit(top: Path, slug: str, to: str, now: Mapping[str, str], start: str) -> str:
    """The commit to restore: the one before the last change of the rule, rollbacks not counted."""
    revision = _REVISION.fullmatch(to)
    if to and not revision:
        return git_session.require_commit(top, to)
    made = [
        c
        for c in rule_history.rule_commits(top, slug, start)
        if _of_rule(c.touched) and not c.subject.startswith(SUBJECT)
    ]
    if revision:
        return _at_revision(top, slug, int(revision[1]), [commit.id for commit in made])
    if not made:
        raise RulecError(f"{slug} has no history", where=str(top), hint="rulec rules lists what there is")
    mine = rule_history.files_of_rule(now, slug)
    if not mine:
        hint = f"rulec rollback {slug} --to COMMIT brings it back"
        raise RulecError(f"{slug} is gone already", where=str(top), hint=hint)
    files = rule_history.rule_paths(slug)[:2]
    stand = {path: mine[path] for path in files if path in mine}
    last = next((commit for commit in made if git_contents.files_at_commit(top, commit.id, *files) == stand), made[0])
    if last.edge:
        raise RulecError(
            f"what {slug} was before {last.id[:10]} is not in this shallow clone",
            where=str(top),
            hint="run git fetch --unshallow, or name a commit with --to",
        )
    return last.parents[0] if last.parents else ""


def _of_rule(touched: tuple[tuple[str, str], ...]) -> bool:
    """Whether a commit changed more of the rule than its evidence."""
    return any(not path.startswith(f"{file_paths.RULES}/evidence/") for _, path in touched)


def _at_revision(top: Path, slug: str, revision: int, made: list[str]) -> str:
    for commit in made:
        rule = rule_history.rule_in_files(
            git_contents.files_at_commit(top, commit, *rule_history.rule_paths(slug)[:2]), slug
        )
        if rule and rule.revision == revision:
            return commit
    raise RulecError(f"no commit here holds {slug}@{revision}", where=str(top), hint=f"see rulec why {slug}")
