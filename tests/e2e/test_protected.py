"""What the settings protect no agent writes, through whatever tool; and nobody commits it without an approval."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulec.gates import passed_changes
from rulec.services.gating.approve import approve_commits, approve_staged
from rulec.services.gating.push import judge_push
from tests.support.asking import ask_hook
from tests.support.world import act, at_home, copy, run


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with at_home(tmp_path_factory.mktemp("home")):
        top = tmp_path_factory.mktemp("protected") / "repo"
        (top / ".rules").mkdir(parents=True)
        run(top, "init", "-q", "-b", "main", "--template=")
        (top / ".rules/config.yaml").write_text("schema: 1\nprotected: ['migrations/**', LICENSE]\n")
        (top / "migrations").mkdir()
        (top / "migrations/1.sql").write_text("create table a;\n")
        act(top, "compile")
        run(top, "add", "-A")
        run(top, "commit", "-qm", "Start")
        yield top


def _asked(top: Path, tool: str, **given: str) -> dict[str, Any]:
    payload = {
        "session_id": "s",
        "cwd": str(top),
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": given,
    }
    said = ask_hook(top, payload)
    assert said.returncode == 0
    answer: dict[str, Any] = json.loads(said.stdout or "{}").get("hookSpecificOutput", {})
    return answer


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "migrations/2.sql", "content": "drop table a;\n"}),
        ("Edit", {"file_path": "migrations/1.sql", "old_string": "create", "new_string": "drop"}),
        ("Write", {"file_path": "LICENSE", "content": "All mine.\n"}),
        ("Bash", {"command": "rm migrations/1.sql"}),
        ("Bash", {"command": "echo 'drop table a;' > migrations/1.sql"}),
        ("Bash", {"command": "sed -i s/create/drop/ migrations/1.sql"}),
        ("Bash", {"command": "cp /tmp/x migrations/3.sql"}),
        ("Bash", {"command": "git mv migrations/1.sql old.sql"}),
        ("Bash", {"command": "bash -c 'cd migrations && touch 4.sql'"}),
    ],
)
def test_an_agent_does_not_write_there(top: Path, tool: str, given: dict[str, str]) -> None:
    answer = _asked(top, tool, **given)
    assert answer.get("permissionDecision") == "deny"
    assert "protected-paths" in answer["permissionDecisionReason"]
    assert "tell the person what you would change" in answer["permissionDecisionReason"]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "src/migrations.py", "content": "x = 1\n"}),
        ("Bash", {"command": "cat migrations/1.sql"}),
        ("Bash", {"command": "git add migrations && git diff --cached"}),
        ("Bash", {"command": "cp migrations/1.sql /tmp/copy.sql"}),
    ],
)
def test_it_reads_there_and_works_elsewhere(top: Path, tool: str, given: dict[str, str]) -> None:
    assert _asked(top, tool, **given) == {}


Do = Callable[[Path], object]


def _write(path: str, text: str = "drop table a;\n") -> Do:
    def do(top: Path) -> None:
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)

    return do


def _shell(command: str) -> Do:
    return lambda top: subprocess.run(["sh", "-ec", command], cwd=top, check=True, capture_output=True)


PATCH = (
    "printf -- '--- a/migrations/1.sql\\n+++ b/migrations/1.sql\\n@@ -1 +1 @@\\n"
    "-create table a (b int);\\n+drop table a;\\n' | "
)
CHANGES = {  # what is done before the commit -> what is refused, "" for nothing
    "an edit": (_write("migrations/1.sql"), "change migrations/1.sql"),
    "a new file": (_write("migrations/new/2.sql"), "create migrations/new/2.sql"),
    "a whole name": (_write("LICENSE"), "create LICENSE"),
    "a deletion": (_shell("rm migrations/1.sql"), "delete migrations/1.sql"),
    "a file moved away": (_shell("git mv migrations/1.sql old.sql"), "delete migrations/1.sql"),
    "a file moved there": (_shell("git mv a.sql migrations/a.sql"), "create migrations/a.sql"),
    "its mode": (_shell("chmod +x migrations/1.sql"), "change migrations/1.sql"),
    "a link": (_shell("ln -sf /tmp/x migrations/1.sql"), "change migrations/1.sql"),
    "find and sed": (_shell("find . -name '*.sql' -exec sed -i s/create/drop/ {} +"), "change migrations/1.sql"),
    "xargs": (_shell("ls migrations/*.sql | xargs -n1 sed -i s/create/drop/"), "change migrations/1.sql"),
    "git apply": (_shell(f"{PATCH} git apply"), "change migrations/1.sql"),
    "patch": (_shell(f"{PATCH} patch -p1"), "change migrations/1.sql"),
    "another commit's": (_shell("git checkout -q HEAD~1 -- migrations/1.sql"), "change migrations/1.sql"),
    "a revert": (_shell("git revert -n HEAD"), "change migrations/1.sql"),
    "another file": (_write("src/migrations.py"), ""),
    "a folder of like name": (_write("migrations-old/1.sql"), ""),
    "a folder of that name elsewhere": (_write("docs/migrations.md"), ""),
    "a change taken back": (_shell("echo >> migrations/1.sql; git checkout -q -- migrations/1.sql; echo >> a.sql"), ""),
}


@pytest.fixture(scope="module")
def second(top: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with another commit, in which a person changed a protected path."""
    made = copy(top, tmp_path_factory.mktemp("second") / "repo")
    _write("migrations/1.sql", "create table a (b int);\n")(made)
    _write("a.sql", "select 1;\n")(made)
    run(made, "add", "-A")
    run(made, "commit", "-qm", "Change")
    return made


