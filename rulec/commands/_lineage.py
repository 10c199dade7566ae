"""A rule's name -> its files, the rules it took the place of, and every commit that made it what it is."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulec import rulefile
from rulec.errors import RulecError
from rulec.host import logs, rulefiles, worktree
from rulec.host.logs import Commit
from rulec.model.rule import Rule

_TRAILER = re.compile(r"^Resolution: (.+)$", re.MULTILINE)
_RULE = re.compile(rf"{re.escape(worktree.RULES)}/(?:archive/)?([^/]+)\.yaml")


def paths(slug: str) -> tuple[str, str, str]:
    """Every path that belongs to one rule: its file, its place in the archive, the folder of its evidence."""
    return worktree.rule_path(slug), worktree.archive_path(slug), worktree.evidence_folder(slug)


def own(files: Mapping[str, str], slug: str) -> dict[str, str]:
    """Of some files those that belong to one rule."""
    rule, archived, evidence = paths(slug)
    return {path: text for path, text in files.items() if path in (rule, archived) or path.startswith(f"{evidence}/")}


def stands(files: Mapping[str, str], slug: str) -> Rule | None:
    """The rule as some files hold it, in force or in the archive."""
    for path in paths(slug)[:2]:
        if path in files:
            return rulefiles.loads(files[path], source=path)
    return None


def linked(slug: str, *books: Mapping[str, str]) -> list[str]:
    """The rule and all that took its place or whose place it took, in any of some states of the rulebook."""
    found, wanted = [slug], [slug]
    while wanted:
        name = wanted.pop()
        rules = [rule for files in books if (rule := _readable(files, name))]
        for other in (other for rule in rules for other in (*rule.supersedes, rule.superseded_by)):
            if other and other not in found:
                found.append(other)
                wanted.append(other)
    return found


def before(slug: str, files: Mapping[str, str]) -> list[str]:
    """The rules whose place it took, and those whose place these took; the nearest first."""
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
        return stands(files, slug)
    except RulecError:
        return None  # an old state may hold what nobody could read even then


def names(top: Path, slug: str, start: str = "") -> list[str]:
    """The rule's name, and those that its file had before somebody renamed it."""
    found = [slug]
    for old in logs.renamed_from(top, worktree.rule_path(slug), start):
        match = _RULE.fullmatch(old)
        if match and match[1] not in found and rulefile.SLUG.fullmatch(match[1]):
            found.append(match[1])
    return found


def commits(top: Path, slug: str, start: str = "") -> list[Commit]:
    """What made the rule, its archive and its evidence what they are, newest first, under each name it had."""
    named = names(top, slug, start)
    return logs.history(top, *(path for name in named for path in paths(name)), start=start)


def resolution(commit: Commit) -> str:
    """What the commit says that it decided, or its subject where it decided nothing by name."""
    found = _TRAILER.search(commit.body.rstrip().rpartition("\n\n")[2])  # words above may imitate it
    return found[1] if found else commit.subject


def done(commit: Commit) -> Iterator[str]:
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
