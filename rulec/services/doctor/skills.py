"""Whether agents' skills are rulec's, or a file of the same name stands there."""

from collections.abc import Iterator
from pathlib import Path

from rulec.compiling import bundle
from rulec.infra import text_files
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services.doctor.sign import Sign


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """Each skill that the team's settings name; what is missing or stale compile's own sign tells."""
    for emitter in bundle.wanted_integrations(book):
        for path, text in text_files.read_existing(top, emitter.files if emitter.tells else ()).items():
            if emitter.remove(path, text) == text:
                cure = f"give that skill another name, or take {emitter.name} out of emitters in {file_paths.CONFIG}"
                yield Sign(f"{path} is not rulec's and stays as it is", cure)
            else:
                yield Sign(f"{path} tells agents how to work with rulec", "")
