"""Files that hold the gates up, before and after a change."""

from collections.abc import Mapping

import pytest

from rulec.model.change import Change, FileChange
from rulec.stages.silence import silence
from rulec.stages.ungate import Part, ungate

OURS, STALE, NONE = Part(there=True, whole=True), Part(there=True), Part()


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        (OURS, OURS, []),
        (OURS, NONE, ["f: rulec's hooks are gone"]),
        (OURS, STALE, ["f: rulec's part of it is not what rulec writes"]),
        (STALE, STALE, []),  # it was out of date already: rulec compile tells
        (STALE, OURS, []),
        (NONE, NONE, []),
        (NONE, STALE, []),
        (OURS, Part(wrong="not JSON"), ["f: nobody can say whether it still holds: not JSON"]),
    ],
)
def test_our_part_of_a_file_is_held_to_what_it_was(was: Part, now: Part, told: list[str]) -> None:
    assert [one.text for one in ungate({"f": "x"}, {"f": "y"}, {"f": (was, now)})] == told


def _lines(path: str, before: str, after: str) -> list[tuple[int, str]]:
    return [(one.line, one.text) for one in ungate({path: before}, {path: after}, {})]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".claude/settings.json", '{\n "disableAllHooks" : true}'),
        (".claude/settings.json", '{\n "allowManagedHooksOnly": true}'),
        (".gemini/settings.json", '{\n "hooksConfig": {"enabled": false}}'),
        (".gemini/settings.json", '{\n "hooksConfig": {"disabled": ["rulec"]}}'),
        (".gemini/settings.json", '{\n "enableHooks": false}'),
        (".codex/config.toml", "[features]\nhooks = false\n"),
        (".codex/config.toml", "[features]\ncodex_hooks=false\n"),
    ],
)
def test_a_switch_that_turns_hooks_off_is_told_in_its_line(path: str, text: str) -> None:
    ((line, told),) = _lines(path, "{}", text)
    assert line == 2
    assert "turns hooks off" in told
    assert _lines(path, text, f"{text} ") == []  # it stood there


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".claude/settings.json", '{"disableAllHooks": false, "hooks": {}}'),
        (".gemini/settings.json", '{"hooksConfig": {"enabled": true, "disabled": []}}'),
        (".codex/config.toml", "[features]\nhooks = true\nwebhooks = false\n"),
    ],
)
def test_other_settings_are_not(path: str, text: str) -> None:
    assert _lines(path, "", text) == []


@pytest.mark.parametrize(
    ("path", "line", "told"),
    [
        (".gitattributes", ".rules/** -diff", True),
        (".gitattributes", "* binary", True),
        (".gitattributes", "** -diff", True),
        (".gitattributes", ".rules/** linguist-generated=true", True),
        (".rules/.gitattributes", "*.yaml -diff", True),
        (".gitattributes", "*.py -diff", True),
        (".gitattributes", "*.yaml binary", True),
        ("src/.gitattributes", "* -diff", True),
        ("src/.gitattributes", "*.yaml -diff", True),
        ("src/.gitattributes", "config.yaml -diff", False),
        (".gitattributes", "*.png binary", False),
        (".gitattributes", "package-lock.json -diff", False),
        (".gitattributes", "docs/** -diff", False),
        (".gitattributes", ".rules/compiled/** merge=rulec", False),
        (".gitattributes", "# * binary", False),
        (".gitattributes", "* text=auto", False),
    ],
)
def test_what_hides_the_rules_from_reviews_is_told(path: str, line: str, *, told: bool) -> None:
    assert bool(_lines(path, "* text=auto\n", f"* text=auto\n{line}\n")) is told


@pytest.mark.parametrize(
    ("path", "before", "after", "told"),
    [
        (".husky/pre-commit", "npm test\nsh .rules/compiled/runtime/rulec.sh check --staged\n", "npm test\n", True),
        (".github/workflows/ci.yml", "run: rulec check --base main\n", "", True),
        ("lefthook.yml", "run: rulec check --staged\n", "run: true # rulec check --staged off\n", False),
        (".husky/pre-commit", "rulec check --staged\n", "npm test\nrulec check --staged\n", False),
        (".husky/pre-commit", "npm test\n", "", False),
        (".github/notes.md", "Use rulec check.\n", "", False),
    ],
)
def test_hooks_that_people_wrote_go_on_asking(path: str, before: str, after: str, *, told: bool) -> None:
    assert bool(list(ungate({path: before}, {path: after}, {}))) is told


def _owned(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return [one.text for one in ungate(before, after, {})]


def test_owners_that_lose_the_rules_are_told_and_others_are_not() -> None:
    leads = {"CODEOWNERS": "* @all\n/.rules/ @leads\n"}
    assert _owned(leads, leads) == []
    assert _owned(leads, {"CODEOWNERS": "* @everybody\n/.rules/ @leads\n"}) == []
    assert _owned({"CODEOWNERS": "* @all\n"}, {"CODEOWNERS": "/src/ @dev\n"}) == [
        ".rules/config.yaml: owned by nobody, not @all"
    ]
    assert _owned({"CODEOWNERS": "* @all\n"}, {"CODEOWNERS": "* @all\n/.rules/ @bot\n"}) == [
        ".rules/config.yaml: owned by @bot, not @all"
    ]
    adopted = ungate({"CODEOWNERS": "* @all\n"}, {"CODEOWNERS": "* @all\n/.rules/ @leads\n"}, {}, ["@leads"])
    assert list(adopted) == []
    assert _owned({}, leads) == []
    assert _owned({"CODEOWNERS": "* @a @b\n"}, {"CODEOWNERS": "* @a\n"}) == []  # fewer may approve
    (gone, *_) = _owned(leads, {})
    assert gone == ".rules/config.yaml: owned by nobody, not @leads"
    other = {**leads, ".github/CODEOWNERS": "/src/ @dev\n"}  # which comes first
    assert ".rules/config.yaml: owned by nobody, not @leads" in _owned(leads, other)


def _silent(text: str, base: str = "") -> list[tuple[int, str]]:
    file = FileChange(path="a.py", status="M", content=text.encode(), base=base.encode())
    return [(one.line, one.text) for one in silence(Change(files=(file,)), ["no-print"], "2026-11-22")]


MARK = "# rulec: ignore[no-print] until=2026-12-31 why not\n"


@pytest.mark.parametrize(
    ("text", "base", "lines"),
    [
        (f"x\n{MARK}", "x\n", [2]),
        (f"x\n{MARK}", f"{MARK}x\n", []),  # it moved
        (f"{MARK}x\n{MARK}", f"{MARK}x\n", [3]),  # one more of the same
        (MARK.replace("no-print", "no-print, other"), "", [1]),
        (MARK.replace("no-print", "other"), "", []),
        (MARK.replace("2026", "2020"), "", []),
        (MARK.replace(" why not", ""), "", []),
    ],
)
def test_a_suppression_that_would_count_from_now_on_is_told(text: str, base: str, lines: list[int]) -> None:
    assert [line for line, _ in _silent(text, base)] == lines
