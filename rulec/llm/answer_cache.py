"""Answers that were heard before, in the git folder: nothing is asked twice."""

import json
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from rulec.domain.prompt import ModelAnswer
from rulec.errors import RulecError
from rulec.infra import fast_files, state, text_files

FOLDER = "answers"
MOST = 4_000  # answers that are kept
LARGEST = 1_000_000  # bytes of one


class AnswerCache:
    """The answers of one backend and model in one clone; None as ``top`` keeps nothing."""

    def __init__(self, top: Path | None, who: str) -> None:
        self.top, self.who = top, who
        self.broken = ""  # why nothing can be kept, for one line

    def known(self, key: str) -> ModelAnswer | None:
        """What was answered; None where that is not known, or damaged."""
        kept = self._read(key) if self.top is not None else None
        if not isinstance(kept, dict) or (kept.get("key"), kept.get("who")) != (key, self.who):
            return None
        data: Any = kept.get("answer")
        return ModelAnswer(data=data, model=str(kept.get("model", ""))) if isinstance(data, dict) else None

    def keep(self, key: str, answer: ModelAnswer) -> bool:
        """Keep an answer; a full disk costs the next run its price, and this one nothing."""
        if self.top is None:
            return False
        told = {"key": key, "who": self.who, "model": answer.model, "answer": answer.data}
        try:
            text_files.write_atomically(self._place(key), json.dumps(told).encode(), mode=0o600)
        except (RulecError, OSError, ValueError) as error:
            if self.known(key) is None:  # or another rulec has kept the same answer at the same time
                self.broken = str(error)
                return False
        return True

    def forget(self, key: str) -> None:
        """Ask anew the next time."""
        if self.top is not None:
            with suppress(OSError):
                self._place(key).unlink()

    def prune(self) -> None:
        """Forget the oldest where there are too many."""
        if self.top is not None:
            with suppress(OSError):  # another rulec tidies up, too
                state.prune_state(self.top, FOLDER, MOST)

    @cached_property
    def _folder(self) -> Path:
        return state.state_dir(self.top) / FOLDER if self.top is not None else Path()

    def _place(self, key: str) -> Path:
        return self._folder / f"{key}-{state.digest_of_values([self.who])}.json"

    def _read(self, key: str) -> Any:
        place = self._place(key)
        try:
            if place.stat().st_size > LARGEST:
                return None
            return json.loads(fast_files.read_plain_file(str(place)) or b"")
        except (OSError, ValueError, RecursionError):
            return None
