"""Which gates of a clone are said to act, by the state of git's hooks, of agents' settings, of CI and of rulec."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulec.domain.rule import Rule, Scope
from rulec.infra.git import hook_scripts
from rulec.infra.rulebooks import rulebook_files
from rulec.services import gates_here, hook_trials, recorded_rulec
from rulec.services.gates_here import COMMITS, IN_CI, MESSAGES, PUSHES, TOOL, GatesHere
from tests.support.world import act, at_home, copy, run

RULE = Rule(slug="x", statement="X.", severity="must")
RULEC = """#!/bin/sh
case "$*" in
    *--version) echo rulec ;;
    "check --staged" | "check --message "?* | "hook prepare" | "hook pushed "?*)
        echo "refused by rulec-doctor"
        exit 1 ;;
esac
"""


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that init set up, with every git hook of rulec's and Claude Code's settings."""
    with at_home(tmp_path_factory.mktemp("home")):
        repo = tmp_path_factory.mktemp("gates") / "repo"
        repo.mkdir()
        run(repo, "init", "-q", "-b", "main", "--template=")
        run(repo, "commit", "-q", "--allow-empty", "-m", "Start")
        act(repo, "init", "--yes", "--agent", "claude-code")
        return repo


@pytest.fixture
def top(seeded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path / "bin/rulec", RULEC)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return copy(seeded, tmp_path / "repo")


def here(top: Path) -> GatesHere:
    return gates_here.gates_here(top, rulebook_files.load_rulebook(top))


def lacks(top: Path) -> dict[str, str]:
    """What each git hook and agent lacks."""
    found = here(top)
    return {name: gate.lacks for name, gate in {**found.hooks, **found.agents}.items()}


def write(place: Path, text: str, mode: int = 0o755) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    place.chmod(mode)


def remove_hooks(top: Path) -> Path:
    folder = top / ".git/hooks"
    for name in hook_scripts.RUNS:
        (folder / name).unlink()
    return folder


def test_all_gates_of_a_clone_that_was_set_up_act(top: Path) -> None:
    assert set(lacks(top).values()) == {""}
    assert here(top).acting([TOOL, COMMITS, MESSAGES, PUSHES], RULE) == [TOOL, COMMITS, MESSAGES, PUSHES]


@pytest.mark.parametrize("name", hook_scripts.RUNS)
def test_a_hook_that_is_missing_or_not_executable_does_not_act(top: Path, name: str) -> None:
    place = top / ".git/hooks" / name
    place.chmod(0o644)
    assert "not executable" in lacks(top)[name]
    place.unlink()
    assert lacks(top)[name] == f"no {name} hook"


SCRIPTS = {
    "rulec check --staged": True,
    "exec rulec check --staged": True,
    "sh .rules/hook git check --staged || exit 1": True,
    "true && sh .rules/hook git check --staged": True,
    "sh tools/gate.sh": True,
    '"$(git rev-parse --show-toplevel)/tools/gate.sh"': True,
    "# rulec check --staged": False,
    "rulec check --staged || true": False,
    "rulec check --staged; exit 0": False,
    "rulec check --staged &": False,
    "if rulec check --staged; then echo fine; fi": False,
    'echo "you may run: rulec check --staged"': False,
    '[ -n "$NEVER" ] && rulec check --staged; exit 0': False,
    "echo rulec": False,
    "rulec rules": False,
    "npx lint-staged": False,
    "gone.sh; exit 0": False,
}


@pytest.mark.parametrize("line", SCRIPTS)
def test_a_hook_of_somebody_elses_acts_where_it_refused_a_bad_commit_in_a_trial(top: Path, line: str) -> None:
    elsewhere = len(line) % 2  # of both sorts of folder some
    folder = remove_hooks(top)
    if elsewhere:
        folder = top.parent / "hooks"
        run(top, "config", "core.hooksPath", str(folder))
    write(top / "tools/gate.sh", "#!/bin/sh\nrulec check --staged\n")
    write(folder / "pre-commit", f"#!/bin/sh\n{line}\n")
    assert lacks(top)["pre-commit"]
    hook_trials.try_hooks(top)
    assert (lacks(top)["pre-commit"] == "") is SCRIPTS[line], lacks(top)


WORKFLOW = """
on: [pull_request]
jobs:
  rules:
    steps:
      - run: rulec check --base x
"""
HOOKS = {
    "pre-commit": "rulec check --staged",
    "prepare-commit-msg": '[ -z "$CLAUDECODE" ] || rulec hook prepare',
    "commit-msg": 'rulec check --message "$1"',
    "pre-push": 'rulec hook pushed "$1"',
}


