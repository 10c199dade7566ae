"""What a check could not look at for its size: a fault of the rule, and where code is new a gate that must hold."""

from rulec.model.change import FileChange
from rulec.model.finding import Fault
from rulec.runtime import filekinds

LARGEST = 1_000_000  # bytes of a file that is parsed; Semgrep's own limit, and its parsers are not linear
_HEAVY = 250_000  # bytes of a file; most that people write are less than a tenth of it
_CURE = "split the file, or let a person leave it out by scope.exclude of the rule"


def unread(slug: str, name: str, file: FileChange) -> Fault:
    """A file that the check did not read."""
    size = "8 MB" if file.content is None else "1 MB"
    what = f"{file.path} is larger than {size}: {name} did not read it; {_CURE}"
    return Fault(slug=slug, what=what, path=file.place, overrun=grew(file))


def heavy(file: FileChange | None) -> bool:
    """Whether a check that ran out of time on a file may have done so for its size."""
    return file is not None and len(file.content or b"") > _HEAVY and grew(file)


def grew(file: FileChange) -> bool:
    """Whether it is code that was not as large before: what is generated, or always was so, is told and no more."""
    before = file.status == "M" and (file.base is None or len(file.base) > LARGEST)
    return not before and filekinds.code(file.path) and not filekinds.made(file.path)
