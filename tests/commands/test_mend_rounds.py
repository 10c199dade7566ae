"""What a model is told in the next round, and of which wishes it is asked for a check at all."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulec.commands._mend import ROUNDS, mended
from rulec.host import worktree
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from tests.commands.test_mend import BAD, DEAF, EXAMPLES, GOOD, SHELL, SLUG, _item, _own
from tests.support.session import ClaudeSession
from tests.support.talks import record, talk
from tests.support.world import act

MENDED = {"candidate": 1, "check": SHELL}


def _mend(repair: Any, holds: str = "") -> dict[str, Any]:
    return {"step": "mend", "holds": holds, "answer": {"repairs": [repair]}}


@pytest.mark.parametrize(
    ("repair", "why"),
    [
        ({"check": {"kind": "shell", "rule": SHELL["script"]}}, "its shell check has no text in its member 'script'"),
        ({"check": {"kind": "guard"}}, "its check is of no known kind"),
        ({"shell": SHELL["script"]}, "its check is of no known kind"),
        ({"check": SHELL, "valid": [{"file": "src/a.py", "content": BAD}]}, "calls valid what the person objected to"),
        ({"check": DEAF}, "the model says the same again"),
    ],
)
def test_a_repair_that_cannot_be_read_is_a_failure_of_that_round_and_told_in_the_next(
    gated: Path, repair: dict[str, Any], why: str
) -> None:
    asking = talk(gated)
    record(gated, [_mend(MENDED, why), _mend({"candidate": 1, **repair})])
    found = mended(gated, worktree.load(gated), [_item(DEAF)], asking)
    assert found.told == ()
    assert _own(found.items[0]).parameters == {"script": SHELL["script"]}
    assert asking.spent().startswith("asked recorded: 2 requests")


def test_after_three_such_rounds_it_is_said_why(gated: Path) -> None:
    record(gated, [_mend({"candidate": 1, "check": {"kind": "shell"}})])
    asking = talk(gated)
    found = mended(gated, worktree.load(gated), [_item(DEAF)], asking)
    (told,) = found.told
    assert told.startswith(f"{SLUG}: no check of the model's holds its proof (after {ROUNDS} rounds of mending: ")
    assert "has no text in its member 'script'" in told
    assert asking.spent().startswith(f"asked recorded: {ROUNDS} requests")


def test_all_that_a_check_missed_is_named_at_once(gated: Path) -> None:
    three = tuple(Example(kind="file", path=f"src/{name}.py", text=BAD) for name in "bcd")
    item = _item({**DEAF, "script": 'for path do finding "$path" 0 all; done\nexit 0\n'}, invalid=three)
    record(gated, [_mend(MENDED, "caught the valid 'src/z.py")])
    fine = tuple(Example(kind="file", path=f"src/{name}.py", text=GOOD) for name in "xyz")
    offered = item.candidate.offered
    assert offered
    loud = replace(item, candidate=replace(item.candidate, offered=replace(offered, valid=fine)))
    assert mended(gated, worktree.load(gated), [loud], talk(gated)).told == ()
    record(gated, [_mend(MENDED, "did not catch 'src/d.py")])
    assert mended(gated, worktree.load(gated), [_item(DEAF, invalid=three)], talk(gated)).told == ()


def test_an_example_in_another_form_is_told_beside_what_failed(gated: Path) -> None:
    odd = {"file": "src/q.py", "text": "x"}
    record(
        gated,
        [_mend(MENDED, "an example: "), _mend({"candidate": 1, "check": {**DEAF, "script": ":\n"}, "valid": [odd]})],
    )
    assert mended(gated, worktree.load(gated), [_item(DEAF)], talk(gated)).told == ()


def test_of_what_only_our_own_reader_found_no_check_is_asked(gated: Path) -> None:
    asking = talk(gated)
    item = _item(None)
    ours = replace(item, candidate=replace(item.candidate, offered=None))
    assert mended(gated, worktree.load(gated), [ours], asking, wanting=True).items == (ours,)
    assert asking.spent() == ""


def test_a_wish_that_a_template_may_serve_asks_nobody(gated: Path) -> None:
    blunt = Check(kind="guard", template="forbid-text", parameters={"patterns": ["while True"], "globs": ["**"]})
    items = [_item(None, Draft(checks=(blunt,), invalid=(Example(kind="file", path="a.py", text=BAD),)))]
    asking = talk(gated)
    assert mended(gated, worktree.load(gated), items, asking, wanting=True).items == tuple(items)
    assert asking.spent() == ""


def test_a_file_of_another_form_is_named_and_waits_to_be_mended(gated: Path) -> None:
    book, items = worktree.load(gated), [_item(DEAF)]
    mended(gated, book, items, talk(gated, backend="exchange"))
    (question,) = (gated / ".rulec/exchange").glob("*mend*.prompt.md")
    place = question.with_name(question.name.replace(".prompt.md", ".answer.json"))
    place.write_text('{"repairs": [\n{"candidate": "first"}]}')
    found = mended(gated, book, items, talk(gated, backend="exchange"))
    assert found.held == tuple(items)
    assert [line.partition(": ")[0] for line in found.told] == [f".rulec/exchange/{place.name}:2"]


def _wish(**more: Any) -> dict[str, Any]:
    wish = {"turn": 2, "quote": "give retries a bound!", "holds": "next time",
            "statement": "Retry loops have an upper bound.", "offence": "a2.1", "check": None, **more}  # fmt: skip
    return {"step": "mine", "answer": {"wishes": [wish]}}


def _read(top: Path, tmp_path: Path, *answers: dict[str, Any]) -> str:
    session = ClaudeSession(top).person("Fetch it.").writes("src/a.py", BAD)
    session.person("give retries a bound!").writes("src/a.py", GOOD)
    record(top, answers)
    return act(top, "ingest", str(session.save(tmp_path / "s.jsonl")), "--backend", "recorded", "--yes").out


def test_a_wish_without_a_check_that_no_template_fits_is_asked_once_for_one(gated: Path, tmp_path: Path) -> None:
    said = _read(gated, tmp_path, _wish(), _mend({**MENDED, **EXAMPLES}, "there is no check yet"))
    assert "asked recorded: 2 requests" in said
    (rule,) = (path for path in (gated / ".rules").glob("*.yaml") if path.name != "config.yaml")
    assert "template: raw-shell" in rule.read_text()
    assert "answered before" in _read(gated, tmp_path, _wish())


def test_a_check_and_examples_of_another_form_are_told_and_asked_for_again(gated: Path, tmp_path: Path) -> None:
    odd = _wish(check={"kind": "semgrep", "script": "exit 0"}, valid=[{"file": "src/b.py", "text": GOOD}])
    said = _read(
        gated, tmp_path, odd, _mend({**MENDED, **EXAMPLES}, "its semgrep check has no text in its member 'rule'")
    )
    assert "of what the model said, not counted: turn " in said
    assert ": its semgrep check has no text in its member 'rule' (and 1 more)" in said
    (rule,) = (path for path in (gated / ".rules").glob("*.yaml") if path.name != "config.yaml")
    assert "template: raw-shell" in rule.read_text()


def test_where_the_model_says_that_no_check_could_tell_it_is_asked_no_more(gated: Path, tmp_path: Path) -> None:
    said = _read(gated, tmp_path, _wish(), _mend({"candidate": 1, "check": None}))
    assert "asked recorded: 2 requests" in said
    assert "the model offers no check that could be tried" in said
    assert "1 proposal waits for you" in said
