"""The guard checker: strict about what it builds, and the same verdict as the hook."""

import json
from dataclasses import replace

import pytest

from rulec.checks.guard.checker import PLUG
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.rule import Rule, Scope
from rulec.domain.transcript import Action
from rulec.errors import RulecError

FACTS = RuleFacts(slug="use-pnpm", revision=2, statement="Use pnpm.", quote="pnpm, bitte", scope=Scope(include=("**",)))
STEP = PlannedCheck(
    facts=FACTS,
    rule=Rule(slug="use-pnpm", statement="Use pnpm."),
    kind="guard",
    template="forbid-command",
    parameters={},
    name="use-pnpm",
)
NPM = '{"on": "command", "patterns": ["npm"], "unless": [], "arguments": "", "instead": "pnpm", "rewrite": {}}'


def artifact(body, slug="use-pnpm"):
    return Artifact(path=f".rules/compiled/guard/{slug}.json", text=PLUG.build(STEP, body), slug=slug)


def seen(body, **change):
    return list(PLUG.findings([artifact(body)], Change(**change), ()))


def test_an_artifact_says_where_it_comes_from_and_gives_its_facts_back():
    text = PLUG.build(STEP, NPM)
    assert text.endswith("}\n")
    assert "use-pnpm@2" in json.loads(text)["generated"]
    assert PLUG.facts(text) == FACTS
    assert PLUG.build(STEP, NPM) == text


ASKED = {
    NPM: '"tool_name": "Bash", "tool_input": {"command": "COMMAND"}',
    '{"on": "path", "globs": ["a"]}': '"tool_name": "Write", "tool_input": {"file_path": "PATH"',
    '{"on": "session", "before_stop": true, "first_commands": ["make"]}': '"transcript_path": "FILE"',
    '{"on": "change", "needs": ["b"], "when": ["a"]}': "rulec check --staged",
}


@pytest.mark.parametrize("body", ASKED)
def test_an_artifact_says_how_to_ask_it_by_hand(body):
    about = json.loads(PLUG.build(STEP, body))["about"]
    assert about[0].startswith("a check of the rule use-pnpm: ")
    assert any(ASKED[body] in line for line in about)


BAD = {
    "": "no JSON",
    "{": "no JSON",
    "[]": "no mapping",
    '{"on": "moon"}': "'moon'",
    '{"on": ["command"]}': "no kind of guard check",
    '{"on": "command"}': "patterns is missing",
    '{"on": "command", "patterns": []}': "at least one",
    '{"on": "command", "patterns": [""]}': "at least one",
    '{"on": "command", "patterns": "npm"}': "a list of commands",
    '{"on": "command", "patterns": ["npm"], "cure": ""}': "'cure'",
    '{"on": "command", "patterns": ["npm"], "arguments": "("}': "pattern that compiles",
    '{"on": "command", "patterns": ["npm"], "rewrite": {"a": 1}}': "mapping",
    '{"on": "path", "globs": []}': "globs",
    '{"on": "path", "globs": [3]}': "globs",
    '{"on": "path", "globs": ["a"], "how": ["move"]}': "how",
    '{"on": "path", "globs": ["a"], "how": []}': "how",
    '{"on": "change", "when": ["a"]}': "needs",
    '{"on": "change", "source": "a"}': "mirrors",
    '{"on": "change", "mirrors": ["a"]}': "a source",
    '{"on": "change", "needs": ["a"]}': "which files call",
    '{"on": "change", "pattern": "(", "needs": ["a"]}': "pattern",
    '{"on": "text"}': "one of forbid, require, header",
    '{"on": "text", "forbid": ["["]}': "forbid",
    '{"on": "text", "forbid": ["a"], "ignore_case": 1}': "true or false",
    '{"on": "path", "globs": ["*a*b*c*d*e*f*"]}': "too many stars",
    '{"on": "dependency"}': "one of forbid, pin",
    '{"on": "dependency", "forbid": ["a"], "pin": ["packages"]}': "either forbid or pin",
    '{"on": "dependency", "pin": ["moons"]}': "packages, images, actions",
    '{"on": "session"}': "what is judged",
    '{"on": "session", "before_stop": true}': "what comes first",
    '{"on": "session", "before_stop": 1, "first_commands": ["x"]}': "true or false",
    '{"on": "session", "before_edits": "x", "first_commands": ["x"]}': "a list of globs",
    '{"on": "session", "before_stop": true, "before_claims": ["("], "first_commands": ["x"]}': "patterns that compile",
    '{"on": "session", "before_packages": ["*"], "first_commands": ["x"]}': "needs asks",
    '{"on": "session", "asks": true, "before_commands": ["x"], "first_commands": ["y"]}': "make two rules",
    '{"on": "session", "before_stop": true, "first_reads": ["same"], "after": []}': "'after'",
}


