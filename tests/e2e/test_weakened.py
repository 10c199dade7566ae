"""A change that takes something from the gate is held up, whatever it takes; one that does not is not."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulec.checks import template_library
from rulec.domain.evidence import Evidence
from rulec.rulebook import evidence_file
from tests.support.gate import AGAIN, gated
from tests.support.terminal import on_terminal
from tests.support.world import act, at_home, copy, run

Do = Callable[[Path], object]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with at_home(tmp_path_factory.mktemp("home")):
        yield gated(tmp_path_factory.mktemp("gate") / "repo")


@pytest.fixture
def top(base: Path, tmp_path: Path) -> Path:
    return copy(base, tmp_path / "repo")


@dataclass(frozen=True)
class Edit:
    """One edit of a file, and rulec compile where a person would run it."""

    path: str
    old: str = ""
    new: str = ""
    compiled: bool = True

    def __call__(self, top: Path) -> None:
        path = top / self.path
        text = path.read_text() if path.exists() else ""
        assert self.old in text, f"{self.path} holds no {self.old!r}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace(self.old, self.new, 1) if self.old else text + self.new)
        if self.compiled:
            act(top, "compile", code=None)


def _rule(old: str, new: str) -> Edit:
    return Edit(".rules/no-leftovers.yaml", old, new)


def _config(old: str, new: str) -> Edit:
    return Edit(".rules/config.yaml", old, new)


def _plain(path: str, old: str = "", new: str = "") -> Edit:
    return Edit(path, old, new, compiled=False)


def _gone(path: str) -> Do:
    return lambda top: (top / path).unlink()


def _verb(*argv: str) -> Do:
    return lambda top: act(top, *argv, "--no-commit")


def _unsaid(top: Path) -> None:
    (top / f".rules/evidence/use-pnpm/{evidence_file.evidence_id(AGAIN)}.yaml").unlink()
    act(top, "compile")


def _contradicted(top: Path) -> None:
    for number in range(3):
        item = Evidence(slug="use-pnpm", kind="counterexample", weight=1.0, at=f"2026-11-21T1{number}:00:00+00:00")
        path = top / f".rules/evidence/use-pnpm/{evidence_file.evidence_id(item)}.yaml"
        path.write_text(evidence_file.dump_evidence(item))
    act(top, "compile", code=None)


def _swapped(top: Path) -> None:
    path = top / ".rules/no-leftovers.yaml"
    other = "  - {kind: guard, template: forbid-path, with: {globs: [src/a.py, src/b.js]}}\nexamples"
    path.write_text(re.sub(r"(?s)  - kind: guard.*?\nexamples", other, path.read_text(), count=1))
    act(top, "compile", code=None)


def _excepted(until: str) -> Do:
    argv = ("except", "use-pnpm", "--until", until, "--reason", "the old client needs it", "--path", "old/**")
    return _verb(*argv)


TEMPLATE = ".rules/templates/checks/forbid-text.j2"


def _retemplated(pattern: str) -> Do:
    """The team's own template in place of rulec's, which writes one more or another pattern."""

    def do(top: Path) -> None:
        text = (template_library.packaged_templates() / "checks/forbid-text.j2").read_text()
        made = f'patterns | map("replace", "breakpoint\\\\(", {pattern}) | list' if pattern else "patterns"
        (top / TEMPLATE).parent.mkdir(parents=True)
        (top / TEMPLATE).write_text(text.replace('"forbid": patterns', f'"forbid": {made}'))
        act(top, "compile")

    return do


def _unstaged(top: Path) -> None:
    _retemplated('"^breakpoint\\\\(\\\\)$|^zz"')(top)
    (top / ".git/info").mkdir(exist_ok=True)
    (top / ".git/info/exclude").write_text("/.rules/templates/\n")


GUARD = ".rules/compiled/guard/no-leftovers.json"
WEAKER: dict[str, tuple[Do, str]] = {
    "a rule is retired": (_verb("retire", "no-leftovers", "--because", "enough"), "no-leftovers: retired (it blocked)"),
    "a rule is deleted": (Edit(".rules/config.yaml"), "no-leftovers: removed (it blocked)"),
    "a rule gives way to another": (_verb("retire", "no-leftovers", "--for", "use-pnpm"), "superseded by use-pnpm"),
    "a rule is set lower": (_verb("set", "no-leftovers", "warn"), "no-leftovers.yaml:7: no-leftovers: block -> warn"),
    "a rule that notes is pinned lower": (_rule("enforcement: block", "enforcement: audit"), "block -> audit"),
    "a rule is less severe": (_rule("severity: must", "severity: style"), "severity must -> style"),
    "its errors stop nothing": (_rule("on_error: block", "on_error: warn"), "on_error block -> warn"),
    "its doubts stop nothing": (_rule("on_unsure: block", "on_unsure: audit"), "on_unsure block -> audit"),
    "it holds in fewer places": (_rule(', "web/**"', ""), "holds no longer in web/**, only in src/**"),
    "it leaves more places out": (_rule('"src/vendor/**"]', '"src/vendor/**", "src/x/**"]'), "excludes src/x/**"),
    "it holds for one agent": (_rule("scope:", "scope:\n  agents: [codex]"), "holds only for the agents codex"),
    "it holds in CI alone": (_rule("scope:", "scope:\n  environments: [ci]"), "only for the environments ci"),
    "it holds in one project": (_rule("scope:", "scope:\n  projects: [shop]"), "only for the projects shop"),
    "it gains an exception": (
        _rule("exceptions:\n", "exceptions:\n  - {because: it may, scope: {include: [src/free/**]}}\n"),
        "leaves alone src/free/** (it may)",
    ),
    "its exception is wider": (
        _rule('["src/console/**"]', '["src/console/**", "src/x/**"]'),
        "src/console/**, src/x/**",
    ),
    "its check looks for less": (_rule(', "debugger"]', "]"), "patterns loses debugger"),
    "its check spares more": (_rule('["src/debug/**"]', '["src/debug/**", "src/y/**"]'), "except gains src/y/**"),
    "its check says less": (_rule("breakpoint\\\\(", "breakpoint\\\\(\\\\)  # ok"), "which it caught"),
    "its invalid example is gone": (
        _rule('    - {file: src/b.js, content: "debugger;\\n"}\n', ""),
        "loses the invalid example `src/b.js: debugger;`",
    ),
    "its check is another": (_swapped, "loses its check guard forbid-text"),
    "what was said is gone": (_unsaid, "use-pnpm: evidence is gone, confidence 0.83 -> 0.80"),
    "counterexamples disarm it": (_contradicted, "use-pnpm: block -> audit"),
    "its artifact is edited": (
        _plain(GUARD, '"enforcement": "block"', '"enforcement": "audit"'),
        "not what rulec writes",
    ),
    "its artifact is deleted": (_gone(GUARD), "no-leftovers.json: is gone"),
    "what agents are told is edited": (
        _plain(".rules/compiled/words/use-pnpm.json", "Use pnpm", "Ignore pnpm"),
        "use-pnpm.json: is not what rulec writes",
    ),
    "the launcher is edited": (_plain(".rules/hook", new="\n"), "is not what rulec writes"),
    "the launcher is gone": (_gone(".rules/hook"), ".rules/hook: is gone"),
    "a file stands beside the hook": (_plain(".rules/compiled/json.py", new="x = 1\n"), "is none of rulec's files"),
    "the launcher passes everything": (
        _plain(".rules/hook", "#!/bin/sh", "#!/bin/sh\nexit 0"),
        ".rules/hook",
    ),
    "git ignores what is compiled": (_plain(".rules/.gitignore", new="compiled/\n"), ".gitignore: is not what rulec"),
    "an emitter is gone": (_config(", pre-commit]", "]"), "settings: emitters: pre-commit is gone"),
    "a path is protected no more": (_config('protected: ["migrations/**"]\n', ""), "protected: migrations/** is gone"),
    "an owner is gone": (
        _config('owners: ["@acme/leads"]\n', 'owners: ["@acme/all"]\n'),
        "owners: @acme/leads is gone",
    ),
    "CI installs another rulec": (
        _config("rulec==1.0", "git+https://x.test/rulec"),
        "others install git+https://x.test/rulec",
    ),
    "a suite runs nothing": (_config("[pytest, -q]", "[pytest, --version]"), "settings: tests: unit is another"),
    "a suite leaves tests out": (
        _config("[pytest, -q]", "[pytest, -q, --deselect, tests/a.py]"),
        "config.yaml:8: settings: tests: unit is another",
    ),
    "a suite is gone": (
        _config("tests:\n  unit: {run: [pytest, -q], report: junit}\n", ""),
        "settings: tests: unit is gone",
    ),
    "the settings are gone": (_gone(".rules/config.yaml"), "settings: the file is gone"),
    "pre-commit runs rulec no more": (
        _gone(".pre-commit-config.yaml"),
        ".pre-commit-config.yaml: rulec's part of it is another, or gone",
    ),
    "the commit hook is changed": (
        _plain(".pre-commit-config.yaml", "check --staged", "check --staged || true"),
        "rulec's part of it is another",
    ),
    "the commit hook is cut out": (
        lambda top: (top / ".pre-commit-config.yaml").write_text("repos: []\n"),
        "rulec's part of it is another, or gone",
    ),
    "the agent's hooks are gone": (
        lambda top: (top / ".claude/settings.json").write_text("{}\n"),
        ".claude/settings.json:1: sets an agent's hooks otherwise",
    ),
    "the agent's hook does nothing": (
        _plain(".claude/settings.json", 'sh \\"$h\\"', 'true \\"$h\\"'),
        "sets an agent's hooks otherwise",
    ),
    "the agent's hooks are switched off": (
        _plain(".claude/settings.json", "{\n", '{\n  "disableAllHooks": true,\n'),
        ".claude/settings.json:2: sets an agent's hooks otherwise",
    ),
    "hooks are switched off for one machine": (
        _plain(".claude/settings.local.json", new='{"disableAllHooks": true}\n'),
        "settings.local.json:1",
    ),
    "the workflow is gone": (_gone(".github/workflows/rules.yml"), "rules.yml: runs rulec no longer, or otherwise"),
    "the workflow checks nothing": (
        _plain(".github/workflows/rules.yml", "run: rulec test", "run: echo"),
        "rules.yml:",
    ),
    "a hook of theirs asks no more": (
        lambda top: (top / ".husky/pre-commit").write_text("npm test\n"),
        ".husky/pre-commit: runs rulec no longer",
    ),
    "nobody owns the rules": (
        _plain(".github/CODEOWNERS", "/.rules/ @acme/leads\n", ""),
        "owned by nobody, not @acme/leads",
    ),
    "a later line takes them": (
        _plain(".github/CODEOWNERS", new="* @acme/bots\n"),
        "owned by @acme/bots, not @acme/leads",
    ),
    "reviews hide the rules": (
        _plain(".gitattributes", new=".rules/** -diff\n"),
        "`.rules/** -diff` may hide changes from reviews",
    ),
    "reviews hide everything": (
        _plain("src/.gitattributes", new="* binary\n"),
        "`* binary` may hide changes from reviews",
    ),
    "reviews hide one rule": (
        _plain(".gitattributes", new=".rules/use-pnpm.yaml\t-diff\n"),
        "-diff` may hide changes from reviews",
    ),
    "reviews hide all the code": (
        _plain(".gitattributes", new="src/** -diff\n"),
        "src/** -diff` may hide changes from reviews",
    ),
    "a folder of rules is hidden": (_plain(".rules/.gitattributes", new="*.yaml -diff\n"), "*.yaml -diff` may hide"),
    "a switch is spelled otherwise": (
        _plain(".claude/settings.json", "{\n", '{\n  "disableAllHook\\u0073": true,\n'),
        ".claude/settings.json:2: sets an agent's hooks otherwise",
    ),
    "hooks are off below": (
        _plain("web/.claude/settings.json", new='{"disableAllHooks": true}\n'),
        "web/.claude/settings.json:1: sets an agent's hooks otherwise",
    ),
    "Codex is told to run none": (
        _plain(".codex/config.toml", new="features.hooks = false\n"),
        "sets an agent's hooks",
    ),
    "an agent's commits skip hooks": (
        _plain(".claude/settings.json", "{\n", '{\n  "env": {"SKIP": "rulec"},\n'),
        '`"env": {"SKIP": "rulec"},` leads hooks or git elsewhere',
    ),
    "everybody's commits skip hooks": (_plain(".envrc", new="export SKIP=rulec\n"), ".envrc:1"),
    "a hook of theirs ends before": (
        _plain(".husky/pre-commit", "npm test\n", "exit 0\n"),
        ".husky/pre-commit:1: runs rulec no longer, or otherwise",
    ),
    "a hook of theirs heeds nothing": (
        _plain(".husky/pre-commit", "--staged", "--staged || true"),
        "runs rulec no longer",
    ),
    "a hook of theirs that runs rulec is another": (
        _plain(".husky/pre-commit", "npm test\n", "npm test\nnpm run lint || exit 1\n"),
        ".husky/pre-commit:2: runs rulec no longer, or otherwise",
    ),
    "prek reads other hooks": (_plain("prek.toml", new="repos = []\n"), "prek.toml:1: is read in place of"),
    "the launcher cannot be run": (
        lambda top: (top / ".rules/hook").chmod(0o644),
        ".rules/hook: can be run no longer",
    ),
    "another rulebook where case is one": (
        _plain(".RULES/config.yaml", new="schema: 1\n"),
        "replaces .rules/ on",
    ),
    "code stands beside the rules": (_plain(".rules/foo/bar.py", new="x = 1\n"), "bar.py: is none of rulec's files"),
    "a rule of words is turned round": (
        Edit(".rules/plain-words.yaml", "Explain it in plain words.", "Never explain anything."),
        "plain-words: says `Never explain anything.`, not `Explain it in plain words.`",
    ),
    "a rule of words says anything else": (
        Edit(".rules/plain-words.yaml", "plain words.", "plain, short words."),
        "plain-words: says",
    ),
    "agents are told to do the contrary": (Edit(".rules/use-pnpm.yaml", "run pnpm", "run npm"), "tells to `run npm`"),
    "a template lets more pass": (_retemplated('"^breakpoint\\\\(\\\\)$|^zz"'), "template forbid-text changed"),
    "a template is another and makes the same": (_retemplated(""), "template forbid-text changed"),
    "a template is not staged": (_unstaged, "template forbid-text changed, which makes the check of no-leftovers"),
    "findings are excepted": (_excepted("2099-01-31"), "use-pnpm is excepted in old/** until 2099-01-31"),
    "a finding is excepted in place": (
        _plain("src/app.py", new="y = 2  # rulec: ignore[no-leftovers] until=2099-01-31 the old client\n"),
        "src/app.py:2: no-leftovers is excepted in place until 2099-01-31 (the old client)",
    ),
}


@pytest.mark.parametrize("name", WEAKER)
def test_what_weakens_the_gate_is_held_up_and_says_what(top: Path, name: str) -> None:
    do, told = WEAKER[name]
    if name == "a rule is deleted":
        for path in (".rules/no-leftovers.yaml", ".rules/compiled/guard/no-leftovers.json"):
            (top / path).unlink()
    do(top)
    run(top, "add", "-A")
    said = act(top, "check", "--staged", code=1).out
    assert "refused by rulebook-weakened" in said
    assert told in said
    assert "rulec approve" in said


INNOCENT: dict[str, Do] = {
    "a rule is firmer": _verb("set", "no-stash", "warn"),
    "a rule is more severe": _rule("severity: must\n", "severity: must\nrationale: they stay behind\n"),
    "a rule is said otherwise": _rule("No breakpoints and", "Neither breakpoints nor"),
    "it holds in more places": _rule('"web/**"]', '"web/**", "lib/**"]'),
    "it holds everywhere": _rule('include: ["src/**", "web/**"]', 'include: ["**"]'),
    "it leaves fewer places out": _rule('  exclude: ["src/vendor/**"]\n', ""),
    "its exception is narrower": _rule(
        '{include: ["src/console/**"]}', '{include: ["src/console/**"], agents: [codex]}'
    ),
    "its exception is gone": _rule(
        'exceptions:\n  - because: the console is theirs\n    scope: {include: ["src/console/**"]}\n', ""
    ),
    "its check looks for more": _rule(', "debugger"]', ', "debugger", "alert\\\\("]'),
    "its check spares less": _rule('      except: ["src/debug/**"]\n', ""),
    "it has one more example": _rule("  valid:\n", '    - {file: src/c.js, content: "debugger\\n"}\n  valid:\n'),
    "it is explained": _rule("do: take it out", "do: take it out, or use the logger  # as said"),
    "a rule is new": _verb("add", "Never push with --force", "--yes"),
    "a rule only has another name": Edit(".rules/config.yaml"),
    "a document says more": _plain("AGENTS.md", new="\nBe kind.\n"),
    "another hook is added": _plain(
        ".pre-commit-config.yaml",
        new="  - repo: local\n    hooks: [{id: a, name: a, entry: a, language: system}]\n",
    ),
    "the agent has another setting": _plain(".claude/settings.json", "{\n", '{\n  "model": "opus",\n'),
    "another workflow": _plain(".github/workflows/test.yml", new="on: push\n"),
    "an emitter more": _config(", pre-commit]", ", pre-commit, gemini-md]"),
    "a path more is protected": _config('["migrations/**"]', '["migrations/**", "keys/**"]'),
    "another owner for the sources": _plain(".github/CODEOWNERS", "# rulec:begin", "/src/ @acme/dev\n# rulec:begin"),
    "it holds wherever there is a place": _rule("scope:", "scope:\n  environments: [local, ci]"),
    "a template of theirs for nobody yet": _plain(".rules/templates/checks/ours.j2", new="{# mine #}\n"),
    "a hook of theirs that runs no rulec": _plain(".husky/post-merge", new="npm ci\n"),
    "a word about the rules": _plain(".rules/README.md", new="Rules of ours.\n"),
    "line ends are those of Unix": _plain(".gitattributes", new="*.sh text eol=lf\n"),
    "a development container": _plain(".devcontainer/devcontainer.json", new='{"remoteEnv": {"PATH": "/x"}} // c\n'),
    "an exception that is over": _plain("src/app.py", new="# rulec: ignore[no-leftovers] until=2020-01-31 once\n"),
    "an exception of nobody's rule": _plain("docs.md", new="`rulec: ignore[some-rule] until=2099-01-31 why`\n"),
    "an exception without a reason": _plain("src/app.py", new="# rulec: ignore[no-leftovers] until=2099-01-31\n"),
    "the runtime is as rulec writes it": lambda top: act(top, "compile"),
    "code": _plain("src/app.py", new="y = 2\n"),
}


@pytest.mark.parametrize("name", INNOCENT)
def test_what_does_not_weaken_the_gate_passes(top: Path, name: str) -> None:
    if name == "a rule only has another name":
        text = (top / ".rules/no-stash.yaml").read_text().replace("slug: no-stash", "slug: never-stash")
        act(top, "edit", "no-stash", "--file", str(_saved(top, text)), "--because", "clearer", "--no-commit")
    else:
        INNOCENT[name](top)
    run(top, "add", "-A")
    said = act(top, "check", "--staged").out
    assert "rulebook-weakened" not in said


def _saved(top: Path, text: str) -> Path:
    path = top.parent / "new.yaml"
    path.write_text(text)
    return path


def test_ci_warns_of_it_and_leaves_it_to_the_owners(top: Path) -> None:
    act(top, "set", "no-leftovers", "warn")
    said = act(top, "check", "--base", "HEAD~1").out
    assert "warning from rulebook-weakened" in said
    assert "block -> warn" in said
    assert "let @acme/leads approve it in the review" in said


def test_ci_blocks_it_where_the_base_says_so_and_the_change_cannot_unsay_that(top: Path) -> None:
    _config("weights: true", "weakened: block")(top)
    run(top, "commit", "-qam", "Be strict")
    _config("weakened: block", "weakened: warn")(top)
    run(top, "commit", "-qam", "Be lax")
    assert "settings: weakened block -> warn" in act(top, "check", "--base", "HEAD~1", code=1).out


def test_a_person_lets_exactly_this_through(top: Path) -> None:
    argv = [sys.executable, "-m", "rulec", "approve", "--reason", "agreed in the call"]
    _rule("severity: must", "severity: should")(top)
    run(top, "add", "-A")
    done = act(top, "approve", code=2)
    assert "is no terminal" in done.err
    assert "no-leftovers: severity must -> should" in done.out
    code, seen = on_terminal(top, argv, [("Approve this?", "n\n")])
    assert code == 1
    assert "no-leftovers: severity must -> should" in seen
    act(top, "check", "--staged", code=1)
    code, seen = on_terminal(top, argv, [("Approve this?", "y\n")])
    assert code == 0, seen
    assert "1 excepted" in act(top, "check", "--staged").out
    told = act(top, "check", "--staged", "--format", "json").out
    assert re.search(r"approved by Dev on \d{4}-\d\d-\d\d: agreed in the call", told)
    _rule("severity: should", "severity: style")(top)
    run(top, "add", "-A")
    assert "severity must -> style" in act(top, "check", "--staged", code=1).out


def test_an_approval_is_used_up_by_its_commit(top: Path) -> None:
    argv = [sys.executable, "-m", "rulec", "approve"]
    for reverted in (False, True):
        if reverted:
            run(top, "revert", "--no-edit", "HEAD")
        _rule("severity: must", "severity: should")(top)
        run(top, "add", "-A")
        act(top, "check", "--staged", code=1)
        if not reverted:
            code, seen = on_terminal(top, argv, [("Approve this?", "y\n")])
            assert code == 0, seen
            act(top, "check", "--staged")
            run(top, "commit", "-qm", "Agreed")


def test_ci_names_a_template_that_it_does_not_render(top: Path) -> None:
    _retemplated('"^breakpoint\\\\(\\\\)$|^zz"')(top)
    run(top, "add", "-A")
    run(top, "commit", "-qm", "Our own template")
    assert "template forbid-text changed" in act(top, "check", "--base", "HEAD~1").out


def test_there_is_nothing_to_approve_where_nothing_is_weaker(top: Path) -> None:
    assert "weakens nothing" in act(top, "approve").out


def test_a_merge_answers_for_what_it_adds_alone(top: Path) -> None:
    run(top, "switch", "-qc", "theirs")
    act(top, "set", "no-leftovers", "warn")
    (top / "src/app.py").write_text("x = 2\n")
    run(top, "commit", "-qam", "Theirs")
    run(top, "switch", "-q", "main")
    (top / "src/app.py").write_text("x = 3\n")
    run(top, "commit", "-qam", "Ours")
    run(top, "merge", "theirs", code=1)
    (top / "src/app.py").write_text("x = 4\n")
    run(top, "add", "-A")
    act(top, "check", "--staged")
    (top / ".rules/hook").write_text("exit 0\n")
    run(top, "add", "-A")
    act(top, "check", "--staged", code=1)


def test_a_first_commit_has_nothing_to_weaken(base: Path, top: Path) -> None:
    run(top, "update-ref", "-d", "HEAD")
    act(top, "check", "--staged")


def test_what_went_round_the_commit_gate_is_told_at_the_push(top: Path) -> None:
    run(top, "init", "-q", "--bare", "../origin.git")
    run(top, "remote", "add", "origin", "../origin.git")
    run(top, "push", "-q", "origin", "main")
    act(top, "hook", "install", code=None)
    _rule("severity: must", "severity: style")(top)
    run(top, "commit", "-qam", "Quietly", "--no-verify")
    said = run(top, "push", "origin", "main")
    assert "warning from rulebook-weakened" in said
    assert "no-leftovers: severity must -> style" in said
