"""A stretch of actions becomes the changes that its commits made."""

from rulec.fits._changes import committed
from rulec.model.transcript import Action


def write(path, text="x\n"):
    return Action(kind="write", path=path, new=text)


def edit(path, old, new):
    return Action(kind="edit", path=path, old=old, new=new)


def run(command):
    return Action(kind="command", command=command)


def told(before, after=()):
    past, later = committed(before, after)
    return [[f"{file.status} {file.path}" for file in change.files] for change in (*past, *later)], len(past)


def test_a_commit_holds_all_that_was_written_since_the_last():
    steps = (write("a.py"), run("git add -A && git commit -m one"), write("b.py"), run("git commit -am two"))
    assert told(steps) == ([["A a.py"], ["A b.py"]], 2)


def test_what_no_commit_took_counts_as_one_change():
    assert told((write("a.py"), write("b.py"))) == ([["A a.py", "A b.py"]], 1)


def test_a_change_that_waits_goes_into_the_commit_that_follows():
    found = told((write("a.py"),), (write("a_test.py"), run("git add . && git commit -m all")))
    assert found == ([["A a.py"], ["A a.py", "A a_test.py"]], 1)


def test_after_a_commit_what_waits_is_work_in_progress():
    found = told((write("a.py"), run("git commit -am a")), (write("b.py"), run("git commit -am b"), write("c.py")))
    assert found == ([["A a.py"], ["A b.py"]], 1)


def test_only_what_was_staged_by_name_is_committed():
    steps = (write("a.py"), write("docs/b.md"), run("git add docs"), run("git commit -m docs"))
    assert told(steps) == ([["A docs/b.md"], ["A a.py"]], 2)


def test_an_edit_is_judged_against_what_stood_there():
    steps = (write("a.py", "one\ntwo\n"), run("git commit -am a"), edit("a.py", "two", "three"))
    (_, change), _ = committed(steps, ())
    assert (change.files[0].status, change.files[0].base, change.files[0].content) == (
        "M",
        b"one\ntwo\n",
        b"one\nthree\n",
    )


def test_an_edit_of_an_unknown_file_shows_its_own_lines():
    (change,), _ = committed((edit("a.py", "one\n", "two\n"),), ())
    assert (change.files[0].base, change.files[0].content) == (b"\none\n", b"\ntwo\n")


def test_commands_that_write_files_count():
    assert told((run("echo hello > notes.md"), run("rm old.md"))) == ([["M notes.md", "D old.md"]], 1)
    assert told((run("npm install left-pad"),)) == ([["M package.json", "M package-lock.json"]], 1)


def test_paths_outside_the_repository_and_talk_of_commits_count_for_nothing():
    assert told((write("/etc/a"), write("../b"), run("echo git commit -m x"))) == ([], 0)
