"""The index of compiled guards: a call reads only the rules that are filed under its words."""

import json
import os
import time

from rulec.checkout.lapsed_rules import rule_in_effect
from rulec.checkout.rules_layout import GUARD, HEADER_SIZE, INDEX_NAME, INDEX_VERSION, SLOT_SIZE, checksum, word_hash
from rulec.checkout.worktree import guard_stamp, state_directory
from rulec.hook.index import index_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


RACY = 2_000_000_000  # a folder changed less than so many nanoseconds ago may change again within one tick of its clock


_HOW = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # no pipe holds it up


class RuleIndex:
    """Rules by word; from the cache file, or from memory where that cannot be written."""

    def __init__(self, root: str, of: str = "", *, base: bool = False) -> None:
        self.root = root
        self.base = base  # the rules are those of HEAD or the remote's base, since the work tree has none on its disk
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
        found = [rule_in_effect(one) for name in sorted(names) if self._speaks_here(one := names[name])]
        return [one for one in found if "fault" not in one], [one for one in found if "fault" in one]

    def _speaks_here(self, rule: "dict[str, Any]") -> bool:
        if not (rule["facts"].get("scope") or {}).get("projects"):
            return True
        from rulec.checkout import personal_scope  # noqa: PLC0415 (rules that hold in some repositories only are few)

        return personal_scope.scope_holds(rule["facts"]["scope"], self.of)

    def _look_up(self, words: "list[str]") -> "dict[str, Any]":
        found: "dict[str, Any]" = {}
        for word in words:
            if self.file < 0:
                found.update(self.records.get(word, {}))
                continue
            at = HEADER_SIZE + SLOT_SIZE * (word_hash(word) % self.buckets)
            bucket = self._read(at, SLOT_SIZE).split()
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
        if checksum(data) != total:
            raise ValueError("the index is damaged")
        return data

    def open(self) -> None:
        """Use the cache file where it is current, else build anew."""
        stamp = self._stamp()
        if not stamp:
            return
        self.present = True
        try:
            self.file = os.open(self._place(), _HOW)
            head = self._read(0, HEADER_SIZE).decode("ascii").split()
            size = os.fstat(self.file).st_size
            current = head[0] == f"rulec-guard-{INDEX_VERSION}" and head[1] == stamp and int(head[3]) == size
            if current and int(head[5]) == checksum(" ".join(head[:5]).encode()):
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
        stamp = self._stamp()
        self.records, self.strict, self.present, self.tools = {}, False, False, False
        from rulec.hook.index import index_file  # noqa: PLC0415 (only where the cache is not current)

        texts = _guards_at_base(self.root) if self.base else index_file.texts_on_disk(self.root)
        loaded = index_file.load_artifacts(texts)
        for name, rule in loaded.items():
            self.present = True
            self.strict = self.strict or (rule.get("facts") or {}).get("on_error") == "block"
            for word in [index_words.ALWAYS] if "fault" in rule else rule.pop("_filed"):
                self.records.setdefault(word, {})[name] = rule
                self.tools = self.tools or word == index_words.TOOLS
        changed = max(int(part) for part in stamp.split(".")[:2]) if stamp else 0
        if stamp and time.time_ns() - changed > RACY:
            self._write(stamp)

    def _write(self, stamp: str) -> None:
        from rulec.checkout import private_files  # noqa: PLC0415 (as above)
        from rulec.hook.index import index_file  # noqa: PLC0415 (as above)

        packed = index_file.pack_index(self.records, stamp, self.flags)
        private_files.store_file(self._place(), packed)

    def _stamp(self) -> str:
        if not self.base:
            return guard_stamp(self.root)
        from rulec.hook import remote_base  # noqa: PLC0415 (only where the work tree has no rules)

        stamp = remote_base.base_stamp(self.root)
        return f"{stamp.newest}.{stamp.newest}.{stamp.value}"

    def _place(self) -> str:
        return os.path.join(state_directory(self.root), "base-" * self.base + INDEX_NAME)


def _guards_at_base(root: str) -> "dict[str, str]":
    from rulec.hook import remote_base  # noqa: PLC0415 (as above)

    texts = remote_base.texts_at_base(root, GUARD, "HEAD", *remote_base.BASES)
    return {name: text for name, text in texts.items() if name.endswith(".json")}


def is_forged(root: str) -> bool:
    """Whether the cache file passes for current but holds something else than the artifacts; it is then made anew."""
    stamp = guard_stamp(root)
    try:
        with open(os.path.join(state_directory(root), INDEX_NAME), "rb") as file:
            there = file.read()
    except OSError:
        return False
    if not stamp or there.split()[:2] != [f"rulec-guard-{INDEX_VERSION}".encode(), stamp.encode()]:
        return False
    from rulec.hook.index import index_file  # noqa: PLC0415 (only doctor asks)

    index = RuleIndex(root)
    index.rebuild()
    return there != index_file.pack_index(index.records, stamp, index.flags)
