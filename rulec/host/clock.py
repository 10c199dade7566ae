"""The clock: asked here and nowhere else."""

from datetime import UTC, datetime


def now() -> str:
    """The present moment, ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")
