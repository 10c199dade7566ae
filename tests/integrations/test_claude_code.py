import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.checkout.rules_layout import LAUNCHER
from rulec.errors import RulecError

from .support import emitted, integration, owes_nothing, removed

PLUG = integration("claude-code")
PATH = PLUG.files[0]

EVENTS = {
    "PreToolUse": "Bash|PowerShell|Monitor|Write|Edit|MultiEdit|NotebookEdit|mcp__.*|ExitPlanMode",
    "PostToolUse": "Write|Edit|MultiEdit|NotebookEdit|TodoWrite|TaskCreate|TaskUpdate|ExitPlanMode",
}


def ours(text):
    """Each of our hooks by its event and matcher."""
    hooks = json.loads(text)["hooks"]
    places = [(event, group) for event, groups in hooks.items() for group in groups]
    return [(e, g.get("matcher")) for e, g in places for hook in g["hooks"] if LAUNCHER in hook["command"]]


def runs_ours(group):
    return any(LAUNCHER in hook["command"] for hook in group["hooks"])


def without_ours(data):
    """The data as it would be had we added nothing; containers that we emptied are left out, as those that were."""
    hooks = {event: [g for g in gs if not runs_ours(g)] for event, gs in data.get("hooks", {}).items()}
    hooks = {event: groups for event, groups in hooks.items() if groups}
    rest = {key: value for key, value in data.items() if key != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


ALL = [*EVENTS.items(), ("Stop", None), ("SessionStart", None), ("UserPromptSubmit", None)]


def test_a_new_file_asks_before_and_after_tools_at_both_ends_of_a_turn_and_at_the_start_of_a_session():
    text = owes_nothing(PLUG, None)
    assert ours(text) == ALL
    assert text.endswith("}\n")
    hooks = [hook for groups in json.loads(text)["hooks"].values() for hook in groups[0]["hooks"]]
    assert all(hook["type"] == "command" and hook["timeout"] > 0 for hook in hooks)


def test_a_launcher_that_breaks_stops_tool_calls_alone():
    commands = {
        event: groups[0]["hooks"][0]["command"] for event, groups in json.loads(emitted(PLUG, None))["hooks"].items()
    }
    assert [event for event, command in commands.items() if not command.endswith("||:")] == ["PreToolUse"]


names = st.sampled_from(["a", "permissions", "é→", 'q"\\', "PreToolUse", "hooks2", "x" * 20])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=2),
    max_leaves=5,
)
hook = st.fixed_dictionaries({"type": st.just("command"), "command": st.sampled_from(["true", "echo '{}[]' \"x\""])})
group = st.fixed_dictionaries({"hooks": st.lists(hook, max_size=2)}, optional={"matcher": st.just("Bash")})
events = st.dictionaries(
    st.sampled_from(["PreToolUse", "PostToolUse", "Stop", "SessionStart"]), st.lists(group, max_size=2)
)


