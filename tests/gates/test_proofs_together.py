"""Rules proved together: each proof is the one that the rule has alone, whatever is wrong with another."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.checks.proving.proof import Proof
from rulec.checks.semgrep import checker
from rulec.checks.template_library import open_library
from rulec.domain.plugs import Job, JobOutput
from rulec.domain.rule import Check, Example, Rule
from rulec.gates.findings import rule_proof
from rulec.infra import jobs
from rulec.rulebook.rulebook import Rulebook
from tests.support.template_cases import cases_of

pytestmark = pytest.mark.e2e  # many real processes: CI runs these


def _file(text: str, path: str = "src/a.py") -> Example:
    return Example(kind="file", path=path, text=text)


def _rule(slug: str, checks: list[Check], bad: list[Example], good: list[Example]) -> Rule:
    return Rule(slug=slug, statement=f"About {slug}.", checks=tuple(checks), invalid=tuple(bad), valid=tuple(good))


def _call(name: str, language: str = "python") -> Check:
    return Check(kind="semgrep", template="forbid-call", parameters={"functions": [name], "language": language})


def _raw(text: str) -> Check:
    return Check(kind="semgrep", template="raw-semgrep", parameters={"rule": text})


EDIT = Example(kind="edit", path="src/kept.py", old="x = 1\n", text="old_edit(x)\n")
RULES = [
    _rule("good", [_call("old_good")], [_file("old_good(1)\n")], [_file("new(1)\n")]),
    _rule("misses", [_call("old_miss")], [_file("other(1)\n")], [_file("new(1)\n")]),
    _rule("too-wide", [_call("f")], [_file("f(1)\n")], [_file("f(2)\n")]),
    _rule("no-pattern", [_raw("languages: [python]\npattern: 'bar(... (('\n")], [_file("bar(1)\n")], []),
    _rule("no-regex", [_raw("languages: [regex]\npattern-regex: 'a(b'\n")], [_file("ab\n")], []),
    _rule("no-template", [Check(kind="semgrep", template="no-such", parameters={})], [_file("x\n")], []),
    _rule("no-code", [_call("old_broken")], [_file("old_broken(1\n")], [_file("x = (\n")]),
    _rule("in-two", [_raw("languages: [typescript, javascript]\npattern: $A.innerHTML = $B\n")],
          [_file("box.innerHTML = t;\n", "web/a.ts"), _file("box.innerHTML = t;\n", "web/a.js")],
          [_file("box.innerText = t;\n", "web/a.ts")]),
    _rule("edited", [_call("old_edit")], [EDIT], [_file("new(1)\n")]),
    _rule("of-any-text", [Check(kind="guard", template="forbid-text", parameters={"patterns": ["TODO\\b"]})],
          [_file("# TODO\n")], [_file("# DONE\n")]),
    _rule("twice", [_call("twice_a"), _call("twice_b")], [_file("twice_a(1)\n"), _file("twice_b(1)\n")], []),
    _rule("doubled", [_call("same"), _call("same")], [_file("same(1)\n")], []),
    _rule("a-command", [Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"]})],
          [Example(kind="command", text="npm ci")], [Example(kind="command", text="pnpm i")]),
    _rule("a-script", [Check(kind="shell", template="max-lines", parameters={"lines": 1})],
          [_file("x\ny\n")], [_file("x\n")]),
]  # fmt: skip


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose last commit holds the file that an example edits."""
    made = tmp_path_factory.mktemp("repo")
    (made / "src").mkdir()
    (made / "src/kept.py").write_text("x = 1\n")
    for argv in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "Begin"]):
        subprocess.run(["git", *argv], cwd=made, check=True)
    return made


def _together(book: Rulebook, rules: list[Rule], top: Path, *, edges: bool = False) -> list[Proof]:
    return rule_proof.prove_built(
        [(rule, rule_proof.built_checks(book, rule, top)) for rule in rules], top, edges=edges
    )


def _unlike(rules: list[Rule], top: Path, *, edges: bool) -> list[str]:
    book = Rulebook(rules=tuple(rules))
    together = _together(book, rules, top, edges=edges)
    alone = [rule_proof.prove_with_tools(book, rule, top, edges=edges) for rule in rules]
    return [f"{a.slug}: {a} but {b}" for a, b in zip(alone, together, strict=True) if a != b]


