"""``rulec exception``: what a rule leaves alone from now on, or where it did not hold this once."""

from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checkers.judge import docket
from rulec.commands import _build, _exempt, _onto, _verb, _write
from rulec.commands._exempt import told
from rulec.commands._lines import example_line, short
from rulec.commands._observe import observe_each
from rulec.commands._onto import Onto
from rulec.commands._outcome import Outcome
from rulec.commands._verdicts import at_commit
from rulec.errors import RulecError
from rulec.host import clock, rulefiles, worktree
from rulec.model.artifact import of_judge
from rulec.model.change import Change
from rulec.model.evidence import Evidence
from rulec.model.finding import Finding
from rulec.model.rule import Example, Exemption, Rule, Scope
from rulec.model.rulebook import Rulebook
from rulec.patterns.safety import wrong_glob
from rulec.redact import redact
from rulec.stages.evolve import form, samples
from rulec.stages.hunks import hunks
from rulec.stages.verify import change_of, excepted

MOST = 2  # examples that an exception is given
AGAINST = 1.0  # what one counterexample weighs


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """What a person says that a rule should leave alone; "" is no bound."""

    path: str = ""
    command: str = ""
    agent: str = ""


def run(top: Path, slug: str, where: Where, because: str, onto: Onto) -> Outcome:
    """Write the exception into the rule, a revision later, once the narrower rule is proved."""
    wanted, reason = _wanted(where), _said(because)
    with _onto.changing(top, onto) as book:
        rule = _onto.standing(book, slug)
        return written(top, book, rule, replace(wanted, because=reason), onto)


def written(top: Path, book: Rulebook, rule: Rule, wanted: Exemption, onto: Onto) -> Outcome:
    """The same, where the rulebook is held already."""
    new = narrowed(top, book, rule, wanted)
    evidence = _verb.proof(book, new, top)
    path = worktree.rule_path(rule.slug)
    changes = {path: rulefiles.dumps(new, _onto.text(top, onto, path)), **_verb.files(evidence)}
    named = told(wanted)
    message = _verb.message(
        f"Except {short(named)} from {rule.slug}",
        new,
        f"UPDATE {rule.slug}",
        because=f"except {named}: {wanted.because}",
        evidence=evidence,
    )
    commit = _write.put(top, changes, message, onto)
    lines = [f"  passes now: {short(example_line(one))}" for one in new.exceptions[-1].valid]
    lines += [f"  catches as before: {short(example_line(one))}" for one in new.invalid[:MOST]]
    done = _verb.done(top, onto, commit, f"{rule.slug}@{new.revision} leaves {named} alone")
    return replace(done, text="\n".join([done.text, *lines]))


def narrowed(top: Path, book: Rulebook, rule: Rule, wanted: Exemption) -> Rule:
    """The rule with the exception, its examples and a revision more; a refusal where it would change nothing."""
    if any((one.scope, one.commands) == (wanted.scope, wanted.commands) for one in rule.exceptions):
        raise RulecError(f"{rule.slug} leaves {told(wanted)} alone already", where=rule.source, hint="nothing is to do")
    new = replace(rule, exceptions=(*rule.exceptions, wanted), revision=rule.revision + 1)
    if not rule.checks:
        return new
    artifacts = _build.of_rule(book, rule, top)
    if wanted.scope.agents and (at_commit(artifacts) or any(map(of_judge, artifacts))):
        hint = "except a --path or a --command, or note it with --once"
        raise RulecError(f"{rule.slug} acts at the commit, too, where no agent is known", where=rule.source, hint=hint)
    inside = _caught(top, book, rule, wanted)[:MOST]
    seen = _judged(top, book, new, [change_of(one) for one in rule.invalid])
    kept = tuple(one for one, found in zip(rule.invalid, seen, strict=True) if found)
    if not kept:
        hint = f"rulec edit {rule.slug} gives it another example, rulec retire {rule.slug} takes it out of force"
        raise RulecError(f"nothing that {rule.slug} forbids would be left", where=rule.source, hint=hint)
    lost = [one for one, found in zip(rule.invalid, seen, strict=True) if not found]
    valid = tuple(dict.fromkeys([*inside, *lost]))
    return replace(new, invalid=kept, exceptions=(*rule.exceptions, replace(wanted, valid=valid)))


