"""One finding of rulec doctor: what was looked at, and the cure where something is wrong."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One line of rulec doctor: ``cure`` is "" where all is well; ``fix`` names the verb that --fix may run."""

    what: str
    cure: str = ""
    fix: str = ""  # "compile" | "init" | "hook", or "" where a person has to look
