"""Rules that contradict each other at a commit, with the real checks as witnesses."""

from dataclasses import replace

import pytest

from rulec.checks.semgrep.checker import PLUG
from rulec.domain.artifact import COMPILED_FOLDER, Artifact
from rulec.domain.change import Change, FileChange
from rulec.domain.rule import Scope
from rulec.gates.findings.verdicts import verdicts_on
from tests.checks.support import step

NAMED = "languages: [python]\npattern-either:\n  - pattern: import requests\n  - pattern: from requests import $X\n"
EVERY = "languages: [regex]\npattern-regex: ^(?:import|from) \\w+\n"
PART = "languages: [python]\npattern: from requests import Session\n"
LEGACY = 'languages: [python]\npattern: import httpx\ninstead: "import requests"\n'
CHANGE = Change(
    files=tuple(
        FileChange(path=path, content=b"import requests\nfrom requests import Session\n")
        for path in ("legacy/a.py", "web/a.py")
    )
)


def made(slug: str, body: str, *globs: str) -> Artifact:
    wanted = step("semgrep", slug)
    facts = replace(wanted.facts, enforcement="block", scope=Scope(include=globs or ("**",)))
    return Artifact(
        path=f"{COMPILED_FOLDER}/semgrep/{slug}.yaml", text=PLUG.build(replace(wanted, facts=facts), body), slug=slug
    )


@pytest.mark.parametrize(("body", "lines"), [(NAMED, [1, 2]), (EVERY, []), (PART, [])])
def test_a_rule_yields_only_where_it_forbids_the_very_thing(body: str, lines: list[int]) -> None:
    found = verdicts_on([made("own", body), made("legacy", LEGACY, "legacy/**")], CHANGE)
    lost = [one.finding for one in found if one.lost and one.finding]
    assert [(one.path, one.line) for one in lost] == [("legacy/a.py", line) for line in lines]
    assert all(one.outcome == ("audit" if one.lost else "block") for one in found)
    assert {one.finding.path for one in found if one.finding and not one.lost} >= {"web/a.py"}
