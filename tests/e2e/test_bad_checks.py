"""A check that cannot be trusted is told by rule, stage and cure; at the gate it acts as its rule says."""

from pathlib import Path

import pytest

from tests.conftest import Run

HEAD = "{#\nkind: %s\nparameters: {}\navoid: a\nprefer: b\nchecks: c\nlimits: d\n#}\n"
RULE = """\
slug: {slug}
statement: Nothing odd.
enforcement: block
on_error: {on_error}
checks:
  - {{kind: {kind}, template: {template}}}
examples:
  invalid: [{{file: bad.py, content: "bad()\\n"}}]
  valid: [{{file: good.py, content: "good()\\n"}}]
"""


@pytest.fixture
def book(repo: Path, rulec: Run, git: Run) -> Path:
    rulec("init", "--yes", "--agent", "claude-code")
    git("add", "-A")
    git("commit", "-qnm", "Put up the gates")
    return repo / ".rules"


def _team(book: Path, name: str, kind: str, body: str) -> None:
    folder = book / "templates/checks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.j2").write_text(HEAD % kind + body + "\n")


def _rule(book: Path, slug: str, kind: str, template: str, on_error: str = "warn") -> None:
    (book / f"{slug}.yaml").write_text(RULE.format(slug=slug, kind=kind, template=template, on_error=on_error))


UNBUILT = {  # what the rule names -> what is said of it
    "guard forbid-comand": ("no template 'forbid-comand'; did you mean forbid-comm",),
    "guard forbid-command, with: {commands: npm}": ("commands must be a list",),
    "guard forbid-command, with: {commands: [1]}": ("commands must be a command, not 1",),
    "guard forbid-command, with: {commands: [a], arguments: '(a+)+$'}": ("'(a+)+$' runs away", "; let a repeated"),
    "semgrep name-pattern, with: {what: class, language: java, must: '(\\w+\\s?)*$'}": ("runs away on long lines",),
    "guard forbid-text, with: {patterns: ['x.*y.*z']}": ("takes too long on long lines", ".{0,30}"),
    "shell commit-message, with: {forbid: ['(.*?,){11}P']}": ("runs away on long lines",),
    "guard protect-path, with: {globs: ['a*b*c*d*e*f']}": ("too many stars",),
    "shell max-lines, with: {lines: many}": ("lines must be a whole number, not 'many'",),
    "guard max-lines, with: {lines: 3}": ("makes no guard check; leave kind out",),
}


@pytest.mark.parametrize("check", UNBUILT)
def test_a_check_that_cannot_be_built_is_refused_and_nothing_is_written(
    book: Path, rulec: Run, git: Run, check: str
) -> None:
    kind, _, template = check.partition(" ")
    _rule(book, "no-odd", kind, template)
    before = git("status", "--porcelain").stdout
    said = rulec("compile", code=2).stderr
    assert said.startswith("rulec: .rules/no-odd.yaml:6: ")
    assert said.count("\n") == 1
    assert all(part in said for part in UNBUILT[check]), said
    assert git("status", "--porcelain").stdout == before
    failed = rulec("test", code=1).stdout
    assert "no-odd@1: FAILED at schema: .rules/no-odd.yaml:6: " in failed


BODIES = {
    "{% if %}": "line 9 does not render: Expected an expression",
    "{{ 1 / 0 }}": "does not render: division by zero",
    "{{ nothing.here }}": "does not render: 'nothing' is undefined",
    "{% for i in range(10000000) %}{% endfor %}": "does not render: Range too big",
    '{% include "../../../etc/passwd" %}': "includes '../../../etc/passwd', which does not exist",
    "a: [": "not valid YAML",
    "languages: [klingon]\npattern: x": "language 'klingon' is not known",
    'languages: [regex]\npattern-regex: "(a|a)*b"': "runs away on long lines",
}


@pytest.mark.parametrize("body", BODIES)
def test_a_template_that_does_not_render_is_told_with_the_rule_that_uses_it(book: Path, rulec: Run, body: str) -> None:
    _team(book, "own", "semgrep", body)
    _rule(book, "no-odd", "semgrep", "own")
    said = rulec("compile", code=2).stderr
    assert said.startswith("rulec: .rules/no-odd.yaml:6: ")
    assert BODIES[body] in said


SCRIPTS = {  # a repository's own scripts are held to what raw ones may do
    "if then (": "a parenthesis is not closed",
    "kill -9 $$": "runs kill",
    "sleep 1000": "runs sleep",
}


