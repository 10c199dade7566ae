"""Where a change of the rulebook goes: HEAD and the work tree, a branch alone, or the work tree alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rulec.errors import RulecError
from rulec.infra import journal, text_files
from rulec.infra.git import git_contents, git_refs, git_session
from rulec.infra.rulebooks import extensions, rulebook_files
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook

TEMPLATES = f"{file_paths.RULES}/templates"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTarget:
    """Where a change goes: HEAD with its work tree, ``branch`` alone, or without ``commit`` the work tree alone."""

    branch: str = ""
    commit: bool = True


HEAD = ChangeTarget()


@contextmanager
def open_rulebook(top: Path, onto: ChangeTarget) -> Iterator[Rulebook]:
    """The rulebook to change, while the write lock is held and nothing in the repository is half done."""
    with journal.write_lock(top):
        require_ready_to_write(top, onto)
        yield load_target_rulebook(top, onto)


def require_ready_to_write(top: Path, onto: ChangeTarget = HEAD) -> None:
    """Refuse to write where a change of ours could meet unfinished business of the person's.

    What they have staged or edited is none: the commit is built beside it, and `_write` refuses those very paths.
    """
    if onto.commit:
        _require_nothing_under_way(top, onto)
    if onto.branch:
        git_refs.require_free_branch(top, onto.branch)
    elif (top / file_paths.RULES).is_symlink() or (top / file_paths.RULES / ".git").exists():
        hint = "make it a plain folder, or run rulec where it lives"
        raise RulecError("is a link or a repository of its own", where=file_paths.RULES, hint=hint)
    elif left_out := git_contents.sparse_paths(top, file_paths.RULES):
        hint = f"run git sparse-checkout add {file_paths.RULES}"
        raise RulecError("is not in this sparse checkout", where=left_out[0], hint=hint)
    begin = base_commit(top, onto)
    if onto.commit and begin:
        _require_same_templates(top, begin)


def _require_nothing_under_way(top: Path, onto: ChangeTarget) -> None:
    under_way = git_session.operation_under_way(top)
    if under_way:
        raise RulecError(f"a {under_way} is under way", where=str(top), hint=f"finish or abort the {under_way} first")
    if not onto.branch and git_session.is_index_locked(top):
        hint = "wait until it ends; if none runs, remove index.lock from the git folder"
        raise RulecError("another git process is running here", where=str(top), hint=hint)


def _require_same_templates(top: Path, begin: str) -> None:
    """Refuse where the work tree's check templates differ from those of the commit that the change follows."""
    names = [path.relative_to(top).as_posix() for path in sorted((top / TEMPLATES).rglob("*.j2"))]
    here, files = text_files.read_existing(top, names), git_contents.files_at_commit(top, begin, TEMPLATES)
    there = {path: text for path, text in files.items() if path.endswith(".j2")}
    different = [path for path in sorted({*here, *there}) if _plain(here.get(path)) != _plain(there.get(path))]
    if different:
        hint = "commit your check templates first, or switch to the branch that has them"
        raise RulecError("differs from the commit that the change would follow", where=different[0], hint=hint)


def base_commit(top: Path, onto: ChangeTarget) -> str | None:
    """The commit that the change follows: HEAD, or the end of the branch; a new branch begins at HEAD."""
    return (
        git_session.find_commit(top, git_refs.branch_ref(onto.branch)) if onto.branch else None
    ) or git_session.head_commit(top)


def load_target_rulebook(top: Path, onto: ChangeTarget) -> Rulebook:
    """The rulebook to change: that of the work tree, or of the last commit of the branch."""
    if not onto.branch:
        return rulebook_files.load_rulebook(top)
    files = target_rulebook_texts(top, onto)
    if file_paths.CONFIG not in files:
        raise RulecError("has no rulebook", where=onto.branch, hint="commit the rulebook of the work tree first")
    try:
        return rulebook_files.parse_rulebook(files)
    except RulecError as error:
        raise RulecError(error.message, where=f"{onto.branch}:{error.where}", hint=error.hint) from None


def target_rulebook_texts(top: Path, onto: ChangeTarget) -> dict[str, str]:
    """Every YAML file of the rulebook to change, by path."""
    begin = base_commit(top, onto)
    if not onto.branch or not begin:
        return rulebook_files.rulebook_texts(top)
    files = git_contents.files_at_commit(top, begin, file_paths.RULES)
    return {path: _plain(text) for path, text in files.items() if is_rulebook_file(path)}


def is_rulebook_file(path: str) -> bool:
    """Whether a file below .rules is part of the rulebook."""
    parts = path.split("/")
    depth = {"archive": 3, "suppressions": 3, "evidence": 4}.get(parts[1], 2)
    return path.endswith(".yaml") and (len(parts) == depth or bool(extensions.extension_of(path)))


def target_file_text(top: Path, onto: ChangeTarget, path: str) -> str:
    """The text of one file of that rulebook (its comments are kept), "" for none."""
    begin = base_commit(top, onto)
    files = (
        git_contents.files_at_commit(top, begin, path)
        if onto.branch and begin
        else text_files.read_existing(top, [path])
    )
    return _plain(files.get(path, ""))


def _plain(content: str | None) -> str:
    return (content or "").removeprefix("\ufeff").replace("\r\n", "\n")


def describe_written(top: Path, onto: ChangeTarget, commit: str) -> str:
    """Where a change went, in words."""
    if not commit:
        return "written in the work tree, not committed"
    if onto.branch:
        return f"commit {commit[:10]} on {onto.branch}"
    loose = "; HEAD is detached: the commit is on no branch" if not git_session.current_branch(top) else ""
    return f"commit {commit[:10]}{loose}"


def push_hint(top: Path, onto: ChangeTarget) -> str:
    """The push command for a change on a branch, "" where there is no remote."""
    remote = git_refs.default_remote(top) if onto.branch else ""
    return f"next: git push -u {remote} {onto.branch}" if remote else ""
