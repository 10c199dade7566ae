"""Throw-away git repositories."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rulec.host import git


@contextmanager
def repository() -> Iterator[Path]:
    """An empty one; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="rulec-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve() / "repository"
        folder.mkdir()
        git.must(folder, "init", "-q", "--template=")
        yield folder


def put(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into it."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
