"""Compiles the checks of rules: a template and its parameters become an artifact."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from rulec import registry
from rulec.checks.template_library import TemplateLibrary, open_library, packaged_templates
from rulec.compiling import effective_enforcement
from rulec.compiling.agent_briefing import words_artifact
from rulec.compiling.compile_planning import make_plan
from rulec.domain.artifact import (
    COMPILED_FOLDER,
    Artifact,
    CompilePlan,
    PlannedCheck,
    check_digest,
    proof_digest,
)
from rulec.domain.files import languages
from rulec.domain.plugs import Checker
from rulec.domain.rule import Check, Rule
from rulec.errors import RulecError
from rulec.infra.kept_results import KeptResults, kept_results
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook


def template_library(top: Path) -> TemplateLibrary:
    """The templates for a repository: the team's own before the built-in ones."""
    folder = top / file_paths.RULES / "templates"
    return _template_library(
        folder, tuple(sorted((str(path), path.stat().st_mtime_ns) for path in folder.rglob("*.j2")))
    )


@lru_cache(maxsize=2)  # a verb that writes many rules compiles each template once
def _template_library(folder: Path, _: tuple[tuple[str, int], ...]) -> TemplateLibrary:
    return open_library(folder)


def blind_spots(rule: Rule, top: Path) -> tuple[str, ...]:
    """What the checks of a rule cannot see, as their templates say, without what the rule lists as not checked itself.

    It is told with the rule and not written into its file, for a later version of the template may see more.
    """
    shelf, listed = template_library(top), [text.lower() for text in rule.not_checked]
    known = [shelf.template(check.template).blind for check in rule.checks if shelf.has(check.template)]
    parts = dict.fromkeys(part.strip() for text in (*known, _other_languages(rule)) for part in text.split(";"))
    return tuple(part for part in parts if part and not any(part.lower() in entry for entry in listed))


def _other_languages(rule: Rule) -> str:
    """The code that no check reads, where each is for one language; "" where the rule itself speaks of these."""
    given = [str(check.parameters.get("language", "")) for check in rule.checks]
    seen = dict.fromkeys(name for one in given for name in (one, *languages.COVERED.get(one, ())))
    said = {languages.language_of(word) for word in re.findall(r"[\w+#]+", f"{rule.statement} {rule.when}")}
    if not all(given) or said.issuperset(given):
        return ""
    return f"code in other languages than {', '.join(seen)}" * bool(seen)


def rendering(top: Path) -> AbstractContextManager[KeptResults]:
    """What templates rendered to: within this context it is read and stored once, however often rules are compiled."""
    return kept_results(top, "rendered", [packaged_templates()])


def compile_checks(book: Rulebook, top: Path) -> list[Artifact]:
    """The compiled checks of every rule; RulecError that names rule and template where one cannot be built."""
    shelf = template_library(top)
    if _LAST and _LAST[0][1] is shelf and _LAST[0][0] == book:
        return list(_LAST[0][2])
    with rendering(top) as rendered:
        built = tuple(_assembled(make_plan(book), shelf, rendered))
    _LAST[:] = [(book, shelf, built)]
    return list(built)


_LAST: list[tuple[Rulebook, TemplateLibrary, tuple[Artifact, ...]]] = []  # a command asks several times for the same


def compile_rule(book: Rulebook, rule: Rule, top: Path) -> list[Artifact]:
    """The compiled checks of one rule, as strict as the rulebook's evidence allows."""
    alone = _by_itself(book, rule)
    with rendering(top) as rendered:
        return list(_assembled(make_plan(alone), template_library(top), rendered))


def _by_itself(book: Rulebook, rule: Rule) -> Rulebook:
    """A rulebook of the rule as it holds beside the others, of which the plan of one rule knows nothing."""
    held = replace(book.as_held(rule), refines="") if rule.refines or rule.formerly else rule
    return Rulebook(rules=(held,), heirs=book.heirs, evidence=book.evidence, config=book.config)


def compile_trial(book: Rulebook, rule: Rule, top: Path) -> list[Artifact]:
    """The same of a rule that is only tried: what its templates rendered to is not stored."""
    alone = _by_itself(book, rule)
    return list(_assembled(make_plan(alone), template_library(top), KeptResults({})))


def _assembled(wanted: CompilePlan, shelf: TemplateLibrary, rendered: KeptResults) -> Iterator[Artifact]:
    def body(step: PlannedCheck) -> str:
        if not shelf.is_packaged(step.template):
            return fresh(step)
        inputs = repr((step.template, step.kind, step.facts.slug, step.parameters))
        text: str = rendered.find(inputs, lambda: fresh(step))
        return text

    def fresh(step: PlannedCheck) -> str:
        where = step.place
        check = Check(kind=step.kind, template=step.template, parameters=step.parameters)
        context = shelf.parameters(check, where) | {"kind": step.kind, "slug": step.facts.slug}
        try:
            text = shelf.render(f"checks/{step.template}.j2", context)
            if step.kind != "shell" or shelf.is_packaged(step.template):
                return text
            from rulec.checks.shell import raw_script  # noqa: PLC0415 - 30 ms that most rulebooks never need

            return raw_script.vet_script(text, f"template {step.template}", where)
        except RulecError as error:
            raise RulecError(error.message, where=error.where or where, hint=error.hint) from None

    return assemble(wanted, body, registry.checkers())


def compile_all_words(book: Rulebook) -> list[Artifact]:
    """What agents are told about each rule in force."""
    return [words_artifact(rule) for rule in make_plan(book).rules]


Body = Callable[[PlannedCheck], str]  # a step's template, rendered


def assemble(plan: CompilePlan, body: Body, checkers: Mapping[str, Checker]) -> Iterator[Artifact]:
    """The artifact of each planned check; it is enforced as the rule says only if exactly these checks are proved."""
    for rule, steps in groupby(plan.steps, key=lambda step: step.rule):
        yield from _of_rule(list(steps), plan.proofs.get(rule.slug, frozenset()), body, checkers)


def _of_rule(
    steps: list[PlannedCheck],
    proofs: frozenset[str],
    body: Body,
    checkers: Mapping[str, Checker],
) -> Iterator[Artifact]:
    rule = steps[0].rule
    bodies = [body(step) for step in steps]
    digests = [
        check_digest(step.kind, text, rule.scope, rule.exceptions) for step, text in zip(steps, bodies, strict=True)
    ]
    machines = [mark for step, mark in zip(steps, digests, strict=True) if step.kind != "judge"]
    proved = proof_digest(rule, machines) in proofs
    for step, text, mark in zip(steps, bodies, digests, strict=True):
        checker = checkers[step.kind]
        if step.kind == "judge":
            firm = effective_enforcement.judge_enforcement(rule, active=step.active)
        else:
            firm = effective_enforcement.machine_enforcement(rule, active=step.active, proved=proved)
        facts = replace(step.facts, enforcement=firm)
        yield Artifact(
            path=f"{COMPILED_FOLDER}/{step.kind}/{step.name}{checker.suffix}",
            text=checker.build(replace(step, facts=facts), text),
            executable=checker.suffix == ".sh",
            slug=step.facts.slug,
            digest=mark,
        )
