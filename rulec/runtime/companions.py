"""Whether one change brings the files along that another of its files calls for."""

import re

from . import events, filekinds, globs, mirrors, packages, places, substance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_FILES = 3_000  # of one change that are looked at
_GROUP = re.compile(r"\\([1-9])")
_SPECIAL = re.compile(r"([\\*?\[\]{},])")
_INLINE_TEST = re.compile(r"^\s*(?:#\[(?:\w+::)?(?:test|cfg\(test\))|def test_|#\[tokio::test)")


def on_change(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """A finding for each need that the change leaves open, at the first file that has it."""
    check, facts = rule["check"], rule["facts"]
    scope = facts.get("scope", {})
    if check.get("source"):
        drifted = mirrors.drifted(check, event["files"], event.get("tree"))
        cure = f"make them say the same as {check['source']}"
        return [
            events.finding_of(facts["slug"], path=path, text=text, cure=cure)
            for path, text in drifted
            if "spared" not in scope or places.in_scope({"spared": scope["spared"]}, path)
        ]
    files = [file for file in event["files"][:MOST_FILES] if places.in_scope(scope, file["path"])]
    found: "list[dict[str, Any]]" = []
    for path, why, need in unmet(check, files, event["files"][:MOST_FILES], event.get("tree")):
        text = f"{path} {why} without {shown(need)}"[: events.LONGEST_TEXT]
        cure = f"put {shown(need)} into the same commit"
        found.append(events.finding_of(facts["slug"], path=path, text=text, cure=cure))
    return found


def unmet(
    check: "dict[str, Any]", files: "list[dict[str, Any]]", change: "list[dict[str, Any]]", tree: "Any" = None
) -> "list[tuple[str, str, str]]":
    """Each open need once: the file that has it, what was done to that file, what it needs."""
    open_needs: "dict[str, tuple[str, str, str]]" = {}
    known: "dict[tuple[str, bool], bool]" = {}
    for file in files:
        bound = _calls(check, file)
        if bound is None:
            continue
        why = file["how"] + "s" if file["how"] != "create" else "is new"
        if check.get("imports"):
            names = packages.unlisted(file, check["needs"], change, tree)
            if not names:
                continue
            why = "imports " + ", ".join(names[:3])
        for need in check["needs"]:
            wanted = _filled(need, bound)
            key = (wanted, file["how"] == "delete")
            if key not in known:
                known[key] = _met(wanted, file, change) or (wanted == need and _hollow(wanted, tree))
            if not known[key]:
                open_needs.setdefault(wanted, (file["path"], why, wanted))
    return list(open_needs.values())


def _calls(check: "dict[str, Any]", file: "dict[str, Any]") -> "list[str] | None":
    """The parts of its path that the file binds, where the rule speaks of what was done to it; None where not."""
    path = file["path"]
    if file["how"] not in (check.get("how") or ["create", "change"]) or filekinds.among(check.get("unless", []), path):
        return None
    pattern = check.get("pattern", "")
    match = re.fullmatch(pattern, path) if pattern else None
    if not match and not filekinds.among(check.get("when", []), path):
        return None
    if check.get("defines") and not substance.defines(file):
        return None
    wanted = check.get("added", "")
    if wanted and not any(re.search(wanted, line) for line in substance.told(file)):
        return None
    plain = wanted or check.get("imports") or check.get("comments") or file["how"] == "delete"
    if not plain and not substance.matters(file):
        return None
    groups = [_SPECIAL.sub(r"\\\1", group or "") for group in match.groups()] if match else []
    return ["", *groups, *[""] * 9]


def _filled(need: str, bound: "list[str]") -> str:
    """The need with what the pattern bound in the path in place of its group numbers."""
    return _GROUP.sub(lambda group: bound[int(group[1])], need)


def _met(wanted: str, file: "dict[str, Any]", change: "list[dict[str, Any]]") -> bool:
    """Whether some file of the change is what is wanted; what is deleted serves only what is deleted too."""
    gone = file["how"] == "delete"
    for other in change:
        serves = other["how"] != "delete" or gone
        if serves and any(path and filekinds.among([wanted], path) for path in (other["path"], other["old_path"])):
            return True
    return wanted == "@tests" and any(_INLINE_TEST.match(line) for other in change for line in substance.added(other))


def _hollow(wanted: str, tree: "Any") -> bool:
    """Whether a need with wildcards names nothing in the whole repository: no commit could ever bring it.

    One that is of the very file, by a group of the pattern, is missing before anybody has written it: it is never so.
    """
    return bool(tree) and "*" in wanted and not any(filekinds.among([wanted], path) for path in tree.paths())


def shown(need: str) -> str:
    """A need in words."""
    return " or ".join(_SPOKEN.get(one, one) for one in globs.spread(need))


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
