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
