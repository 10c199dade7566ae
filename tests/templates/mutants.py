"""Every template's cases as rules, grown by mutation: shared by the test and the bench."""

from collections.abc import Sequence

from rulec import registry
from rulec.checks.proving.example_changes import change_of
from rulec.checks.proving.proof import VariantOutcome
from rulec.checks.proving.variants import make_variants
from rulec.checks.proving.verification import count_variants
from rulec.checks.template_library import open_library
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts
from rulec.domain.change import Change
from rulec.domain.rule import Check, CheckKind, Example, Rule
from rulec.domain.template import Template
from rulec.gates.findings.check_runs import Observed, run_checks_each
from tests.support.template_cases import TemplateCase, cases_of

SHELF = open_library()
SEES: dict[CheckKind, tuple[str, ...]] = {
    "guard": ("command", "file", "edit", "session", "commit"),
    "semgrep": ("file", "edit", "commit"),
    "shell": ("file", "edit", "commit", "message"),
    "judge": ("file", "edit", "commit", "message"),
}


def as_rule(template: Template, case: TemplateCase, kind: CheckKind, slug: str) -> Rule:
    """A rule that says what the case says, with those of its examples that such a check can see."""

    def visible(examples: tuple[Example, ...]) -> tuple[Example, ...]:
        return tuple(example for example in examples if example.kind in SEES[kind])

    check = Check(kind=kind, template=template.name, parameters=case.parameters)
    return Rule(
        slug=slug, statement="A case.", checks=(check,), invalid=visible(case.invalid), valid=visible(case.valid)
    )


def compiled(rule: Rule) -> Artifact:
    """The artifact of a rule with one check."""
    (check,) = rule.checks
    checker = registry.checkers()[check.kind]
    body = SHELF.render(
        f"checks/{check.template}.j2", SHELF.parameters(check) | {"kind": check.kind, "slug": rule.slug}
    )
    step = PlannedCheck(
        facts=RuleFacts(slug=rule.slug, revision=1, statement=rule.statement, enforcement="block"),
        rule=rule,
        kind=check.kind,
        template=check.template,
        parameters=check.parameters,
        name=rule.slug,
    )
    path = f".rules/compiled/{check.kind}/{rule.slug}{checker.suffix}"
    return Artifact(path=path, text=checker.build(step, body), slug=rule.slug)


def edges_of(template: Template) -> VariantOutcome:
    """How the template decides the variants of all its cases."""
    rules = [as_rule(template, case, template.kind, f"case-{number}") for number, case in enumerate(cases_of(template))]
    grown = [
        (artifact, mutant)
        for rule in rules
        for artifact in [compiled(rule)]
        for mutant in make_variants(rule, [artifact])
    ]

    def observe(changes: Sequence[Change]) -> list[Observed]:
        """Each change by the artifact of its own case; Semgrep judges those of all cases in one process."""
        owners = [artifact for artifact, _ in grown]
        plain = [
            [] if "/semgrep/" in a.path else run_checks_each([a], [c])[0] for a, c in zip(owners, changes, strict=True)
        ]
        of_semgrep = list(dict.fromkeys(a for a in owners if "/semgrep/" in a.path))
        seen = run_checks_each(of_semgrep, changes) if of_semgrep else [[] for _ in changes]
        return [
            [*own, *(item for item in found if item.slug == owner.slug)]
            for own, found, owner in zip(plain, seen, owners, strict=True)
        ]

    mutants = [mutant for _, mutant in grown]
    return count_variants(mutants, observe([change_of(mutant.example) for mutant in mutants]))
