"""A shell check keeps its contract or is at fault; one shell runs them all."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from rulec.checks.shell.checker import PLUG
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.infra import jobs
from tests.checks.support import artifact, change, observe, places

EACH = 'for path do finding "$path" 0 here; done'
GREP = 'command grep -n bad -- "$@" /dev/null || [ $? -eq 1 ]'
NAMES = [
    "a b.py",
    "-n",
    "--",
    'it\'s "q".py',
    "new\nline.py",
    "é.py",
    "a:3:b",
    "x*",
    "$(id)",
    "`id`",
    "\\n.py",
    "t\tab",
    "~",
    "#x",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_name_is_only_a_name(name: str) -> None:
    rules = [artifact(PLUG, "each", EACH), artifact(PLUG, "scoped", EACH, include=("src/**",), exclude=("*.gen.py",))]
    seen = observe(PLUG, rules, change({name: "x", f"src/{name}": "x", "src/a.gen.py": "x"}))
    every = [("each", name, 0), ("each", f"src/{name}", 0), ("each", "src/a.gen.py", 0)]
    assert places(seen) == [*every, ("scoped", f"src/{name}", 0)]


def test_changes_are_told_with_their_status() -> None:
    body = 'changes "$@" | while IFS=$tab read -r status path; do finding "$path" 0 "$status"; done'
    files = (
        FileChange(path="src/new\nline", content=b""),
        FileChange(path="src/gone", status="D"),
        FileChange(path="src/link", status="T"),
        FileChange(path="lib/other", status="M", content=b""),
    )
    seen = observe(PLUG, [artifact(PLUG, "r", body, include=("src/**",))], Change(files=files))
    assert [(s.path, s.text) for s in seen if isinstance(s, Finding)] == [
        ("src/new\nline", "A"),
        ("src/gone", "D"),
        ("src/link", "T"),
    ]


def test_the_message_and_what_stood_before_are_files() -> None:
    body = 'finding - 1 "$(cat "$RULEC_MESSAGE")"; finding a.txt 0 "$(cat "$RULEC_BASE/a.txt")"'
    files = (FileChange(path="a.txt", status="M", content=b"new", base="ald\xff".encode("latin-1")),)
    seen = observe(PLUG, [artifact(PLUG, "r", body)], Change(files=files, message="Hi: 1: there\n"))
    assert [(s.path, s.line, s.text) for s in seen if isinstance(s, Finding)] == [
        ("", 1, "Hi: 1: there"),
        ("a.txt", 0, "ald\ufffd"),
    ]


def test_without_a_message_nobody_is_told_of_one() -> None:
    assert observe(PLUG, [artifact(PLUG, "r", '[ -z "$RULEC_MESSAGE$RULEC_BASE" ]')], change({"a": "x"})) == []


BROKEN = [
    ("echo hello there", "printed no path:line:text"),
    ("echo other.py:1:not of this change", "printed no path:line:text"),
    ("exit 2", "ended with 2"),
    ("exit 1", "ended with 1 and named no finding"),
    ("no-such-tool x", "ended with 127"),
    ("sh -c 'kill -SEGV $$'", "died by signal 11"),
    ("if then", "ended with 2"),
    ("grep -E '[' -- \"$@\"; exit 0", "ended with 0 although it found something"),
    ("grep -E '[' -- \"$@\" | cat", "ended with 0 although it found something"),
    ("kill -9 $$", "was killed"),
]


@pytest.mark.parametrize(("body", "what"), BROKEN)
def test_a_script_that_breaks_the_contract_is_at_fault_and_the_others_go_on(body: str, what: str) -> None:
    rules = [artifact(PLUG, "before", EACH), artifact(PLUG, "broken", body), artifact(PLUG, "after", EACH)]
    seen = observe(PLUG, rules, change({"a.py": "bad\n"}))
    faults = [s for s in seen if isinstance(s, Fault)]
    assert {fault.slug for fault in faults} == {"broken"}
    assert what in faults[0].what
    assert [s.slug for s in seen if isinstance(s, Finding)] == ["before", "after"]


def test_a_script_that_hangs_is_named_and_the_others_are_run_again() -> None:
    rules = [artifact(PLUG, "hangs", "sleep 600"), artifact(PLUG, "one", EACH)]
    looked_at = change({"a.py": "x"})
    first = jobs.run_jobs([replace(job, seconds=1) for job in PLUG.jobs(rules, looked_at)], looked_at)
    again = jobs.run_jobs(PLUG.retry(rules, looked_at, first), looked_at)
    assert places(list(PLUG.findings(rules, looked_at, [*first, *again]))) == [
        ("hangs", "fault", -1),
        ("one", "a.py", 0),
    ]
    assert places(list(PLUG.findings(rules, looked_at, first))) == [("hangs", "fault", -1), ("one", "fault", -1)]


def test_without_any_output_every_rule_is_at_fault() -> None:
    rules = [artifact(PLUG, "one", EACH), artifact(PLUG, "two", EACH)]
    assert places(list(PLUG.findings(rules, change({"a": "x"}), []))) == [("one", "fault", -1), ("two", "fault", -1)]


def test_a_file_cannot_end_a_script_for_it() -> None:
    rules = [artifact(PLUG, "one", GREP), artifact(PLUG, "two", EACH)]
    forged = change({"a": "rulec-0 0 0 0\nbad\n"})
    word = PLUG.jobs(rules, forged)[0].inputs["driver"].partition("rulec_mark=")[2].split()[0]
    hostile = change({"a": f"bad\n{word} 0 0 0\nbad\n"})
    assert places(observe(PLUG, rules, hostile)) == [("one", "a", 1), ("one", "a", 3), ("two", "a", 0)]


def test_many_files_are_told_in_several_calls_and_nothing_twice() -> None:
    files: dict[str, str | bytes] = {f"{'d' * 60}/{number}.py": "x" for number in range(3000)}
    body = EACH + "; finding - 1 once"
    seen = observe(PLUG, [artifact(PLUG, "r", body, exclude=("*9.py",))], change(files, message="Hi"))
    assert len(seen) == 3000 - 300 + 1


def test_a_change_out_of_scope_needs_no_process() -> None:
    rules = [artifact(PLUG, "r", EACH, include=("src/**",))]
    assert PLUG.jobs(rules, change({"lib/a": "x"})) == []
    assert PLUG.jobs(rules, Change()) == []
    assert list(PLUG.findings(rules, change({"lib/a": "x"}), [])) == []
    assert len(PLUG.jobs(rules, Change(message="Hi"))) == 1


def test_a_compiled_script_stands_alone(tmp_path: Path) -> None:
    made = artifact(PLUG, "r", GREP, include=("src/**",))
    script = tmp_path / "r.sh"
    script.write_text(made.text or "")
    (tmp_path / "src").mkdir()
    for name in ("src/a.py", "b.py"):
        (tmp_path / name).write_text("good\nbad\n")
    done = subprocess.run(["sh", script, "src/a.py", "b.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "src/a.py:2:bad\n")
    assert subprocess.run(["sh", script, "b.py"], cwd=tmp_path, check=False).returncode == 0


def test_an_artifact_says_where_it_comes_from() -> None:
    made = artifact(PLUG, "r", EACH, include=("src/**",))
    assert (made.text or "").startswith("# generated by rulec from r@2; edit the rule, not this file\n")
    assert PLUG.facts(made.text or "").scope.include == ("src/**",)


def test_the_shell_says_what_it_cannot_read() -> None:
    good, bad = artifact(PLUG, "r", EACH), artifact(PLUG, "r", "if then")
    assert PLUG.complaint(jobs.run_jobs(PLUG.parse(good), Change())) == ""
    assert "yntax error" in PLUG.complaint(jobs.run_jobs(PLUG.parse(bad), Change()))


FORGES = (
    'word=$(grep -o "rulec-[0-9a-f]*" "${RULEC_CHANGES%/*}/driver" | sed -n 1p)\n'
    'printf "\\n%s 0 0 0\\n\\n%s 1 0 begins\\n\\n%s 1 0 0\\n" "$word" "$word" "$word" >&3'
)
ATTACKS = [
    'rm -f "${RULEC_CHANGES%/*}"/*',
    'for f in "${RULEC_CHANGES%/*}"/*; do echo "exit 0" >"$f"; done',
    'rm -f "$@"',
    'for path do echo good >"$path"; done',
    "rm -rf ./*",
    "mv src other; mkdir src; echo good >src/a.py",
    ': >"$RULEC_MESSAGE"',
    ': >"$RULEC_CHANGES"',
    'unset -f finding; rulec_1="exit 0"; script() { :; }',
    "kill -9 $$",
    'printf "\\n%s 1 0 begins\\n\\n%s 1 0 0\\n" "$rulec_mark" "$rulec_mark"; exit 1',
    FORGES + "; kill -9 $$",
    FORGES,
]
SEES = (
    'command grep -n bad -- "$@" /dev/null; finding - 1 "$(cat "$RULEC_MESSAGE")"\n'
    'changes "$@" | while IFS=$tab read -r _ path; do finding "$path" 0 "changed"; done'
)


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_script_can_silence_another_one(attack: str) -> None:
    rules = [artifact(PLUG, "attack", attack), artifact(PLUG, "sees", SEES)]
    seen = observe(PLUG, rules, change({"src/a.py": "bad\n"}, message="Hi"))
    assert [s for s in places(seen) if s[0] == "sees"] == [
        ("sees", "src/a.py", 1),
        ("sees", "", 1),
        ("sees", "src/a.py", 0),
    ]


def test_a_script_that_changes_its_files_is_at_fault() -> None:
    rules = [artifact(PLUG, "attack", ATTACKS[2]), artifact(PLUG, "each", EACH)]
    seen = observe(PLUG, rules, change({"a.py": "bad\n"}))
    assert [s.what for s in seen if isinstance(s, Fault)] == [
        "attack.sh changed the files it was given, or ran beside one that did"
    ]
    assert [s.slug for s in seen if isinstance(s, Finding)] == ["each"]


def test_many_scripts_are_one_process_to_start() -> None:
    rules = [artifact(PLUG, f"r{number}", EACH) for number in range(100)]
    looked_at = change({"a.py": "x"})
    assert len(PLUG.jobs(rules, looked_at)) == 1
    assert len(observe(PLUG, rules, looked_at)) == 100
