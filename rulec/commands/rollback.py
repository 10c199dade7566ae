"""``rulec rollback``: a rule, its archive, its evidence and its artifacts as they were at an earlier commit."""

import re
from collections.abc import Mapping
from pathlib import Path

from rulec.commands import _lineage, _onto, _write
from rulec.commands._onto import HEAD, Onto
from rulec.commands._outcome import Outcome
from rulec.errors import RulecError
from rulec.host import git, worktree

SUBJECT = "Roll back "
_REVISION = re.compile(r"@(\d{1,9})")


def run(top: Path, slug: str, to: str, onto: Onto = HEAD) -> Outcome:
    """Restore the rule as of ``to``, by default as it was before its last change, in one commit.

    ``to`` is a commit, or ``@N`` for the rule's own revision N. What it had superseded comes back with it.
    """
    with _onto.changing(top, onto):
        now = _onto.texts(top, onto)
        target = _target(top, slug, to, now, _onto.start(top, onto) or "")
        then = git.files_at(top, target, worktree.RULES) if target else {}
        if to and _lineage.stands(then, slug) is None:
            raise RulecError(f"{slug} did not exist at {to}", where=str(top), hint=f"see rulec log {slug}")
        slugs = _lineage.linked(slug, now, then)
        changes = _between(slugs, now, then)
        if not changes:
            return Outcome(f"{slug} already is as it was at {target[:10]}")
        _settled(top, slugs, onto)
        name = target[:10] if any(path in then for path in _lineage.paths(slug)[:2]) else "before it was made"
        others = [other for other in slugs if other != slug and _moved(other, changes)]
        commit = _write.put(top, changes, _message(slug, name, others), onto)
    gone = "" if worktree.rule_path(slug) in then else "; the rule is gone"
    risen = [other for other in others if worktree.rule_path(other) in then and worktree.rule_path(other) not in now]
    back = ", ".join(risen)
    again = f"; in force again: {back}" * bool(back)
    lines = [f"rolled back {slug} to {name}: {_onto.told(top, onto, commit)}{gone}{again}", _onto.push(top, onto)]
    return Outcome("\n".join(filter(None, lines)))


def _settled(top: Path, slugs: list[str], onto: Onto) -> None:
    """Refuse where files of the rules are edited: what stands there is in no commit that it could come back from."""
    paths = [path for name in slugs for path in _lineage.paths(name)]
    edited = [] if onto.branch else git.edited(top, *paths)
    if edited:
        raise RulecError("has uncommitted changes", where=edited[0], hint="commit or stash them first")


def _between(slugs: list[str], now: Mapping[str, str], then: Mapping[str, str]) -> dict[str, str | None]:
    """What has to be written or removed so that all files of these rules are as they were."""
    here, there = ({k: v for slug in slugs for k, v in _lineage.own(files, slug).items()} for files in (now, then))
    return {path: there.get(path) for path in {*here, *there} if there.get(path) != here.get(path)}


def _moved(slug: str, changes: Mapping[str, str | None]) -> bool:
    return any(path in changes for path in _lineage.paths(slug)[:2])


def _message(slug: str, name: str, others: list[str]) -> str:
    because = f"a person rolled it back to {name}"
    rules = "".join(f"Rule: {one}\n" for one in (slug, *others))
    return f"{SUBJECT}{slug} to {name}\n\nResolution: ROLLBACK {slug} -- {because}\n{rules}"


def _target(top: Path, slug: str, to: str, now: Mapping[str, str], start: str) -> str:
    """The commit to go back to: the one before the last change that made the rule what it is, rollbacks not counted."""
    revision = _REVISION.fullmatch(to)
    if to and not revision:
        return git.commit_of(top, to)
    made = [c for c in _lineage.commits(top, slug, start) if _of_rule(c.touched) and not c.subject.startswith(SUBJECT)]
    if revision:
        return _at_revision(top, slug, int(revision[1]), [commit.id for commit in made])
    if not made:
        raise RulecError(f"{slug} has no history", where=str(top), hint="rulec rules lists what there is")
    mine = _lineage.own(now, slug)
    if not mine:
        hint = f"rulec rollback {slug} --to COMMIT brings it back"
        raise RulecError(f"{slug} is gone already", where=str(top), hint=hint)
    files = _lineage.paths(slug)[:2]
    stand = {path: mine[path] for path in files if path in mine}
    last = next((commit for commit in made if git.files_at(top, commit.id, *files) == stand), made[0])
    if last.edge:
        raise RulecError(
            f"what {slug} was before {last.id[:10]} is not in this shallow clone",
            where=str(top),
            hint="run git fetch --unshallow, or name a commit with --to",
        )
    return last.parents[0] if last.parents else ""


def _of_rule(touched: tuple[tuple[str, str], ...]) -> bool:
    """Whether a commit touched more of the rule than its evidence."""
    return any(not path.startswith(f"{worktree.RULES}/evidence/") for _, path in touched)


def _at_revision(top: Path, slug: str, revision: int, made: list[str]) -> str:
    for commit in made:
        rule = _lineage.stands(git.files_at(top, commit, *_lineage.paths(slug)[:2]), slug)
        if rule and rule.revision == revision:
            return commit
    raise RulecError(f"no commit here holds {slug}@{revision}", where=str(top), hint=f"see rulec log {slug}")
