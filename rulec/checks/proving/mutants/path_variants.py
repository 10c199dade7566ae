"""Files that may not be touched: the same file under other names and by other tools, or only read."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from shlex import quote

from rulec.checks.proving.check_reach import CheckReach
from rulec.domain.rule import Example

Made = Iterator[tuple[str, Example]]


def vary_path(example: Example, reach: CheckReach, *, invalid: bool) -> Made:
    """The same touch of the same path, otherwise written or by another tool; what is innocent keeps its act, too."""
    for name, path in equivalent_paths(example.path, reach):
        yield name, _at(example, path)
    for check in reach.on("path"):
        if check.get("existing"):  # whether the file was there before, none of these commands tells
            continue
        how = set(check.get("how") or ("create", "change", "delete"))
        for name, command in _tools(example, how if invalid else how - {"delete"}):
            yield name, Example(kind="command", text=command)


def equivalent_paths(path: str, reach: CheckReach) -> Iterator[tuple[str, str]]:
    """Other paths that the rule cannot tell from this one, and other words for this one."""
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.partition(".") if not name.startswith(".") else ("", "", "")
    known = reach.scripts or reach.on("dependency")  # they do not say by which names they know files
    if dot and stem.islower() and not known:
        for other in (f"{stem}_two.{ending}", f"two_{stem}.{ending}", f"{stem}two.{ending}"):
            found = f"{folder}/{other}" if folder else other
            if reach.same_place(path, found):
                yield "other file", found
                break
        deeper = f"{folder}/inner/{name}" if folder else f"inner/{name}"
        if reach.same_place(path, deeper):
            yield "deeper folder", deeper
    if not path.startswith(("/", "~", ".")):
        yield "dotted path", f"./{path}"
        if folder:
            yield "way back", f"{folder}/../{path.split('/')[-2]}/{name}"


def _at(example: Example, path: str) -> Example:
    return Example(kind=example.kind, text=example.text, old=example.old, path=path)


def _tools(example: Example, how: AbstractSet[str]) -> Iterator[tuple[str, str]]:
    """Commands that do to the path what the rule is about, whether or not it stands there already."""
    path = quote(example.path)
    if {"create", "change"} <= how:
        yield "tool: redirect", f"echo x > {path}"
        yield "tool: append", f"printf x >> {path}"
        yield "tool: tee", f"echo x | tee {path}"
        yield "tool: cp", f"cp /tmp/x {path}"
        yield "tool: mv", f"mv /tmp/x {path}"
        yield "tool: heredoc", f"cat > {path} <<'EOF'\nx\nEOF"
        yield "tool: touch", f"touch {path}"
        yield "tool: dd", f"dd if=/tmp/x of={path}"
        yield "tool: sed -i", f"sed -i s/a/b/ {path}"
        yield "tool: perl -i", f"perl -pi -e s/a/b/ {path}"
    if "delete" in how:
        yield "tool: rm", f"rm -f {path}"
        yield "tool: git rm", f"git rm -q {path}"


def read_path_only(example: Example, reach: CheckReach) -> Made:
    """The path in commands that leave it as it is."""
    if not reach.on("path") or "'" in example.path:
        return
    path = quote(example.path)
    known = {
        "cat": f"cat {path}",
        "ls": f"ls -l {path}",
        "grep": f"grep -n x {path}",
        "git": f"git diff -- {path}",
        "wc": f"wc -l < {path}",
        "head": f"head -5 {path} | tail -1",
        "echo": f"echo rm {path}",
    }
    for program, command in known.items():
        if reach.free(program):
            yield f"only read: {program}", Example(kind="command", text=command)