def _caught(top: Path, book: Rulebook, rule: Rule, wanted: Exemption) -> list[Example]:
    """Examples within the exception that the rule catches as it stands: without one it would except nothing."""
    made = list(dict.fromkeys(samples(rule, wanted)))
    seen = _judged(top, book, rule, [excepted(wanted, one) for one in made])
    found = [one for one, caught in zip(made, seen, strict=True) if caught]
    if not found:
        raise RulecError(
            f"{rule.slug} does not catch {told(wanted)} as it is",
            where=rule.source,
            hint=f"see rulec show {rule.slug} for what it looks at; --path takes a glob, --command one plain command",
        )
    return found


def _judged(top: Path, book: Rulebook, rule: Rule, changes: list[Change]) -> list[bool]:
    """Which of the changes the rule's checks catch, or its judges are asked about."""
    artifacts = _build.of_rule(book, rule, top)
    seen = observe_each(artifacts, changes)
    judges = [artifact for artifact in artifacts if of_judge(artifact)]
    asked = [bool(judges and docket(judges, hunks(change), change.environment)) for change in changes]
    return [due or any(isinstance(item, Finding) for item in found) for due, found in zip(asked, seen, strict=True)]


def _wanted(where: Where) -> Exemption:
    if not (where.path or where.command or where.agent):
        raise RulecError("say what the rule should leave alone", hint="--path GLOB, --command TEXT or --agent NAME")
    if where.path and (wrong := wrong_glob(where.path)):
        raise RulecError(f"--path {where.path[:200]!r} {wrong[0]}", hint=wrong[1])
    command = form(redact(where.command)) if where.command else ""
    if where.command and not command:
        hint = "such as --command 'npm ci'; quoted words, pipes and redirects are no part of a form"
        raise RulecError(f"{where.command[:200]!r} is not one plain command", hint=hint)
    include = (redact(where.path),) if where.path else Scope().include
    agents = (redact(where.agent),) if where.agent else ()
    wanted = Exemption(because="", scope=Scope(include=include, agents=agents), commands=(command,) if command else ())
    if not wanted.bounded:
        raise RulecError(f"--path {where.path} is everywhere", hint="rulec retire takes a rule out of force")
    return wanted


def _said(because: str) -> str:
    reason = _verb.reason(because)
    if not reason:
        raise RulecError("--because says nothing", hint="say in a few words why the rule does not hold there")
    return reason


def once(top: Path, slug: str, where: Where, because: str, onto: Onto) -> Outcome:
    """Note that the rule did not hold this once; three alike make a case for an exception."""
    if not (where.path or where.command or where.agent):
        raise RulecError("say where the rule did not hold", hint="--path PATH, --command TEXT or --agent NAME")
    reason = _said(because)
    with _onto.changing(top, onto) as book:
        rule = _onto.standing(book, slug)
        item = Evidence(
            slug=slug, kind="counterexample", weight=AGAINST, at=clock.now(), quote=reason, agent=redact(where.agent),
            accepted=redact(where.command), path=redact(where.path),
        )  # fmt: skip
        after = replace(book, evidence={**book.evidence, slug: (*book.observed(slug), item)})
        message = _verb.message(
            f"Note where {slug} did not hold", rule, f"NOOP {slug}", because=reason, evidence=[item]
        )
        commit = _write.put(top, _verb.files([item]), message, onto)
        lines = [f"  confidence: {after.sure(rule).arithmetic}", *milder(top, book, after, rule)]
        lines += [f"  {text}" for text in _exempt.lines(replace(rule, exceptions=()), after.observed(slug))]
    done = _verb.done(top, onto, commit, f"noted against {slug}")
    return replace(done, text="\n".join([done.text, *lines]))


def milder(top: Path, book: Rulebook, after: Rulebook, rule: Rule) -> list[str]:
    """A warning where the counterexample takes the rule's teeth."""
    before, now = (_verb.acts(one, rule, top) for one in (book, after))
    if before == now:
        return []
    cure = f"rulec promote {rule.slug} --to {before} pins it"
    return [f"  with that, {rule.slug} does no more than {now}, where it did {before}: {cure}"]
