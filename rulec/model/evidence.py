"""One observation about a rule: one file that never changes."""

from dataclasses import dataclass
from typing import Literal

EvidenceKind = Literal["correction", "accepted", "counterexample", "proved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One file under ``.rules/evidence/SLUG/``; its id is the hash of its content."""

    slug: str
    kind: EvidenceKind
    weight: float = 0.0  # in favour, or against for a counterexample; see confidence.py
    at: str = ""  # when it was said, ISO 8601
    quote: str = ""  # redacted
    agent: str = ""
    transcript: str = ""
    turn: int = -1
    offence: str = ""  # the action that was wrong, redacted
    accepted: str = ""  # the action that was accepted afterwards, or that a counterexample is about, redacted
    path: str = ""  # counterexample: the file or folder that it is about
    revision: int = 0  # proved: of the rule
    digest: str = ""  # proved: of the artifact; accepted: of a file's sentence, whose place is transcript and turn
    replayed: int = -1  # proved: actions of the originating session the check passed; -1 where there was none
