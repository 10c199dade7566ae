"""YAML text <-> the lock of a vendored rulebook: where it came from, and what of it stands here."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from rulec import yamltext
from rulec.model.rulebook import Extension
from rulec.rulefile import SCHEMA
from rulec.yamltext import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """What was asked for, the commit that it was then, and the digest of the files that were taken."""

    url: str
    rev: str
    path: str = ""
    commit: str
    tree: str

    def answers(self, wanted: Extension) -> bool:
        """Whether this is what the settings name."""
        return (self.url, self.rev, self.path) == (wanted.url, wanted.rev, wanted.path)


def digest(files: Mapping[str, str]) -> str:
    """What files say, whatever order they come in; names are those below the vendored folder."""
    plain = {name: text.replace("\r\n", "\n") for name, text in files.items()}  # git may change line ends
    told = [f"{name}\0{len(text)}\0{text}" for name, text in sorted(plain.items())]
    return hashlib.sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()


def loads(text: str, *, source: str) -> Lock:
    """A lock from the text of its file."""
    top = Node.load(text, source)
    top.known(["schema", *(field.name for field in fields(Lock))])
    needed = {key: top.text(key, required=True) for key in ("url", "rev", "commit", "tree")}
    return Lock(path=top.text("path"), **needed)


def dumps(lock: Lock) -> str:
    """The text of a lock's file."""
    kept = {key: value for key, value in asdict(lock).items() if value}
    return yamltext.rewrite({"schema": SCHEMA, **kept}, "")
