"""Agents' settings, plugins and skills: what runs rulec twice or names no script, and others' hooks that allow."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from rulec.agents.protocol.agent_spec import AgentSpec, all_agents
from rulec.compiling import bundle
from rulec.domain.plugs import HookProbe, Integration
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.integrations import json_text
from rulec.integrations.hook_settings import OURS
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services.doctor.diagnosis import Diagnosis

SHOWN = 60  # characters of another hook's line
_ALLOW = re.compile(
    r"""["']?(?:permissionDecision|permission|decision|behavior)["']?\s{0,4}[:=]\s{0,4}["']?(?:allow|approve)\b"""
)
# a path below the repository, as agents' settings name it
_SCRIPT = re.compile(
    r"""(?:(?:_PROJECT_DIR|--show-toplevel)[)}"']{0,4}/|(?=\.rules/))([\w.][\w./-]*\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl))\b"""
)
_COMPILE = "run rulec compile"


def examine_agent_settings(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Findings in the settings of each agent; commands that the settings name are not run."""
    for emitter in bundle.wanted_integrations(book):
        if emitter.probe is not None:
            yield from _twice(top, emitter.probe)
            yield from _allowing(top, emitter, emitter.probe)
            yield from _missing(top, emitter, emitter.probe)


def _twice(top: Path, probe: HookProbe) -> Iterator[Diagnosis]:
    for path in probe.beside:
        if OURS.search(text_files.read_start(top, path)):
            yield Diagnosis(f"{path} calls rulec too: {probe.title} asks it twice", "remove it there")


def examine_plugins(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Which answers where an agent has rulec as its plugin: the plugin, or the settings of the repository."""
    for spec in all_agents():
        if not _has_plugin(spec):
            continue
        if _is_plugin_off(top, spec):
            yield Diagnosis(f"{spec.title} has rulec's plugin, which is turned off")
        elif spec.name in book.config.emitters:
            what = f"{spec.title} has rulec twice, as its plugin and in {spec.hook_file}"
            yield Diagnosis(f"{what}: at each call the one that starts first answers, and the other says nothing")
        else:
            yield Diagnosis(f"{spec.title} has rulec as its plugin, which answers here")


def _has_plugin(spec: AgentSpec) -> bool:
    """Whether one of the folders is there in which the agent keeps rulec's plugin."""
    folders = [path for path, how in spec.settings.items() if how == "whole" and path.endswith("/rulec/")]
    return any(found for path in folders for found in Path.home().glob(path.removeprefix("~/").rstrip("/")))


def _is_plugin_off(top: Path, spec: AgentSpec) -> bool:
    """Whether the agent's settings turn the plugin off; the nearest ones that speak of it count."""
    said: list[bool] = []
    files = [path for path, how in spec.settings.items() if how == "json"]
    for path in sorted(files, key=lambda path: (not path.startswith("~"), "local" in path)):
        try:
            data = json_text.load_object(text_files.read_start(top, path) or "{}", path)
        except RulecError:
            continue
        plugins = [value for key in spec.switches if isinstance(value := data.get(key), dict)]
        said += [on is not False for one in plugins for name, on in one.items() if name.startswith("rulec@")]
    return said[-1:] == [False]


def _allowing(top: Path, emitter: Integration, probe: HookProbe) -> Iterator[Diagnosis]:
    """Hooks of others that seem to answer allow, by their command line or the file that it names."""
    for path in (*emitter.files, *probe.beside):
        for event, lines in probe.lines(text_files.read_start(top, path)).items():
            for line in lines:
                if not OURS.search(line) and any(_allows(text) for text in (line, *_named(top, line))):
                    what = f"{path}: another hook at {event} seems to answer allow: {line[:SHOWN]}"
                    yield Diagnosis(what, "see that it allows nothing that a person should be asked about")


def _missing(top: Path, emitter: Integration, probe: HookProbe) -> Iterator[Diagnosis]:
    """Scripts of hooks that do not exist; agents ignore hooks that fail so."""
    for event, lines in probe.lines(text_files.read_start(top, emitter.files[0])).items():
        for line in lines:
            for path in (path for path in set(_SCRIPT.findall(line)) if not (top / path).is_file()):
                cure = (_COMPILE, "compile") if OURS.search(line) else ("bring the script back, or remove the hook",)
                yield Diagnosis(f"{emitter.files[0]}: the hook at {event} runs {path}, which is missing", *cure)


def _allows(text: str) -> bool:
    return bool(_ALLOW.search(text.replace("\\", "")))


def _named(top: Path, line: str) -> Iterator[str]:
    """The texts of the files that a command line names."""
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    for word in words:
        path = re.sub(r"^\$\{?\w+(?::-[^}]*)?\}?/", "", word)  # "$CLAUDE_PROJECT_DIR"/hooks/guard.sh
        if "/" in path or "." in path:
            yield text_files.read_start(top, path)


def examine_skills(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Whether the skills in the settings were written by rulec; missing ones are reported as stale files."""
    for emitter in bundle.wanted_integrations(book):
        files = emitter.files if emitter.tells and not emitter.document else ()
        for path, text in text_files.read_existing(top, files).items():
            if emitter.remove(path, text) == text:
                cure = f"give that skill another name, or take {emitter.name} out of emitters in {file_paths.CONFIG}"
                yield Diagnosis(f"{path} was not written by rulec and is left alone", cure)
            else:
                yield Diagnosis(f"{path} tells agents how to work with rulec", "")
