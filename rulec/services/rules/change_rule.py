"""rulec edit, set and retire: a person changes one rule, or takes it out of force."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from rulec.compiling.effective_enforcement import why_only_audits
from rulec.domain.enforcement import PinnedEnforcement, is_shown, refuses
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading
from rulec.rulebook import evidence_file, file_paths, rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.proposals import decision
from rulec.services.rulebook_commit import ChangeTarget, archive_files, supersession_files


def refinement_lines(book: Rulebook, rule: Rule) -> Iterator[str]:
    """Which rule it refines, whether it holds by now, and which rules refine it."""
    if rule.refines:
        parent = book.named(rule.refines)
        said = f": {' '.join(parent.statement.split())}" if parent else ""
        yield book.why_unheld(rule) or f"refines {parent.slug if parent else rule.refines}{said}"
    yield from (f"refined by {one.slug}: {' '.join(one.statement.split())}" for one in book.refinements(rule.slug))


def left_alone(book: Rulebook, slug: str) -> str:
    """What a person is told who takes a rule out of force: which rules hold with it alone; "" where none does."""
    names = [one.slug for one in book.refinements(slug)]
    if not names:
        return ""
    many = "holds only with it and audits" if len(names) == 1 else "hold only with it and audit"
    return f"; {', '.join(names)} {many} from now on: change refines with rulec edit, or retire it too"


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


def from_editor(edit: decision.Editor, echo: Callable[[str], None]) -> AskForEdit:
    """Edit with a person, who sees what is wrong until the rule is valid."""
    return lambda text, read: decision.edit_until_valid(text, edit, echo, read)


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
    source: str = decision.EDITED_RULE,
) -> Outcome:
    """Write the edited rule as a new revision; another slug renames it."""
    with rulebook_commit.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        path = file_paths.rule_path(slug)
        before = rulebook_commit.rule_text(top, onto, slug)

        def read(text: str, book: Rulebook = book) -> EditedRule:
            return _read_edit(top, book, rule, _redact_new_text(text, before), source)

        made, same = rulebook_commit.ask_unlocked(top, onto, lambda: ask(before, read))
        if made is None or made.text == before:
            return Outcome(f"{slug} is unchanged")
        if not same:
            if rulebook_commit.rule_text(top, onto, slug) != before:
                raise RulecError("was changed while it was edited", where=path, hint="run rulec edit again")
            made = read(made.text, rulebook_commit.load_target_rulebook(top, onto))  # the other rules were changed
        new = made.rule
        if new.slug == slug:
            subject, verb, why, done = f"Edit {slug}", "UPDATE", "a person edited it", f"edited {slug}"
            changes: dict[str, str | None] = {path: rule_reading.write_rule(new, made.text)}
        else:
            subject, verb, why = f"Rename {slug} to {new.slug}", "SUPERSEDE", f"a person named it {new.slug}"
            done, changes = f"{slug} is {new.slug} now", supersession_files(rule, new, before, made.text)
        hidden = made.text.count(_HIDDEN) > before.count(_HIDDEN)
        done += f", revision {new.revision}" + "; what looked like a secret in it is redacted" * hidden
        reason = rulebook_commit.clean_reason(because) or why
        return rulebook_commit.commit_rule_change(
            top, onto, new, changes, subject=subject, decision=f"{verb} {slug}", because=reason, done=done,
            evidence=made.evidence,
        )  # fmt: skip


def _redact_new_text(text: str, before: str) -> str:
    """The text without secrets in its new parts; old parts stay, because the check may need them."""
    stood = set(before.splitlines())
    lines = groupby(text.splitlines(keepends=True), key=lambda line: line.rstrip("\r\n") in stood)
    return "".join("".join(part) if known else redact("".join(part)) for known, part in lines)


def _read_edit(top: Path, book: Rulebook, rule: Rule, text: str, source: str) -> EditedRule:
    typed = rule_reading.read_rule(text, source=source)
    if typed.superseded_by or typed.retired:
        hint = "rulec retire takes a rule out of force"
        raise RulecError("superseded_by and retired are for the archive only", where=source, hint=hint)
    if typed.slug != rule.slug and (book.rule(typed.slug) or typed.slug in book.archived):
        raise RulecError(f"the slug {typed.slug} is taken", where=source, hint="give it another one, or leave it")
    new = replace(typed, revision=rule.revision + 1, origin=rule.origin)
    # A rename is a supersession by the same rule: its history is found by its predecessor's name, and so is its future
    # on branches that do not know of the new one. Evidence never changes, so the old files stay beside the new ones.
    old = [item for item in book.observed(rule.slug) if item.kind != "proved" and new.slug != rule.slug]
    moved = evidence_file.under_another_slug(old, new.slug)
    origin = dict(zip(map(evidence_file.evidence_id, old), map(evidence_file.evidence_id, moved), strict=True))
    new = replace(new, origin=origin.get(rule.origin, rule.origin))
    evidence = (*moved, *rulebook_commit.missing_proof(book, new, top))
    return EditedRule(rule=new, text=decision.without_notes(text), evidence=evidence)


def pin_enforcement(top: Path, slug: str, pin: PinnedEnforcement, onto: ChangeTarget, *, because: str = "") -> Outcome:
    """Set what a rule does; what warns or blocks must be proved, and ``auto`` follows the evidence."""
    with rulebook_commit.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        if pin == rule.enforcement:
            return Outcome(f"{slug} is {_pin_words(pin)} already")
        new = replace(rule, enforcement=pin, revision=rule.revision + 1)
        evidence = _require_proof(book, new, top)
        return rulebook_commit.commit_rule_change(
            top, onto, new, rulebook_commit.rule_files(top, onto, new),
            subject=f"Set {slug} to {pin}", decision=f"SET {slug}",
            because=rulebook_commit.clean_reason(because) or f"a person set it from {rule.enforcement} to {pin}",
            done=f"{slug} is {_pin_words(pin)} now{_limits_of_pin(new)}", evidence=evidence,
        )  # fmt: skip


def _limits_of_pin(rule: Rule) -> str:
    """What setting it does not change: a check acts only with independent examples."""
    why = why_only_audits(rule) if is_shown(rule.enforcement) else ""
    return f"; it {why}" if why else ""


def _require_proof(book: Rulebook, new: Rule, top: Path) -> list[Evidence]:
    """The proof that the rule needs; it is made where there is none."""
    if not is_shown(new.enforcement):
        return []
    if not new.checks and refuses(new.enforcement):
        hint = f"rulec edit {new.slug} gives it a check; rulec set {new.slug} warn puts it into words"
        raise RulecError(f"{new.slug} has no check that could block", where=new.source, hint=hint)
    try:
        return rulebook_commit.missing_proof(book, new, top)
    except RulecError as error:
        hint = f"{error.hint} with rulec edit {new.slug}; until it is proved it only audits"
        raise RulecError(f"{new.slug} is not proved: {error.message}", where=new.source, hint=hint) from None


def _pin_words(pin: PinnedEnforcement) -> str:
    return "left to its evidence" if pin == "auto" else f"pinned to {pin}"


def retire_rule(top: Path, slug: str, onto: ChangeTarget, *, because: str, successor: str = "") -> Outcome:
    """Archive a rule; its compiled files go, its evidence stays, and ``rulec rollback`` restores it.

    A rule that takes its place is linked with it, in the same commit.
    """
    if successor:
        return _supersede(top, slug, successor, onto, because=because)
    reason = rulebook_commit.require_reason(because, 'say why: rulec retire SLUG --because "we left npm"')
    with rulebook_commit.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        gone = replace(rule, retired=reason, revision=rule.revision + 1)
        return rulebook_commit.commit_rule_change(
            top, onto, gone, archive_files(gone, rulebook_commit.rule_text(top, onto, slug)),
            subject=f"Retire {slug}", decision=f"RETIRE {slug}", because=reason,
            done=f"retired {slug}{left_alone(book, slug)}",
        )  # fmt: skip


def _supersede(top: Path, old_slug: str, new_slug: str, onto: ChangeTarget, *, because: str) -> Outcome:
    if old_slug == new_slug:
        raise RulecError(f"{old_slug} cannot replace itself", hint="name the rule that takes its place: --for NEW")
    with rulebook_commit.open_rulebook(top, onto) as book:
        old, new = rulebook.require_team_rule(book, old_slug), rulebook.require_team_rule(book, new_slug)
        _refuse_circle(old, new_slug, rulebook_commit.target_rulebook_texts(top, onto))
        old, new = (replace(rule, revision=rule.revision + 1) for rule in (old, new))
        texts = [rulebook_commit.rule_text(top, onto, rule.slug) for rule in (old, new)]
        return rulebook_commit.commit_rule_change(
            top, onto, new, supersession_files(old, new, *texts),
            subject=f"Supersede {old_slug} by {new_slug}", decision=f"SUPERSEDE {old_slug}",
            because=rulebook_commit.clean_reason(because) or f"a person replaced it by {new_slug}",
            done=f"{new_slug} took the place of {old_slug}{left_alone(book, old_slug)}", others=[old],
        )  # fmt: skip


def _refuse_circle(old: Rule, new_slug: str, texts: Mapping[str, str]) -> None:
    """Refuse a new rule that was itself replaced by the old one, directly or not."""
    seen, waiting = {old.slug}, list(old.supersedes)
    while waiting:
        slug = waiting.pop()
        if slug == new_slug:
            hint = f"take {new_slug} out of what it supersedes (rulec edit {old.slug}), or rulec rollback {old.slug}"
            raise RulecError(f"{old.slug} took the place of {new_slug} itself", where=old.source, hint=hint)
        path = file_paths.archive_path(slug)
        if slug not in seen and path in texts:
            seen.add(slug)
            waiting += rule_reading.read_rule(texts[path], source=path).supersedes
