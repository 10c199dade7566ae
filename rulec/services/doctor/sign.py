"""One line of doctor: what was looked at, and its cure where it is not well."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sign:
    """One line of doctor's: ``cure`` is "" where it is well; ``fix`` names the verb that --fix may run for it."""

    what: str
    cure: str = ""
    fix: str = ""  # "compile" | "init" | "hook", or "" where a person has to look
