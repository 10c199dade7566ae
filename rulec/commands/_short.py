"""The short way of ``rulec check``: a commit that no rule can touch, by what the long way found out before.

Whatever is out of the ordinary goes the long way, which is the one that judges; this one only ever says that nothing is
to be judged. It imports next to nothing: an import costs more than all that it does.
"""

from rulec.checkers import _semgrep_languages as languages
from rulec.commands._mark import MARK, NAMES
from rulec.host import pressed, quick, rawdiff
from rulec.runtime import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

REACH = "reach"  # the piece of state that says which files rules look at
MANY = 1_234_567  # stands for the number of files in what is to be said
_STAGED, _MESSAGE = ["check", "--staged"], ["check", "--message"]
_COMPILED = "HEAD:.rules/compiled"
_SETTINGS = "HEAD:.rules/config.yaml"
_LISTED = ("diff-index", "--cached", "--ita-invisible-in-index", "-z", "--raw", "-M", "--full-index", "HEAD")
_PLAIN = ("100644", "100755")
_LARGEST = 16_000_000  # bytes that are read


def passed(arguments: "list[str]") -> str:
    """What is to be said of a commit that nothing can be said against, "" where that is not certain."""
    verb, message = arguments[:2], arguments[2:]
    if not (arguments == _STAGED or (verb == _MESSAGE and len(message) == 1 and quick.file(message[0]))):
        return ""
    folder = quick.plain()
    listed = quick.git(*_LISTED) if folder and not quick.busy(folder, layout.settled()) else None
    if listed is None:
        return ""
    entries = rawdiff.read_raw(listed)[0]
    if any(_of_the_gate(path) for entry in entries for path in (entry.path, entry.old_path)):
        return ""
    sides = list(_sides(entries))
    tree, settings = _tree(sides)
    known = pressed.load(f"{folder}/rulec/{REACH}", tree) if tree else None
    if known is None or known["settings"] not in ("", settings) or any(path in known["gates"] for path, _ in sides):
        return ""
    word = rawdiff.judged(rawdiff.mark_of(entries), tree)
    if message:
        good = not known["messages"] and quick.seen(folder, word)
    else:
        good = not _touched(sides, known["reach"]) and quick.note(folder, word)
    text: str = known["one"] if len(entries) == 1 else known["many"].replace(str(MANY), str(len(entries)))
    return text if good else ""


def _tree(sides: "list[tuple[str, str]]") -> "tuple[str, str]":
    """The ids of the compiled checks and of the settings, "" where some file is not read or all are too much."""
    asked = [_COMPILED, _SETTINGS, *(name for _, name in sides)]
    out = quick.git("cat-file", "--batch-check", given="".join(f"{name}\n" for name in asked).encode()) or b""
    said = [line.split(b" ") for line in out.splitlines()]
    if len(said) != len(asked) or said[0][1:2] != [b"tree"] or any(one[1:2] != [b"blob"] for one in said[2:]):
        return "", ""
    sizes = [int(one[2]) for one in said[2:]]
    small = sum(sizes) < _LARGEST and all(size <= rawdiff.LARGEST for size in sizes)
    return (said[0][0].decode(), said[1][0].decode()) if small else ("", "")


def _of_the_gate(path: str) -> bool:
    """Whether a file may be a part of the gate: those of most tools begin with a dot."""
    return path.startswith(".") or "/." in path or path.rpartition("/")[2] in NAMES


def _sides(entries: "list[rawdiff.Entry]") -> "Iterator[tuple[str, str]]":
    """Paths and blobs, after the change and before it: a file that goes may put right what was found in it."""
    for entry in entries:
        if entry.status != "D":
            yield entry.path, entry.new if entry.mode in _PLAIN else "no-file"
        if entry.status != "A":
            yield entry.old_path, entry.old if entry.before in _PLAIN else "no-file"


def _touched(sides: "list[tuple[str, str]]", reach: "list[Any]") -> bool:
    """Whether a rule looks at one of the files, or one of them has a word for rules."""
    contents = _contents(sides)
    if contents is None or any(MARK in content for content in contents.values()):
        return True
    return any(_looked_at(path, languages.of_file(path, contents[name]), reach) for path, name in sides)


def _looked_at(path: str, read: "list[str]", reach: "list[Any]") -> bool:
    return any(
        (not wanted or any(one in wanted for one in read))
        and any(path.startswith(begin) and path.endswith(end) for begin, end in places)
        for wanted, places in reach
    )


def _contents(sides: "list[tuple[str, str]]") -> "dict[str, bytes] | None":
    """The blobs, by name; None where git does not give them."""
    names = list(dict.fromkeys(name for _, name in sides))
    out = quick.git("cat-file", "--batch", given="".join(f"{name}\n" for name in names).encode())
    if out is None:
        return None
    found, at = {}, 0
    for name in names:
        end = out.index(b"\n", at)
        size = int(out[at:end].rsplit(b" ", 1)[-1])
        found[name] = out[end + 1 : end + 1 + size]
        at = end + 2 + size
    return found
