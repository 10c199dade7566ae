"""rulec except: where a rule does not apply, for good or until a day, and all exceptions with whether they are used."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from rulec.checks.judge.checker import pair_judges
from rulec.checks.judge.diff_pieces import pieces_of
from rulec.checks.proving.example_changes import change_of, change_of_exception, describe_example
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import compiled_checks, is_judge_check, slug_of_artifact
from rulec.domain.change import Change
from rulec.domain.finding import Finding
from rulec.domain.outcome import Outcome
from rulec.domain.patterns.safety import glob_problem
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.drafting.exception_search import command_form, offences_within
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.findings.verdicts import commit_checks, verdicts_on
from rulec.guard import exceptions
from rulec.guard.exceptions import InPlaceException
from rulec.infra import clock
from rulec.infra.git import git_changes, git_contents
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.rule_lines import describe_exemption, example_line
from rulec.reports.wording import count_of
from rulec.rulebook import dated_exceptions, file_paths, git_history, rulebook
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.rulebook import Rulebook, require_rule
from rulec.services import rulebook_commit
from rulec.services.rulebook_commit import ChangeTarget

MOST_EXAMPLES = 2  # examples that an exception is given where nobody says which
MOST_ACTIONS = 5  # actions of counterexamples that it is given
LARGEST_EXAMPLE = 2_000  # characters of an action that is kept in a rule


def rule_with_exception(
    top: Path, book: Rulebook, rule: Rule, wanted: Exemption, must_pass: Sequence[Example] = ()
) -> Rule:
    """The rule with the exception and examples for it; RulecError where it would change nothing, or too much.

    ``must_pass`` are the actions of counterexamples, from which the exception follows: with them each has to pass
    then, and no invalid example of the rule may. Without them a person named the exception, so that invalid examples
    within it become its own, as long as the rule still forbids something.
    """
    if any(one.bounds == wanted.bounds for one in rule.exceptions):
        what = f"{rule.slug} leaves {describe_exemption(wanted)} alone already"
        raise RulecError(what, where=rule.source, hint="there is nothing to do")
    new = replace(rule, exceptions=(*rule.exceptions, wanted), revision=rule.revision + 1)
    if not rule.checks:
        return new
    artifacts = compile_rule(book, rule, top)
    if wanted.scope.agents and (commit_checks(artifacts) or any(map(is_judge_check, artifacts))):
        hint = f"except a --path or a --command, or note the case: rulec note {rule.slug}"
        raise RulecError(f"{rule.slug} also acts at commits, where the agent is unknown", where=rule.source, hint=hint)
    inside = _passing(top, book, rule, new, must_pass) if must_pass else _turning(top, book, rule, new)[:MOST_EXAMPLES]
    seen = is_caught(top, book, new, [change_of(one) for one in rule.invalid])
    kept = tuple(one for one, found in zip(rule.invalid, seen, strict=True) if found)
    lost = [one for one, found in zip(rule.invalid, seen, strict=True) if not found]
    if not kept:
        hint = f"rulec edit {rule.slug} gives it another example, rulec retire {rule.slug} takes it out of force"
        raise RulecError(f"{rule.slug} would forbid nothing any more", where=rule.source, hint=hint)
    if lost and must_pass:
        what = f"{rule.slug} would no longer catch {describe_example(lost[0])}"
        raise RulecError(what, where=rule.source, hint=f"name the exception yourself: rulec except {rule.slug}")
    valid = tuple(dict.fromkeys([*inside, *lost]))
    return replace(new, invalid=kept, exceptions=(*rule.exceptions, replace(wanted, valid=valid)))


def _turning(top: Path, book: Rulebook, rule: Rule, new: Rule) -> list[Example]:
    """Offences within the exception that the rule catches now, and no longer with it."""
    wanted = new.exceptions[-1]
    made = list(dict.fromkeys(offences_within(rule, wanted)))
    changes = [change_of_exception(wanted, one) for one in made]
    before = is_caught(top, book, rule, changes)
    after = is_caught(top, book, new, changes) if any(before) else before
    found = [one for one, was, now in zip(made, before, after, strict=True) if was and not now]
    if not found:
        hint = f"see rulec why {rule.slug} for what it looks at; --path takes a glob, --command one plain command"
        what = f"{rule.slug} does not catch {describe_exemption(wanted)} as it is"
        raise RulecError(what, where=rule.source, hint=hint)
    return found


def _passing(top: Path, book: Rulebook, rule: Rule, new: Rule, must_pass: Sequence[Example]) -> list[Example]:
    """The actions that the exception is given as examples, once all are seen to pass with it and not without it."""
    wanted = new.exceptions[-1]
    changes = [change_of_exception(wanted, one) for one in must_pass]
    for one, before, after in zip(
        must_pass, is_caught(top, book, rule, changes), is_caught(top, book, new, changes), strict=True
    ):
        if after or not before:
            what = f"would still catch {describe_example(one)}" if after else f"does not catch {describe_example(one)}"
            raise RulecError(f"{rule.slug} {what}", where=rule.source, hint="except something else")
    short = [one for one in must_pass if len(one.text) + sum(len(text) for _, text in one.files) <= LARGEST_EXAMPLE]
    return list(dict.fromkeys(short or must_pass))[:MOST_ACTIONS]


def is_caught(top: Path, book: Rulebook, rule: Rule, changes: Sequence[Change]) -> list[bool]:
    """Which of the changes the rule's checks catch, or its judges are asked about."""
    if not changes:
        return []
    artifacts = compile_rule(book, rule, top)
    seen = run_checks_each(artifacts, changes)
    judges = [artifact for artifact in artifacts if is_judge_check(artifact)]
    asked = [bool(judges and pair_judges(judges, pieces_of(change), change.environment)) for change in changes]
    return [due or any(isinstance(item, Finding) for item in found) for due, found in zip(asked, seen, strict=True)]


