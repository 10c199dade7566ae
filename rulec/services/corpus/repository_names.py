"""Which repository a transcript belongs to: by its git remote, else by the session's folder, else by its own folder."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.infra import state
from rulec.infra.corpus.corpus_store import MinedTranscript

_BY_SCHEME = re.compile(r"(?P<host>[\w.-]+)(?::\d*)?/+(?P<path>\S+?)(?:\.git)?/*")
_BY_COLON = re.compile(r"(?P<host>[\w.-]{2,}):/*(?P<path>\S+?)(?:\.git)?/*")  # one letter is a drive of Windows
_LONGEST = 60  # characters of a file's name that say which repository it is


def plain_remote(address: str) -> str:
    """HOST/PATH of a git remote, the same for each way to reach it and without credentials; "" for anything else.

    Passwords may hold signs that no address should: whatever stands before the last "@" is dropped, and an address in
    which it is doubtful what that is has no name.
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    if "@" in f"{parts.query}{parts.fragment}":
        return ""
    by_scheme = "://" in address
    whole = f"{parts.netloc}{parts.path}" if by_scheme else address.strip().partition("?")[0].partition("#")[0]
    found = (_BY_SCHEME if by_scheme else _BY_COLON).fullmatch(whole.rpartition("@")[2])
    return plain_folder(f"{found['host'].lower()}/{found['path'].strip('/')}") if found else ""


def plain_folder(folder: str) -> str:
    """A folder without secrets and the name of its person's home, and still no other's."""
    plain = redact(folder)
    return plain if plain == folder else f"{plain} ({state.digest_of_values([folder])[:8]})"


def remotes_of_folders(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The remote that stands for a folder: the only one that sessions in that folder name."""
    found: dict[str, set[str]] = {}
    for folder, remote in named:
        if folder and remote:
            found.setdefault(folder, set()).add(remote)
    return {folder: next(iter(remotes)) for folder, remotes in found.items() if len(remotes) == 1}


def repository_of(one: MinedTranscript, remotes: Mapping[str, str]) -> str:
    """The repository of a transcript."""
    return one.remote or remotes.get(one.folder, one.folder) or f"transcripts in {one.beside}"


def file_name_of(repository: str) -> str:
    """A name for the files of a repository, which nobody else's has."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", shown_name(repository)).strip("-")[-_LONGEST:].strip("-")
    return f"{words or 'repository'}-{state.digest_of_values([repository])[:8]}"


def shown_name(repository: str) -> str:
    """The repository as a person reads it: in a line, without secrets."""
    return to_one_line(redact(repository))
