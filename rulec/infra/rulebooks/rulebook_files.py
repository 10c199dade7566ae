"""The rulebook on disk: rule files, evidence, settings and compiled checks, as the work tree or a commit holds them."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from os import DirEntry, scandir
from pathlib import Path

from rulec.checkout import record_cache, rules_layout
from rulec.domain.artifact import COMPILED_FOLDER, slug_of_artifact
from rulec.domain.evidence import Evidence
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.infra import journal
from rulec.infra.git import git_contents
from rulec.infra.rulebooks import extensions, rule_reading
from rulec.infra.text_files import read_text
from rulec.rulebook import config, dated_exceptions, evidence_file, rule_file
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.file_paths import CONFIG, RULEBOOK_GLOBS, RULES, archive_path, rule_path
from rulec.rulebook.rulebook import Rulebook

_KINDS = ("guard", "semgrep", "shell", "judge")
_NOT_IN_FORCE = ("superseded_by:", "retired:")


def rulebook_texts(top: Path) -> dict[str, str]:
    """Every YAML file of the rulebook by path: rules, archive, evidence, settings."""
    folder = top / RULES
    require_checked_out(top)
    return _texts(top, [path for shape in RULEBOOK_GLOBS for path in folder.glob(shape)])


def texts_about(top: Path, slug: str) -> dict[str, str]:
    """Those files of the rulebook that are about one rule, or about no single one."""
    folder = top / RULES
    require_checked_out(top)
    shapes = ("config.yaml", "exceptions/*.yaml", f"{slug}.yaml", f"archive/{slug}.yaml", f"evidence/{slug}/*.yaml")
    extended = (shape for shape in RULEBOOK_GLOBS if shape.startswith("extends/"))
    return _texts(top, [path for shape in (*shapes, *extended) for path in folder.glob(shape)])


def rule_texts(top: Path, slugs: Collection[str]) -> dict[str, str]:
    """The files of some rules in the work tree: in force, archived and compiled."""
    require_checked_out(top)
    named = (top / RULES / folder / f"{slug}.yaml" for slug in slugs for folder in ("", "archive"))
    return _texts(top, (path for path in named if os.path.lexists(path))) | compiled_texts(top, slugs)


def compiled_texts(top: Path, slugs: Collection[str]) -> dict[str, str]:
    """The compiled checks of some rules in the work tree."""
    paths = [path for kind in _KINDS for path in (top / COMPILED_FOLDER / kind).glob("*")]
    return _texts(top, (path for path in paths if slug_of_artifact(path.name) in slugs))


def _texts(top: Path, paths: Iterable[Path]) -> dict[str, str]:
    paths = sorted(paths)
    for path in paths:
        if path.is_symlink() or not path.is_file():
            raise RulecError(
                "is no regular file", where=path.relative_to(top).as_posix(), hint="put the rule's text there"
            )
    return {path.relative_to(top).as_posix(): read_text(path) for path in paths}


def has_rulebook(top: Path) -> bool:
    """Whether the repository has a rulebook."""
    if (top / CONFIG).is_file():
        return True
    require_checked_out(top)
    return False


def require_checked_out(top: Path, *, compiled: bool = False) -> None:
    """RulecError where rules, or their compiled checks, are not on the disk: unseen is not taken for absent."""
    folder, hint = top / RULES, f"run git sparse-checkout add {RULES}"
    if folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK):
        raise RulecError("cannot be read, so nobody knows the rules", where=RULES, hint="see who owns it")
    if not (top / ".git").exists():
        return
    left_out = git_contents.sparse_paths(top, RULES)
    hidden = [path for path in left_out if compiled or not path.startswith(f"{COMPILED_FOLDER}/")]
    if hidden:
        raise RulecError("is not checked out: it is not in this sparse checkout", where=hidden[0], hint=hint)
    if compiled and not folder.exists() and git_contents.tree_ids(top, [f"HEAD:{RULES}"])[0]:
        hint = f"run git checkout -- {RULES}"
        raise RulecError("is not checked out here, though HEAD has it", where=RULES, hint=hint)


def require_rulebook(top: Path) -> None:
    """Finish what a killed command left, such as init; RulecError where the work tree has no rulebook."""
    journal.finish_interrupted(top)
    if not has_rulebook(top):
        raise RulecError("has no rulebook", where=str(top), hint="run rulec init")


def load_rulebook(top: Path, *, anew: bool = False) -> Rulebook:
    """The rulebook of the work tree; RulecError with file:line where a file is wrong."""
    require_rulebook(top)
    files = rulebook_texts(top)
    with rule_reading.parse_cache(top, 0 if anew else len(files)):
        return parse_rulebook(files, own=is_personal(top))


def is_personal(top: Path) -> bool:
    """Whether the repository is the personal rulebook."""
    return top.resolve() == Path(rules_layout.personal_rulebook_path()).resolve()


def parse_rulebook(files: Mapping[str, str], *, own: bool = True, past: bool = False) -> Rulebook:
    """The rulebook from its files' texts; only the person's ``own`` one may set where keys are sent.

    Of a ``past`` commit settings that this version does not know are left out.
    """
    rules: list[Rule] = []
    archived: dict[str, tuple[str, str]] = {}
    evidence: dict[str, list[Evidence]] = {}
    exceptions: list[DatedException] = []
    for path, content in files.items():
        parts = path.split("/")
        if path == CONFIG or extensions.extension_of(path):
            continue
        if parts[1] == "archive":
            archived[rule_file.checked_slug(parts[2].removesuffix(".yaml"), path)] = (path, content)
            continue
        if parts[1] == "exceptions":
            exceptions.append(dated_exceptions.parse_exception(content, source=path))
        elif parts[1] == "evidence":
            item = _parse_evidence(path, content)
            evidence.setdefault(item.slug, []).append(item)
        else:
            rules.append(_parse_rule(path, content))
    for rule in rules:
        if rule.slug in archived:
            hint = "remove one of the two; rulec why shows which is later"
            raise RulecError(f"is in force too, as {rule.source}", where=archive_path(rule.slug), hint=hint)
    flat = Rulebook(
        rules=tuple(sorted(rules, key=lambda rule: rule.slug)),
        archived=frozenset(archived),
        heirs=rule_reading.read_heirs(rules, archived),
        evidence={slug: tuple(items) for slug, items in sorted(evidence.items())},
        config=config.parse_config(files.get(CONFIG, ""), source=CONFIG, own=own, past=past),
        dated_exceptions=tuple(sorted(exceptions, key=lambda one: one.source)),
    )
    return extensions.with_extensions(flat, files)


@cache
def _parse_evidence(path: str, content: str) -> Evidence:
    item = rule_reading.parse_once(path, content, evidence_file.parse_evidence)
    if item.slug != path.split("/")[2]:
        hint = f"move it to {RULES}/evidence/{item.slug}/"
        raise RulecError(f"is evidence for {item.slug}", where=path, hint=hint)
    return item


@cache  # one verb reads the rulebook of the work tree, of HEAD and of what becomes of each
def _parse_rule(path: str, content: str) -> Rule:
    rule = rule_reading.parse_once(path, content, rule_reading.read_rule)
    if path != rule_path(rule.slug):
        raise RulecError(f"holds the rule {rule.slug}", where=path, hint=f"name the file {rule.slug}.yaml")
    if over := rule.superseded_by or rule.retired:
        line = next((n for n, line in enumerate(content.splitlines(), 1) if line.startswith(_NOT_IN_FORCE)), 1)
        hint = f"move the file to {RULES}/archive/, or take that line out"
        raise RulecError(f"is no longer in force ({over[:80]})", where=f"{path}:{line}", hint=hint)
    return rule


def archived_rules(files: Mapping[str, str]) -> dict[str, Rule]:
    """The archived rules among some files, by slug."""
    found = {}
    for path, content in files.items():
        if path.startswith(f"{RULES}/archive/"):
            rule = rule_reading.read_rule(content, source=path)
            if path != archive_path(rule.slug):
                raise RulecError(f"holds the rule {rule.slug}", where=path, hint=f"name the file {rule.slug}.yaml")
            found[rule.slug] = rule
    return found


def compiled_in_work_tree(top: Path) -> dict[str, str]:
    """Every compiled file in the work tree."""
    folder = top / COMPILED_FOLDER
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(top).as_posix(): read_text(path) for path in paths}


def compiled_at_commit(top: Path, revision: str) -> dict[str, str]:
    """Every compiled file of a commit: what a change is judged by."""
    return git_contents.files_at_commit(top, revision, COMPILED_FOLDER)


def rulebook_stamp(top: Path) -> record_cache.SourceStamp:
    """What changes when a rule, the settings or a folder of evidence does; evidence files never change."""
    return record_cache.stamp_of(_paths(str(top / RULES)))


def _paths(folder: str) -> Iterator[str]:
    yield folder
    for entry in _entries(folder):
        if entry.name.endswith(".yaml") or entry.name == "archive":
            yield entry.path
        elif entry.name in ("evidence", "extends"):
            yield entry.path
            for inner in _entries(entry.path):
                if entry.name == "evidence":
                    yield inner.path
                else:
                    yield from _paths(inner.path)


def _entries(folder: str) -> list[DirEntry[str]]:
    try:
        with scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []
