"""Instruction documents (CLAUDE.md, AGENTS.md, ...): which are meant, and the candidates that their sentences give."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.domain.candidate import Candidate, DocumentSentence, Draft
from rulec.domain.files import globs
from rulec.domain.files.languages import globs_with_covered
from rulec.domain.rule import Check, Example, Scope
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import instruction_files
from rulec.mining.document_wishes import Saying, Zone, read_document
from rulec.rulebook import git_history
from rulec.rulebook.git_history import LineAuthor
from rulec.sentences.candidates import typed_candidate, typed_candidates
from rulec.sentences.names import Names

MOST = 500  # wishes of one file
_OF_FILES = ("file", "edit")


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionDocument:
    """A document with its path, text and where its sentences apply."""

    path: str
    text: str
    include: tuple[str, ...] = ()  # globs of the files that it speaks of, () for all
    agents: tuple[str, ...] = ()  # who reads it, () for anybody
    section: str = ""  # the heading under which to look
    written: Mapping[int, LineAuthor] = field(default_factory=dict)  # by line, where git knows the file

    @property
    def zone(self) -> Zone:
        """What sentences without a telling heading are; some files hold rules only."""
        rules = self.path.endswith((".mdc", ".instructions.md")) or self.path.rpartition("/")[2].startswith(".")
        return "norms" if rules or self.section else "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCandidates:
    """The candidates of a document, and the sentences that were left out."""

    candidates: tuple[Candidate, ...]
    left: tuple[tuple[str, str], ...]  # sentences that are no wish, each with its ``file:line``


def read_candidates(document: InstructionDocument, names: Names, *, every: bool = False) -> DocumentCandidates:
    """A candidate for each sentence that says how to work, in order, each once; or for ``every`` sentence.

    A sentence whose words name a check says how to work, whatever heading it stands under.
    """
    read = read_document(document.text, whole=document.zone, section=document.section)
    others = [Saying(text=sentence, quote=sentence, line=line) for line, sentence in read.left]
    more = [one for one in others if every or _names_check(one.text, names)]
    left = [(one.line, one.quote) for one in others if one not in more]
    read = replace(read, sayings=tuple(sorted((*read.sayings, *more), key=lambda one: one.line)))
    if len(read.sayings) > MOST:
        raise RulecError(
            f"holds {len(read.sayings)} sentences that say how to work",
            where=document.path,
            hint=f"name a section of it, {document.path}#HEADING; up to {MOST} are read at once",
        )
    found: dict[str, Candidate] = {}
    for saying in read.sayings:
        made = _sentence_candidates(saying, document, names)
        left += [] if made else [(saying.line, saying.quote)]
        for one in made:
            found.setdefault(one.digest, one)
    places = tuple((f"{document.path}:{line}", redact(sentence)) for line, sentence in sorted(left))
    return DocumentCandidates(candidates=tuple(found.values()), left=places)


def _names_check(sentence: str, names: Names) -> bool:
    try:
        return any(one.drafts for one in typed_candidates(redact(sentence), names))
    except RulecError:  # as below
        return False


def _sentence_candidates(saying: Saying, document: InstructionDocument, names: Names) -> tuple[Candidate, ...]:
    saying = replace(saying, text=redact(saying.text), quote=redact(saying.quote))
    try:
        made = typed_candidates(saying.text, names)
        if len(made) > 1 and not any(one.drafts for one in made):
            made = (typed_candidate(saying.text, names),)  # nobody checks its halves, so they are read as one
    except RulecError:  # a greeting, a question or two words: nothing that a rule can be made of
        return ()
    source = _source(saying, document)
    return tuple(
        replace(_scoped_candidate(one, saying, document), source=source, part=(number, len(made)))
        for number, one in enumerate(made, 1)
    )


def _source(saying: Saying, document: InstructionDocument) -> DocumentSentence:
    written = document.written.get(saying.line)
    line, at = (written.number, written.at) if written and written.at else (saying.line, "")
    said = " ".join(saying.text.casefold().split()).strip(" .!")
    what = "\n".join([said, *document.include, *document.agents])
    digest = hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return DocumentSentence(path=document.path, line=line, quote=saying.quote, at=at, digest=digest)


def _scoped_candidate(candidate: Candidate, saying: Saying, document: InstructionDocument) -> Candidate:
    """The candidate, limited to where its file, heading and neighbours say."""
    include = document.include or saying.languages
    rule = candidate.rule
    scope = Scope(include=include or ("**",), agents=document.agents)
    drafts = tuple(_drafts(candidate.drafts, saying, scope, strict=bool(document.include)))
    statement = f"{rule.statement[0].upper()}{rule.statement[1:]}" if rule.statement[:1].islower() else rule.statement
    do = _instead(rule.do, statement) or saying.do
    rationale = saying.because or rule.rationale
    rule = replace(rule, statement=statement, do=do, scope=scope, rationale=rationale)
    return replace(candidate, rule=rule, drafts=drafts)


def _drafts(drafts: Sequence[Draft], saying: Saying, scope: Scope, *, strict: bool) -> Iterator[Draft]:
    for draft in drafts:
        if narrowed := _within(replace(draft, do=draft.do or saying.do), scope, strict=strict):
            yield narrowed


def _instead(do: str, statement: str) -> str:
    """What to do instead, where the statement does not say so itself."""
    said = do.casefold() in statement.casefold() or (
        do.startswith("use ") and " use " not in f" {statement.casefold()} "
    )
    return "" if said or do.count("`") % 2 else do


def _within(draft: Draft, scope: Scope, *, strict: bool) -> Draft | None:
    """The draft limited to some files and agents; None where that is impossible and the place is ``strict``."""
    agents = replace(draft.scope, agents=scope.agents)
    if scope.include == ("**",):
        return replace(draft, scope=agents)
    if draft.scope.include != ("**",):
        return None if strict else replace(draft, scope=agents)
    invalid, valid = (_moved_examples(some, scope.include) for some in (draft.invalid, draft.valid))
    checks = draft.checks
    if not all(one.kind in _OF_FILES for one in (*draft.invalid, *draft.valid)):
        checks = tuple(check for check in checks if check.kind == "semgrep")
    checks = tuple(check for check in checks if _reads(check, scope.include))
    if not checks or not invalid:
        return None if strict else replace(draft, scope=agents)
    return replace(draft, checks=checks, invalid=invalid, valid=valid, scope=replace(agents, include=scope.include))


def _reads(check: Check, include: tuple[str, ...]) -> bool:
    """Whether any of the files is in the check's language."""
    names = [glob.replace("*", "sample") for glob in globs_with_covered(str(check.parameters.get("language", "")))]
    folder = _folder(include)
    return not names or any(globs.match(include, f"{folder}/{name}".strip("/")) for name in names)


