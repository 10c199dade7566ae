"""What an UPDATE may make of a rule, in the order in which it is to be proved."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulec.domain.candidate import Candidate, Draft
from rulec.domain.files import globs
from rulec.domain.rule import Check, Example, Exemption, Rule, Scope
from rulec.resolving.exception_wording import (
    add_exception_clause,
    bare_exception,
    globs_of_places,
    join_statements,
    says_all_of,
)
from rulec.resolving.resolver import Resolution


def possible_updates(rule: Rule, candidate: Candidate, resolution: Resolution, draft: Draft | None) -> Iterator[Rule]:
    """Revisions with the words and the examples of both; each still has to decide all of them to count."""
    said = _reword(rule, candidate, resolution)
    match resolution.manner:
        case "exception":
            yield from _with_exception(said, rule, candidate, resolution, draft)
        case "narrower":
            yield from _extend_checks(said, draft) if draft else ()
            yield replace(said, invalid=join_examples(rule.invalid, draft.invalid if draft else ()))
        case _ if draft is None or not draft.checks:
            if named := _add_named_things(said, rule, resolution.added):
                yield named
            yield said
        case manner:
            for extended in _extend_checks(said, draft):
                if extended.checks == rule.checks and (named := _add_named_things(extended, rule, resolution.added)):
                    yield named
                yield extended
                if manner == "wider":
                    yield _drop_outdated_valid(extended, resolution.added)
            yield _with_draft_alone(said, draft)


def _add_named_things(said: Rule, rule: Rule, added: Sequence[str]) -> Rule | None:
    """The rule with the added things in each list of a check that holds a thing of the old sentence."""
    new = [word for word in added if word in said.statement]
    checks, invalid = list(said.checks), list(said.invalid)
    for at, check in enumerate(said.checks):
        for key, items in check.parameters.items():
            known = [item for item in items if str(item) in rule.statement] if _is_list(items) else []
            if known and new:
                checks[at] = replace(check, parameters={**check.parameters, key: join_items(items, new)})
                invalid += [
                    replace(one, text=one.text.replace(known[0], word))
                    for word in new
                    for one in rule.invalid[:1]
                    if known[0] in one.text
                ]
    named = replace(said, checks=tuple(checks), invalid=tuple(dict.fromkeys(invalid)))
    return named if named.checks != said.checks and named.invalid != said.invalid else None


def _with_exception(
    said: Rule, rule: Rule, candidate: Candidate, resolution: Resolution, draft: Draft | None
) -> Iterator[Rule]:
    """The rule with the exception: as its checks can express it, else as the draft leaves it out, else in words."""
    if exempt := exemption(rule, candidate, resolution.where):
        yield replace(said, exceptions=(*rule.exceptions, exempt))
    elif draft and draft.checks and draft.scope.exclude:
        yield _with_draft_alone(said, draft)
    else:
        yield said


def _with_draft_alone(said: Rule, draft: Draft) -> Rule:
    """The checks of the draft for both."""
    return _examples(replace(said, checks=draft.checks, scope=draft.scope, do=draft.do or said.do), draft)


def _reword(rule: Rule, candidate: Candidate, resolution: Resolution) -> Rule:
    new = candidate.rule
    if resolution.manner == "narrower":
        return replace(rule, revision=rule.revision + 1)
    extended = says_all_of(new.statement, rule.statement)
    if extended or resolution.manner == "wider":
        statement = new.statement if extended else join_statements(rule.statement, new.statement)
    elif resolution.manner == "exception" and resolution.where:
        statement = add_exception_clause(rule.statement, resolution.where)
    else:
        statement = join_statements(rule.statement, new.statement)
    when = new.when if resolution.manner == "when" else ""
    said = replace(
        rule,
        revision=rule.revision + 1,
        statement=_keep_capital(statement, rule.statement),
        rationale=rule.rationale if rule.checks or not candidate.drafts else new.rationale,
        when="; ".join(dict.fromkeys(filter(None, (rule.when, when)))),
        do=rule.do or new.do,
    )
    other = (said.statement, said.when, said.do) != (rule.statement, rule.when, rule.do)
    return _note_author(said, _worded_by(candidate)) if other and (candidate.offered or candidate.by_agent) else said


def _worded_by(candidate: Candidate) -> str:
    """The note in a rationale on who worded the statement, with its quote; what follows is about the checks."""
    told = candidate.rule.rationale
    quoted, mark, _ = told.rpartition('"')
    return f"{quoted}{mark}" or told.partition(". ")[0]


def _note_author(rule: Rule, whose: str) -> Rule:
    known = rule.rationale
    return rule if whose in known else replace(rule, rationale=". ".join(filter(None, (known.rstrip("."), whose))))


def _keep_capital(statement: str, old: str) -> str:
    """With the capital that the old sentence begins with, where both begin with one word."""
    same = statement.split(" ", 1)[0].casefold() == old.split(" ", 1)[0].casefold()
    return old[:1] + statement[1:] if same else statement


def _extend_checks(rule: Rule, draft: Draft) -> Iterator[Rule]:
    """The rule's checks with what the draft adds, where both hold in the same places."""
    scope = _common_scope(rule, draft)
    if scope is None or not draft.checks:
        return
    checks, left = [], list(draft.checks)
    for check in rule.checks:
        twin = next((one for one in left if differ_in_lists_alone(check, one)), None)
        if twin is not None:
            left.remove(twin)
        checks.append(merge_lists(check, twin) if twin else check)
    yield _examples(replace(rule, checks=(*checks, *left), scope=scope, do=rule.do or draft.do), draft)


