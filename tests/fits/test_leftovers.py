"""Files that stay behind: how people ask for their end, and which names are meant."""

from typing import Any

import pytest

from rulec.fits.leftovers import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action

ALL: tuple[str, ...] = ()

# A statement, a kind of file that it means (none: all kinds), and when these may not be there.
SAID: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("don't leave debug files around", ("debug",), "end"),
    ("Never leave debugging scripts lying around.", ("debug",), "end"),
    ("Always clean up temporary files when you're done.", ("temporary",), "end"),
    ("clean up your temp files", ("temporary",), "end"),
    ("delete scratch scripts after use", ("scratch",), "end"),
    ("remove one-off scripts once you are finished", ("scratch", "debug"), "end"),
    ("Delete any temporary debug scripts before you finish.", ("temporary", "debug"), "end"),
    ("don't leave .bak or .orig files behind", ("backup",), "end"),
    ("stop leaving backup files everywhere", ("backup",), "end"),
    ("no leftover files please, clean up after yourself", ALL, "end"),
    ("stop littering the repo with temp files", ("temporary",), "end"),
    ("If you create temporary files or scripts, remove them at the end of the task.", ("temporary",), "end"),
    ("don't commit log files", ("log",), "commit"),
    ("Never commit temp files or debug scripts.", ("temporary", "debug"), "commit"),
    ("never commit .orig files", ("backup",), "commit"),
    ("don't check in editor swap files", ("editor",), "commit"),
    ("don't create backup files", ("backup",), "write"),
    ("no more debug scripts", ("debug",), "write"),
    ("stop creating temp files in the repo", ("temporary",), "write"),
    ("never make backup copies of files", ("backup",), "write"),
)
QUIET = (
    "put temporary files into tmp/",
    "add *.log to the gitignore",
    "never commit *.orig files",
    "stop creating *.bak files",
    "delete the temp file we created",
    "can you clean up the debug logs?",
    "debug the login script",
    "the backup script fails",
    "write a backup script",
    "don't leave the tests failing",
    "remove the log statements",
    "rotate the log files",
    "remove console.log before you commit",
    "don't leave math.log() calls in there",
    "keep a changelog",
    "don't touch the backup job",
    "if the debug files are stale remove them",
)


def _first(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> Draft | None:
    return next((draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)), None)


def _given(draft: Draft, number: int) -> dict[str, Any]:
    return dict(draft.checks[number].parameters)


@pytest.mark.parametrize(("text", "what", "when"), SAID)
def test_words_tell_which_files_are_meant_and_when(text: str, what: tuple[str, ...], when: str) -> None:
    draft = _first(text)
    assert draft is not None
    named = _given(draft, 0).get("what", [])
    assert set(what) <= set(named) if what else not named
    kinds = [check.kind for check in draft.checks]
    assert kinds == (["shell"] if when == "commit" else ["shell", "guard"])
    if when != "commit":
        assert _given(draft, 1).get("at", "end") == when


@pytest.mark.parametrize("text", QUIET)
def test_other_talk_of_such_files_asks_for_nothing(text: str) -> None:
    assert _first(text) is None


def test_the_file_that_was_left_is_the_example() -> None:
    wrong = Action(kind="write", path="debug_login.py", new="x\n")
    right = Action(kind="command", command="rm debug_login.py")
    draft = _first("don't leave debug files around", (wrong,), (right,))
    assert draft is not None
    assert draft.invalid[0].path == "debug_login.py"
    assert _first("don't leave debug files around", (right,), ()) is None
    assert _first("don't leave debug files around", (wrong,), (wrong,)) is None


def test_names_that_only_the_agents_own_files_have_are_learned_from_their_removal() -> None:
    wrong = Action(kind="write", path="verify_login.py", new="x\n")
    source = Action(kind="write", path="src/verify_login.py", new="x\n")
    right = Action(kind="command", command="rm verify_login.py src/verify_login.py")
    draft = _first("clean up your temp scripts", (wrong,), (right,))
    assert draft is not None
    assert _given(draft, 0)["globs"] == ["/verify[-_]*.py"]
    assert _first("clean up your temp scripts", (source,), (right,)) is None
    assert _first("clean up your temp scripts", (wrong,), ()) is None
