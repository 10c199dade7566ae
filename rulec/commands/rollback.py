"""``rulec rollback``: a rule, its evidence and artifacts as they were at an earlier commit."""

from pathlib import Path

from rulec.commands import _write
from rulec.commands._outcome import Outcome
from rulec.commands.why import paths
from rulec.errors import RulecError
from rulec.host import git, journal, worktree

SUBJECT = "Roll back "


def run(top: Path, slug: str, to: str, *, into_git: bool = True) -> Outcome:
    """Restore the rule as of ``to``, by default as it was before its last change, in one commit."""
    with journal.lock(top):
        worktree.load(top)
        if into_git:
            _write.ready(top)
        edited = git.edited(top, *paths(slug))
        if edited:
            raise RulecError("has uncommitted changes", where=edited[0], hint="commit or stash them first")
        target = _target(top, slug, to)
        then = git.files_at(top, target, *paths(slug)) if target else {}
        if to and worktree.rule_path(slug) not in then and f"{worktree.RULES}/archive/{slug}.yaml" not in then:
            raise RulecError(f"{slug} did not exist at {to}", where=str(top), hint=f"see rulec log {slug}")
        now = _now(top, slug)
        changes = {path: then.get(path) for path in {*then, *now} if then.get(path) != now.get(path)}
        if not changes:
            return Outcome(f"{slug} already is as it was at {target[:10]}")
        name = target[:10] if target else "before it was made"
        if not into_git:
            return Outcome("\n".join(file.path for file in _write.to_work_tree(top, changes)))
        because = f"a person rolled it back to {name}"
        message = f"{SUBJECT}{slug} to {name}\n\nResolution: ROLLBACK {slug} -- {because}\nRule: {slug}\n"
        commit = _write.to_commit(top, changes, message)
    gone = "" if worktree.rule_path(slug) in then else "; the rule is gone"
    return Outcome(f"rolled back {slug} to {name}, commit {commit[:10]}{gone}")


def _target(top: Path, slug: str, to: str) -> str:
    """The commit to go back to: the one before the last change that made the rule what it is, rollbacks not counted."""
    if to:
        return git.commit_of(top, to)
    made = [commit for commit in git.history(top, *paths(slug)[:2]) if not commit.subject.startswith(SUBJECT)]
    if not made:
        raise RulecError(f"{slug} has no history", where=str(top), hint="rulec rules lists what there is")
    now = _now(top, slug)
    if not now:
        raise RulecError(
            f"{slug} is gone already", where=str(top), hint=f"rulec rollback {slug} --to COMMIT brings it back"
        )
    rule = worktree.rule_path(slug)
    same = (commit for commit in made if git.files_at(top, commit.id, rule).get(rule) == now.get(rule))
    parent = git.git(top, "rev-parse", "--verify", "-q", f"{next(same, made[0]).id}^")
    return parent.text.strip()


def _now(top: Path, slug: str) -> dict[str, str]:
    own = paths(slug)
    return {path: text for path, text in worktree.texts(top).items() if path in own or path.startswith(own[2] + "/")}
