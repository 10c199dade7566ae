"""Everything that a change takes from the gates.

Four questions: is an invalid example of an old rule no longer caught; is enforcement, severity or scope lower; was a
file of the gate touched; did a template or a check change, unless it surely holds to more.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath

from rulec import registry
from rulec.compiling import artifacts, bundle, compile_planning
from rulec.domain.artifact import COMPILED_FOLDER, slug_of_artifact
from rulec.domain.change import Change, FileChange
from rulec.domain.files import globs
from rulec.domain.finding import Weakening
from rulec.errors import RulecError
from rulec.gates.weakening import gate_files, looser_rules, looser_settings, still_caught
from rulec.gates.weakening.gate_states import GateState, slug_of_path
from rulec.infra import clock, text_files
from rulec.infra.git import git_contents, git_session
from rulec.infra.rulebooks import extensions
from rulec.integrations import code_owners
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config

_TEMPLATES = f"{file_paths.RULES}/templates/"
_CHECK_TEMPLATES = f"{_TEMPLATES}checks/"
_SOURCES = (  # what may stand in .rules, and is not generated
    *file_paths.RULEBOOK_GLOBS, extensions.LOCK_NAME, f"extends/*/{extensions.LOCK_NAME}", "*.md", "LICENSE",
    "templates/**", gate_files.ATTRIBUTES,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class GateChange:
    """What a change weakens, and the state of the gate before and after."""

    before: GateState
    after: GateState
    change: Change
    all: tuple[Weakening, ...]
    on: str = ""  # the commit that the change is to go on top of

    def owners(self, path: str) -> str:
        """The owners who have to approve a change of a path, by the side that the change cannot edit."""
        files = self.before.files
        text = next((files[one] for one in code_owners.CODEOWNERS_PATHS if one in files), "")
        return ", ".join(code_owners.owners_of(text, path) or self.before.config.owners) or "the team"

    def digest(self, one: Weakening) -> str:
        """A name for exactly this weakening on this commit: the next commit ends it, and it cannot be replayed."""
        files = [side.files.get(one.path) for side in (self.before, self.after)]
        code = [_file_digest(file) for file in self.change.files if file.path == one.path]
        what = json.dumps([self.on, one.subject, one.text, one.path, one.line, *files, *code])
        return hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _file_digest(file: FileChange) -> str:
    return hashlib.sha256(repr((file.base, file.content)).encode()).hexdigest()


def gate_change_staged(top: Path, change: Change) -> GateChange:
    """What the index weakens compared with HEAD; in a merge only what neither side had done."""
    paths = (file_paths.RULES, *gate_files.gate_file_paths(change))
    here = GateState(top=top, files=text_files.read_existing(top, _template_paths(top)))
    after = GateState(top=top, files=git_contents.files_in_index(top, *paths))
    head = git_session.head_commit(top)
    before = _state_at(top, head, paths) if head else GateState(top=top, files={})
    found = list(weakenings(before, after, change, here.files))
    for other in git_session.merge_heads(top) if found else ():
        known = {(one.subject, one.path) for one in weakenings(_state_at(top, other, paths), after, change, here.files)}
        found = [one for one in found if (one.subject, one.path) in known]
    return GateChange(before=before, after=after, change=change, all=tuple(found), on=head or "")


def gate_change_between(top: Path, start: str, end: str, change: Change) -> GateChange:
    """What one commit weakens compared with another; no template that it brings is rendered."""
    paths = (file_paths.RULES, *gate_files.gate_file_paths(change))
    before, after = _state_at(top, start, paths), _state_at(top, end, paths)
    return GateChange(before=before, after=after, change=change, all=tuple(weakenings(before, after, change)))


def _state_at(top: Path, revision: str, paths: Sequence[str]) -> GateState:
    return GateState(top=top, files=git_contents.files_at_commit(top, revision, *paths))


def _template_paths(top: Path) -> list[str]:
    found = (top / _CHECK_TEMPLATES).glob("*.j2")
    return [path.relative_to(top).as_posix() for path in found if path.is_file()]


def weakenings(
    before: GateState, after: GateState, change: Change, here: Mapping[str, str] | None = None
) -> Iterator[Weakening]:
    """What the change takes from the gates; ``here``: the templates of the work tree, if the change is judged there."""
    if file_paths.CONFIG not in before.files:
        return
    yield from looser_settings.exceptions_in_place(change, before.slugs, clock.now()[:10])
    if file_paths.CONFIG not in after.files:
        yield Weakening(subject="settings", text="settings: the file is gone", path=file_paths.CONFIG)
        return
    try:
        touched = {path for file in change.files for path in (file.path, file.old_path)}
        touched = {path for path in touched if path.startswith(f"{file_paths.RULES}/")}
        # in CI nothing is rendered that the change itself may say
        renders = here is not None or not any(path.startswith(_TEMPLATES) for path in touched)
        yield from gate_files.touched_gate_files(before, after, change, renders=renders)
        if touched:
            found = _weakened_rulebook(before, after, touched, here or {}, renders=renders)
            yield from (_with_line(one, after.files) for one in found)
    except RulecError as error:
        path, _, line = error.where.partition(":")
        told = f"cannot be compared: {error}"
        yield Weakening(subject="rulebook", text=told, path=path, line=int(line) if line.isdigit() else 0)


def _weakened_rulebook(
    before: GateState, after: GateState, touched: set[str], here: Mapping[str, str], *, renders: bool
) -> Iterator[Weakening]:
    if any("formerly" in text for path, text in after.files.items() if slug_of_path(path)):
        compile_planning.require_former_names(after.whole)
    yield from looser_settings.weakened_settings(_gates_of(before), _gates_of(after), proofs=_asks_for_proofs(before))
    was_excepted, excepted = before.book(()).dated_exceptions, after.book(()).dated_exceptions
    yield from looser_settings.new_exceptions(was_excepted, excepted)
    slugs = {slug for path in touched if (slug := slug_of_path(path))}
    yield from _changed_templates(before, after, touched, slugs, here)
    if renders:
        yield from _edited_by_hand(after, touched, slugs)
    if before.config.extends != after.config.extends:
        slugs = {*before.slugs, *after.slugs}
    was, now = looser_rules.rule_states(before, slugs), looser_rules.rule_states(after, slugs)
    yield from looser_rules.weakened_rules(was, now, after.archive(slugs))
    yield from looser_rules.inherited_exceptions(was, now, frozenset(one.slug for one in excepted))
    if renders:
        yield from still_caught.no_longer_caught(before, after, was, now)


def _gates_of(side: GateState) -> Config:
    """The settings with those integrations alone that set up a gate, or that nobody knows."""
    others = {one.name for one in registry.emitters().values() if one.document or one.tells}
    return replace(side.config, emitters=tuple(name for name in side.config.emitters if name not in others))


def _asks_for_proofs(side: GateState) -> bool:
    """Whether a rule file may ask for a proof by tests; more than those that do may say these words."""
    return any("testable" in text or "proved_by" in text for path, text in side.files.items() if slug_of_path(path))


def _changed_templates(
    before: GateState, after: GateState, touched: set[str], slugs: set[str], here: Mapping[str, str]
) -> Iterator[Weakening]:
    """Templates that are new, changed or gone, and those of the work tree that make other checks of touched rules."""
    changed = {
        path for path in touched if path.startswith(_TEMPLATES) and before.files.get(path) != after.files.get(path)
    }
    beside = {path for path, text in here.items() if text != after.files.get(path)}
    for path in sorted(changed | beside):
        name = PurePosixPath(path).stem
        book = before.whole if path in changed else before.book(slugs)
        users = [
            rule.slug
            for rule in book.rules
            if (path in changed or rule.slug in slugs) and any(check.template == name for check in rule.checks)
        ]
        if users or not path.startswith(_CHECK_TEMPLATES):
            more = f", which makes the check of {', '.join(users[:3])}" + f" and {len(users) - 3} more" * (
                len(users) > 3
            )
            text = f"template {name} changed" + more * bool(users)
            yield Weakening(subject=f"template {path}", text=text, path=path)


def _edited_by_hand(after: GateState, touched: Iterable[str], slugs: set[str]) -> Iterator[Weakening]:
    """Generated files that the change touched and that are not what rulec generates from the rules."""
    paths = sorted(path for path in touched if _is_generated(path))
    if not paths:
        return
    made = {
        slug for path in paths if path.startswith(f"{COMPILED_FOLDER}/") and (slug := slug_of_artifact(path)) in slugs
    }
    book = after.book(made)
    files = [*bundle.shared_files(after.top, after.book(())), *artifacts.compile_all_words(book)]
    files += [one for rule in book.rules if rule.slug in made for one in artifacts.compile_rule(book, rule, after.top)]
    wanted = {file.path: file.text for file in files}
    for path in paths:
        text = after.files.get(path)
        if not bundle.same_text(text, wanted.get(path)):
            told = (
                "is none of rulec's files" if path not in wanted else "is not what rulec writes" if text else "is gone"
            )
            yield Weakening(subject=f"artifact {path}", text=told, path=path)


def _is_generated(path: str) -> bool:
    return not globs.match([f"/{one}" for one in _SOURCES], path.removeprefix(f"{file_paths.RULES}/"))


def _with_line(one: Weakening, files: Mapping[str, str]) -> Weakening:
    """The weakening with its line, where the file has one."""
    key = "until" if one.path.startswith(f"{file_paths.RULES}/exceptions/") else one.subject.rpartition(" ")[2]
    text = files.get(one.path, "")
    if one.line or not text or not key.isidentifier():
        return one
    found = re.search(rf"(?m)^[^#\n]*?\b{re.escape(key)}\b['\"]?:", text)
    return replace(one, line=text.count("\n", 0, found.start()) + 1) if found else one