@pytest.mark.parametrize(("body", "says"), BAD.items())
def test_a_body_that_is_no_guard_check_is_refused_by_rule_and_template(body, says):
    with pytest.raises(RulecError) as refused:
        PLUG.build(STEP, body)
    assert says in str(refused.value)
    assert "use-pnpm: template forbid-command: " in str(refused.value)
    assert refused.value.hint


def test_a_command_is_judged_with_its_cure():
    found = seen(
        NPM, actions=(Action(kind="command", command="cd web && npm ci"), Action(kind="command", command="ls"))
    )
    assert found == [Finding(slug="use-pnpm", text="npm ci", cure="use `pnpm` instead of `npm`")]


def test_files_without_actions_are_judged_as_writes():
    body = '{"on": "text", "forbid": ["print"], "globs": ["*.py"]}'
    files = (
        FileChange(path="a.py", content=b"print(1)\nprint(2)\n", base=b"print(1)\n", status="M"),
        FileChange(path="b.md", content=b"print(1)\n"),
        FileChange(path="c.py", status="D", base=b"print(1)\n"),
    )
    assert [(one.path, one.line) for one in seen(body, files=files)] == [("a.py", 2)]
    assert seen(body, files=files, actions=(Action(kind="command", command="ls"),)) == []


def test_a_deleted_file_is_judged_as_deleted():
    body = '{"on": "path", "globs": ["gen/"], "how": ["delete"]}'
    files = (FileChange(path="gen/a", status="D"), FileChange(path="gen/b", status="M", content=b""))
    assert [one.path for one in seen(body, files=files)] == ["gen/a"]


def test_what_is_not_certain_is_no_finding_of_a_gate():
    body = '{"on": "path", "globs": ["gen/"]}'
    assert seen(body, actions=(Action(kind="command", command="python -c \"p = w('gen/a'); open(p, 'w')\""),)) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"facts": {"slug": "x"}, "check": {"on": "text", "forbid": ["("]}}'])
def test_a_damaged_artifact_is_a_fault_beside_the_findings_of_others(text):
    bad = Artifact(path=".rules/compiled/guard/bad.json", text=text, slug="bad")
    change = Change(actions=(Action(kind="command", command="npm ci"),))
    found = list(PLUG.findings([bad, artifact(NPM)], change, ()))
    assert [(type(one), one.slug) for one in found] == [(Fault, "bad"), (Finding, "use-pnpm")]


def test_a_damaged_artifact_has_no_facts():
    for text in ("", "{}", "[]", '{"facts": 3}', '{"facts": {"slug": "x"}}'):
        with pytest.raises(RulecError):
            PLUG.facts(text)


def test_guards_need_no_process():
    assert PLUG.jobs([artifact(NPM)], Change()) == ()


CHANGE = '{"on": "change", "when": ["@code"], "needs": ["@tests"]}'