def _folder(include: tuple[str, ...]) -> str:
    """A folder that the first of the globs names, "" for none."""
    return globs.literal_folder(include[0]) or (include[0].strip("/") if include[0].endswith("/") else "")


def _moved_examples(examples: Sequence[Example], include: tuple[str, ...]) -> tuple[Example, ...]:
    """Examples that rulec made, moved to paths where the rule applies; others are dropped."""
    folder = _folder(include)
    found = []
    for one in examples:
        name = one.path.rpartition("/")[2]
        places = (one.path, f"{folder}/{one.path}".strip("/"), f"{folder}/{name}".strip("/"))
        there = next((path for path in places if one.path and globs.match(include, path)), "")
        found += [replace(one, path=there)] if there and one.kind in _OF_FILES else []
    return tuple(found)


_WHOLE_FOLDER = re.compile(r"^(?P<folder>.+)/(?:CLAUDE|AGENTS|GEMINI)\.md$")
_HEAD = re.compile(r"\A\ufeff?---\r?\n(?P<head>.*?)^---\s*$", re.DOTALL | re.MULTILINE)
_GLOBS = re.compile(
    r"^(?P<key>globs|applyTo|alwaysApply)[ \t]*:[ \t]*(?P<value>[^\n]*)\n?(?P<items>"
    r"(?:[ \t]+-[^\n]*\n)*+(?:[ \t]+-[^\n]*)?)",
    re.MULTILINE,
)
_LONGEST_HEAD = 4_000  # characters


def select_documents(top: Path, here: Path, names: Iterable[str]) -> list[InstructionDocument]:
    """The named documents, or all; RulecError where there are none."""
    wanted = list(names)
    found = [one for name in wanted for one in _named(top, here, name)] or list(all_documents(top))
    if not found:
        hint = "name one: rulec import PATH; such as CLAUDE.md, AGENTS.md, .cursor/rules"
        raise RulecError("holds no instruction file", where=str(top), hint=hint)
    return found


def all_documents(top: Path) -> Iterator[InstructionDocument]:
    """Every instruction document of the repository."""
    for path in instruction_files.find_instruction_files(top):
        yield _document(top, path, "")


def _named(top: Path, here: Path, name: str) -> Iterator[InstructionDocument]:
    plain, _, section = name.partition("#")
    if not plain:
        raise RulecError("the name is empty", hint="name an instruction file, or leave it out for all")
    for path in instruction_files.named_instruction_files(here, plain):
        yield _document(top, path, section)


def _document(top: Path, path: Path, section: str) -> InstructionDocument:
    real, root = path.resolve(), top.resolve()
    inside = real.parent.is_relative_to(root)
    # where a file of the person's own lies is nobody else's business
    name = (path.resolve().parent / path.name).relative_to(top.resolve()).as_posix() if inside else path.name
    text = instruction_files.read_instructions(path, name)
    return InstructionDocument(
        path=name,
        text=text,
        include=tuple(_include(name, text)),
        section=section,
        written=git_history.blame_lines(top, real.relative_to(root).as_posix()) if real.is_relative_to(root) else {},
    )


def _include(name: str, text: str) -> Iterator[str]:
    """The globs where a document applies: from its front matter, else its folder."""
    head = _HEAD.match(text[:_LONGEST_HEAD])
    settings = {found["key"]: _values(found) for found in _GLOBS.finditer(head["head"])} if head else {}
    found = settings.get("globs") or settings.get("applyTo") or []
    if settings.get("alwaysApply") == ["true"] or any(glob in ("**", "*", "**/*") for glob in found):
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