def test_every_hook_is_tried_and_a_change_makes_what_is_known_of_it_unknown(top: Path) -> None:
    folder = remove_hooks(top)
    for name, line in HOOKS.items():
        write(folder / name, f"#!/bin/sh\n{line}\n")
    told = rows(top, COMMITS)["people"]
    assert told.startswith("not known whether at commits: git hook pre-commit is somebody's; nobody tried it"), told
    hook_trials.try_hooks(top)
    assert {lacks(top)[name] for name in HOOKS} == {""}
    write(folder / "pre-push", f"#!/bin/sh\n{HOOKS['pre-push']} || echo no\n")
    assert here(top).hooks["pre-push"].word == gates_here.UNKNOWN
    hook_trials.try_hooks(top)
    assert lacks(top)["pre-push"] == "git hook pre-push lets pass what rulec refuses in it"


def test_a_hook_that_fails_before_rulec_is_asked_is_not_said_to_act(top: Path) -> None:
    write(remove_hooks(top) / "pre-commit", "#!/bin/sh\necho no tests here >&2; exit 3; rulec check --staged\n")
    hook_trials.try_hooks(top)
    gate = here(top).hooks["pre-commit"]
    assert (gate.word, gate.lacks.endswith("ended before rulec did, in a trial: no tests here")) == (
        "not known whether",
        True,
    )


def test_a_hook_that_never_names_rulec_is_not_run(top: Path) -> None:
    write(remove_hooks(top) / "pre-commit", f"#!/bin/sh\ntouch {top / 'ran'}\n")
    hook_trials.try_hooks(top)
    assert not (top / "ran").exists()
    assert lacks(top)["pre-commit"] == "git hook pre-commit does not run rulec"


MANAGED = {
    "husky": (".husky/pre-commit", "rulec check --staged\n", '#!/bin/sh\n. "$(dirname "$0")/h"\n'),
    "lefthook": (
        "lefthook.yml",
        "pre-commit:\n  commands:\n    rules:\n      run: rulec check --staged\n",
        "#!/bin/sh\nnode_modules/.bin/lefthook run pre-commit\n",
    ),
}
HUSKY = 's=$(dirname "$(dirname "$0")")/$(basename "$0")\n[ ! -f "$s" ] && exit 0\nsh -e "$s" "$@"\n'
LEFTHOOK = "#!/bin/sh\nsh -c \"$(sed -n 's/.*run: //p' lefthook.yml)\"\n"


@pytest.mark.parametrize("manager", MANAGED)
def test_a_manager_acts_where_its_hook_refused_a_bad_commit(top: Path, manager: str) -> None:
    path, text, hook = MANAGED[manager]
    folder = remove_hooks(top)
    if manager == "husky":
        folder = top / ".husky/_"
        run(top, "config", "core.hooksPath", ".husky/_")
        write(folder / "h", HUSKY)
    write(top / "node_modules/.bin/lefthook", LEFTHOOK)
    write(top / ".git/info/exclude", "node_modules\n")
    write(folder / "pre-commit", hook)
    write(top / path, text)
    hook_trials.try_hooks(top)
    gate = here(top).hooks["pre-commit"]
    assert (gate.lacks, gate.by) == ("", manager)
    write(top / path, text.replace("rulec", "eslint"))
    gate = here(top).hooks["pre-commit"]
    assert "does not run rulec" in gate.lacks
    assert manager != "husky" or gate.cure == "add to .husky/pre-commit: sh .rules/hook git check --staged"


def test_a_folder_of_hooks_that_repositories_share_gets_a_line_that_harms_none_of_them(top: Path) -> None:
    run(top, "config", "core.hooksPath", str(top.parent / "shared"))
    (top.parent / "shared").mkdir()
    cure = here(top).hooks["commit-msg"].cure
    assert cure.endswith(
        '/shared/commit-msg, executable: [ ! -f .rules/hook ] || sh .rules/hook git check --message "$1"'
    )


FRAMEWORK = "#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\nINSTALL_PYTHON={python}\n"


