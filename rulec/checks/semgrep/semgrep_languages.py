"""The languages that Semgrep reads, and which of them a file is written in."""

from rulec.domain.files.languages import PROGRAMS, SEMGREP_NAMES, SEMGREP_SUFFIXES, language_of

ANY_LANGUAGE = ("regex", "generic")  # read any file
_BY_SUFFIX: dict[str, list[str]] = {}
for _language, _suffixes in SEMGREP_SUFFIXES.items():
    for _suffix in _suffixes:
        _BY_SUFFIX.setdefault(_suffix, []).append(_language)
_SHEBANG = rb"#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?([^-\s]\S*))?"


def known_languages() -> list[str]:
    """Every language a rule may name, aliases left out."""
    return sorted((*SEMGREP_SUFFIXES, *ANY_LANGUAGE))


def canonical_language(name: str) -> str:
    """Semgrep's one name of a language, "" where Semgrep here cannot read it."""
    if name in SEMGREP_SUFFIXES or name in ANY_LANGUAGE:
        return name
    known = language_of(name)
    known = SEMGREP_NAMES.get(known, known)
    return known if known in SEMGREP_SUFFIXES else ""


def languages_of_file(path: str, content: bytes) -> list[str]:
    """The languages a file may be read as, by its name or else by the program its first line calls."""
    name = path.rpartition("/")[2]
    if name in ("Dockerfile", "dockerfile"):
        return ["dockerfile"]
    _, dot, suffix = name.rpartition(".")
    if dot and suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    return _of_program(content[:256]) if content.startswith(b"#!") else []


def _of_program(head: bytes) -> list[str]:
    import re  # noqa: PLC0415 - 4 ms that a commit without programs spares

    line = re.match(_SHEBANG, head)
    if line is None:
        return []
    program = line[1].rpartition(b"/")[2]
    if program == b"env":
        program = line[2] or b""
    word = program.decode("ascii", "replace")
    language = PROGRAMS.get(word) or PROGRAMS.get(re.sub(r"[0-9.]+$", "", word), "")
    return [language] if language in SEMGREP_SUFFIXES else []
