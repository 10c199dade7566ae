"""The one exception that is meant for people: what, where, what to do."""


class RulecError(Exception):
    """A refusal: bad input or a missing precondition; the command ends with exit 2 and nothing written."""

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message, self.where, self.hint = message, where, hint

    def __str__(self) -> str:
        """One line: ``where: message; hint``."""
        place = f"{self.where}: " if self.where else ""
        cure = f"; {self.hint}" if self.hint else ""
        return " ".join(f"{place}{self.message}{cure}".split())


def remove_damaged_bytecode(error: BaseException) -> str:
    """What to say of an error that comes from a damaged .pyc file, which is removed; "" for any other error.

    Python takes a file with a sound head for sound, and would fail with it for ever.
    """
    from pathlib import Path  # noqa: PLC0415 - heavy, and wanted here alone

    frames = []
    trace = error.__traceback__
    while trace:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    if len(frames) < 2 or frames[-1].f_code.co_name != "_compile_bytecode":
        return ""
    path = frames[-2].f_locals.get("bytecode_path", "")
    try:
        Path(path).unlink()
    except OSError as failure:
        return f"{path} is damaged and cannot be removed ({failure.strerror}): remove it, then run the command again"
    return f"{path} was damaged and is removed: run the command again"