def test_a_hook_of_pre_commits_acts_where_its_settings_have_rulec(top: Path) -> None:
    place = top / ".git/hooks/pre-commit"
    write(place, FRAMEWORK.format(python="/bin/sh") + "rulec check --staged\n")
    assert "nobody tried it" in lacks(top)["pre-commit"]
    hook_trials.try_hooks(top)
    assert lacks(top)["pre-commit"] == ""
    path = top / ".pre-commit-config.yaml"
    text = path.read_text()
    path.write_text(text.replace("id: rulec\n", "id: other\n"))
    assert "has no hook of rulec for pre-commit" in lacks(top)["pre-commit"]
    path.unlink()
    assert "has no hook of rulec for pre-commit" in lacks(top)["pre-commit"]
    path.write_text("repos: [")
    assert ".pre-commit-config.yaml" in lacks(top)["pre-commit"]


def test_a_hook_of_pre_commits_whose_python_is_gone_does_not_act(top: Path) -> None:
    write(top / ".git/hooks/pre-commit", FRAMEWORK.format(python="/gone/python"))
    assert "starts /gone/python, which is gone" in lacks(top)["pre-commit"]


RECORDS = {
    "/gone/python\n{start}\n": "names /gone/python, which is gone",
    "{python}\n/gone/start.py\n": "names /gone/start.py, which is gone",
    "": "record is gone",
}


@pytest.mark.parametrize("record", RECORDS)
def test_without_the_recorded_rulec_neither_git_nor_agents_act(top: Path, record: str) -> None:
    python, start = recorded_rulec.recorded(top)
    (top / ".git/rulec/record").write_text(record.format(python=python, start=start))
    assert all(RECORDS[record] in why for why in lacks(top).values())
    assert lacks(top)["pre-commit"].endswith("so each commit is refused")
    assert lacks(top)["claude-code"].endswith("so each tool call is denied")


STARTS = {
    "raise SystemExit(0)": ("does not answer as rulec does", False),
    "raise SystemExit('no module named rulec')": (
        "does not start: no module named rulec, so each push is refused",
        True,
    ),
}


@pytest.mark.parametrize("text", STARTS)
def test_a_recorded_rulec_is_asked_whether_it_starts(top: Path, tmp_path: Path, text: str) -> None:
    python, _ = recorded_rulec.recorded(top)
    write(tmp_path / "old/start.py", text)
    (top / ".git/rulec/record").write_text(f"{python}\n{tmp_path / 'old/start.py'}\n")
    assert lacks(top)["pre-push"].endswith(STARTS[text][0])
    assert ("denied" in lacks(top)["claude-code"]) is STARTS[text][1]
    assert lacks(top)["claude-code"]


def test_a_clone_without_a_record_needs_a_rulec_on_path(top: Path, tmp_path: Path) -> None:
    for name in ("record", "hook"):
        (top / ".git/rulec" / name).unlink()
    assert lacks(top)["claude-code"] == ""
    (tmp_path / "bin/rulec").unlink()
    assert "rulec is missing" in lacks(top)["claude-code"]
    assert lacks(top)["pre-commit"].endswith("so each commit is refused")
    (top / ".rules/hook").unlink()
    assert ".rules/hook is missing" in lacks(top)["claude-code"]


def test_an_environment_that_lost_what_rulec_needs_runs_no_git_hook(top: Path, tmp_path: Path) -> None:
    _, start = recorded_rulec.recorded(top)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    (top / ".git/rulec/record").write_text(f"{tmp_path / 'venv/bin/python'}\n{start}\n")
    assert "does not start: " in lacks(top)["pre-commit"]
    assert lacks(top)["claude-code"] == ""  # a tool call needs none of it


def test_agents_settings_act_where_they_call_rulec_and_nothing_turns_them_off(top: Path) -> None:
    settings, local = top / ".claude/settings.json", top / ".claude/settings.local.json"
    local.write_text('{"disableAllHooks": true}')
    assert "turns Claude Code's hooks off" in lacks(top)["claude-code"]
    local.unlink()
    data = json.loads(settings.read_text())
    settings.write_text(json.dumps({"hooks": {k: v for k, v in data["hooks"].items() if k != "PreToolUse"}}))
    assert "does not call rulec at PreToolUse" in lacks(top)["claude-code"]
    first = data["hooks"]["PreToolUse"][0]
    called = first["hooks"][0]["command"]
    for matcher, ending, said in (
        (
            "Write",
            "",
            "not always at tool calls: .claude/settings.json calls rulec at PreToolUse for Write, not for Bash,",
        ),
        (first["matcher"], " || true", "checked at each tool call (Claude Code)"),
        (first["matcher"], "; touch ran", "not checked here: .claude/settings.json does not call rulec at PreToolUse"),
    ):
        first["matcher"], first["hooks"][0]["command"] = matcher, called + ending
        settings.write_text(json.dumps(data))
        assert rows(top, TOOL)["agents"].startswith(said), rows(top, TOOL)
    settings.write_text(settings.read_text().replace("git rev-parse", "git  rev-parse"))
    assert "calls rulec by lines that this version does not write" in lacks(top)["claude-code"]
    settings.write_text('{"hooks": {,}')
    assert "settings.json cannot be read: " in lacks(top)["claude-code"]
    settings.write_text("{}")
    assert lacks(top)["claude-code"].endswith("does not call rulec")
    settings.unlink()
    assert lacks(top)["claude-code"].endswith("is missing")


