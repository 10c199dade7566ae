"""A repository's own template renders within limits of time, memory and size."""

from pathlib import Path

import pytest

from rulec.checks import bounded_work
from rulec.checks.template_library import TemplateLibrary, packaged_templates
from rulec.errors import RulecError

GREEDY = {
    "a large text": "{{ 'x' * 99999999 }}",
    "a text doubled": "{% set n = namespace(x='ab') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    "a number": "{{ 9 ** 99999999 }}",
    "loops in loops": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "a wide format": "{{ '%999999999d' | format(1) | length }}{{ 'x' | center(1999999999) | length }}",
    "much text": "{% for i in range(99999) %}{{ 'x' * 99 }}{% endfor %}",
}


@pytest.mark.parametrize("name", GREEDY)
def test_a_template_that_wants_too_much_is_refused_and_nothing_else_suffers(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_work, "SECONDS", 1)
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks/own.j2").write_text(GREEDY[name])
    (tmp_path / "checks/fine.j2").write_text("{{ word }}{{ missing }}")
    shelf = TemplateLibrary((tmp_path, packaged_templates()))
    with pytest.raises(RulecError, match=r"checks/own\.j2 needs more than 1 s, 1024 MB of memory or 4 MB of text"):
        shelf.render("checks/own.j2", {})
    assert shelf.render("checks/fine.j2", {"word": "é\udc80", "missing": ""}) == "é\udc80"
    with pytest.raises(RulecError, match="'missing' is undefined"):
        shelf.render("checks/fine.j2", {"word": "x"})
