"""A person's weights on disk: a private folder for each repository, beside the person's own rulebook.

It holds names of rules and numbers, no word that anybody said. Changes are made under a lock to what is there then, so
that two sessions at once lose nothing of each other. Whatever is damaged counts as nothing.
"""

from __future__ import annotations

import json
import math
import os
import time

from rulec.checkout import private_files
from rulec.checkout.rules_layout import personal_weights_path
from rulec.checkout.worktree import common_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from rulec.weights.formulas import Reward, RuleWeights


NAME = "weights.json"
SESSION = "session-"  # how the files of sessions begin: short weights, when the turn began, its candidates
VERSION = 1
LARGEST = 4_000_000  # bytes of a file
MOST_RULES = 500  # with a long weight; those nearest to zero go first
MOST_SESSIONS = 20
MOST_GAINS = 64  # rules whose scores change, which bounds what a message and a session's start read
LEAST_GAIN = 1e-9  # nearer to zero it tells no two rules apart
LONGEST = 200  # characters of a rule's name
LARGEST_NUMBER = 100.0  # no weight and no score comes near it
DIGITS = 9


def folder_of(root: str) -> str:
    """The folder of a repository's weights; all its linked work trees share it, "" where there is no repository."""
    known = _folders.get((root, personal_weights_path()))
    if not known:  # a folder that has none may get a repository
        known = _folders[root, personal_weights_path()] = _folder_of(root)
    return known


_folders: dict[tuple[str, str], str] = {}  # a message asks for it several times


def _folder_of(root: str) -> str:
    place = common_directory(root)
    if not place:
        return ""
    place = os.path.realpath(place)
    name = os.path.basename(place.removesuffix("/.git"))
    plain = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name)[:40]
    return os.path.join(personal_weights_path(), f"{plain}-{_hash(place)}")