SAY_WHY = "say with --because why the rule does not apply there"
EVERYWHERE = "every place"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionBounds:
    """The paths, command, its arguments and the agent to except; nothing is no bound."""

    paths: tuple[str, ...] = ()
    command: str = ""
    agent: str = ""
    arguments: str = ""


def add_exception(
    top: Path, slug: str, where: ExceptionBounds, because: str, onto: ChangeTarget, *, until: str = ""
) -> Outcome:
    """Write the exception into the rule as a new revision, once the narrower rule is proved.

    One until a day changes no rule: its findings in some paths, or everywhere, are only counted.
    """
    if until:
        return _except_until(top, slug, where, because, onto, until=until)
    wanted, reason = _exemption_of(where), rulebook_commit.require_reason(because, SAY_WHY)
    with rulebook_commit.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        new = rule_with_exception(top, book, rule, replace(wanted, because=reason))
        return write_exception(top, book, rule, new, onto)


def write_exception(top: Path, book: Rulebook, rule: Rule, new: Rule, onto: ChangeTarget) -> Outcome:
    """Write the rule as ``rule_with_exception`` made it, with the write lock held."""
    wanted = new.exceptions[-1]
    evidence = rulebook_commit.missing_proof(book, new, top)
    named = describe_exemption(wanted)
    done = rulebook_commit.commit_rule_change(
        top, onto, new, rulebook_commit.rule_files(top, onto, new),
        subject=f"Except {shorten(named)} from {rule.slug}", decision=f"UPDATE {rule.slug}",
        because=f"except {named}: {wanted.because}", done=f"{rule.slug}@{new.revision} leaves {named} alone",
        evidence=evidence,
    )  # fmt: skip
    lines = [f"  passes now: {shorten(example_line(one))}" for one in new.exceptions[-1].valid]
    lines += [f"  still catches: {shorten(example_line(one))}" for one in new.invalid[:MOST_EXAMPLES]]
    return replace(done, text="\n".join([done.text, *lines]))


def _exemption_of(where: ExceptionBounds) -> Exemption:
    if where == ExceptionBounds():
        raise RulecError("say what to except", hint="pass --path GLOB, --command TEXT or --agent NAME")
    for name, glob in (*(("path", one) for one in where.paths), ("arguments", where.arguments)):
        if glob and (wrong := glob_problem(glob)):
            raise RulecError(f"--{name} {glob[:200]!r} {wrong[0]}", hint=wrong[1])
    command = command_form(redact(where.command)) if where.command else ""
    if where.command and not command:
        hint = "such as --command 'npm ci'; without quotes, pipes and redirects"
        raise RulecError(f"{where.command[:200]!r} is not a single plain command", hint=hint)
    include = tuple(map(redact, where.paths)) or Scope().include
    agents = (redact(where.agent),) if where.agent else ()
    wanted = Exemption(
        because="", scope=Scope(include=include, agents=agents), commands=(command,) if command else (),
        arguments=(redact(where.arguments),) if where.arguments else (),
    )  # fmt: skip
    if not wanted.bounded:
        raise RulecError(f"--path {where.paths[0]} is everywhere", hint="rulec retire takes a rule out of force")
    return wanted


