"""The folder in which prompts wait for answers: files are written whole, and only rulec's files are touched."""

import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rulec.checkout import private_files
from rulec.errors import RulecError
from rulec.infra.git import git_session

LARGEST = 1_000_000  # bytes of an answer
_OURS = re.compile(r"(\d{3,6})-([a-z]{1,20})-([0-9a-f]{24})\.(prompt\.md|schema\.json|answer\.json)")
_FIXED = ("README.md", ".gitignore")
_NEW = re.compile(r"\.[\w.-]+\.\d+\.rulec-new")  # what a kill leaves of a file


def folder_problem(folder: Path) -> str:
    """Why nothing can be put into the folder, "" where all is well."""
    for place in (folder.parent, folder):
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            return f"{place} is no plain folder: move it away"
    return ""


def committed_problem(folder: Path) -> str:
    """Why its prompts must not be answered: git tracks some, so others may have written them; else ""."""
    known = git_session.run_git(folder.parent.parent, "ls-files", "-z", "--cached", "--", str(folder)).text
    if not known:
        return ""
    place = "/".join(folder.parts[-2:])
    return f"git knows {known.partition(chr(0))[0]}, and no question of ours is committed: git rm -r {place}"


def create_exchange_folder(folder: Path, readme: str) -> None:
    """Create the folder, which git ignores, with a readme that says what to do."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _put(folder, ".gitignore", "*\n")
    _put(folder, "README.md", readme)


def leave_prompt(folder: Path, stem: str, files: Mapping[str, str]) -> Path:
    """Write the files of one prompt, the last one last; existing files stay."""
    place = folder / stem
    for ending, text in files.items():
        place = folder / f"{stem}.{ending}"
        if place.is_symlink() or not place.is_file():
            _put(folder, place.name, text)
    return place


@dataclass(slots=True)
class ExchangeListing:
    """The files of the folder by key, listed once for many prompts."""

    stems: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Path] = field(default_factory=dict)
    last: int = 0  # the highest number

    def stem(self, step: str, key: str) -> str:
        """The file name of the prompt without its ending: the existing one, or a new one with the next number."""
        if key not in self.stems:
            self.last += 1
            self.stems[key] = f"{self.last:03}-{step}-{key}"
        return self.stems[key]


def list_exchange(folder: Path) -> ExchangeListing:
    """The files that are in the folder now."""
    found = ExchangeListing()
    for path, key, ending in _all(folder):
        found.stems.setdefault(key, path.name.split(".", 1)[0])
        found.last = max(found.last, int(path.name.split("-", 1)[0]))
        if ending == "answer.json":
            found.answers.setdefault(key, path)
    return found


def read_answer_text(path: Path) -> str:
    """The text of an answer; RulecError where it cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise _unread(path, f"cannot be read: {error.strerror}") from None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _unread(path, "is no regular file")
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _unread(path, f"is larger than {LARGEST:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unread(path, "is not UTF-8") from None


def _unread(path: Path, what: str) -> RulecError:
    return RulecError(what, where=str(path), hint="write it anew")


def prompt_keys(folder: Path, steps: Collection[str] = ()) -> set[str]:
    """The keys of the prompts in the folder, of some steps or of all."""
    found = ((path, key) for path, key, ending in _all(folder) if ending == "prompt.md")
    return {key for path, key in found if not steps or path.name.split("-")[1] in steps}


def answered_keys(folder: Path) -> set[str]:
    """The keys of the prompts that have an answer."""
    return {key for _, key, ending in _all(folder) if ending == "answer.json"}


def remove_prompts(folder: Path, gone: Collection[str]) -> None:
    """Remove all files of some prompts."""
    for path, key, _ in list(_all(folder)):
        if key in gone:
            with suppress(OSError):
                path.unlink()


def clear_exchange_folder(folder: Path) -> None:
    """Remove rulec's files, and the folder where nothing else is in it."""
    if folder_problem(folder):
        return
    with suppress(OSError):
        for path in list(folder.iterdir()):
            if _OURS.fullmatch(path.name) or path.name in _FIXED or _NEW.fullmatch(path.name):
                path.unlink()
        folder.rmdir()
    with suppress(OSError):  # also what a killed run left empty
        folder.parent.rmdir()


def _all(folder: Path) -> Iterator[tuple[Path, str, str]]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names alone are sorted
    except OSError:
        return
    for name in names:
        found = _OURS.fullmatch(name)
        if found:
            yield folder / name, found[3], found[4]


def _put(folder: Path, name: str, text: str) -> None:
    """Write a file in one step; a link in its place is replaced, never followed."""
    beside = folder / f".{name}.{os.getpid()}.rulec-new"  # which no pattern for answers or prompts matches
    private_files.replace_file(str(folder / name), text.encode("utf-8", "replace"), beside=str(beside), sync=True)
