"""What doctor sees of agents' skills: whether they are rulec's, or a file of the same name stands there."""

from collections.abc import Iterator
from pathlib import Path

from rulec.commands import _build
from rulec.commands._sign import Sign
from rulec.host import worktree
from rulec.model.rulebook import Rulebook


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """Each skill that the team's settings name; what is missing or stale compile's own sign tells."""
    for emitter in _build.emitters(book):
        for path, text in worktree.present(top, emitter.files if emitter.tells else ()).items():
            if emitter.remove(path, text) == text:
                cure = f"give that skill another name, or take {emitter.name} out of emitters in {worktree.CONFIG}"
                yield Sign(f"{path} is not rulec's and stays as it is", cure)
            else:
                yield Sign(f"{path} tells agents how to work with rulec", "")