def _except_until(
    top: Path, slug: str, where: ExceptionBounds, because: str, onto: ChangeTarget, *, until: str
) -> Outcome:
    """Write an exception until a day, or change the one of the same paths."""
    if where.command or where.agent or where.arguments:
        hint = "leave --until out to except it for good, or except a --path"
        raise RulecError("only paths are excepted until a day", where="--until", hint=hint)
    globs = tuple(dict.fromkeys(dated_exceptions.checked_glob(path.strip(), "--path") for path in where.paths))
    reason = rulebook_commit.require_reason(because, "say with --because why the findings stay")
    if dated_exceptions.checked_day(until, "--until") < clock.now()[:10]:
        raise RulecError(f"{until} is over", where="--until", hint="name a last day in the future")
    with rulebook_commit.open_rulebook(top, onto) as book:
        rule = require_rule(book, slug)
        item = DatedException(slug=slug, until=until, reason=reason, paths=globs)
        path = dated_exceptions.exception_path(item)
        if any(path == one.source and one.until == until and one.reason == reason for one in book.dated_exceptions):
            return Outcome(f"{slug} is already excepted like this")
        named = ", ".join(globs) or EVERYWHERE
        return rulebook_commit.commit_rule_change(
            top, onto, rule, {path: dated_exceptions.dump_exception(item)},
            subject=f"Except {shorten(named)} from {slug} until {until}", decision=f"EXCEPT {slug}",
            because=f"{named} until {until}: {reason}", done=f"{slug} leaves {named} alone until {until}",
        )  # fmt: skip


def end_exception(top: Path, slug: str, paths: Sequence[str], onto: ChangeTarget) -> Outcome:
    """End an exception before its last day."""
    globs = tuple(dict.fromkeys(paths))
    with rulebook_commit.open_rulebook(top, onto) as book:
        path = dated_exceptions.exception_path(DatedException(slug=slug, until="", reason="", paths=globs))
        named = ", ".join(globs) or EVERYWHERE
        if path not in {one.source for one in book.dated_exceptions}:
            hint = f"rulec except --list lists all; rulec edit {slug} changes those for good"
            raise RulecError(f"{slug} has no exception until a day for {named}", hint=hint)
        message = (
            f"Except {shorten(named)} from {slug} no longer\n\nResolution: UNEXCEPT {slug} -- a person took it back\n"
        )
        return rulebook_commit.commit_with_outcome(top, onto, {path: None}, message, f"{slug} holds for {named} again")


COUNTS, IDLE = "counts", "unused: nothing is found there any more"
NOT_COMMITTED = "not committed, so it does not count"


ExceptionKind = Literal["rule", "file", "comment"]  # where it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionEntry:
    """One exception of one rule in the work tree."""

    slug: str
    where: str  # path:line, or globs
    until: str  # "" of one that is part of its rule, and so for good
    reason: str
    kind: ExceptionKind
    author: str = ""
    since: str = ""
    state: str = COUNTS  # or that it is idle, ended, or why it does not count
    file: str = ""  # of one in place
    line: int = 0


def list_exceptions(top: Path, slug: str = "") -> Outcome:
    """All exceptions of all rules or of one, those that do not count last."""
    today, book = clock.now()[:10], rulebook_files.load_rulebook(top)
    if slug:
        require_rule(book, slug)
    every = [*_entries_for_good(book), *dated_exception_entries(top, book)]
    found = sorted(
        (one for one in every if slug in ("", one.slug)), key=lambda one: (one.state != COUNTS, one.slug, one.where)
    )
    lines = [line for one in found for line in _entry_lines(one, today)]
    counted = sum(one.state == COUNTS for one in found)
    many = f"{count_of(len(found), 'exception')}, {counted} of them in use"
    return Outcome("\n".join([*lines, many if found else "nothing is excepted"]), data=list(map(_entry_json, found)))


def _entries_for_good(book: Rulebook) -> Iterator[ExceptionEntry]:
    """The exceptions that are part of their rules."""
    for rule in book.rules:
        for one in rule.exceptions:
            where = describe_exemption(one)
            yield ExceptionEntry(slug=rule.slug, where=where, until="", reason=one.because, kind="rule")


def dated_exception_entries(top: Path, book: Rulebook) -> list[ExceptionEntry]:
    """Every exception of the work tree, with its state."""
    today = clock.now()[:10]
    filed = [(one, _entries_of_file(top, one, today)) for one in book.dated_exceptions]
    placed = list(_entries_in_code(top, book, today))
    live = {entry.slug for entry in (*placed, *(entry for _, entry in filed)) if entry.state == COUNTS}
    change = _files(top, placed, [one for one, entry in filed if entry.state == COUNTS])
    seen, known = _findings(top, live, change)
    used = [(entry, _is_used(entry, seen, change)) for entry in placed]
    used += [(entry, any(one.covers(f.slug, f.path) for f in seen)) for one, entry in filed]
    return [
        replace(entry, state=IDLE) if entry.state == COUNTS and entry.slug in known and not is_used else entry
        for entry, is_used in used
    ]


