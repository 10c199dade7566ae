"""What a check may cost: an agent waits some seconds for its hook, and then goes on as if nobody had been asked."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SECONDS = 2.0  # of CPU, so that a busy machine does not count; agents wait for ten
SIGNS = ("git", ".rules", "rulec", "pre-commit", "pre_commit")  # what a command says that is near the gate

PLACES = (".git", ".rules", ".claude", ".codex", ".cursor", ".gemini")


class Spent(BaseException):
    """All of it is spent; no exception that a single check may take for its own."""


def begin() -> None:
    """Count from now on, where this system and this thread can."""
    try:
        signal = __import__("_signal")  # the public module makes names that cost more than this
        signal.signal(signal.SIGPROF, _end)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
    except (ImportError, AttributeError, ValueError, OSError):
        return


def stop() -> None:
    """Count no more."""
    try:
        signal = __import__("_signal")
        signal.setitimer(signal.ITIMER_PROF, 0)
    except (ImportError, AttributeError, ValueError, OSError):
        return


def _end(_number: int, _frame: object) -> None:
    raise Spent


def near(actions: "list[dict[str, Any]]") -> bool:
    """Whether what could not be checked in time names the gate."""
    for action in actions:
        signs = SIGNS if action["kind"] == "command" else PLACES
        texts = [str(action.get(name) or "").lower() for name in ("command", "path", "from")]
        if any(sign in text for text in texts for sign in signs):
            return True
    return False
