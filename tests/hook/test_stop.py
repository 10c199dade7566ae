"""The end of a turn: what commands wrote is seen, and nobody is held for ever."""

import json
import shutil
import subprocess

import pytest

from rulec import registry
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts
from rulec.domain.rule import Rule, Scope
from rulec.gates.trusted_checks import remember_scripts
from tests.hook.test_hook import bash, denied, hook, repository
from tests.support.guard_rules import facts
from tests.support.session import unknown_work


@pytest.fixture
def repo(tmp_path):
    repo = repository(tmp_path / "repo")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "x")
    return repo


def git(repo, *arguments):
    subprocess.run(["git", "-C", repo, *arguments], check=True)


def stop(repo, *, active=False, **more):
    """The end of a turn in which a program ran of which nobody knows what it wrote."""
    payload = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(repo), "stop_hook_active": active, **more}
    payload["transcript_path"] = str(unknown_work(repo))
    code, out, error = hook(repo, payload)
    assert (code, error) == (0, "")
    return out


def test_a_clean_work_tree_ends_the_turn(repo):
    assert stop(repo) == {}


CHANGES = [
    ("src/gen/a.py", "x = 2\n", "gen"),
    ("src/gen/with space\tand ünïcode", "x\n", "gen"),
    ("src/gen/a.py", None, "gen"),
    ("src/b.py", "print(1)\n", "no-print"),
    ("src/a.py", "print(1)\nx = 3\n", ""),
    ("src/a.py", "print(1)\nprint(2)\n", "no-print"),
    ("src/a.md", "print(1)\n", ""),
    ("lib/x.c", "int x;\n", "licence"),
    ("lib/x.bin", "\0\udcff", "licence"),
]


@pytest.mark.parametrize(("path", "text", "slug"), CHANGES)
def test_what_a_command_wrote_is_seen_at_the_end_of_the_turn(repo, path, text, slug):
    place = repo / path
    place.parent.mkdir(parents=True, exist_ok=True)
    if text is None:
        place.unlink()
    else:
        place.write_bytes(text.encode("utf-8", "surrogateescape"))
    out = stop(repo)
    assert out.get("decision") == ("block" if slug else None)
    assert not slug or f"rule {slug}:" in out["reason"]