def _entries_of_file(top: Path, one: DatedException, today: str) -> ExceptionEntry:
    made = next(iter(git_history.commits_touching(top, one.source)), None)
    state = COUNTS if made else NOT_COMMITTED
    return ExceptionEntry(
        slug=one.slug, where=", ".join(one.paths) or "everywhere", until=one.until, reason=one.reason, kind="file",
        author=made.author if made else "", since=made.at[:10] if made else "",
        state=f"ended on {one.until}" if one.ended(today) else state,
    )  # fmt: skip


def _entries_in_code(top: Path, book: Rulebook, today: str) -> Iterator[ExceptionEntry]:
    names = {rule.slug for rule in book.rules}
    for path in git_contents.files_holding(top, exceptions.MARK):
        if path.startswith(f"{file_paths.RULES}/"):
            continue
        said = dict(_exception_comments(top / path))
        wrote = git_history.blame_lines(top, path, list(said))
        for number, one in said.items():
            by = wrote.get(number, git_history.LineAuthor())
            for slug in one.slugs or [""]:
                yield ExceptionEntry(
                    slug=slug or "?", where=f"{path}:{number}", until=one.until, reason=one.reason,
                    kind="comment", author=by.author, since=by.day, state=_state(one, slug, names, today, by),
                    file=path, line=number,
                )  # fmt: skip


def _exception_comments(path: Path) -> Iterator[tuple[int, InPlaceException]]:
    if path.is_file() and not path.is_symlink() and path.stat().st_size <= git_changes.LARGEST_READ:
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").split("\n"), 1):
            said = exceptions.parse_line(line)
            if said:
                yield number, said


def _state(said: InPlaceException, slug: str, names: set[str], today: str, wrote: git_history.LineAuthor) -> str:
    if said.wrong:
        return f"does not count: {said.wrong}"
    if slug not in names:
        return "does not count: no rule of that name"
    if said.until < today:
        return f"ended on {said.until}"
    return COUNTS if wrote.day else NOT_COMMITTED


def _files(top: Path, placed: Sequence[ExceptionEntry], filed: Sequence[DatedException]) -> Change:
    """The files that valid exceptions are about."""
    wanted = {entry.file for entry in placed if entry.state == COUNTS}
    for path in git_contents.tracked_paths(top) if filed else ():
        if any(one.covers(one.slug, path) for one in filed):
            wanted.add(path)
    there = [str(top / path) for path in sorted(wanted) if (top / path).is_file()]
    return git_changes.whole_files_change(top, there) if there else Change()


def _findings(top: Path, slugs: set[str], change: Change) -> tuple[list[Finding], set[str]]:
    """What the rules find in those files, and which of the rules can be run here."""
    artifacts = compiled_checks(rulebook_files.compiled_in_work_tree(top)) if slugs else []
    judges = {slug_of_artifact(artifact.path) for artifact in artifacts if is_judge_check(artifact)}
    asked = commit_checks([artifact for artifact in artifacts if slug_of_artifact(artifact.path) in slugs], whole=False)
    seen = verdicts_on(asked, change) if asked and change.files else []
    return [v.finding for v in seen if v.finding], {slug_of_artifact(artifact.path) for artifact in asked} - judges


def _is_used(entry: ExceptionEntry, seen: Sequence[Finding], change: Change) -> bool:
    content = next((file.content or b"" for file in change.files if file.path == entry.file), b"")
    lines = content.decode("utf-8", "replace").split("\n")
    own = (one for one in seen if one.slug == entry.slug and one.path == entry.file)
    return any(
        number == entry.line for f in own for number, _ in exceptions.exceptions_at(lines, f.slug, f.line, f.last)
    )


def _entry_lines(one: ExceptionEntry, today: str) -> Iterator[str]:
    age = f", {(date.fromisoformat(today) - date.fromisoformat(one.since)).days} days ago" if one.since else ""
    by = f" ({one.author}{age})" if one.author else ""
    until = f"until {one.until}" if one.until else "for good" if one.kind == "rule" else "without an end"
    yield f"{one.slug}  {one.where}  {until}{by}"
    yield f"  {one.reason or 'no reason'}" + f"; {one.state}" * (one.state != COUNTS)


def _entry_json(one: ExceptionEntry) -> dict[str, Any]:
    data = asdict(one)
    return {name: data[name] for name in data if name not in ("file", "line")}
