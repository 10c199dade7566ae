"""anthropic: the Messages API through its SDK; the answer is the input of a tool whose schema is the answer's."""

import importlib.util
import os
from collections.abc import Iterator, Sequence
from functools import partial

from rulec.backends import _anthropic_batch as batches
from rulec.backends import _anthropic_fault as fault
from rulec.backends._address import elsewhere
from rulec.backends._anthropic_call import MODEL, Line, asked, beyond
from rulec.backends._beside import beside
from rulec.model.exchange import Heard, Models, Request, Trouble
from rulec.ports import Backend

KEY = "ANTHROPIC_API_KEY"
_BESIDE = 4
_BULK = ("mine",)  # nobody sits before a screen and waits for the others within a day


def ask(requests: Sequence[Request], models: Models) -> Iterator[Heard]:
    """Each request in a thread of its own, no more than the plug says, or all of them as a batch."""
    lacking = missing(models)
    if lacking:
        yield from (Trouble(what=lacking, over=True) for _ in requests)
        return
    key = _key()
    try:
        line = Line(key, models)
    except Exception as error:  # noqa: BLE001 - whatever the SDK makes of proxies, addresses and certificates
        yield from (fault.unusable(error) for _ in requests)
        return
    with line:
        if models.bulk and all(request.step in _BULK for request in requests):
            yield from batches.answers(line, requests)
            return
        late = partial(fault.late, models)
        yield from beside(partial(asked, line), requests, models.seconds, late)


def missing(_: Models) -> str:
    """What lacks, "" where the SDK and a key are there."""
    if importlib.util.find_spec("anthropic") is None:
        return "the anthropic SDK is not installed: pip install anthropic"
    key = _key()
    if not key:
        return f"{KEY} is not set: make a key at https://platform.claude.com/settings/keys"
    fine = key.isascii() and key.isprintable() and " " not in key
    return "" if fine else f"{KEY} holds signs that no key has: see how it is set"


def _key() -> str:
    return os.environ.get(KEY, "").strip()


PLUG = Backend(
    name="anthropic", ask=ask, missing=missing, beside=_BESIDE, bulk=_BULK, model=MODEL, beyond=beyond, key=KEY,
    elsewhere=elsewhere,
)  # fmt: skip
