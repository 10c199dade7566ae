"""The files of a rule, the rules that it replaced, and every commit that changed it."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading
from rulec.rulebook import file_paths, git_history, rule_file
from rulec.rulebook.git_history import RuleCommit

_TRAILER = re.compile(r"^Resolution: (.+)$", re.MULTILINE)
_RULE = re.compile(rf"{re.escape(file_paths.RULES)}/(?:archive/)?([^/]+)\.yaml")


def rule_paths(slug: str) -> tuple[str, str, str]:
    """Every path of one rule: its file, its archived file, the folder of its evidence."""
    return file_paths.rule_path(slug), file_paths.archive_path(slug), file_paths.evidence_folder(slug)


def files_of_rule(files: Mapping[str, str], slug: str) -> dict[str, str]:
    """Those of some files that belong to one rule."""
    rule, archived, evidence = rule_paths(slug)
    return {path: text for path, text in files.items() if path in (rule, archived) or path.startswith(f"{evidence}/")}


def rule_in_files(files: Mapping[str, str], slug: str) -> Rule | None:
    """The rule as some files hold it, in force or archived."""
    for path in rule_paths(slug)[:2]:
        if path in files:
            return rule_reading.read_rule(files[path], source=path)
    return None


def linked_rules(slug: str, *books: Mapping[str, str]) -> list[str]:
    """The rule, the rules that it replaced and those that replaced it, in any of some states of the rulebook."""
    found, wanted = [slug], [slug]
    while wanted:
        name = wanted.pop()
        rules = [rule for files in books if (rule := _readable(files, name))]
        for other in (other for rule in rules for other in (*rule.supersedes, rule.superseded_by)):
            if other and other not in found:
                found.append(other)
                wanted.append(other)
    return found


def predecessors(slug: str, files: Mapping[str, str]) -> list[str]:
    """The rules that it replaced, and those that these replaced, nearest first."""
    found: list[str] = []
    wanted = [slug]
    while wanted:
        rule = _readable(files, wanted.pop(0))
        new = [other for other in (rule.supersedes if rule else ()) if other not in (slug, *found)]
        found += new
        wanted += new
    return found


def _readable(files: Mapping[str, str], slug: str) -> Rule | None:
    try:
        return rule_in_files(files, slug)
    except RulecError:
        return None  # an old state may hold what nobody could read even then


def earlier_names(top: Path, slug: str, start: str = "") -> list[str]:
    """The rule's name, and the names it had before it was renamed."""
    found = [slug]
    for old in git_history.former_names(top, file_paths.rule_path(slug), start):
        match = _RULE.fullmatch(old)
        if match and match[1] not in found and rule_file.SLUG_PATTERN.fullmatch(match[1]):
            found.append(match[1])
    return found


def rule_commits(top: Path, slug: str, start: str = "") -> list[RuleCommit]:
    """The commits that changed the rule, its archive or its evidence, newest first, under all its names."""
    named = earlier_names(top, slug, start)
    return git_history.commits_touching(top, *(path for name in named for path in rule_paths(name)), start=start)


def commit_resolution(commit: RuleCommit) -> str:
    """The decision in a commit's trailers, or its subject where there is none."""
    found = _TRAILER.search(commit.body.rstrip().rpartition("\n\n")[2])  # words above may imitate it
    return found[1] if found else commit.subject


def commit_effects(commit: RuleCommit) -> Iterator[str]:
    """What the commit did to the files of the rule, in words."""
    kinds: dict[tuple[str, str], int] = {}
    for how, path in commit.touched:
        part = path.split("/")[1]
        kind = part if part in ("archive", "evidence") else "rule"
        kinds[kind, how] = kinds.get((kind, how), 0) + 1
    for (kind, how), number in sorted(kinds.items()):
        word = _WORDS.get((kind, how), "")
        if word:
            yield f"{word}{number} evidence" if kind == "evidence" else word


_WORDS = {
    ("rule", "A"): "in force",
    ("rule", "M"): "changed",
    ("rule", "D"): "out of force",
    ("archive", "A"): "archived",
    ("archive", "D"): "left the archive",
    ("evidence", "A"): "+",
    ("evidence", "D"): "-",
}
