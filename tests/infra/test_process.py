"""A job runs alone, bounded, and leaves nothing behind."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulec.domain.change import Change, FileChange
from rulec.domain.plugs import Job, JobOutput
from rulec.errors import RulecError
from rulec.infra import jobs, processes
from rulec.infra.jobs import run_jobs


def sh(script: str, *args: str, change: Change | None = None, **job: object) -> JobOutput:
    return jobs.run_job(Job(argv=("sh", "-c", script, "sh", *args), **job), change or Change())  # type: ignore[arg-type]  # the job's own fields


def test_a_job_sees_the_changes_files_and_its_inputs() -> None:
    change = Change(files=(FileChange(path="a/b c.txt", content=b"one\n"), FileChange(path="gone", status="D")))
    done = sh('cat "a/b c.txt" "$1/in/put"; ls', "{scratch}", change=change, inputs={"in/put": "two\n"})
    assert (done.code, done.out.split()) == (0, ["one", "two", "a"])


def test_a_job_reads_the_input_that_it_names_and_else_nothing() -> None:
    assert sh("cat; pwd; ls", inputs={"said": "one\ntwo\n"}, stdin="said").out.splitlines()[:2] == ["one", "two"]
    assert sh("cat; ls", inputs={"said": "one\n"}).out == ""


def test_what_another_thread_runs_of_a_program_is_ended(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(sh, 'echo > "$1"; sleep 600', str(begun))
        begun.read_bytes()
        processes.stop_program("another")
        processes.stop_program("sh")
        assert waiting.result().code == -signal.SIGKILL


def test_several_jobs_share_the_tree_and_not_their_inputs() -> None:
    jobs = [Job(argv=("cat", "{scratch}/x", "f"), inputs={"x": str(n)}) for n in (1, 2)]
    done = run_jobs(jobs, Change(files=(FileChange(path="f", content=b"f"),)))
    assert [output.out for output in done] == ["1f", "2f"]


def test_no_job_lays_out_no_files() -> None:
    assert run_jobs([], Change(files=(FileChange(path="../x", content=b""),))) == []


def test_the_scratch_folder_is_private_and_gone_afterwards() -> None:
    done = sh('stat -c %a "$1/.."; pwd', "{scratch}")
    mode, place = done.out.split()
    assert mode == "700"
    assert not Path(place).exists()


def test_nothing_of_the_callers_environment_reaches_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("SECRET_TOKEN", "x")
    names = {line.partition("=")[0] for line in sh("env", environment={"OWN": "{scratch}"}).out.splitlines()}
    assert names - {"PWD", "SHLVL", "_", "OLDPWD"} == {"PATH", "HOME", "LANG", "TMPDIR", "OWN"}


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "", ".", "a\0b"])
def test_a_path_that_leads_outside_is_refused(path: str) -> None:
    with pytest.raises(RulecError, match="leads outside"):
        sh("true", change=Change(files=(FileChange(path=path, content=b"x"),)))


def test_two_files_that_exclude_each_other_are_refused() -> None:
    change = Change(files=(FileChange(path="a", content=b""), FileChange(path="a/b", content=b"")))
    with pytest.raises(RulecError, match="cannot be laid out"):
        sh("true", change=change)


@pytest.mark.parametrize("path", ["-rf", "a\nb", "q\"u'o te", "é/\u2028", "\udcff.py", "$(touch x)", "a\\b"])
def test_a_hostile_name_is_only_a_name(path: str) -> None:
    done = sh("find . -type f -exec cat {} +", change=Change(files=(FileChange(path=path, content=b"here"),)))
    assert done.out == "here"


def test_a_job_that_hangs_is_killed_with_all_its_children() -> None:
    done = sh("echo before; sleep 600 & echo $!; wait", seconds=0.5)
    before, child = done.out.split()
    assert (done.code, before) == (None, "before")
    assert _gone(int(child))


def test_a_child_that_outlives_its_job_is_killed_and_not_waited_for() -> None:
    done = sh("sleep 600 & echo $!", seconds=60)
    assert done.code == 0
    assert _gone(int(done.out))


def _gone(pid: int) -> bool:
    """Whether a killed process ends: the system may take a moment for it."""
    until = time.monotonic() + 5
    while _runs(pid) and time.monotonic() < until:
        os.sched_yield()
    return not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_job_that_prints_without_end_is_stopped() -> None:
    done = sh("yes", seconds=60)
    assert done.code is None
    assert len(done.out) <= processes.MOST_OUTPUT


def test_of_a_program_that_may_print_without_end_the_end_is_kept(tmp_path: Path) -> None:
    script = f"head -c {processes.MOST_OUTPUT + 9} /dev/zero; echo done"
    bounds = processes.Bounds(seconds=60, keeps_end=True)
    ended = processes.run_bounded(["/bin/sh", "-c", script], bounds, cwd=tmp_path, environment={})
    assert (ended.code, len(ended.out), ended.out[-5:]) == (0, processes.MOST_OUTPUT, b"done\n")


def test_a_death_by_signal_is_no_clean_end() -> None:
    assert sh("kill -SEGV $$").code == -signal.SIGSEGV


def test_output_that_is_no_utf8_is_still_text() -> None:
    assert sh(r"printf 'a\377b'").out == "a\ufffdb"


def test_a_missing_program_is_a_refusal_with_a_hint() -> None:
    with pytest.raises(RulecError, match="install no-such-tool"):
        jobs.run_job(Job(argv=("no-such-tool",)), Change())


def test_the_programs_are_those_of_this_installation() -> None:
    assert jobs.run_job(Job(argv=("{python}", "-c", "print(1)")), Change()).out == "1\n"
    assert "version: 1.182.0" in jobs.run_job(Job(argv=("{semgrep-core}", "-version")), Change()).out


TOUCHED = [
    "rm f",
    "echo new >f",
    "printf 'X' >>f",
    "chmod 700 f",
    "mv f g; cp g f",
    'echo x >"$1/in"',
    'rm "$1/in"',
    "ln -sf g f",
]


@pytest.mark.parametrize("script", TOUCHED)
def test_a_job_that_changes_what_it_was_given_is_told_apart(script: str) -> None:
    change = Change(files=(FileChange(path="f", content=b"old\n"),))
    assert sh(script, "{scratch}", change=change, inputs={"in": "x\n"}).disturbed
    assert not sh("cat f; touch g; mkdir d", "{scratch}", change=change, inputs={"in": "x\n"}).disturbed


def test_what_one_job_changed_the_next_one_has_anew() -> None:
    jobs = [Job(argv=("sh", "-c", script)) for script in ("cat f", "rm f", "cat f", "cat f")]
    done = run_jobs(jobs, Change(files=(FileChange(path="f", content=b"f"),)))
    assert [(output.out, output.disturbed) for output in done] == [("f", False), ("", True), ("f", False), ("f", False)]


def test_the_changes_files_are_laid_out_for_those_that_look_at_them() -> None:
    change = Change(files=(FileChange(path="f", content=b"f"),))
    look = Job(argv=("sh", "-c", "find .. -name f"), folder="{scratch}")
    assert jobs.run_job(look, change).out == ""
    assert [output.out != "" for output in run_jobs([look, Job(argv=("ls",))], change)] == [True, True]