def test_hooks_in_a_read_only_folder_are_cured_by_making_it_writable(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_hooks(top)
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    gate = here(top).hooks["pre-commit"]
    assert ("read-only" in gate.lacks, gate.cure) == (True, f"chmod u+w {top}/.git/hooks")


def test_a_hooks_path_that_is_no_folder_runs_nothing(top: Path) -> None:
    run(top, "config", "core.hooksPath", "/dev/null")
    assert all("core.hooksPath is /dev/null" in gate.lacks for gate in here(top).hooks.values())


def rows(top: Path, *moments: str, rule: Rule = RULE) -> dict[str, str]:
    return dict(gates_here.audience_rows(here(top), moments, rule))


def test_the_sentences_name_the_gates_that_act(top: Path) -> None:
    commit_workflow(top, WORKFLOW)
    assert rows(top, TOOL, COMMITS) == {
        "agents": "checked at each tool call (Claude Code), at the end of a turn (Claude Code), at commits and in CI",
        "people": "checked at commits and in CI",
    }
    assert rows(top, TOOL, PUSHES)["people"] == "checked at the push (pre-push)"
    write(top / ".git/hooks/pre-push", "#!/bin/sh\n# pre-commit.com\nrulec hook pushed origin\n")
    hook_trials.try_hooks(top)
    assert rows(top, TOOL, PUSHES)["people"] == "checked at the push of new commits (pre-commit)"
    assert rows(top, MESSAGES)["people"] == "checked at commit messages, in CI"
    assert rows(top, TOOL)["people"] == "not checked: rulec does not watch people's terminals"
    assert rows(top) == {}
    alone = Rule(slug="x", statement="X.", severity="must", scope=Scope(who=("agents",)))
    assert rows(top, COMMITS, rule=alone)["people"] == "not checked: the rule is for agents alone"
    others = Rule(slug="x", statement="X.", severity="must", scope=Scope(agents=("codex",)))
    assert rows(top, TOOL, rule=others)["agents"].startswith("not checked here: ")


def test_the_sentences_say_what_is_missing_and_its_cure(top: Path) -> None:
    (top / ".git/hooks/pre-push").unlink()
    assert rows(top, TOOL, PUSHES) == {
        "agents": "checked at each tool call (Claude Code); not at the push: no pre-push hook (rulec hook install)",
        "people": "not checked here: no pre-push hook (rulec hook install)",
    }
    assert here(top).acting([TOOL, PUSHES], RULE) == [TOOL]


def test_the_message_hook_judges_the_commit_where_the_commit_hook_does_not(top: Path) -> None:
    commit_workflow(top, WORKFLOW)
    (top / ".git/hooks/pre-commit").unlink()
    assert here(top).acting([COMMITS], RULE) == [COMMITS]
    (top / ".git/hooks/commit-msg").unlink()
    assert here(top).acting([COMMITS], RULE) == ["turn", IN_CI]
    (top / ".github/workflows/rules.yml").unlink()
    assert here(top).acting([COMMITS], RULE) == ["turn"]
    assert "not in CI: .github/workflows/rules.yml is missing (rulec compile)" in rows(top, COMMITS)["people"]


def test_a_workflow_that_has_no_rulec_to_install_checks_nothing(top: Path) -> None:
    commit_workflow(top, WORKFLOW.replace("- run: rulec", f"- run: echo {gates_here.NOT_SAID!r}\n      - run: rulec"))
    assert "in CI" not in rows(top, COMMITS)["people"].partition(";")[0]


def test_a_workflow_that_is_in_no_commit_checks_nothing(top: Path) -> None:
    write(top / ".github/workflows/rules.yml", WORKFLOW)
    gate = here(top).ci["github-actions"]
    assert (gate.lacks, gate.cure) == (
        ".github/workflows/rules.yml is in no commit yet",
        "commit .github/workflows/rules.yml",
    )


def commit_workflow(top: Path, text: str) -> None:
    write(top / ".github/workflows/rules.yml", text)
    run(top, "add", ".github")
    run(top, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "CI")
