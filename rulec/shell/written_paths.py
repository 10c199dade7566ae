"""A path that a command writes or deletes, and the paths that cp, mv and the like name."""

from __future__ import annotations

from rulec.shell.parsing.call import operands, option_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.parsing.call import Call


TARGET_LAST = {  # the last operand is written -> options with a value
    "cp": "-t -S --target-directory --suffix",
    "mv": "-t -S --target-directory --suffix",
    "install": "-t -m -o -g -S --target-directory --mode --owner --group",
    "ln": "-t -S --target-directory --suffix",
    "scp": "-c -D -F -i -J -l -o -P -S -X",
    "rsync": "-e --rsh --exclude --include",
}


class FileEffect:
    """A path that a command writes or deletes."""

    __slots__ = (
        "appends", "below", "call", "content", "delete", "elsewhere", "existing", "folder", "formats", "into",
        "named_by_source", "no_folder", "path", "source", "sure", "undoes", "whole",
    )  # fmt: skip

    def __init__(self, path: str, *, delete: bool = False, sure: bool = True) -> None:
        self.path, self.delete, self.sure = path, delete, sure
        self.content = ""  # what is put there, where the text shows it
        self.whole = False  # that content is the whole file
        self.appends = False  # what is there stays, and this comes behind it
        self.folder = ""  # it is written only where this is a folder
        self.into = False  # where it is a folder, something is put into it, and it stays what it is
        self.named_by_source = False  # its last name is a copied file's: a pattern there stands for files elsewhere
        self.no_folder = False  # where it is a folder, the command fails
        self.existing = False  # it is changed in place, so that it must be there
        self.formats = False  # a formatter does it: what the file says stays
        self.undoes = False  # it becomes again what git has of it
        self.source = ""  # the commit that git takes it from, or another file, where only the disk tells
        self.below = False  # what lies below it is changed as well
        self.call: Call | None = None
        self.elsewhere = False  # the path is a checkout that git changes, which counts outside the repository only


def copy_effects(name: str, argv: list[str]) -> list[FileEffect]:
    """The paths that cp and the like write, the last word being the file or folder that they write to."""
    given = operands(argv, TARGET_LAST[name])
    folders = option_values(argv, ("-t", "--target-directory")) if name not in ("rsync", "scp") else []
    sources = given if folders else given[:-1]
    if name == "ln" and len(given) == 1 and not folders:
        sources, folders = given, ["."]
    elif not folders and len(given) > 1:
        folders = given[-1:]
    if not folders or (name == "scp" and ":" in folders[0].partition("/")[0]):  # a file of another machine
        return []
    within = len(given) > 2 or given[-1:] != folders or folders[0].rpartition("/")[2] in ("", ".", "..")
    found: list[FileEffect] = []
    for target in folders:
        found.append(FileEffect(target))
        found[-1].into = True
        found[-1].existing = within or target.endswith("/")
        inside = [target.rstrip("/") + "/" + source.rstrip("/").rpartition("/")[2] for source in sources]
        for path in inside:
            found.append(FileEffect(path))
            found[-1].named_by_source = True
            found[-1].folder = "" if within else target
    if name == "mv":
        found += [FileEffect(source, delete=True) for source in sources]
    return found


def patched_files(text: str, strip: int | None) -> list[FileEffect]:
    """The files that a diff changes, without the first ``strip`` folders of their names; None: with and without one."""
    found: list[FileEffect] = []
    old = ""
    for line in text.split("\n"):
        name = line[4:].partition("\t")[0].strip()
        if line.startswith("--- "):
            old = name
        elif line.startswith("+++ "):
            gone = name == "/dev/null"
            for less in (0, 1) if strip is None else (strip,):
                path = "/".join((old if gone else name).split("/")[less:])
                found += [FileEffect(path, delete=gone)] if path else []
    return found


def tar_effects(argv: list[str]) -> list[FileEffect]:
    """What ``tar -x -C FOLDER`` writes."""
    first = argv[1] if len(argv) > 1 and not argv[1].startswith("-") else ""
    letters = first + "".join(word for word in argv[1:] if word[:1] == "-" and word[1:2] != "-")
    unpacks = "x" in letters or not {"--extract", "--get"}.isdisjoint(argv)
    return _unpacked_into(option_values(argv, ("-C", "--directory"))) if unpacks else []


def unzip_effects(argv: list[str]) -> list[FileEffect]:
    """What ``unzip -d FOLDER`` writes, where it does not only list or test."""
    looks = any(word.startswith("-") and not set("lvtpZ").isdisjoint(word[1:]) for word in argv[1:])
    return [] if looks else _unpacked_into(option_values(argv, ("-d",)))


def _unpacked_into(folders: list[str]) -> list[FileEffect]:
    """Any file of these folders; nothing of the folder that the command runs in, which holds all others, too."""
    found = [FileEffect(folder.rstrip("/") + "/*") for folder in folders if folder.strip("./")]
    for effect in found:
        effect.named_by_source = True
    return found