def test_each_rule_is_proved_as_it_would_be_alone(top: Path) -> None:
    assert _unlike(RULES, top, edges=False) == []
    proofs = {proof.slug: proof for proof in _together(Rulebook(rules=tuple(RULES)), RULES, top)}
    held = {slug for slug, proof in proofs.items() if proof.holds}
    assert held == {"good", "in-two", "edited", "of-any-text", "twice", "doubled", "a-command", "a-script"}


def test_rules_together_take_fewer_processes(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Job] = []
    run = jobs.run_each
    monkeypatch.setattr(jobs, "run_each", lambda some, change: (started.extend(some), run(some, change))[1])
    rules = [_rule(f"r{n}", [_call(f"old_{n}")], [_file(f"old_{n}(1)\n")], [_file("new(1)\n")]) for n in range(12)]
    assert all(proof.holds for proof in _together(Rulebook(rules=tuple(rules)), rules, top))
    assert len(started) == 2  # one to parse them all, one for all their examples


def _of_templates() -> Iterator[Rule]:
    for template in open_library().templates().values():
        for number, case in enumerate(cases_of(template)):
            if template.kind == "semgrep":
                check = Check(kind="semgrep", template=template.name, parameters=case.parameters)
                yield _rule(f"{template.name}-{number}", [check], list(case.invalid), list(case.valid))


@pytest.mark.e2e
def test_the_cases_of_all_templates_are_decided_alike(top: Path) -> None:
    assert _unlike(list(_of_templates()), top, edges=True) == []


NOTHING = {"results": [], "errors": []}
RESULTS = st.lists(st.integers(0, 3), max_size=4)  # numbers of rules of a call


def _call_of(names: list[int]) -> Job:
    rules = "".join(f"- id: r{n}\n  pattern: x\n" for n in range(4))
    path = {"fpath": "text/a.py", "ppath": "/text/a.py"}
    targets = ["Targets", [["CodeTarget", {"path": path, "analyzer": "python"}]]]
    inputs = {"rules.yaml": f"rules:\n{rules}", "targets.json": json.dumps(targets), "text/a.py": repr(names)}
    return Job(argv=("core",), inputs=inputs, merging=checker.MERGING)


def _report(names: list[int]) -> dict[str, object]:
    return {**NOTHING, "results": [{"check_id": f"r{n}", "path": "text/a.py", "start": {"line": n}} for n in names]}


@given(st.lists(st.tuples(RESULTS, st.booleans()), min_size=1, max_size=5))
def test_a_merged_report_gives_each_call_its_own(calls: list[tuple[list[int], bool]]) -> None:
    merged = checker.merge_calls([_call_of(names) for names, _ in calls])
    assert merged.inputs["rules.yaml"].count("- id: ") == merged.inputs["rules.yaml"].count("paths: ") == 4 * len(calls)
    results: list[object] = []
    errors: list[object] = []
    for number, (names, broken) in enumerate(calls):
        assert merged.inputs[f"{number}/text/a.py"] == repr(names)
        own = [{"check_id": f"{number}.r{n}", "path": f"{number}/text/a.py", "start": {"line": n}} for n in names]
        results += own
        errors += [{"rule_id": f"{number}.r0", "message": "?"}] * broken
    told = JobOutput(code=0, out=json.dumps({"results": results, "errors": errors}))
    parts = checker.split_report(told, len(calls))
    assert [part and json.loads(part.out) for part in parts] == [None if b else _report(n) for n, b in calls]


@pytest.mark.parametrize(
    "output",
    [
        JobOutput(code=2, out=json.dumps(NOTHING)),
        JobOutput(code=None, out=""),
        JobOutput(code=0, out="no JSON"),
        JobOutput(code=0, out=json.dumps({**NOTHING, "errors": [{"message": "out of memory"}]})),
        JobOutput(code=0, out=json.dumps({**NOTHING, "errors": [{"location": {"path": "rules.yaml"}}]})),
        JobOutput(code=0, out=json.dumps({**NOTHING, "results": [{"check_id": "0.r0", "path": "1/text/a.py"}]})),
    ],
)
def test_what_belongs_to_no_call_leaves_each_to_run_alone(output: JobOutput) -> None:
    assert checker.split_report(output, 2) == [None, None]
