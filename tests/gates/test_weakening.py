"""What needs a person: a rule that holds to less, looser settings, a gate file that was touched; and what does not."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Weakening
from rulec.domain.prompt import ModelSettings
from rulec.domain.rule import Check, Example, Exemption, Rule, Scope
from rulec.gates.weakening import gate_files, loosening
from rulec.gates.weakening.gate_states import GateState
from rulec.gates.weakening.loosening import RuleState, inherited_exceptions, weakened_rules
from rulec.infra import install_source
from rulec.infra.install_source import InstallSource
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config, ExtendedRulebook
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.test_suites import Suite

NPM, YARN = Example(kind="command", text="npm ci"), Example(kind="command", text="yarn add x")
CHECK = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm", "yarn"], "unless": ["npm view"]})
RULE = Rule(
    slug="use-pnpm", statement="Use pnpm.", severity="must", enforcement="block", checks=(CHECK,), invalid=(NPM, YARN),
    source=".rules/use-pnpm.yaml",
)  # fmt: skip
OLD = Exemption(because="old", scope=Scope(include=("old/**",)))


def _texts(found: Iterable[Weakening]) -> list[str]:
    return [one.text.removeprefix("use-pnpm: ").removeprefix("settings: ") for one in found]


def _told(
    now: RuleState | None, was: RuleState | None = None, archive: Rule | None = None, **others: RuleState
) -> list[str]:
    after = {**({"use-pnpm": now} if now else {}), **others}
    before = {"use-pnpm": was or RuleState(rule=RULE, acts="block")}
    return _texts(weakened_rules(before, after, {"use-pnpm": archive} if archive else {}))


def _now(acts: str = "block", **changed: object) -> RuleState:
    return RuleState(rule=replace(RULE, **changed), acts=acts)  # type: ignore[arg-type]  # any field of a rule


def _check(**parameters: object) -> RuleState:
    return _now(checks=(replace(CHECK, parameters={**CHECK.parameters, **parameters}),))


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (_now(), []),
        (_now(statement="Use pnpm, please.", do="run pnpm"), []),
        (_now(statement="In our words."), []),
        (_now(scope=Scope(environments=("ci", "local"))), []),  # there is no other
        (_now(scope=Scope(environments=("ci",))), ["holds only for the environments ci"]),
        (_now("warn"), ["block -> warn"]),
        (_now("audit", enforcement="auto"), ["block -> audit"]),
        (_now(enforcement="warn"), ["pinned to block -> warn"]),
        (_now(severity="style"), ["severity must -> style"]),
        (_now(on_error="block", on_unsure="block"), []),
        (_now(on_unsure="audit"), ["on_unsure warn -> audit"]),
        (_now(level="testable"), []),
        (_now(level="strict"), []),
        (_now(level="remind"), ["level strict -> remind"]),
        (_now(scope=Scope(include=("src/**",))), ["holds no longer in **, only in src/**"]),
        (_now(scope=Scope(exclude=("x",))), ["excludes x"]),
        (_now(scope=Scope(agents=("codex",))), ["holds only for the agents codex"]),
        (_now(scope=Scope(tags=("web",))), []),
        (_now(exceptions=(OLD,)), ["leaves alone old/** (old)"]),
        (_now(checks=()), ["loses its check guard forbid-command"]),
        (_check(commands=["npm"]), ["forbid-command: commands loses yarn"]),
        (_check(commands=["npm", "bun"]), ["forbid-command: commands loses yarn, gains bun"]),
        (_check(commands=["npm", "yarn", "bun"]), []),
        (_check(unless=["npm view", "npm ls"]), ["forbid-command: unless gains npm ls"]),
        (_check(unless=[]), []),
        (_check(globs=["src/**"]), ["forbid-command: globs gains src/**"]),  # where there was no bound
        (_check(code="^x"), ["forbid-command: code is `^x`, not unset"]),
        (_now(invalid=(NPM,)), ["loses the invalid example `yarn add x`"]),
        (_now(valid=(Example(kind="command", text="pnpm i"),)), []),
        (_now(invalid=(NPM, YARN, Example(kind="command", text="npm i"))), []),
    ],
)  # fmt: skip
def test_each_part_of_a_rule_that_is_looser_is_told(now: RuleState, told: list[str]) -> None:
    assert _told(now) == told


def test_an_exception_within_one_that_stood_is_none() -> None:
    was = _now(exceptions=(OLD,))
    assert _told(_now(exceptions=(replace(OLD, scope=Scope(include=("old/**",), agents=("codex",))),)), was) == []
    assert len(_told(_now(exceptions=(replace(OLD, scope=Scope(include=("old/**", "new/**"))),)), was)) == 1


def test_a_changed_script_or_question_to_a_judge_is_told() -> None:
    script = Check(kind="shell", template="raw-shell", parameters={"run": "exit 1"})
    judge = Check(kind="judge", template="judge", parameters={"of": "diff", "asks": "A name of one letter."})
    for check, changed in (
        (script, {"run": "exit 0"}),
        (judge, {"asks": "Nothing."}),
        (judge, {"of": "message"}),
    ):
        other = replace(check, parameters={**check.parameters, **changed})
        was = _now(checks=(check,))
        assert len(_told(_now(checks=(other,)), was)) == 1
        assert _told(was, was) == []


def test_one_more_spelling_that_is_enough_is_told() -> None:
    def state(*flags: str) -> RuleState:
        given = {"commands": ["pnpm install"], "flags": [*flags]}
        return _now(checks=(Check(kind="guard", template="require-command", parameters=given),), invalid=())

    assert _told(state("--frozen-lockfile", "-r"), state("--frozen-lockfile")) == ["require-command: flags gains -r"]


def test_a_rule_that_no_suite_proves_any_more_is_told() -> None:
    def state(**more: str) -> RuleState:
        check = Check(kind="guard", template="require-before", parameters={"before_commands": ["git commit"], **more})
        return _now(checks=(check,), invalid=())

    assert _told(state(), state(proved_by="unit")) == ["require-before: proved_by is unset, not `unit`"]
    assert _told(state(proved_by="lint"), state(proved_by="unit"))
    assert _told(state(proved_by="unit"), state(proved_by="unit")) == []


def test_a_rule_that_goes_is_told_with_what_became_of_it() -> None:
    assert _told(None) == ["removed (it blocked)"]
    assert _told(None, archive=replace(RULE, retired="enough")) == ["retired (it blocked)"]
    heir = RuleState(rule=Rule(slug="use-bun", statement="Use bun.", source="x"), acts="block")
    gone = replace(RULE, superseded_by="use-bun")
    assert _told(None, archive=gone, **{"use-bun": heir}) == ["superseded by use-bun (it blocked)"]
    assert _told(None, archive=gone) == ["superseded by use-bun, which is not in force (it blocked)"]


def test_a_rule_that_only_has_another_name_is_not() -> None:
    heir = RuleState(rule=replace(RULE, slug="pnpm-only"), acts="block")
    gone = replace(RULE, superseded_by="pnpm-only")
    assert _told(None, archive=gone, **{"pnpm-only": heir}) == []
    assert _told(None, archive=gone, **{"pnpm-only": replace(heir, acts="warn")}) == ["block -> warn"]


def test_evidence_that_goes_is_told_where_it_bore_the_rule() -> None:
    was = RuleState(rule=RULE, acts="block", weight=4.0, mean=0.83, evidence=frozenset({"a", "b"}))
    less = RuleState(rule=RULE, acts="block", weight=3.0, mean=0.8, evidence=frozenset({"a"}))
    assert _told(less, was) == ["evidence is gone, confidence 0.83 -> 0.80"]
    assert _told(replace(was, evidence=frozenset({"a"})), was) == []  # it bore nothing: a proof that is out of date


@pytest.mark.parametrize("checks", [(), (Check(kind="judge", template="judge", parameters={"asks": "Jargon."}),)])
def test_the_words_of_a_rule_that_no_machine_checks_are_what_it_holds_to(checks: tuple[Check, ...]) -> None:
    rule = replace(RULE, statement="Explain it in plain words.", do="use short sentences", checks=checks, invalid=())

    def told(**changed: str) -> list[str]:
        return _told(RuleState(rule=replace(rule, **changed)), RuleState(rule=rule))  # type: ignore[arg-type]  # any field

    assert told(statement="Never explain anything.")
    assert told(statement="Say what you like.")
    assert told(do="never use short sentences")
    assert told(when="the moon is full") == ["holds only when `the moon is full`"]
    assert told(rationale="They are read.") == []
    heir = {"other": RuleState(rule=replace(rule, slug="other", statement="Errors say what to do."))}
    assert _told(None, RuleState(rule=rule), replace(rule, superseded_by="other"), **heir)


def test_exceptions_that_a_rule_takes_with_a_former_name_are_told() -> None:
    was, now = RuleState(rule=RULE, acts="block"), _now(formerly=("no-yarn",))
    other = RuleState(rule=replace(RULE, slug="no-yarn"), acts="block")
    told = ["was formerly no-yarn, whose exceptions become its own"]

    def taken(before: dict[str, RuleState], *excepted: str) -> list[str]:
        return _texts(inherited_exceptions(before, {"use-pnpm": now}, frozenset(excepted)))

    assert taken({"use-pnpm": was, "no-yarn": other}, "no-yarn") == told
    assert taken({"use-pnpm": was, "no-yarn": other}) == []  # a merge of which nothing is excepted
    assert taken({"use-pnpm": was}) == told  # exceptions beside the code may name it still
    assert taken({}, "no-yarn") == told
    assert taken({"use-pnpm": now}, "no-yarn") == []


ASKED = ModelSettings(backend="anthropic")
THEIRS = ExtendedRulebook(name="base", url="https://x.test/base", rev="v1")
UNIT = Suite(name="unit", run=("pytest", "-q"), report="junit")


def _loosened(before: Config, after: Config, *, proofs: bool = True) -> list[str]:
    return _texts(loosening.weakened_settings(before, after, proofs=proofs))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (Config(), Config(emitters=("x",), protected=("a",), owners=("@a",), weakened="block", on_missing="deny"), []),
        (Config(emitters=("x", "y")), Config(emitters=("y",)), ["emitters: x is gone"]),
        (Config(weakened="block"), Config(), ["weakened block -> warn"]),
        (Config(on_missing="deny"), Config(), ["on_missing deny -> pass"]),
        (Config(budget=900), Config(weights=False), []),
        (Config(extends=(THEIRS,)), Config(), ["extends: base is gone"]),
        (Config(), Config(extends=(THEIRS,)), []),
        (Config(extends=(THEIRS,)), Config(extends=(replace(THEIRS, rev="v2"),)), ["extends: base is another"]),
        (Config(), Config(models=ASKED), []),
        (Config(models=ModelSettings(judges=("commit", "ci"))), Config(), ["judges are asked no longer at commit"]),
        (Config(models=ASKED), Config(models=replace(ASKED, judges=())), ["judges are asked no longer at ci"]),
        (Config(models=ASKED), Config(), ["models: backend anthropic -> none"]),
        (Config(models=ASKED), Config(models=replace(ASKED, model="small")), ["models: model any -> small"]),
        (Config(models=ASKED), Config(models=replace(ASKED, money=0.5)), ["models: money 2.0 -> 0.5"]),
        (Config(models=ASKED), Config(models=replace(ASKED, tokens=9_000_000)), []),
        (Config(tests=(UNIT,)), Config(tests=(replace(UNIT, seconds=60),)), []),
        (Config(tests=(UNIT,)), Config(), ["tests: unit is gone"]),
        (Config(tests=(UNIT,)), Config(tests=(replace(UNIT, run=("true",)),)), ["tests: unit is another"]),
        (Config(tests=(UNIT,)), Config(tests=(replace(UNIT, files=("x/**",)),)), ["tests: unit is another"]),
        (Config(), Config(tests=(UNIT,)), ["tests: unit is new"]),
    ],
)
def test_settings_that_hold_less_are_told(before: Config, after: Config, told: list[str]) -> None:
    assert _loosened(before, after) == told


def test_a_first_suite_is_none_where_no_rule_asks_for_a_proof() -> None:
    assert _loosened(Config(), Config(tests=(UNIT,)), proofs=False) == []


OWN = "git+https://example.com/rulec@" + "a" * 40


@pytest.mark.parametrize("was", ["", "rulec==1", "git+https://example.com/rulec@v1"])
def test_only_the_source_of_the_rulec_that_runs_here_needs_no_person(was: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install_source, "installed_source", lambda: InstallSource(OWN))
    for install, loosens in ((OWN, False), (was, False), ("git+https://example.com/rulec@v2", True)):
        assert bool(_loosened(Config(install=was), Config(install=install))) is loosens


def _exception(until: str, *paths: str) -> DatedException:
    return DatedException(slug="a", until=until, reason="why", paths=paths, source="f")


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ((), ("2099-01-01", "a/**"), ["a is excepted in a/** until 2099-01-01 (why)"]),
        (("2099-01-01", "a/**"), ("2099-01-01", "a/**"), []),
        (("2099-01-01", "a/**"), ("2098-01-01", "a/**"), []),
        (
            ("2099-01-01", "a/**"),
            ("2099-02-01", "a/**"),
            ["a is excepted in a/** until 2099-02-01, not 2099-01-01 (why)"],
        ),
        (("2099-01-01", "a/**", "b/**"), ("2099-01-01", "a/**"), []),
        (("2099-01-01",), ("2099-01-01", "a/**"), []),
        (("2099-01-01", "a/**"), ("2099-01-01",), ["a is excepted in everywhere until 2099-01-01 (why)"]),
    ],
)
def test_exceptions_that_are_new_wider_or_longer_are_told(
    was: tuple[str, ...], now: tuple[str, ...], told: list[str]
) -> None:
    before = [_exception(*was)] if was else []
    assert _texts(loosening.new_exceptions(before, [_exception(*now)])) == told


MARK = "# rulec: ignore[no-print] until=2026-12-31 why not\n"


@pytest.mark.parametrize(
    ("text", "base", "lines"),
    [
        (f"x\n{MARK}", "x\n", [2]),
        (f"x\n{MARK}", f"{MARK}x\n", []),  # it moved
        (f"{MARK}x\n{MARK}", f"{MARK}x\n", [3]),  # one more of the same
        (MARK.replace("no-print", "no-print, other"), "", [1]),
        (MARK.replace("no-print", "other"), "", []),
        (MARK.replace("2026", "2020"), "", []),
        (MARK.replace(" why not", ""), "", []),
    ],
)
def test_a_exception_that_would_count_from_now_on_is_told(text: str, base: str, lines: list[int]) -> None:
    file = FileChange(path="a.py", status="M", content=text.encode(), base=base.encode())
    found = loosening.exceptions_in_place(Change(files=(file,)), frozenset(["no-print"]), "2026-11-22")
    assert [one.line for one in found] == lines


CONFIG = "schema: 1\nowners: ['@leads']\n"


def _touched(before: Mapping[str, str], after: Mapping[str, str], config: str = CONFIG) -> list[Weakening]:
    """What a change of files outside of the rulebook takes from the gates."""
    was, now = ({file_paths.CONFIG: config, **files} for files in (before, after))
    paths = [path for path in {**was, **now} if was.get(path) != now.get(path)]
    files = tuple(
        FileChange(path=path, status="M" if path in was and path in now else "A" if path in now else "D")
        for path in paths
    )
    top = Path("/nowhere")
    change = Change(files=files)
    return list(loosening.weakenings(GateState(top=top, files=was), GateState(top=top, files=now), change))


HUSKY, ASK = ".husky/pre-commit", "sh .rules/hook git check --staged\n"
RULES_JOB = "include:\n  - local: .gitlab/rules.yml\n"
PRE_COMMIT = ".pre-commit-config.yaml"
ENTRY = "repos:\n- repo: https://example.com/{repo}\n  rev: {rev}\n  hooks:\n  - id: rulec\n"
HOOKS = ENTRY.format(repo="rulec", rev="v1")
BLACK = "- repo: https://example.com/black\n  rev: v9\n  hooks:\n  - id: black\n"
TOUCHED = [  # path, before, after
    # hooks and pipelines that people wrote
    (HUSKY, f"npm test\n{ASK}", "npm test\n"),
    (HUSKY, ASK, ""),
    (HUSKY, ASK, f"# {ASK}"),
    (HUSKY, ASK, f"{ASK[:-1]} || true\n"),
    (HUSKY, ASK, f"exit 0\n{ASK}"),
    (HUSKY, ASK, f'[ -n "$FAST" ] && exit 0\n{ASK}'),
    (HUSKY, ASK, f"set +e\n{ASK}"),
    (HUSKY, ASK, f"if false; then\n{ASK}fi\n"),
    (HUSKY, "rulec check --staged\n", "rulec() { :; }\nrulec check --staged\n"),
    (".githooks/pre-commit", f"#!/bin/sh\n{ASK}", f"#!/bin/sh\n{ASK}exit 0\n"),
    (".github/workflows/ci.yml", "run: rulec check --base main\n", ""),
    (".github/workflows/ci.yml", "run: rulec check --base main\n" * 2, "run: rulec check --base main\n"),
    ("lefthook.yml", "run: rulec check --staged\n", "run: true # rulec check --staged off\n"),
    ("lefthook.yml", "run: rulec check --staged\n", 'run: "rulec check --staged || true"\n'),
    (".gitlab-ci.yml", RULES_JOB, f"{RULES_JOB}rulec-rules:\n  script: [true]\n"),
    (".gitlab-ci.yml", RULES_JOB, "include: []\n"),
    (".gitlab/ci/more.yml", "", "rulec-rules:\n  script: [true]\n"),
    ("prek.toml", "", "repos = []\n"),
    (PRE_COMMIT, HOOKS, ENTRY.format(repo="rulec", rev="v2")),
    (PRE_COMMIT, HOOKS, ENTRY.format(repo="other", rev="v1")),
    (PRE_COMMIT, HOOKS, f"exclude: .*\n{HOOKS}"),
    (PRE_COMMIT, HOOKS, f"repos:\n{BLACK}"),
    (PRE_COMMIT, HOOKS, "repos: [\n"),
    # agents' settings
    (".claude/settings.json", "{}", '{"disableAllHooks" : true}'),
    (".claude/settings.json", "{}", '{"disableAllHook\\u0073": true}'),
    (".claude/settings.json", "{}", '{"disableAllHooks": true, "disableAllHooks": false}'),
    (".claude/settings.json", "{}", '{"disableAllHooks": true,'),  # nobody knows who reads it
    ("web/.claude/settings.json", "", '{"disableAllHooks": true}'),
    (".claude/settings.json", "{}", '{"allowManagedHooksOnly": true}'),
    (".claude/settings.json", '{"hooks": {"Stop": []}}', "{}"),
    (".claude/settings.json", "{}", '{"env": {"SKIP": "rulec"}}'),
    (".claude/settings.json", "{}", '{"env": {"PATH": "/tmp/x"}}'),
    (".claude/settings.json", "{}", '{"env": {"CLAUDE_PROJECT_DIR": "/x"}}'),
    (".gemini/settings.json", "{}", '{"hooksConfig": {"enabled": false}}'),
    (".gemini/settings.json", "{}", '{"hooksConfig": {"disabled": ["rulec"]}}'),
    (".gemini/settings.json", "{}", '{ // mine\n "hooksConfig": {"enabled": false,}}'),
    (".gemini/settings.json", "{}", '{"tools": {"enableHooks": false}}'),
    (".codex/config.toml", "", "[features]\nhooks = false\n"),
    (".codex/config.toml", "", 'model = "x"\nfeatures = {hooks = false}\n'),
    (".codex/config.toml", "", 'shell_environment_policy.set = {PATH = "/x"}\n'),
    # variables that lead past the gate
    (".envrc", "", "export SKIP=rulec\n"),
    (".envrc", "", "use nix\nexport HUSKY=0\n"),
    (".envrc", "", "export BASH_ENV=.x\n"),
    (".config/fish/config.fish", "", "set -gx SKIP rulec\n"),
    (".mise.toml", "", '[env]\nSKIP = "rulec"\n'),
    (".devcontainer/devcontainer.json", "", '{/* ours */ "remoteEnv": {"SKIP": "x",},}'),
    (".github/workflows/ci.yml", "", "env:\n  SKIP: rulec\n"),
    # what reviews show, and who reviews
    (".gitattributes", "", ".rules/** -diff\n"),
    (".gitattributes", "", "* binary\n"),
    (".gitattributes", "", ".rules/** linguist-generated=true\n"),
    (".gitattributes", "", ".rules/** gitlab-generated\n"),
    (".gitattributes", "", ".rules/**\t-diff\n"),
    (".gitattributes", "", '".rules/**" -diff\n'),
    (".gitattributes", "", ".rules/** filter=swap\n"),
    (".gitattributes", "", ".rules/** merge=ours\n"),
    (".gitattributes", "", "[attr]hide -diff\n"),
    (".gitattributes", "", "* hide\n"),  # perhaps a macro
    (".gitattributes", "*.py diff\n", ""),
    (".gitattributes", "* -diff\n*.yaml diff\n", "*.yaml diff\n* -diff\n"),  # the last one counts
    (".rules/.gitattributes", "", "*.yaml -diff\n"),
    ("src/.gitattributes", "", "* -diff\n"),
    ("CODEOWNERS", "* @all\n/.rules/ @leads\n", "* @everybody\n"),
    ("CODEOWNERS", "* @all\n", "/src/ @dev\n"),
    ("CODEOWNERS", "* @all\n", "* @all\n/.rules/ @bot\n"),
    ("CODEOWNERS", "* @leads\n", ""),
    (".RULES/config.yaml", "", "schema: 1\n"),
]
FREE = [
    (HUSKY, "npm test\n", "npm test\nrulec check --staged\n"),
    (HUSKY, "npm test\n", ""),
    ("lefthook.yml", "run: rulec check --staged\n", "run: rulec check --staged\nother: {run: make}\n"),
    (".github/workflows/ci.yml", "on: push\nrun: rulec check\n", "on: [push]\nrun: rulec check\n"),
    (".github/notes.md", "Use rulec check.\n", ""),
    (".gitlab-ci.yml", RULES_JOB, f"{RULES_JOB}test:\n  script: [make]\n"),
    (PRE_COMMIT, HOOKS, HOOKS + BLACK),
    (PRE_COMMIT, HOOKS + BLACK, HOOKS),
    ("other.yaml", HOOKS, ENTRY.format(repo="rulec", rev="v2")),
    (".claude/settings.json", "{}", '{"model": "opus", "env": {"FOO": "1", "GIT_AUTHOR_NAME": "x"}}'),
    (".claude/settings.json", "{}", '{"mcpServers": {"a": {"env": {"PATH": "/x"}}}}'),
    (".claude/skills/a/SKILL.md", "", "disableAllHooks: true\n"),
    (".devcontainer/devcontainer.json", "", '{"remoteEnv": {"PATH": "${containerEnv:PATH}:/x"}}'),
    (".github/pull_request_template.md", "", "SKIP=this where it fits\n"),
    (".envrc", "", "SKIP this\n"),
    (".envrc", "", "export PYTHONPATH=src\nexport HUSKY=1\nexport NO_SKIP=1\n# export SKIP=x\n"),
    (".gitattributes", "", "* text=auto\n*.sh eol=lf\n# * binary\n"),
    ("CODEOWNERS", "* @all\n/.rules/ @leads\n", "/src/ @dev\n* @all\n/.rules/ @leads\n"),
    ("CODEOWNERS", "* @a @b\n", "* @a\n"),  # fewer may approve
    ("CODEOWNERS", "", "* @all\n"),
    ("src/app.py", "x = 1\n", "x = 2\n"),
]


def _files(path: str, before: str, after: str) -> tuple[dict[str, str], dict[str, str]]:
    return ({path: before} if before else {}), ({path: after} if after else {})


@pytest.mark.parametrize(("path", "before", "after"), TOUCHED)
def test_a_gate_file_that_is_touched_needs_a_person(path: str, before: str, after: str) -> None:
    found = _touched(*_files(path, before, after))
    assert found
    assert {one.path for one in found} == {path}


@pytest.mark.parametrize(("path", "before", "after"), FREE)
def test_what_takes_nothing_from_a_gate_file_does_not(path: str, before: str, after: str) -> None:
    assert _touched(*_files(path, before, after)) == []


def test_where_there_was_no_rulebook_there_is_nothing_to_weaken() -> None:
    before, after = GateState(top=Path("/nowhere"), files={HUSKY: ASK}), GateState(top=Path("/nowhere"), files={})
    assert list(loosening.weakenings(before, after, Change(files=(FileChange(path=HUSKY, status="D"),)))) == []


def test_the_owners_file_that_comes_first_counts() -> None:
    leads = {"CODEOWNERS": "* @all\n/.rules/ @leads\n"}
    found = _touched(leads, {**leads, ".github/CODEOWNERS": "/src/ @dev\n"})
    assert ".rules/config.yaml: owned by nobody, not @leads" in _texts(found)


def test_what_rulec_writes_itself_needs_nobody() -> None:
    emitters = f"{CONFIG}emitters: [claude-code, codeowners, pre-commit]\ninstall: {OWN}\n"
    was = {"CODEOWNERS": "* @all\n", ".claude/settings.json": '{"model": "opus"}\n'}
    state = GateState(top=Path("/nowhere"), files={file_paths.CONFIG: emitters, **was})
    made = gate_files.written_by_rulec(state, state)
    assert "/.rules/ @leads" in made["CODEOWNERS"]
    assert "hooks" in made[".claude/settings.json"]
    assert _touched(was, made, emitters) == []
    assert _touched(made, {**made, ".claude/settings.json": '{"model": "opus"}\n'}, emitters)


def test_a_script_that_cannot_be_run_any_more_is_told() -> None:
    state = GateState(top=Path("/nowhere"), files={file_paths.CONFIG: CONFIG, HUSKY: ASK})
    for path, told in ((HUSKY, ["can be run no longer (chmod -x)"]), ("other", [])):
        change = Change(files=(FileChange(path=path, status="M", stilled=True),))
        assert _texts(loosening.weakenings(state, state, change)) == told
