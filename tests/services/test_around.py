"""The session around a correction: all of it in its order, and of that only what says something is judged."""

from dataclasses import replace

import pytest

from rulec.checks.proving import replay
from rulec.checks.proving.replay import ProofSession, merge_sessions, sessions_around
from rulec.domain.candidate import Correction
from rulec.domain.transcript import Action, Turn, TurnKind


def _run(command: str, *, ok: bool = True) -> Action:
    return Action(kind="command", command=command, ok=ok)


def _turns(*told: str | list[Action], kind: TurnKind = "typed", interrupted: bool = False) -> list[Turn]:
    """A person's words, and the agent's actions; the last words have the kind."""
    found = []
    for index, one in enumerate(told):
        if isinstance(one, str):
            found.append(Turn(role="human", kind="typed", text=one, index=index, line=index))
        else:
            text = f"words {index}"
            found.append(Turn(role="agent", kind="agent", text=text, index=index, line=index, actions=tuple(one)))
    return [replace(t, kind=kind, interrupted=interrupted) if t.text == "no" else t for t in found]


def _around(turns: list[Turn], corrected: tuple[int, ...] = ()) -> ProofSession:
    at = next(index for index, turn in enumerate(turns) if turn.text == "no")
    before, after = turns[at - 1].actions, turns[at + 1].actions if len(turns) > at + 1 else ()
    correction = Correction(quote="no", turn=turns[at], before=tuple(before), after=tuple(after))
    (session,) = sessions_around(turns, [correction], frozenset((at, *corrected)))
    return session


def _told(actions: tuple[Action, ...]) -> list[str]:
    """What was done or said, in brackets where it is not judged."""
    words = [
        a.command or (f"{a.kind} {a.new}" if a.kind in ("says", "stop") else f"{a.kind} {a.path}") for a in actions
    ]
    return [f"({word})" if action.aside else word for word, action in zip(words, actions, strict=True)]


def test_everything_is_told_and_only_the_stretch_and_what_was_accepted_are_judged() -> None:
    turns = _turns("go", [_run("a")], "next", [_run("b"), _run("c", ok=False)], "no", [_run("d")], "fine", [_run("e")])
    session = _around(turns)
    assert _told(session.before) == ["(says go)", "(a)", "(stop words 1)", "(says next)", "b", "c", "stop words 3"]
    assert _told(session.after) == ["(says no)", "d"]
    assert _told(session.later) == ["stop words 5", "(says fine)", "e"]


def test_what_was_corrected_or_failed_later_is_told_and_not_judged() -> None:
    rest = [_run("e"), _run("f", ok=False)], "wrong", [_run("g")], "so", [_run("h", ok=False)], "bye"
    session = _around(_turns("go", [_run("b")], "no", [_run("d")], "and", *rest), corrected=(6,))
    assert _told(session.later) == [
        "stop words 3", "(says and)", "(e)", "(f)", "(stop words 5)", "(says wrong)", "g", "stop words 7", "(says so)",
        "(h)", "stop words 9", "(says bye)",
    ]  # fmt: skip


def test_a_turn_that_was_cut_short_has_no_end() -> None:
    for turns in (_turns("go", [_run("b")], "no", interrupted=True), _turns("go", [_run("b")], "no", kind="rejection")):
        assert _told(_around(turns).before) == ["(says go)", "b"]


def test_what_only_happened_keeps_no_content() -> None:
    write = Action(kind="write", path="a.py", new="secret " * 1_000, output="ok")
    (_, told, _, _, _, _) = _around(_turns("go", [write], "next", [_run("b")], "no")).before
    assert (told.path, told.new, told.output) == ("a.py", "", "")


def test_the_other_times_are_told_with_a_past_of_their_own() -> None:
    one = _around(_turns("go", [_run("b")], "no", [_run("d")]))
    two = _around(_turns("go", [_run("x")], "no", [_run("d"), _run("y")]))
    both = merge_sessions([one, two], 0)
    assert both is not None
    assert [_told(other) for other in both.others] == [["(says go)", "(x)", "(stop words 1)", "(says no)", "(d)", "y"]]
    assert merge_sessions([None, two], 0) is None


def _write(path: str, new: str = "x = 1") -> Action:
    return Action(kind="write", path=path, new=new)


def _edit(path: str, old: str, new: str) -> Action:
    return Action(kind="edit", path=path, old=old, new=new)


@pytest.mark.parametrize(
    ("later", "back"),
    [
        (_run("git restore a.py"), "a.py"),
        (_run("git checkout -- src/../a.py a.py"), "a.py"),
        (_run("git checkout a.py"), ""),
        (_run("git restore ."), "a.py b.py"),
        (_run("cd x && git reset -q --hard"), "a.py b.py"),
        (_run("git reset --hard", ok=False), ""),
        (_run("rm -f b.py"), "b.py"),
        (_run("rm -rf . ; git status"), ""),
        (Action(kind="delete", path="b.py"), "b.py"),
        (_edit("a.py", "x = 1", "y = 1"), "a.py"),
        (_edit("a.py", "z = 1", "y = 1"), ""),
        (_edit("a.py", "x = 1", "x = 1; y = 1"), ""),
        (_write("a.py", "y = 1"), "a.py"),
        (_write("a.py", "x = 1; y = 1"), ""),
    ],
)
def test_what_the_session_took_back_was_not_accepted(later: Action, back: str) -> None:
    session = _around(_turns("go", [_run("b")], "no", [_write("a.py"), _write("b.py"), later]))
    gone = [action.path for action in session.after if action.kind == "write" and action.aside]
    assert gone == back.split()


def test_what_it_took_back_before_it_was_written_stays() -> None:
    session = _around(_turns("go", [_run("b")], "no", [_run("git reset --hard"), _write("a.py")]))
    assert _told(session.after) == ["(says no)", "git reset --hard", "write a.py"]


def test_each_command_of_a_session_is_read_once_however_many_corrections_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    parse = replay.parser.parse_shell
    monkeypatch.setattr(replay.parser, "parse_shell", lambda text: (read.append(text), parse(text))[1])
    done = [action for n in range(200) for action in (_write(f"{n}.py"), _run(f"pytest tests/test_once_{n}.py"))]
    turns = _turns("go", [_run("b")], "first", [_run("c")], "second", done)
    corrections = [Correction(quote="no", turn=turns[at], before=(), after=()) for at in (2, 4)]
    assert len(sessions_around(turns, corrections, frozenset((2, 4)))) == len(corrections)
    assert len(read) == len(set(read)) >= 200