@st.composite
def settings_files(draw):
    """Settings in the layouts that people, tools and chance give them."""
    data = draw(st.dictionaries(names, values, max_size=3))
    if draw(st.booleans()):
        data = dict(draw(st.permutations(list({**data, "hooks": draw(events)}.items()))))
    indent = draw(st.sampled_from([2, 4, 1, "\t", None, 0]))
    separators = draw(st.sampled_from([(",", ": "), (", ", ":"), (",", ":"), (" , ", " : ")]))
    text = json.dumps(data, indent=indent, separators=separators, ensure_ascii=draw(st.booleans()))
    for bracket in ("{}", "[]"):
        inner = draw(st.sampled_from(["", " ", "  ", "\n", "\n\n", "\n  ", "\t"]))
        text = text if '"echo' in text else text.replace(bracket, bracket[0] + inner + bracket[1])
    text = draw(st.sampled_from(["", "\n", " \n"])) + text + draw(st.sampled_from(["", "\n", "  "]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(settings_files())
def test_emit_and_remove_are_inverse_over_any_settings(text):
    once = owes_nothing(PLUG, text)
    assert sorted(ours(once), key=str) == sorted(ALL, key=str)
    assert without_ours(json.loads(once)) == without_ours(json.loads(text))


@given(
    st.text(alphabet='{}[]":, \n\r\thoks12é', max_size=30),
    st.sampled_from(["", "{", '{"hooks":', '{"hooks":{"Stop":[']),
)
def test_any_text_at_all_comes_back_or_is_refused(noise, start):
    try:
        owes_nothing(PLUG, start + noise)
    except RulecError as refusal:
        assert refusal.where.startswith(f"{PATH}:"), refusal  # noqa: PT017 - a refusal is as good as a round trip


@given(settings_files(), st.sampled_from([2, "\t", None]))
def test_settings_that_were_laid_out_anew_are_left_alone_and_still_let_go_of_ours(text, indent):
    laid_out = json.dumps(json.loads(emitted(PLUG, text)), indent=indent)
    assert emitted(PLUG, laid_out) == laid_out
    rest = removed(PLUG, laid_out)
    assert without_ours(json.loads(rest or "{}")) == without_ours(json.loads(text))
    assert LAUNCHER not in (rest or "")


OLD_HOOK = '{"type": "command", "command": "sh .rules/hook"}'
OLD = '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [' + OLD_HOOK + "]}]}}"


def test_an_old_hook_of_ours_is_renewed_in_its_place_and_never_doubled():
    twice = OLD.replace("]}]", ']}, {"hooks": [' + OLD_HOOK + "]}]")
    assert len(json.loads(twice)["hooks"]["PreToolUse"]) == 2
    for text in (OLD, twice):
        new = emitted(PLUG, text)
        assert sorted(ours(new), key=str) == sorted(ALL, key=str)
        assert len(json.loads(new)["hooks"]["PreToolUse"]) == 1
        assert emitted(PLUG, new) == new


def test_settings_of_before_sessions_were_told_get_that_hook_and_keep_the_rest():
    whole = json.loads(emitted(PLUG, None))
    before = {**whole, "hooks": {event: groups for event, groups in whole["hooks"].items() if event != "SessionStart"}}
    before["hooks"]["SessionStart"] = [{"hooks": [{"type": "command", "command": "theirs"}]}]
    new = json.loads(emitted(PLUG, json.dumps(before, indent=2)))
    assert new["hooks"]["SessionStart"] == [*before["hooks"]["SessionStart"], *whole["hooks"]["SessionStart"]]
    assert without_ours(new) == without_ours(before)


def test_a_hook_of_ours_on_an_event_that_is_no_longer_wanted_goes():
    text = OLD.replace("PreToolUse", "SessionEnd")
    assert "SessionEnd" not in emitted(PLUG, text)


def test_what_people_add_beside_ours_stays_when_ours_goes():
    text = emitted(PLUG, None).replace('"hooks": {\n', '"hooks": {\n    "SessionEnd": [{"hooks": []}],\n', 1)
    assert json.loads(removed(PLUG, text)) == {"hooks": {"SessionEnd": [{"hooks": []}]}}


def test_settings_without_ours_are_never_read_by_remove():
    assert removed(PLUG, "{ not JSON") == "{ not JSON"


REFUSED = {
    '{\n  "a": 1,\n}': ":3: not valid JSON",
    "": ":1: not valid JSON",
    "// notes\n{}": ":1: not valid JSON",
    "[]": ":1: is no JSON object",
    '{\n"hooks": []}': ":2: hooks is no object",
    '{"hooks": {\n"Stop": {}}}': ":2: hooks.Stop is no list",
    '{"hooks": {"Stop": [\n"x"]}}': ":2: hooks.Stop holds something",
    '{"hooks": {"Stop": [{"hooks": [\n1]}]}}': ":1: hooks.Stop holds something",
    '{"hooks": {},\n"hooks": {}}': ":2: hooks stands here a second time",
    '{"hooks": {"Stop": [],\n"Stop": []}}': ":2: Stop stands here a second time",
    OLD.replace("]}]", ', {"type": "command", "command": "x"}]}]'): ":1: rulec's hook stands in one group",
    '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}": ":1: not valid JSON",
    '{"a": ' + "1" * 5_000 + "}": ":1: not valid JSON",
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_added_to_is_refused_with_its_line(text):
    with pytest.raises(RulecError) as refusal:
        emitted(PLUG, text)
    assert str(refusal.value).startswith(PATH + REFUSED[text])
    assert refusal.value.hint


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        ([], True),
        (["README.md", "AGENTS.md"], True),
        ([".claude/agents/x.md", ".codex/config.toml"], True),
        (["web/CLAUDE.md", ".cursor/rules/x.mdc"], True),
        ([".codex/config.toml"], False),
        ([".cursor/rules/x.mdc", "docs/claude.md"], False),
    ],
)
def test_init_takes_it_where_claude_code_is_used_or_nobody_is_yet(paths, wanted):
    assert PLUG.when_init(paths) is wanted
