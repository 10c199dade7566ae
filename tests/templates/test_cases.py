"""Every template decides its own cases, through real artifacts and the real tools."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pytest

from rulec import registry
from rulec.checks.judge import judge_questions
from rulec.checks.judge.checker import pair_judges
from rulec.checks.judge.diff_pieces import pieces_of
from rulec.checks.judge.rulings import Piece, Ruling
from rulec.checks.proving.example_changes import change_of, describe_example
from rulec.checks.template_library import open_library
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts
from rulec.domain.change import Change
from rulec.domain.finding import Finding
from rulec.domain.rule import Check, CheckKind, Example, Rule
from rulec.domain.template import Template
from rulec.gates.findings.check_runs import run_checks_each
from tests.support.measuring import answered
from tests.support.template_cases import FOLDER, TEMPLATES, TemplateCase, cases_of


def _artifact(template: Template, case: TemplateCase, kind: CheckKind, slug: str) -> Artifact:
    shelf, checker = open_library(), registry.checkers()[kind]
    check = Check(kind=kind, template=template.name, parameters=case.parameters)
    body = shelf.render(f"checks/{template.name}.j2", shelf.parameters(check) | {"kind": kind, "slug": slug})
    rule = Rule(slug=slug, statement="A case.")
    step = PlannedCheck(
        facts=RuleFacts(slug=slug, revision=1, statement="A case.", enforcement="block"),
        rule=rule,
        kind=kind,
        template=template.name,
        parameters=case.parameters,
        name=slug,
    )
    return Artifact(path=f".rules/compiled/{kind}/{slug}{checker.suffix}", text=checker.build(step, body))


_SEES: dict[CheckKind, tuple[str, ...]] = {
    "guard": ("command", "file", "edit", "tool", "delete", "rename", "session", "commit", "reply"),
    "semgrep": ("file", "edit", "commit"),
    "shell": ("file", "edit", "commit", "message", "command"),  # of a command the message of its commit
    "judge": ("file", "edit", "commit", "message"),
}


def _visible(kind: CheckKind, examples: tuple[Example, ...]) -> list[Example]:
    """What a check of this kind decides."""
    return [example for example in examples if example.kind in _SEES[kind]]


@pytest.mark.parametrize("template", list(TEMPLATES.values()), ids=list(TEMPLATES))
def test_a_template_decides_its_own_cases(template: Template) -> None:
    cases, kind = cases_of(template), template.kind
    tables = [[_visible(kind, some) for some in (case.invalid, case.valid)] for case in cases]
    artifacts = [_artifact(template, case, kind, f"case-{number}") for number, case in enumerate(cases)]
    changes = [[change_of(example) for examples in table for example in examples] for table in tables]
    wrong = []
    for case, (invalid, valid), seen in zip(cases, tables, _decided(kind, artifacts, changes), strict=True):
        missed = [describe_example(one) for one, found in zip(invalid, seen, strict=False) if not found]
        refused = [describe_example(one) for one, found in zip(valid, seen[len(invalid) :], strict=True) if found]
        wrong += [(case.parameters, missed, refused)] if missed or refused else []
    assert wrong == []


def _decided(kind: CheckKind, artifacts: Sequence[Artifact], changes: Sequence[Sequence[Change]]) -> list[list[Any]]:
    """What each artifact says of each of its own changes; Semgrep, which takes long to start, is asked once for all."""
    if kind != "semgrep":
        decide = _told if kind == "judge" else run_checks_each
        return [decide([artifact], own) for artifact, own in zip(artifacts, changes, strict=True)]
    seen = iter(run_checks_each(artifacts, [change for own in changes for change in own]))
    return [
        [[item for item in next(seen) if item.slug == Path(artifact.path).stem] for _ in own]
        for artifact, own in zip(artifacts, changes, strict=True)
    ]


def _told(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[list[Finding]]:
    """What is found where a model is told which cases are invalid: all that is ours to decide is that it reads them."""
    template = next(t for t in TEMPLATES.values() if t.kind == "judge")
    bad = {hunk.bare for c in cases_of(template) for one in c.invalid for hunk in pieces_of(change_of(one))}
    found = []
    for change in changes:
        asked = judge_questions.write_judge_prompts(
            pair_judges(artifacts, list(pieces_of(change)), ""), "a seed", open_library().render
        )
        assert asked, "nothing of the case reaches the model"
        words = [
            w
            for one in asked
            for w in judge_questions.read_judge_answer(answered(one, lambda _, piece: _rule(piece, bad)), one)
        ]
        found.append(list(judge_questions.findings_of(words)))
    return found


def _rule(piece: Piece, bad: Collection[str]) -> Ruling:
    return "fail" if piece.bare in bad else "pass"


@pytest.mark.parametrize("template", list(TEMPLATES.values()), ids=list(TEMPLATES))
def test_a_template_says_what_it_does_and_has_enough_cases(template: Template) -> None:
    assert all((template.avoid, template.prefer, template.checks, template.limits))
    assert all(parameter.doc for parameter in template.parameters)
    for side in ("invalid", "valid"):
        assert sum(len(_visible(template.kind, getattr(case, side))) for case in cases_of(template)) >= 5


def test_no_cases_are_of_a_template_that_is_gone() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(TEMPLATES)
