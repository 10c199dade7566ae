"""Everything that a change takes from the gates, changed check templates among it, and who may approve it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from rulec.compiling import artifacts, bundle, compile_planning
from rulec.domain.artifact import COMPILED_FOLDER, slug_of_artifact
from rulec.domain.change import Change
from rulec.domain.finding import Weakening
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates.weakening import gate_files
from rulec.gates.weakening.gate_states import GateState, compare_rules, slug_of_path
from rulec.gates.weakening.looser_rules import taken_exceptions, weakened_rules
from rulec.gates.weakening.looser_settings import new_exceptions, weakened_settings, weakened_suites
from rulec.infra import clock, text_files
from rulec.infra.git import git_contents, git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.integrations import code_owners
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config

_TEMPLATE_FOLDER = f"{file_paths.RULES}/templates/checks/"


ChangedTemplates = Mapping[str, tuple[Rule, ...]]  # changed templates by path, with the rules that used them before


def changed_templates(before: GateState, after: GateState, slugs: Sequence[str], *, scripts: bool) -> ChangedTemplates:
    """Templates that are new, changed or gone; templates only in the work tree count for the touched rules."""
    here = _template_at(after) if scripts else {}
    names = dict.fromkeys(
        p for files in (before.files, after.files, here) for p in files if p.startswith(_TEMPLATE_FOLDER)
    )
    changed = {p for p in names if before.files.get(p) != after.files.get(p)}
    beside = {p for p in here if here[p] != after.files.get(p)}
    if not changed and not beside:
        return {}
    book = before.whole if changed else before.book(slugs)
    used = {
        path: tuple(
            rule
            for rule in book.rules
            if (path in changed or rule.slug in slugs)
            and any(check.template == PurePosixPath(path).stem for check in rule.checks)
        )
        for path in sorted(changed | beside)
    }
    return {path: rules for path, rules in used.items() if rules}


def _template_at(side: GateState) -> dict[str, str]:
    """The team's templates in the work tree, which are those that are rendered."""
    found = (side.top / _TEMPLATE_FOLDER).glob("*.j2")
    return {path.relative_to(side.top).as_posix(): text_files.read_text(path) for path in found if path.is_file()}


def template_weakenings(
    of: ChangedTemplates, before: GateState, after: GateState, *, rendered: bool
) -> Iterator[Weakening]:
    """Each template whose change alters the check of an existing rule, unless the check is surely stricter."""
    for path, rules in of.items():
        other = [rule.slug for rule in rules if not rendered or _changed_lines(before, after, rule)]
        if other:
            more = f" and {len(other) - 3} more" * (len(other) > 3)
            text = f"template {PurePosixPath(path).stem} changed, and what it makes of {', '.join(other[:3])}{more}"
            yield Weakening(subject=f"template {path}", text=text, path=path)


def _changed_lines(before: GateState, after: GateState, rule: Rule) -> bool:
    now = next((one for one in after.book([rule.slug]).rules if one.slug == rule.slug), None)
    if now is None or now.checks != rule.checks:  # told as that
        return False
    was = {artifact.path: artifact.text or "" for artifact in before.artifacts([rule.slug])}
    made = {a.path: a.text or "" for a in artifacts.compile_rule(after.book([rule.slug]), now, after.top)}
    return any(not looks_for_no_less(text, made.get(path, "")) for path, text in was.items())


_SPARES = ("except", "unless", "allowed", "passing", "since_except")
_GROWS = ("forbid", "require", "commands", "patterns", "texts", "names", "modules", "flags", "branches", "functions")


def looks_for_no_less(was: str, now: str) -> bool:
    """Whether the later artifact contains the earlier one and excludes nothing more; unsure counts as no."""
    try:
        return _firmer(json.loads(was)["check"], json.loads(now)["check"], "")
    except (ValueError, KeyError, TypeError):
        return was == now


