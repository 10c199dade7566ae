"""git's merge driver for rules and what rulec generates: rulec merge, and its entry in the settings of a clone."""

import shlex
import sys
from pathlib import Path

from rulec import registry
from rulec.compiling import artifacts, bundle
from rulec.domain.artifact import COMPILED_FOLDER, CompilePlan
from rulec.domain.outcome import Outcome
from rulec.domain.plugs import Integration
from rulec.errors import RulecError
from rulec.infra.git import git_contents, git_session, merge_files
from rulec.infra.git.merge_files import MergeVersions
from rulec.infra.rulebooks import extensions, rule_files, rulebook_files
from rulec.integrations import three_way_merge
from rulec.rulebook import file_paths

MOST_RULEBOOK_FILES = 400  # files of a rulebook that a merge waits for
CONFLICT_EXIT = 10  # no other ending of ours has it, so that git can tell it from a rulec that is not there


def merge_file(versions: MergeVersions, path: str) -> Outcome:
    """Merge one file; conflicts in people's lines are marked in it and reported to git."""
    if path.startswith(f"{COMPILED_FOLDER}/"):
        return Outcome("")  # either side will do until rulec compile: lines of both are code that nobody wrote
    base, ours, theirs = versions.texts()
    if rule_files.is_rule_file(path) and (merged := rule_files.merged_rule_text(base, ours, theirs, path)):
        versions.settle(merged)
        return Outcome("")
    text, clean = three_way_merge.merge_three_ways(base, ours, theirs, path, versions.lines)
    if not clean and (apart := _apart(versions, path, (base, ours, theirs), text)):
        text, clean = apart, True
    versions.settle(_current(versions.top, path, text) if clean else text)
    return Outcome("", 0 if clean else CONFLICT_EXIT)


def _current(top: Path, path: str, text: str) -> str:
    """The text with rulec's part as the merged rulebook has it; unchanged where that is unknown or takes too long."""
    tree = merge_files.merged_tree(top)
    files = git_contents.files_at_commit(top, tree, file_paths.RULES) if tree else {}
    own = {name: content for name, content in files.items() if extensions.is_rulebook_file(name)}
    if not own or len(own) > MOST_RULEBOOK_FILES:
        return text
    try:
        emitted = bundle.integration_files(
            rulebook_files.parse_rulebook(own), top, lambda paths: {name: text for name in paths if name == path}
        )
    except RulecError:  # whatever is wrong with the rulebook is told where rules are read, not in the midst of a merge
        return text
    return next((file.text or text for file in emitted if file.path == path), text)


def _apart(versions: MergeVersions, path: str, texts: tuple[str, str, str], conflicting: str) -> str:
    """The merge where only rulec's part is in conflict, "" where people's lines are."""
    emitter = next((one for one in registry.emitters().values() if path in one.files), None)
    if emitter is None:
        return ""
    try:
        return three_way_merge.resolve_markers(conflicting, path, lambda text: emitter.remove(path, text))
    except RulecError:
        pass
    try:
        rest, clean = versions.lines(*(_without(emitter, path, text) for text in texts))
        current = {path: rest} if rest else {}
        files = emitter.emit(CompilePlan(), artifacts.template_library(versions.top).render, current) if clean else ()
        return next((file.text or "" for file in files if path.endswith((".json", ".ts"))), "")
    except RulecError:
        return ""


def _without(emitter: Integration, path: str, text: str) -> str:
    return (emitter.remove(path, text) or "") if text else ""


DRIVER_NAME = "merge driver"
_SECTION = "merge.rulec"
_TITLE = "rulec, for what it generates"


def driver_command() -> str:
    """The command that git runs for each file; git's own merge where rulec is gone."""
    # -P and -E: neither the repository's own folder nor PYTHONPATH may name a file that stands in for rulec
    ours = f"{shlex.quote(sys.executable.replace('%', '%%'))} -E -P -m rulec merge -- %O %A %B %L %P"
    plain = "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
    return f"{ours}; case $? in 0) exit 0;; {CONFLICT_EXIT}) exit 1;; *) exec {plain};; esac"


def is_merge_driver_installed(top: Path) -> bool:
    """Whether git's settings name the driver of this rulec."""
    return all(_local(top, key) == value for key, value in _wanted().items())


def install_merge_driver(top: Path) -> list[str]:
    """Enter the driver in git's settings; returns what changed."""
    if is_merge_driver_installed(top):
        return []
    for key, value in _wanted().items():
        git_session.git_output(top, "config", "--local", "--replace-all", key, value)
    return [DRIVER_NAME]


def _wanted() -> dict[str, str]:
    return {f"{_SECTION}.name": _TITLE, f"{_SECTION}.driver": driver_command()}


def uninstall_merge_driver(top: Path) -> list[str]:
    """Remove the driver from git's settings; returns what was there."""
    if not _local(top, f"{_SECTION}.driver"):
        return []
    git_session.git_output(top, "config", "--local", "--remove-section", _SECTION)
    return [DRIVER_NAME]


def _local(top: Path, key: str) -> str:
    return git_session.run_git(top, "config", "--local", "--get", key).text.rstrip("\n")
