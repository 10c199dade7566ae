"""Answers of models, kept by what was asked: of conversations in the git folder, of judges also in a folder for CI."""

import hmac
import os
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulec.checkout import private_files
from rulec.domain.prompt import ModelAnswer
from rulec.errors import RulecError
from rulec.infra import state, text_files
from rulec.infra.git import git_session

ANSWERS_FOLDER = "answers"
MOST = 4_000  # answers that are kept


class AnswerCache:
    """The answers of one backend and model in one clone; with ``top`` None nothing is kept."""

    def __init__(self, top: Path | None, who: str) -> None:
        self.top, self.who = top, who
        self.broken = ""  # why nothing can be kept, for one line

    def known(self, key: str) -> ModelAnswer | None:
        """The earlier answer to a prompt; None where there is none, or it is damaged."""
        kept = state.read_state(self.top, self._name(key)) if self.top is not None else None
        if not isinstance(kept, dict) or (kept.get("key"), kept.get("who")) != (key, self.who):
            return None
        data: Any = kept.get("answer")
        return ModelAnswer(data=data, model=str(kept.get("model", ""))) if isinstance(data, dict) else None

    def keep(self, key: str, answer: ModelAnswer) -> bool:
        """Keep an answer; False where that fails, which costs the next run a request."""
        if self.top is None:
            return False
        told = {"key": key, "who": self.who, "model": answer.model, "answer": answer.data}
        try:
            state.write_state(self.top, self._name(key), told)
        except (RulecError, OSError, ValueError) as error:
            if self.known(key) is None:  # or another rulec has kept the same answer at the same time
                self.broken = str(error)
                return False
        return True

    def forget(self, key: str) -> None:
        """Remove an answer, so that the prompt is sent again."""
        if self.top is not None:
            with suppress(OSError):
                state.remove_state(self.top, self._name(key))

    def prune(self) -> None:
        """Remove the oldest answers where there are too many."""
        if self.top is not None:
            with suppress(OSError):  # another rulec tidies up, too
                state.prune_state(self.top, ANSWERS_FOLDER, MOST)

    def _name(self, key: str) -> str:
        return f"{ANSWERS_FOLDER}/{key}-{state.digest_of_values([self.who])}"


VERDICTS_FOLDER = "verdicts"
LARGEST_VERDICT = 400_000  # bytes of one file; there are sixteen
_SEED = "judge-seed"
_DIGITS = "0123456789abcdef"
_MARK = 32  # digits of a seal


def open_verdict_cache(top: Path, folder: str = "", *, key: str = "") -> "VerdictCache":
    """The cache of judges' verdicts; RulecError where its folder is one that a change could have brought.

    Runs of strangers write into what CI carries along: with the name of a ``key``'s variable nothing counts there but
    what was kept by somebody who has that key, and nobody who lacks it keeps anything.
    """
    if not folder:
        return VerdictCache(state.state_dir(top) / VERDICTS_FOLDER)
    place = Path(folder).absolute()
    hint = "name a folder that no commit can bring, such as one outside of the repository"
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        raise RulecError("is no folder", where=f"--judge-cache {folder}", hint=hint)
    real, root = place.resolve(), top.resolve()
    if real == root or real in root.parents or real.is_relative_to(git_session.common_dir(top)):
        raise RulecError("holds more than verdicts", where=f"--judge-cache {folder}", hint=hint)
    if real.is_relative_to(root) and git_session.git_output(top, "ls-files", "-z", "--cached", "--", str(real)):
        raise RulecError("holds files that git tracks", where=f"--judge-cache {folder}", hint=hint)
    value = os.environ.get(key, "") if key else ""
    return VerdictCache(real, _seal_of_key(value), closed=not value) if key else VerdictCache(real)


def _seal_of_key(key: str) -> bytes:
    """The secret that signs entries, derived from a key that it does not reveal."""
    return hmac.digest(key.encode("utf-8", "surrogateescape"), b"rulec: verdicts of judges", "sha256")


def decoy_seed(top: Path) -> str:
    """The seed of this clone that decides place and wording of decoys: random, readable by its owner alone."""
    place = state.state_dir(top) / _SEED
    known = (private_files.read_file(str(place), links=True) or b"").decode("ascii", "replace").strip()
    if not known:
        known = secrets.token_hex(16)
        with suppress(RulecError):  # where nothing can be kept, it serves this run alone
            text_files.write_atomically(place, f"{known}\n".encode(), mode=0o600)
    return known


class VerdictCache:
    """Lines of ``KEY WORDS`` in sixteen files by the first digit of the key; damaged lines are ignored."""

    def __init__(self, folder: Path, seal: bytes = b"", *, closed: bool = False) -> None:
        self.folder, self._seal, self._closed = folder, seal, closed

    def known(self, keys: Iterable[str]) -> dict[str, str]:
        """The stored words of those keys that are known."""
        wanted = set() if self._closed else set(keys)
        found: dict[str, str] = {}
        for digit in {key[0] for key in wanted}:
            for line in self._read(digit).splitlines():
                key, _, words = line.partition(" ")
                if key in wanted and (words := self._unsealed(key, words)):
                    found[key] = words
        return found

    def _unsealed(self, key: str, words: str) -> str:
        """The words of an entry whose signature is right, "" for any other."""
        if not self._seal:
            return words
        words, _, mark = words.rpartition(" ")
        return words if hmac.compare_digest(mark.encode(), self._mark(key, words).encode()) else ""

    def _mark(self, key: str, words: str) -> str:
        return hmac.digest(self._seal, f"{key} {words}".encode("ascii", "replace"), "sha256").hex()[:_MARK]

    def _line(self, key: str, words: str) -> str:
        return f"{key} {words} {self._mark(key, words)}" if self._seal else f"{key} {words}"

    def _read(self, digit: str) -> str:
        data = private_files.read_file(str(self.folder / digit)) or b""
        return data[: 2 * LARGEST_VERDICT].decode("ascii", "replace")

    def keep(self, entries: Mapping[str, str]) -> str:
        """Store entries; why that failed, or ""."""
        if self._closed:
            return ""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for digit in sorted({key[0] for key in entries} & set(_DIGITS)):
                lines = [self._line(key, words) for key, words in entries.items() if key[0] == digit]
                state.append_bounded(self.folder / digit, lines, LARGEST_VERDICT)
        except (OSError, RulecError) as error:
            return str(error)
        return ""
