"""The library decides not only its own cases but what means the same, and leaves alone what only looks alike."""

import pytest

from rulec.domain.template import Template
from tests.support.template_cases import TEMPLATES
from tests.templates.mutants import edges_of

pytestmark = pytest.mark.e2e

CAUGHT, PASSED = 0.85, 0.98


MECHANICAL = [template for template in TEMPLATES.values() if template.kind != "judge"]  # a model is measured


@pytest.mark.parametrize("template", MECHANICAL, ids=[template.name for template in MECHANICAL])
def test_a_template_decides_variants_of_its_cases(template: Template) -> None:
    found = edges_of(template)
    assert found.invalid, "no variant of its cases is made"
    missed = [(mutant.name, mutant.example) for mutant in found.missed]
    assert found.caught >= CAUGHT * found.invalid, missed
    assert found.passed >= PASSED * found.valid, missed
