"""Describes a repository in a few lines for whoever writes checks for it; reads HEAD and runs nothing."""

import json
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from rulec.domain.change import TreeAfterChange
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.git import git_contents, git_session
from rulec.infra.git.git_changes import head_tree
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.names import Names, RepositoryProfile, language_named


def names_in(top: Path | None) -> Names:
    """What names mean in this repository, or anywhere."""
    if top is None:
        return Names()
    try:
        paths = git_contents.tracked_paths(top)
    except RulecError:
        return Names()
    counted = Counter(language_named(path.rpartition(".")[2]) for path in paths if "." in path.rpartition("/")[2])
    languages = tuple(name for name, _ in counted.most_common() if name)
    named = [
        path for path in paths if path.rpartition("/")[2] in MANIFESTS or re.search(r"requirements[^/]*\.txt$", path)
    ]
    words = {word for path in named[:MOST_MANIFESTS] for word in _package_names(top / path)}
    folders = {path.partition("/")[0] for path in paths if "/" in path}
    profile = RepositoryProfile(languages=languages, packages=frozenset(words), folders=frozenset(folders))
    return Names(profile)


def _package_names(path: Path) -> list[str]:
    """Every name in a manifest that may be a package."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_MANIFEST:
        return []
    text = path.read_text("utf-8", "replace").casefold()
    return [word.removesuffix("-") for word in re.findall(r"@?[a-z][\w./-]*[\w]", text)]


MANIFESTS = ("package.json", "pyproject.toml", "go.mod", "Cargo.toml", "Gemfile", "composer.json", "setup.cfg")
LARGEST_MANIFEST = 200_000  # bytes of a manifest that is read
MOST_MANIFESTS = 40  # manifests

LARGEST = 3_000  # characters of all of it
_ENDINGS, _FOLDERS, _OF_A_FOLDER, _SCRIPTS, _SCRIPT = 8, 14, 2, 24, 80
_OWN = (".rules", ".rulec", ".git")

# A file by which a package manager is known, each where it stands nearest to the root.
_PACKAGE_TOOLS = {
    "pnpm-lock.yaml": "pnpm", "package-lock.json": "npm", "yarn.lock": "yarn", "bun.lockb": "bun", "bun.lock": "bun",
    "deno.lock": "deno", "uv.lock": "uv", "poetry.lock": "poetry", "Pipfile.lock": "pipenv", "pdm.lock": "pdm",
    "requirements.txt": "pip", "environment.yml": "conda", "Cargo.lock": "cargo", "Cargo.toml": "cargo",
    "go.mod": "go modules", "Gemfile.lock": "bundler", "composer.lock": "composer", "mix.lock": "mix",
    "pubspec.lock": "pub", "Package.resolved": "swift", "mvnw": "maven with ./mvnw", "pom.xml": "maven",
    "gradlew": "gradle with ./gradlew", "build.gradle": "gradle", "build.gradle.kts": "gradle", "flake.lock": "nix",
    "CMakeLists.txt": "cmake", "justfile": "just", "Makefile": "make", "Taskfile.yml": "task", "tox.ini": "tox",
    "noxfile.py": "nox", "turbo.json": "turbo", "nx.json": "nx", "pnpm-workspace.yaml": "pnpm workspace",
    ".pre-commit-config.yaml": "pre-commit", "Dockerfile": "docker", "docker-compose.yml": "docker compose",
}  # fmt: skip


def describe_repository(top: Path, book: Rulebook) -> str:
    """What the repository holds: languages, package managers, scripts, tests, folders, branch; "" without a commit."""
    tree = head_tree(top)
    if tree is None:
        return ""
    paths = sorted(path for path in tree.paths() if path.split("/")[0] not in _OWN)
    lines = [*_file_lines(paths), *_script_lines(tree), *_test_line(book), f"branch: {_branch(top)}"]
    return redact("\n".join(line for line in lines if line))[:LARGEST]


def _file_lines(paths: list[str]) -> Iterator[str]:
    endings = Counter(Path(path).suffix for path in paths)
    endings.pop("", None)
    yield "files: " + ", ".join(f"{many} {ending}" for ending, many in endings.most_common(_ENDINGS))
    by_name: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: path.count("/")):
        by_name.setdefault(path.rpartition("/")[2], path)
    known = [f"{tool} ({by_name[name]})" for name, tool in _PACKAGE_TOOLS.items() if name in by_name]
    yield "tools: " + ", ".join(known) if known else ""
    folders = Counter(path.split("/")[0] for path in paths if "/" in path)
    some = [f"{to_one_line(name)}/ {many}" for name, many in folders.most_common(_FOLDERS)]
    yield "folders: " + ", ".join(some) if some else ""
    plain = [to_one_line(path) for path in paths if "/" not in path]
    yield "at the root: " + ", ".join(plain[: 2 * _FOLDERS]) if plain else ""
    yield "some paths: " + ", ".join(_some_paths(paths)) if folders else ""


def _some_paths(paths: list[str]) -> Iterator[str]:
    """A few files of each folder, so that whoever makes up an example need not make up where it is."""
    nested = [path for path in paths if "/" in path]
    of_folder = (list(some)[:_OF_A_FOLDER] for _, some in groupby(nested, key=lambda path: path.rpartition("/")[0]))
    yield from (to_one_line(path) for some in islice(of_folder, _FOLDERS) for path in some)


def _script_lines(tree: TreeAfterChange) -> Iterator[str]:
    for path, of in _SOURCES.items():
        if path in tree.paths() and (text := tree.read(path)):
            found: list[str] = []
            with suppress(ValueError, TypeError, AttributeError, RecursionError):
                found = [to_one_line(line)[:_SCRIPT] for line in of(text)]
            if found:
                yield f"{path}: " + "; ".join(found[:_SCRIPTS])


def _package_scripts(text: str) -> Iterator[str]:
    data = json.loads(text)
    for name, command in (data.get("scripts") or {}).items():
        yield f"{name} = {command}"
    if manager := data.get("packageManager"):
        yield f"packageManager = {manager}"


def _make_targets(text: str) -> Iterator[str]:
    for found in re.finditer(r"^([A-Za-z][\w.-]*)\s*(?:[^:=\n]*):(?!=)", text, re.MULTILINE):
        yield found[1]


def _python_scripts(text: str) -> Iterator[str]:
    data: dict[str, Any] = tomllib.loads(text)
    project, tools = data.get("project") or {}, data.get("tool") or {}
    yield from (f"{name} = {where}" for name, where in (project.get("scripts") or {}).items())
    yield from (f"task {name}" for tool in ("poe", "pdm", "hatch") for name in _tasks(tools.get(tool) or {}))
    if tools:
        yield f"tools set up: {', '.join(tools)}"


def _tasks(tool: dict[str, Any]) -> list[str]:
    return list(tool.get("tasks") or tool.get("scripts") or ())


_SOURCES = {
    "package.json": _package_scripts,
    "Makefile": _make_targets,
    "justfile": _make_targets,
    "pyproject.toml": _python_scripts,
}


def _test_line(book: Rulebook) -> Iterator[str]:
    commands = [to_one_line(shlex.join(suite.run)) for suite in book.config.tests]
    yield "tests: " + ", ".join(commands) if commands else ""


def _branch(top: Path) -> str:
    """The default branch of the remote, else the current branch."""
    origin = git_session.run_git(top, "symbolic-ref", "--short", "refs/remotes/origin/HEAD")
    here = git_session.run_git(top, "symbolic-ref", "--short", "HEAD") if origin.code else origin
    return to_one_line(here.text.strip().removeprefix("origin/")) or "none"
