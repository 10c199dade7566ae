"""The hooks of every agent in its settings: there once, refused where they cannot be, gone without a trace."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec import registry
from rulec.agents.protocol.agent_spec import BEFORE_TOOL
from rulec.checkout.rules_layout import LAUNCHER
from rulec.domain.artifact import CompilePlan, PlannedCheck, RuleFacts
from rulec.errors import RulecError

from .support import PLAN, RULES, emitted, owes_nothing, removed

AGENTS = {name: plug for name, plug in registry.emitters().items() if plug.agent and name != "opencode"}
FLAT = ("cursor", "copilot")
STRICT = PlannedCheck(
    facts=RuleFacts(slug="use-pnpm", revision=1, statement="Use pnpm.", on_error="block"),
    rule=RULES[0],
    kind="guard",
    template="forbid-command",
    parameters={},
    name="use-pnpm",
)

each = pytest.mark.parametrize("name", AGENTS)


def hooks(text):
    """Every hook by its event."""
    events = json.loads(text)["hooks"].items()
    return [(event, hook) for event, entries in events for entry in entries for hook in entry.get("hooks", [entry])]


def line(hook):
    return hook.get("command") or hook.get("bash") or ""


@each
def test_a_new_file_calls_rulec_at_every_event_that_doctor_fires(name):
    text = owes_nothing(AGENTS[name], None)
    probe = AGENTS[name].probe
    ours = [(event, hook) for event, hook in hooks(text) if LAUNCHER in line(hook)]
    assert [event for event, _ in ours] == list(json.loads(text)["hooks"])
    assert {event for event, _ in ours} == {shot.event for shot in probe.shots}
    assert {line(hook) for _, hook in ours} == {shot.command for shot in probe.shots}
    assert all(f'sh "$h" {name}' in line(hook) for _, hook in ours)
    assert "allow" not in text


@each
def test_only_a_tool_call_is_stopped_where_the_launcher_breaks(name):
    soft = {event for event, hook in hooks(emitted(AGENTS[name], None)) if line(hook).endswith("||:")}
    assert soft == {shot.event for shot in AGENTS[name].probe.shots if shot.moment != BEFORE_TOOL}


@each
def test_timeouts_are_in_the_agents_own_unit(name):
    key, unit = {"copilot": ("timeoutSec", 1), "gemini": ("timeout", 1000)}.get(name, ("timeout", 1))
    found = [hook[key] / unit for _, hook in hooks(emitted(AGENTS[name], None))]
    assert all(5 <= seconds <= 60 for seconds in found)
    assert found[0] == 10


@each
def test_a_check_that_must_not_break_unseen_closes_the_gate_where_the_agent_can(name):
    plain, strict = emitted(AGENTS[name], None), emitted(AGENTS[name], None, CompilePlan(steps=(STRICT,)))
    word = {"claude-code": '"onFailure": "block"', "cursor": '"failClosed": true'}.get(name)
    assert (plain == strict) is (word is None)  # Codex trusts hooks by their hash: they depend on no rule
    if word:
        assert word not in plain
        assert strict.count(word) == (3 if name == "cursor" else 1)
        assert emitted(AGENTS[name], strict) == plain
    harmless = replace(STRICT, facts=replace(STRICT.facts, on_error="warn"))
    assert emitted(AGENTS[name], None, CompilePlan(steps=(harmless,))) == plain


names = st.sampled_from(["a", "theme", "é→", 'q"\\', "hooks2"])
values = st.none() | st.booleans() | st.integers(-9, 9) | st.lists(st.integers(0, 3), max_size=2)


@st.composite
def settings(draw, name):
    """Settings of an agent in the layouts that people, tools and chance give them."""
    theirs = {"bash" if name == "copilot" else "command": draw(st.sampled_from(["true", "echo '{}[]' \"x\""]))}
    entry = st.just(theirs) if name in FLAT else st.just({"matcher": "x", "hooks": [theirs]})
    known = [shot.event for shot in AGENTS[name].probe.shots] + ["other"]
    data = draw(st.dictionaries(names, values, max_size=3))
    if name in FLAT:
        data["version"] = 1
    if draw(st.booleans()):
        data["hooks"] = draw(st.dictionaries(st.sampled_from(known), st.lists(entry, max_size=2)))
    data = dict(draw(st.permutations(list(data.items()))))
    text = json.dumps(data, indent=draw(st.sampled_from([2, 4, "\t", None])), ensure_ascii=draw(st.booleans()))
    return (text + draw(st.sampled_from(["", "\n"]))).replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@each
@given(st.data())
def test_emit_and_remove_are_inverse_over_any_settings(name, data):
    text = data.draw(settings(name))
    once = owes_nothing(AGENTS[name], text)
    rest = [(event, hook) for event, hook in hooks(once) if LAUNCHER not in line(hook)]
    before = hooks(text) if "hooks" in json.loads(text) else []
    assert sorted(map(str, rest)) == sorted(map(str, before))
    ours = [event for event, hook in hooks(once) if LAUNCHER in line(hook)]
    assert sorted(ours) == sorted({shot.event for shot in AGENTS[name].probe.shots})


@each
def test_what_people_add_to_a_file_of_ours_stays_when_ours_goes(name):
    whole = json.loads(emitted(AGENTS[name], None))
    extra = {"command": "theirs"} if name in FLAT else {"hooks": [{"command": "theirs"}]}
    whole["hooks"]["sessionEnd"] = [extra]
    rest = json.loads(removed(AGENTS[name], json.dumps(whole, indent=2)))
    assert rest["hooks"] == {"sessionEnd": [extra]}
    assert rest.get("version") == whole.get("version")


@each
def test_an_old_line_of_ours_is_renewed_in_its_place(name):
    text = emitted(AGENTS[name], None)
    old = text.replace("||sh ", "||exec sh ")
    assert old != text
    assert emitted(AGENTS[name], old) == text


REFUSED = {
    "codex": {'{"hooks": []}': "hooks is no object", '{"hooks": {"Stop": {}}}': "hooks.Stop is no list"},
    "gemini": {
        '{"hooks": {"BeforeTool": ["x"]}}': "holds something that is no group of hooks",
        "// x\n{}": "not valid",
    },
    "cursor": {
        "{}": "is not of version 1",
        '{"version": 2, "hooks": {}}': "is not of version 1",
        '{"version": 1, "hooks": {"stop": ["x"]}}': "holds something that is no hook",
        '{"version": 1, "hooks": {}, "hooks": {}}': "hooks stands here a second time",
    },
    "copilot": {'{"version": 1, "hooks": 3}': "hooks is no object"},
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in REFUSED.items() for text in texts])
def test_a_shape_that_nobody_understands_is_refused_in_one_line(name, text):
    with pytest.raises(RulecError) as refusal:
        emitted(AGENTS[name], text)
    assert REFUSED[name][text] in str(refusal.value)
    assert str(refusal.value).startswith(AGENTS[name].files[0] + ":")
    assert "\n" not in str(refusal.value)
    assert refusal.value.hint


WANTED = [
    ("codex", [".codex/config.toml"], True),
    ("codex", ["AGENTS.md"], False),
    ("cursor", [".cursor/rules/x.mdc"], True),
    ("cursor", [".cursorrules"], True),
    ("gemini", ["GEMINI.md"], True),
    ("gemini", ["docs/GEMINI.md"], False),
    ("copilot", [".github/copilot-instructions.md"], True),
    ("copilot", [".github/workflows/ci.yml"], False),
    ("opencode", ["opencode.json"], True),
    ("opencode", [".opencode/agent/x.md"], True),
    ("opencode", ["src/opencode.json"], False),
]


@pytest.mark.parametrize(("name", "paths", "wanted"), WANTED)
def test_init_takes_an_agent_whose_files_are_there(name, paths, wanted):
    assert registry.emitters()[name].when_init(paths) is wanted


def test_settings_are_the_same_whatever_the_rules_are():
    for name, plug in AGENTS.items():
        assert emitted(plug, None, CompilePlan()) == emitted(plug, None, PLAN), name
