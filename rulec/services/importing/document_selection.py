"""Names on the command line -> the instruction documents that are meant, as they are read."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulec.errors import RulecError
from rulec.infra import instruction_files
from rulec.infra.git import git_history
from rulec.services.importing.document_candidates import InstructionDocument

_WHOLE_FOLDER = re.compile(r"^(?P<folder>.+)/(?:CLAUDE|AGENTS|GEMINI)\.md$")
_HEAD = re.compile(r"\A\ufeff?---\r?\n(?P<head>.*?)^---\s*$", re.DOTALL | re.MULTILINE)
_GLOBS = re.compile(
    r"^(?P<key>globs|applyTo|alwaysApply)[ \t]*:[ \t]*(?P<value>[^\n]*)\n?(?P<items>(?:[ \t]+-[^\n]*\n?)*)",
    re.MULTILINE,
)
_LONGEST_HEAD = 4_000  # characters


def select_documents(top: Path, here: Path, names: Iterable[str]) -> list[InstructionDocument]:
    """The named files, or all that there are; RulecError where none is."""
    wanted = list(names)
    found = [one for name in wanted for one in _named(top, here, name)] or list(all_documents(top))
    if not found:
        hint = "name one: rulec import PATH; such as CLAUDE.md, AGENTS.md, .cursor/rules"
        raise RulecError("holds no instruction file", where=str(top), hint=hint)
    return found


def all_documents(top: Path) -> Iterator[InstructionDocument]:
    """Every instruction file of the repository."""
    for path in instruction_files.find_instruction_files(top):
        yield _document(top, path, "")


def _named(top: Path, here: Path, name: str) -> Iterator[InstructionDocument]:
    plain, _, section = name.partition("#")
    if not plain:
        raise RulecError("the name is empty", hint="name an instruction file, or leave it out for all")
    for path in instruction_files.named_instruction_files(here, plain):
        yield _document(top, path, section)


def _document(top: Path, path: Path, section: str) -> InstructionDocument:
    inside = path.resolve().parent.is_relative_to(top.resolve())
    # where a file of the person's own lies is nobody else's business
    name = (path.resolve().parent / path.name).relative_to(top.resolve()).as_posix() if inside else path.name
    text = instruction_files.read_instructions(path, name)
    return InstructionDocument(
        path=name,
        text=text,
        include=tuple(_include(name, text)),
        section=section,
        written=git_history.line_times(top, path),
    )


def _include(name: str, text: str) -> Iterator[str]:
    """Where what a file says holds: as its head says, else in its folder."""
    head = _HEAD.match(text[:_LONGEST_HEAD])
    told = {found["key"]: _values(found) for found in _GLOBS.finditer(head["head"])} if head else {}
    found = told.get("globs") or told.get("applyTo") or []
    if told.get("alwaysApply") == ["true"] or any(glob in ("**", "*", "**/*") for glob in found):
        return
    yield from found
    folder = _WHOLE_FOLDER.match(name)
    if folder and not found and not name.startswith("."):
        yield f"{folder['folder']}/**"


def _values(found: re.Match[str]) -> list[str]:
    items = re.split(
        r",(?![^{}]*\})|\n\s*-", f"{found['value']}\n{found['items']}" if found["items"] else found["value"]
    )
    return [value for item in items if (value := item.strip().strip("[]").strip().strip("\"'").strip())][:50]
