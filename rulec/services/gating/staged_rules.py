"""Refuses staged rules whose compiled files are not staged with them."""

from pathlib import Path

from rulec.compiling import artifacts, bundle
from rulec.domain.artifact import slug_of_artifact
from rulec.domain.change import Change
from rulec.errors import RulecError
from rulec.gates.weakening.gate_states import GateState
from rulec.infra.git import git_contents
from rulec.infra.rulebooks import extensions, rulebook_files
from rulec.rulebook import file_paths


def require_compiled(top: Path, change: Change) -> None:
    """RulecError where a staged rule cannot be read or built, or differs from the staged compiled files."""
    slugs = {slug for file in change.files for path in (file.path, file.old_path) if (slug := _slug(path or ""))}
    if not slugs:
        return
    files = git_contents.files_in_index(top, file_paths.RULES)
    own = {path: text for path, text in files.items() if _of_book(path)}
    extensions.require_locked(own)
    book = GateState(top=top, files=files).book(slugs)
    there = {artifact.path: artifact.text for artifact in rulebook_files.compiled_checks(files)}
    for slug in sorted(slugs):
        rule = book.rule(slug)
        wanted = {artifact.path: artifact.text for artifact in artifacts.compile_rule(book, rule, top)} if rule else {}
        known = {path for path in there if slug_of_artifact(path) == slug}
        if any(not bundle.same_text(there.get(path), wanted.get(path)) for path in known | wanted.keys()):
            told, cure = "does not match the compiled files that are staged", "run rulec compile, then git add .rules"
            if not rule:
                told = "is removed, but its compiled files are still staged"
                cure = f"restore it and run rulec retire {slug}, or {cure}"
            raise RulecError(told, where=rule.source if rule else file_paths.rule_path(slug), hint=cure)


def _slug(path: str) -> str:
    """The slug of the rule whose file this is, "" for any other file."""
    folder, _, name = path.rpartition("/")
    return (
        name.removesuffix(".yaml")
        if _holds_rules(folder) and name.endswith(".yaml") and path != file_paths.CONFIG
        else ""
    )


def _holds_rules(folder: str) -> bool:
    """Whether the folder holds rules of the team or of an extended rulebook."""
    return folder == file_paths.RULES or folder.rpartition("/")[0] == extensions.EXTENSIONS_FOLDER


def _of_book(path: str) -> bool:
    return path.endswith(".yaml") and path.split("/")[1] not in ("compiled", "templates")
