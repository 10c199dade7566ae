"""A transcript format, as a plug."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rulec.domain.transcript import Turn, UnreadableLine


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFormat:
    """A transcript format."""

    name: str
    recognises: Callable[[bytes], bool]  # the first 64 KiB of the file
    read: Callable[[Iterable[bytes]], Iterator[Turn | UnreadableLine]]  # lines with their line ends, streamed
    roots: tuple[str, ...] = ()  # globs below the repository and the home folder where such transcripts live
