"""Where the name of a merged rule leads."""

from pathlib import Path

from rulec.infra import text_files
from rulec.infra.rulebooks import rule_reading
from rulec.rulebook import file_paths, rule_file


def follow_name(top: Path, slug: str) -> str:
    """The name of the rule into which the named one was merged, directly or not; else the name itself.

    Only where the archive has the name and the rule that took its place says that it was merged, so that a rule that
    another one contradicted is never taken for it.
    """
    seen, name = [slug], slug
    while rule_file.SLUG_PATTERN.fullmatch(name) and len(seen) <= _MOST:
        path = file_paths.archive_path(name)
        text = text_files.read_existing(top, [path]).get(path)
        heir = rule_reading.read_rule(text, source=path).superseded_by if text else ""
        if not heir or heir in seen or slug not in _formerly(top, heir):
            break
        seen.append(heir)
        name = heir
    return name


_MOST = 50  # merges one after the other


def _formerly(top: Path, slug: str) -> tuple[str, ...]:
    """The names that led to a rule, be it in force or archived."""
    for path in (file_paths.rule_path(slug), file_paths.archive_path(slug)):
        text = text_files.read_existing(top, [path]).get(path)
        if text:
            return rule_reading.read_rule(text, source=path).formerly
    return ()
