"""``rulec edit``: a rule's file in the person's editor, or from a script, validated and proved before it is written."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from rulec import evidencefile
from rulec.commands import _edit, _onto, _verb, _write
from rulec.commands._onto import Onto
from rulec.commands._outcome import Outcome
from rulec.commands._supersession import superseded
from rulec.errors import RulecError
from rulec.host import rulefiles, worktree
from rulec.model.evidence import Evidence
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.redact import redact

_HIDDEN = "[redacted:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What an edit comes to."""

    rule: Rule
    text: str
    evidence: tuple[Evidence, ...]


Ask = Callable[[str, Callable[[str], Made]], Made | None]  # the text as it stands, and how an edit of it is read


def asked(edit: _edit.Edit, say: Callable[[str], None]) -> Ask:
    """A person with an editor, who is shown what is wrong until nothing is."""
    return lambda text, read: _edit.until(text, edit, say, read)


def given(content: bytes, source: str) -> Ask:
    """A script that says what the file shall be."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=source, hint="save it as UTF-8") from None
    return lambda _, read: read(text)


def run(top: Path, slug: str, ask: Ask, onto: Onto, *, because: str = "", source: str = _edit.SOURCE) -> Outcome:
    """Write the rule as it was edited, a revision later; under another slug it takes the place of itself."""
    with _onto.changing(top, onto) as book:
        rule = _onto.standing(book, slug)
        path = worktree.rule_path(slug)
        before = _onto.text(top, onto, path)
        made = ask(before, lambda text: _read(top, book, rule, _clean(text, before), source))
        if made is None or made.text == before:
            return Outcome(f"{slug} is as it was")
        if _onto.text(top, onto, path) != before:
            raise RulecError("was changed while it was edited", where=path, hint="run rulec edit again")
        new = made.rule
        if new.slug == slug:
            subject, decision, why = f"Edit {slug}", f"UPDATE {slug}", "a person edited it"
            changes: dict[str, str | None] = {path: rulefiles.dumps(new, made.text)}
        else:
            subject, decision, why = (
                f"Rename {slug} to {new.slug}",
                f"SUPERSEDE {slug}",
                f"a person named it {new.slug}",
            )
            changes = superseded(rule, new, before, made.text)
        reason = _verb.reason(because) or why
        message = _verb.message(subject, new, decision, because=reason, evidence=made.evidence)
        commit = _write.put(top, {**changes, **_verb.files(made.evidence)}, message, onto)
    what = f"edited {slug}" if new.slug == slug else f"{slug} is {new.slug} now"
    hidden = made.text.count(_HIDDEN) > before.count(_HIDDEN)
    note = "; what looked like a secret in it is redacted" * hidden
    return _verb.done(top, onto, commit, f"{what}, revision {new.revision}{note}")


def _clean(text: str, before: str) -> str:
    """The text without secrets in what is new; what stood there before stays, for the check may be about just that."""
    stood = set(before.splitlines())
    lines = groupby(text.splitlines(keepends=True), key=lambda line: line.rstrip("\r\n") in stood)
    return "".join("".join(part) if known else redact("".join(part)) for known, part in lines)


def _read(top: Path, book: Rulebook, rule: Rule, text: str, source: str) -> Made:
    typed = rulefiles.loads(text, source=source)
    if typed.superseded_by or typed.retired:
        hint = "rulec retire and rulec supersede take a rule out of force"
        raise RulecError("superseded_by and retired stand in the archive alone", where=source, hint=hint)
    if typed.slug != rule.slug and (book.rule(typed.slug) or typed.slug in book.archived):
        raise RulecError(f"the slug {typed.slug} is taken", where=source, hint="give it another one, or leave it")
    new = replace(typed, revision=rule.revision + 1, origin=rule.origin)
    said = [] if new.slug == rule.slug else _carried(book, rule.slug, new.slug)
    origin = {evidencefile.identity(old): evidencefile.identity(item) for old, item in said}.get(rule.origin)
    new = replace(new, origin=origin or rule.origin)
    evidence = (*(item for _, item in said), *_verb.proof(book, new, top))
    return Made(rule=new, text=_edit.theirs(text), evidence=evidence)


def _carried(book: Rulebook, old: str, new: str) -> list[tuple[Evidence, Evidence]]:
    """What was said of a rule, and the same of its new name; evidence never changes, so the old files stay.

    A rename is a supersession by the same rule: its history is found by its predecessor's name, and so is its future
    on branches that do not know of the new one.
    """
    return [(item, replace(item, slug=new)) for item in book.observed(old) if item.kind != "proved"]