def test_a_whole_change_is_judged_once_and_its_steps_are_not():
    code, tested = FileChange(path="a.py", content=b"x = load()\n"), FileChange(path="a_test.py", content=b"x\n")
    assert [one.path for one in seen(CHANGE, files=(code,))] == ["a.py"]
    assert seen(CHANGE, files=(code, tested)) == []
    step = Action(kind="write", path="a.py", new="x = load()\n")
    assert seen(CHANGE, files=(code,), actions=(step,)) == []
    assert [one.path for one in seen(CHANGE, files=(code,), actions=(step,), message="Load it")] == ["a.py"]


@pytest.mark.parametrize("status", ["D", "R"])
def test_what_goes_or_only_moves_is_no_change_of_code(status):
    content = None if status == "D" else b"x = load()\n"
    file = FileChange(path="a.py", status=status, content=content, base=b"x = load()\n", old_path="b.py")
    assert seen(CHANGE, files=(file,)) == []


SESSION = '{"on": "session", "before_commands": ["git commit"], "first_commands": ["pytest"], "since": ["*.py"]}'
EDIT, TESTS = Action(kind="edit", path="a.py", old="x", new="y"), Action(kind="command", command="pytest", ok=True)
COMMIT = Action(kind="command", command="git commit -am x")


def test_what_was_done_earlier_decides_and_is_not_judged_itself():
    assert seen(SESSION, actions=(COMMIT,)) == []
    assert [one.text for one in seen(SESSION, earlier=(EDIT,), actions=(COMMIT,))] == [
        "git commit -am x, without `pytest` since a.py was changed"
    ]
    assert seen(SESSION, earlier=(EDIT, TESTS), actions=(COMMIT,)) == []
    assert seen(SESSION, earlier=(EDIT, COMMIT), actions=(TESTS, COMMIT)) == []


@pytest.mark.parametrize(
    "other",
    [
        replace(TESTS, ok=False),
        replace(TESTS, rejected=True),
        Action(kind="other", tool="Glob"),
        Action(kind="says", new="pytest"),
    ],
)
def test_what_did_not_happen_counts_for_nothing(other):
    assert len(seen(SESSION, earlier=(EDIT, other), actions=(COMMIT,))) == 1


def test_an_edit_that_failed_asks_for_nothing():
    assert seen(SESSION, earlier=(replace(EDIT, ok=False),), actions=(COMMIT,)) == []


def test_behind_another_agent_nothing_is_certain():
    assert seen(SESSION, earlier=(EDIT, Action(kind="other", tool="Task")), actions=(COMMIT,)) == []


def test_a_file_is_new_until_the_session_has_seen_it():
    body = '{"on": "session", "before_edits": ["**"], "how": ["change"], "first_commands": ["x"]}'
    write = Action(kind="write", path="a.py", new="x")
    assert seen(body, earlier=(replace(write, path="b.py"),), actions=(write,), files=(FileChange(path="a.py"),)) == []
    assert len(seen(body, earlier=(Action(kind="read", path="a.py"),), actions=(write,))) == 1
    assert len(seen(body, actions=(replace(write, output="The file a.py has been updated."),))) == 1


def test_files_alone_have_no_history():
    assert (
        seen(
            SESSION.replace('"before_commands": ["git commit"]', '"before_edits": ["**"]'),
            files=(FileChange(path="a.py", content=b""),),
        )
        == []
    )


def test_what_a_generator_may_write_is_told_at_a_commit_which_knows_no_session():
    body = '{"on": "path", "globs": ["gen/"], "generated_by": ["make api"]}'
    (found,) = seen(body, files=(FileChange(path="gen/a.py", status="M", base=b"a", content=b"b"),))
    assert (found.path, found.sure) == ("gen/a.py", False)
    (found,) = seen(
        body.replace(', "generated_by": ["make api"]', ""),
        files=(FileChange(path="gen/a.py", status="M", base=b"a", content=b"b"),),
    )
    assert found.sure
