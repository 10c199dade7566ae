"""Where a change of the rulebook goes: HEAD and the work tree, a branch alone, or the work tree alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rulec.commands._named import known
from rulec.errors import RulecError
from rulec.host import git, journal, layers, refs, worktree
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook

TEMPLATES = f"{worktree.RULES}/templates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Onto:
    """One commit on HEAD with its work tree, one on ``branch`` that touches neither, or with no ``commit`` none."""

    branch: str = ""
    commit: bool = True


HEAD = Onto()


@contextmanager
def changing(top: Path, onto: Onto) -> Iterator[Rulebook]:
    """The rulebook that is changed, while no other rulec writes and nothing of the person's is half done."""
    with journal.lock(top):
        ready(top, onto)
        yield load(top, onto)


def ready(top: Path, onto: Onto = HEAD) -> None:
    """Refuse to write where a change of ours could meet unfinished business of the person's.

    What they have staged or edited is none: the commit is built beside it, and `_write` refuses those very paths.
    """
    if onto.commit:
        _settled(top, onto)
    if onto.branch:
        refs.fit(top, onto.branch)
    elif (top / worktree.RULES).is_symlink() or (top / worktree.RULES / ".git").exists():
        hint = "make it a plain folder, or run rulec where it lives"
        raise RulecError("is a link or a repository of its own", where=worktree.RULES, hint=hint)
    elif left_out := git.not_here(top, worktree.RULES):
        hint = f"run git sparse-checkout add {worktree.RULES}"
        raise RulecError("is not in this sparse checkout", where=left_out[0], hint=hint)
    begin = start(top, onto)
    if onto.commit and begin:
        _same_templates(top, begin)


def _settled(top: Path, onto: Onto) -> None:
    under_way = git.unsettled(top)
    if under_way:
        raise RulecError(f"a {under_way} is under way", where=str(top), hint=f"finish or abort the {under_way} first")
    if not onto.branch and git.index_locked(top):
        hint = "wait for it to end; if none runs, remove index.lock from the git folder"
        raise RulecError("another git is at work here", where=str(top), hint=hint)


def _same_templates(top: Path, begin: str) -> None:
    """Artifacts are built with the work tree's check templates, so a commit may only stand on the same ones."""
    names = [path.relative_to(top).as_posix() for path in sorted((top / TEMPLATES).rglob("*.j2"))]
    here, files = worktree.present(top, names), git.files_at(top, begin, TEMPLATES)
    there = {path: text for path, text in files.items() if path.endswith(".j2")}
    different = [path for path in sorted({*here, *there}) if _plain(here.get(path)) != _plain(there.get(path))]
    if different:
        hint = "commit your check templates first, or be on the branch that has them"
        raise RulecError("is not as in the commit that the change would follow", where=different[0], hint=hint)


def start(top: Path, onto: Onto) -> str | None:
    """The commit that the change will follow: HEAD's or the branch's, which begins at HEAD where it is new."""
    return (refs.tip(top, refs.ref(onto.branch)) if onto.branch else None) or git.head(top)


def load(top: Path, onto: Onto) -> Rulebook:
    """The rulebook that is changed: that of the work tree, or of the branch's last commit."""
    if not onto.branch:
        return worktree.load(top)
    files = texts(top, onto)
    if worktree.CONFIG not in files:
        raise RulecError("has no rulebook", where=onto.branch, hint="commit the one of the work tree first")
    try:
        return worktree.book(files)
    except RulecError as error:
        raise RulecError(error.message, where=f"{onto.branch}:{error.where}", hint=error.hint) from None


def texts(top: Path, onto: Onto) -> dict[str, str]:
    """Every YAML file of that rulebook by its path."""
    begin = start(top, onto)
    if not onto.branch or not begin:
        return worktree.texts(top)
    files = git.files_at(top, begin, worktree.RULES)
    return {path: _plain(text) for path, text in files.items() if of_rulebook(path)}


def of_rulebook(path: str) -> bool:
    """Whether a file below .rules is one that the rulebook is read from."""
    parts = path.split("/")
    depth = {"archive": 3, "suppressions": 3, "evidence": 4}.get(parts[1], 2)
    return path.endswith(".yaml") and (len(parts) == depth or bool(layers.owner(path)))


def text(top: Path, onto: Onto, path: str) -> str:
    """One file of that rulebook, whose comments people want to keep; "" where there is none."""
    begin = start(top, onto)
    files = git.files_at(top, begin, path) if onto.branch and begin else worktree.present(top, [path])
    return _plain(files.get(path, ""))


def _plain(content: str | None) -> str:
    return (content or "").removeprefix("\ufeff").replace("\r\n", "\n")


def standing(book: Rulebook, slug: str) -> Rule:
    """The team's rule of that name that is in force, or a refusal that says what it is instead."""
    rule = book.rule(slug)
    if rule is None and slug in book.archived:
        hint = f"rulec rollback {slug} brings it back"
        raise RulecError(f"{slug} is in the archive, no rule in force", where=worktree.archive_path(slug), hint=hint)
    rule = known(book, slug)
    if rule.layer != "team":
        hint = "change it there; a rule of your own with this name goes before it"
        raise RulecError(f"{slug} is not of this rulebook but {rule.layer}", where=rule.source, hint=hint)
    return rule


def told(top: Path, onto: Onto, commit: str) -> str:
    """Where a change went, in words."""
    if not commit:
        return "written in the work tree, not committed"
    if onto.branch:
        return f"commit {commit[:10]} on {onto.branch}"
    loose = "; HEAD is detached: the commit is on no branch" if refs.detached(top) else ""
    return f"commit {commit[:10]}{loose}"


def push(top: Path, onto: Onto) -> str:
    """The next step of somebody who asked for a branch, "" where there is nowhere to push it."""
    remote = refs.remote(top) if onto.branch else ""
    return f"next: git push -u {remote} {onto.branch}" if remote else ""