def _hash(text: str) -> str:
    """The same 64 bits for the same text in every Python; hashlib would cost each message 3 ms."""
    value = 14695981039346656037
    for byte in text.encode("utf-8", "surrogatepass"):
        value = ((value ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def load_weights(root: str, session: str = "") -> RuleWeights:
    """The weights for a repository's rules, with the short ones of a session."""
    from rulec.weights import formulas  # noqa: PLC0415 (a session starts with what is worked out)

    known = _read(root, NAME)
    short = _read(root, _name_of(session)).get("short") if session else None
    return formulas.RuleWeights(_numbers(known.get("long")), _numbers(short), _number(known.get("baseline")))


def load_gains(root: str, session: str = "") -> tuple[dict[str, float], dict[str, float]]:
    """What the long weights add to rules' scores, and the short ones of a session, as worked out at the last change."""
    short = _read(root, _name_of(session)).get("gains") if session else None
    return _numbers(_read(root, NAME).get("gains")), _numbers(short)


def turn_of(root: str, session: str) -> tuple[float, dict[str, float]]:
    """When the session's turn began, 0 where that is not known, and the scores of its candidates."""
    found = _read(root, _name_of(session))
    at = found.get("at")
    return (at if isinstance(at, float) else 0.0), _numbers(found.get("scores"))


def begin_session(root: str, session: str) -> None:
    """Forget the short weights of a session that starts (VARS 3.5)."""
    folder = folder_of(root)
    try:
        os.unlink(os.path.join(folder, _name_of(session)))
    except OSError:
        return


def begin_turn(root: str, session: str, scores: Mapping[str, float]) -> None:
    """Note the candidates of a turn with their scores, and when it began."""
    if not session or not scores:
        return
    turn = {"at": time.time(), "scores": {slug: round(score, 4) for slug, score in scores.items()}}
    known = _read(root, _name_of(session))
    if not known:
        _drop_old_sessions(root)
    _store(root, _name_of(session), {**known, **turn})


def learn(
    root: str,
    session: str,
    rewards: Mapping[str, Reward],
    renamed: Callable[[dict[str, float]], dict[str, float]] = dict,
    others: Sequence[str] = (),
) -> bool:
    """Change the weights by what a turn showed, at its end; ``renamed`` gives weights by today's names.

    Without a session, the candidates are those of the last turn that is known; of a turn of which none are known, they
    are ``others``, all alike. Whether that could be done.
    """
    from rulec.weights import formulas  # noqa: PLC0415 (as above)

    name = _name_of(session) if session else _newest_session(root)
    own = _read(root, name) if name else {}

    def change(known: dict[str, Any]) -> dict[str, Any]:
        weights = formulas.RuleWeights(
            renamed(_numbers(known.get("long"))), _numbers(own.get("short")), _number(known.get("baseline"))
        )
        scores = _numbers(own.get("scores")) or dict.fromkeys(others[: formulas.MOST_CANDIDATES], 0.0)
        formulas.learn_turn(weights, scores, rewards)
        own.update(short=_rounded(weights.short), at=time.time())
        kept = sorted(weights.long, key=lambda slug: -abs(weights.long[slug]))[:MOST_RULES]
        long = _rounded({slug: weights.long[slug] for slug in sorted(kept)})
        return {**known, "baseline": round(weights.baseline, DIGITS), "long": long}

    done = _change(root, change)
    if done and name:
        _store(root, name, own)
    return done


def store_gains(root: str, session: str, long: Mapping[str, float], short: Mapping[str, float]) -> None:
    """Store what the weights add to rules' scores, so that a message only has to look it up."""
    name = _name_of(session) if session else _newest_session(root)
    _change(root, lambda known: {**known, "gains": _gains(long)})
    if name and (own := _read(root, name)):
        _store(root, name, {**own, "gains": _gains(short)})


def _gains(gains: Mapping[str, float]) -> dict[str, float]:
    """Those that tell rules apart, the largest ones."""
    first = sorted(gains, key=lambda slug: -abs(gains[slug]))[:MOST_GAINS]
    return {slug: round(gains[slug], DIGITS) for slug in first if abs(gains[slug]) >= LEAST_GAIN}


def _name_of(session: str) -> str:
    """The file of a session, whatever its name is made of."""
    return f"{SESSION}{_hash(session)}.json"


def _session_files(root: str) -> list[str]:
    """The files of sessions, the oldest first."""
    folder = folder_of(root)
    try:
        names = [name for name in os.listdir(folder) if name.startswith(SESSION)]
        return sorted(names, key=lambda name: (os.stat(os.path.join(folder, name)).st_mtime_ns, name))
    except OSError:
        return []


def _newest_session(root: str) -> str:
    return next(reversed(_session_files(root)), "")


def _drop_old_sessions(root: str) -> None:
    for name in _session_files(root)[: -MOST_SESSIONS + 1]:
        try:
            os.unlink(os.path.join(folder_of(root), name))
        except OSError:
            continue


def why_unread(root: str) -> str:
    """What is wrong with the file, "" where nothing is or there is none."""
    path = os.path.join(folder_of(root), NAME) if folder_of(root) else ""
    if not path or not os.path.lexists(path):
        return ""
    if private_files.read_file(path, LARGEST, private=True) is None:
        return f"{path} is no file of yours alone, so that the weights in it are ignored"
    return "" if _read(root, NAME) else f"{path} is damaged, so that the weights in it are ignored"


def _read(root: str, name: str) -> dict[str, Any]:
    folder = folder_of(root)
    data = private_files.read_file(os.path.join(folder, name), LARGEST, private=True) if folder else None
    known = private_files.json_lines(data) if data else []
    return known[0] if len(known) == 1 and known[0].get("version") == VERSION else {}


def _store(root: str, name: str, known: dict[str, Any]) -> None:
    folder = folder_of(root)
    if folder:
        private_files.store_file(os.path.join(folder, name), json.dumps({**known, "version": VERSION}).encode())


def _change(root: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    folder = folder_of(root)
    if not folder:
        return False

    def change_known(known: dict[str, Any]) -> dict[str, Any]:
        return {**change(known if known.get("version") == VERSION else {}), "version": VERSION}

    return private_files.update_json(os.path.join(folder, NAME), change_known)


def _number(value: Any) -> float:
    plain = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if plain and abs(value) <= LARGEST_NUMBER else 0.0


def _numbers(found: Any) -> dict[str, float]:
    if not isinstance(found, dict):
        return {}
    return {slug: _number(value) for slug, value in found.items() if len(slug) <= LONGEST}


def _rounded(weights: Mapping[str, float]) -> dict[str, float]:
    return {slug: round(weight, DIGITS) for slug, weight in weights.items()}
