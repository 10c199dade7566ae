"""Rule -> variants of its examples whose verdict is known, to see where its checks end."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from rulec.model.artifact import Artifact
from rulec.model.proof import Mutant
from rulec.model.rule import RAW, Example, Rule
from rulec.mutants import code, commands, commits, lookalikes, messages, paths, sessions
from rulec.mutants.reach import Reach, reach

MOST = 36  # variants of one example

Made = Iterator[tuple[str, Example]]


def mutate(rule: Rule, artifacts: Sequence[Artifact]) -> tuple[Mutant, ...]:
    """Variants of every example, the same ones for the same rule."""
    seen = reach(rule, artifacts)
    known = {*rule.invalid, *rule.valid}
    found: dict[Example, Mutant] = {}
    raw = any(check.template in RAW for check in rule.checks)  # of which nobody knows what else it minds
    for examples, invalid in ((rule.invalid, True), (rule.valid, False)):
        for example in examples:
            for name, made in islice(_same(example, rule, seen, invalid=invalid), MOST):
                mutant = Mutant(name=name, example=made, invalid=invalid, firm=not invalid and not raw)
                found.setdefault(made, mutant if invalid or not raw else replace(mutant, open=True))
    for name, made in lookalikes.everyday(rule, seen):
        found.setdefault(made, Mutant(name=name, example=made, invalid=False, firm=True))
    _alikes(rule, seen, found)
    return tuple(mutant for mutant in found.values() if mutant.example not in known)


def _alikes(rule: Rule, seen: Reach, found: dict[Example, Mutant]) -> None:
    for firm, made_by in ((True, _innocent), (False, _alike)):
        for example in rule.invalid:
            for name, made in islice(made_by(example, rule, seen), MOST):
                found.setdefault(made, Mutant(name=name, example=made, invalid=False, firm=firm, open=not firm))


def _same(example: Example, rule: Rule, seen: Reach, *, invalid: bool) -> Made:
    match example.kind:
        case "command":
            yield from _texts(example, commands.same(example.text, seen))
        case "message":
            yield from _texts(example, messages.same(example.text, rule, seen))
            for name, command in messages.on_command_line(example.text, seen):
                yield name, Example(kind="command", text=command)
        case "session":
            yield from sessions.same(example, seen)
        case "commit":
            yield from commits.same(example, seen)
        case "file" | "edit":
            yield from _of_file(example, seen, invalid=invalid)


def _of_file(example: Example, seen: Reach, *, invalid: bool) -> Made:
    if seen.on("path"):
        yield from paths.same(example, seen, invalid=invalid)
    else:
        for name, path in paths.places(example.path, seen):
            yield name, replace(example, path=path)
    yield from _texts(example, code.same(example.text, example.path, seen, invalid=invalid))
    yield from _other_kind(example, seen, invalid=invalid)


def _other_kind(example: Example, seen: Reach, *, invalid: bool) -> Made:
    """A file as an edit and an edit as a file, where only what is put there counts."""
    if seen.on("path", "change") or seen.scripts or seen.demands:
        return
    if example.kind == "file" and example.text:
        yield "as an edit", replace(example, kind="edit")
    elif example.kind == "edit" and (invalid or not example.old):
        yield "as a file", replace(example, kind="file", old="")


def _alike(example: Example, rule: Rule, seen: Reach) -> Made:
    """What a rule may mean, too: whether it does is for a person to see."""
    yield from lookalikes.asked(example, seen)
    yield from lookalikes.unnamed(example, rule)
    yield from lookalikes.undone(example, seen)


def _innocent(example: Example, _: Rule, seen: Reach) -> Made:
    yield from lookalikes.firm(example, seen)
    match example.kind:
        case "command" if seen.guards:
            yield from _texts(example, commands.mentions(example.text, seen))
        case "session":
            yield from sessions.mentions(example, seen)
        case "file" | "edit":
            yield from paths.only_read(example, seen)
            if example.kind == "file":
                yield from _texts(example, code.no_code(example.text, example.path, seen))


def _texts(example: Example, made: Iterator[tuple[str, str]]) -> Made:
    for name, text in made:
        if text != example.text:
            yield name, replace(example, text=text)
