"""Explains errors of the Messages API in one line that holds no key."""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from rulec.domain.prompt import ModelFailure, ModelSettings
from rulec.domain.text.one_line import to_one_line
from rulec.llm.clients.model_requests import ReplyTooLarge, RequestTimedOut, clean_server_words, is_unreachable

_LONGEST_HOST = 200
_KEYS = "keys: https://platform.claude.com/settings/keys"
_INSTALL = "pip install -U anthropic may help"
_AGAIN = "what is done is kept: run it again later"
_TOO_LARGE, _OURS = 413, 500
_BUSY = (503, 529)  # after all its tries: whatever else is asked now meets the same
# status -> what it means, what to do, and whether to ask anything else would be in vain
_STATUS: Mapping[int, tuple[str, str, bool]] = {
    401: ("the API does not take the key in ANTHROPIC_API_KEY", _KEYS, True),
    402: ("the account has no credit left", "https://platform.claude.com/settings/billing", True),
    403: ("the key in ANTHROPIC_API_KEY may not do this", _KEYS, True),
    404: ("the API knows no such model or address", "see models.model and models.base_url", True),
    413: ("the request is too large", "", False),
    429: ("the API's limit of requests or tokens is reached", _AGAIN, True),
    529: ("the API is overloaded", _AGAIN, False),
}
# of a request that the API refuses: what was asked about brings it about
_THEIRS = re.compile(r"\btoo (?:long|large)\b|content filter", re.IGNORECASE)
_KINDS = {
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 529,
}


class LastTryFailed(Exception):  # noqa: N818 - it says what happened
    """A connection error with no time left for another try."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


def timeout_trouble(models: ModelSettings, sent: int = 0) -> ModelFailure:
    """The failure of a request that took too long: its tokens may have to be paid all the same."""
    return ModelFailure(
        what=f"the API took more than {models.seconds:g} seconds", hint="raise models.seconds", sent=sent
    )


def unusable_sdk(error: BaseException) -> ModelFailure:
    """The failure of an SDK that cannot start; its own message is left out, it may hold passwords of proxies."""
    what = f"the anthropic SDK cannot be used: {type(error).__name__}"
    return ModelFailure(
        what=what, hint=f"see models.base_url and the proxies in your environment; {_INSTALL}", over=True
    )


def explain_error(error: BaseException, models: ModelSettings, key: str, sent: int = 0) -> ModelFailure:
    """The failure that an exception of the SDK means; of its words only those of the API are shown.

    ``sent`` tokens count where the API had them and nobody knows what became of them.
    """
    from anthropic import APIConnectionError, APIStatusError, APITimeoutError  # noqa: PLC0415 - loaded where it is asked

    if isinstance(error, LastTryFailed):
        error = error.error
    if isinstance(error, APIStatusError):
        one = explain_status(error.status_code, error.api_message, key)
        return replace(one, over=one.over or error.status_code in _BUSY)
    if isinstance(error, RequestTimedOut) or (isinstance(error, APITimeoutError) and not is_unreachable(error)):
        return timeout_trouble(models, sent)
    if isinstance(error, ReplyTooLarge):
        return ModelFailure(what="the API's answer is larger than any that was asked for", sent=sent)
    if is_unreachable(error):
        hint = "see the network, proxies and models.base_url"
        return ModelFailure(what=f"the API cannot be reached{_host(models)}", hint=hint, over=True)
    if isinstance(error, APIConnectionError):
        return ModelFailure(what="the connection to the API broke off", hint=_AGAIN, sent=sent)
    return ModelFailure(what=f"asking the API failed: {type(error).__name__}", hint=_INSTALL)


def explain_status(code: int, words: object, key: str) -> ModelFailure:
    """The failure that an HTTP status and the API's words mean."""
    said = clean_server_words(words, key)
    if "credit balance" in said.casefold():
        code = 402
    what, hint, over = _STATUS.get(code, ("the API refuses the request", "", False))
    if 300 <= code < 400:
        what, hint, over = "the API answers from elsewhere, which is not followed", "see models.base_url", True
    elif code >= 500 and code not in _STATUS:
        what, hint = f"the API is broken ({code})", _AGAIN
    theirs = code == _TOO_LARGE or (not over and code < _OURS and bool(_THEIRS.search(said)))
    return ModelFailure(what=f"{what}: {said}" if said else what, hint=hint, over=over, theirs=theirs)


def _host(models: ModelSettings) -> str:
    """The host that was asked, without other parts of the address."""
    try:
        host = urlsplit(models.base_url or os.environ.get("ANTHROPIC_BASE_URL", "")).hostname
    except ValueError:
        host = None
    return f" at {to_one_line(host)[:_LONGEST_HOST]}" if host else ""