def _common_scope(rule: Rule, draft: Draft) -> Scope | None:
    """The scope of both: the same, or the places of both where the checks are."""
    if not rule.checks or draft.scope == rule.scope:
        return draft.scope if not rule.checks and rule.scope == Scope() else rule.scope
    if draft.checks != rule.checks:
        return None
    if rule.scope.include == Scope().include:
        return rule.scope  # everywhere holds there, too
    return replace(rule.scope, include=tuple(join_items(rule.scope.include, draft.scope.include)))


def differ_in_lists_alone(one: Check, other: Check) -> bool:
    """Whether they differ in nothing but the items of lists."""
    if (one.kind, one.template) != (other.kind, other.template) or set(one.parameters) != set(other.parameters):
        return False
    pairs = [(one.parameters[key], other.parameters[key]) for key in one.parameters]
    return all(mine == theirs or (_is_list(mine) and _is_list(theirs)) for mine, theirs in pairs)


def merge_lists(check: Check, other: Check) -> Check:
    parameters: Mapping[str, Any] = {
        key: join_items(mine, other.parameters[key]) if _is_list(mine) else mine
        for key, mine in check.parameters.items()
    }
    return replace(check, parameters=parameters)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def join_items(mine: Iterable[Any], theirs: Iterable[Any]) -> list[Any]:
    found = list(mine)
    return found + [item for item in theirs if item not in found]


def _examples(rule: Rule, draft: Draft) -> Rule:
    return replace(
        rule, invalid=join_examples(rule.invalid, draft.invalid), valid=join_examples(rule.valid, draft.valid)
    )


def join_examples(mine: tuple[Example, ...], theirs: tuple[Example, ...]) -> tuple[Example, ...]:
    return tuple(dict.fromkeys((*mine, *theirs)))


def _drop_outdated_valid(rule: Rule, added: Sequence[str]) -> Rule:
    """Where what passed before is what the person names now as wrong: that example has had its time."""
    kept = tuple(one for one in rule.valid if not any(word and word in (one.text, *one.text.split()) for word in added))
    return replace(rule, valid=tuple(one for one in kept if one not in rule.invalid))


def exemption(rule: Rule, candidate: Candidate, words: str) -> Exemption | None:
    """The exception as a path that checks can leave alone, with what passes then; None where no path is named."""
    where = globs_of_places(words)
    spared = list(_moved_offences(rule, where))
    if not where or (rule.checks and not spared):
        return None
    said = candidate.correction.quote if candidate.correction else candidate.rule.statement
    because = f"{said} ({_worded_by(candidate)})" if candidate.by_agent else said
    return Exemption(
        because=because, when=bare_exception(words), scope=Scope(include=where), valid=tuple(spared[:_SPARED])
    )


def _moved_offences(rule: Rule, where: Sequence[str]) -> Iterator[Example]:
    """The rule's invalid examples, moved to where they are valid."""
    for glob in where:
        for one in rule.invalid:
            moved = _move_example(one, glob)
            if moved is not None and moved not in rule.invalid:
                yield moved


def _move_example(example: Example, glob: str) -> Example | None:
    if example.kind == "command":
        plain = _FOLDER.fullmatch(glob)
        return replace(example, text=f"cd {plain[1]} && {example.text}") if plain else None
    if example.kind in ("file", "edit"):
        path = _path_in_glob(glob, example.path)
        return replace(example, path=path) if path else None
    if example.kind == "commit":
        files = tuple((_path_in_glob(glob, path), text) for path, text in example.files)
        return replace(example, files=files) if files and all(path for path, _ in files) else None
    return None


def _path_in_glob(glob: str, path: str) -> str:
    """A path that the glob names, as like the given one as may be; "" where there is none that is plain."""
    name = path.rpartition("/")[2]
    start, glob = glob.removesuffix("**"), globs.expand_braces(glob)[0]
    found = f"{start}{name}" if start.endswith("/") else glob.replace("**/", "").replace("*", name.partition(".")[0])
    return found if globs.match((glob,), found) else ""


_FOLDER = re.compile(r"([\w.-]+(?:/[\w.-]+)*)/(?:\*\*)?")
_SPARED = 2