@pytest.mark.parametrize("body", SCRIPTS)
def test_a_template_whose_script_may_do_more_is_refused_with_the_rule_that_uses_it(
    book: Path, rulec: Run, body: str
) -> None:
    _team(book, "own", "shell", body)
    _rule(book, "no-odd", "shell", "own")
    said = rulec("compile", code=2).stderr
    assert said.startswith("rulec: .rules/no-odd.yaml:6: template own")
    assert SCRIPTS[body] in said


FAILING = {  # kind, body -> what is said, with the cure
    ("semgrep", 'languages: [python, javascript]\npattern: "with $X as $Y: ..."'): "Invalid pattern for JavaScript",
    ("semgrep", 'languages: [python]\npattern: "f("'): "Invalid pattern for Python",
    ("shell", "echo what is this; exit 1"): "printed no path:line:text: 'what is this'",
    ("shell", "exit 7"): "ended with 7",
    ("shell", "exit 0"): "did not catch 'bad.py: bad()",
}


@pytest.mark.parametrize("given", FAILING, ids=lambda given: given[1][-20:])
def test_a_check_that_is_not_proved_says_stage_and_cure_and_finds_nothing_but_its_own_fault(
    book: Path, rulec: Run, git: Run, given: tuple[str, str]
) -> None:
    kind, body = given
    _team(book, "own", kind, body)
    _rule(book, "no-odd", kind, "own", on_error="block")
    said = rulec("compile", code=1).stdout
    (failed,) = [line for line in said.splitlines() if line.startswith("FAILED")]
    assert failed.startswith("FAILED  no-odd at ")
    assert FAILING[given] in failed
    assert "; mend the " in failed
    assert failed.endswith("; it only audits until then")
    assert FAILING[given] in rulec("test", code=1).stdout
    git("add", "-A")
    git("commit", "-qnm", "Add it")
    (book.parent / "bad.py").write_text("bad()\n")
    git("add", "-A")
    breaks = body != "exit 0" and "javascript" not in body  # on a Python file; its rule says that this blocks
    said = rulec("check", "--staged", code=int(breaks)).stdout
    assert ("1 refused" in said) == breaks
    assert ("its check broke" in said) == breaks


@pytest.mark.parametrize(("valid", "invalid"), [("npm ci", " npm  ci "), ("npm ci", "npm ci")])
def test_examples_that_contradict_each_other(book: Path, rulec: Run, valid: str, invalid: str) -> None:
    _rule(book, "no-npm", "guard", "forbid-command, with: {commands: [npm]}")
    text = (book / "no-npm.yaml").read_text().partition("examples:")[0]
    (book / "no-npm.yaml").write_text(
        f"{text}examples:\n  invalid: [{{command: '{invalid}'}}]\n  valid: [{{command: '{valid}'}}]\n"
    )
    for verb in ("compile", "test"):
        said = rulec(verb, code=1).stdout
        assert f"at schema: '{invalid}' is both valid and invalid; mend the rule's parameters or examples" in said


BROKEN = {
    "rubbish": ("echo what is this", "printed no path:line:text: 'what is this'"),
    "fails": ("exit 7", "ended with 7"),
    "hangs": ("while true; do :; done", "di"),  # "did not end", or "died" by the limit of CPU
}


def test_a_proved_check_that_breaks_later_acts_as_its_rule_says(book: Path, rulec: Run, git: Run) -> None:
    for name, (body, _) in BROKEN.items():
        for on_error in ("block", "warn") if name != "hangs" else ("block",):
            case = f'bad*) finding "$path" 1 bad ;; odd*) {body} ;;'
            _team(book, f"{name}-{on_error}", "shell", f"for path do case $path in {case} esac; done\nexit 0")
            _rule(book, f"{name}-{on_error}", "shell", f"{name}-{on_error}", on_error)
    assert "5 newly proved" in rulec("compile").stdout
    git("add", "-A")
    git("commit", "-qnm", "Add them")
    (book.parent / "odd.txt").write_text("odd\n")
    git("add", "-A")
    done = git("commit", "-m", "Add something odd", check=False)
    assert done.returncode != 0
    said = done.stdout + done.stderr
    for name, (_, what) in BROKEN.items():
        assert f"refused by {name}-block: " in said
        assert f"its check broke: {name}-block.sh {what}" in said
        assert f"fix: .rules/{name}-block.yaml or its template" in said
        assert name == "hangs" or f"warning from {name}-warn: " in said
