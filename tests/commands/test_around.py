"""The session around a correction: all of it in its order, and of that only what says something is judged."""

from dataclasses import replace

from rulec.commands._around import sessions, together
from rulec.model.correction import Correction
from rulec.model.transcript import Action, Turn, TurnKind
from rulec.stages.verify import Session


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


def _around(turns: list[Turn], corrected: tuple[int, ...] = ()) -> Session:
    at = next(index for index, turn in enumerate(turns) if turn.text == "no")
    before, after = turns[at - 1].actions, turns[at + 1].actions if len(turns) > at + 1 else ()
    correction = Correction(quote="no", turn=turns[at], before=tuple(before), after=tuple(after))
    (session,) = sessions(turns, [correction], frozenset((at, *corrected)))
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
    both = together([one, two], 0)
    assert both is not None
    assert [_told(other) for other in both.others] == [["(says go)", "(x)", "(stop words 1)", "(says no)", "(d)", "y"]]
    assert together([None, two], 0) is None
