"""Some transcripts of a corpus for one worker."""

from dataclasses import dataclass

from rulec.infra.corpus.transcript_store import ListedTranscript

BY_MODEL = "+model"  # ends the stamp of a transcript that a model has read


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPiece:
    """All that a worker needs to mine some transcripts, for it may run on another machine."""

    place: str
    out: str  # the folder of results, which every worker can write
    name: str  # of the shard
    reader: str = ""
    asked: str = ""  # the name of the files of questions and answers, where a model is asked about them
    transcripts: tuple[ListedTranscript, ...] = ()