def test_a_turn_is_held_three_times_then_the_person_is_told(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    answers = [stop(repo, active=count > 0) for count in range(5)]
    assert [list(one) for one in answers] == [["decision", "reason"]] * 3 + [["systemMessage"]] * 2
    assert list(stop(repo)) == ["decision", "reason"]
    assert (repo / ".git/rulec/sessions/s1.json").stat().st_mode & 0o777 == 0o600


def test_a_turn_with_a_name_is_counted_by_its_name(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    answers = [stop(repo, prompt_id="p1") for _ in range(4)]
    assert [next(iter(one)) for one in answers] == ["decision"] * 3 + ["systemMessage"]
    assert "decision" in stop(repo, prompt_id="p2")


def test_without_a_place_to_count_a_turn_is_held_once(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    shutil.rmtree(repo / ".git/rulec")
    (repo / ".git/rulec").write_text("")
    assert "decision" in stop(repo)
    assert list(stop(repo, active=True)) == ["systemMessage"]


def test_a_repository_without_commits_is_judged_whole(tmp_path):
    repo = repository(tmp_path / "fresh")
    assert stop(repo)["decision"] == "block"


def test_a_folder_that_is_no_repository_ends_the_turn(tmp_path):
    repo = repository(tmp_path / "fresh")
    subprocess.run(["rm", "-rf", repo / ".git"], check=True)
    assert stop(repo) == {}
    assert denied(hook(repo, bash(repo, "npm ci")))


def test_a_repositorys_own_settings_run_nothing(repo, tmp_path):
    marker = tmp_path / "marker"
    for key in ("core.fsmonitor", "diff.external", "core.pager"):
        git(repo, "config", key, f"touch {marker}; false")
    (repo / "src/gen/a.py").write_text("x = 2\n")
    assert stop(repo)["decision"] == "block"
    assert not marker.exists()


def test_what_is_left_counts_at_the_end_of_the_turn_alone(repo):
    rule = {"facts": facts("no-debug"), "check": {"on": "path", "globs": ["debug_*"], "how": ["create"], "left": True}}
    (repo / ".rules/compiled/guard/no-debug.json").write_text(json.dumps(rule))
    (repo / "debug_a.py").write_text("x\n")
    assert "rule no-debug:" in stop(repo)["reason"]
    written = {"file_path": str(repo / "debug_b.py"), "content": "x\n"}
    payload = {"hook_event_name": "PreToolUse", "cwd": str(repo), "tool_name": "Write", "tool_input": written}
    assert hook(repo, payload)[1] == {}


TOGETHER = {
    "facts": facts("with-tests"),
    "check": {"on": "change", "needs": ["tests/**"], "when": ["app/**"], "how": ["create", "change"]},
}


def together(repo):
    (repo / ".rules/compiled/guard/with-tests.json").write_text(json.dumps(TOGETHER))
    (repo / "app").mkdir(exist_ok=True)
    (repo / "tests").mkdir(exist_ok=True)
    (repo / "tests/test_old.py").write_text("def test_old():\n    assert 1\n")
    (repo / "app/old.py").write_text("".join(f"def f{n}(x):\n    return x + {n}\n" for n in range(20)))
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "y")


def test_what_belongs_together_is_missed_at_the_end_of_the_turn(repo):
    together(repo)
    assert stop(repo) == {}
    (repo / "app/a.py").write_text("def f(x):\n    return x\n")
    reason = stop(repo)["reason"]
    assert "rule with-tests:" in reason
    assert "app/a.py is new without tests/**" in reason
    (repo / "tests/test_a.py").write_text("def test_f():\n    assert f(1)\n")
    assert stop(repo) == {}


def test_a_file_that_moves_is_not_new(repo):
    together(repo)
    for rewritten in (False, True):
        text = (repo / "app/old.py").read_text()
        (repo / "app/old.py").unlink()
        (repo / "app/moved.py").write_text(text.replace("x + 3", "x + 33") if rewritten else text)
        assert ("is new" in stop(repo).get("reason", "")) is False
        assert bool(stop(repo)) is rewritten
        git(repo, "checkout", "-q", ".")
        (repo / "app/moved.py").unlink()


def test_nothing_has_to_belong_together_in_the_midst_of_a_merge(repo):
    together(repo)
    (repo / "app/a.py").write_text("def f(x):\n    return x\n")
    assert stop(repo)
    (repo / ".git/MERGE_HEAD").write_text("0" * 40 + "\n")
    assert stop(repo) == {}


SCRIPT = """\
# generated by rulec from no-tabs@1; edit the rule, not this file
# rulec: %s
for path do
  grep -n TAB "$path" | while IFS=: read -r line text; do printf '%%s:%%s:%%s\\n' "$path" "$line" "$text"; done
  [ "$(wc -l <"$path")" -le 3 ] || printf '%%s:0:too long\\n' "$path"
done >"$TMPDIR/out"
cat "$TMPDIR/out"
[ ! -s "$TMPDIR/out" ]
"""


def scripted(repo, text=SCRIPT, **more):
    known = {**facts("no-tabs"), **more}
    folder = repo / ".rules/compiled/shell"
    folder.mkdir(exist_ok=True)
    (folder / "no-tabs.sh").write_text(text % json.dumps(known))
    trusted(repo)


def trusted(repo):
    """Let the scripts that are there pass for compiled here: no other runs."""
    folder = repo / ".rules/compiled/shell"
    paths = [path for path in folder.glob("*.sh") if path.is_file()]
    remember_scripts(repo, [Artifact(path=str(path.relative_to(repo)), text=path.read_text()) for path in paths])


def test_scripts_judge_what_is_new_in_the_work_tree(repo):
    scripted(repo)
    (repo / "old.txt").write_text("TAB\n2\n3\n4\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "y")
    (repo / "old.txt").write_text("TAB\n2\n3\n4\n5\n")
    assert stop(repo) == {}
    (repo / "old.txt").write_text("TAB\n2\n3\n4\nTAB x\n")
    (repo / "with space.txt").write_text("1\n2\n3\n4\n")
    reason = stop(repo)["reason"]
    assert "old.txt:5: TAB x" in reason
    assert "old.txt:1" not in reason
    assert reason.count("too long") == 1
    assert (repo / "old.txt").read_text().startswith("TAB")


def test_what_was_only_moved_or_indented_is_not_new_for_any_kind_of_check(repo):
    scripted(repo)
    for path, text in (
        ("old.txt", "TAB\n2\n3\n4\n"),
        ("src/o.py", "print(1)\nx\ny\nz\n"),
        ("lib/o.c", "int x;\nint y;\n"),
    ):
        (repo / path).parent.mkdir(exist_ok=True)
        (repo / path).write_text(text)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "y")
    for path in ("old.txt", "src/o.py", "lib/o.c"):
        place = repo / path
        place.write_text(f"  {place.read_text()}")
    assert stop(repo) == {}
    for path in ("old.txt", "src/o.py", "lib/o.c"):
        (repo / path).rename((repo / path).with_stem("new"))
    assert stop(repo) == {}
    (repo / "src/new.py").write_text("  print(1)\nx\nprint(1)\ny\nz\n")
    assert stop(repo)["reason"].count("Seen: src/new.py") == 1, "there is one more than before"


def test_a_compiled_script_keeps_to_the_contract_here_too(repo):
    facts_of = RuleFacts(
        slug="new-files-listed", revision=1, statement="S.", enforcement="block", scope=Scope(include=("docs/**",))
    )
    body = 'changes "$@" | while IFS="$tab" read -r status path; do [ "$status" != A ] || finding "$path" 0 new; done\n'
    step = PlannedCheck(
        facts=facts_of, rule=Rule(slug="x", statement="S."), kind="shell", template="x", parameters={}, name="x"
    )
    (repo / ".rules/compiled/shell").mkdir()
    (repo / ".rules/compiled/shell/x.sh").write_text(registry.checkers()["shell"].build(step, body))
    trusted(repo)
    (repo / "docs").mkdir()
    (repo / "a.txt").write_text("x\n")
    assert stop(repo) == {}
    (repo / "docs/-b c.txt").write_text("x\n")
    assert "Seen: new" in stop(repo)["reason"]
    (repo / "docs/-b c.txt").rename(repo / "docs/two\nlines.txt")
    assert "Seen: new" in stop(repo)["reason"]
    (repo / "docs/two\nlines.txt").rename(repo / "docs/-b c.txt")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "y")
    (repo / "docs/-b c.txt").write_text("y\n")
    assert stop(repo) == {}


@pytest.mark.parametrize(
    "more",
    [
        {"enforcement": "warn"},
        {"scope": {"include": ["src/**"], "exclude": []}},
        {"scope": {"include": ["**"], "exclude": ["*.txt"]}},
        {"scope": {"include": ["**"], "agents": ["codex"]}},
        {"scope": {"include": ["**"], "environments": ["ci"]}},
    ],
)
def test_scripts_that_do_not_speak_of_it_are_not_run(repo, more):
    scripted(repo, **more)
    (repo / "a.txt").write_text("TAB\n")
    assert stop(repo) == {}


BROKEN = [
    ("exit 3\n", "ended with 3"),
    ("echo oh no >&2; exit 3\n", "ended with 3: oh no"),
    ("echo a.txt:1:x\n", "ended with 0 although it found something"),
    ("exit 1\n", "ended with 1 and named no finding"),
    ("kill -9 $$\n", "was killed"),
    ("echo other.txt:1:x; exit 1\n", "printed no path:line:text: 'other.txt:1:x'"),
]


@pytest.mark.parametrize(("text", "why"), BROKEN)
def test_a_script_that_breaks_is_told_or_holds_the_turn_as_its_rule_says(repo, text, why):
    (repo / "a.txt").write_text("TAB\n")
    scripted(repo, "# generated\n# rulec: %s\n" + text)
    told = stop(repo)
    assert list(told) == ["systemMessage"]
    assert why in told["systemMessage"]
    scripted(repo, "# generated\n# rulec: %s\n" + text, on_error="block")
    assert stop(repo)["decision"] == "block"


def test_a_script_sees_copies_and_cannot_change_the_work_tree(repo):
    (repo / "a.txt").write_text("x\n")
    scripted(repo, "# generated\n# rulec: %s\nrm -rf ./* ; echo y >a.txt\n")
    assert "changed the files it was given" in stop(repo)["systemMessage"]
    assert (repo / "a.txt").read_text() == "x\n"


def begins(repo, **more):
    assert hook(repo, {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": str(repo), **more})[0] == 0


def test_what_lay_there_before_the_session_is_not_held_against_the_agent(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    (repo / "src/b.py").write_text("print(1)\n")
    state = repo / ".git/rulec/sessions/s1.json"
    begins(repo)
    known = json.loads(state.read_text())
    known["agents"][""]["begun"] += 60
    state.write_text(json.dumps(known))
    assert stop(repo) == {}
    begins(repo, source="compact")
    assert stop(repo) == {}
    assert "rule gen:" in stop(repo, session_id="s2")["reason"]
    known["agents"][""]["begun"] -= 120
    state.write_text(json.dumps(known))
    assert "rule gen:" in stop(repo)["reason"]


def test_two_sessions_are_counted_apart(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    for count in range(3):
        for session in ("s1", "s2"):
            assert "decision" in stop(repo, active=count > 0, session_id=session)
    for session in ("s1", "s2"):
        assert list(stop(repo, active=True, session_id=session)) == ["systemMessage"]


def test_letting_go_is_noted(repo):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    for count in range(4):
        stop(repo, active=count > 0)
    ledger = (repo / ".git/rulec/ledger.jsonl").read_text().splitlines()
    assert json.loads(ledger[-1])["outcome"] == "waived"


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"agents": []}', '{"agents": {"": {"begun": "x", "count": "y"}}}', "9" * 5000]
)
def test_a_damaged_count_is_taken_as_none(repo, text):
    (repo / "src/gen/a.py").write_text("x = 2\n")
    (repo / ".git/rulec/sessions").mkdir(parents=True, exist_ok=True)
    (repo / ".git/rulec/sessions/s1.json").write_text(text)
    assert stop(repo)["decision"] == "block"
