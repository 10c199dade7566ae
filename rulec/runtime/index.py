"""The index over compiled guard artifacts: a call reads only the rules that its own words lead to."""

import json
import os
import time

from rulec.runtime import tokens
from rulec.runtime.layout import COMPILED, GUARD, HEADER, KINDS, NAME, SLOT, VERSION, hashed, settled, summed
from rulec.runtime.world import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RACY = 2_000_000_000  # a folder changed less than so many nanoseconds ago may change again within one tick of its clock


_HOW = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # no pipe holds it up


class Index:
    """Rules by word; from the cache file, or from memory where that cannot be written."""

    def __init__(self, root: str, of: str = "") -> None:
        self.root = root
        self.of = of or root  # the repository that the rules are to speak of
        self.records: "dict[str, dict[str, Any]]" = {}  # by word, where all is in memory
        self.file = -1
        self.buckets = 0
        self.strict = False  # some rule says that a check which breaks blocks
        self.present = False  # there are guard artifacts at all
        self.tools = False  # some rule judges tools by their names

    def find(self, words: "list[str]") -> "tuple[list[dict[str, Any]], list[dict[str, Any]]]":
        """The rules filed under the words, and what is wrong with artifacts: (rules, faults)."""
        try:
            names = self._look_up(words)
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            self.rebuild()
            names = self._look_up(words)
        found = [one for name in sorted(names) if self._speaks_here(one := names[name])]
        return [one for one in found if "fault" not in one], [one for one in found if "fault" in one]

    def _speaks_here(self, rule: "dict[str, Any]") -> bool:
        if not (rule["facts"].get("scope") or {}).get("projects"):
            return True
        from rulec.runtime import projects  # noqa: PLC0415 (rules that hold in some repositories only are few)

        return projects.holds(rule["facts"]["scope"], self.of)

    def _look_up(self, words: "list[str]") -> "dict[str, Any]":
        found: "dict[str, Any]" = {}
        for word in words:
            if self.file < 0:
                found.update(self.records.get(word, {}))
                continue
            at = HEADER + SLOT * (hashed(word) % self.buckets)
            bucket = self._read(at, SLOT).split()
            entries = json.loads(self._checked(int(bucket[0]), int(bucket[1]), int(bucket[2])))
            for name, offset, length, total in entries.get(word, ()):
                if name not in found:
                    found[name] = json.loads(self._checked(offset, length, total))
        return found

    def _read(self, at: int, length: int) -> bytes:
        os.lseek(self.file, at, os.SEEK_SET)
        data = os.read(self.file, length)
        if len(data) != length:
            raise ValueError("the index is cut short")
        return data

    def _checked(self, at: int, length: int, total: int) -> bytes:
        data = self._read(at, length)
        if summed(data) != total:
            raise ValueError("the index is damaged")
        return data

    def open(self) -> None:
        """Use the cache file where it is current, else build anew."""
        stamp = state_of(self.root)
        if not stamp:
            return
        self.present = True
        try:
            self.file = os.open(os.path.join(cache_folder(self.root), NAME), _HOW)
            head = self._read(0, HEADER).decode("ascii").split()
            size = os.fstat(self.file).st_size
            current = head[0] == f"rulec-guard-{VERSION}" and head[1] == stamp and int(head[3]) == size
            if current and int(head[5]) == summed(" ".join(head[:5]).encode()):
                self.buckets, self.strict, self.present = int(head[2]), "strict" in head[4], "some" in head[4]
                self.tools = "tools" in head[4]
                return
        except (OSError, ValueError, IndexError):
            pass
        self.rebuild()

    @property
    def flags(self) -> str:
        """What the cache file says of all rules."""
        return (
            ("strict," if self.strict else "") + ("tools," if self.tools else "") + ("some" if self.present else "none")
        )

    def close(self) -> None:
        """Let go of the cache file."""
        if self.file >= 0:
            os.close(self.file)
            self.file = -1

    def rebuild(self) -> None:
        """Read the artifacts, and keep what they say."""
        self.close()
        stamp = state_of(self.root)
        self.records, self.strict, self.present, self.tools = {}, False, False, False
        from rulec.runtime import filing  # noqa: PLC0415 (only where the cache is not current)

        loaded = filing.load(self.root)
        for name, rule in loaded.items():
            self.present = True
            self.strict = self.strict or (rule.get("facts") or {}).get("on_error") == "block"
            for word in [tokens.ALWAYS] if "fault" in rule else rule.pop("_filed"):
                self.records.setdefault(word, {})[name] = rule
                self.tools = self.tools or word == tokens.TOOLS
        changed = max(int(part) for part in stamp.split(".")[:2]) if stamp else 0
        if stamp and time.time_ns() - changed > RACY:
            self._write(stamp)

    def _write(self, stamp: str) -> None:
        from rulec.runtime import filing  # noqa: PLC0415 (as above)

        folder = cache_folder(self.root)
        scratch = os.path.join(folder, f"{NAME}.{os.getpid()}.{time.time_ns()}")
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            if os.path.islink(folder):
                return
            handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(filing.packed(self.records, stamp, self.flags))
            os.replace(scratch, os.path.join(folder, NAME))
        except OSError:
            try:
                os.unlink(scratch)
            except OSError:
                return


def forged(root: str) -> bool:
    """Whether the cache file passes for current but holds something else than the artifacts; it is then made anew."""
    stamp = state_of(root)
    try:
        with open(os.path.join(cache_folder(root), NAME), "rb") as file:
            there = file.read()
    except OSError:
        return False
    if not stamp or there.split()[:2] != [f"rulec-guard-{VERSION}".encode(), stamp.encode()]:
        return False
    from rulec.runtime import filing  # noqa: PLC0415 (only doctor asks)

    index = Index(root)
    index.rebuild()
    return there != filing.packed(index.records, stamp, index.flags)


def personal(root: str) -> str:
    """The person's own rulebook, seen from a repository; "" where they have none: one look at the disk."""
    home = settled()
    return home if home != root and os.path.isdir(os.path.join(home, GUARD)) else ""


def beside(root: str) -> bool:
    """Whether there are artifacts of which only other gates ask; where there are none, no gate holds anything yet."""
    for kind in KINDS:
        try:
            if os.listdir(os.path.join(root, COMPILED, kind)):
                return True
        except OSError:
            continue
    return False


def state_of(root: str) -> str:
    """What changes when an artifact comes, goes or is replaced; "" where there are none."""
    try:
        seen = os.stat(os.path.join(root, GUARD))
    except OSError:
        return ""
    return f"{seen.st_mtime_ns}.{seen.st_ctime_ns}.{seen.st_ino}.{seen.st_size}"
