"""Rules that are staged, and the compiled checks that are staged with them: a gate judges by what is compiled."""

from pathlib import Path

from rulec.commands import _build
from rulec.errors import RulecError
from rulec.host import git, worktree
from rulec.model.change import Change


def hold(top: Path, change: Change) -> None:
    """RulecError where the change brings a rule that cannot be read or built, or that is not what is compiled."""
    slugs = {slug for file in change.files for path in (file.path, file.old_path) if (slug := _slug(path or ""))}
    if not slugs:
        return
    files = git.files_in_index(top, worktree.RULES)
    book = worktree.book({path: text for path, text in files.items() if _of_book(path)})
    there = {artifact.path: artifact.text for artifact in worktree.compiled(files)}
    for slug in sorted(slugs):
        rule = book.rule(slug)
        wanted = {artifact.path: artifact.text for artifact in _build.of_rule(book, rule, top)} if rule else {}
        known = {path for path in there if path.rpartition("/")[2].split(".")[0] == slug}
        if any(not _build.same(there.get(path), wanted.get(path)) for path in known | wanted.keys()):
            cure = "run rulec compile, then git add .rules"
            raise RulecError("is not what is compiled and staged for it", where=worktree.rule_path(slug), hint=cure)


def _slug(path: str) -> str:
    """The rule whose file that is, "" for anything else."""
    folder, _, name = path.rpartition("/")
    return (
        name.removesuffix(".yaml")
        if folder == worktree.RULES and name.endswith(".yaml") and path != worktree.CONFIG
        else ""
    )


def _of_book(path: str) -> bool:
    return path.endswith(".yaml") and path.split("/")[1] not in ("compiled", "templates")
