"""Settings that people share, before and after a change: switches that turn hooks off, variables that lead past."""

import pytest

from rulec.gates.weakening.lost_hooks import new_off_switches


def _lines(path: str, before: str, after: str) -> list[tuple[int, str]]:
    return [(one.line, one.text) for one in new_off_switches(path, before, after)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".claude/settings.json", '{\n "disableAllHooks" : true}'),
        (".claude/settings.json", '{\n "disableAllHook\\u0073": true}'),
        (".claude/settings.json", '{\n "disableAllHooks": true, "disableAllHooks": false}'),
        (".claude/settings.json", '{\n "disableAllHooks": true,'),  # nobody knows who reads it
        ("web/.claude/settings.json", '{\n "disableAllHooks": true}'),
        (".claude/settings.json", '{\n "allowManagedHooksOnly": true}'),
        (".gemini/settings.json", '{\n "hooksConfig": {"enabled": false}}'),
        (".gemini/settings.json", '{\n "hooksConfig": {"disabled": ["rulec"]}}'),
        (".gemini/settings.json", '{ // mine\n "hooksConfig": {"notifications": {"a": 1}, "enabled": false,}}'),
        (".gemini/settings.json", '{\n "enableHooks": false}'),
        (".codex/config.toml", "[features]\nhooks = false\n"),
        (".codex/config.toml", "[features]\ncodex_hooks=false\n"),
        (".codex/config.toml", 'model = "x"\nfeatures.hooks = false\n'),
        (".codex/config.toml", 'model = "x"\nfeatures = {hooks = false}\n'),
        (".codex/config.toml", "= no TOML\nhooks = false\n"),
    ],
)
def test_a_switch_that_turns_hooks_off_is_told_in_its_line(path: str, text: str) -> None:
    ((line, told),) = _lines(path, "{}", text)
    assert line == (0 if "\\u" in text else 2)  # an escaped name is in no line
    assert "turns hooks off" in told
    assert _lines(path, text, f"{text} ") == []  # it stood there


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (".claude/settings.json", '{"env": {"SKIP": "rulec"}}', '"env.SKIP": "rulec"'),
        (".claude/settings.json", '{"env": {"PATH": "/tmp/x"}}', '"env.PATH": "/tmp/x"'),
        (".claude/settings.json", '{"env": {"CLAUDE_PROJECT_DIR": "/x"}}', '"env.CLAUDE_PROJECT_DIR": "/x"'),
        (".codex/config.toml", 'shell_environment_policy.set = {HUSKY = "0"}', "HUSKY"),
        (".envrc", "export SKIP=rulec\n", "SKIP=rulec"),
        (".config/fish/config.fish", "set -gx SKIP rulec\n", "SKIP=rulec"),
        (".envrc", "use nix\nexport HUSKY=0\n", "HUSKY=0"),
        (".mise.toml", '[env]\nSKIP = "rulec"\n', '"env.SKIP": "rulec"'),
        (".devcontainer/devcontainer.json", '{/* ours */ "remoteEnv": {"SKIP": "x",},}', '"remoteEnv.SKIP": "x"'),
    ],
)
def test_a_variable_that_leads_past_the_gate_is_told(path: str, text: str, told: str) -> None:
    ((_, said),) = _lines(path, "", text)
    assert told in said
    assert "leads hooks or git elsewhere" in said


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".claude/settings.json", '{"disableAllHooks": false, "hooks": {}}'),
        (".claude/settings.json", '{"env": {"FOO": "1", "SKIP": "", "GIT_AUTHOR_NAME": "x"}}'),
        (".claude/settings.json", '{"mcpServers": {"a": {"env": {"PATH": "/x"}}}}'),
        (".gemini/settings.json", '{"hooksConfig": {"enabled": true, "disabled": []}}'),
        (".gemini/settings.json", '{"ui": {"enabled": false}, "text": "\\"disableAllHooks\\": true"}'),
        (".codex/config.toml", "[features]\nhooks = true\nwebhooks = false\n"),
        (".devcontainer/devcontainer.json", '{"remoteEnv": {"PATH": "${containerEnv:PATH}:/x"}}'),
        (".github/pull_request_template.md", "SKIP=this where it fits\n"),
        (".envrc", "SKIP this\n"),
        (".envrc", "export PYTHONPATH=src\nexport HUSKY=1\nexport NO_SKIP=1\n# export SKIP=x\n"),
    ],
)
def test_other_settings_are_not(path: str, text: str) -> None:
    assert _lines(path, "", text) == []