def test_the_commit_refuses_each_change_of_a_protected_path(second: Path, tmp_path: Path) -> None:
    wrong = []
    for number, (name, (do, wanted)) in enumerate(CHANGES.items()):
        top = copy(second, tmp_path / str(number))
        do(top)
        run(top, "add", "-A")
        told = act(top, "check", "--staged", code=None)
        if told.code != bool(wanted) or wanted not in told.out:
            wrong.append(f"{name}: exit {told.code}: {told.out}")
    assert not wrong, "\n".join(wrong)


def test_a_person_approves_exactly_what_is_staged(second: Path, tmp_path: Path) -> None:
    top = copy(second, tmp_path / "repo")
    _write("migrations/5.sql")(top)
    run(top, "add", "-A")
    assert "they run rulec approve" in act(top, "check", "--staged", code=1).out
    assert approve_staged(top, lambda _: False).code == 1
    asked: list[str] = []
    approve_staged(top, lambda question: not asked.append(question))
    assert asked == ["This change touches protected paths:\n  create migrations/5.sql (protected-paths)"]
    assert "1 excepted" in act(top, "check", "--staged").out
    _write("migrations/6.sql")(top)
    run(top, "add", "-A")
    act(top, "check", "--staged", code=1)


def test_ci_warns_and_refuses_where_the_settings_of_the_base_say_so(second: Path, tmp_path: Path) -> None:
    top = copy(second, tmp_path / "repo")
    assert "1 warned" in act(top, "check", "--base", "HEAD~1").out
    config = top / ".rules/config.yaml"
    config.write_text(config.read_text() + "weakened: block\n")
    run(top, "commit", "-qam", "Be strict")
    _write("migrations/1.sql")(top)
    run(top, "commit", "-qam", "Drop it")
    assert "in the review" in act(top, "check", "--base", "HEAD~1", code=1).out


def test_a_push_refuses_what_no_gate_has_seen(second: Path, tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "--bare", "remote")
    top = copy(second, tmp_path / "repo")
    run(top, "remote", "add", "origin", str(tmp_path / "remote"))
    run(top, "push", "-q", "origin", "main")
    passed_changes.begin_record(top)
    _write("migrations/1.sql")(top)
    run(top, "commit", "-qam", "Drop it")
    old, new = run(top, "rev-parse", "HEAD~1", "HEAD").split()
    told = f"refs/heads/main {new} refs/heads/main {old}\n"
    refused = judge_push(top, "origin", told)
    assert refused.code == 1, refused.text
    assert f"they run rulec approve {old[:10]}..{new[:10]}" in refused.text
    approve_commits(top, [f"{old[:10]}..{new[:10]}"], lambda _: True)
    assert judge_push(top, "origin", told).code == 0


def test_a_merge_brings_what_was_judged_where_it_was_committed(second: Path, tmp_path: Path) -> None:
    top = copy(second, tmp_path / "repo")
    lines = [f"line {number};\n" for number in range(20)]
    _write("migrations/1.sql", "".join(lines))(top)
    run(top, "commit", "-qam", "Many lines")
    run(top, "checkout", "-qb", "other")
    _write("migrations/1.sql", "".join(["other;\n", *lines]))(top)
    run(top, "commit", "-qam", "Other")
    run(top, "checkout", "-q", "main")
    _write("migrations/1.sql", "".join([*lines, "main;\n"]))(top)
    run(top, "commit", "-qam", "Main")
    run(top, "merge", "-q", "--no-commit", "other")
    act(top, "check", "--staged")
    _write("migrations/1.sql", "neither\n")(top)
    run(top, "add", "-A")
    act(top, "check", "--staged", code=1)


def test_a_rule_of_that_name_is_refused(top: Path) -> None:
    text = "schema: 1\nslug: protected-paths\nstatement: Mine.\nchecks: []\n"
    (top / ".rules/protected-paths.yaml").write_text(text)
    assert "protected-paths is a name that rulec uses itself" in act(top, "compile", code=2).err
    (top / ".rules/protected-paths.yaml").unlink()
