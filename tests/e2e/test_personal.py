"""A person's own rules act on their machine, under the team's, and leave no trace in what the team has."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulec.cli.group import rulec as group_rulec
from tests.conftest import Run
from tests.support.asking import ask_hook
from tests.support.rulebooks import files, publish, tool
from tests.support.session import pnpm

Ask = Callable[..., dict[str, Any]]
DENIED = "permissionDecisionReason"


@pytest.fixture
def home() -> Path:
    """Where the personal rulebook is."""
    return Path(os.environ["XDG_CONFIG_HOME"]) / "rulec/rules"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a rule, and a person with rules of their own: one may stand, one contradicts the team's."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "repo").mkdir()
    names = {f"GIT_{who}_{what}": "dev" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **names, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
    rulec = [sys.executable, "-m", "rulec"]
    for argv in (
        ["git", "init", "-q", "-b", "main"],
        [*rulec, "init", "--yes", "--agent", "claude-code", "--no-ci"],
        ["git", "add", "-A"],
        ["git", "commit", "-qm", "Put up the gates", "--no-verify"],
        [*rulec, "add", "--yes", "Use pnpm, never npm"],
        [*rulec, "--personal", "add", "--yes", "Use wget, never curl"],
        [*rulec, "--personal", "add", "--yes", "Use npm, never pnpm"],
    ):
        subprocess.run(argv, cwd=folder / "repo", env=environment, check=True, capture_output=True)
    return folder


@pytest.fixture
def own(made: Path, repo: Path, home: Path) -> Path:
    """A copy of both for one test."""
    shutil.rmtree(repo)
    shutil.copytree(made / "repo", repo, symlinks=True)
    shutil.copytree(made / "config/rulec/rules", home, symlinks=True)
    return repo


@pytest.fixture
def ask(repo: Path) -> Ask:
    """What the agent's hook answers to a command."""

    def run(command: str, **more: Any) -> dict[str, Any]:
        event = {"session_id": "s", "cwd": str(repo), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
        event |= {"tool_input": {"command": command}, **more}
        done = ask_hook(repo, event)
        assert (done.returncode, done.stderr) == (0, b"")
        answer: dict[str, Any] = json.loads(done.stdout or b"{}")
        return answer.get("hookSpecificOutput", answer)

    return run


def test_it_is_begun_by_its_first_use_and_says_so(repo: Path, rulec: Run, home: Path) -> None:
    done = rulec("--personal", "add", "--yes", "Use wget, never curl")
    assert f"{home} is your personal rulebook now: a git repository of its own" in done.stderr
    log = subprocess.run(["git", "log", "--format=%s"], cwd=home, capture_output=True, text=True, check=True).stdout
    assert log.splitlines() == ["Add the rule use-wget", "Begin a personal rulebook"]
    assert rulec("--personal", "rules").stderr == ""
    assert "every artifact is current" in rulec("--personal", "compile", "--check").stdout
    assert home.parent.stat().st_mode & 0o077 == 0 or home.stat().st_mode & 0o077 == 0
    assert list(repo.iterdir()) == [repo / ".git"]


def test_outside_any_repository_too(tmp_path: Path, rulec: Run) -> None:
    assert "written" in rulec("--personal", "add", "--yes", "Use wget, never curl", cwd=tmp_path).stdout
    assert "use-wget" in rulec("--personal", "rules", cwd=tmp_path).stdout
    assert "rules: 1 (1 block)" in rulec("--personal", cwd=tmp_path).stdout


def test_it_makes_the_agent_stricter_and_the_teams_rule_wins_where_the_two_contradict(
    own: Path, rulec: Run, ask: Ask
) -> None:
    assert "rulec rule use-wget: (personal) Use wget, never curl." in ask("curl http://x")[DENIED]
    assert "rulec rule use-pnpm: Use pnpm, never npm." in ask("npm install x")[DENIED]
    assert ask("pnpm add x") == {}
    rules = rulec("rules").stdout
    assert "use-npm (personal) is not in force here: the team's use-pnpm goes before it: " in rules
    assert "(personal) Use wget, never curl." in rules
    assert "personal: 1 more" in rulec().stdout
    assert rulec("why", "use-wget").stdout.startswith("# personal: ")
    assert rulec("why", "use-wget").stdout.startswith("# personal: ")
    assert "use-wget" in rulec("snapshot").stdout + json.dumps(ask("x", hook_event_name="SessionStart"))


def test_a_rule_of_the_teams_name_is_the_teams(own: Path, rulec: Run, ask: Ask) -> None:
    rulec("add", "--yes", "Use wget, never curl", "--enforcement", "warn")
    answer = ask("curl http://x")
    assert DENIED not in answer
    assert "(personal)" not in json.dumps(answer)
    assert "use-wget (personal) is not in force here: the team has its own use-wget" in rulec("rules").stdout


def test_it_follows_at_once_when_either_rulebook_changes(own: Path, rulec: Run, ask: Ask) -> None:
    assert DENIED in ask("curl x")
    rulec("retire", "use-pnpm", "--because", "we left it")
    assert "(personal) Use npm, never pnpm." in ask("pnpm add x")[DENIED]
    rulec("--personal", "retire", "use-wget", "--because", "it is fine")
    assert ask("curl x") == {}


def test_a_personal_rulebook_that_is_broken_keeps_nothing_of_the_teams_from_acting(
    own: Path, rulec: Run, ask: Ask, home: Path, git: Run
) -> None:
    for path in (home / ".rules/compiled/guard").iterdir():
        path.write_text("{")
    (home / ".rules/use-wget.yaml").write_text("slug: [")
    assert DENIED in ask("npm install x")
    assert ask("ls") == {}
    (own / "a.txt").write_text("x\n")
    git("add", "a.txt")
    done = rulec("check", "--staged")
    assert done.stderr.startswith("rulec: your personal rules were not asked: ")
    assert done.stderr.count("\n") == 1
    git("commit", "-qm", "Add a file")


SETTINGS = "models: {backend: anthropic, model: claude-haiku-4-5}\n"


def _by_hand(home: Path) -> Path:
    path = home / ".rules/config.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(SETTINGS)
    return path


def test_settings_that_a_person_wrote_by_hand_are_no_rulebook(gated: Path, rulec: Run, git: Run, home: Path) -> None:
    _by_hand(home)
    (gated / "a.txt").write_text("x\n")
    git("add", "a.txt")
    for verb in ([], ["rules"], ["check", "--staged"], ["snapshot"]):
        assert rulec(*verb).stderr == ""
    assert "personal" not in rulec("doctor", code=None).stdout
    assert "personal" not in git("commit", "-qm", "Add a file").stderr


def test_a_personal_rulebook_that_is_begun_later_keeps_them(gated: Path, rulec: Run, home: Path) -> None:
    path = _by_hand(home)
    rulec("--personal", "add", "--yes", "Use wget, never curl")
    assert path.read_text() == SETTINGS
    assert "(personal) Use wget" in rulec("rules").stdout
    assert not subprocess.run(["git", "status", "--short"], cwd=home, check=True, capture_output=True).stdout


def test_rules_that_are_in_no_git_are_told_of_by_their_place(gated: Path, rulec: Run, home: Path) -> None:
    _by_hand(home).with_name("use-wget.yaml").write_text("slug: use-wget\nstatement: Use wget.\n")
    said = rulec("rules", code=2).stderr
    assert said.startswith(f"rulec: {home}: ")
    assert said.count(str(home)) == 1


@pytest.mark.parametrize(
    "where",
    [(["repo"], True), (["acme/*"], True), (["github.com/acme/**"], True), (["other"], False), (["web"], True)],
)
def test_some_hold_in_some_repositories_only(
    own: Path, rulec: Run, ask: Ask, home: Path, where: tuple[list[str], bool]
) -> None:
    projects, holds = where
    subprocess.run(["git", "remote", "add", "origin", "git@github.com:acme/web.git"], cwd=own, check=True)
    path = home / ".rules/use-wget.yaml"
    path.write_text(path.read_text() + f"scope: {{projects: {json.dumps(projects)}}}\n")
    rulec("--personal", "compile")
    assert (DENIED in ask("curl x")) == holds
    assert ("(personal) Use wget" in rulec("rules").stdout) == holds


def test_at_a_commit_it_may_stop_the_persons_own_and_in_ci_it_is_not_asked(gated: Path, rulec: Run, git: Run) -> None:
    rulec("--personal", "add", "--yes", "Never use print in Python code")
    (gated / "a.py").write_text('"""A module."""\n\nprint(1)\n')
    git("add", "a.py")
    done = git("commit", "-m", "Add a module", check=False)
    assert done.returncode != 0
    assert "(personal) Never use print in Python" in done.stdout + done.stderr
    git("commit", "-qm", "Add a module", "--no-verify")
    assert "no findings" in rulec("check", "--base", "HEAD~1").stdout


WRITES = [
    "echo x > ~/.config/rulec/rules/.rules/a.yaml",
    "rm -rf ~/.config/rulec",
    "rm -rf {home}",
    'rm -rf "$HOME/.config/rulec"',
    "git -C {home} reset --hard HEAD~1",
    "python3 -c 'import shutil, os; shutil.rmtree(os.path.expanduser(\"~/.config/rulec\"))'",
    "rm -r {home}/.rules/compiled/guard",
    "sed -i s/block/warn/ {home}/.rules/use-wget.yaml",
    "mv {home} /tmp/elsewhere",
    "git -C {home} checkout HEAD~1 -- .rules",
    "rulec --personal add --yes 'Use curl'",
    "rulec --personal retire use-wget --because x",
    "rulec --personal rollback use-wget",
    "rulec extend https://example.com/x.git --rev main",
    "echo x > .rules/extends/shared/use-pnpm.yaml",
]


@pytest.mark.parametrize("command", WRITES)
def test_it_is_no_more_the_agents_to_change_than_the_teams(own: Path, ask: Ask, home: Path, command: str) -> None:
    assert "protect-the-gate" in ask(command.format(home=home))[DENIED]


@pytest.mark.parametrize("command", ["cat {home}/.rules/use-wget.yaml", "ls ~/.config", "rulec --personal rules"])
def test_to_look_at_it_is_free(own: Path, ask: Ask, home: Path, command: str) -> None:
    assert ask(command.format(home=home)) == {}


VERBS: dict[str, list[list[str]]] = {  # in the order in which they run; the words of the personal rule are in none
    "demo": [],  # plays in a repository of its own
    "merge": [],  # git runs it, on files that it names
    "comment": [],  # writes to a forge what others said
    "init": [["init", "--yes", "--agent", "claude-code"]],
    "audit": [["audit", "{session}"]],
    "add": [["add", "--yes", "Use pnpm, never npm"], ["add", "--yes", "Never push with --force"]],
    "ingest": [["ingest", "--yes", "{session}"]],
    "propose": [["propose", "{offer}"]],
    "review": [["review"]],
    "extend": [["extend", "{theirs}", "--rev", "v1", "--name", "shared"]],
    "import": [["import", "CLAUDE.md", "--yes"]],
    "set": [["set", "dont-push-force", "warn"]],
    "edit": [["edit", "use-pnpm"]],
    "retire": [
        ["retire", "use-pnpm", "--for", "dont-push-force"],
        ["retire", "dont-push-force", "--because", "we trust each other"],
    ],
    "rollback": [["rollback", "dont-push-force"]],
    "compile": [["compile"], ["compile", "--check"]],
    "check": [["check", "--staged"], ["check", "--all"]],
    "test": [["test"]],
    "backtest": [["backtest", "--commits", "3"]],
    "doctor": [["doctor"], ["doctor", "--forget"]],
    "rules": [["rules"]],
    "why": [["why", "use-wget"]],
    "diff": [["diff", "HEAD~1..HEAD"]],
    "templates": [["templates"]],
    "completion": [["completion", "bash"]],
    "try": [["try", "{offer}"]],
    "plan": [["plan"], ["plan", "{plan}"]],
    "ui": [["ui", "--no-browser"]],  # refused: nobody is at a terminal
    "run": [["run", "unit"]],
    "prove": [["prove", "1", "use-pnpm"]],
    "snapshot": [["snapshot"]],
    "approve": [["approve"]],
    "except": [
        ["except", "use-pnpm"],
        ["except", "use-pnpm", "--until", "2099-01-31", "--because", "for now", "--path", "old/**"],
        ["except", "--list"],
    ],
    "note": [
        ["note", "use-pnpm", "it was a quote", "--should", "pass"],
        ["note", "use-pnpm", "yarn is as wrong", "--command", "yarn add x"],
    ],
    "evolve": [["evolve"], ["evolve", "--similar"], ["evolve", "--accept", "use-pnpm"]],
    "mine-corpus": [["mine-corpus", "{corpus}", "--engine", "local", "--workers", "1"]],
    "report": [["report", "--commit", "--yes"], ["report"]],
    "hook": [["hook", "install"], ["hook", "uninstall"]],
}


def test_no_verb_writes_a_word_of_it_into_the_teams_repository(
    own: Path, rulec: Run, ask: Ask, git: Run, tmp_path: Path
) -> None:
    assert sorted(VERBS) == sorted(group_rulec.commands)  # type: ignore[attr-defined]  # click's group
    publish(tmp_path / "theirs", files(tool("use-ruff", "flake8", "ruff")), "v1")
    (own / "CLAUDE.md").write_text("- Never commit files named secret.txt\n")
    offer = {"statement": "Use uv, never pip.", "quote": "Use uv, never pip", "offence": {"command": "pip install x"}}
    (tmp_path / "offer.json").write_text(json.dumps(offer))
    (tmp_path / "plan.md").write_text("1. Fetch the pages\n2. Install the packages\n")
    words = {
        "theirs": tmp_path / "theirs",
        "plan": tmp_path / "plan.md",
        "offer": tmp_path / "offer.json",
        "session": tmp_path / "s.jsonl",
        "corpus": tmp_path / "corpus",
    }
    pnpm(own).save(tmp_path / "s.jsonl")
    (tmp_path / "corpus").mkdir()
    pnpm(own).save(tmp_path / "corpus/s.jsonl")
    ran = 0
    for argv in (argv for runs in VERBS.values() for argv in runs):
        ask("curl x")
        ask("x", hook_event_name="Stop")
        done = rulec(*(word.format(**words) for word in argv), code=None)
        assert done.returncode in (0, 1, 2), done.stderr
        ran += done.returncode != 2
        git("add", "-A")
        git("commit", "-qm", "What it wrote", "--no-verify", check=False)
    assert ran > 20  # refusals show nothing
    log = ["git", "-C", str(own), "log", "-p", "--all", "--text", "--", "."]
    history = subprocess.run(log, capture_output=True, check=True).stdout.decode("utf-8", "replace")
    kept = [path for path in own.rglob("*") if path.is_file() and ".git" not in path.parts]
    everything = history + "".join(path.read_bytes().decode("utf-8", "replace") for path in kept)
    for word in ("wget", "(personal)", "Use npm", str(Path(os.environ["XDG_CONFIG_HOME"]))):
        assert word not in everything, word


def test_a_look_begins_no_personal_rulebook(rulec: Run) -> None:
    for verb in (["rules"], ["why", "x"], []):
        refused = rulec("--personal", *verb, code=2).stderr
        assert "there is no personal rulebook yet; rulec --personal add" in refused
    assert not (Path(os.environ["XDG_CONFIG_HOME"]) / "rulec").exists()
