"""Recorded answers: ``KEY.json`` files in a folder, and a list that matches requests by their text.

``.rulec/recorded/answers.json`` is a list of {"step", "holds", "answer"} or {"step", "holds", "trouble"}: the first
entry of that step whose text stands in the request answers it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulec.checkout import private_files
from rulec.domain.plugs import Backend
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings

LIST = "answers.json"


def ask(requests: Sequence[ModelRequest], models: ModelSettings) -> Iterator[ModelReply]:
    """The recorded answer to each request."""
    listed = _read(Path(models.folder, LIST)) if requests and models.folder else None
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    for request in requests:
        yield _to_reply(_read(Path(models.folder, f"{request.key}.json")), request) or _listed_answer(entries, request)


def _to_reply(data: Any, request: ModelRequest) -> ModelReply | None:
    if data is None:
        return None
    return ModelAnswer(data=data, model="recorded", sent=request.tokens, received=len(json.dumps(data)) // 4 + 1)


def _listed_answer(entries: Sequence[Mapping[str, Any]], request: ModelRequest) -> ModelReply:
    for entry in entries:
        if entry.get("step") == request.step and str(entry.get("holds", "")) in request.text:
            if "trouble" in entry:
                return ModelFailure(what=str(entry["trouble"]), over=bool(entry.get("over")))
            return _to_reply(entry.get("answer"), request) or _miss(request)
    return _miss(request)


def _miss(request: ModelRequest) -> ModelFailure:
    return ModelFailure(
        what=f"no answer is recorded for {request.step} {request.key}", hint=f"record {request.key}.json"
    )


def _read(path: Path) -> Any:
    try:
        return json.loads(private_files.read_file(str(path), links=True) or b"")
    except (ValueError, RecursionError):
        return None


def missing(models: ModelSettings) -> str:
    """What is missing before it can be used."""
    there = bool(models.folder) and Path(models.folder).is_dir()
    return "" if there else f"there is no folder {models.folder or '.rulec/recorded'} with recorded answers"


PLUG = Backend(name="recorded", ask=ask, missing=missing, beside=1000, free=True)
