"""``rulec suppress``: a person leaves a rule's findings alone for a while, in a commit of its own."""

from collections.abc import Sequence
from pathlib import Path

from rulec import suppressionfile
from rulec.commands import _onto, _verb, _write
from rulec.commands._named import known
from rulec.commands._onto import Onto
from rulec.commands._outcome import Outcome
from rulec.errors import RulecError
from rulec.host import clock
from rulec.model.suppression import Suppression


def run(top: Path, slug: str, paths: Sequence[str], onto: Onto, *, until: str, reason: str) -> Outcome:
    """Write it, or prolong the one of the same places."""
    globs = tuple(dict.fromkeys(suppressionfile.glob(path.strip(), "--path") for path in paths))
    said = _verb.reason(reason)
    if not said:
        raise RulecError("--reason says nothing", hint="say why the finding stays; it stands in the commit")
    if suppressionfile.day(until, "--until") < clock.now()[:10]:
        raise RulecError(f"{until} is over", where="--until", hint="name the last day on which it shall count")
    with _onto.changing(top, onto) as book:
        rule = known(book, slug)
        item = Suppression(slug=slug, until=until, reason=said, paths=globs)
        path = suppressionfile.path_of(item)
        if any(path == one.source and one.until == until and one.reason == said for one in book.suppressions):
            return Outcome(f"{slug} is suppressed so already")
        where = ", ".join(globs) or "every place"
        message = _verb.message(f"Suppress {slug} until {until}", rule, f"SUPPRESS {slug}", because=f"{where}: {said}")
        commit = _write.put(top, {path: suppressionfile.dumps(item)}, message, onto)
    return _verb.done(top, onto, commit, f"{slug} is suppressed in {where} until {until}")


def end(top: Path, slug: str, paths: Sequence[str], onto: Onto) -> Outcome:
    """Take one back before its last day."""
    globs = tuple(dict.fromkeys(paths))
    with _onto.changing(top, onto) as book:
        path = suppressionfile.path_of(Suppression(slug=slug, until="", reason="", paths=globs))
        if path not in {one.source for one in book.suppressions}:
            where = ", ".join(globs) or "every place"
            raise RulecError(f"{slug} is not suppressed in {where}", hint="rulec suppressions lists what is")
        message = f"Suppress {slug} no longer\n\nResolution: UNSUPPRESS {slug} -- a person took it back\n"
        commit = _write.put(top, {path: None}, message, onto)
    return _verb.done(top, onto, commit, f"{slug} is suppressed there no longer")
