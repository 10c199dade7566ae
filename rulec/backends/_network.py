"""What can go wrong with a request over the network, whichever SDK sends it."""

from collections.abc import Iterator


class Late(Exception):  # noqa: N818 - it says what happened
    """The time of a request is over."""


class TooLarge(Exception):  # noqa: N818 - it says what happened
    """A reply goes on and on."""


def unreached(error: BaseException) -> bool:
    """Whether nobody was there to answer: no name, no route, no proxy, no certificate."""
    names = {type(cause).__name__ for cause in _causes(error)}
    return bool(names & {"ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol", "InvalidURL"})


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__
