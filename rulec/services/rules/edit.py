"""rulec edit: changes a rule's file in an editor or from a script; validated and proved before it is written."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading
from rulec.rulebook import evidence_file, file_paths, rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import change_target, rulebook_commit
from rulec.services.change_target import ChangeTarget
from rulec.services.proposals import proposal_editor
from rulec.services.rulebook_commit import supersession_files

_HIDDEN = "[redacted:"


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedRule:
    """The result of an edit."""

    rule: Rule
    text: str
    evidence: tuple[Evidence, ...]


AskForEdit = Callable[
    [str, Callable[[str], EditedRule]], EditedRule | None
]  # the text as it stands, and how an edit of it is read


def from_editor(edit: proposal_editor.Editor, say: Callable[[str], None]) -> AskForEdit:
    """Edit with a person, who sees what is wrong until the rule is valid."""
    return lambda text, read: proposal_editor.edit_until_valid(text, edit, say, read)


def from_script(content: bytes, source: str) -> AskForEdit:
    """Take the new text from a script."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=source, hint="save it as UTF-8") from None
    return lambda _, read: read(text)


def edit_rule(
    top: Path,
    slug: str,
    ask: AskForEdit,
    onto: ChangeTarget,
    *,
    because: str = "",
    source: str = proposal_editor.EDITED_RULE,
) -> Outcome:
    """Write the edited rule as a new revision; another slug renames it."""
    with change_target.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        path = file_paths.rule_path(slug)
        before = change_target.target_file_text(top, onto, path)
        made = ask(before, lambda text: _read_edit(top, book, rule, _redact_new_text(text, before), source))
        if made is None or made.text == before:
            return Outcome(f"{slug} is unchanged")
        if change_target.target_file_text(top, onto, path) != before:
            raise RulecError("was changed while it was edited", where=path, hint="run rulec edit again")
        new = made.rule
        if new.slug == slug:
            subject, decision, why = f"Edit {slug}", f"UPDATE {slug}", "a person edited it"
            changes: dict[str, str | None] = {path: rule_reading.write_rule(new, made.text)}
        else:
            subject, decision, why = (
                f"Rename {slug} to {new.slug}",
                f"SUPERSEDE {slug}",
                f"a person named it {new.slug}",
            )
            changes = supersession_files(rule, new, before, made.text)
        reason = rulebook_commit.clean_reason(because) or why
        message = rulebook_commit.rule_commit_message(subject, new, decision, because=reason, evidence=made.evidence)
        commit = rulebook_commit.write_rulebook_change(
            top, {**changes, **rulebook_commit.evidence_files(made.evidence)}, message, onto
        )
    what = f"edited {slug}" if new.slug == slug else f"{slug} is {new.slug} now"
    hidden = made.text.count(_HIDDEN) > before.count(_HIDDEN)
    note = "; what looked like a secret in it is redacted" * hidden
    return rulebook_commit.closing_outcome(top, onto, commit, f"{what}, revision {new.revision}{note}")


def _redact_new_text(text: str, before: str) -> str:
    """The text without secrets in its new parts; old parts stay, because the check may need them."""
    stood = set(before.splitlines())
    lines = groupby(text.splitlines(keepends=True), key=lambda line: line.rstrip("\r\n") in stood)
    return "".join("".join(part) if known else redact("".join(part)) for known, part in lines)


def _read_edit(top: Path, book: Rulebook, rule: Rule, text: str, source: str) -> EditedRule:
    typed = rule_reading.read_rule(text, source=source)
    if typed.superseded_by or typed.retired:
        hint = "rulec retire and rulec supersede take a rule out of force"
        raise RulecError("superseded_by and retired are for the archive only", where=source, hint=hint)
    if typed.slug != rule.slug and (book.rule(typed.slug) or typed.slug in book.archived):
        raise RulecError(f"the slug {typed.slug} is taken", where=source, hint="give it another one, or leave it")
    new = replace(typed, revision=rule.revision + 1, origin=rule.origin)
    said = [] if new.slug == rule.slug else _evidence_for_new_name(book, rule.slug, new.slug)
    origin = {evidence_file.evidence_id(old): evidence_file.evidence_id(item) for old, item in said}.get(rule.origin)
    new = replace(new, origin=origin or rule.origin)
    evidence = (*(item for _, item in said), *rulebook_commit.missing_proof(book, new, top))
    return EditedRule(rule=new, text=proposal_editor.without_notes(text), evidence=evidence)


def _evidence_for_new_name(book: Rulebook, old: str, new: str) -> list[tuple[Evidence, Evidence]]:
    """What was said of a rule, and the same of its new name; evidence never changes, so the old files stay.

    A rename is a supersession by the same rule: its history is found by its predecessor's name, and so is its future
    on branches that do not know of the new one.
    """
    return [(item, replace(item, slug=new)) for item in book.observed(old) if item.kind != "proved"]
