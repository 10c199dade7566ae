"""rulec comment: reports in Markdown as the one comment of a pull request, which later runs change."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from rulec.domain.outcome import Outcome
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import pull_request
from rulec.reports.proof_table import HEADING
from rulec.reports.wording import as_many_as_fit

MARK = "<!-- rulec: the comment of rulec, which each run writes anew -->"
LARGEST = 60_000  # bytes; a comment of GitHub's holds 65,536 signs
_LARGEST_FILE = 10_000_000
_SECTION = re.compile(r"^(?=### )", re.MULTILINE)


def comment_on_pull_request(files: Sequence[Path], environment: Mapping[str, str]) -> Outcome:
    """Write the reports that say something into the one comment; where none does, a comment that is there says so."""
    pull = pull_request.pull_request_of(environment)
    body = _body([_text(file) for file in files])
    known = next((one for one in pull_request.comments_of(pull) if one.by_program and one.body.startswith(MARK)), None)
    if known is None:
        if not body:
            return Outcome("nothing to say, so no comment was written")
        pull_request.add_comment(pull, f"{MARK}\n{body}")
        return Outcome(f"wrote a comment on pull request {pull.number}")
    text = f"{MARK}\n{body or '## rulec: nothing is refused, and no rule changed'}"
    if known.body == text:
        return Outcome(f"the comment on pull request {pull.number} says it already")
    pull_request.change_comment(pull, known.id, text)
    return Outcome(f"changed the comment on pull request {pull.number}")


def _text(file: Path) -> str:
    try:
        with file.open("rb") as handle:
            return handle.read(_LARGEST_FILE).decode("utf-8", "replace").strip()
    except OSError as error:
        raise RulecError(f"cannot be read: {error.strerror}", where=str(file), hint="name a report") from None


def _body(reports: Sequence[str]) -> str:
    """The reports that say something of a rule; what is too long loses its last sections."""
    text = "\n\n".join(redact(one) for one in reports if _tells(one))
    left = "… and {} more; the summary of the job has them all."
    return "\n".join(as_many_as_fit([one.rstrip("\n") + "\n" for one in _SECTION.split(text)], LARGEST, left)).strip()


def _tells(report: str) -> bool:
    """Whether a report has more sections than the table of proofs, which every run has."""
    return any(not section.startswith(HEADING) for section in _SECTION.split(report)[1:])
