"""What is drafted for rules about code holds: the real tools catch each bad example and pass each good one."""

import pytest

from rulec import registry
from rulec.commands._observe import observe_each
from rulec.host.templates import library
from rulec.language import clauses
from rulec.model.artifact import Artifact
from rulec.model.candidate import Draft
from rulec.model.plan import Facts, Step
from rulec.model.rule import Check, Rule
from rulec.model.transcript import Action
from rulec.registry import fits
from rulec.stages.extract import drafted
from rulec.stages.verify import change_of

WORDINGS = [
    "Always write docstrings for public functions and classes",
    "Every module must have a docstring",
    "Every exported function needs a doc comment in Go",
    "All public classes and methods must be documented in Java, PHP, Rust and Ruby",
    "All functions must have type hints",
    "Explicit return types on all exported functions",
    "Always declare parameter types in PHP",
    "No `any` in TypeScript",
    "Don't use Optional in Python, use X | None",
    "No interface{} in Go",
    "Don't use auto in C++",
    "Don't use @pytest.mark.skip",
    "Don't use #[allow(dead_code)]",
    'Don\'t use @SuppressWarnings("unchecked")',
    "All tests must be marked with @pytest.mark.unit",
    "Every service method must be annotated with @Transactional",
    "Structs must derive Debug",
    "Every view must have the @login_required decorator",
    "Class names must be PascalCase",
    "Constants must be UPPER_CASE",
    "Functions and variables in Ruby, PHP and Rust must be snake_case",
    "Don't prefix interfaces with I",
    "No Hungarian notation",
    "Use kebab-case for file names",
    "Never swallow errors",
    "Don't swallow errors in Rust, PHP, Ruby and C++",
    "Don't catch generic exceptions",
    "Never use `|| true` in shell scripts",
]


def _artifact(check: Check, draft: Draft) -> Artifact:
    shelf, checker = library(), registry.checkers()[check.kind]
    text = shelf.render(f"checks/{check.template}.j2", shelf.parameters(check) | {"kind": check.kind, "slug": "a-rule"})
    facts = Facts(slug="a-rule", revision=1, statement="A rule.", enforcement="block", scope=draft.scope)
    step = Step(
        facts=facts,
        rule=Rule(slug="a-rule", statement="A rule.", scope=draft.scope),
        kind=check.kind,
        template=check.template,
        parameters=check.parameters,
        name="a-rule",
    )
    return Artifact(path=f".rules/compiled/{check.kind}/a-rule{checker.suffix}", text=checker.build(step, text))


def _missed_and_wrong(draft: Draft) -> tuple[list[str], list[str]]:
    artifacts = [_artifact(check, draft) for check in draft.checks]
    examples = [*draft.invalid, *draft.valid]
    seen = observe_each(artifacts, [change_of(example) for example in examples])
    bad = [example.text for example, found in zip(draft.invalid, seen, strict=False) if not found]
    good = [example.text for example, found in zip(draft.valid, seen[len(draft.invalid) :], strict=True) if found]
    return bad, good


@pytest.mark.parametrize("text", WORDINGS)
def test_a_statement_becomes_a_check_that_decides_its_own_examples(text: str) -> None:
    first = drafted(text, fits()).drafts[0]
    assert _missed_and_wrong(first) == ([], [])


GO = "package a\n\n"
PAIRS = [
    (
        "every public function needs a docstring",
        "src/a.py",
        "def total(rows):\n    return sum(rows)\n",
        'def total(rows):\n    """The sum."""\n    return sum(rows)\n',
    ),
    ("never use any", "src/a.ts", "let a: any = f();\n", "let a: Row = f();\n"),
    ("type hints are mandatory", "src/a.py", "def f(a):\n    return a\n", "def f(a: int) -> int:\n    return a\n"),
    ("constants must be UPPER_CASE", "src/a.py", "max_rows = 10\n", "MAX_ROWS = 10\n"),
    (
        "don't use @staticmethod",
        "src/a.py",
        "class A:\n    @staticmethod\n    def f():\n        return 1\n",
        "def f():\n    return 1\n",
    ),
    ("never swallow errors", "a.go", f"{GO}func f() {{\n\t_ = g()\n}}\n", f"{GO}func f() error {{\n\treturn g()\n}}\n"),
    ("don't swallow exceptions", "a.rb", "begin\n  f\nrescue => e\nend\n", "begin\n  f\nrescue => e\n  log(e)\nend\n"),
    (
        "no empty catch blocks",
        "src/a.ts",
        "try { f(); } catch (e) {\n  // ignore\n}\n",
        "try { f(); } catch (e) { log(e); }\n",
    ),
]


@pytest.mark.parametrize(("text", "path", "wrong", "right"), PAIRS, ids=[f"{pair[0]} {pair[1]}" for pair in PAIRS])
def test_a_pair_becomes_a_check_that_tells_its_halves_apart(text: str, path: str, wrong: str, right: str) -> None:
    before, after = (Action(kind="write", path=path, new=wrong),), (Action(kind="write", path=path, new=right),)
    [clause] = clauses(text)
    names = ("docstrings", "annotations", "naming", "decorators", "shapes")
    draft = next(draft for fit in fits() if fit.name in names for draft in fit.fit(clause, before, after))
    assert draft.valid[0].text == right
    assert _missed_and_wrong(draft) == ([], [])
