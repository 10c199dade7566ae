"""Files that a check leaves alone: those of an exception, and those that are too large to be read."""

from collections.abc import Iterable

from rulec.domain.artifact import RuleFacts
from rulec.domain.change import FileChange
from rulec.domain.files import file_kinds, globs
from rulec.domain.finding import Fault
from rulec.domain.rule import Exemption, Scope


def exceptions_for_files(facts: RuleFacts) -> tuple[Exemption, ...]:
    """The exceptions that can hold of a file."""
    return tuple(one for one in facts.exceptions if not (one.of_commands or one.scope.agents))


def is_excepted(facts: RuleFacts, path: str, environment: str) -> bool:
    """Whether an exception leaves the file alone."""
    return any(_within(one.scope, path, environment) for one in exceptions_for_files(facts))


def _within(scope: Scope, path: str, environment: str) -> bool:
    if scope.environments and environment not in scope.environments:
        return False
    return globs.match(scope.include or ("**",), path) and not globs.match(scope.exclude, path)


def excepted_globs(exceptions: Iterable[Exemption]) -> list[str]:
    """The globs of exceptions bounded by paths alone, which tools that know only globs can exclude."""
    plain = (one.scope for one in exceptions if not (one.scope.environments or one.scope.exclude))
    return [glob for scope in plain for glob in scope.include]


LARGEST_FILE = 1_000_000  # bytes of a file that is parsed; Semgrep's own limit, and its parsers are not linear
_HEAVY = 250_000  # bytes of a file; most that people write are less than a tenth of it
_CURE = "split the file, or let a person leave it out by scope.exclude of the rule"


def unread_fault(slug: str, name: str, file: FileChange) -> Fault:
    """A file that the check did not read."""
    size = "8 MB" if file.content is None else "1 MB"
    what = f"{file.path} is larger than {size}: {name} did not read it; {_CURE}"
    return Fault(slug=slug, what=what, path=file.place, overrun=is_newly_large(file))


def is_heavy(file: FileChange | None) -> bool:
    """Whether a check that ran out of time on a file may have done so for its size."""
    return file is not None and len(file.content or b"") > _HEAVY and is_newly_large(file)


def is_newly_large(file: FileChange) -> bool:
    """Whether it is code that has become too large; generated files and old ones are only reported."""
    before = file.status == "M" and (file.base is None or len(file.base) > LARGEST_FILE)
    return not before and file_kinds.is_code(file.path) and not file_kinds.is_generated(file.path)
