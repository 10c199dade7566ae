"""Where others can get the rulec that runs here: its own record of what was installed (PEP 610), or why nowhere."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rulec.domain.text.requirement import install_command
from rulec.infra.git import git_session
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config

_ADDRESS = re.compile(r"(?:https://[\w.-]+(?::\d{1,5})?|ssh://(?:[\w.-]+@)?[\w.-]+(?::\d{1,5})?|file://)/[\w./~+%-]+")
_LOGIN = re.compile(r"(?<=^https://)[^/@]*@|(?<=^ssh://)(?P<user>[^/@:]*):[^/@]*@")
_SHORT_SSH = re.compile(r"(?P<host>(?:[\w.-]+@)?[\w.-]+):(?P<path>(?!/)[\w./~+%-]+)")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HASH = re.compile(r"[0-9a-f]{64}")
_FOLDER = re.compile(r"\w[\w./-]*")
INIT = "run rulec init"
_SHORT = 10  # digits of a commit that are shown
_EXAMPLE = install_command("git+https://HOST/rulec@COMMIT")


@dataclass(frozen=True, slots=True)
class InstallSource:
    """What pip can be given elsewhere to have this very rulec, pinned; else why there is nothing, and what to do."""

    requirement: str = ""
    why: str = ""
    cure: str = ""


@cache
def installed_source() -> InstallSource:
    """The source of the rulec that runs here."""
    from importlib import metadata  # noqa: PLC0415 - 50 ms, and most commands do not ask

    try:
        record = json.loads(metadata.distribution("rulec").read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        record = {}
    return source_of_record(record)


def source_of_record(record: Mapping[str, Any]) -> InstallSource:
    """The source that a record of pip's or uv's stands for.

    Without a record rulec was found by its name in some index, which is not known to be the one that others would ask.
    """
    url, below = str(record.get("url", "")), str(record.get("subdirectory", ""))
    if not url:
        return InstallSource(why="which was not installed from a URL", cure=f"install it by one: {_EXAMPLE}")
    if "dir_info" in record:
        return _source_of_folder(Path(unquote(urlsplit(url).path)))
    if "vcs_info" in record:
        commit = str(record["vcs_info"].get("commit_id", ""))
        if record["vcs_info"].get("vcs") != "git" or not _COMMIT.fullmatch(commit):
            return InstallSource(why="whose record names no commit of git", cure=f"install it at one: {_EXAMPLE}")
        return _pinned(url, commit, below)
    digest = str(record.get("archive_info", {}).get("hashes", {}).get("sha256", ""))
    if not (url.startswith("https://") and _ADDRESS.fullmatch(_plain_address(url)) and _HASH.fullmatch(digest)):
        why = "which was installed from an archive without an https address or without a hash"
        return InstallSource(why=why, cure=f"install it from its repository: {_EXAMPLE}")
    return InstallSource("#".join([_plain_address(url), "&".join([f"sha256={digest}", *_fragment(below)])]))


def _pinned(url: str, commit: str, below: str) -> InstallSource:
    address = _plain_address(url)
    if not _ADDRESS.fullmatch(address) or (below and not _FOLDER.fullmatch(below)):
        cure = f"install it by such an address: {_EXAMPLE}"
        return InstallSource(why="whose address is no plain one of https, ssh or file", cure=cure)
    return InstallSource("#".join([f"git+{address}@{commit}", *_fragment(below)]))


def _fragment(below: str) -> list[str]:
    return [f"subdirectory={below}"] * bool(below)


def _plain_address(url: str) -> str:
    """The address as a URL, without a login: nobody's key goes into a repository, and others have their own."""
    if url.startswith("/"):
        return f"file://{url}"
    if short := _SHORT_SSH.fullmatch(url):
        return f"ssh://{short['host']}/{short['path']}"
    return _LOGIN.sub(lambda found: f"{found['user']}@" if found["user"] else "", url)


def _source_of_folder(folder: Path) -> InstallSource:
    """The remote of a folder at the folder's commit, if the remote has it."""
    top = next((one for one in (folder, *folder.parents) if (one / ".git").exists()), None)
    head = _git(top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") if top else ""
    if top is None or not head:
        why = f"which was installed from {folder}, where no git repository with a commit is"
        return InstallSource(why=why, cure=f"install it from its repository: {_EXAMPLE}")
    remotes = _git(top, "remote").split()
    remote = "origin" if "origin" in remotes else remotes[0] if len(remotes) == 1 else ""
    if not remote:
        cure = "name one of them origin" if remotes else "git remote add origin URL, git push"
        why = f"which was installed from {top}, a repository with {'several remotes' if remotes else 'no remote'}"
        return InstallSource(why=why, cure=f"{cure}, then rulec init")
    if not (_is_cache_of_hooks(top) or _git(top, "for-each-ref", "--contains", head, f"refs/remotes/{remote}")):
        why = f"which was installed from {top} at {head[:_SHORT]}, which {remote} lacks as far as is known here"
        return InstallSource(why=why, cure=f"git -C {top} push {remote}, then rulec init")
    below = folder.relative_to(top).as_posix()
    return _pinned(_git(top, "remote", "get-url", remote), head, "" if below == "." else below)


def _is_cache_of_hooks(top: Path) -> bool:
    """Whether pre-commit or prek cloned it for a hook: they fetch one commit and keep no branch of the remote."""
    return (top.parent / "db.db").is_file() or (top / ".prek-repo.json").is_file()


def _git(top: Path, *words: str) -> str:
    """What git says of that repository, whatever other one a git hook of ours runs in; "" where it fails."""
    done = git_session.run_git(top, f"--git-dir={top / '.git'}", *words)
    return "" if done.code else done.text.strip()


def lacks_source(config: Config) -> str:
    """Why nobody else can install rulec, and what to do; "" where the settings say how."""
    if config.install:
        return ""
    source = installed_source()
    if source.requirement:
        return f"{file_paths.CONFIG} does not say where rulec comes from: {INIT}"
    return (
        f"CI and colleagues cannot install this rulec, {source.why}: {source.cure}; or name under install in"
        f" {file_paths.CONFIG} what pip shall install, then rulec compile"
    )


def extra_command(extra: str) -> str:
    """How to get what an extra of rulec's needs."""
    source = installed_source()
    if not source.requirement:
        return f"install rulec again as it was, with its extra: rulec[{extra}]"
    return install_command(source.requirement, extra)
