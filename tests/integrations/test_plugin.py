"""The plugin's files agree with the agents' specs and each other; its launcher starts nothing of a stranger's."""

import json
import shutil
from pathlib import Path

import pytest

from rulec import __version__
from rulec.agents.protocol.agent_spec import find_agent
from rulec.hook import start
from rulec.rulebook.config import Config
from tests.integrations.test_launcher import CALL, OTHER, PYTHON, SAYS, START, Clone, clone
from tests.support import plugin_files

__all__ = ["clone"]
ROOT = plugin_files.ROOT
MANIFESTS = {  # -> the folder that their paths begin at
    ".claude-plugin/plugin.json": ROOT,
    ".github/plugin/plugin.json": ROOT,
    "plugin/.codex-plugin/plugin.json": ROOT / "plugin",
}
AUDIT = ["git", "audit"]


def test_the_generated_files_are_fresh() -> None:
    assert plugin_files.stale() == [], f"run {plugin_files.COMMAND}"


@pytest.mark.parametrize("path", MANIFESTS)
def test_a_manifest_names_this_version_and_files_that_are_there(path: str) -> None:
    manifest = json.loads((ROOT / path).read_text())
    assert (manifest["name"], manifest["version"]) == ("rulec", __version__)
    for key in ("hooks", "skills", "commands"):
        assert key not in manifest or (MANIFESTS[path] / manifest[key]).exists()


def test_the_manifests_say_the_same_of_the_plugin() -> None:
    told = [json.loads((ROOT / path).read_text()) for path in MANIFESTS]
    for key in ("description", "author", "license", "keywords"):
        assert len({json.dumps(one[key]) for one in told}) == 1


def test_each_marketplace_names_a_folder_with_a_manifest() -> None:
    claude = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())
    codex = json.loads((ROOT / ".agents/plugins/marketplace.json").read_text())
    assert (ROOT / claude["plugins"][0]["source"] / ".claude-plugin/plugin.json").is_file()
    assert (ROOT / codex["plugins"][0]["source"]["path"] / ".codex-plugin/plugin.json").is_file()


@pytest.mark.parametrize("name", plugin_files.FOLDERS)
def test_each_event_of_the_agent_starts_the_plugins_launcher(name: str) -> None:
    spec = find_agent(name)
    assert spec is not None
    known = json.loads((ROOT / f"plugin/hooks/{name}.json").read_text())["hooks"]
    assert list(known) == [event.name for event in spec.events]
    folder = ROOT if plugin_files.FOLDERS[name] else ROOT / "plugin"
    assert (folder / plugin_files.FOLDERS[name] / plugin_files.LAUNCHER).is_file()


class PluginClone:
    """A clone in which the plugin's launcher runs, from a folder of its own."""

    def __init__(self, clone: Clone, folder: Path, *, source: bool) -> None:
        self.clone, self.folder = clone, folder
        self.hook = folder / "plugin/rulec/hook"
        self.hook.parent.mkdir(parents=True)
        shutil.copy(ROOT / "plugin" / plugin_files.LAUNCHER, self.hook)
        if not (clone.tools / "sh").exists():
            (clone.tools / "sh").symlink_to(str(shutil.which("sh")))
        if source:
            (folder / "pyproject.toml").touch()

    def run(self, words: list[str]) -> tuple[int, str, str]:
        extra = [] if words[0] == "git" else ["plugin"]
        return tuple(self.clone.run([*words, *extra], str(self.hook)))


@pytest.fixture
def plugin(clone: Clone, tmp_path: Path) -> PluginClone:
    return PluginClone(clone, tmp_path / "plugins/rulec", source=True)


def test_it_is_silent_where_there_are_no_rules(plugin: PluginClone) -> None:
    shutil.rmtree(plugin.clone.top / ".rules")
    plugin.clone.program("rulec", SAYS.format(name="path"))
    assert plugin.run(START) == plugin.run(CALL) == (0, "", "")


def test_what_init_recorded_is_started_first(plugin: PluginClone) -> None:
    clone = plugin.clone
    clone.program("rulec", SAYS.format(name="path"))
    clone.record(str(clone.program("my python", PYTHON.format(code=0))), start.__file__)
    assert plugin.run(CALL)[:2] == (0, f"recorded -I -S {start.__file__} claude-code call plugin\n")
    shutil.rmtree(clone.top / ".rules")  # as in a work tree of before there were rules
    assert plugin.run(CALL)[1].startswith("recorded")


def test_a_record_whose_rulec_does_not_start_denies(plugin: PluginClone) -> None:
    plugin.clone.record("/nowhere", start.__file__)
    assert plugin.run(CALL)[0] == 2


def test_then_rulec_on_the_path_then_the_plugins_own(plugin: PluginClone) -> None:
    plugin.clone.program("uvx", SAYS.format(name="uvx"))
    own = f"uvx -q --offline --from {plugin.folder} rulec hook run claude-code call plugin\n"
    assert plugin.run(CALL)[:2] == (0, own)
    assert plugin.run(AUDIT)[:2] == (0, f"uvx -q --from {plugin.folder} rulec hook run git audit\n")
    plugin.clone.program("rulec", SAYS.format(name="path"))
    assert plugin.run(CALL)[:2] == (0, "path hook run claude-code call plugin\n")
    assert plugin.run(AUDIT)[:2] == (0, "path hook run git audit\n")


def test_it_starts_nothing_that_a_strangers_repository_names(plugin: PluginClone) -> None:
    clone = plugin.clone
    clone.write(Config(install=OTHER))
    clone.git("add", ".rules")
    clone.git("commit", "-qm", "rules")
    clone.git("update-ref", "refs/remotes/origin/HEAD", "HEAD")
    (clone.top / ".rules/hook").write_text("echo disarmed")
    clone.program("uvx", SAYS.format(name="uvx"))
    for words in (START, CALL, AUDIT):
        code, out, err = plugin.run(words)
        assert (code, OTHER in out + err, "disarmed" in out + err) == (0, False, False)
        assert str(plugin.folder) in out


def test_without_any_rulec_a_session_is_told_once_and_the_teams_wish_is_kept(clone: Clone, tmp_path: Path) -> None:
    plugin = PluginClone(clone, tmp_path / "plugins/rulec", source=False)
    assert plugin.run(CALL) == (0, "", "")
    assert "rulec init" in json.loads(plugin.run(START)[1])["systemMessage"]
    clone.write(Config(on_missing="deny"))
    assert plugin.run(CALL)[0] == 2
    assert plugin.run(AUDIT)[0] == 2
