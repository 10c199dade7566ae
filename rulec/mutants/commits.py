"""Whole commits: the same one with other words, in another order, with a file that no check looks at."""

from collections.abc import Iterator
from dataclasses import replace

from rulec.model.rule import Example
from rulec.mutants.reach import Reach

PICTURE = ("assets/pixel.svg", "<svg/>\n")


def same(example: Example, reach: Reach) -> Iterator[tuple[str, Example]]:
    """The same commit, made otherwise."""
    if not reach.scripts:
        yield "other words", replace(example, text="Do as was said")
        yield "no words", replace(example, text="x")
    if len(example.files) > 1:
        yield "files in another order", replace(example, files=tuple(reversed(example.files)))
    path = PICTURE[0]
    if reach.on("change") and not reach.scripts and all(reach.same_place(path, other) for other in ("", "pixel.bin")):
        yield "a picture as well", replace(example, files=(*example.files, PICTURE))
    if reach.on("change") and not any("\r" in text for _, text in example.files):
        yield "CRLF", replace(example, files=tuple((name, text.replace("\n", "\r\n")) for name, text in example.files))