def _firmer(was: Any, now: Any, key: str) -> bool:
    if isinstance(was, dict) and isinstance(now, dict):
        return was.keys() == now.keys() and all(_firmer(was[name], now[name], name) for name in was)
    if isinstance(was, list) and isinstance(now, list) and was != now:
        lost, more = ([one for one in few if one not in many] for few, many in ((was, now), (now, was)))
        return (key in _SPARES and not more) or (key in _GROWS and bool(was) and not lost)
    return bool(was == now)


_TEMPLATES = f"{file_paths.RULES}/templates/"
_CHECKS = tuple(f"{COMPILED_FOLDER}/{kind}/" for kind in ("guard", "semgrep", "shell", "judge", "words"))
_LINE = (
    "enforcement", "severity", "on_error", "on_unsure", "include", "exclude", "agents", "environments", "projects",
    "who", "level",
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


def gate_change_staged(top: Path, change: Change) -> GateChange:
    """What the index weakens compared with HEAD; in a merge only what neither side had done."""
    prefixes = (file_paths.RULES, *gate_files.gate_file_paths(change))
    after = GateState(top=top, files=git_contents.files_in_index(top, *prefixes))
    head = git_session.head_commit(top)
    before = GateState(top=top, files=git_contents.files_at_commit(top, head, *prefixes) if head else {})
    found = list(_between(before, after, change, scripts=True)) if before.files else []
    for other in git_session.merge_heads(top) if found else ():
        theirs = GateState(top=top, files=git_contents.files_at_commit(top, other, *prefixes))
        known = {(one.subject, one.path) for one in _between(theirs, after, change, scripts=True)}
        found = [one for one in found if (one.subject, one.path) in known]
    return GateChange(before=before, after=after, change=change, all=tuple(found), on=head or "")


def gate_change_between(top: Path, start: str, end: str, change: Change) -> GateChange:
    """What one commit weakens compared with another; no script that it brings is run."""
    prefixes = (file_paths.RULES, *gate_files.gate_file_paths(change))
    before, after = (
        GateState(top=top, files=git_contents.files_at_commit(top, revision, *prefixes)) for revision in (start, end)
    )
    found = _between(before, after, change, scripts=False) if before.files else ()
    return GateChange(before=before, after=after, change=change, all=tuple(found))


def _between(before: GateState, after: GateState, change: Change, *, scripts: bool) -> Iterator[Weakening]:
    yield from gate_files.gate_file_weakenings(before, after, change)
    slugs = [slug for slug in _known(before) if not slug.startswith(".")]
    yield from new_exceptions(change, slugs, clock.now()[:10])
    touched = [p for file in change.files for p in (file.path, file.old_path) if p.startswith(f"{file_paths.RULES}/")]
    if not touched or file_paths.CONFIG not in before.files:
        return
    if file_paths.CONFIG not in after.files:
        yield Weakening(subject="settings", text="settings: the file is gone", path=file_paths.CONFIG)
        return
    try:
        yield from _rulebook_weakenings(before, after, touched, change, scripts=scripts)
    except RulecError as error:
        path, _, line = error.where.partition(":")
        told = f"the rulebook cannot be read: {error}"
        yield Weakening(subject="rulebook", text=told, path=path, line=int(line) if line.isdigit() else 0)


def _known(side: GateState) -> list[str]:
    """The slugs of the rules in force on one side."""
    paths = (path for path in side.files if path.endswith(".yaml") and "/archive/" not in path)
    return sorted({slug for path in paths if "/evidence/" not in path and (slug := slug_of_path(path))})


def _rulebook_weakenings(
    before: GateState, after: GateState, touched: Sequence[str], change: Change, *, scripts: bool
) -> Iterator[Weakening]:
    if file_paths.CONFIG in touched:
        config.parse_config(
            after.files[file_paths.CONFIG], source=file_paths.CONFIG, own=rulebook_files.is_personal(after.top)
        )
    if any("formerly" in text for path, text in after.files.items() if slug_of_path(path)):
        compile_planning.require_former_names(after.whole)
    was, now = before.book(()).dated_exceptions, after.book(()).dated_exceptions
    settings = (gate_files.without_documents(before.config), gate_files.without_documents(after.config))
    yield from (_with_line(one, after.files) for one in weakened_settings(*settings, was, now))
    suites = weakened_suites(before.config.tests, after.config.tests, asked=_asks_for_tests(before))
    yield from (_with_line(one, after.files) for one in suites)
    everywhere = file_paths.CONFIG in touched and _affects_all_rules(before.config, after.config)
    slugs = sorted(
        {*_known(before), *_known(after)} if everywhere else {slug for p in touched if (slug := slug_of_path(p))}
    )
    rendered = scripts or not _brings_templates(touched)
    moved = changed_templates(before, after, slugs, scripts=scripts)
    remade = frozenset(rule.slug for rules in moved.values() for rule in rules)  # although their files are the same
    slugs = sorted({*slugs, *remade})
    one, two = compare_rules(before, after, slugs, remade, scripts=scripts, rendered=rendered)
    yield from (_with_line(found, after.files) for found in weakened_rules(one, two, after.archive(slugs)))
    taken = taken_exceptions(one, two, frozenset(exception.slug for exception in now))
    yield from (_with_line(found, after.files) for found in taken)
    yield from template_weakenings(moved, before, after, rendered=rendered)
    yield from _edited_artifacts(before, after, slugs, touched, rendered=rendered)
    yield from gate_files.hand_edited_files(after.top, after, before, change)


def _asks_for_tests(side: GateState) -> bool:
    """Whether a rule file may ask for a proof by tests; more than those that do may say these words."""
    return any("testable" in text or "proved_by" in text for path, text in side.files.items() if slug_of_path(path))


def _affects_all_rules(before: Config, after: Config) -> bool:
    return before.profile != after.profile or before.extends != after.extends


def _brings_templates(touched: Sequence[str]) -> bool:
    """Whether the change brings templates, which may be anybody's code."""
    return any(path.startswith(_TEMPLATES) for path in touched)


def _edited_artifacts(
    before: GateState, after: GateState, slugs: Sequence[str], touched: Sequence[str], *, rendered: bool
) -> Iterator[Weakening]:
    """Artifacts that differ from what their rule compiles to, where the change touched them or the rule."""
    book = after.book(slugs)
    rules = [rule for rule in book.rules if rule.slug in slugs] if rendered else []
    wanted: dict[str, str | None] = {}
    for rule in rules:
        wanted |= {artifact.path: artifact.text for artifact in artifacts.compile_rule(book, rule, after.top)}
    held = {rule.slug for rule in rules}
    wanted |= {
        file.path: file.text for file in artifacts.compile_all_words(book) if slug_of_artifact(file.path) in held
    }
    there = {p: t for p, t in after.files.items() if p.startswith(_CHECKS) and slug_of_artifact(p) in held}
    for path in sorted({*wanted, *there}):
        here = there.get(path)
        if bundle.same_text(here, wanted.get(path)) or (here == before.files.get(path) and path not in touched):
            continue
        told = "is gone" if here is None else "is not what its rule compiles to"
        yield Weakening(subject=f"artifact {path}", text=f"{path}: {told}", path=path)


def _with_line(one: Weakening, files: Mapping[str, str]) -> Weakening:
    """The weakening with its line, where the file has one."""
    key = one.subject.rpartition(" ")[2]
    text = files.get(one.path, "")
    if one.line or not text:
        return one
    if one.path.startswith(f"{file_paths.RULES}/exceptions/"):
        key = "until"
    found = re.search(rf"(?m)^[^#\n]*?\b{re.escape(key)}\b['\"]?:", text) if key.isidentifier() else None
    line = text.count("\n", 0, found.start()) + 1 if found else 0
    return Weakening(subject=one.subject, text=one.text, path=one.path, line=line)
