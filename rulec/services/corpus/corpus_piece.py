"""Some transcripts of a corpus for one worker."""

from dataclasses import dataclass

from rulec import __version__
from rulec.infra.corpus.transcript_store import ListedTranscript

SCHEMA = 1  # of the records of transcripts


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPiece:
    """All that a worker needs to mine some transcripts, for it may run on another machine."""

    place: str
    out: str  # the folder of results, which every worker can write
    name: str  # of the shard
    reader: str = ""
    model: str = ""  # BACKEND/MODEL, where one is asked about them
    asked: str = ""  # the name of the files of questions and answers, where a model is asked about them
    transcripts: tuple[ListedTranscript, ...] = ()

    def stamp_of(self, one: ListedTranscript, *, by_model: bool) -> str:
        """What changes when a transcript does, or the way in which it is read."""
        return f"{self._file_stamp(one)} {__version__} {self.model if by_model else ''}"

    def knows(self, one: ListedTranscript, stamp: str) -> bool:
        """Whether a reading with that stamp will do; who asks no model reads nothing worse than a model has."""
        if self.model:
            return stamp == self.stamp_of(one, by_model=True)
        by_model = stamp.startswith(f"{self._file_stamp(one)} ") and not stamp.endswith(" ")
        return by_model or stamp == self.stamp_of(one, by_model=False)

    def _file_stamp(self, one: ListedTranscript) -> str:
        return f"{one.stamp} {self.reader or 'any'}"
