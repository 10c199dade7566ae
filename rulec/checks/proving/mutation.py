"""Variants of a rule's examples whose verdict is known, to see where its checks end."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from rulec.checks.proving import change_variants, command_variants, lookalikes
from rulec.checks.proving.check_reach import CheckReach, reach_of_checks
from rulec.checks.proving.proof import Mutant
from rulec.domain.artifact import Artifact
from rulec.domain.rule import RAW_TEMPLATES, Example, Rule

MOST_VARIANTS = 36  # variants of one example

NamedVariants = Iterator[tuple[str, Example]]


def make_mutants(rule: Rule, artifacts: Sequence[Artifact]) -> tuple[Mutant, ...]:
    """Variants of every example, the same ones for the same rule."""
    seen = reach_of_checks(rule, artifacts)
    known = {*rule.invalid, *rule.valid}
    found: dict[Example, Mutant] = {}
    raw = any(check.template in RAW_TEMPLATES for check in rule.checks)  # of which nobody knows what else it minds
    for examples, invalid in ((rule.invalid, True), (rule.valid, False)):
        for example in examples:
            for name, made in islice(_same_meaning(example, rule, seen, invalid=invalid), MOST_VARIANTS):
                mutant = Mutant(name=name, example=made, invalid=invalid, firm=not invalid and not raw)
                found.setdefault(made, mutant if invalid or not raw else replace(mutant, open=True))
    for name, made in lookalikes.everyday_actions(rule, seen):
        found.setdefault(made, Mutant(name=name, example=made, invalid=False, firm=True))
    _look_alikes(rule, seen, found)
    return tuple(mutant for mutant in found.values() if mutant.example not in known)


def _look_alikes(rule: Rule, seen: CheckReach, found: dict[Example, Mutant]) -> None:
    for firm, made_by in ((True, _innocent_variants), (False, _open_variants)):
        for example in rule.invalid:
            for name, made in islice(made_by(example, rule, seen), MOST_VARIANTS):
                found.setdefault(made, Mutant(name=name, example=made, invalid=False, firm=firm, open=not firm))


def _same_meaning(example: Example, rule: Rule, seen: CheckReach, *, invalid: bool) -> NamedVariants:
    match example.kind:
        case "command":
            yield from _texts(example, command_variants.vary_command(example.text, seen))
        case "message":
            yield from _texts(example, change_variants.vary_message(example.text, rule, seen))
            for name, command in change_variants.on_command_line(example.text, seen):
                yield name, Example(kind="command", text=command)
        case "session":
            yield from command_variants.vary_session(example, seen)
        case "commit":
            yield from change_variants.vary_commit(example, seen)
        case "file" | "edit":
            yield from _file_variants(example, seen, invalid=invalid)


def _file_variants(example: Example, seen: CheckReach, *, invalid: bool) -> NamedVariants:
    if seen.on("path"):
        yield from change_variants.vary_path(example, seen, invalid=invalid)
    else:
        for name, path in change_variants.equivalent_paths(example.path, seen):
            yield name, replace(example, path=path)
    yield from _texts(example, change_variants.vary_code(example.text, example.path, seen, invalid=invalid))
    yield from _as_other_kind(example, seen, invalid=invalid)


def _as_other_kind(example: Example, seen: CheckReach, *, invalid: bool) -> NamedVariants:
    """A file as an edit and an edit as a file, where only what is put there counts."""
    if seen.on("path", "change") or seen.scripts or seen.demands:
        return
    if example.kind == "file" and example.text:
        yield "as an edit", replace(example, kind="edit")
    elif example.kind == "edit" and (invalid or not example.old):
        yield "as a file", replace(example, kind="file", old="")


def _open_variants(example: Example, rule: Rule, seen: CheckReach) -> NamedVariants:
    """What a rule may mean, too: whether it does is for a person to see."""
    yield from lookalikes.help_requests(example, seen)
    yield from lookalikes.acts_on_unnamed(example, rule)
    yield from lookalikes.undone_offences(example, seen)


def _innocent_variants(example: Example, _: Rule, seen: CheckReach) -> NamedVariants:
    yield from lookalikes.certain_innocents(example, seen)
    match example.kind:
        case "command" if seen.guards:
            yield from _texts(example, command_variants.mention_command(example.text, seen))
        case "session":
            yield from command_variants.mention_session(example, seen)
        case "file" | "edit":
            yield from change_variants.read_path_only(example, seen)
            if example.kind == "file":
                yield from _texts(example, change_variants.mention_outside_code(example.text, example.path, seen))


def _texts(example: Example, made: Iterator[tuple[str, str]]) -> NamedVariants:
    for name, text in made:
        if text != example.text:
            yield name, replace(example, text=text)
