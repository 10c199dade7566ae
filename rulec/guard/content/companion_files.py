"""Whether one change brings the files along that another of its files calls for."""

import re

from rulec.domain import file_kinds
from rulec.domain.patterns import globs
from rulec.guard import scopes
from rulec.guard.content import mirrored_files, new_lines, undeclared_imports
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOST_FILES = 3_000  # of one change that are looked at
MOST_LINES = 50  # of one file whose new lines call for others
MOST_READ = 20  # files that may hold what is wanted
_DONE = {"create": "is new", "change": "changes", "delete": "is deleted", "move": "is renamed"}
_GROUP = re.compile(r"\\([1-9])")
_SPECIAL = re.compile(r"([\\*?\[\]{},])")
_INLINE_TEST = re.compile(r"^\s*(?:#\[(?:\w+::)?(?:test|cfg\(test\))|def test_|#\[tokio::test)")


def check_companions(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """A finding for each need that the change leaves open, at the first file that has it."""
    check, facts = rule["check"], rule["facts"]
    scope = facts.get("scope", {})
    if check.get("source"):
        drifted = mirrored_files.drifted_copies(check, event["files"], event.get("tree"))
        cure = f"make them say the same as {check['source']}"
        return [
            action_events.finding_of(facts["slug"], path=path, text=text, cure=cure)
            for path, text in drifted
            if "spared" not in scope or scopes.holds_path({"spared": scope["spared"]}, path)
        ]
    files = [file for file in event["files"][:MOST_FILES] if scopes.holds_path(scope, file["path"])]
    found: "list[dict[str, Any]]" = []
    for path, why, need in unmet_needs(check, files, event["files"][:MOST_FILES], event.get("tree")):
        text = f"{path} {why} without {need}"[: action_events.LONGEST_SHOWN]
        cure = f"put {need} into the same commit"
        found.append(action_events.finding_of(facts["slug"], path=path, text=text, cure=cure))
    return found


def unmet_needs(
    check: "dict[str, Any]", files: "list[dict[str, Any]]", change: "list[dict[str, Any]]", tree: "Any" = None
) -> "list[tuple[str, str, str]]":
    """Each open need once: the file that has it, what was done to that file, what it needs."""
    open_needs: "dict[str, tuple[str, str, str]]" = {}
    known: "dict[tuple[str, str, bool], bool]" = {}
    for file in files:
        calling = _calls(check, file)
        if not calling:
            continue
        why = _DONE[file["how"]]
        if check.get("imports"):
            names = undeclared_imports.undeclared_packages(file, check["needs"], change, tree)
            if not names:
                continue
            why = "imports " + ", ".join(names[:3])
        for bound in calling:
            holds = fill_groups(check.get("holds", ""), bound)
            for need in check["needs"]:
                wanted = fill_groups(need, [_SPECIAL.sub(r"\\\1", part) for part in bound])
                key = (wanted, holds, file["how"] == "delete")
                if key not in known:
                    there = bool(check.get("exist")) and _exists(wanted, holds, tree)
                    known[key] = there or _met(wanted, holds, file, change)
                    known[key] = known[key] or (wanted == need and _hollow(wanted, tree))
                if not known[key]:
                    told = f"{describe_need(wanted)} that holds {holds}" if holds else describe_need(wanted)
                    open_needs.setdefault(told, (file["path"], why, told))
    return list(open_needs.values())


def _calls(check: "dict[str, Any]", file: "dict[str, Any]") -> "list[list[str]]":
    """What the file binds by its path or its new lines, each time that it calls for others; [] where it does not."""
    done = _done(check, file)
    if not done or file_kinds.is_among(check.get("unless", []), file["path"]):
        return []
    pattern, paths = check.get("pattern", ""), [file["path"], *([file["old_path"]] if "rename" in done else [])]
    match = next((found for path in paths if path and pattern and (found := re.fullmatch(pattern, path))), None)
    if not match and not any(path and file_kinds.is_among(check.get("when", []), path) for path in paths):
        return []
    if check.get("defines") and not new_lines.defines_function(file):
        return []
    wanted = check.get("added", "")
    lines = (
        [found for line in new_lines.new_lines_with_new_words(file) if (found := re.search(wanted, line))]
        if wanted
        else []
    )
    if wanted and not lines:
        return []
    plain = wanted or check.get("imports") or check.get("comments") or not done.isdisjoint(["delete", "rename"])
    if not plain and not new_lines.changes_code(file):
        return []
    if match or not (lines and lines[0].re.groups):
        return [_groups(match)]
    return [_groups(line) for line in lines[:MOST_LINES]]


def _done(check: "dict[str, Any]", file: "dict[str, Any]") -> "set[str]":
    """What was done to the file, as far as the rule speaks of that; a file that moved may have changed as well."""
    does = {"rename"} if file["how"] == "move" else {file["how"], *(["rename"] if file["old_path"] else [])}
    return does & set(check.get("how") or ["create", "change"])


def _groups(match: "re.Match[str] | None") -> "list[str]":
    return ["", *(group or "" for group in match.groups()), *[""] * 9] if match else [""] * 10


def fill_groups(text: str, bound: "list[str]") -> str:
    """The text with what was bound in place of its group numbers."""
    return _GROUP.sub(lambda group: bound[int(group[1])], text)


def _met(wanted: str, holds: str, file: "dict[str, Any]", change: "list[dict[str, Any]]") -> bool:
    """Whether some file of the change is what is wanted; what is deleted serves only what is deleted too."""
    gone = file["how"] == "delete"
    for other in change:
        serves = (other["how"] != "delete" or gone) and (not holds or holds in other["new"])
        if serves and any(path and file_kinds.is_among([wanted], path) for path in (other["path"], other["old_path"])):
            return True
    return wanted == "@tests" and any(
        _INLINE_TEST.match(line) for other in change for line in new_lines.new_lines(other)
    )


def _exists(wanted: str, holds: str, tree: "Any") -> bool:
    """Whether the repository has a file that is wanted, whoever brought it."""
    if not tree:
        return False
    found = [path for path in tree.paths() if file_kinds.is_among([wanted], path)][:MOST_READ]
    return any(not holds or holds in (tree.read(path) or "") for path in found)


def _hollow(wanted: str, tree: "Any") -> bool:
    """Whether a need with wildcards names nothing in the whole repository: no commit could ever bring it.

    One that is of the very file, by a group of the pattern, is missing before anybody has written it: it is never so.
    """
    return bool(tree) and "*" in wanted and not any(file_kinds.is_among([wanted], path) for path in tree.paths())


def describe_need(need: str) -> str:
    """A need in words."""
    return " or ".join(_SPOKEN.get(one, one) for one in globs.expand_braces(need))


_SPOKEN = {
    "@code": "code",
    "@tests": "a test",
    "@docs": "the docs",
    "@changelog": "the changelog",
    "@lockfile": "the lockfile",
    "@migrations": "a migration",
    "@translations": "the translations",
    "@manifest": "the list of dependencies",
}
