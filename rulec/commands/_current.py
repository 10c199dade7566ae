"""Rules that are staged, and the compiled checks that are staged with them: a gate judges by what is compiled."""

from pathlib import Path

from rulec.commands import _build, _extends
from rulec.commands._rulebooks import Side
from rulec.errors import RulecError
from rulec.host import git, layers, worktree
from rulec.model.artifact import compiled_from
from rulec.model.change import Change


def hold(top: Path, change: Change) -> None:
    """RulecError where the change brings a rule that cannot be read or built, or that is not what is compiled."""
    slugs = {slug for file in change.files for path in (file.path, file.old_path) if (slug := _slug(path or ""))}
    if not slugs:
        return
    files = git.files_in_index(top, worktree.RULES)
    own = {path: text for path, text in files.items() if _of_book(path)}
    _extends.hold(own)
    book = Side(top=top, files=files).book(slugs)
    there = {artifact.path: artifact.text for artifact in worktree.compiled(files)}
    for slug in sorted(slugs):
        rule = book.rule(slug)
        wanted = {artifact.path: artifact.text for artifact in _build.of_rule(book, rule, top)} if rule else {}
        known = {path for path in there if compiled_from(path) == slug}
        if any(not _build.same(there.get(path), wanted.get(path)) for path in known | wanted.keys()):
            told, cure = "is not what is compiled and staged for it", "run rulec compile, then git add .rules"
            if not rule:
                told = "is removed, and what was compiled from it is still staged"
                cure = f"bring it back for rulec retire {slug}, or {cure}"
            raise RulecError(told, where=rule.source if rule else worktree.rule_path(slug), hint=cure)


def _slug(path: str) -> str:
    """The rule whose file that is, "" for anything else."""
    folder, _, name = path.rpartition("/")
    return (
        name.removesuffix(".yaml")
        if _holds_rules(folder) and name.endswith(".yaml") and path != worktree.CONFIG
        else ""
    )


def _holds_rules(folder: str) -> bool:
    """Whether that is the folder of the own rules, or of those of an extended rulebook."""
    return folder == worktree.RULES or folder.rpartition("/")[0] == layers.EXTENDS


def _of_book(path: str) -> bool:
    return path.endswith(".yaml") and path.split("/")[1] not in ("compiled", "templates")
