"""Whether an edit of ``.pre-commit-config.yaml`` only adds hooks beside the gate's, or moves others to new versions."""

import re

BEGIN, END = "# rulec:begin", "# rulec:end"
PINNED = re.compile(r"\s*rev: *[\w.+\"'-]+ *(?:#.*)?")
KEYS = (  # none that says what is run
    "repo", "rev", "hooks", "id", "alias", "name", "language_version", "args", "files", "exclude",
    "types", "types_or", "exclude_types", "additional_dependencies", "pass_filenames", "always_run", "require_serial",
    "stages", "verbose", "description", "log_file",
)  # fmt: skip
PLAIN = re.compile(r" {2,}(?:- +)?(?:(?P<key>[a-z_]+):(?: +[^\s&*|>!%@`].*)?|[\w./@\[\]=<>~^+\"'-]+)")
MOST = 5_000  # lines of a file that is looked at


def only_adds(before: str, after: str) -> bool:
    """Whether all that stood there stands there still, and what is new cannot change what the gate's part means."""
    old, new = before.splitlines(), after.splitlines()
    starts, ends = _places(old, BEGIN), _places(old, END)
    if len(starts) != 1 or len(ends) != 1 or max(len(old), len(new)) > MOST:
        return False
    block = old[starts[0] : ends[0] + 1]
    if _places(new, BEGIN) != [_at(new, block)] or len(_places(new, END)) != 1:
        return False
    added = _added(old, new)
    return added is not None and all(_harmless(line) for _, line in added) and _closed(new, block, added)


def _places(lines: "list[str]", mark: str) -> "list[int]":
    return [at for at, line in enumerate(lines) if line.strip().startswith(mark)]


def _at(lines: "list[str]", block: "list[str]") -> int:
    """Where the whole block stands, -1 where it does not."""
    size = len(block)
    return next((at for at in range(len(lines) - size + 1) if lines[at : at + size] == block), -1)


def _added(old: "list[str]", new: "list[str]") -> "list[tuple[int, str]] | None":
    """The new lines with their places; None where an old one is gone or another, but for a version."""
    at, found = 0, []
    for place, line in enumerate(new):
        both = at < len(old) and PINNED.fullmatch(old[at]) and PINNED.fullmatch(line)
        if at < len(old) and (old[at] == line or both):
            at += 1
        else:
            found.append((place, line))
    return found if at == len(old) else None


def _harmless(line: str) -> bool:
    if not line.strip() or (line.lstrip().startswith("#") and "rulec:" not in line):
        return True
    match = PLAIN.fullmatch(line.rstrip())
    even = all(line.count(quote) % 2 == 0 for quote in "\"'")
    closed = line.count("[") == line.count("]") and line.count("{") == line.count("}")
    return bool(match and even and closed and "rulec" not in line and (not match["key"] or match["key"] in KEYS))


def _closed(new: "list[str]", block: "list[str]", added: "list[tuple[int, str]]") -> bool:
    """Whether nothing new stands right behind the block, where it would still be of the block's last hook."""
    after = _at(new, block) + len(block)
    places = {place for place, _ in added}
    while after < len(new) and (not new[after].strip() or new[after].lstrip().startswith("#")):
        after += 1
    return after not in places or new[after].lstrip(" ").startswith("- repo:")
